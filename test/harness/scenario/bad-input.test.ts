import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, describe, expect, test, vi} from 'vitest';
import {testCommand} from '../../../src/cli/test.ts';
import {contextWith} from '../../cli/context.ts';

// Everything a scenario's author gets wrong is one sentence with its place, exit code 2, and nothing runs.

const folder = mkdtempSync(join(tmpdir(), 'scenario-'));
afterAll(() => rmSync(folder, {recursive: true, force: true}));

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: buckets.cloud.example.org}
spec:
  group: cloud.example.org
  scope: Cluster
  names: {kind: Bucket, plural: buckets, categories: [managed]}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;
writeFileSync(join(folder, 'crd.yaml'), crd);
writeFileSync(join(folder, 'broken.yaml'), 'a: [1\nb: 2\n');

async function complaint(text: string): Promise<{code: number; sentences: readonly string[]}> {
  const file = join(folder, 'scenario.yaml');
  writeFileSync(file, text);
  const sentences: string[] = [];
  const error = vi.spyOn(console, 'error').mockImplementation((line) => sentences.push(String(line)));
  const log = vi.spyOn(console, 'log').mockImplementation((line) => sentences.push(String(line)));
  try {
    const code = await testCommand([file], contextWith());
    // The excerpt that follows the sentence is tested in test/harness/command/excerpt.test.ts.
    return {
      code,
      sentences: sentences.map((text) => text.replace(/\n\n *\d+ \|.*$/s, '').replaceAll(`${folder}/`, '')),
    };
  } finally {
    error.mockRestore();
    log.mockRestore();
  }
}

const composition = (name: string): string => `
apply:
      apiVersion: apiextensions.crossplane.io/v1
      kind: Composition
      metadata: {name: apps}
      spec: {mode: Pipeline, compositeTypeRef: {apiVersion: x/v1, kind: App}, pipeline: [{step: a, functionRef: {name: ${name}}}]}`;

