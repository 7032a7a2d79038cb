// Composing: from observed state through the function pipeline to the cluster, in upstream's order of writes.
// crossplane/crossplane 2d040d2da composite/composition_functions.go (Compose): composed GC, resourceRefs, upgrade of
// managed fields, apply of each desired resource, status of the XR.
//
// resourceRefs become exactly the desired set before anything is applied, so what composed GC skipped is forgotten here.

import type {Json, JsonObject} from '../../json.ts';
import {memory, type Step, shuffled} from '../../kernel/call.ts';
import {keyOf} from '../../kernel/process.ts';
import {NotModelled} from '../../not-modelled.ts';
import type {Condition, GroupVersionKind, KubeObject} from '../../object.ts';
import {labelCompositionName, managerComposedPrefix, managerComposite} from '../../vocabulary.ts';
import {apply} from '../client.ts';
import {conditionsOf, setCondition} from '../conditions.ts';
import {type Memory, trackerOf, withTracker, type XrController} from '../engine/engine-state.ts';
import {type Reference, track} from '../engine/tracker.ts';
import {type Failure, isInvalid, type Result, success, wrap, wrapped} from '../failure.ts';
import {isNative, nativeAdvice} from '../native-mode.ts';
import {composedManager} from '../object-names.ts';
import type {Profile} from '../profile.ts';
import type {ComposedRef, XrFields} from '../xr.ts';
import {collectComposed} from './collect-composed.ts';
import {type ConnectionDetails, fetchConnection} from './connection.ts';
import {type Desired, renderDesired} from './desired.ts';
import {type Observed, observeComposed} from './observe.ts';
import {type BrokenRun, type PipelineRun, runPipeline, type TargetedCondition, type TargetedEvent} from './pipeline.ts';
import {needsUpgrade, upgradeManagedFields} from './upgrade-managed-fields.ts';

export interface Composing {
  readonly profile: Profile;
  readonly realtime: boolean;
  readonly controller: XrController;
  readonly fields: XrFields;
}

/** True if Crossplane comes back after its poll interval, whatever functions answer. */
export function isPolled({profile, realtime}: Composing): boolean {
  return profile.realtimePolling === 'keeps-polling' || !realtime;
}

export interface ComposedResource {
  readonly resourceName: string;
  readonly ready: boolean;
  readonly synced: boolean;
}

export interface Composition {
  /** The XR as the status apply answered it. */
  readonly xr: KubeObject;
  readonly composed: readonly ComposedResource[];
  readonly connectionDetails: ConnectionDetails;
  /** Set if a function of the pipeline set the readiness of the XR. */
  readonly ready?: boolean;
  readonly events: readonly TargetedEvent[];
  readonly conditions: readonly TargetedCondition[];
  readonly ttlMs?: number;
}

export type ComposeResult =
  | {readonly ok: true; readonly value: Composition}
  | {readonly ok: false; readonly broken: BrokenRun};

export function* compose(xr: KubeObject, revision: KubeObject, how: Composing): Step<ComposeResult> {
  const {profile, fields} = how;
  if (isNative(revision, profile.definitionApi)) throw new NotModelled(nativeText(xr, revision));
  const observed = yield* observeComposed(xr, fields, profile);
  if (!observed.ok) return broken(wrap('cannot get existing composed resources', observed.failure));
  const details = yield* fetchConnection(fields.schema === 'legacy' ? xr : {...xr, spec: {}});
  if (!details.ok) return broken(wrap('cannot fetch composite resource connection details', details.failure));
  const ran = yield* runPipeline({
    xr,
    xrKey: keyOf(xr.metadata),
    controller: how.controller.name,
    connectionDetails: details.value,
    observed: observed.value,
    steps: (revision.spec?.['pipeline'] ?? []) as readonly JsonObject[],
    isPolled: isPolled(how),
    profile,
  });
  if (!ran.ok) return ran;
  const rendered = yield* renderDesired(ran.value.desired, xr, observed.value, profile);
  if (!rendered.ok) return broken(rendered.failure);
  const {desired, events} = rendered.value;
  const written = yield* write(xr, observed.value, desired, ran.value, how);
  if (!written.ok) return broken(written.failure, written.xr);
  yield* trackDependencies(xr, desired, ran.value, how);
  return {ok: true, value: result(ran.value, [...ran.value.events, ...events], written.value)};
}

