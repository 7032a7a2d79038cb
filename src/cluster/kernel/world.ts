// The state of the simulated world and the static parts around it. A World is an immutable value: keeping one is a
// checkpoint, stepping one twice is a fork.
//
// Modelled: processes with memory, informers that lag, work queues, reconciles in flight, a cloud that answers late, one
// virtual clock. Not modelled: threads inside a process (a process's local steps are atomic, as under its own mutexes),
// partial network failure (a request is served or the process is down), and bandwidth. Sound here because every hazard
// of the bug family shows at the grain of one API call, cloud call or watch event.

import type {Forbidden} from '../api/authorization.ts';
import type {ApiRequest, ApiResponse, WatchEvent} from '../api/request.ts';
import type {Admission, ServerState} from '../api/server.ts';
import type {RestMapper} from '../client/rest-mapper.ts';
import type {CloudModel} from '../cloud/cloud-model.ts';
import type {CloudRequest} from '../cloud/cloud-protocol.ts';
import type {CloudLedger} from '../cloud/ledger-state.ts';
import type {Fifo} from '../fifo.ts';
import type {JsonObject} from '../json.ts';
import type {GroupVersionKind, KubeObject} from '../object.ts';
import type {Table} from '../table.ts';
import type {Call, Desire, FunctionReply, FunctionService, Note, Outcome} from './call.ts';
import type {Controller, Process, Watch} from './process.ts';
import type {WorkQueue} from './queue.ts';

export interface World {
  readonly nowMs: number;
  readonly server: ServerState;
  /** Undefined where the world has none. */
  readonly cloud: CloudLedger | undefined;
  readonly processes: Table<ProcessState>;
  /** Requests the cloud has taken in and not answered yet, by ticket. */
  readonly cloudRequests: Table<CloudWait>;
  readonly random: number;
  /** Numbers tasks and tickets, and orders what falls on the same millisecond. */
  readonly sequence: number;
  /** Crash points that kill their process when it reaches them. */
  readonly armed: readonly CrashPoint[];
  /** The rights that processes lack. */
  readonly forbidden: readonly Forbidden[];
}

export interface CrashPoint {
  readonly process: string;
  readonly point: string;
}

interface CloudWait {
  readonly process: string;
  readonly task: number;
  readonly request: CloudRequest;
  readonly answerAtMs: number;
}

/** A process that runs. One that is down is absent from the world. */
export interface ProcessState {
  readonly memory: unknown;
  readonly running: Running;
  readonly informers: Table<Informer>;
  /** The kinds that its client knows; undefined if the process has no client. */
  readonly mapper: RestMapper | undefined;
  /** Kinds whose informer a cached read started, where the process does not remember that itself. */
  readonly startedByReads: readonly GroupVersionKind[];
  readonly queues: Table<WorkQueue>;
  readonly tasks: Table<Task>;
}

/**
 * The handlers and routines that the process runs, by its memory. Kept, so that a change of memory that changes none of them costs
 * nothing.
 */
export interface Running {
  readonly controllers: readonly Controller[];
  readonly watches: readonly Watch<unknown>[];
  readonly informers: readonly GroupVersionKind[];
}

export interface Informer {
  readonly kind: GroupVersionKind;
  readonly synced: boolean;
  /** When the next attempt to list is made; meaningless once synced, but where the watch breaks. */
  readonly listAtMs: number;
  /** From then on the watch hears nothing, until the list. Absent: it goes on. */
  readonly brokenFromMs?: number;
  /** Events before this time are delivered only then: see stale-cache.ts. */
  readonly lateUntilMs?: number;
  readonly attempts: number;
  readonly objects: Table<KubeObject>;
  readonly pending: Fifo<PendingEvent>;
  /** `controller id` of the watches that have received every object. */
  readonly handlers: readonly string[];
}

export interface PendingEvent {
  readonly event: WatchEvent;
  readonly dueMs: number;
  /** The only handler that receives it: the replay for a watch that joined a running informer. */
  readonly only?: string;
}

