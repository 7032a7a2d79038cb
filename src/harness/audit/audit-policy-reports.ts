// Findings as PolicyReport objects of the Kubernetes policy working group, as Kyverno and policy-reporter have them
// (kubernetes-sigs/wg-policy-prototypes 25056e1 policy-report/crd/v1alpha2). One of each namespace, and one of what has none.
// They have no time of their own: the same findings are the same objects, and applying them again writes nothing.

import type {JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {writeText} from '../input/file-problem.ts';
import {InputError} from '../input/input-error.ts';
import {applyObjects, type ClusterAccess, getRaw} from '../input/source/kubectl.ts';
import {clusterName} from '../input/source/read-source.ts';
import type {Severity} from '../report/class-findings.ts';
import {jsonText} from '../report/visible.ts';
import type {Audit} from './audit.ts';
import {classes} from './class-words.ts';
import {type Finding, faultLine} from './finding.ts';

const apiVersion = 'wgpolicyk8s.io/v1alpha2';
const name = 'tether-audit';
const managedBy = 'app.kubernetes.io/managed-by';

/** etcd takes no object of more than 1.5 MB. */
const resultsMax = 1000;

/** Where the reports of earlier audits are listed. */
const reportLists = ['policyreports', 'clusterpolicyreports'].map(
  (plural) => `/apis/${apiVersion}/${plural}?labelSelector=${encodeURIComponent(`${managedBy}=${name}`)}`,
);

const results: {readonly [severity in Severity]: {readonly result: 'fail' | 'warn'; readonly severity: string}} = {
  error: {result: 'fail', severity: 'high'},
  warning: {result: 'warn', severity: 'medium'},
  note: {result: 'warn', severity: 'low'},
};

/** Writes the findings as PolicyReports into a file, or applies them to the cluster. Throws InputError. */
export async function writePolicyReports(audit: Audit, place: string, access: ClusterAccess): Promise<void> {
  if (place !== clusterName) return writeText(place, policyReportsText(policyReports(audit, [])), 'report');
  const reports = policyReports(audit, await reportsThere(access));
  if (reports.length > 0) await applyObjects(policyReportsText(reports), 'tether-audit', access);
}

async function reportsThere(access: ClusterAccess): Promise<readonly KubeObject[]> {
  const lists = await Promise.all(reportLists.map((path) => getRaw(path, access)));
  return lists.flatMap((list) => {
    if (list.kind === 'json') return (JSON.parse(new TextDecoder().decode(list.bytes)) as JsonObject)['items'] as never;
    const why = list.kind === 'forbidden' ? 'this user may not list them' : 'it does not serve wgpolicyk8s.io/v1alpha2';
    throw new InputError(`cannot write PolicyReports to the cluster: ${why}`);
  });
}

/** `earlier`: the reports that are there; one without findings now has no results any more. */
export function policyReports(
  {findings}: Pick<Audit, 'findings'>,
  earlier: readonly KubeObject[],
): readonly KubeObject[] {
  const namespaces = Map.groupBy(findings, ({object}) => object.namespace ?? '');
  const now = [...namespaces].flatMap(([namespace, found]) => reportsIn(namespace, found));
  const names = new Set(now.map(keyOf));
  const emptied = earlier
    .map(({metadata}) => reportOf(metadata.namespace ?? '', metadata.name, []))
    .filter((report) => !names.has(keyOf(report)));
  return [...now, ...emptied].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** As `kubectl apply` takes them. */
export function policyReportsText(items: readonly KubeObject[]): string {
  return jsonText({apiVersion: 'v1', kind: 'List', items});
}

function reportsIn(namespace: string, found: readonly Finding[]): readonly KubeObject[] {
  const count = Math.ceil(found.length / resultsMax);
  return Array.from({length: count}, (_, index) => {
    const part = found.slice(index * resultsMax, (index + 1) * resultsMax);
    return reportOf(namespace, index === 0 ? name : `${name}-${index + 1}`, part);
  });
}

function reportOf(namespace: string, reportName: string, found: readonly Finding[]): KubeObject {
  const list = found.map(resultOf);
  const count = (result: string): number => list.filter((one) => one['result'] === result).length;
  return {
    apiVersion,
    kind: namespace === '' ? 'ClusterPolicyReport' : 'PolicyReport',
    metadata: {
      name: reportName,
      ...(namespace === '' ? {} : {namespace}),
      labels: {[managedBy]: name},
    },
    summary: {pass: 0, fail: count('fail'), warn: count('warn'), error: 0, skip: 0},
    results: list,
  };
}

function resultOf(finding: Finding): JsonObject {
  const {severity, object, fault} = finding;
  const {apiVersion, kind, namespace, name} = object;
  return {
    source: 'tether',
    policy: 'tether-audit',
    rule: fault.class,
    category: 'Crossplane',
    ...results[severity],
    message: faultLine(finding).text,
    properties: {do: classes[fault.class].remedy},
    resources: [{apiVersion, kind, ...(namespace === undefined ? {} : {namespace}), name}],
  };
}

function keyOf({metadata}: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
