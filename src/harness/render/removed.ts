// The resources that a reconcile takes away. The output of `crossplane render` never shows them: a deleted one and one left
// behind without an owner look the same there.

import type {JsonObject} from '../../cluster/json.ts';
import {controllerOf, type KubeObject, refOf} from '../../cluster/object.ts';
import {labelInUse, resourceNameOf} from '../../cluster/vocabulary.ts';
import {addressOf} from './fake-store.ts';
import type {Rendered} from './reconcile-once.ts';

type Fate = 'deleted' | 'denied' | 'orphaned';

/** A document for every observed resource that is no longer composed, by resource name. */
export function removedDocuments(observed: readonly KubeObject[], rendered: Rendered): readonly JsonObject[] {
  const has = (list: readonly KubeObject[], object: KubeObject) =>
    list.some((one) => addressOf(one) === addressOf(object));
  return observed
    .filter((object) => !has(rendered.composed, object))
    .map((object) => removedDocument(object, fateOf(object, has(rendered.deleted, object))))
    .sort((left, right) => (String(left['resourceName']) < String(right['resourceName']) ? -1 : 1));
}

function fateOf(object: KubeObject, isDeleted: boolean): Fate {
  if (!isDeleted) return 'orphaned';
  return object.metadata.labels?.[labelInUse] === 'true' ? 'denied' : 'deleted';
}

function removedDocument(object: KubeObject, fate: Fate): JsonObject {
  const {apiVersion, kind, name, namespace} = refOf(object);
  return {
    apiVersion: 'tether.fn.crossplane.io/v1beta1',
    kind: 'Removed',
    resourceName: resourceNameOf(object) ?? '',
    resourceRef: namespace === undefined ? {apiVersion, kind, name} : {apiVersion, kind, name, namespace},
    fate,
    message: `Composed resource "${resourceNameOf(object)}" (${kind} "${name}") ${words(fate, object)}`,
  };
}

function words(fate: Fate, object: KubeObject): string {
  switch (fate) {
    case 'deleted':
      return 'is no longer desired and is deleted';
    case 'denied':
      return `is no longer desired, but a Usage protects it (label ${labelInUse}): the delete is denied, and nothing that this reconcile would apply after it is applied`;
    case 'orphaned':
      return controllerOf(object) === undefined
        ? 'is no longer desired and is left behind: it has no controller reference, so nothing ever deletes it'
        : 'is no longer desired and is left behind: the reconcile ended before it came to delete it';
  }
}
