// The controllers of Usages in the Crossplane process: one controller and one watch for each kind of Usage, and the goroutine that
// replays a denied delete. crossplane/crossplane 2d040d2da internal/controller/protection/usage/reconciler.go Setup*.

import {equal, type JsonObject} from '../json.ts';
import {type Outcome, type Reconcile, type Step, throughClient} from '../kernel/call.ts';
import type {Controller, Watch} from '../kernel/process.ts';
import {
  asOwner,
  type GroupVersionKind,
  groupKindOf,
  haveSameController,
  isDeleting,
  type KubeObject,
  type ResourceRef,
  withOwner,
} from '../object.ts';
import {labelInUse} from '../vocabulary.ts';
import {addFinalizer, update, updateStatus} from './client.ts';
import {available} from './conditions.ts';
import {itself, wakes} from './event-keys.ts';
import {
  failed,
  failedWith,
  failureOf,
  objectOf,
  type Result,
  record,
  success,
  warned,
  warnedUnlessConflict,
  wrap,
  wrapped,
} from './failure.ts';
import {controllerOf} from './intervals.ts';
import type {UsageBehaviour} from './profile.ts';
import {ending, markedNow, reconciles} from './reconciler.ts';
import {deleteUsage, replayDeletion, replayRoutine, waitsForUsing} from './usage-deletion.ts';
import {
  annotationUsageDetails,
  detailsOf,
  finalizerUsage,
  type UsageEnd,
  type UsageSelector,
  usedOf,
  usedRef,
  usingOf,
  usingRef,
  withResolved,
} from './usage-object.ts';

/** Keys are `namespace/name` or `name` of the Usage. */
export function usageControllers(behaviour: UsageBehaviour): readonly Controller[] {
  return behaviour.kinds.map((kind) => {
    const reconcile = reconciles(kind, 'usage', (usage) => reconcileUsage(usage, behaviour));
    return controllerOf(controllerName(kind), reconcile, {timeoutMs: 60_000});
  });
}

/** Every event of a Usage wakes it, its own writes too. Neither end is watched. */
export function usageWatches<M>(behaviour: UsageBehaviour): readonly Watch<M>[] {
  return behaviour.kinds.map(({apiVersion, kind}) => ({
    apiVersion,
    kind,
    controller: controllerName({apiVersion, kind}),
    id: 'usage',
    handle: wakes(itself),
  }));
}

export const usageRoutines: {readonly [name: string]: (input: JsonObject) => Step<void>} = {
  [replayRoutine]: replayDeletion,
};

function controllerName(kind: GroupVersionKind): string {
  return `usage/${groupKindOf(kind).toLowerCase()}`;
}

// The Usage controller, one for each kind of Usage, in upstream's order of writes: resolve `of`, resolve `by`, finalizer, details
// annotation, in-use label on the used object, owner reference to the using one, status.
// Source: crossplane/crossplane 2d040d2da internal/controller/protection/usage/reconciler.go; the same by tag under
// internal/controller/apiextensions/usage for v1.16.1, v1.19.1, v1.20.11. UsageBehaviour has the differences. Modelled: the
// controller reads the Usage from its cache and the two ends live, watches nothing but Usages, and so learns of a `by` that appears
// only by back-off; the in-use label is set before `by` is looked for, and stays if it never comes; a reconcile that resolves a
// selector panics where it reads the end it resolved (v2 on): the end it looks at was read before; the used object is written in
// every reconcile, because upstream also asks that the Usage own it, which never holds. Not modelled: the reconciler's own deadline
// of a minute, which only a hanging API server would reach.

const pollMs = 60_000;

function* reconcileUsage(usage: KubeObject, behaviour: UsageBehaviour): Reconcile {
  if (usedOf(usage).apiVersion.split('/').length > 2) {
    return {
      kind: 'retry',
      reason: `cannot parse APIVersion: unexpected GroupVersion string: ${usedOf(usage).apiVersion}`,
    };
  }
  const resolved = yield* resolveSelectors(usage);
  if (!resolved.ok) return yield* warned(usage, 'ResolveSelectors', wrap('cannot resolve selectors', resolved.failure));
  const isUnread = (end: UsageEnd | undefined) =>
    behaviour.resolvedEnds === 'unread' && end !== undefined && end.name === undefined;
  if (isUnread(usedOf(usage))) return panicked;
  const isByUnread = isUnread(usingOf(usage));
  if (isDeleting(resolved.value)) {
    return isByUnread && waitsForUsing(resolved.value, behaviour)
      ? panicked
      : yield* deleteUsage(resolved.value, behaviour);
  }
  return yield* setUp(usage, resolved.value, {behaviour, isByUnread});
}

/** A nil pointer in the reconciler: controller-runtime recovers it and tries again. */
const panicked: Outcome = {
  kind: 'retry',
  reason: 'panic: runtime error: invalid memory address or nil pointer dereference [recovered]',
};

interface SettingUp {
  readonly behaviour: UsageBehaviour;
  /** `by` was named in this reconcile only. */
  readonly isByUnread: boolean;
}

function* setUp(original: KubeObject, resolved: KubeObject, {behaviour, isByUnread}: SettingUp): Reconcile {
  const held = yield* addFinalizer(resolved, finalizerUsage);
  if (!held.ok)
    return yield* warnedUnlessConflict(resolved, 'AddFinalizer', wrap('cannot add finalizer', held.failure));
  const detailed = yield* addDetails(held.value);
  if (!detailed.ok) {
    const failure = wrap('cannot update usage resource with details annotation', detailed.failure);
    return yield* warnedUnlessConflict(held.value, 'AddDetailsToUsage', failure);
  }
  const problem = yield* markInUse(detailed.value);
  if (problem !== undefined) return problem;
  if (isByUnread) return panicked;
  const by = usingOf(detailed.value);
  const owned: Owned | Outcome =
    by === undefined ? {kind: 'owned', usage: detailed.value} : yield* addOwner(detailed.value, by, behaviour);
  return owned.kind === 'owned' ? yield* markAvailable(original, owned.usage, behaviour) : owned;
}

