import {stripVTControlCharacters} from 'node:util';
import {describe, expect, test} from 'vitest';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {manifestReader} from '../../../src/harness/input/manifests/read-manifests.ts';
import {parseYaml} from '../../../src/harness/input/yaml.ts';
import {verdictText} from '../../../src/harness/report/console.ts';
import {htmlReport} from '../../../src/harness/report/html/page.ts';
import {jsonReport} from '../../../src/harness/report/json.ts';
import {junitReport} from '../../../src/harness/report/junit.ts';
import {markdownReport} from '../../../src/harness/report/markdown.ts';
import {driveScenario} from '../../../src/harness/scenario/drive-scenario.ts';
import {checkNames} from '../../../src/harness/scenario/known-names.ts';
import {parseScenario} from '../../../src/harness/scenario/parse-scenario.ts';
import type {RunResult} from '../../../src/harness/scenario/run-result.ts';

// What expectations say where they do not hold: CEL with the values that make it false, fields as a diff.

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'disks.example.org'},
  spec: {
    group: 'example.org',
    scope: 'Cluster',
    names: {kind: 'Disk', plural: 'disks', singular: 'disk', listKind: 'DiskList'},
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {spec: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}},
          },
        },
      },
    ],
  },
};
const annotations = {'crossplane.io/composition-resource-name': 'disk'};
const disk = (name: string, spec: object) => ({
  apiVersion: 'example.org/v1',
  kind: 'Disk',
  metadata: {name, annotations},
  spec,
});
const [small, large] = [disk('small', {size: 1, tags: ['a', 'b'], password: 'hunter2'}), disk('large', {size: 9})];

function scenarioOf(
  expectations: readonly object[],
  steps: readonly object[] = [{name: 'made', apply: [small, large]}],
) {
  const text = JSON.stringify({name: 'assertions', crossplane: 'main', fixtures: [crd], steps, expect: expectations});
  const [cursor] = parseYaml(text, 'scenario.yaml');
  if (cursor === undefined) throw new Error('the scenario is empty');
  const scenario = parseScenario(cursor, manifestReader('scenario.yaml'));
  checkNames(scenario, 'scenario.yaml');
  return scenario;
}

function told(expectations: readonly object[], steps?: readonly object[]): RunResult {
  const scenario = scenarioOf(expectations, steps);
  const [variant] = scenario.variants;
  if (variant === undefined) throw new Error('the scenario has no variant');
  return driveHere(driveScenario(scenario, {crossplane: 'main', variant, record: true}));
}

const messages = (expectations: readonly object[]): readonly string[] =>
  told(expectations).failures.map(({message}) => message);

const theSmall = {kind: 'Disk', name: 'small'};

