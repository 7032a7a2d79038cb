// How the managed reconciler writes and ends: PUTs of the whole object. The answer to a PUT of the object replaces what is in
// memory, so a status set before it is lost; a PUT of the status carries the annotations in memory along for nothing.

import type {ApiError} from '../api/request.ts';
import {reconcileError} from '../crossplane/conditions.ts';
import {isObject} from '../json.ts';
import {api, note, now, type Outcome, type Step} from '../kernel/call.ts';
import {type GroupVersionKind, groupOf, type KubeObject, refOf} from '../object.ts';
import {pollIntervalMsOf} from './annotations.ts';
import {atGeneration, type ConditionDraft, withConditionsSet} from './conditions.ts';
import type {ExternalClient} from './external-client.ts';
import type {ManagedKind, ProviderSettings} from './managed-kind.ts';
import type {Policy} from './policies.ts';

/** The values that stay the same during one reconcile. */
export interface ManagedRun {
  readonly kind: ManagedKind;
  readonly settings: ProviderSettings;
  readonly client: ExternalClient;
  readonly policy: Policy;
  /** The token of a request to reconcile that this reconcile is the first to see. */
  readonly requestToken: string | undefined;
}

export type Written =
  | {readonly ok: true; readonly managed: KubeObject}
  | {readonly ok: false; readonly managed: KubeObject; readonly error: ApiError};

export const retryOnConflict: Outcome = {kind: 'retry', reason: 'Conflict'};

/** Comes again with back-off: what a Go reconciler calls Requeue: true. */
export function requeue(reason: string): Outcome {
  return {kind: 'retry', reason};
}

/** Success with nothing left to do: look again after the poll interval, the object's own where it names one. */
export function pollAgain({settings}: Pick<ManagedRun, 'settings'>, managed: KubeObject): Outcome {
  const asked = settings.runtime.honoursPollAnnotations ? pollIntervalMsOf(managed) : undefined;
  const afterMs = asked === undefined ? settings.pollMs : Math.max(asked, settings.minPollMs);
  return {kind: 'requeue-after', afterMs};
}

/** PUT of the object. The reconcile goes on with the returned object. */
export function* updateObject({settings}: Pick<ManagedRun, 'settings'>, managed: KubeObject): Step<Written> {
  const response = yield* api({verb: 'update', object: managed, manager: settings.manager});
  if (!response.ok) return {ok: false, managed, error: response};
  return {ok: true, managed: response.object ?? managed};
}

/** Marks the conditions, writes the status and answers how the reconcile ends: `outcome`, or a retry where the write failed. */
export function* conclude(
  run: Pick<ManagedRun, 'settings' | 'requestToken'>,
  managed: KubeObject,
  conditions: readonly ConditionDraft[],
  outcome: Outcome,
): Step<Outcome> {
  const {settings, requestToken} = run;
  const marked = settings.runtime.marksGeneration ? atGeneration(managed, conditions) : conditions;
  const withMarks = withConditionsSet(managed, marked, yield* now());
  const handled =
    requestToken === undefined
      ? withMarks
      : {...withMarks, status: {...withMarks.status, lastHandledReconcileAt: requestToken}};
  const object = statusBody(handled);
  const response = yield* api({verb: 'update', object, manager: settings.manager, subresource: 'status'});
  if (response.ok) return outcome;
  if (isConflict(response)) return retryOnConflict;
  return requeue(`cannot update managed resource status: ${response.message}`);
}

interface Failing {
  /** Of the event. */
  readonly reason: string;
  readonly message: string;
  /** The event's message, if it is shorter than the condition's. */
  readonly said?: string;
  /** Conditions to write besides Synced. */
  readonly conditions?: readonly ConditionDraft[];
}

/** Reports a failure in an event and in the condition Synced, and retries with back-off. */
export function* failing(
  run: ManagedRun,
  managed: KubeObject,
  {reason, message, said = message, conditions = []}: Failing,
): Step<Outcome> {
  yield* event(managed, 'Warning', reason, said);
  return yield* conclude(run, managed, [...conditions, reconcileError(message)], requeue(message));
}

/** The object as a provider's Go type writes its status: atProvider is a struct and never left out. */
export function statusBody(managed: KubeObject): KubeObject {
  if (isObject(managed.status?.['atProvider'])) return managed;
  return {...managed, status: {...managed.status, atProvider: managed.status?.['atProvider'] ?? {}}};
}

/** An optimistic-concurrency conflict: not every 409 is one. */
export function isConflict(error: ApiError): boolean {
  return error.code === 409 && error.reason === 'Conflict';
}

/** A Kubernetes event about the managed resource. */
export function* event(managed: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string): Step<void> {
  yield* note({type, reason, message, about: refOf(managed)});
}

/** `managed/<kind>.<group>`, as crossplane-runtime names the controllers of managed kinds. */
export function controllerName({apiVersion, kind}: GroupVersionKind): string {
  return `managed/${kind.toLowerCase()}.${groupOf(apiVersion)}`;
}
