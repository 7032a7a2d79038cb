// Velero's resource modifiers: what it changes of an object before it creates it, after its metadata was reset and before
// its own labels are put on. Source: vmware-tanzu/velero d30d389b5 pkg/restore/restore.go restoreItem,
// internal/resourcemodifiers/resource_modifiers.go.
// Modelled: the condition groupResource as an exact name, and merge patches. Not modelled: patterns, the other conditions,
// JSON patches and strategic merge patches.

import {mergePatch} from '../api/json-patch.ts';
import type {JsonObject} from '../json.ts';
import type {KubeObject} from '../object.ts';

export interface ResourceModifier {
  /** `plural.group`. */
  readonly groupResource: string;
  readonly mergePatch: JsonObject;
}

/** Every rule whose condition the object meets, in their order. */
export function modified(object: KubeObject, resource: string, modifiers: readonly ResourceModifier[]): KubeObject {
  const meant = modifiers.filter(({groupResource}) => groupResource === resource);
  const changed = meant.reduce((current, {mergePatch: patch}) => mergePatch(current, patch) as KubeObject, object);
  // The API server refuses an object whose metadata a patch took away: it has no name.
  return {...changed, metadata: changed.metadata ?? {}};
}