function nativeText({kind, metadata}: KubeObject, revision: KubeObject): string {
  const composition = revision.metadata.labels?.[labelCompositionName] ?? revision.metadata.name;
  return `${kind} "${metadata.name}" is composed by Composition "${composition}", which has no \`mode: Pipeline\`: ${nativeAdvice}`;
}

interface Written {
  readonly xr: KubeObject;
  readonly composed: readonly ComposedResource[];
  readonly warnings: readonly TargetedEvent[];
}

type Wrote =
  | {readonly ok: true; readonly value: Written}
  | {readonly ok: false; readonly failure: Failure; readonly xr?: KubeObject};

function* write(xr: KubeObject, observed: Observed, desired: Desired, run: PipelineRun, how: Composing): Step<Wrote> {
  const collected = yield* collectComposed(xr, observed, (name) => desired.has(name), how.profile);
  if (!collected.ok) return wrapped('cannot garbage collect composed resources that are no longer desired', collected);
  const referenced = yield* apply(refsBody(xr, desired, how.fields), managerComposite);
  if (!referenced.ok) return wrapped(how.profile.referencesError, referenced);
  const upgraded = yield* upgradeAll(collected.value);
  if (upgraded !== undefined) return {ok: false, failure: upgraded};
  const applied = yield* applyAll(xr, desired);
  if (!applied.ok) return applied;
  // The applied body replaces the XR in memory before the response arrives. After an error the XR has no resourceVersion, so the
  // status that would report the error is refused.
  const body = statusBody(xr, run, how.profile);
  const status = yield* apply(body, managerComposite, 'status');
  if (status.ok) return success({xr: status.value, ...applied.value});
  return {ok: false, failure: wrap('cannot apply composite resource status', status.failure), xr: body};
}

function refsBody(xr: KubeObject, desired: Desired, fields: XrFields): KubeObject {
  const {apiVersion, kind} = xr;
  const {name, namespace} = xr.metadata;
  const metadata = namespace === undefined ? {name} : {name, namespace};
  const refs = [...desired.values()].map(({object}) => refTo(object, namespace !== undefined));
  return fields.with({apiVersion, kind, metadata}, 'resourceRefs', refs.sort(byText));
}

// Go leaves out empty fields: a resource without a kind makes a reference without one, which the API server refuses. It also
// refuses a uid that a function desires, since no schema of references has that field.
function refTo({apiVersion = '', kind = '', metadata}: KubeObject, inNamespacedXr: boolean): ComposedRef {
  const {name, namespace, uid = ''} = metadata;
  const typed = {...(apiVersion === '' ? {} : {apiVersion}), ...(kind === '' ? {} : {kind})} as GroupVersionKind;
  const ref = {...typed, name, ...(uid === '' ? {} : {uid})};
  return namespace === undefined || inNamespacedXr ? ref : {...ref, namespace};
}

function byText(left: ComposedRef, right: ComposedRef): number {
  return sortText(left) < sortText(right) ? -1 : 1;
}

function sortText({apiVersion = '', kind = '', name, namespace = ''}: Partial<ComposedRef>): string {
  return apiVersion + kind + name + namespace;
}

function* upgradeAll(observed: Observed): Step<Failure | undefined> {
  const isOurs = (manager: string) => manager.startsWith(managerComposedPrefix);
  const objects = [...observed.values()].map(({object}) => object).filter((object) => needsUpgrade(object, isOurs));
  for (const object of yield* shuffled(objects, 'order of managed fields upgrades')) {
    const failure = yield* upgradeManagedFields(object, isOurs);
    if (failure === undefined) continue;
    return wrap("cannot upgrade composed resource's managed fields from client-side to server-side apply", failure);
  }
  return undefined;
}

