import {describe, expect, it} from 'vitest';
import {committedCrd, inputCrd} from '../../../package/input-crd.ts';
import {parseInput} from '../../../src/lifecycle/input/parse.ts';
import {inputSchema} from '../../../src/lifecycle/input/schema.ts';
import type {Schema} from '../../../src/lifecycle/input/validate.ts';
import type {Json} from '../../../src/lifecycle/words/json.ts';

const head = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input'};

const nested = (levels: number) => {
  let value: Json = 1;
  for (let level = 0; level < levels; level++) value = {a: value};
  return value;
};

describe('an input that passes', () => {
  it.each<[string, Json | undefined]>([
    ['none', undefined],
    ['null', null],
    ['empty', {}],
    ['only its head', head],
    ['one with metadata', {...head, metadata: {name: 'x', labels: {a: 'b'}}}],
    [
      'one with everything',
      {
        ...head,
        crossplane: 'v1.16.1',
        restore: {lookup: true, kinds: [{apiVersion: 'v1', kind: 'ConfigMap'}]},
        usages: [{of: 'a', by: 'b', reason: 'r', replayDeletion: false, optional: true}],
      },
    ],
  ])('%s', (_name, input) => {
    expect(parseInput(input)).toEqual({kind: 'input', input: input ?? {}});
  });
});

describe('null where an object is expected', () => {
  it('is the empty object that a server-side apply made it of: what selects everything goes on to', () => {
    const written = {
      ...head,
      metadata: {},
      removal: {},
      protect: {xrMatch: {}, resources: [{match: {}}]},
      restore: {},
    };
    const stored = {
      ...head,
      metadata: null,
      removal: null,
      protect: {xrMatch: null, resources: [{match: null}]},
      restore: null,
    };
    expect(parseInput(stored)).toEqual({kind: 'input', input: written});
  });

  it('is asked for what it has to have', () => {
    expect(parseInput({...head, externalNames: {remember: null}})).toMatchObject({path: 'externalNames.remember.in'});
  });
});

describe('bad input: place, expected and got', () => {
  it.each<[string, Json, {path: string; expected: string; got: string}]>([
    ['no object', 'usages', {path: '', expected: 'an object', got: '"usages"'}],
    ['unknown kind', {...head, kind: 'Inptu'}, {path: 'kind', expected: 'one of Input', got: '"Inptu"'}],
    [
      'unknown version',
      {apiVersion: 'v1'},
      {path: 'apiVersion', expected: 'one of tether.fn.crossplane.io/v1beta1', got: '"v1"'},
    ],
    [
      'wrong field',
      {usage: []},
      {
        path: 'usage',
        expected: `one of the fields ${Object.keys(inputSchema.properties).join(', ')}`,
        got: 'the field "usage"',
      },
    ],
    ['wrong type', {usages: {of: 'a', by: 'b'}}, {path: 'usages', expected: 'a list', got: 'an object with by, of'}],
    [
      'a whole number that arrived as another one',
      {resources: [{name: 'a', base: {apiVersion: 'v1', kind: 'ConfigMap', data: {b: [1, 2 ** 53]}}}]},
      {
        path: 'resources[0].base.data.b[1]',
        expected: 'a whole number of at most 9007199254740991',
        got: '9007199254740992',
      },
    ],
    [
      'more levels than a stack has room for',
      {resources: [{name: 'a', base: nested(4000)}]},
      {path: `${`resources[0].base${'.a'.repeat(99)}`.slice(0, 100)}…`, expected: 'at most 500 levels', got: 'more'},
    ],
    ['wrong item', {usages: ['a']}, {path: 'usages[0]', expected: 'an object', got: '"a"'}],
    [
      'missing field',
      {usages: [{of: 'a'}]},
      {path: 'usages[0].by', expected: 'a string that is not empty', got: 'nothing'},
    ],
    [
      'null for a field',
      {usages: [{of: 'a', by: null}]},
      {path: 'usages[0].by', expected: 'a string that is not empty', got: 'null'},
    ],
    [
      'empty name',
      {usages: [{of: '', by: 'b'}]},
      {path: 'usages[0].of', expected: 'a string that is not empty', got: '""'},
    ],
    [
      'text for a boolean',
      {restore: {lookup: 'yes'}},
      {path: 'restore.lookup', expected: 'true or false', got: '"yes"'},
    ],
    [
      'a YAML number for a version',
      {crossplane: 1.2},
      {path: 'crossplane', expected: 'a string that matches ^v?[0-9]+\\.[0-9]+(\\.[0-9]+)?$', got: '1.2'},
    ],
    [
      'a name for a version',
      {crossplane: 'main'},
      {path: 'crossplane', expected: 'a string that matches ^v?[0-9]+\\.[0-9]+(\\.[0-9]+)?$', got: '"main"'},
    ],
    [
      'too short a list',
      {order: [{sequence: [{}]}]},
      {path: 'order[0].sequence', expected: 'a list of at least 2', got: 'a list of 1'},
    ],
    [
      'a move to nowhere',
      {handover: [{from: {}, to: {}}]},
      {
        path: 'handover[0].to',
        expected: 'at least one of the fields resource, apiVersion, kind',
        got: 'an empty object',
      },
    ],
    [
      'a negative budget',
      {removal: {budget: {resources: -1}}},
      {path: 'removal.budget.resources', expected: 'a whole number of at least 0', got: '-1'},
    ],
    [
      'more than all',
      {removal: {budget: {percent: 101}}},
      {path: 'removal.budget.percent', expected: 'a whole number from 0 to 100', got: '101'},
    ],
    [
      'half a resource',
      {removal: {budget: {resources: 1.5}}},
      {path: 'removal.budget.resources', expected: 'a whole number of at least 0', got: '1.5'},
    ],
    [
      'a number as text',
      {removal: {budget: {resources: '1'}}},
      {path: 'removal.budget.resources', expected: 'a whole number of at least 0', got: '"1"'},
    ],
    ['a missing list', {restore: {kinds: null}}, {path: 'restore.kinds', expected: 'a list', got: 'null'}],
    [
      'no expression',
      {order: [{of: {pattern: '('}, by: {}}]},
      {path: 'order[0].of.pattern', expected: 'a regular expression that RE2 reads, and not a large one', got: '"("'},
    ],
    [
      'a key of Object',
      JSON.parse('{"constructor": 1}') as Json,
      {
        path: 'constructor',
        expected: `one of the fields ${Object.keys(inputSchema.properties).join(', ')}`,
        got: 'the field "constructor"',
      },
    ],
  ])('%s', (_name, input, want) => {
    expect(parseInput(input)).toEqual({kind: 'invalid-input', ...want});
  });

  it('quotes long values shortly', () => {
    const result = parseInput({kind: 'x'.repeat(500)});
    expect(result.kind === 'invalid-input' && result.got.length).toBe(81);
  });
});

describe('the one schema', () => {
  it('is the committed CRD: run `node package/generate.ts` after a change', () => {
    expect(committedCrd()).toBe(inputCrd());
  });

  it('describes every field', () => {
    const bare: string[] = [];
    const visit = (schema: Schema, path: string): void => {
      if (schema.description === '') bare.push(path);
      if (schema.type === 'array') visit(schema.items, `${path}[]`);
      if (schema.type === 'object') {
        for (const [key, property] of Object.entries(schema.properties)) visit(property, `${path}.${key}`);
      }
    };
    visit(inputSchema, 'input');
    expect(bare).toEqual([]);
  });
});
