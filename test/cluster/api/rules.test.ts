import {describe, expect, test} from 'vitest';
import {coreKinds} from '../../../src/cluster/api/core-kinds.ts';
import type {KindDefinition} from '../../../src/cluster/api/kinds.ts';
import {ruleErrors} from '../../../src/cluster/api/rules.ts';
import {installKind} from '../../../src/cluster/api/server.ts';
import type {JsonObject} from '../../../src/cluster/json.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {structuralOf} from '../../../src/cluster/schema/structural.ts';
import {create, merge, Rig, widgetKind} from './given.ts';

function kindWith(spec: JsonObject): KindDefinition {
  const schema = {type: 'object', properties: {spec: {type: 'object', ...spec}}};
  return {...widgetKind, versions: [{name: 'v1', served: true, storage: true, status: false, schema}]};
}

const text = {type: 'string'};

function ruled(schema: JsonObject, ...rules: readonly JsonObject[]): JsonObject {
  return {...schema, 'x-kubernetes-validations': rules};
}

describe('a rule in the schema of a user', () => {
  const upjet = {
    message: 'spec.forProvider.region is a required parameter',
    rule: "!('*' in self.managementPolicies || 'Create' in self.managementPolicies) || has(self.forProvider.region) || (has(self.initProvider) && has(self.initProvider.region))",
  };
  const provider = {type: 'object', properties: {region: text}};
  const managed = {
    properties: {
      forProvider: provider,
      initProvider: provider,
      managementPolicies: {type: 'array', items: text, default: ['*']},
    },
    'x-kubernetes-validations': [upjet],
  };

  test('is held as upjet writes it', () => {
    const rig = new Rig(kindWith(managed));
    expect(rig.refuse(create({forProvider: {}})).message).toContain(
      'spec: Invalid value: "object": spec.forProvider.region is a required parameter',
    );
    rig.do(create({forProvider: {}, managementPolicies: ['Observe']}));
  });

  test('says what its messageExpression comes to, where and why it says', () => {
    const rule = {
      rule: 'self.min <= self.max',
      message: 'not that way round',
      messageExpression: "'min %d is above %d'.format([self.min, self.max])",
      fieldPath: '.min',
      reason: 'FieldValueForbidden',
    };
    const number = {type: 'integer'};
    const rig = new Rig(kindWith(ruled({properties: {min: number, max: number}}, rule)));
    expect(rig.refuse(create({min: 2, max: 1})).causes).toEqual([
      {reason: 'FieldValueForbidden', message: 'Forbidden: min 2 is above 1', field: 'spec.min'},
    ]);
    // What it cannot say it leaves to the message.
    expect(rig.refuse(create({max: 1})).message).toContain('no such key: min evaluating rule: not that way round');
  });

  test('about a change may ask for what was there before, of a new object, too', () => {
    const once = {rule: "oldSelf.hasValue() || self == 'first'", optionalOldSelf: true, message: 'starts as first'};
    const rig = new Rig(kindWith({properties: {phase: ruled(text, once)}}));
    expect(rig.refuse(create({phase: 'second'})).message).toContain(
      'spec.phase: Invalid value: "string": starts as first',
    );
    rig.do(create({phase: 'first'}));
    rig.do(merge('u', {spec: {phase: 'second'}}));
  });

  test('about a change is asked of every change, also of what held to it once', () => {
    const grows = {rule: 'self.size >= oldSelf.size', message: 'only grows'};
    const spec = ruled({properties: {size: {type: 'integer'}}}, grows);
    const structural = structuralOf({type: 'object', properties: {spec: {type: 'object', ...spec}}});
    const sized = (size: number): KubeObject => ({
      apiVersion: 'example.org/v1',
      kind: 'Widget',
      metadata: {name: 'u'},
      spec: {size},
    });
    const next = sized(2);
    expect(ruleErrors(structural, next, sized(1), [])).toEqual([]);
    expect(ruleErrors(structural, next, sized(3), [])).toHaveLength(1);
  });

  test('is asked of what was left alone and forgiven once it is new', () => {
    const small = {rule: 'self.size < 3', message: 'too large'};
    const spec = ruled({properties: {size: {type: 'integer'}}}, small);
    const structural = structuralOf({type: 'object', properties: {spec: {type: 'object', ...spec}}});
    const large = {apiVersion: 'example.org/v1', kind: 'Widget', metadata: {name: 'u'}, spec: {size: 4}};
    expect(ruleErrors(structural, {...large}, large, [])).toEqual([]);
    expect(ruleErrors(structural, large, undefined, [])).toHaveLength(1);
  });

  test('is not asked again of a value that held to it', () => {
    const named = {rule: "self.name != 'no'", message: 'not no'};
    const spec = ruled({properties: {name: text}}, named);
    const structural = structuralOf({type: 'object', properties: {spec: {type: 'object', ...spec}}});
    let reads = 0;
    const value = {
      get name() {
        reads++;
        return 'yes';
      },
    };
    const object = {apiVersion: 'example.org/v1', kind: 'Widget', metadata: {name: 'u'}, spec: value};
    expect(ruleErrors(structural, object, undefined, [])).toEqual([]);
    const once = reads;
    expect(ruleErrors(structural, {...object}, undefined, [])).toEqual([]);
    expect(once).toBeGreaterThan(0);
    expect(reads).toBe(once);
  });

  test('holds an update to the part that it changes, item by item of a keyed list', () => {
    const short = {rule: 'self.size() < 3', message: 'too long'};
    const items = {type: 'object', required: ['name'], properties: {name: text, note: ruled(text, short)}};
    const keyed = {type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items};
    const lax = {properties: {list: {...keyed, items: {...items, properties: {name: text, note: text}}}}};
    const rig = new Rig(kindWith(lax));
    rig.do(create({list: [{name: 'a', note: 'long'}, {name: 'b'}]}));
    rig.server = installKind(rig.server, kindWith({properties: {list: keyed}}));
    rig.do(
      merge('u', {
        spec: {
          list: [
            {name: 'b', note: 'ok'},
            {name: 'a', note: 'long'},
          ],
        },
      }),
    );
    const {causes} = rig.refuse(merge('u', {spec: {list: [{name: 'a', note: 'longer'}]}}));
    expect(causes?.map(({field}) => field)).toEqual(['spec.list[0].note']);
  });

  test('sees the kind and the names of the object, and nothing else of its metadata', () => {
    const schema = ruled(
      {type: 'object', properties: {spec: {type: 'object'}}},
      {
        rule: "self.kind == 'Widget' && self.metadata.name.startsWith('w-')",
        message: 'named otherwise',
      },
    );
    const rig = new Rig({
      ...widgetKind,
      versions: [{name: 'v1', served: true, storage: true, status: false, schema}],
    });
    expect(rig.refuse(create({})).message).toBe(
      'Widget.test.example.org "w" is invalid: <nil>: Invalid value: "object": named otherwise',
    );
  });
});

