import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {jsonReport} from '../../../src/harness/report/json.ts';
import {committedSchema, misfitsOf} from '../../package/json-schemas.ts';
import {exampleRun} from './example-run.ts';

const read = (file: string): string => readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8');
const misfits = misfitsOf('test-report.schema.json');
interface Schema {
  readonly properties?: object;
  readonly $defs: {readonly [name: string]: {readonly properties?: object}};
}
const schema = JSON.parse(committedSchema('test-report.schema.json')) as Schema;
const [main, old] = [exampleRun('main'), exampleRun('1.19')];
const failures = [{place: 'a.yaml:1:1', step: 'wait', stepNumber: 2, message: 'expected it'}];
const report = JSON.parse(jsonReport([main, {...old, variant: 'other', failures, happened: true, stuck: ['it is']}]));

describe('the JSON report', () => {
  test('fits its schema', () => {
    expect(misfits(report)).toEqual([]);
    const twice = [main.objects[0], main.objects[1]].filter((object) => object !== undefined);
    const duplicates = [{xr: 'shop', resourceName: 'b', objects: twice}];
    expect(misfits(JSON.parse(jsonReport([{...main, duplicates}])))).toEqual([]);
  });

  test('would not fit with a field more, a field less or another type', () => {
    const [run] = report.runs;
    expect(misfits({...report, runs: [{...run, mood: 'good'}]})).toEqual([
      '/runs/0 must NOT have additional properties mood',
    ]);
    expect(misfits({...report, runs: [JSON.parse(JSON.stringify({...run, seed: undefined}))]})).toEqual([
      "/runs/0 must have required property 'seed'",
    ]);
    expect(misfits({...report, runs: [{...run, settledMs: '5 s'}]})).toEqual(['/runs/0/settledMs must be integer']);
  });

  test('counts runs, and says how each went', () => {
    expect(report).toMatchObject({version: 1, passed: 1, failed: 1});
    expect(report.runs).toMatchObject([
      {scenario: 'orphan', crossplane: 'main', variant: '', ok: true, orphans: [{kind: 'Bucket', resourceName: 'b'}]},
      {crossplane: '1.19', ok: false, failures, happened: true, stuck: ['it is'], orphans: []},
    ]);
  });

  test('says of each line of the timeline where it belongs', () => {
    const {timeline} = report.runs[0];
    expect(timeline[0]).toEqual({atMs: 0, step: 1, actor: 'scenario', kind: 'step', text: 'the app is ready'});
    const orphan = timeline.find(({kind}: {kind: string}) => kind === 'orphaned');
    expect(orphan).toMatchObject({actor: 'crossplane', reconcile: 1, object: {kind: 'Bucket'}});
    expect(orphan.step).toBe(7);
  });
});

describe('the page about reports', () => {
  const page = read('reference/reports.md');
  const fields = [schema, ...Object.values(schema.$defs)].flatMap(({properties}) => Object.keys(properties ?? {}));

  test.each([...new Set(fields)])('names the field %s', (field) => {
    expect(page).toContain(`\`${field}\``);
  });
});
