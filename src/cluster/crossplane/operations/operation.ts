// The reconciler of Operations: runs a pipeline of functions to its end once. It applies the desired resources by force and never
// collects them. A failed Operation is retried with back-off until the limit; resources applied by then stay.
// crossplane/crossplane 2d040d2da internal/controller/ops/operation/reconciler.go, constructor.go, the same in v2.3.4.
//
// Not modelled: inputs that are no JSON, which the API server refuses.

import type {RequestBody, StateBody} from '../../../wire/request-encode.ts';
import type {ResponseBody} from '../../../wire/response-decode.ts';
import {at, type JsonObject} from '../../json.ts';
import {done, type Outcome, type Reconcile, type Step, shuffled} from '../../kernel/call.ts';
import {isDeleting, type KubeObject} from '../../object.ts';
import {kindOperation, managerOperationPrefix} from '../../vocabulary.ts';
import {apply, listCached} from '../client.ts';
import {fetchCredentials} from '../composite/credentials.ts';
import {capabilities} from '../composite/pipeline.ts';
import {fetchUpFront} from '../composite/required-resources.ts';
import {callUntilSettled} from '../composite/settle-requirements.ts';
import {TaggedRequest} from '../composite/tagged-request.ts';
import {type Mark, reconcileSuccess, withGeneration} from '../conditions.ts';
import {type Failure, failed, type Result, record, retryAfter, wrap} from '../failure.ts';
import {functionRevisionKind, functionsOf, missingCapability} from '../pipeline-check.ts';
import type {Profile} from '../profile.ts';
import {markedNow, reconciles} from '../reconciler.ts';
import {
  afterWrite,
  type Broken,
  complete,
  failedWith,
  isComplete,
  refuse,
  running,
  writeStatus,
} from './operation-objects.ts';

const defaultRetryLimit = 5;

export function reconcileOperation(profile: Profile): (key: string) => Reconcile {
  return reconciles(kindOperation, 'Operation', function* (operation) {
    if (isDeleting(operation) || isComplete(operation)) return done;
    const limit = Number(operation.spec?.['retryLimit'] ?? defaultRetryLimit);
    if (failuresOf(operation) >= limit) {
      const end = failedWith(`failure limit of ${limit} reached`);
      return afterWrite(yield* writeStatus(operation, [reconcileSuccess, end]));
    }
    // Refused where the cache is old, so that an Operation that is complete does not run again.
    const started = yield* writeStatus(operation, [running]);
    if (!started.ok) return retryAfter(started.failure);
    return yield* runOnce(started.value, profile);
  });
}

function* runOnce(operation: KubeObject, profile: Profile): Step<Outcome> {
  const revisions = yield* listCached(functionRevisionKind(profile));
  const lacking = revisions.ok
    ? missingCapability('operation', functionsOf(operation), revisions.value)
    : `cannot list FunctionRevisions: ${revisions.failure.message}`;
  if (lacking !== undefined) {
    const failure = {message: `function capability check failed: ${lacking}`};
    const mark: Mark = {
      type: 'ValidPipeline',
      status: 'False',
      reason: 'MissingCapabilities',
      message: failure.message,
    };
    return yield* fail({operation, reason: 'InvalidPipeline', failure, marks: [mark]});
  }
  const run = yield* runOperationPipeline(operation, profile);
  if (!run.ok) return yield* fail(run.broken);
  const applied = yield* applyDesired(run.operation, run.desired);
  if (!applied.ok) return yield* fail(applied.broken);
  return afterWrite(yield* writeStatus(applied.operation, [reconcileSuccess, complete]));
}

function* fail({operation, reason, failure, marks = []}: Broken): Step<Outcome> {
  const status = {...operation.status, failures: failuresOf(operation) + 1};
  return yield* refuse({...operation, status}, reason, failure, marks);
}

type Applied = {readonly ok: true; readonly operation: KubeObject} | {readonly ok: false; readonly broken: Broken};

// One by one in the order of a Go map. The first that fails ends it, and nothing takes back what went before.
function* applyDesired(operation: KubeObject, desired: StateBody): Step<Applied> {
  const manager = `${managerOperationPrefix}${operation.metadata.uid ?? ''}`;
  let next = operation;
  for (const [, {object}] of yield* shuffled([...desired.resources], 'order of applying desired resources')) {
    const body = object as unknown as KubeObject;
    const applied = yield* applyNamed(body, manager);
    if (!applied.ok) {
      const failure = wrap('cannot apply desired resource', applied.failure);
      return {ok: false, broken: {operation: next, reason: 'InvalidResource', failure}};
    }
    next = withReference(next, applied.value);
  }
  return {ok: true, operation: next};
}

