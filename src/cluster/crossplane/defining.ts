// Shared by the two reconcilers of XRDs, for the kind of XR and for the kind of claim: the kind exists and its controller runs, or
// both go. crossplane/crossplane 2d040d2da internal/controller/apiextensions/{definition,offered}/reconciler.go.

import {withAt} from '../json.ts';
import {done, type Outcome, type Reconcile, type Step} from '../kernel/call.ts';
import {controllerOf, type GroupVersionKind, isDeleting, isTrue, type KubeObject, refOf} from '../object.ts';
import {kindCrd} from '../vocabulary.ts';
import {addFinalizer, create, getCached, remove, removeFinalizer, update} from './client.ts';
import type {Mark} from './conditions.ts';
import {isRunning, start, startWatches, stop} from './engine/engine.ts';
import type {WatchFor, Work} from './engine/engine-state.ts';
import {
  type Failure,
  failed,
  type Result,
  record,
  requeue,
  retryAfter,
  success,
  warnedUnlessConflict,
  wrap,
  wrapped,
} from './failure.ts';
import type {Profile} from './profile.ts';
import {ending, writeMarks} from './reconciler.ts';

export interface DefinedKind {
  /** In messages: `composite resource`. */
  readonly what: string;
  /** Its objects in messages of their deletion. */
  readonly objects: {readonly refused: string; readonly waiting: string};
  /** Reasons of events. */
  readonly reasons: {readonly define: string; readonly end: string};
  readonly watching: Mark;
  readonly terminating: Mark;
  readonly finalizer: string;
  readonly typeField: 'compositeResourceType' | 'compositeResourceClaimType';
  readonly controller: (xrd: KubeObject) => string;
  readonly kind: (xrd: KubeObject) => GroupVersionKind;
  readonly crdName: (xrd: KubeObject) => string;
  readonly crd: (xrd: KubeObject, profile: Profile) => KubeObject;
  /** Why it cannot be rendered. */
  readonly crdProblem: (xrd: KubeObject) => string | undefined;
  readonly startController: (xrd: KubeObject) => Step<Result<void>>;
  /** Deletes every object of the kind and answers how many are left. */
  readonly deleteAll: (xrd: KubeObject) => Step<Result<number>>;
}

/** Sees to it that the kind is there, or with the XRD that it goes. */
export function* reconcileKind(xrd: KubeObject, defined: DefinedKind, profile: Profile): Reconcile {
  const message = defined.crdProblem(xrd);
  if (message !== undefined)
    return yield* fail(xrd, 'RenderCRD', `cannot render ${defined.what} CustomResourceDefinition`, {
      failure: {message},
    });
  return yield* isDeleting(xrd) ? end(xrd, defined, profile) : define(xrd, defined, profile);
}

function* define(xrd: KubeObject, defined: DefinedKind, profile: Profile): Step<Outcome> {
  const {what, reasons} = defined;
  const finalized = yield* addFinalizer(xrd, defined.finalizer);
  if (!finalized.ok) return yield* fail(xrd, reasons.define, `cannot add ${what} finalizer`, finalized);
  const definition = finalized.value;
  const crd = yield* applyCrd(defined.crd(definition, profile), definition);
  if (!crd.ok) {
    return yield* fail(definition, reasons.define, `cannot apply rendered ${what} CustomResourceDefinition`, crd);
  }
  if (!isTrue(crd.value, 'Established')) {
    const message = `waiting for ${what} CustomResourceDefinition to be established`;
    yield* record(definition, 'Normal', reasons.define, message);
    return requeue;
  }
  const started = yield* defined.startController(definition);
  if (!started.ok) return yield* fail(definition, reasons.define, `cannot start ${what} controller watches`, started);
  const written = yield* writeMarks(withControllerType(definition, defined), [defined.watching], profile);
  return ending(written, 'cannot update status of CompositeResourceDefinition');
}

