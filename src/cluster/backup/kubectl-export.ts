// What `kubectl get -o yaml` prints, without what an API server refuses or sets itself, to be applied again: what tools and
// scripts that are no backup tool leave. Unlike Velero it keeps owner references, whose uids are those before the disaster.
// kubernetes/kubernetes: resourceVersion must not be set on what is created, and a uid is a precondition of an apply.

import type {KubeObject} from '../object.ts';
import {withoutServerFields} from './server-fields.ts';

/** The object as it is applied again: no status, and whoever owned it. */
export function exportOf(object: KubeObject): KubeObject {
  return withoutServerFields(object, ['managedFields']);
}
