import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {parseSchedule} from '../../../src/cluster/crossplane/operations/cron-schedule.ts';
import {timestamp} from '../../../src/cluster/timestamp.ts';
import {runFunction} from '../../../src/function/run.ts';
import {entryText} from '../../../src/harness/control-plane/record/words.ts';
import {builtins} from '../../../src/harness/functions/builtin.ts';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {manifestReader} from '../../../src/harness/input/manifests/read-manifests.ts';
import {parseYaml} from '../../../src/harness/input/yaml.ts';
import {driveScenario} from '../../../src/harness/scenario/drive-scenario.ts';
import {parseScenario} from '../../../src/harness/scenario/parse-scenario.ts';

// Operations, told with the example.

const file = new URL('../../../examples/operations/scenario.yaml', import.meta.url).pathname;
const example = readFileSync(file, 'utf8');
const registry = {
  ...builtins,
  'function-tether': (request: Uint8Array) => ({ok: true as const, response: runFunction(request)}),
};

function run(text: string, crossplane: '1.20' | '2.3' | 'main' = 'main') {
  const [cursor] = parseYaml(text, 'operations.yaml');
  if (cursor === undefined) throw new Error('the test wrote no scenario');
  const scenario = parseScenario(cursor, manifestReader(file), registry);
  return driveHere(
    driveScenario(scenario, {crossplane, variant: {name: '', without: [], expect: []}, seed: 1, builtins: registry}),
  );
}

const head = `
name: operations
crossplane: ["2.3", main]
functions: {function-static: {builtin: function-static}}
fixtures:
  - {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: notice, namespace: shop, labels: {watched: "yes"}}}
`;
const base = '{apiVersion: v1, kind: ConfigMap, metadata: {name: made, namespace: shop}, data: {a: b}}';
const pipelineOf = (resources: string) =>
  `[{step: s, functionRef: {name: function-static}, input: {apiVersion: a/v1, kind: Input, ${resources}}}]`;
const pipeline = pipelineOf(`resources: [{name: made, base: ${base}}]`);

/** What is applied in one step, with Operations switched on unless said otherwise. */
function story(
  steps: string,
  operations = 'operations: [function-static]',
  crossplane: '1.20' | '2.3' | 'main' = 'main',
) {
  const {failures, timeline} = run(`${head}\n${operations}\nsteps:\n${steps}`, crossplane);
  return {failures: failures.map(({message}) => message), said: timeline.map(entryText).join('\n')};
}

function operation(name: string, spec: string) {
  return `{apiVersion: ops.crossplane.io/v1alpha1, kind: Operation, metadata: {name: ${name}}, spec: {${spec}}}`;
}

describe('an Operation', () => {
  test.each(['2.3', 'main'] as const)(
    'runs once, and what it applied stays, as in the example, on %s',
    (crossplane) => {
      expect(run(example, crossplane).failures).toEqual([]);
    },
  );

  test('is left alone by a Crossplane without the flag', () => {
    const {failures} = story(
      `- {apply: ${operation('a', `pipeline: ${pipeline}`)}, wait: 5m, expect: [{object: {kind: ConfigMap, name: made}, absent: true}]}`,
      '',
    );
    expect(failures).toEqual([]);
  });

  test('is no kind before v2', () => {
    const {failures} = run(
      `${head.replace('"2.3"', '"1.20"')}\noperations: []\nsteps:\n- {apply: ${operation('a', `pipeline: ${pipeline}`)}}`,
      '1.20',
    );
    expect(failures.map(({message}) => message)).toEqual([
      expect.stringContaining('Crossplane has this kind since v2.0'),
    ]);
  });

  test('keeps what it applied before a resource failed, and fails for good at its limit', () => {
    const nameless = '{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop}}';
    const both = pipelineOf(`resources: [{name: made, base: ${base}}, {name: nameless, base: ${nameless}}]`);
    const {failures, said} = story(`
- apply: ${operation('a', `retryLimit: 6, pipeline: ${both}`)}
  wait: 5m
  expect:
  - {object: {kind: ConfigMap, name: made}, exists: true}
  - {object: {kind: Operation, name: a}, condition: {type: Succeeded, status: "False", reason: PipelineError}}
  - {object: {kind: Operation, name: a}, match: {status: {failures: 6}}}`);
    expect(failures).toEqual([]);
    expect(said).toContain('cannot apply desired resource: resource name may not be empty');
  });

  test('a function that Operations may run must be one of the story', () => {
    expect(() => story('- {wait: 1s}', 'operations: [function-statik]')).toThrow(
      'operations[0] must name a function of this scenario',
    );
  });
});

