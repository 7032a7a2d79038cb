// What `kubectl get -o yaml` prints, without what an API server refuses or sets itself, to be applied again: what tools and
// scripts that are no backup tool leave. Unlike Velero it keeps owner references, whose uids are those before the disaster.
// kubernetes/kubernetes: resourceVersion must not be set on what is created, and a uid is a precondition of an apply.

import {type JsonObject, without} from '../json.ts';
import type {KubeObject, ObjectMeta} from '../object.ts';

const servers = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
];

/** The object as it is applied again: no status, and whoever owned it. */
export function exportOf(object: KubeObject): KubeObject {
  const metadata = servers.reduce<JsonObject>(without, object.metadata) as ObjectMeta;
  return {...(without(object, 'status') as KubeObject), metadata};
}
