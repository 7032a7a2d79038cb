import type {JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {writeText} from '../input/file-problem.ts';
import {InputError} from '../input/input-error.ts';
import {applyObjects, type ClusterAccess, getRaw} from '../input/source/kubectl.ts';
import {clusterName} from '../input/source/read-source.ts';
import type {Audit} from './audit.ts';
import {policyReports, policyReportsText, reportLists} from './audit-policy-reports.ts';

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
    throw new InputError('', `cannot write PolicyReports to the cluster: ${why}`);
  });
}
