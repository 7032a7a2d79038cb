// Which events wake which reconciler. crossplane/crossplane 2d040d2da
// internal/controller/apiextensions/{definition,offered,composition,revision}: Setup, watch.go, handlers.go;
// v1.20.11 definition/handlers.go for the versions that hear only of creates and updates; managed/setup.go,
// activationpolicy/setup.go, watch.go.

import type {WatchEvent} from '../api/request.ts';
import {at} from '../json.ts';
import {
  type CacheView,
  type Enqueue,
  type EventContext,
  type EventOutcome,
  informerKey,
  keyOf,
  type Watch,
} from '../kernel/process.ts';
import {type GroupVersionKind, isDeleting, type KubeObject} from '../object.ts';
import {
  kindActivationPolicy,
  kindComposition,
  kindCrd,
  kindDefinition,
  kindManagedDefinition,
  kindRevision,
  labelCompositionName,
  labelPackage,
} from '../vocabulary.ts';
import {activates} from './activation-policy.ts';
import {type Breaker, pass, reset} from './engine/breaker.ts';
import {
  breakerOf,
  informerRemoved,
  isLive,
  type Memory,
  type RunningController,
  type RunningWatch,
  trackerOf,
  withBreaker,
  type XrController,
} from './engine/engine-state.ts';
import {dependantsOf} from './engine/tracker.ts';
import {controlledBy, itself, type Maps, objectsOf, unique, wakes} from './event-keys.ts';
import {watchedKeys} from './operations/watch-operation.ts';
import {functionRevisionKind, functionsOf} from './pipeline-check.ts';
import type {Profile} from './profile.ts';
import {claimRefOf, schemaOf, XrFields} from './xr.ts';
import {definedBy, isCrdOf} from './xr-crd.ts';
import {offersClaim} from './xrd.ts';

type Handle = Watch<Memory>['handle'];

const defined = 'defined/compositeresourcedefinition.apiextensions.crossplane.io';
const offered = 'offered/compositeresourcedefinition.apiextensions.crossplane.io';
const revisions = 'revisions/composition.apiextensions.crossplane.io';
const revision = 'revision/compositionrevision.apiextensions.crossplane.io';
const managed = 'mrd/managedresourcedefinition';
const activation = 'mrap/managedresourceactivationpolicy';
export const controllerNames = {defined, offered, revisions, revision, managed, activation} as const;

/** Watches that run for the life of the process. */
export function staticWatches(profile: Profile): readonly Watch<Memory>[] {
  const watch = (controller: string, id: string, kind: {apiVersion: string; kind: string}, handle: Handle) => {
    return {controller, id, ...kind, handle};
  };
  const watches = [
    watch(defined, 'definitions', kindDefinition, wakes(itself)),
    watch(defined, 'crds', kindCrd, wakes(definitionOf('composite'))),
    watch(offered, 'definitions', kindDefinition, wakes(offering)),
    watch(offered, 'crds', kindCrd, wakes(definitionOf('claim'))),
    watch(revisions, 'compositions', kindComposition, wakes(itself)),
    watch(revisions, 'revisions', kindRevision, wakes(controlledBy(kindComposition.kind))),
  ];
  // v1.16 had no such collector: its caches ended with their controllers.
  if (profile.engine !== 'informers') watches.push(watch(defined, 'vanished kinds', kindCrd, forgetKinds));
  if (profile.revisionConditions === 'valid-pipeline') {
    watches.push(
      watch(revision, 'revisions', kindRevision, wakes(itself)),
      watch(revision, 'functions', functionRevisionKind(profile), wakes(revisionsUsing)),
    );
  }
  if (profile.managedDefinitions === 'activated') {
    watches.push(
      watch(managed, 'definitions', kindManagedDefinition, wakes(itself)),
      watch(managed, 'crds', kindCrd, wakes(managedOwners)),
      watch(activation, 'policies', kindActivationPolicy, wakes(itself)),
      watch(activation, 'definitions', kindManagedDefinition, wakes(policiesFor)),
    );
  }
  return watches;
}

