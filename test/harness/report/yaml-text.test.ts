import fc from 'fast-check';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import type {Json} from '../../../src/cluster/json.ts';
import {yamlLines} from '../../../src/harness/report/object-diff.ts';

test('reads as kubectl prints it', () => {
  const object = {
    kind: 'VPC',
    spec: {cidr: '10.0.0.0/16', tags: [{key: 'a', on: true}, {}], list: ['x', 'no'], none: []},
  };
  expect(yamlLines(object)).toEqual([
    'kind: VPC',
    'spec:',
    '  cidr: 10.0.0.0/16',
    '  list:',
    '  - x',
    '  - "no"',
    '  none: []',
    '  tags:',
    '  - key: a',
    '    "on": true',
    '  - {}',
  ]);
});

test('is YAML of the same value, whatever the strings', () => {
  const words = fc.oneof(
    fc.string({unit: 'binary', maxLength: 12}),
    fc.constantFrom('null', '1e3', '- a', 'a: b', '~', '# x', 'yes', ''),
  );
  const value = fc.letrec<{json: Json}>((tie) => ({
    json: fc.oneof(
      {maxDepth: 4},
      words,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('json'), {maxLength: 4}),
      fc.dictionary(words, tie('json'), {maxKeys: 4, noNullPrototype: true}),
    ),
  })).json;
  fc.assert(
    fc.property(value, (json) => {
      // Lone surrogates are no text of YAML; JSON writes them escaped, and the reader keeps them.
      expect(parse(yamlLines(json).join('\n'), {version: '1.2', uniqueKeys: false})).toEqual(json);
    }),
    {seed: 7, numRuns: 100},
  );
});
