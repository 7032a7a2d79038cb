// Composed GC: deletes observed composed resources that are no longer desired, in the order of a Go map, up to the first error.
// crossplane/crossplane 2d040d2da composite/composition_functions.go (DeletingComposedResourceGarbageCollector).
//
// A denial by the Usage webhook is such an error. Labels are stripped by then, and nothing after it is deleted or applied. It
// counts as a conflict, so neither an event nor a condition mentions it.

import type {JsonObject} from '../../json.ts';
import {type Step, shuffled} from '../../kernel/call.ts';
import {controllerOf, type KubeObject, refOf} from '../../object.ts';
import {labelClaimName, labelClaimNamespace, labelComposite} from '../../vocabulary.ts';
import {remove, update} from '../client.ts';
import {failed, failedWith, isNotFound, type Result, success, wrap, wrapped} from '../failure.ts';
import type {Profile} from '../profile.ts';
import type {Observed} from './observe.ts';

/** Deletes what is observed and not desired. Answers the first error, or the observed objects as they are now. */
export function* collectComposed(
  xr: KubeObject,
  observed: Observed,
  isDesired: (resourceName: string) => boolean,
  profile: Profile,
): Step<Result<Observed>> {
  const undesired = [...observed].filter(([name]) => !isDesired(name));
  const current = new Map(observed);
  for (const [name, resource] of yield* shuffled(undesired, 'order of composed GC')) {
    const verdict = judge(name, resource.object, xr, profile);
    if (verdict === 'skip') continue;
    if (verdict !== 'delete') return failed(verdict);
    const collected = yield* collect(name, resource.object, profile);
    if (!collected.ok) return collected;
    // Later steps of this reconcile see the object as the update left it, not as deleted.
    current.set(name, {...resource, object: collected.value});
  }
  return success(current);
}

function judge(name: string, object: KubeObject, xr: KubeObject, profile: Profile): string {
  const controller = controllerOf(object);
  if (controller === undefined) return profile.ownerlessUndesired;
  if (controller.uid === xr.metadata.uid) return 'delete';
  if (profile.foreignUndesired === 'skip') return 'skip';
  const by = `${controller.kind} "${controller.name}"`;
  return `refusing to delete composed resource "${name}" that is controlled by ${by}`;
}

function* collect(name: string, object: KubeObject, profile: Profile): Step<Result<KubeObject>> {
  const {kind, metadata} = object;
  const what = `"${name}" (a ${kind} named ${metadata.name})`;
  let current = object;
  if (profile.composedLabels === 'strip') {
    const stripped = yield* update(withoutLabels(object));
    if (!stripped.ok && !isNotFound(stripped.failure)) {
      return wrapped(`cannot cleanup composed resource labels of resource ${what}`, stripped);
    }
    current = stripped.ok ? stripped.value : withoutLabels(object);
  }
  const {uid} = metadata;
  const options =
    profile.composedDelete === 'plain'
      ? {}
      : {propagationPolicy: 'Foreground' as const, ...(uid === undefined ? {} : {uid})};
  const failure = yield* remove(refOf(object), options);
  return failure === undefined
    ? success(current)
    : failedWith(wrap(`cannot delete composed resource ${what}`, failure));
}

function withoutLabels(object: KubeObject): KubeObject {
  const {
    [labelComposite]: _,
    [labelClaimName]: __,
    [labelClaimNamespace]: ___,
    ...labels
  } = object.metadata.labels ?? {};
  const {labels: ____, ...metadata} = object.metadata;
  const kept: JsonObject = Object.keys(labels).length === 0 ? {} : {labels};
  return {...object, metadata: {...metadata, ...kept} as KubeObject['metadata']};
}
