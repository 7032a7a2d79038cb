// The reason for which the ConfigMap of external names can no longer be written. Anyone with write access to ConfigMaps in its
// namespace can cause this. Crossplane would then fail to apply it in every reconcile, and the XR would never be Synced again. So
// it is left as it is, an event reports it, and no new names are remembered; the names in it are still read.
//
// kubernetes/kubernetes v1.34 pkg/apis/core/validation/validation.go ValidateConfigMap, ValidateConfigMapUpdate; each of the three
// was seen on a kube-apiserver v1.34.2.

import {asObject, text} from '../words/json.ts';
import type {Unwritable} from '../words/reasons.ts';
import type {ResourceView} from '../words/snapshot.ts';

const bytesMax = 1024 * 1024;

/** Why the API server would not have `names` in this ConfigMap, undefined if it would. */
export function unwritableReason(found: ResourceView, names: string): Unwritable | undefined {
  if (found.field(['immutable']) === true) return 'immutable';
  const binary = asObject(found.field(['binaryData']));
  if (Object.hasOwn(binary, 'names')) return 'binary';
  const {names: _before, ...others} = asObject(found.field(['data']));
  const bytes =
    sum(Object.values(others), (value) => bytesOf(text(value))) +
    sum(Object.values(binary), (value) => decodedBytesOf(text(value)));
  return bytes + bytesOf(names) > bytesMax ? 'full' : undefined;
}

function sum<T>(values: readonly T[], bytes: (value: T) => number): number {
  return values.reduce((total, value) => total + bytes(value), 0);
}

function bytesOf(value: string): number {
  return new TextEncoder().encode(value).length;
}

/** How many bytes base64 stands for. */
function decodedBytesOf(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
}
