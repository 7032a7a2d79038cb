// Realtime compositions: once a minute, stop watches of kinds that no XR of the controller needs any more.
// crossplane/crossplane 2d040d2da internal/controller/apiextensions/composite/watch/watch.go; v1.19.1 the same file
// (any watch that is not of a composed kind in use is stopped: those of XRs and revisions too); v1.16.1
// definition/composed.go (composed informers only, also those of kinds whose CRD is gone).

import type {JsonObject} from '../../json.ts';
import {memory, note, type Step, sleep} from '../../kernel/call.ts';
import {informerKey} from '../../kernel/process.ts';
import {type GroupVersionKind, isTrue} from '../../object.ts';
import {kindCrd} from '../../vocabulary.ts';
import {listCached} from '../client.ts';
import type {Profile} from '../profile.ts';
import {schemaOf, XrFields} from '../xr.ts';
import {definedBy} from '../xr-crd.ts';
import {currentMemory, stopWatches} from './engine.ts';
import {informerRemoved, type Memory, type RunningWatch, trackerOf, type XrController} from './engine-state.ts';
import {kindsOf} from './tracker.ts';

const intervalMs = 60_000;

export function collectWatches(profile: Profile) {
  return function* (input: JsonObject): Step<void> {
    for (;;) {
      yield* sleep(intervalMs);
      const state = yield* currentMemory();
      const controller = state.controllers[String(input['controller'])];
      // A controller that was stopped, or started anew, has no use for this collector.
      if (controller === undefined || controller.instance !== input['instance']) return;
      if (controller.type === 'watched') return;
      yield* collectNow(profile, controller, state);
    }
  };
}

function* collectNow(profile: Profile, controller: XrController, state: Memory): Step<void> {
  const used =
    profile.engine === 'tracker' ? kindsOf(trackerOf(state, controller.name)) : yield* referencedKinds(controller);
  if (used === undefined) return;
  const inUse = new Set(used.map(informerKey));
  if (profile.engine === 'informers') yield* collectInformers(controller, inUse);
  const stops = (watch: RunningWatch) =>
    watch.type === 'Composed' ? !inUse.has(informerKey(watch)) : profile.engine === 'collects-all';
  const stopping = controller.watches.filter(stops);
  for (const {type, kind} of stopping) {
    const message = `Stopped watching ${kind} (${type}) for controller ${controller.name}`;
    yield* note({type: 'Log', reason: 'GarbageCollectWatches', message});
  }
  if (stopping.length > 0) yield* stopWatches(controller.name, stops);
}

// The kinds in the resourceRefs of every XR; undefined where the XRs cannot be listed.
function* referencedKinds({xrd}: XrController): Step<readonly GroupVersionKind[] | undefined> {
  const xrs = yield* listCached(xrd.composite);
  if (!xrs.ok) return undefined;
  const fields = new XrFields(schemaOf(xrd.scope));
  return xrs.value.flatMap((xr) => fields.resourceRefs(xr));
}

// v1.16 stops the informer itself, and a kind counts as used only while its CRD is established.
function* collectInformers(controller: XrController, inUse: Set<string>): Step<void> {
  const crds = yield* listCached(kindCrd);
  if (!crds.ok) return;
  const established = new Set(
    crds.value
      .filter((crd) => isTrue(crd, 'Established'))
      .flatMap(definedBy)
      .map(informerKey),
  );
  for (const key of [...inUse]) if (!established.has(key)) inUse.delete(key);
  for (const watch of controller.watches) {
    if (watch.type === 'Composed' && !inUse.has(informerKey(watch))) {
      yield* memory<Memory>((state) => informerRemoved(state, watch));
    }
  }
}
