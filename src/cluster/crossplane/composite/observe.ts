// Observed composed resources: those named in resourceRefs that no other object controls.
// crossplane/crossplane 2d040d2da composite/composition_functions.go (ExistingComposedResourceObserver).
//
// One resource without its annotation fails the whole XR, for ever. A missing kind blocks the reconcile: the cached read starts an
// informer that never syncs (v1.17 on). v1.16 reads live and takes the 404 for "not there".

import type {Step} from '../../kernel/call.ts';
import {controllerOf, type KubeObject, type ResourceRef} from '../../object.ts';
import {annotationResourceName, resourceNameOf} from '../../vocabulary.ts';
import {getCached, getLive} from '../client.ts';
import {failed, type Result, success, wrapped} from '../failure.ts';
import type {Profile} from '../profile.ts';
import type {ComposedRef, XrFields} from '../xr.ts';
import {type ConnectionDetails, fetchConnection} from './connection.ts';

interface ObservedResource {
  readonly object: KubeObject;
  readonly connectionDetails: ConnectionDetails;
}

export type Observed = ReadonlyMap<string, ObservedResource>;

export function* observeComposed(xr: KubeObject, fields: XrFields, profile: Profile): Step<Result<Observed>> {
  const observed = new Map<string, ObservedResource>();
  for (const ref of fields.resourceRefs(xr)) {
    // Native patch-and-transform kept places for resources it had not made.
    if (ref.name === undefined || ref.name === '') continue;
    const found = yield* read(refIn(xr, ref), profile);
    if (!found.ok) return wrapped('cannot get composed resource', found);
    const object = found.value;
    if (object === undefined) continue;
    const controller = controllerOf(object);
    if (controller !== undefined && controller.uid !== xr.metadata.uid) continue;
    const name = resourceNameOf(object);
    if (name === undefined || name === '') {
      return failed(`encountered composed resource without required "${annotationResourceName}" annotation`);
    }
    const details = yield* fetchConnection(object);
    if (!details.ok) return details;
    observed.set(name, {object, connectionDetails: details.value});
  }
  return success(observed);
}

// A namespaced XR composes only in its own namespace, and its resourceRefs carry none.
function refIn(xr: KubeObject, {apiVersion, kind, name, namespace}: ComposedRef): ResourceRef {
  const place = xr.metadata.namespace ?? namespace;
  return place === undefined || place === '' ? {apiVersion, kind, name} : {apiVersion, kind, name, namespace: place};
}

function* read(ref: ResourceRef, profile: Profile): Step<Result<KubeObject | undefined>> {
  if (profile.reads === 'live') return yield* getLive(ref);
  const cached = yield* getCached(ref);
  // Created, but not in the cache yet? A second look, past the cache.
  return cached.ok && cached.value === undefined ? yield* getLive(ref) : cached;
}