/** Watches the engine runs now, without those whose informer was removed under them. */
export function engineWatches(memory: Memory, profile: Profile): readonly Watch<Memory>[] {
  return Object.values(memory.controllers).flatMap((controller) =>
    controller.watches
      .filter((watch) => isLive(memory, watch))
      .map((watch): Watch<Memory> => {
        const {apiVersion, kind, type} = watch;
        const handle = handlerOf(controller, watch, profile);
        return {
          controller: controller.name,
          id: `${type} ${informerKey(watch)} ${watch.informer}`,
          apiVersion,
          kind,
          handle,
        };
      }),
  );
}

function handlerOf(controller: RunningController, {type, listeners}: RunningWatch, profile: Profile): Handle {
  if (controller.type === 'watched') return wakes((object) => watchedKeys(controller.objects, object));
  if (controller.type === 'claim') return wakes(type === 'Claim' ? itself : claimOf);
  const fields = new XrFields(schemaOf(controller.xrd.scope));
  const guard = (maps: Maps<Memory>, resets = false) =>
    profile.circuitBreaker === 'none' ? wakes(maps) : guarded(controller.name, maps, resets, listeners);
  if (type === 'CompositeResource') return guard(itself, true);
  if (type === 'CompositionRevision') {
    const handle = guard((object, context) =>
      compositionOfRevision(object, controller.xrd.composite, fields, context.cache),
    );
    return profile.revisionEvents === 'all' ? handle : onlyOf('ADDED', handle);
  }
  const handle = guard((object, context) => xrsComposing(object, controller, fields, profile, context));
  return profile.composedEvents === 'all' ? handle : onlyOf('MODIFIED', handle);
}

function guarded(controller: string, maps: Maps<Memory>, resets: boolean, listeners: number): Handle {
  return (event, context) => {
    let breaker = breakerOf(context.memory, controller);
    const keys: string[] = [];
    const dropped: string[] = [];
    for (const object of Array.from({length: listeners}, () => objectsOf(event, context)).flat()) {
      const passed = passEach(breaker, object, maps(object, context), resets, context.nowMs);
      breaker = passed.breaker;
      keys.push(...passed.keys);
      dropped.push(...passed.dropped);
    }
    return outcome([...unique(keys), ...resynced(dropped)], breaker, controller, context.memory);
  };
}

/** Of --sync-interval. The real one is up to a tenth longer or shorter, and counts from the start of the cache. */
const resyncMs = 3_600_000;

/** The cache sends every object once more in that time, so an XR is looked at for each event that was dropped. */
function resynced(keys: readonly string[]): readonly Enqueue[] {
  return unique(keys).map(({key}) => ({key, afterMs: resyncMs}));
}

// Events of an object that is being deleted always pass: dropping one would leave its finalizer for an hour.
function passEach(breaker: Breaker, object: KubeObject, targets: readonly string[], resets: boolean, nowMs: number) {
  let next = breaker;
  const keys: string[] = [];
  const dropped: string[] = [];
  for (const target of targets) {
    if (isDeleting(object)) {
      if (resets) next = reset(next, target);
      keys.push(target);
      continue;
    }
    const passed = pass(next, target, sourceText(object), nowMs);
    next = passed.breaker;
    (passed.allowed ? keys : dropped).push(target);
  }
  return {breaker: next, keys, dropped};
}

function outcome(keys: readonly Enqueue[], breaker: Breaker, controller: string, memory: Memory): EventOutcome<Memory> {
  return breaker === breakerOf(memory, controller) ? {keys} : {keys, memory: withBreaker(memory, controller, breaker)};
}

function sourceText({kind, metadata}: KubeObject): string {
  const {name, namespace} = metadata;
  return namespace === undefined ? `${kind}/${name}` : `${kind}/${name} (${namespace})`;
}

