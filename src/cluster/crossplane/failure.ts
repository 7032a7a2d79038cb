// Go's `error` as Crossplane uses it: a sentence that grows at the front as it is wrapped, and the API error inside,
// which decides what the reconciler makes of it.

import type {ApiError, ApiResponse} from '../api/request.ts';
import type {ClientError} from '../client/client-error.ts';
import {note, type Outcome, type Reconcile, type Step} from '../kernel/call.ts';
import {type KubeObject, refOf} from '../object.ts';

export interface Failure {
  readonly message: string;
  /** The API server's answer it came from; absent where Crossplane itself found fault. */
  readonly cause?: ApiError;
  /** Set where the client sent no request at all. */
  readonly refused?: ClientError['refused'];
  /** A cached read whose informer did not sync in time. */
  readonly timeout?: true;
}

export type Result<T> = {readonly ok: true; readonly value: T} | {readonly ok: false; readonly failure: Failure};

export function success<T>(value: T): Result<T> {
  return {ok: true, value};
}

export function failed(message: string): Result<never> {
  return {ok: false, failure: {message}};
}

export function failedWith(failure: Failure): Result<never> {
  return {ok: false, failure};
}

/** `context: message`, as errors.Wrap. */
export function wrap(context: string, failure: Failure): Failure {
  return {...failure, message: `${context}: ${failure.message}`};
}

export function wrapped<T>(context: string, result: Result<T>): Result<T> {
  return result.ok ? result : failedWith(wrap(context, result.failure));
}

/** The failure that an error response stands for. */
export function failureOf(response: ApiError | ClientError): Failure {
  const {message} = response;
  return response.code === undefined ? {message, refused: response.refused} : {message, cause: response};
}

/** The object of an answer, or the answer as failure. */
export function objectOf(response: ApiResponse | ClientError): Result<KubeObject> {
  if (!response.ok) return failedWith(failureOf(response));
  if (response.object === undefined) return failed('the API server answered without an object');
  return success(response.object);
}

/** meta.IsNoMatchError: the client knows no such kind. Not a NotFound. */
export function isNoMatch(failure: Failure): boolean {
  return failure.refused === 'no-match';
}

export function isNotFound(failure: Failure): boolean {
  return failure.cause?.code === 404;
}

/**
 * kerrors.IsConflict: reason Conflict, or any other 409 whose reason Kubernetes does not know. The Usage webhook puts a
 * sentence there, so a denied delete counts as a conflict and is retried in silence.
 */
export function isConflict(failure: Failure): boolean {
  return failure.cause?.code === 409 && failure.cause.reason !== 'AlreadyExists';
}

export function isInvalid(failure: Failure): boolean {
  return failure.cause?.reason === 'Invalid';
}

/** The outcome of a returned error in controller-runtime; a conflict is retried without an event. */
export function retryAfter(failure: Failure): Outcome {
  return {kind: 'retry', reason: isConflict(failure) ? 'conflict' : failure.message};
}

export const requeue: Outcome = {kind: 'retry', reason: 'requeue'};

/** A Kubernetes event, for the timeline. */
export function* record(about: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string): Step<void> {
  yield* note({type, reason, message, about: refOf(about)});
}

/** Ends a failed reconcile with a Warning event and its back-off. The status does not mention the failure. */
export function* warned(about: KubeObject, reason: string, failure: Failure): Reconcile {
  yield* record(about, 'Warning', reason, failure.message);
  return retryAfter(failure);
}

/** The same, but a lost optimistic lock is no event. */
export function* warnedOrConflict(about: KubeObject, reason: string, failure: Failure): Reconcile {
  return isConflict(failure) ? retryAfter(failure) : yield* warned(about, reason, failure);
}

/** The same, but without a word where an optimistic lock was lost. */
export function* warnedUnlessConflict(about: KubeObject, reason: string, failure: Failure): Reconcile {
  return isConflict(failure) ? requeue : yield* warned(about, reason, failure);
}
