// The function pipeline of an Operation: no XR and no observed resources, and each step receives the desired state of the one
// before. crossplane/crossplane 2d040d2da internal/controller/ops/operation/reconciler.go. Resources that a step requires up front
// are read past the cache; resources that its function requires are fetched as in a Composition.
//
// Not modelled: required schemas that a step asks for up front.

import type {RequestBody, StateBody} from '../../../wire/request-encode.ts';
import type {ResponseBody} from '../../../wire/response-decode.ts';
import {at, type JsonObject} from '../../json.ts';
import type {Step} from '../../kernel/call.ts';
import type {KubeObject} from '../../object.ts';
import {fetchCredentials} from '../composite/credentials.ts';
import {capabilities} from '../composite/pipeline.ts';
import {fetchUpFront} from '../composite/required-resources.ts';
import {callUntilSettled} from '../composite/settle-requirements.ts';
import {TaggedRequest} from '../composite/tagged-request.ts';
import {type Mark, withGeneration} from '../conditions.ts';
import {type Failure, record, wrap} from '../failure.ts';
import type {Profile} from '../profile.ts';
import {markedNow} from '../reconciler.ts';
import type {Broken} from './operation-objects.ts';

export type OperationRun =
  | {readonly ok: true; readonly operation: KubeObject; readonly desired: StateBody}
  | {readonly ok: false; readonly broken: Broken};

const nothing: StateBody = {resources: new Map()};
const validPipeline: Mark = {type: 'ValidPipeline', status: 'True', reason: 'ValidPipeline'};

export function* runOperationPipeline(operation: KubeObject, profile: Profile): Step<OperationRun> {
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
