// Calls of a reconciler to the world around it. Reconcilers are generators: one `yield` is one call.
//
// Calls to the API server, a function or the cloud, and sleeping, are interleaving points: between such a call and the next one
// anything else may happen. All other calls are local to the process; the kernel answers them at once, in the same step, so a
// read-modify-write of process memory is atomic, as it is under a Go mutex.
//
// A reconciler must be a function of its key and the replies it got: no state outside the generator but process memory. The kernel
// replays it from (controller, key, replies so far) whenever a state is forked.

import type {StateBody} from '../../wire/request-encode.ts';
import type {ResourceSelector} from '../../wire/resource-message.ts';
import type {ApiRequest, ApiResponse, ListScope} from '../api/request.ts';
import type {ClientError} from '../client/client-error.ts';
import type {KindScope} from '../client/rest-mapper.ts';
import type {CloudRequest} from '../cloud/cloud-protocol.ts';
import type {JsonObject} from '../json.ts';
import type {GroupVersionKind, KubeObject, ResourceRef} from '../object.ts';

export type CacheRead = {readonly verb: 'get'; readonly ref: ResourceRef} | ({readonly verb: 'list'} & ListScope);

export type CacheReply =
  | {readonly ok: true; readonly object: KubeObject | undefined; readonly items: readonly KubeObject[]}
  /** The informer did not sync before the reconcile's deadline: what controller-runtime calls a Timeout. */
  | {readonly ok: false; readonly reason: 'Timeout'; readonly message: string}
  /** No informer was started, because the client knows no such kind. */
  | {readonly ok: false; readonly reason: 'NoMatch'; readonly message: string};

export type FunctionReply =
  /** An encoded RunFunctionResponse. */
  | {readonly ok: true; readonly response: Uint8Array}
  /** Why the call failed: deadline, unreachable, crash. */
  | {readonly ok: false; readonly message: string};

/** The package of the gRPC service by which Crossplane calls a function: the same messages in either. */
export type FunctionService = 'apiextensions.fn.proto.v1beta1' | 'apiextensions.fn.proto.v1';

/** A call of a function that is not in this process. */
export interface RemoteCall {
  readonly target: string;
  readonly service: FunctionService;
  readonly request: Uint8Array;
  /** The reconcile that calls, for the timeline. */
  readonly run: string;
}

export type Call =
  | {readonly to: 'api'; readonly request: ApiRequest}
  | {readonly to: 'function'; readonly target: string; readonly service: FunctionService; readonly request: Uint8Array}
  | {readonly to: 'cloud'; readonly request: CloudRequest}
  | {readonly to: 'sleep'; readonly forMs: number}
  /** Reads the process's informer cache; waits where the informer is not synced yet. */
  | {readonly to: 'cache'; readonly read: CacheRead}
  | {readonly to: 'memory'; readonly change: (memory: unknown) => unknown}
  /** Whether a kind has a namespace, as the process's REST mapper knows it. */
  | {readonly to: 'scope'; readonly kind: GroupVersionKind}
  | {readonly to: 'now'}
  /** A number in [0, bound) from the world's seed; the explorer branches on it. */
  | {readonly to: 'choose'; readonly bound: number; readonly why: string}
  /** Adds a key to one of the process's queues, as a channel source or a requeue would. */
  | {readonly to: 'enqueue'; readonly controller: string; readonly key: string; readonly afterMs: number}
  /** Starts a goroutine: a routine of the process that outlives this reconcile but not the process. */
  | {readonly to: 'spawn'; readonly routine: string; readonly input: JsonObject}
  /** Ends the process at once, as a Go fatal error does. */
  | {readonly to: 'die'; readonly message: string}
  /** For the timeline only: Kubernetes events and log lines. No actor in the world reads it. */
  | {readonly to: 'note'; readonly note: Note}
  /** For observers only: what a pipeline desires before a function that is watched. */
  | {readonly to: 'desire'; readonly desire: Desire};

/**
 * The desired state of the steps before the first watched function, and its input; without a watched function, the whole desired
 * state.
 */