// An invalid resource leaves the others alone; any other refusal ends the reconcile, with the rest not applied.
function* applyAll(xr: KubeObject, desired: Desired): Step<Result<Omit<Written, 'xr'>>> {
  const manager = composedManager(managerComposedPrefix, {...xr, name: xr.metadata.name});
  const composed: ComposedResource[] = [];
  const warnings: TargetedEvent[] = [];
  for (const [resourceName, {object, ready}] of yield* shuffled([...desired], 'order of applying composed resources')) {
    const applied = yield* apply(object, manager);
    composed.push({resourceName, ready, synced: applied.ok});
    if (applied.ok) continue;
    const failure = wrap(`cannot apply composed resource "${resourceName}"`, applied.failure);
    if (!isInvalid(applied.failure)) return {ok: false, failure};
    warnings.push({type: 'Warning', reason: 'ComposeResources', message: failure.message, claimToo: false});
  }
  return success({composed, warnings});
}

// The desired status of the pipeline, and since v2 the conditions that this reconcile read. So a reconcile of a stale XR restores
// old conditions for a moment. A condition of the pipeline that is equal to the one read stays, and without a time it is refused: Go
// writes null.
function statusBody(xr: KubeObject, run: PipelineRun, profile: Profile): KubeObject {
  const desired = (run.desired.composite?.object ?? {}) as JsonObject;
  const {apiVersion, kind} = xr;
  const {name, uid} = xr.metadata;
  const {namespace: asked, ...said} = (desired['metadata'] ?? {}) as JsonObject;
  // Since XRs may be namespaced, a namespace that a function gives one that is not counts for nothing (v2.0.0).
  const namespace = xr.metadata.namespace ?? (profile.definitionApi === 'v1' ? asked : undefined);
  const metadata = {
    ...said,
    name,
    ...(namespace === undefined ? {} : {namespace}),
    ...(uid === undefined ? {} : {uid}),
  };
  const body = {...desired, apiVersion, kind, metadata} as KubeObject;
  const conditions = profile.statusApply === 'with-conditions' ? conditionsOf(xr) : [];
  if (conditions.length === 0) return body;
  let merged: readonly Condition[] = conditionsOf(body);
  for (const condition of conditions) merged = setCondition(merged, condition);
  const written = merged.map((condition) => ({lastTransitionTime: null, ...condition}));
  return {...body, status: {...body.status, conditions: written as readonly Json[]}};
}

function* trackDependencies(xr: KubeObject, desired: Desired, run: PipelineRun, how: Composing): Step<void> {
  if (!how.realtime || how.profile.engine !== 'tracker') return;
  const composed = [...desired.values()].map(({object}): Reference => refTo(object, false));
  const {name} = how.controller;
  yield* memory<Memory>((state) => {
    const dependencies = {composed, required: run.required};
    return withTracker(state, name, track(trackerOf(state, name), keyOf(xr.metadata), dependencies));
  });
}

function result(run: PipelineRun, events: readonly TargetedEvent[], written: Written): Composition {
  const {composite} = run.desired;
  const ready = composite?.ready;
  return {
    xr: written.xr,
    composed: written.composed,
    connectionDetails: composite?.connectionDetails ?? new Map(),
    ...(ready === undefined || ready === 'unspecified' ? {} : {ready: ready === 'true'}),
    events: [...events, ...written.warnings],
    conditions: run.conditions,
    ...(run.ttlMs === undefined ? {} : {ttlMs: run.ttlMs}),
  };
}

function broken(failure: Failure, xr?: KubeObject): ComposeResult {
  return {ok: false, broken: {failure, events: [], conditions: [], ...(xr === undefined ? {} : {xr})}};
}