function* end(xrd: KubeObject, defined: DefinedKind, profile: Profile): Step<Outcome> {
  const {what, reasons} = defined;
  const status = yield* writeMarks(xrd, [defined.terminating], profile);
  if (!status.ok) return retryAfter(wrap('cannot update status of CompositeResourceDefinition', status.failure));
  const definition = status.value;
  const name = defined.controller(xrd);
  const crd = yield* getCached({...kindCrd, name: defined.crdName(xrd)});
  if (!crd.ok) return yield* fail(definition, reasons.end, `cannot get ${what} CustomResourceDefinition`, crd);
  if (crd.value === undefined || controllerOf(crd.value)?.uid !== xrd.metadata.uid) {
    yield* stop(name, profile);
    const removed = yield* removeFinalizer(definition, defined.finalizer);
    return removed.ok ? done : yield* fail(definition, reasons.end, `cannot remove ${what} finalizer`, removed);
  }
  const left = yield* defined.deleteAll(definition);
  if (!left.ok) return yield* fail(definition, reasons.end, `cannot delete ${defined.objects.refused}`, left);
  if (left.value > 0) {
    yield* record(definition, 'Normal', reasons.end, `waiting for ${defined.objects.waiting} to be deleted`);
    return requeue;
  }
  yield* stop(name, profile);
  const failure = yield* remove(refOf(crd.value));
  if (failure === undefined) return requeue;
  return yield* fail(definition, reasons.end, `cannot delete ${what} CustomResourceDefinition`, {failure});
}

/** Starts a controller with its watches. Before v1.20 one that ran was left alone, so watches that were collected stay away. */
export function* startWith(
  name: string,
  work: Work,
  {collectsWatches, watches}: {readonly collectsWatches: boolean; readonly watches: readonly WatchFor[]},
  {engine}: Profile,
): Step<Result<void>> {
  const leavesAlone = engine === 'informers' || engine === 'collects-all';
  if (leavesAlone && (yield* isRunning(name))) return success(undefined);
  yield* start(name, work, collectsWatches);
  return yield* startWatches(name, watches);
}

/** Creates or updates the CRD; refuses one that something else controls. */
function* applyCrd(crd: KubeObject, xrd: KubeObject): Step<Result<KubeObject>> {
  const current = yield* getCached(refOf(crd));
  if (!current.ok) return wrapped('cannot get object', current);
  if (current.value === undefined) return wrapped('cannot create object', yield* create(crd));
  const controller = controllerOf(current.value);
  if (controller !== undefined && controller.uid !== xrd.metadata.uid) {
    return failed(`existing object is not controlled by UID "${xrd.metadata.uid}"`);
  }
  const {resourceVersion = ''} = current.value.metadata;
  return wrapped('cannot update object', yield* update(withAt(crd, ['metadata', 'resourceVersion'], resourceVersion)));
}

/** The version that the controller was started for; undefined where it is not. */
export function startedVersion(xrd: KubeObject, {typeField}: DefinedKind): string | undefined {
  const version = controllerTypes(xrd)?.[typeField]?.apiVersion;
  return version === '' ? undefined : version;
}

function controllerTypes(xrd: KubeObject) {
  return xrd.status?.['controllers'] as {readonly [field: string]: GroupVersionKind | undefined} | undefined;
}

// Go writes the type of a controller that does not run as empty strings.
function withControllerType(xrd: KubeObject, {typeField, kind: kindOf}: DefinedKind): KubeObject {
  const none = {apiVersion: '', kind: ''};
  const {apiVersion, kind} = kindOf(xrd);
  const controllers = {
    compositeResourceClaimType: none,
    compositeResourceType: none,
    ...controllerTypes(xrd),
    [typeField]: {apiVersion, kind},
  };
  return {...xrd, status: {...xrd.status, controllers}};
}

function* fail(xrd: KubeObject, reason: string, context: string, {failure}: {readonly failure: Failure}): Reconcile {
  return yield* warnedUnlessConflict(xrd, reason, wrap(context, failure));
}
