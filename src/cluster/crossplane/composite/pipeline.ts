// The function pipeline of one reconcile. crossplane/crossplane 2d040d2da composite/composition_functions.go (Compose,
// first half).
//
// Each step sees the same observed state and what the step before it desired. Not modelled: required schemas of
// a Composition (those of a function are), the alpha cache of function responses.

import type {RequestBody, StateBody} from '../../../wire/request-encode.ts';
import type {
  Condition as FunctionCondition,
  Result as FunctionResult,
  ResourceSelector,
} from '../../../wire/resource-message.ts';
import type {ResponseBody} from '../../../wire/response-decode.ts';
import {at, type JsonObject} from '../../json.ts';
import {now, type Step} from '../../kernel/call.ts';
import type {Condition, KubeObject} from '../../object.ts';
import {timestamp} from '../../timestamp.ts';
import {currentMemory} from '../engine/engine.ts';
import {trackerOf} from '../engine/engine-state.ts';
import {type Requirement, requirementsOf} from '../engine/tracker.ts';
import {type Failure, type Result, success, wrap} from '../failure.ts';
import type {Profile} from '../profile.ts';
import type {ConnectionDetails} from './connection.ts';
import {fetchCredentials} from './credentials.ts';
import type {Observed} from './observe.ts';
import {fetchRequired, fetchUpFront, referenceOf, requiredUpFront, selectorOf} from './required-resources.ts';
import {callUntilSettled} from './settle-requirements.ts';
import {TaggedRequest} from './tagged-request.ts';

export interface TargetedEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly claimToo: boolean;
}

export interface TargetedCondition {
  readonly condition: Condition;
  readonly claimToo: boolean;
}

export interface PipelineRun {
  readonly desired: StateBody;
  readonly events: readonly TargetedEvent[];
  readonly conditions: readonly TargetedCondition[];
  readonly required: readonly Requirement[];
  /** The shortest time a function vouches for its response; undefined: for ever. */
  readonly ttlMs?: number;
}

/** The results and conditions of the steps before a fatal result or an error ended the pipeline. */
export interface BrokenRun {
  /** The XR as it is in memory by then, where that is not the one the reconcile came with. */
  readonly xr?: KubeObject;
  readonly failure: Failure;
  readonly events: readonly TargetedEvent[];
  readonly conditions: readonly TargetedCondition[];
}

export interface PipelineInput {
  readonly xr: KubeObject;
  readonly xrKey: string;
  readonly controller: string;
  readonly connectionDetails: ConnectionDetails;
  readonly observed: Observed;
  readonly steps: readonly JsonObject[];
  readonly isPolled: boolean;
  readonly profile: Profile;
}

// CAPABILITIES, REQUIRED_RESOURCES, CREDENTIALS, CONDITIONS, REQUIRED_SCHEMAS.
export const capabilities = [1, 2, 3, 4, 5];
const noState: StateBody = {resources: new Map()};

export function* runPipeline(
  input: PipelineInput,
): Step<{readonly ok: true; readonly value: PipelineRun} | {readonly ok: false; readonly broken: BrokenRun}> {
  const {profile, isPolled} = input;
  const events: TargetedEvent[] = [];
  const conditions: TargetedCondition[] = [];
  const required: Requirement[] = [];
  const observed = observedState(input);
  let desired = noState;
  let context: JsonObject | undefined = {};
  let ttlMs: number | undefined;
  let isTold = profile.watched === undefined;
  const watched = input.steps.filter((step) => profile.watched?.functions.includes(targetOf(step)));
  const broken = (failure: Failure) => ({ok: false as const, broken: {failure, events, conditions}});

  for (const step of input.steps) {
    const name = String(step['step']);
    const target = targetOf(step);
    if (watched.includes(step)) {
      const stepInput = (step['input'] ?? {}) as JsonObject;
      const required = requiredUpFront(step);
      const desire = {xr: input.xr, desired, input: stepInput, steps: watched.length, required, isPolled};
      if (!isTold) yield {to: 'desire', desire};
      isTold = true;
      if (profile.watched?.absent === true) continue;
    }
    const prepared: Result<PreparedStep> = yield* prepare(input, step, {observed, desired, context});
    if (!prepared.ok) return broken(prepared.failure);
    required.push(...prepared.value.bootstrap);
    const called: Result<ResponseBody> = yield* callUntilSettled(target, prepared.value.request, profile);
    if (!called.ok) return broken(wrap(`cannot run Composition pipeline step "${name}"`, called.failure));
    const response: ResponseBody = called.value;
    required.push(...requirementsFrom([...response.requirements, ...response.extraRequirements], name));
    ttlMs = shorter(ttlMs, response.ttlSeconds);
    desired = response.desired;
    context = response.context;
    const nowMs = yield* now();
    if (profile.functionConditions === 'applied') {
      conditions.push(...response.conditions.map((condition) => targeted(condition, nowMs)));
    }
    for (const result of response.results) {
      if (result.severity === 'fatal') {
        return broken({message: `pipeline step "${name}" returned a fatal result: ${result.message}`});
      }
      events.push(eventOf(result, name));
    }
  }
  if (!isTold) yield {to: 'desire', desire: {xr: input.xr, desired, input: {}, steps: 0, required: [], isPolled}};
  return {ok: true, value: {desired, events, conditions, required, ...(ttlMs === undefined ? {} : {ttlMs})}};
}