// client-go refuses before it asks.
function* applyNamed(body: KubeObject, manager: string): Step<Result<KubeObject>> {
  const name = at(body, ['metadata', 'name']);
  if (typeof name !== 'string' || name === '') return failed('resource name may not be empty');
  return yield* apply(body, manager);
}

function withReference(operation: KubeObject, {apiVersion, kind, metadata}: KubeObject): KubeObject {
  const {namespace, name} = metadata;
  const reference: JsonObject = {apiVersion, kind, ...(namespace === undefined ? {} : {namespace}), name};
  const before = (operation.status?.['appliedResourceRefs'] ?? []) as readonly JsonObject[];
  if (before.some((other) => textOf(other) === textOf(reference) && other['name'] === name)) return operation;
  const all = [...before, reference].sort((left, right) => (textOf(left) < textOf(right) ? -1 : 1));
  return {...operation, status: {...operation.status, appliedResourceRefs: all}};
}

function textOf(reference: JsonObject): string {
  return ['apiVersion', 'kind', 'namespace', 'name'].map((field) => reference[field] ?? '').join('');
}

function failuresOf(operation: KubeObject): number {
  return Number(operation.status?.['failures'] ?? 0);
}

// The function pipeline of an Operation: no XR and no observed resources, and each step receives the desired state of the one
// before. crossplane/crossplane 2d040d2da internal/controller/ops/operation/reconciler.go. Resources that a step requires up front
// are read past the cache; resources that its function requires are fetched as in a Composition.
//
// Not modelled: required schemas that a step asks for up front.

type OperationRun =
  | {readonly ok: true; readonly operation: KubeObject; readonly desired: StateBody}
  | {readonly ok: false; readonly broken: Broken};

const nothing: StateBody = {resources: new Map()};
const validPipeline: Mark = {type: 'ValidPipeline', status: 'True', reason: 'ValidPipeline'};

function* runOperationPipeline(operation: KubeObject, profile: Profile): Step<OperationRun> {
  let next = yield* markedNow(operation, [validPipeline], withGeneration);
  let desired = nothing;
  let context: JsonObject | undefined = {};
  const broken = (reason: string, failure: Failure): OperationRun => {
    return {ok: false, broken: {operation: next, reason, failure}};
  };
  for (const step of (operation.spec?.['pipeline'] ?? []) as readonly JsonObject[]) {
    const name = String(step['step']);
    const credentials = yield* fetchCredentials(step, 'operation');
    if (!credentials.ok) return broken('FunctionInvocation', credentials.failure);
    const answers = yield* fetchUpFront(step, {...profile, reads: 'live'});
    if (!answers.ok) return broken('BootstrapRequirements', answers.failure);
    const request = requestOf(step, {desired, context, requiredResources: answers.value}, profile);
    const tagged = new TaggedRequest(request, credentials.value);
    const called = yield* callUntilSettled(String(at(step, ['functionRef', 'name'])), tagged, profile);
    if (!called.ok)
      return broken('FunctionInvocation', wrap(`failed to invoke pipeline step "${name}"`, called.failure));
    const response: ResponseBody = called.value;
    desired = response.desired;
    context = response.context;
    for (const {severity, message} of response.results) {
      if (severity === 'fatal') {
        return broken('FunctionInvocation', {message: `pipeline step "${name}" returned a fatal result: ${message}`});
      }
      const type = severity === 'warning' ? 'Warning' : 'Normal';
      yield* record(operation, type, 'RunPipelineStep', `Pipeline step "${name}": ${message}`);
    }
    if (response.output !== undefined) next = withOutput(next, name, response.output);
  }
  return {ok: true, operation: next, desired};
}

type Passed = Pick<RequestBody, 'desired' | 'requiredResources'> & {readonly context: JsonObject | undefined};

// Upstream leaves the observed state out. A function cannot distinguish this from an empty one.
function requestOf(step: JsonObject, {context, ...passed}: Passed, profile: Profile): Omit<RequestBody, 'tag'> {
  const input = step['input'] as JsonObject | undefined;
  return {
    ...(profile.capabilities ? {capabilities} : {}),
    observed: nothing,
    ...passed,
    ...(context === undefined ? {} : {context}),
    ...(input === undefined ? {} : {input}),
  };
}

function withOutput(operation: KubeObject, step: string, output: JsonObject): KubeObject {
  const before = (operation.status?.['pipeline'] ?? []) as readonly JsonObject[];
  const index = before.findIndex((other) => other['step'] === step);
  const pipeline = index < 0 ? [...before, {step, output}] : before.with(index, {step, output});
  return {...operation, status: {...operation.status, pipeline}};
}
