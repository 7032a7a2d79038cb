// What every report of an audit has, and has not; the example; baselines.

import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {audit} from '../../../src/harness/audit/audit.ts';
import {policyReports, policyReportsText} from '../../../src/harness/audit/audit-policy-reports.ts';
import {auditJson, auditJunit, auditMarkdown, auditSarif, auditText} from '../../../src/harness/audit/audit-reports.ts';
import {classes, classNames} from '../../../src/harness/audit/class-words.ts';
import {type Compared, comparedToBaseline} from '../../../src/harness/audit/compared.ts';
import {readSource} from '../../../src/harness/input/source/read-source.ts';
import {countOf} from '../../../src/harness/report/class-findings.ts';
import {plain} from '../../../src/harness/report/paint.ts';
import {misfitsOf} from '../../package/json-schemas.ts';
import {sourceFolder} from '../input/source/folder.ts';
import {backupFile, exampleBackup} from './example-backup.ts';
import {planted} from './plant.ts';

const folder = sourceFolder();

async function auditOf(objects: readonly object[], baseline?: readonly string[]): Promise<Compared> {
  const file = folder.write('state.json', JSON.stringify({apiVersion: 'v1', kind: 'List', items: objects}));
  return comparedToBaseline(audit(await readSource(file)), baseline);
}
const {objects} = planted(9, 100, 2);

describe('the example', () => {
  test('is what its maker makes', async () => {
    expect(readFileSync(backupFile).equals(await exampleBackup())).toBe(true);
  });

  test('has the four faults that its page tells of, and the definition that Velero saved as version 2', async () => {
    const {findings} = audit(await readSource(backupFile));
    expect(findings.map(({id}) => id.replace(/-[0-9a-f]{12}$/, ''))).toEqual([
      'orphan Instance.rds.aws.upbound.io orders',
      'usage-by-gone ClusterUsage.protection.crossplane.io orders-before-billing',
      'create-twice Instance.rds.aws.upbound.io invoices',
      'create-pending Instance.rds.aws.upbound.io reports',
      'definition-refused CompositeResourceDefinition.apiextensions.crossplane.io xdatabases.platform.example.org',
    ]);
  });
});

describe('every report', () => {
  test('names objects and external resources, and nothing else that is in them', async () => {
    const compared = await auditOf(objects);
    for (const write of [
      auditJson,
      auditJunit,
      auditMarkdown,
      auditSarif,
      (one: Compared) => auditText(one, 100, plain),
      (one: Compared) => policyReportsText(policyReports(one, [])),
    ]) {
      const text = write(compared);
      expect(text).toContain('create-twice');
      expect(text).not.toMatch(/hunter|aHVud|region-\d/);
    }
  });

  test('as JSON fits its schema', async () => {
    const report: unknown = JSON.parse(auditJson(await auditOf(objects)));
    expect(misfitsOf('audit-report.schema.json')(report)).toEqual([]);
    expect(report).toMatchObject({
      version: 1,
      counts: {missing: 2, paused: 2},
      notJudged: [{count: expect.any(Number)}],
    });
  });

  test('as PolicyReports stands in the namespaces of its objects, in parts of a thousand', async () => {
    const {findings} = await auditOf(objects);
    const [first] = findings;
    if (first === undefined) throw new Error('nothing was found');
    const inNamespace = (namespace: string, count: number) =>
      Array.from({length: count}, () => ({...first, object: {...first.object, namespace}}));
    const reports = policyReports({findings: [...inNamespace('blue', 1001), ...inNamespace('green', 1)]}, []);
    const {fault, severity} = first;
    expect(severity).toBe('error');
    expect(reports.map(({kind, metadata, summary}) => [kind, metadata.namespace, metadata.name, summary])).toEqual([
      ['PolicyReport', 'blue', 'tether-audit', {pass: 0, fail: 1000, warn: 0, error: 0, skip: 0}],
      ['PolicyReport', 'blue', 'tether-audit-2', {pass: 0, fail: 1, warn: 0, error: 0, skip: 0}],
      ['PolicyReport', 'green', 'tether-audit', {pass: 0, fail: 1, warn: 0, error: 0, skip: 0}],
    ]);
    expect(reports.at(-1)).toMatchObject({results: [{rule: fault.class, result: 'fail', severity: 'high'}]});
  });

  test('as SARIF has a rule for every class and a result for every finding', async () => {
    const compared = await auditOf(objects);
    const {version, runs} = JSON.parse(auditSarif(compared));
    expect(version).toBe('2.1.0');
    const [{tool, results}] = runs;
    expect(tool.driver.rules.map(({id}: {id: string}) => id)).toEqual(classNames);
    expect(results).toHaveLength(compared.findings.length);
    for (const {ruleId, ruleIndex} of results) expect(classNames[ruleIndex]).toBe(ruleId);
  });

  test('as JUnit counts what it has', async () => {
    const xml = auditJunit(await auditOf(objects));
    const [, tests, failures] = /tests="(\d+)" failures="(\d+)"/.exec(xml) ?? [];
    expect(xml.match(/<testcase /g)).toHaveLength(Number(tests));
    expect(xml.match(/<failure /g)).toHaveLength(Number(failures));
  });

  test('is the same bytes in whatever order the objects were dumped', async () => {
    const [one, other] = [auditJson(await auditOf(objects)), auditJson(await auditOf(objects.toReversed()))];
    expect(one).toBe(other);
  });
});

test('every class says why, what to do, and where upstream or our pages say more', () => {
  for (const {title, why, remedy, references} of Object.values(classes)) {
    for (const text of [title, why, remedy]) expect(text.length).toBeGreaterThan(15);
    for (const one of references) {
      const page = /^https:\/\/github.com\/crossplane-contrib\/function-tether\/blob\/main\/(.*)$/.exec(one)?.[1];
      if (page !== undefined) expect(() => readFileSync(new URL(`../../../${page}`, import.meta.url))).not.toThrow();
    }
  }
});

describe('a baseline', () => {
  test('leaves what is new, and says what is gone', async () => {
    const all = await auditOf(objects);
    const [first, second] = all.findings.map(({id}) => id);
    const compared = await auditOf(objects, [first ?? '', 'orphan Bucket.e.org old']);
    expect(compared.fresh.map(({id}) => id)).not.toContain(first);
    expect(compared.fresh.map(({id}) => id)).toContain(second);
    expect(compared.gone).toEqual(['orphan Bucket.e.org old']);
    expect(auditText(compared, 100, plain)).toContain('gone since the baseline: orphan Bucket.e.org old');
  });

  test('keeps what is known from failing', async () => {
    const all = await auditOf(objects);
    const failing = ({fresh}: Compared, on: string) =>
      countOf(
        classes,
        fresh.map(({fault}) => fault),
        [on],
      );
    expect(failing(all, 'missing')).toBe(2);
    expect(failing(all, 'warning')).toBe(all.findings.length);
    expect(failing(all, 'error')).toBeLessThan(all.findings.length);
    const known = all.findings.map(({id}) => id);
    expect(failing(await auditOf(objects, known), 'note')).toBe(0);
  });
});