describe('a scenario that is wrong', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    [
      'a wrong field',
      'name: a\nstep: []\n',
      'scenario.yaml:2:1: unknown field "step" in the document: did you mean "steps"?',
    ],
    ['a wrong type', 'name: 7\nsteps: []\n', 'scenario.yaml:1:7: name must be a string, got 7'],
    ['a missing field', 'name: a\n', 'scenario.yaml:1:1: the document must have a field "steps"'],
    ['nothing to do', 'name: a\nsteps: []\n', 'scenario.yaml:2:8: steps must hold at least one step, got none'],
    [
      'two actions in one step',
      'name: a\nsteps:\n- {stop: crossplane, start: crossplane}\n',
      'scenario.yaml:3:3: steps[0] must have one action, got start and stop',
    ],
    [
      'a duration without a unit',
      'name: a\nsteps:\n- wait: "5"\n',
      'scenario.yaml:3:9: a duration must look like 500ms, 90s or 1m30s, got "5"',
    ],
    [
      'a version that is not known',
      'name: a\ncrossplane: "1.99"\nsteps:\n- wait: 5s\n',
      'scenario.yaml:2:13: crossplane must be one of 1.16, 1.19, 1.20, 2.3, main, got "1.99"',
    ],
    [
      'a version that YAML reads as a number',
      'name: a\ncrossplane: 1.20\nsteps:\n- wait: 5s\n',
      'scenario.yaml:2:13: crossplane must be a version in quotes such as "1.20": without them YAML reads a number, got 1.2',
    ],
    [
      'an unknown kind',
      'name: a\nfixtures: [crd.yaml]\nsteps:\n- expect:\n  - {object: {kind: Buket, name: b}, absent: true}\n',
      'scenario.yaml:5:5: unknown kind "Buket": did you mean "Bucket"?',
    ],
    [
      'an unknown resource name',
      'name: a\nfixtures: [crd.yaml]\nsteps:\n- expect:\n  - {object: {kind: Bucket, resource: db}, absent: true}\n',
      'scenario.yaml:5:5: no composed resource was ever named "db": there were none',
    ],
    [
      'an expectation of nothing',
      'name: a\nsteps:\n- expect:\n  - {absent: true}\n',
      'scenario.yaml:4:5: an expectation must have one of holds, object, count, orphans, stuck, externals, untouched, timeline, never, golden, got {"absent":true}',
    ],
    [
      'a step to look back to that is not there',
      'name: a\nsteps:\n- {name: restored, wait: 5s, expect: [{untouched: {since: restord}}]}\n',
      'scenario.yaml:3:39: unknown step "restord": did you mean "restored"?',
    ],
    [
      'a fault of a function that is not there',
      'name: a\nfunctions: {function-x: {builtin: passing}}\nsteps:\n- fault: {function: function-y, error: down}\n',
      'scenario.yaml:4:3: unknown function "function-y": did you mean "function-x"?',
    ],
    [
      'a backup that no step takes',
      'name: a\nsteps:\n- backup: {name: monday}\n- restore: {backup: mondya}\n',
      'scenario.yaml:4:3: unknown backup "mondya": did you mean "monday"?',
    ],
    [
      'an option no restore has',
      'name: a\nsteps:\n- restore: {ownerRefs: keep}\n',
      'scenario.yaml:3:13: unknown field "ownerRefs" in steps[0].restore: known are backup, exclude, existingResourcePolicy',
    ],
    ['invalid YAML', 'name: [a\n', 'scenario.yaml:2:1: invalid YAML: Flow sequence in block collection must be'],
    [
      'invalid YAML in a file it names',
      'name: a\nfixtures: [broken.yaml]\nsteps:\n- wait: 5s\n',
      'broken.yaml:2:1: invalid YAML: Flow sequence',
    ],
    [
      'a missing file',
      'name: a\nfixtures: [nothing.yaml]\nsteps:\n- wait: 5s\n',
      'scenario.yaml:2:12: cannot read file "nothing.yaml": no such file',
    ],
    [
      'an object without a name',
      'name: a\nsteps:\n- apply: {apiVersion: v1, kind: ConfigMap, metadata: {}}\n',
      'scenario.yaml:3:54: steps[0].apply.metadata must have a field "name"',
    ],
    [
      'a function that is not there',
      `name: a\nfixtures:\n- ${composition('function-x')
        .trim()
        .replace(/^apply:\s+/, '')
        .replaceAll('\n      ', '\n  ')}\nsteps:\n- wait: 5s\n`,
      'cannot run Composition "apps": it calls function "function-x", which the scenario does not have (it has none)',
    ],
    [
      'a variant without a function nobody has',
      'name: a\nsteps:\n- wait: 5s\nvariants:\n- {name: b, without: [function-x]}\n',
      'scenario.yaml:5:23: variants[0].without[0] must name a function of this scenario (it has none), got "function-x"',
    ],
    [
      'an unreachable function',
      'name: a\nfunctions: {function-x: {address: "127.0.0.1:1"}}\nsteps:\n- wait: 5s\n',
      'cannot reach function "function-x" at 127.0.0.1:1: no server answers there',
    ],
    [
      'a command that does not start',
      'name: a\nfunctions: {function-x: {command: [node, no-such.ts], address: "127.0.0.1:1"}}\nsteps:\n- wait: 5s\n',
      'cannot start function "function-x": its command ended with exit code 1: Error: Cannot find module',
    ],
    [
      'a fixture the API server refuses',
      'name: a\nfixtures: [{apiVersion: v1, kind: ConfigMap, metadata: {name: UPPER}}]\nsteps:\n- wait: 5s\n',
      'cannot apply fixture ConfigMap "UPPER": ',
    ],
  ];
  test.each(cases)('%s', async (_name, text, sentence) => {
    const {code, sentences} = await complaint(text);
    expect(sentences).toHaveLength(1);
    expect(sentences[0]).toContain(sentence);
    expect(sentences[0]).not.toContain('\n');
    expect(code).toBe(2);
  });
});

test('what does not come true is exit code 3, with its place', async () => {
  const {code, sentences} = await complaint(
    'name: a\nfixtures: [crd.yaml]\nsteps:\n- wait: 1s\n  expect:\n  - {count: {kind: Bucket}, is: 2}\n',
  );
  expect(sentences.join('\n')).toContain('scenario.yaml:6:5: wait: expected 2 Bucket objects, got 0');
  expect(code).toBe(3);
});

test('a story in which everything came true is exit code 0', async () => {
  const {code, sentences} = await complaint('name: a\nsteps:\n- wait: 1s\n  expect: [{orphans: 0}]\n');
  expect(code).toBe(0);
  expect(sentences.at(-1)).toContain('1 passed, 0 failed');
});