function* addDetails(usage: KubeObject): Step<Result<KubeObject>> {
  const details = detailsOf(usage);
  if (usage.metadata.annotations?.[annotationUsageDetails] === details) return success(usage);
  const annotations = {...usage.metadata.annotations, [annotationUsageDetails]: details};
  return yield* update({...usage, metadata: {...usage.metadata, annotations}});
}

function* markInUse(usage: KubeObject): Step<Outcome | undefined> {
  const ref = usedRef(usage, usedOf(usage));
  const used = yield* getExisting(ref);
  if (!used.ok) return yield* warned(usage, 'GetUsedResource', wrap('cannot get used', used.failure));
  const labels = {...used.value.metadata.labels, [labelInUse]: 'true'};
  const written = yield* update({...used.value, metadata: {...used.value.metadata, labels}});
  if (written.ok) return undefined;
  const failure = wrap('cannot add in use label to the used resource', written.failure);
  return yield* warnedUnlessConflict(usage, 'AddInUseLabel', failure);
}

/** A Usage that its using end owns. */
interface Owned {
  readonly kind: 'owned';
  readonly usage: KubeObject;
}

function* addOwner(usage: KubeObject, by: UsageEnd, behaviour: UsageBehaviour): Step<Owned | Outcome> {
  const using = yield* getExisting(usingRef(usage, by));
  if (!using.ok) return yield* warned(usage, 'GetUsingResource', wrap('cannot get using', using.failure));
  const owners = usage.metadata.ownerReferences ?? [];
  const {uid} = using.value.metadata;
  const checked = behaviour.ownerCheck === 'first' ? owners.slice(0, 1) : owners;
  if (checked.some((owner) => owner.uid === uid)) return {kind: 'owned', usage};
  const ownerReferences = withOwner(owners, asOwner(using.value));
  const written = yield* update({...usage, metadata: {...usage.metadata, ownerReferences}});
  if (written.ok) return {kind: 'owned', usage: written.value};
  const failure = wrap('cannot update usage resource with owner ref', written.failure);
  return yield* warnedUnlessConflict(usage, 'AddOwnerRefToUsage', failure);
}

function* markAvailable(original: KubeObject, usage: KubeObject, behaviour: UsageBehaviour): Reconcile {
  const ready = yield* markedNow(usage, [available], behaviour);
  const polled: Outcome = {kind: 'requeue-after', afterMs: pollMs};
  if (equal(ready, original)) return polled;
  yield* record(usage, 'Normal', 'UsageConfigured', 'Usage configured successfully.');
  return ending(yield* updateStatus(ready), 'cannot update status of usage', polled);
}

function* getExisting(ref: ResourceRef): Step<Result<KubeObject>> {
  return objectOf(yield* throughClient({verb: 'get', ref}));
}

// Selectors of a Usage are resolved once: the name found is written into resourceRef and never looked for again, so a
// Usage stays with the object it found first. `of` and `by` are two Updates.
// Source: crossplane/crossplane 2d040d2da internal/controller/protection/usage/selector.go.
// Where several objects match upstream takes the first of a live list, which the API server sorts by namespace and name.

/** The Usage with both ends named, or why one is not. Errors leave what was already written. */
function* resolveSelectors(usage: KubeObject): Step<Result<KubeObject>> {
  const of = usedOf(usage);
  const used = of.name === undefined ? yield* resolve(usage, 'of', of) : success(usage);
  if (!used.ok) return used;
  const by = usingOf(used.value);
  return by === undefined || by.name !== undefined ? used : yield* resolve(used.value, 'by', by);
}

function* resolve(usage: KubeObject, which: 'of' | 'by', end: UsageEnd): Step<Result<KubeObject>> {
  const found = yield* select(usage, end);
  if (!found.ok) return wrapped(`cannot resolve selector at "spec.${which}.resourceSelector"`, found);
  const {name, namespace} = found.value.metadata;
  // The namespace is kept only if it is not the Usage's own; '' stands for an object without one.
  const foreign = namespace === usage.metadata.namespace ? undefined : (namespace ?? '');
  const next = withResolved(usage, which, name, foreign);
  return wrapped('cannot update usage after resolving selector', yield* update(next));
}

function* select(usage: KubeObject, end: UsageEnd): Step<Result<KubeObject>> {
  const {selector, apiVersion, kind} = end;
  if (selector === undefined) return failed('no selector defined for resolving');
  const namespace = selector.namespace ?? usage.metadata.namespace;
  const scope = namespace === undefined || namespace === '' ? {} : {namespace};
  const labels = {selector: {matchLabels: selector.matchLabels}};
  const response = yield* throughClient({verb: 'list', apiVersion, kind, ...scope, ...labels});
  if (!response.ok) {
    return failedWith(wrap('cannot list resources matching labels', failureOf(response)));
  }
  const items = response.items ?? [];
  const none = `no ${JSON.stringify(kind)} found matching labels: ${printLabels(selector)}`;
  if (items.length === 0) return failed(none);
  const match = items.find((item) => !selector.matchControllerRef || haveSameController(item, usage));
  return match === undefined ? failed(`${none} and with same controller reference`) : success(match);
}

// As Go prints a map with %q: keys sorted.
function printLabels({matchLabels}: UsageSelector): string {
  const pairs = Object.keys(matchLabels).sort();
  return `map[${pairs.map((key) => `${JSON.stringify(key)}:${JSON.stringify(matchLabels[key])}`).join(' ')}]`;
}