describe('a definition whose rule', () => {
  function definition(rule: string): KubeObject {
    const spec = ruled({type: 'object', properties: {size: {type: 'integer'}}}, {rule});
    return {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {name: 'gadgets.test.example.org'},
      spec: {
        group: 'test.example.org',
        scope: 'Namespaced',
        names: {kind: 'Gadget', plural: 'gadgets'},
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {openAPIV3Schema: {type: 'object', properties: {spec}}},
          },
        ],
      },
    } as unknown as KubeObject;
  }

  function refusal(rule: string): string | undefined {
    const rig = new Rig(...coreKinds);
    return rig.refuse({verb: 'create', object: definition(rule), manager: 'u'}).causes?.[0]?.message;
  }

  test.each([
    ['names no field', 'self.sise > 0', "1:5: undefined field 'sise'"],
    ['names nothing', 'sefl.size > 0', "1:1: undeclared reference to 'sefl' (in container '')"],
    ['calls what is not there', 'large(self)', "1:6: undeclared reference to 'large' (in container '')"],
    ['is no expression', 'self.size >', "mismatched input '<EOF>'"],
    ['is no condition', 'self.size', 'cel expression must evaluate to a bool'],
    ['matches what is no pattern', '"a".matches("(")', '1:13: invalid matches argument'],
    ['matches two of them', '"a".matches("(") || "a".matches(")")', '1:33: invalid matches argument'],
    [
      'finds what is no pattern',
      '"a".find("[") == ""',
      'program instantiation failed: error parsing regexp: missing closing ]: `[`',
    ],
    [
      'matches what is no pattern as a function',
      'matches("a", "(")',
      'program instantiation failed: error parsing regexp: missing closing ): `(`',
    ],
  ])('%s is refused', (_, rule, want) => {
    expect(refusal(rule)).toContain(want);
  });

  test('is right is taken', () => {
    new Rig(...coreKinds).do({verb: 'create', object: definition('self.size > 0'), manager: 'u'});
  });
});