function targetOf(step: JsonObject): string {
  return String(at(step, ['functionRef', 'name']));
}

interface PreparedStep {
  readonly request: TaggedRequest;
  readonly bootstrap: readonly Requirement[];
}

interface Passed {
  readonly observed: StateBody;
  readonly desired: StateBody;
  readonly context: JsonObject | undefined;
}

function* prepare(input: PipelineInput, step: JsonObject, passed: Passed): Step<Result<PreparedStep>> {
  const {profile} = input;
  const name = String(step['step']);
  const answers = yield* fetchUpFront(step, profile);
  if (!answers.ok) return answers;
  if (profile.seededRequirements) yield* seed(input, name, answers.value);
  const credentials = yield* fetchCredentials(step, 'Composition');
  if (!credentials.ok) return credentials;
  const stepInput = step['input'] as JsonObject | undefined;
  const request: Omit<RequestBody, 'tag'> = {
    // Equal states have equal requests, so that a poll is answered from memory.
    salt: input.xr.metadata.resourceVersion,
    ...(profile.capabilities ? {capabilities} : {}),
    ...passed,
    context: passed.context ?? {},
    ...(stepInput === undefined ? {} : {input: stepInput}),
    requiredResources: answers.value,
  };
  const bootstrap = requirementsFrom(requiredUpFront(step), name);
  return success({request: new TaggedRequest(request, credentials.value), bootstrap});
}

// The step's requirements from last time, fetched so that one call may do. Best effort: those that cannot be fetched are left out.
function* seed(input: PipelineInput, step: string, answers: Map<string, readonly JsonObject[]>): Step<void> {
  const tracker = trackerOf(yield* currentMemory(), input.controller);
  for (const {name, reference} of requirementsOf(tracker, input.xrKey, step)) {
    if (answers.has(name)) continue;
    const found = yield* fetchRequired(selectorOf(reference), input.profile);
    if (found.ok) answers.set(name, found.value);
  }
}

function requirementsFrom(
  selectors: Iterable<readonly [string, ResourceSelector]>,
  step: string,
): readonly Requirement[] {
  return [...selectors].map(([name, selector]) => ({step, name, reference: referenceOf(selector)}));
}

function observedState({xr, connectionDetails, observed}: PipelineInput): StateBody {
  const resources = [...observed].map(([name, {object, connectionDetails: details}]) => {
    return [name, {object, connectionDetails: details}] as const;
  });
  return {composite: {object: xr, connectionDetails}, resources: new Map(resources)};
}

function shorter(ttlMs: number | undefined, seconds: number | undefined): number | undefined {
  if (seconds === undefined || seconds <= 0) return ttlMs;
  return ttlMs === undefined ? seconds * 1000 : Math.min(ttlMs, seconds * 1000);
}

function targeted({type, status, reason, message, target}: FunctionCondition, nowMs: number): TargetedCondition {
  const condition: Condition = {
    type,
    status,
    reason,
    lastTransitionTime: timestamp(nowMs),
    ...(message === undefined || message === '' ? {} : {message}),
  };
  return {condition, claimToo: target === 'composite-and-claim'};
}

function eventOf({severity, reason, message, target}: FunctionResult, step: string): TargetedEvent {
  return {
    type: severity === 'warning' ? 'Warning' : 'Normal',
    reason: reason === undefined || reason === '' ? 'ComposeResources' : reason,
    message: `Pipeline step "${step}": ${message}`,
    claimToo: target === 'composite-and-claim',
  };
}
