// Liveness, judged from what an operator has: objects, Crossplane's log and the ends of its processes. Three kinds of objects are stuck:
// one that is deleting for longer than every retry takes, an XR that no reconcile ever touched, and a definition that Crossplane
// warns about and never establishes. The reason has three
// parts: the object's own pause or Synced condition, the chain of objects that it waits for, to its end or around a circle, and
// the last refusal or warning about it.

import {groupKindDefined} from '../../../cluster/defined-kinds.ts';
import {
  addressOf,
  conditionOf,
  groupKindOf,
  isDeleting,
  isTrue,
  type KubeObject,
  refAddress,
  shortName,
} from '../../../cluster/object.ts';
import {finalizerManaged} from '../../../cluster/provider/managed-delete.ts';
import {isPaused} from '../../../cluster/vocabulary.ts';
import {concealedSentence} from '../../input/conceal/concealed-text.ts';
import type {Happening} from '../session.ts';
import {waitsAmong} from './waits.ts';

export interface Stuck {
  readonly object: KubeObject;
  readonly kind: 'deleting' | 'never-reconciled' | 'never-established';
  readonly forMs: number;
  readonly cause?: Cause;
}

/** `atMs` counts as the happenings do. */
type Cause =
  | {readonly kind: 'dead-watch'; readonly atMs: number; readonly log: string}
  | {readonly kind: 'process-died'; readonly atMs: number; readonly process: string; readonly message: string}
  | {readonly kind: 'instances-left'; readonly count: number}
  | {readonly kind: 'finalizers'; readonly finalizers: readonly string[]}
  | {readonly kind: 'paused'}
  | {readonly kind: 'alive'}
  /** Its own Synced condition, the last refusal of its deletion, or the last warning about it. */
  | {readonly kind: 'said'; readonly by: string; readonly message: string}
  /** The objects that it waits for, nearest first, and why the last of them does not go. */
  | {readonly kind: 'waits'; readonly for: readonly KubeObject[]; readonly cause?: Cause}
  /** The object is the first and the last. */
  | {readonly kind: 'circle'; readonly of: readonly KubeObject[]};

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
  const heard = hearsay();
  return {
    observe: ({atMs, entry}) => {
      heard.observe(entry);
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
      const definitions = new Map(
        objects.filter(({kind}) => kind === kindXrd).map((object) => [groupKindDefined(object), object]),
      );
      const reasons = reasonsOf(objects, heard.about);
      return objects.flatMap((object): readonly Stuck[] => {
        const deleting = ageOf(object.metadata.deletionTimestamp, nowMs);
        if (isDeleting(object)) {
          const cause = reasons.plain(object) ?? death ?? reasons.why(object);
          return deleting < patienceMs ? [] : [{object, kind: 'deleting', forMs: deleting, ...given(cause)}];
        }
        const forMs = ageOf(object.metadata.creationTimestamp, nowMs);
        if (object.kind === kindXrd) {
          const cause = isTrue(object, 'Established') || forMs < patienceMs ? undefined : reasons.said(object);
          return cause === undefined ? [] : [{object, kind: 'never-established', forMs, cause}];
        }
        const definition = definitions.get(groupKindOf(object));
        if (definition === undefined || isTouched(object) || forMs < patienceMs) return [];
        const cause = deadWatches.get(object.kind) ?? death ?? reasons.said(object) ?? refusedBy(definition, reasons);
        return [{object, kind: 'never-reconciled', forMs, ...given(cause)}];
      });
    },
  };
}

/** A definition that cannot be established is why none of its XRs is reconciled. */
function refusedBy(definition: KubeObject, {said}: Reasons): Cause | undefined {
  const cause = said(definition);
  return cause === undefined ? undefined : {kind: 'waits', for: [definition], cause};
}

/** One sentence for the report: what is stuck, since when and why, and what to do. `startMs` is when the story began. */
export function stuckText({object, kind, forMs, cause}: Stuck, startMs: number): string {
  const what = shortName(object);
  return `${what} ${states[kind]} for ${minutes(forMs)}: ${causeText(cause, startMs)}`;
}

const states: {readonly [kind in Stuck['kind']]: string} = {
  deleting: 'is deleting',
  'never-reconciled': 'was never reconciled',
  'never-established': 'was never established',
};