/** A reconcile or routine in flight: what it is, what it was answered so far, and the call it waits on. */
export interface Task {
  readonly id: number;
  readonly run: Run;
  readonly startedAtMs: number;
  /** Replies so far, newest first. */
  readonly replies: Replies | undefined;
  readonly count: number;
  readonly call: Call;
  readonly wait: Wait;
  /** The running generator, shared by the versions of the task; valid for the version whose `count` it has reached. */
  readonly live: Live;
}

export type Run =
  | {readonly kind: 'reconcile'; readonly controller: Controller; readonly key: string}
  | {readonly kind: 'routine'; readonly routine: string; readonly input: JsonObject};

export type Wait =
  /** The call is carried out at `dueMs`. */
  | {readonly kind: 'due'; readonly dueMs: number}
  | {readonly kind: 'cloud'; readonly ticket: string}
  /** For the informer of the cached read; looks every 100 ms from `sinceMs` on, gives up at `deadlineMs`. */
  | {readonly kind: 'informer'; readonly informer: string; readonly sinceMs: number; readonly deadlineMs: number};

export interface Replies {
  readonly reply: unknown;
  readonly before: Replies | undefined;
}

export interface Live {
  // biome-ignore lint/suspicious/noConfusingVoidType: a routine's generator returns nothing, a reconcile's an Outcome.
  generator: Generator<Call, Outcome | void, unknown>;
  at: number;
}

/** How long things take, in virtual milliseconds. `jitter` 0.5 draws each between 1 and 1.5 times its value. */
export interface Latency {
  readonly apiMs: number;
  readonly watchMs: number;
  /** How many of a hundred watch events take `watchMs`; the others arrive with the answer to the write. All if absent. */
  readonly latePercent?: number;
  readonly functionMs: number;
  readonly startMs: number;
  readonly jitter: number;
}

/** The static parts of a world. */
export interface Definition {
  readonly processes: readonly Process<never>[];
  readonly cloud?: CloudModel;
  /** Functions that run in process, by target. Any other target must be answered from outside. */
  readonly functions: {readonly [target: string]: (request: Uint8Array, service: FunctionService) => FunctionReply};
  /** The admission webhooks in force in this world. */
  readonly admission?: (world: World) => Admission | undefined;
  readonly latency: Latency;
}

/** An event for a watcher of the run; never part of the state. */
export type TraceEntry =
  | {
      readonly kind: 'api';
      readonly actor: string;
      readonly run: string;
      readonly request: ApiRequest;
      readonly response: ApiResponse;
      readonly events: readonly WatchEvent[];
    }
  | {
      readonly kind: 'function';
      readonly actor: string;
      readonly run: string;
      readonly target: string;
      readonly request: Uint8Array;
      readonly reply: FunctionReply;
    }
  | {
      readonly kind: 'cloud';
      readonly actor: string;
      readonly request: CloudRequest;
      readonly phase: 'begin' | 'answer';
      readonly reply?: unknown;
    }
  | {readonly kind: 'note'; readonly actor: string; readonly run: string; readonly note: Note}
  | {readonly kind: 'desire'; readonly actor: string; readonly run: string; readonly desire: Desire}
  | {readonly kind: 'reconcile'; readonly actor: string; readonly run: string; readonly phase: 'start'}
  | {
      readonly kind: 'reconcile';
      readonly actor: string;
      readonly run: string;
      readonly phase: 'end';
      readonly outcome: Outcome | undefined;
    }
  | {
      readonly kind: 'process';
      readonly actor: string;
      readonly change: 'started' | 'stopped' | 'died';
      readonly message?: string;
    };

export type Observer = (atMs: number, entry: TraceEntry) => void;

export const defaultLatency: Latency = {apiMs: 4, watchMs: 1, functionMs: 3, startMs: 1, jitter: 0};
