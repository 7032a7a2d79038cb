// Liveness, judged from what an operator has: objects, Crossplane's log and the ends of its processes. An object is stuck
// where it is deleting for longer than every retry takes, and where it is an XR that no reconcile ever touched. What the
// log says about the cause is quoted with its minute, and what to do about it is told.

import {kindDefined} from '../../cluster/defined-kinds.ts';
import {conditionOf, isDeleting, type KubeObject} from '../../cluster/object.ts';
import type {Happening} from '../control-plane/session.ts';

export interface Stuck {
  readonly object: KubeObject;
  readonly kind: 'deleting' | 'never-reconciled';
  readonly forMs: number;
  readonly cause?: Cause;
}

/** `atMs` counts as the happenings do. */
type Cause =
  | {readonly kind: 'dead-watch'; readonly atMs: number; readonly log: string}
  | {readonly kind: 'process-died'; readonly atMs: number; readonly process: string; readonly message: string}
  | {readonly kind: 'instances-left'; readonly count: number}
  | {readonly kind: 'finalizers'; readonly finalizers: readonly string[]};

export interface StuckWatch {
  readonly observe: (happening: Happening) => void;
  readonly stuckAmong: (objects: readonly KubeObject[], nowMs: number) => readonly Stuck[];
}

/** Polls and retries of a healthy control plane come at least this often. */
const patienceMs = 60_000;
const kindXrd = 'CompositeResourceDefinition';

export function watchForStuck(): StuckWatch {
  const deadWatches = new Map<string, Cause & {kind: 'dead-watch'}>();
  let death: (Cause & {kind: 'process-died'}) | undefined;
  return {
    observe: ({atMs, entry}) => {
      if (entry.kind === 'process' && entry.change === 'died') {
        death = {kind: 'process-died', atMs, process: entry.actor, message: entry.message ?? ''};
      }
      if (entry.kind === 'process' && entry.change === 'started') {
        // A process that starts anew starts its watches anew.
        if (death?.process === entry.actor) death = undefined;
        if (entry.actor === 'crossplane') deadWatches.clear();
      }
      const kind =
        entry.kind === 'note' ? /^Stopped watching (\S+) \(CompositeResource\)/.exec(entry.note.message) : null;
      if (entry.kind === 'note' && kind?.[1] !== undefined) {
        deadWatches.set(kind[1], {kind: 'dead-watch', atMs, log: entry.note.message});
      }
    },
    stuckAmong: (objects, nowMs) => {
      const xrKinds = new Set(objects.filter(({kind}) => kind === kindXrd).map(kindDefined));
      return objects.flatMap((object): readonly Stuck[] => {
        const deleting = ageOf(object.metadata.deletionTimestamp, nowMs);
        if (isDeleting(object)) {
          const cause = death ?? causeOfDeleting(object, objects);
          return deleting < patienceMs ? [] : [{object, kind: 'deleting', forMs: deleting, ...given(cause)}];
        }
        const forMs = ageOf(object.metadata.creationTimestamp, nowMs);
        if (!xrKinds.has(object.kind) || isTouched(object) || forMs < patienceMs) return [];
        return [{object, kind: 'never-reconciled', forMs, ...given(deadWatches.get(object.kind) ?? death)}];
      });
    },
  };
}

/** One sentence for the report: what is stuck, since when and why, and what to do. `startMs` is when the story began. */
export function stuckText({object, kind, forMs, cause}: Stuck, startMs: number): string {
  const what = `${object.kind}/${object.metadata.name}`;
  const state = kind === 'deleting' ? 'is deleting' : 'was never reconciled';
  return `${what} ${state} for ${minutes(forMs)}: ${causeText(cause, startMs)}`;
}

function causeText(cause: Cause | undefined, startMs: number): string {
  switch (cause?.kind) {
    case undefined:
      return 'the log does not say why';
    case 'dead-watch':
      return `its watch died ${minutes(cause.atMs - startMs)} into the story ("${cause.log}"). Restart Crossplane after every new definition, upgrade to 1.20 or later, or run without --enable-realtime-compositions`;
    case 'process-died':
      return `${cause.process} died ${minutes(cause.atMs - startMs)} into the story ("${cause.message}"). Start it again; delete the definition before the CustomResourceDefinitions of what it composes, or upgrade to 1.20 or later`;
    case 'instances-left':
      return `${cause.count} of its XRs still ${cause.count === 1 ? 'exists' : 'exist'}. Delete them one by one; the definition follows`;
    case 'finalizers':
      return `waits for ${cause.finalizers.join(', ')}. See that whoever owns it runs and can do its work`;
  }
}

function given(cause: Cause | undefined): {readonly cause?: Cause} {
  return cause === undefined ? {} : {cause};
}

function causeOfDeleting(object: KubeObject, objects: readonly KubeObject[]): Cause | undefined {
  const count = object.kind === kindXrd ? objects.filter(({kind}) => kind === kindDefined(object)).length : 0;
  if (count > 0) return {kind: 'instances-left', count};
  const {finalizers = []} = object.metadata;
  return finalizers.length === 0 ? undefined : {kind: 'finalizers', finalizers};
}

/** A reconcile leaves a finalizer and a condition behind, even one that fails. */
function isTouched(xr: KubeObject): boolean {
  return (xr.metadata.finalizers ?? []).length > 0 || conditionOf(xr, 'Synced') !== undefined;
}

function ageOf(timestamp: string | undefined, nowMs: number): number {
  return timestamp === undefined ? 0 : nowMs - Date.parse(timestamp);
}

/** `1 min 5 s`: people look for minutes in a log. */
function minutes(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const whole = Math.floor(seconds / 60);
  return whole === 0 ? `${seconds} s` : `${whole} min ${seconds % 60} s`;
}