function causeText(cause: Cause | undefined, startMs: number): string {
  switch (cause?.kind) {
    case undefined:
      return 'nothing that was logged, and nothing on it, says why';
    case 'dead-watch':
      return `its watch died ${minutes(cause.atMs - startMs)} into the story ("${cause.log}"). Restart Crossplane after every new definition, upgrade to 1.20 or later, or run without --enable-realtime-compositions`;
    case 'process-died':
      return `${cause.process} died ${minutes(cause.atMs - startMs)} into the story ("${cause.message}"). Start it again; delete the definition before the CustomResourceDefinitions of what it composes, or upgrade to 1.20 or later`;
    case 'instances-left':
      return `${cause.count} of its XRs still ${cause.count === 1 ? 'exists' : 'exist'}. Delete them one by one; the definition follows`;
    case 'finalizers':
      return cause.finalizers.length === 1
        ? `waits for ${cause.finalizers.join()}. See that the controller of this finalizer runs and can do its work`
        : `waits for ${cause.finalizers.join(', ')}. See that the controllers of these finalizers run and can do their work`;
    case 'paused':
      return 'it is paused by its annotation crossplane.io/paused, and its deletion with it. Take the annotation away';
    case 'alive':
      return 'it is not being deleted';
    case 'said':
      return `${cause.by}: ${cause.message}`;
    case 'waits': {
      const names = cause.for.map(shortName).join(', which waits for ');
      return `waits for ${names}${cause.cause === undefined ? '' : `, and of that: ${causeText(cause.cause, startMs)}`}`;
    }
    case 'circle':
      return `a circle of waits: ${cause.of.map(shortName).join(' waits for ')}. Break it at a Usage or a finalizer, or delete the first in the background`;
  }
}

function given(cause: Cause | undefined): {readonly cause?: Cause} {
  return cause === undefined ? {} : {cause};
}

interface Reasons {
  /** A cause that is plain whatever else happened. */
  readonly plain: (object: KubeObject) => Cause | undefined;
  readonly why: (object: KubeObject) => Cause | undefined;
  readonly said: (object: KubeObject) => Cause | undefined;
}

function reasonsOf(objects: readonly KubeObject[], heard: (object: KubeObject) => Cause | undefined): Reasons {
  const waits = waitsAmong(objects);
  const said = (object: KubeObject): Cause | undefined => {
    const synced = conditionOf(object, 'Synced');
    const message = synced?.status === 'False' ? (synced.message ?? synced.reason) : undefined;
    if (message === undefined) return heard(object);
    return {kind: 'said', by: 'its condition Synced is False', message: concealedSentence(message)};
  };
  const plain = (object: KubeObject): Cause | undefined => {
    if (isPaused(object)) return {kind: 'paused'};
    const circle = waits.circle(object);
    if (circle !== undefined) return {kind: 'circle', of: circle};
    const count =
      object.kind === kindXrd ? objects.filter((one) => groupKindOf(one) === groupKindDefined(object)).length : 0;
    return count > 0 ? {kind: 'instances-left', count} : undefined;
  };
  const own = (object: KubeObject): Cause | undefined => {
    const {finalizers = []} = object.metadata;
    const reason = plain(object) ?? said(object);
    if (reason !== undefined) return reason;
    if (!isDeleting(object)) return {kind: 'alive'};
    // A provider deletes nothing in the cloud before every other finalizer is gone.
    const others = finalizers.filter((one) => one !== finalizerManaged);
    const awaited = others.length === 0 ? finalizers : others;
    return awaited.length === 0 ? undefined : {kind: 'finalizers', finalizers: awaited};
  };
  const why = (object: KubeObject): Cause | undefined => {
    const way: KubeObject[] = [];
    for (let one = nextOf(object); one !== undefined && !way.includes(one); one = nextOf(one)) {
      way.push(one);
      if (plain(one) !== undefined) break;
    }
    const last = way.at(-1);
    if (last === undefined) return own(object);
    return {kind: 'waits', for: way, ...given(own(last))};
  };
  /** An object that is not being deleted comes before one that is. */
  const nextOf = (object: KubeObject): KubeObject | undefined => {
    const [first, ...rest] = waits.of(object);
    const others = [first, ...rest].filter((one) => one !== undefined);
    return others.find((one) => plain(one) !== undefined || said(one) !== undefined) ?? first;
  };
  return {plain, why, said};
}

/** The last that was heard about each object. */
function hearsay() {
  const last = new Map<string, Cause & {kind: 'said'}>();
  const observe = (entry: Happening['entry']): void => {
    if (entry.kind === 'note' && entry.note.type === 'Warning' && entry.note.about !== undefined) {
      const {about} = entry.note;
      const message = concealedSentence(entry.note.message);
      last.set(refAddress(about), {kind: 'said', by: `${entry.note.reason} of ${entry.actor}`, message});
    }
    if (entry.kind === 'api' && entry.request.verb === 'delete' && !entry.response.ok && entry.response.code !== 404) {
      const message = concealedSentence(entry.response.message);
      last.set(refAddress(entry.request.ref), {
        kind: 'said',
        by: `the last deletion by ${entry.actor} was refused`,
        message,
      });
    }
  };
  return {observe, about: (object: KubeObject) => last.get(addressOf(object))};
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