export interface Desire {
  readonly xr: KubeObject;
  readonly desired: StateBody;
  readonly input: JsonObject;
  /** How many steps of the pipeline call a watched function. */
  readonly steps: number;
  /** True if Crossplane comes again after its poll interval, whatever functions answer. */
  readonly isPolled: boolean;
  /** Selectors of the objects that the Composition's step requires, by name. */
  readonly required: readonly (readonly [string, ResourceSelector])[];
}

export interface Note {
  readonly type: 'Normal' | 'Warning' | 'Log';
  readonly reason: string;
  readonly message: string;
  readonly about?: ResourceRef;
}

/** How a reconcile ended, as controller-runtime's Result and error. */
export type Outcome =
  /** Forget the key's back-off and wait for the next event. */
  | {readonly kind: 'done'}
  /** Forget the key's back-off and come again after a while. */
  | {readonly kind: 'requeue-after'; readonly afterMs: number}
  /** Come again with the key's exponential back-off: an error, or Requeue: true. */
  | {readonly kind: 'retry'; readonly reason: string};

export const done: Outcome = {kind: 'done'};

export type Reconcile = Generator<Call, Outcome, unknown>;
/** A part of a reconcile that answers T. Compose with `yield*`. */
export type Step<T> = Generator<Call, T, unknown>;

/** Asks the API server, in a process that has no client of its own. */
export function* api(request: ApiRequest): Step<ApiResponse> {
  return (yield {to: 'api', request}) as ApiResponse;
}

/** Asks through the process's client, which may refuse before the API server is asked. */
export function* throughClient(request: ApiRequest): Step<ApiResponse | ClientError> {
  return (yield {to: 'api', request}) as ApiResponse | ClientError;
}

/** The bytes of a message, which are made when they are asked for first. */
export interface Encoding {
  readonly bytes: Uint8Array;
}

export function* callFunction(target: string, service: FunctionService, encoding: Encoding): Step<FunctionReply> {
  return (yield new FunctionCall(target, service, encoding)) as FunctionReply;
}

// A class, because a getter in an object literal gives each call a hidden class of its own, which keeps what the getter
// sees until the next full collection of garbage: the objects of a request, and all that is noted of them.
class FunctionCall {
  readonly to = 'function';
  readonly target: string;
  readonly service: FunctionService;
  readonly #encoding: Encoding;

  constructor(target: string, service: FunctionService, encoding: Encoding) {
    this.target = target;
    this.service = service;
    this.#encoding = encoding;
  }

  get request(): Uint8Array {
    return this.#encoding.bytes;
  }
}

export function* cloud<T>(request: CloudRequest): Step<T> {
  return (yield {to: 'cloud', request}) as T;
}

export function* sleep(forMs: number): Step<void> {
  yield {to: 'sleep', forMs};
}

export function* cached(read: CacheRead): Step<CacheReply> {
  return (yield {to: 'cache', read}) as CacheReply;
}

/** Changes process memory and answers the new value. With the identity it reads it. */
export function* memory<M>(change: (memory: M) => M): Step<M> {
  return (yield {to: 'memory', change: change as (memory: unknown) => unknown}) as M;
}

/** The scope of a kind; undefined where there is no match. */
export function* scopeOfKind({apiVersion, kind}: GroupVersionKind): Step<KindScope | undefined> {
  return (yield {to: 'scope', kind: {apiVersion, kind}}) as KindScope | undefined;
}

/** Milliseconds of the virtual clock. */
export function* now(): Step<number> {
  return (yield {to: 'now'}) as number;
}

export function* choose(bound: number, why: string): Step<number> {
  return bound <= 1 ? 0 : ((yield {to: 'choose', bound, why}) as number);
}

export function* enqueue(controller: string, key: string, afterMs = 0): Step<void> {
  yield {to: 'enqueue', controller, key, afterMs};
}

export function* spawn(routine: string, input: JsonObject): Step<void> {
  yield {to: 'spawn', routine, input};
}

export function* die(message: string): Step<void> {
  yield {to: 'die', message};
}

export function* note(note: Note): Step<void> {
  yield {to: 'note', note};
}

/** The list in an order drawn from the seed: what ranging over a Go map does. */
export function* shuffled<T>(items: readonly T[], why: string): Step<readonly T[]> {
  const rest = [...items];
  const out: T[] = [];
  while (rest.length > 0) out.push(...rest.splice(yield* choose(rest.length, why), 1));
  return out;
}
