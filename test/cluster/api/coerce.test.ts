import {describe, expect, test} from 'vitest';
import {coerce, withDefaults} from '../../../src/cluster/api/coerce.ts';
import type {JsonObject} from '../../../src/cluster/json.ts';
import {structuralOf} from '../../../src/cluster/schema/structural.ts';

const text = {type: 'string'};

function coerced(properties: JsonObject, spec: JsonObject, rest: JsonObject = {}): unknown {
  const structural = structuralOf({type: 'object', properties: {spec: {type: 'object', properties, ...rest}}});
  return coerce({kind: 'K', metadata: {any: 1}, spec}, structural)['spec'];
}

describe('decoding a custom resource', () => {
  test.each([
    {name: 'UnknownFieldsGo', schema: {a: text}, spec: {a: 'x', b: 'y'}, want: {a: 'x'}},
    {
      name: 'AlsoInLists',
      schema: {l: {type: 'array', items: {type: 'object', properties: {a: text}}}},
      spec: {l: [{a: 'x', b: 1}]},
      want: {l: [{a: 'x'}]},
    },
    {
      name: 'FreeKeysStay',
      schema: {m: {type: 'object', additionalProperties: text}},
      spec: {m: {any: 'x'}},
      want: {m: {any: 'x'}},
    },
    {
      name: 'PreservedFieldsStay',
      schema: {m: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}},
      spec: {m: {any: {thing: [1]}}},
      want: {m: {any: {thing: [1]}}},
    },
    {
      name: 'ButNotBelowAKnownFieldOfAPreservingObject',
      schema: {
        m: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: {k: {type: 'object', properties: {a: text}}},
        },
      },
      spec: {m: {x: {y: 1}, k: {a: 'x', b: 'y'}}},
      want: {m: {x: {y: 1}, k: {a: 'x'}}},
    },
    {name: 'ForbiddenNullGoes', schema: {a: text}, spec: {a: null}, want: {}},
    {name: 'NullableNullStays', schema: {a: {...text, nullable: true, default: 'd'}}, spec: {a: null}, want: {a: null}},
    {name: 'NullTakesTheDefault', schema: {a: {...text, default: 'd'}}, spec: {a: null}, want: {a: 'd'}},
    {name: 'MissingTakesTheDefault', schema: {a: {...text, default: 'd'}}, spec: {}, want: {a: 'd'}},
    {
      name: 'DefaultsInsideWhatIsThere',
      schema: {o: {type: 'object', properties: {a: {...text, default: 'd'}}}},
      spec: {o: {}},
      want: {o: {a: 'd'}},
    },
    {
      name: 'NotInsideWhatIsMissing',
      schema: {o: {type: 'object', properties: {a: {...text, default: 'd'}}}},
      spec: {},
      want: {},
    },
    {
      name: 'InsideADefault',
      schema: {o: {type: 'object', default: {}, properties: {a: {...text, default: 'd'}}}},
      spec: {},
      want: {o: {a: 'd'}},
    },
    {
      name: 'InItems',
      schema: {l: {type: 'array', items: {type: 'object', properties: {a: {...text, default: 'd'}}}}},
      spec: {l: [{}, {a: 'x'}]},
      want: {l: [{a: 'd'}, {a: 'x'}]},
    },
  ])('$name', ({schema, spec, want}) => {
    expect(coerced(schema, spec)).toEqual(want);
  });

  test('gives back the very object where there is nothing to do, and shares what it leaves alone', () => {
    const structural = structuralOf({
      type: 'object',
      properties: {spec: {type: 'object', properties: {a: text}}, status: {type: 'object', properties: {b: text}}},
    });
    const fits = {kind: 'K', spec: {a: 'x'}, status: {b: 'y'}};
    expect(coerce(fits, structural)).toBe(fits);
    const cut = coerce({...fits, spec: {a: 'x', c: 'z'}}, structural);
    expect(cut).toEqual(fits);
    expect(cut['status']).toBe(fits.status);
  });

  test('leaves type and metadata of the root alone', () => {
    const structural = structuralOf({type: 'object', properties: {}});
    expect(coerce({apiVersion: 'v1', kind: 'K', metadata: {x: 1}, more: 1}, structural)).toEqual({
      apiVersion: 'v1',
      kind: 'K',
      metadata: {x: 1},
    });
  });

  test('does less to the result of an apply: its nulls are left for the schema to judge', () => {
    const structural = structuralOf({type: 'object', properties: {a: text, b: {...text, default: 'd'}}});
    expect(withDefaults({a: null}, structural)).toEqual({a: null, b: 'd'});
  });
});