function cron(more: string, spec = pipeline, limit = '') {
  return `{apiVersion: ops.crossplane.io/v1alpha1, kind: CronOperation, metadata: {name: c}, spec: {${more}, operationTemplate: {spec: {${limit} pipeline: ${spec}}}}}`;
}

describe('a CronOperation', () => {
  const fatal = pipelineOf('fatal: no way');

  test('makes none while one runs and its policy forbids it', () => {
    const {failures} = story(`
- apply: ${cron('schedule: "* * * * *", concurrencyPolicy: Forbid', fatal, 'retryLimit: 99,')}
  wait: 5m
  expect: [{count: {kind: Operation}, is: 1}]`);
    expect(failures).toEqual([]);
  });

  test('deletes the one that runs where its policy replaces it', () => {
    const {failures, said} = story(`
- apply: ${cron('schedule: "@every 10s", concurrencyPolicy: Replace', fatal, 'retryLimit: 99,')}
  wait: 65s
  expect: [{count: {kind: Operation}, is: 1}]`);
    expect(failures).toEqual([]);
    expect(said.match(/Operation\/c-\d+ is gone/g)?.length).toBeGreaterThan(3);
  });

  test('says why its schedule is none, and makes nothing', () => {
    const {failures, said} = story(`
- apply: ${cron('schedule: "61 * * * *"')}
  wait: 3h
  expect:
  - {count: {kind: Operation}, is: 0}
  - {object: {kind: CronOperation, name: c}, condition: {type: Scheduling, status: "False", reason: ScheduleInvalid}}`);
    expect(failures).toEqual([]);
    expect(said).toContain('end of range (61) above maximum (59): 61');
  });

  test('makes one at once for a time that never comes', () => {
    const {said} = story(`- {apply: ${cron('schedule: "0 0 31 2 *"')}, wait: 10s}`);
    expect(said).toContain('created Operation/c--62135596800');
  });
});

describe('a WatchOperation', () => {
  const watch = (more = '') =>
    `{apiVersion: ops.crossplane.io/v1alpha1, kind: WatchOperation, metadata: {name: w}, spec: {watch: {apiVersion: v1, kind: ConfigMap, matchLabels: {watched: "yes"}}, ${more} operationTemplate: {spec: {pipeline: ${pipeline}}}}}`;
  const change = (value: string) => `patch: {kind: ConfigMap, name: notice, body: {data: {text: ${value}}}}`;

  test('makes one Operation for every change, and one when the object goes', () => {
    const {failures} = story(`
- {apply: ${watch('successfulHistoryLimit: 9,')}, wait: 30s}
- {${change('one')}, wait: 30s, expect: [{count: {kind: Operation}, is: 2}]}
- {delete: {kind: ConfigMap, name: notice}, wait: 30s, expect: [{count: {kind: Operation}, is: 3}]}`);
    expect(failures).toEqual([]);
  });

  test('hears of nothing once it is gone', () => {
    const {failures} = story(`
- {apply: ${watch()}, wait: 30s}
- {delete: {kind: WatchOperation, name: w}, wait: 30s, expect: [{object: {kind: WatchOperation, name: w}, absent: true}]}
- {${change('one')}, wait: 30s, expect: [{count: {kind: Operation}, is: 0}]}`);
    expect(failures).toEqual([]);
  });
});

test.each([
  ['*/10 * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:10:00Z'],
  ['@every 90s', '2026-01-01T00:00:05Z', '2026-01-01T00:01:35Z'],
  ['0 3 * * sun', '2026-01-01T00:00:00Z', '2026-01-04T03:00:00Z'],
  ['0 0 13 * fri', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
  ['0 0 */2 * fri', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
  ['0 0 29 feb *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00Z'],
  ['TZ=UTC 5-10/5 1,2 * * *', '2026-01-01T01:05:00Z', '2026-01-01T01:10:00Z'],
  ['@monthly', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'],
  ['0 0 31 2 *', '2026-01-01T00:00:00Z', 'never'],
  ['* * * *', '', 'expected exactly 5 fields, found 4: [* * * *]'],
  ['a * * * *', '', 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
  ['* * * * 7', '', 'end of range (7) above maximum (6): 7'],
  ['*/0 * * * *', '', 'step of range should be a positive number: */0'],
  ['TZ=Europe/Berlin * * * * *', '', 'provided bad location Europe/Berlin: unknown time zone Europe/Berlin'],
])('the schedule %s after %s: %s', (text, after, expected) => {
  const parsed = parseSchedule(text);
  if (!parsed.ok) return expect(parsed.message).toBe(expected);
  const dueMs = parsed.next(Date.parse(after));
  return expect(dueMs === undefined ? 'never' : timestamp(dueMs)).toBe(expected);
});
