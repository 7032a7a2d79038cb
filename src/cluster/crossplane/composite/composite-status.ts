// The status of an XR: what each outcome of a reconcile marks.
// crossplane/crossplane 2d040d2da internal/controller/apiextensions/composite/reconciler.go.

import type {Step} from '../../kernel/call.ts';
import type {KubeObject} from '../../object.ts';
import {
  available,
  conditionsOf,
  creating,
  isSystemCondition,
  type Mark,
  reconcileError,
  reconcileSuccess,
  setCondition,
  withConditions,
} from '../conditions.ts';
import {openedBy} from '../engine/breaker.ts';
import {currentMemory} from '../engine/engine.ts';
import {breakerOf} from '../engine/engine-state.ts';
import {record} from '../failure.ts';
import type {Profile} from '../profile.ts';
import {markedNow} from '../reconciler.ts';
import {claimRefOf, type Schema} from '../xr.ts';
import type {ComposedResource, Composing, Composition} from './compose.ts';
import type {TargetedCondition, TargetedEvent} from './pipeline.ts';

/** Responsive: whether the circuit breaker lets the XR's watch events through. Nothing before v2.1. */
export function* markCircuit(xr: KubeObject, key: string, {profile, controller}: Composing): Step<KubeObject> {
  if (profile.circuitBreaker === 'none') return xr;
  const source = openedBy(breakerOf(yield* currentMemory(), controller.name), key);
  const closed: Mark = {type: 'Responsive', status: 'True', reason: 'WatchCircuitClosed'};
  const open: Mark = {
    type: 'Responsive',
    status: 'False',
    reason: 'WatchCircuitOpen',
    message: `Too many watch events from ${source}. Allowing events periodically.`,
  };
  return yield* markedNow(xr, [source === undefined ? closed : open], profile);
}

/**
 * Writes the events and conditions of functions to the XR, and to its claim if they target it. Only a legacy XR has a claim
 * (crossplane-runtime 4e7ed235 pkg/resource/unstructured/composite/composite.go SetClaimConditionTypes).
 */
export function* applyFunctionOutput(
  xr: KubeObject,
  schema: Schema,
  events: readonly TargetedEvent[],
  conditions: readonly TargetedCondition[],
): Step<KubeObject> {
  const claim = claimRefOf(xr);
  for (const {type, reason, message, claimToo} of events) {
    yield* record(xr, type, reason, message);
    if (claimToo && claim !== undefined) {
      yield* record({...claim, metadata: {...claim}} as unknown as KubeObject, type, reason, message);
    }
  }
  let next = xr;
  for (const {condition, claimToo} of conditions) {
    if (isSystemCondition(condition.type)) continue;
    next = withConditions(next, setCondition(conditionsOf(next), condition));
    if (claimToo && schema === 'legacy') next = withClaimCondition(next, condition.type);
  }
  return next;
}

function withClaimCondition(xr: KubeObject, type: string): KubeObject {
  const types = (xr.status?.['claimConditionTypes'] ?? []) as readonly string[];
  if (types.includes(type)) return xr;
  return {...xr, status: {...xr.status, claimConditionTypes: [...types, type]}};
}

/** After a failure of the pipeline, sets the conditions that no function set before it to Unknown. */
export function* markUnseen(
  xr: KubeObject,
  conditions: readonly TargetedCondition[],
  profile: Profile,
): Step<KubeObject> {
  const seen = new Set(conditions.map(({condition}) => condition.type));
  const marks = conditionsOf(xr)
    .filter(({type}) => !isSystemCondition(type) && !seen.has(type))
    .map(({type}): Mark => ({type, status: 'Unknown', reason: 'FatalError', message: fatalMessage}));
  return marks.length === 0 ? xr : yield* markedNow(xr, marks, profile);
}

const fatalMessage = 'A fatal error occurred before the status of this condition could be determined.';

export interface Judged {
  readonly xr: KubeObject;
  /** Every composed resource is synced and ready. */
  readonly settled: boolean;
}

/** Synced and Ready, from the composed resources or, for Ready, from the pipeline's own word. */
export function* markComposed(composition: Composition, profile: Profile): Step<Judged> {
  const {xr, composed} = composition;
  const unsynced = yield* namesWhere(xr, composed, 'synced', 'valid');
  const unready = yield* namesWhere(xr, composed, 'ready', 'ready');
  const synced =
    unsynced.length === 0 ? reconcileSuccess : reconcileError(`Unsynced resources: ${firstNames(unsynced)}`);
  let ready: Mark =
    unready.length === 0 ? available : {...creating, message: `Unready resources: ${firstNames(unready)}`};
  if (profile.functionConditions === 'applied' && composition.ready !== undefined) {
    ready = composition.ready ? available : creating;
  }
  return {xr: yield* markedNow(xr, [synced, ready], profile), settled: unsynced.length + unready.length === 0};
}

function* namesWhere(
  xr: KubeObject,
  composed: readonly ComposedResource[],
  field: 'synced' | 'ready',
  word: string,
): Step<readonly string[]> {
  const names = composed.filter((resource) => !resource[field]).map(({resourceName}) => resourceName);
  for (const name of names) {
    yield* record(xr, 'Normal', 'ComposeResources', `Composed resource "${name}" is not yet ${word}`);
  }
  return names;
}

function firstNames(names: readonly string[]): string {
  const sorted = [...names].sort();
  if (sorted.length < 3) return sorted.join(', ');
  if (sorted.length === 3) return `${sorted.slice(0, 2).join(', ')}, and ${sorted[2]}`;
  return `${sorted.slice(0, 3).join(', ')}, and ${sorted.length - 3} more`;
}
