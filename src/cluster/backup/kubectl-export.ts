// The output of `kubectl get -o yaml`, without the fields that an API server refuses or sets itself, to be applied again. Scripts
// leave such copies, and tools that are no backup tool. Unlike Velero they keep owner references, with the uids from before the
// disaster. kubernetes/kubernetes: resourceVersion must not be set on a create, and a uid is a precondition of an apply.

import type {KubeObject} from '../object.ts';
import {withoutServerFields} from './server-fields.ts';

/** The object for a new apply: without status and managedFields. */
export function exportOf(object: KubeObject): KubeObject {
  return withoutServerFields(object, ['managedFields']);
}
