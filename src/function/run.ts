// One RunFunction call: request bytes in, response bytes out. Synchronous and pure: the same request always has the same response.
// Every failure becomes a FATAL result with a sentence. A gRPC error would not reach the user, and a crash would also end the calls
// of other XRs.

import '../needs-node.ts';
import {sealsOf} from '../lifecycle/external-names/seal.ts';
import {parseInput} from '../lifecycle/input/parse.ts';
import {planOperation} from '../lifecycle/plan/operation.ts';
import {type Plan, plan} from '../lifecycle/plan/plan.ts';
import type {ObjectRef} from '../lifecycle/words/references.ts';
import {CallMemory} from '../wire/call-memory.ts';
import type {Slice} from '../wire/cursor.ts';
import {decodeEnvelope, decodeRequest, isReadableState, type RequestMessage} from '../wire/request-decode.ts';
import {encodeRefusal, encodeResponse} from '../wire/response-encode.ts';
import {decodeStruct} from '../wire/struct-cells.ts';
import {atPlace, WireError} from '../wire/text.ts';
import {invalidInputSentence, responseChanges, ttlWhileWaitingSeconds} from './answer.ts';
import {requirementAnswers, snapshotOf} from './snapshot.ts';

export interface RunOptions {
  /** How long Crossplane may reuse a response, in whole seconds, 0 for no wish; left out, that depends on the response. */
  readonly ttlSeconds?: number | undefined;
  /** Keys that seal remembered external names, first the one that seals. Data, so that a worker can be given it. */
  readonly memoryKeys?: readonly string[];
}

/** The subject and the outcome of a call, for logs and metrics: names, never content. */
export interface RunReport {
  readonly tag: string;
  readonly xr: ObjectRef;
  readonly outcome:
    | {readonly kind: 'planned'; readonly plan: Plan}
    /** The sentence that became the FATAL result. `stack` is set where the mistake is ours. */
    | {readonly kind: 'refused'; readonly sentence: string; readonly stack?: string};
}

const noXr: ObjectRef = {apiVersion: '', kind: '', namespace: '', name: ''};

/** The bytes of the response to the RunFunctionRequest in `requestBytes`. Never throws. */
export function runFunction(requestBytes: Uint8Array, options: RunOptions = {}): Uint8Array {
  return runWithReport(requestBytes, options, callMemory).response.slice();
}

const callMemory = new CallMemory();

/** As runFunction, with what there is to log and count. With `memory`, all of it is good until the next run with that. */
export function runWithReport(
  requestBytes: Uint8Array,
  options: RunOptions = {},
  memory?: CallMemory,
): {readonly response: Uint8Array; readonly report: RunReport} {
  const known = {tag: '', xr: noXr, desired: undefined as Slice | undefined};
  try {
    const request = decodeRequest(requestBytes, memory);
    known.tag = request.tag;
    known.desired = request.desired.slice;
    return answer(request, known, options, memory);
  } catch (error) {
    if (known.desired === undefined) Object.assign(known, decodeEnvelope(requestBytes));
    return refuse(known, options, failureOf(error));
  }
}

interface Known {
  readonly tag: string;
  xr: RunReport['xr'];
  readonly desired: Slice | undefined;
}

interface Failure {
  readonly kind: 'failure';
  readonly sentence: string;
  readonly stack?: string;
}

function answer(request: RequestMessage, known: Known, options: RunOptions, memory: CallMemory | undefined) {
  const xr = request.observed.composite;
  if (xr === undefined && request.observed.resources.size > 0) {
    throw new WireError('expected the XR that composes the observed resources, got nothing', 'observed.composite');
  }
  const snapshot = xr === undefined ? undefined : snapshotOf(request, xr);
  if (snapshot !== undefined) {
    const {apiVersion, kind, namespace, name} = snapshot.xr;
    known.xr = {apiVersion, kind, namespace, name};
  }
  const parsed = parseInput(inputOf(request));
  if (parsed.kind === 'invalid-input')
    return refuse(known, options, {kind: 'failure', sentence: invalidInputSentence(parsed)});
  const {input, naming} = parsed;
  const planned =
    snapshot === undefined
      ? planOperation({required: requirementAnswers(request)}, input)
      : plan(snapshot, input, naming, options.memoryKeys && sealsOf(options.memoryKeys));
  if (planned.kind === 'invalid-input') {
    const path = parsed.placeOf?.(planned.path) ?? planned.path;
    return refuse(known, options, {kind: 'failure', sentence: invalidInputSentence({...planned, path})});
  }
  const response = respond(request, planned, options, memory);
  if (response.kind === 'failure') return refuse(known, options, response);
  const report: RunReport = {tag: known.tag, xr: known.xr, outcome: {kind: 'planned', plan: planned}};
  return {response: response.bytes, report};
}

function respond(
  request: RequestMessage,
  planned: Plan,
  options: RunOptions,
  memory: CallMemory | undefined,
): {readonly kind: 'response'; readonly bytes: Uint8Array} | Failure {
  const changes = responseChanges(request, planned, options.ttlSeconds);
  try {
    return {kind: 'response', bytes: encodeResponse(request, changes, memory)};
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return {kind: 'failure', sentence: `cannot write RunFunctionResponse: ${error.message}`};
  }
}

function inputOf({input}: RequestMessage) {
  try {
    return input === undefined ? undefined : decodeStruct(input);
  } catch (error) {
    throw atPlace('input', error);
  }
}

// The response keeps the whole desired state. Crossplane stops at the FATAL result, but a caller that does not stop loses nothing. A
// desired state that cannot be read is left out, because it would make the FATAL result unreadable, too.
function refuse(known: Known, options: RunOptions, failure: Failure) {
  const result = {severity: 'fatal', message: failure.sentence} as const;
  const desired = known.desired !== undefined && isReadableState(known.desired) ? known.desired : undefined;
  const response = encodeRefusal(known.tag, desired, options.ttlSeconds ?? ttlWhileWaitingSeconds, [result]);
  const report: RunReport = {tag: known.tag, xr: known.xr, outcome: {...failure, kind: 'refused'}};
  return {response, report};
}

function failureOf(error: unknown): Failure {
  if (error instanceof WireError)
    return {kind: 'failure', sentence: `cannot read RunFunctionRequest: ${error.message}`};
  // The words of an error may quote what it failed on, which may be anything observed. Its places never do.
  const sentence = `cannot plan: internal error: ${error instanceof Error ? error.name : typeof error}`;
  const places = error instanceof Error ? error.stack?.split('\n').filter((line) => /^ +at /.test(line)) : undefined;
  const failure = {kind: 'failure', sentence} as const;
  return places === undefined ? failure : {...failure, stack: [sentence, ...places].join('\n')};
}