describe('CEL', () => {
  test.each([
    [{holds: "objects.filter(o, o.kind == 'Disk').size() == 2"}],
    [{holds: "'made' in made && stopped.size() == 0 && externals.size() == 0 && counts.creates == 0"}],
    [{object: theSmall, holds: "self.spec.size < 2 && self.spec.tags.exists(t, t == 'b')"}],
    [{object: theSmall, holds: "objects.exists(o, o.kind == 'Disk' && o.spec.size > self.spec.size)"}],
    [{object: {kind: 'Disk'}, holds: 'self.spec.size == 9'}],
    [{object: theSmall, holds: `self.metadata.name == "\${name:Disk/small}"`}],
    [{crossplane: ['1.16'], holds: 'false'}],
  ])('holds: %j', (expectation) => expect(messages([expectation])).toEqual([]));

  test.each([
    [{holds: "objects.filter(o, o.kind == 'Disk').size() == 3"}, /got false: objects\.filter\(.*\)\.size\(\) is 2$/],
    [
      {object: theSmall, holds: "self.spec.size == 2 && self.kind == 'Disk'"},
      /^Disk "small": expected self\.spec\.size == 2 && self\.kind == 'Disk', got false: self\.spec\.size is 1$/,
    ],
    [
      {object: theSmall, holds: "self.spec.size > 5 || self.metadata.name == 'big'"},
      /: self\.spec\.size is 1, self\.metadata\.name is "small"$/,
    ],
    [{object: theSmall, holds: 'self.spec.colour == 1'}, /^Disk "small": cannot evaluate .*: field not found: colour$/],
    [{object: {kind: 'Disk', name: 'none'}, holds: 'true'}, /^expected Disk "none", got none$/],
    [{holds: "stopped.exists(s, s == 'crossplane')"}, /got false$/],
  ])('does not hold: %j', (expectation, message) =>
    expect(messages([expectation])).toEqual([expect.stringMatching(message)]),
  );

  test('shows no secret', () => {
    const [message] = messages([{object: theSmall, holds: "self.spec.password == 'x'"}]);
    expect(message).toContain('self.spec.password is "(not shown)"');
    expect(message).not.toContain('hunter2');
  });

  test('is waited for, also while a field is not there', () => {
    const wait = {for: {object: theSmall, holds: 'self.status.ready'}, timeout: '5s'};
    const steps = [{name: 'made', apply: [small], wait}];
    expect(told([], steps).failures.map(({message}) => message)).toEqual([
      'Disk "small": cannot evaluate self.status.ready: field not found: status within 5.0 s',
    ]);
    expect(
      told([], [{name: 'made', apply: [small], wait: {for: {holds: 'objects.size() > 0'}, timeout: '5s'}}]).failures,
    ).toEqual([]);
  });

  test('knows which processes are stopped', () => {
    expect(told([{holds: "'crossplane' in stopped"}], [{name: 'down', stop: 'crossplane'}]).failures).toEqual([]);
  });

  test.each([
    [{holds: 'objects.'}, /expect\[0\]|scenario\.yaml:1:\d+: cannot read "objects\." as CEL/],
    [{holds: 'self.spec.size == 1'}, /unknown variable "self": known are objects, externals, counts, made, stopped/],
    [{object: theSmall, holds: 'obj.spec == 1'}, /unknown variable "obj"/],
    [{holds: "objects.all(o, o.kind != 'Disk' || o.kind == 'Dsik')"}, /unknown kind "Dsik": did you mean "Disk"/],
    [{holds: "objects.all(o, !(o.kind in ['Disk', 'Dsik']))"}, /unknown kind "Dsik": did you mean "Disk"/],
    [{object: {kind: 'Dsik'}, holds: 'true'}, /unknown kind "Dsik": did you mean "Disk"/],
    [{object: theSmall}, /must have exactly one of match, exists, absent, deleting, condition, holds/],
  ])('is refused before anything runs: %j', (expectation, message) => {
    expect(() => scenarioOf([expectation])).toThrow(message);
  });

  test('may compare a field kind of what is no object', () => {
    expect(() => scenarioOf([{object: theSmall, holds: "self.spec.rules.exists(r, r.kind == 'Group')"}])).not.toThrow();
  });
});

describe('a match', () => {
  const match = {spec: {size: 2, tags: ['a', 'c'], colour: 'red'}};
  const diff = [
    '--- expected',
    '+++ disk (Disk)',
    ' spec:',
    '-  colour: red',
    '-  size: 2',
    '+  size: 1',
    '   tags:',
    '   - a',
    '-  - c',
    '+  - b',
  ];

  test('says how many fields differ and shows them as a diff', () => {
    const run = told([{object: theSmall, match}]);
    expect(run.failures[0]?.message).toBe('Disk "small": spec.size expected 2, got 1 (and 2 more fields)');
    const console = stripVTControlCharacters(verdictText(run)).split('\n');
    expect(console.map((line) => line.slice(12))).toEqual(expect.arrayContaining(diff));
  });

  test.each([
    ['Markdown', markdownReport, `  ${diff.join('\n  ')}`],
    ['JUnit', junitReport, diff.join('\n')],
    ['JSON', jsonReport, '"colour": "red"'],
  ])('in %s', (_, report, text) => expect(report([told([{object: theSmall, match}])])).toContain(text));

  test('on the page', () => {
    expect(htmlReport([told([{object: theSmall, match}])], {style: '', script: ''})).toContain(
      '<span class="del">-  colour: red\n</span>',
    );
  });

  test('of several objects shows the one that lacks least', () => {
    const [failure] = told([{object: {kind: 'Disk'}, match: {spec: {size: 8}, metadata: {name: 'large'}}}]).failures;
    expect(failure?.message).toBe('Disk objects: spec.size expected 8, got 9');
    expect(failure?.difference?.got).toEqual({spec: {size: 9}, metadata: {name: 'large'}});
  });

  test('shows no secret', () => {
    const [failure] = told([{object: theSmall, match: {spec: {password: 'hunter3', size: 2}}}]).failures;
    expect(JSON.stringify(failure)).not.toMatch(/hunter[23]/);
  });
});

test('untouched names the field, and shows the spec before and after', () => {
  const steps = [
    {name: 'made', apply: [small]},
    {name: 'edited', patch: {...theSmall, body: {spec: {size: 4}}}},
  ];
  const [failure] = told([{untouched: {since: 'edited'}}], steps).failures;
  expect(failure?.message).toBe(
    'expected disk (Disk) to be untouched since "edited", but its spec.size was 1 and is 4',
  );
  expect(verdictText(told([{untouched: {since: 'edited'}}], steps))).toMatch(/-size: 1\n\s+\+size: 4/);
});
