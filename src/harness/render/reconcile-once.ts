// One reconcile of an XR against a map of objects: the reconciler of the simulated Crossplane with the parts replaced that
// upstream's render engine replaces. crossplane/crossplane 2d040d2da internal/render/composite/render.go: the Composition is the
// one given, its revision always fits, finalizers and connection secrets are left out, every kind counts as namespaced. Map
// orders are not drawn but the functions' own.

import {type CompositeParts, reconcileComposite} from '../../cluster/crossplane/composite/composite.ts';
import {configure} from '../../cluster/crossplane/composite/prepare.ts';
import {emptyMemory} from '../../cluster/crossplane/engine/engine-state.ts';
import {record, success} from '../../cluster/crossplane/failure.ts';
import type {Profile} from '../../cluster/crossplane/profile.ts';
import {fail} from '../../cluster/crossplane/reconciler.ts';
import {type Schema, XrFields} from '../../cluster/crossplane/xr.ts';
import type {CacheRead, CacheReply, Call, Note, Outcome, Reconcile} from '../../cluster/kernel/call.ts';
import {keyOf} from '../../cluster/kernel/process.ts';
import {controllerOf, type KubeObject, refOf} from '../../cluster/object.ts';
import {labelPackage} from '../../cluster/vocabulary.ts';
import type {Drive} from '../functions/drive.ts';
import {InputError} from '../input/input-error.ts';
import {addressOf, type FakeStore, fakeStore} from './fake-store.ts';

export interface RenderInput {
  /** With a uid; see identified-xr.ts. */
  readonly xr: KubeObject;
  readonly schema: Schema;
  readonly composition: KubeObject;
  readonly observed: readonly KubeObject[];
  /** Objects that functions may require, and the Secrets for them. */
  readonly others: readonly KubeObject[];
  readonly profile: Profile;
}

export interface Rendered {
  readonly xr: KubeObject;
  readonly composed: readonly KubeObject[];
  readonly deleted: readonly KubeObject[];
  readonly events: readonly Note[];
  /** Why the reconcile failed; undefined where it did not. */
  readonly error?: string;
}

/** Throws InputError where the observed resources are not this XR's. */
export function* reconcileOnce(input: RenderInput): Drive<Rendered> {
  const xr = withRefs(input);
  checkObserved(xr, input.observed);
  const store = fakeStore([xr, ...input.observed, ...input.others]);
  const events: Note[] = [];
  const outcome = yield* drive(reconciler({...input, xr}), store, events);
  const failed = outcome.kind === 'retry' && outcome.reason !== 'requeue';
  return {
    xr:
      store.updated.findLast((object) => isSame(object, xr)) ??
      store.applied.findLast((object) => isSame(object, xr)) ??
      xr,
    composed: store.applied.filter((object) => !isSame(object, xr)),
    deleted: store.deleted,
    events,
    ...(failed ? {error: outcome.reason} : {}),
  };
}

function* drive(reconcile: Reconcile, store: FakeStore, events: Note[]): Drive<Outcome> {
  let memory: unknown = emptyMemory;
  let step = reconcile.next();
  while (!step.done) {
    const call: Call = step.value;
    if (call.to === 'function') {
      step = reconcile.next(yield {target: call.target, service: call.service, request: call.request, run: 'render'});
      continue;
    }
    if (call.to === 'memory') memory = call.change(memory);
    if (call.to === 'note' && call.note.type !== 'Log') events.push(call.note);
    step = reconcile.next(call.to === 'memory' ? memory : answer(call, store));
  }
  return step.value;
}

/** The moment of every render: conditions are printed with another one anyway. */
const nowMs = Date.UTC(2024, 0, 1);

function answer(call: Call, store: FakeStore): unknown {
  switch (call.to) {
    case 'api':
      return store.answer(call.request);
    case 'cache':
      return functionsIn(call.read) ?? store.read(call.read);
    case 'scope':
      return 'Namespaced';
    case 'now':
      return nowMs;
    case 'choose':
      return 0;
    case 'note':
      return undefined;
    default:
      throw new Error(`a render cannot call ${call.to}`);
  }
}

/** Every function is installed, and its name is its address. */
function functionsIn(read: CacheRead): CacheReply | undefined {
  const name = read.verb === 'list' ? read.selector?.matchLabels[labelPackage] : undefined;
  if (read.verb !== 'list' || read.kind !== 'FunctionRevision' || name === undefined) return undefined;
  const {apiVersion, kind} = read;
  const spec = {desiredState: 'Active'};
  return {ok: true, object: undefined, items: [{apiVersion, kind, metadata: {name}, spec, status: {endpoint: name}}]};
}

function reconciler({xr, composition, schema, profile}: RenderInput): Reconcile {
  const fields = new XrFields(schema);
  const {apiVersion, kind} = xr;
  const scope = schema === 'legacy' ? 'LegacyCluster' : xr.metadata.namespace === undefined ? 'Cluster' : 'Namespaced';
  const xrd = {name: '', scope, composite: {apiVersion, kind}, connectionSecretKeys: []} as const;
  const controller = {name: 'render', instance: 1, type: 'composite', xrd, watches: []} as const;
  const how = {profile, realtime: false, controller, fields};
  return reconcileComposite(how, partsFor(composition))(keyOf(xr.metadata));
}

function partsFor(composition: KubeObject): CompositeParts {
  return {
    *prepare(xr, how) {
      const {name} = composition.metadata;
      const selected = how.fields.with(xr, 'compositionRef', {name});
      if (how.fields.compositionName(xr) !== name) {
        yield* record(xr, 'Normal', 'SelectComposition', `Successfully selected composition: ${name}`);
      }
      const configured = yield* configure(selected, composition, how);
      if (configured.ok) return {ok: true, xr: configured.value, revision: composition};
      const context = 'cannot configure composite resource';
      return {ok: false, outcome: yield* fail(selected, 'ComposeResources', context, configured, how)};
    },
    *publish() {
      yield* atOnce;
      return success(false);
    },
  };
}

const atOnce: readonly never[] = [];

/** Only what resourceRefs name is observed. */
function withRefs({xr, schema, observed}: RenderInput): KubeObject {
  if (observed.length === 0) return xr;
  const isNamespaced = xr.metadata.namespace !== undefined;
  const refs = observed.map((object) => {
    const {apiVersion, kind, name, namespace} = refOf(object);
    return namespace === undefined || isNamespaced ? {apiVersion, kind, name} : {apiVersion, kind, name, namespace};
  });
  return new XrFields(schema).with(xr, 'resourceRefs', refs);
}

function checkObserved(xr: KubeObject, observed: readonly KubeObject[]): void {
  for (const object of observed) {
    const {name, namespace} = object.metadata;
    const controller = controllerOf(object);
    const place = `cannot render observed resource "${name}"`;
    if (controller !== undefined && controller.uid !== xr.metadata.uid) {
      const by = `${controller.kind} "${controller.name}" (uid ${controller.uid})`;
      throw new InputError(
        `${place}: it must be controlled by the XR (uid ${xr.metadata.uid}) or have no controller, got ${by}`,
      );
    }
    if (xr.metadata.namespace !== undefined && namespace !== xr.metadata.namespace) {
      const got = namespace === undefined ? 'none' : `"${namespace}"`;
      throw new InputError(`${place}: it must be in the XR's namespace "${xr.metadata.namespace}", got ${got}`);
    }
  }
}

function isSame(left: KubeObject, right: KubeObject): boolean {
  return addressOf(left) === addressOf(right);
}
