// Everything a run showed: every version of every object, every function call, every change in the cloud. The timeline has the
// notable part; the HTML page also shows the change of each moment. Values are shared with the world, so keeping them costs
// references. Function calls stay bytes until decisions.ts reads them.

import type {ExternalReply, ExternalRequest} from '../../../cluster/cloud/cloud-protocol.ts';
import type {External} from '../../../cluster/cloud/ledger-state.ts';
import type {FunctionReply} from '../../../cluster/kernel/call.ts';
import type {TraceEntry} from '../../../cluster/kernel/world.ts';
import type {KubeObject} from '../../../cluster/object.ts';
import type {Happening} from '../session.ts';

/** A place in the story. Steps may begin in the same millisecond, so a time alone is ambiguous. */
export interface Instant {
  /** Counted from 0. */
  readonly step: number;
  /** Milliseconds since the first step began. */
  readonly atMs: number;
}

export interface Version extends Instant {
  readonly actor: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
}

/**
 * True if a wipe wrote this version: it takes finalizers and owners off first. A restored object is compared with the version
 * before that.
 */
export function isLoss({actor, type}: Version): boolean {
  return actor === 'disaster' && type !== 'DELETED';
}

export interface FunctionCall extends Instant {
  readonly target: string;
  /** The caller: `composite/networks.example.org team/payments`. */
  readonly run: string;
  /** Names the one reconcile among all. */
  readonly reconcileId: number;
  /** Which of its XR this was, as the timeline counts: of those that ran the pipeline, since Crossplane last started. */
  readonly reconcile: number;
  readonly request: Uint8Array;
  readonly reply: FunctionReply;
}

export interface CloudChange extends Instant {
  readonly what: 'create' | 'delete';
  readonly type: string;
  readonly id: string;
  /** The managed resource it was made for. */
  readonly owner: string | undefined;
}

export interface History {
  /** The objects at the beginning of the first step. */
  readonly before: readonly KubeObject[];
  readonly versions: readonly Version[];
  readonly calls: readonly FunctionCall[];
  /** In the order of time; what was created before the first step has a time before 0. */
  readonly cloud: readonly CloudChange[];
}

export interface HistoryRecorder {
  /** Before the first step only the cloud is listened to: what it made then is part of the story. */
  readonly observe: (happening: Happening) => void;
  /** The next step of the scenario begins. */
  readonly step: (atMs: number) => void;
  /** The history with times counted from `startMs`; `alive` is what lives in the cloud now. */
  readonly history: (startMs: number, before: readonly KubeObject[], alive: readonly External[]) => History;
}

/** `skipped` functions are called and change nothing, as if they were not in the pipeline: they leave no call. */
export function recordHistory(skipped: readonly string[]): HistoryRecorder {
  const versions: Version[] = [];
  const calls: FunctionCall[] = [];
  const numbers = numberReconciles();
  let step = -1;
  const steps: number[] = [];
  const cloud = recordCloud(steps);
  return {
    observe: ({atMs, entry}) => {
      const isStory = step >= 0;
      if (isStory) numbers.observe(entry);
      if (isStory && entry.kind === 'api') {
        for (const {type, object} of entry.events) versions.push({step, atMs, actor: entry.actor, type, object});
      }
      if (isStory && entry.kind === 'function' && !skipped.includes(entry.target)) {
        const {target, run, request, reply} = entry;
        calls.push({step, atMs, target, run, ...numbers.of(run), request, reply});
      }
      cloud.observe(atMs, step, entry);
    },
    step: (atMs) => {
      step++;
      steps.push(atMs);
    },
    history: (startMs, before, alive) => {
      const since = <T extends {readonly atMs: number}>(list: readonly T[]): readonly T[] =>
        list.map((one) => ({...one, atMs: one.atMs - startMs}));
      return {
        before,
        versions: since(versions),
        calls: since(calls),
        cloud: since(cloud.changes(alive)),
      };
    },
  };
}

interface CloudRecorder {
  observe(atMs: number, step: number, entry: TraceEntry): void;
  /** In the order of time. `alive`: the external resources that live at the end. */
  changes(alive: readonly External[]): readonly CloudChange[];
}

/** `steps`: when each began; it grows while this records. */
function recordCloud(steps: readonly number[]): CloudRecorder {
  const created = new Map<string, CloudChange>();
  const deleted: CloudChange[] = [];
  const creation = (atMs: number, id: string, {type, owner}: Pick<External, 'type' | 'owner'>): CloudChange => ({
    step: stepAt(steps, atMs),
    atMs,
    what: 'create',
    type,
    id,
    owner,
  });
  return {
    observe: (atMs, step, entry) => {
      if (entry.kind !== 'cloud' || entry.phase !== 'answer') return;
      const request = entry.request as ExternalRequest;
      const reply = entry.reply as ExternalReply;
      if (request.op === 'create' && reply.committedId !== undefined) {
        created.set(reply.committedId, creation(reply.committedAtMs ?? atMs, reply.committedId, request));
      }
      if (request.op === 'delete' && reply.code === 200) {
        const owner = created.get(request.id)?.owner;
        deleted.push({step, atMs, what: 'delete', type: request.type, id: request.id, owner});
      }
    },
    changes: (alive) => {
      // A create whose answer is still under way is known from what is alive.
      const creates = new Map(created);
      for (const external of alive) {
        const {id, createdAtMs} = external;
        if (!creates.has(id)) creates.set(id, creation(createdAtMs, id, external));
      }
      return [...creates.values(), ...deleted].sort((one, other) => one.atMs - other.atMs);
    },
  };
}

/** The step in which a time lies: a cloud may carry out in one step what it answers in a later one. */
function stepAt(steps: readonly number[], atMs: number): number {
  return steps.findLastIndex((beganMs) => beganMs <= atMs);
}

interface ReconcileNumbers {
  readonly observe: (entry: TraceEntry) => void;
  readonly of: (run: string) => Pick<FunctionCall, 'reconcileId' | 'reconcile'>;
}

function numberReconciles(): ReconcileNumbers {
  const counts = new Map<string, number>();
  const ids = new Map<string, number>();
  const fresh = new Set<string>();
  let starts = 0;
  return {
    observe: (entry) => {
      if (entry.kind === 'reconcile' && entry.phase === 'start') {
        ids.set(entry.run, ++starts);
        fresh.add(entry.run);
      }
      // One that ended before its pipeline decided nothing.
      if (entry.kind === 'function' && fresh.delete(entry.run)) counts.set(entry.run, (counts.get(entry.run) ?? 0) + 1);
      if (entry.kind === 'process' && entry.change === 'started' && entry.actor === 'crossplane') counts.clear();
    },
    of: (run) => ({reconcileId: ids.get(run) ?? 0, reconcile: counts.get(run) ?? 0}),
  };
}
