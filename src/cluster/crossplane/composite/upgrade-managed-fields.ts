// The upgrade of managed fields from client-side to server-side apply, which also hits restored objects: it wipes every
// manager's fields, the provider's too, and in the next reconcile drops `before-first-apply`, so that in the end
// Crossplane is the sole manager of what it applies. crossplane/crossplane 2d040d2da internal/ssa/managed_fields.go.
//
// The patch carries the resourceVersion that was observed, so an object this reconcile has changed or deleted answers
// with a conflict, and the reconcile starts again in silence.

import type {Step} from '../../kernel/call.ts';
import {type KubeObject, refOf} from '../../object.ts';
import {jsonPatch} from '../client.ts';
import {type Failure, isNotFound, wrap} from '../failure.ts';

const beforeFirstApply = 'before-first-apply';

/** True if the upgrade would write: the object is stored and not upgraded yet. */
export function needsUpgrade(object: KubeObject, isOurs: (manager: string) => boolean): boolean {
  if (object.metadata.creationTimestamp === undefined) return false;
  const managers = managersOf(object);
  return !managers.some(isOurs) || managers.includes(beforeFirstApply);
}

/** Upgrades the object unless it is done; an object that is gone needs none. Answers the error. */
export function* upgradeManagedFields(
  object: KubeObject,
  isOurs: (manager: string) => boolean,
): Step<Failure | undefined> {
  if (!needsUpgrade(object, isOurs)) return undefined;
  const managers = managersOf(object);
  const ours = managers.some(isOurs);
  const change = ours
    ? {op: 'remove', path: `/metadata/managedFields/${managers.lastIndexOf(beforeFirstApply)}`}
    : {op: 'replace', path: '/metadata/managedFields', value: [{}]};
  const version = {op: 'replace', path: '/metadata/resourceVersion', value: object.metadata.resourceVersion ?? ''};
  const patched = yield* jsonPatch(refOf(object), [change, version]);
  if (patched.ok || isNotFound(patched.failure)) return undefined;
  const what = ours ? `cannot remove ${beforeFirstApply} from field managers` : 'cannot clear field managers';
  return wrap(what, patched.failure);
}

function managersOf(object: KubeObject): readonly string[] {
  return (object.metadata.managedFields ?? []).map(({manager}) => manager);
}
