// Kubernetes' own kinds that Compositions compose without a definition of theirs. The API server has them; what acts on
// them is the owner GC, the namespace controller, and the workload controller (api-controllers/workload-controller.ts).
//
// Recorded: test/recordings/differential/native, from kube-apiserver 1.34.2 and 1.35.4. Not modelled: pods, endpoints, nodes, volumes,
// leases and the rest; versions before the stored one; quantities in another spelling; that unknown fields below an open schema are refused.

import {type GroupVersionKind, groupKindOf} from '../../object.ts';
import type {KindDefinition} from '../kinds.ts';
import {ingressKind} from './ingress-kind.ts';
import {cronJobKind, jobKind} from './job-kinds.ts';
import {otherKinds} from './other-kinds.ts';
import {rbacKinds} from './rbac-kinds.ts';
import {serviceKind} from './service-kind.ts';
import {storageClassKind, volumeClaimKind} from './storage-kinds.ts';
import {daemonSetKind, deploymentKind, statefulSetKind} from './workload-kinds.ts';

export const nativeKinds: readonly KindDefinition[] = [
  serviceKind,
  deploymentKind,
  statefulSetKind,
  daemonSetKind,
  jobKind,
  cronJobKind,
  ingressKind,
  volumeClaimKind,
  storageClassKind,
  ...rbacKinds,
  ...otherKinds,
];

const names: ReadonlySet<string> = new Set(
  nativeKinds.map(({group, kind}) => (group === '' ? kind : `${kind}.${group}`)),
);

/** True for the kinds listed here: every world serves them, and few use them. */
export function isNative(kind: GroupVersionKind): boolean {
  return names.has(groupKindOf(kind));
}