describe('a definition with patterns', () => {
  function refusal(properties: JsonObject, versions: readonly string[] = ['v1']): string {
    const schemas = versions.map((name, index) => ({
      name,
      served: true,
      storage: index === 0,
      // Two schemas that differ are named one by one.
      schema: {openAPIV3Schema: {type: 'object', description: name, properties: {spec: {type: 'object', properties}}}},
    }));
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {name: 'gadgets.test.example.org'},
      spec: {
        group: 'test.example.org',
        scope: 'Cluster',
        names: {kind: 'Gadget', plural: 'gadgets'},
        versions: schemas,
      },
    } as unknown as KubeObject;
    return new Rig(...coreKinds)
      .refuse({verb: 'create', object: definition, manager: 'u'})
      .message.replace('CustomResourceDefinition.apiextensions.k8s.io "gadgets.test.example.org" is invalid: ', '');
  }

  // As kube-apiserver 1.34.2 answered.
  test('that Go cannot read is refused, and its rules are not looked at', () => {
    const below = ruled({...text, pattern: '('}, {rule: 'bad'});
    expect(refusal({f: {type: 'object', properties: {z: below}}})).toBe(
      'spec.validation.openAPIV3Schema.properties[spec].properties[f].properties[z].pattern: Invalid value: "(": ' +
        "must be a valid regular expression, but isn't: error parsing regexp: missing closing ): `(`",
    );
  });

  test.each([
    ['looks ahead', '(?=a)b', 'invalid or unsupported Perl syntax: `(?=`'],
    ['looks back', '(a)\\1', 'invalid escape sequence: `\\1`'],
    ['ends in the middle', '\\', 'trailing backslash at end of expression: ``'],
    ['repeats too often', 'a{1001}', 'invalid repeat count: `{1001}`'],
  ])('that %s is refused', (_, pattern, want) => {
    expect(refusal({f: {...text, pattern}})).toContain(want);
  });

  test('is refused wherever in the schema they are, in the order of the sentences', () => {
    const f = {
      ...text,
      allOf: [{pattern: '('}],
      anyOf: [{pattern: ')'}],
      oneOf: [{pattern: '*'}],
      not: {pattern: '+'},
    };
    const places = [
      ...refusal({f, e: {type: 'array', items: {...text, pattern: '['}}}).matchAll(
        /properties\[spec\]\.properties(\S+)\.pattern:/g,
      ),
    ];
    expect(places.map(([, place]) => place)).toEqual([
      '[e].items',
      '[f].allOf[0]',
      '[f].anyOf[0]',
      '[f].not',
      '[f].oneOf[0]',
    ]);
  });

  test('is refused in the version that has them', () => {
    const message = refusal({f: {type: 'object', additionalProperties: {...text, pattern: '('}}}, ['v1', 'v2']);
    expect(message).toContain(
      'spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[f].additionalProperties.pattern',
    );
    expect(message).toContain('spec.versions[1].');
  });
});