function onlyOf(type: WatchEvent['type'], handle: Handle): Handle {
  return (event, context) => (event.type === type ? handle(event, context) : {keys: []});
}

/** The XRD of a CRD, where that defines XRs, or claims. */
function definitionOf(category: 'composite' | 'claim') {
  const definition = controlledBy(kindDefinition.kind);
  return (crd: KubeObject) => (isCrdOf(crd, category) ? definition(crd) : []);
}

function offering(xrd: KubeObject): readonly string[] {
  return offersClaim(xrd) ? itself(xrd) : [];
}

/** Every owner counts here, for the definition does not control what it makes. */
function managedOwners({metadata}: KubeObject): readonly string[] {
  const owners = metadata.ownerReferences ?? [];
  return owners.filter(({kind}) => kind === kindManagedDefinition.kind).map(({name}) => name);
}

function policiesFor({metadata}: KubeObject, {cache}: {readonly cache: CacheView}): readonly string[] {
  const policies = cache.list(kindActivationPolicy).filter((policy) => activates(policy, metadata.name));
  return policies.map((policy) => policy.metadata.name);
}

function claimOf(xr: KubeObject): readonly string[] {
  const ref = claimRefOf(xr);
  return ref === undefined ? [] : [keyOf(ref)];
}

function xrsComposing(
  object: KubeObject,
  controller: XrController,
  fields: XrFields,
  profile: Profile,
  {cache, memory}: EventContext<Memory>,
): readonly string[] {
  if (profile.engine === 'tracker') return dependantsOf(trackerOf(memory, controller.name), object);
  const xrs = cache.list(controller.xrd.composite);
  return xrs.filter((xr) => refersTo(xr, object, fields)).map((xr) => keyOf(xr.metadata));
}

function refersTo(xr: KubeObject, object: KubeObject, fields: XrFields): boolean {
  const {name, namespace} = object.metadata;
  return fields.resourceRefs(xr).some((ref) => {
    const place = xr.metadata.namespace ?? ref.namespace;
    return ref.name === name && place === namespace && ref.kind === object.kind && ref.apiVersion === object.apiVersion;
  });
}

function revisionsUsing(functionRevision: KubeObject, {cache}: {readonly cache: CacheView}): readonly string[] {
  const name = functionRevision.metadata.labels?.[labelPackage] ?? '';
  const using = cache.list(kindRevision).filter((candidate) => functionsOf(candidate).includes(name));
  return using.map(({metadata}) => metadata.name);
}

// The informers of a kind end with its CRD. crossplane/crossplane 2d040d2da internal/engine/engine.go
// (GarbageCollectCustomResourceInformers).
function forgetKinds(event: WatchEvent, {memory}: EventContext<Memory>): EventOutcome<Memory> {
  if (event.type !== 'DELETED') return {keys: []};
  const next = definedBy(event.object).reduce(informerRemoved, memory);
  return next === memory ? {keys: []} : {keys: [], memory: next};
}

/**
 * The keys of the XRs a revision may concern: of its Composition, and not with policy Manual.
 * crossplane/crossplane 2d040d2da internal/controller/apiextensions/definition/handlers.go (CompositionRevisionMapFunc).
 */
function compositionOfRevision(
  revision: KubeObject,
  composite: GroupVersionKind,
  fields: XrFields,
  cache: CacheView,
): readonly string[] {
  const name = revision.metadata.labels?.[labelCompositionName];
  if (name === undefined) return [];
  const ref = at(revision.spec, ['compositeTypeRef']) as GroupVersionKind | undefined;
  if (ref?.apiVersion !== composite.apiVersion || ref.kind !== composite.kind) return [];
  const xrs = cache.list(composite);
  return xrs.filter((xr) => follows(xr, name, fields)).map((xr) => keyOf(xr.metadata));
}

function follows(xr: KubeObject, compositionName: string, fields: XrFields): boolean {
  return fields.updatePolicy(xr) !== 'Manual' && fields.compositionName(xr) === compositionName;
}
