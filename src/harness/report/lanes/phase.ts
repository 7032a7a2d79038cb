// The life of every object as spans of one phase each. An object is what has one address: what a restore brings back
// under the old name goes on in the same life.

import {addressOf, conditionOf, controllerOf, isDeleting, type KubeObject} from '../../../cluster/object.ts';
import {resourceNameOf} from '../../../cluster/vocabulary.ts';
import {orphansAmong} from '../../control-plane/oracle/orphan.ts';
import type {History, Instant, Version} from '../../control-plane/record/history.ts';
import type {Decision} from './decisions.ts';

/**
 * present: has no readiness. unowned: composed, and nothing that lives controls it. held: a function keeps it in the
 * desired state though no step before desires it.
 */
export type Phase = 'present' | 'not-ready' | 'ready' | 'unowned' | 'held' | 'orphaned' | 'deleting';

interface Span {
  readonly phase: Phase;
  readonly from: Instant;
  readonly to: Instant;
}

export interface Life {
  readonly address: string;
  readonly first: KubeObject;
  /** The newest version. */
  readonly object: KubeObject;
  readonly spans: readonly Span[];
}

/** Its owner is gone and the owner GC has yet to see it: an orphan only where the story ends before that. */
type Looked = Phase | 'owner-gone';

type LookedSpan = Omit<Span, 'phase'> & {readonly phase: Looked};

/** An orphan for less than this, and not at the end, was only between two owners: a restore comes object by object. */
const betweenOwnersMs = 2000;

/** `end` is where the story ends. Lives are in the order in which the objects first appeared. */
export function livesOf({before, versions}: History, decisions: readonly Decision[], end: Instant): readonly Life[] {
  const lives = new Map<string, OpenLife>();
  const present = new Map<string, KubeObject>();
  const holders = new Map<string, string>();
  const look = (now: Instant): void => {
    const objects = [...present.values()];
    const orphans = new Set(orphansAmong(objects).map(({object}) => object));
    const alive = new Set(objects.map(({metadata}) => metadata.uid));
    for (const life of lives.values()) {
      const object = present.get(life.address);
      if (object === undefined) close(life, now);
      else enter(life, phaseOf(object, alive, orphans.has(object), holders.has(life.address)), now, object);
    }
  };
  const put = (object: KubeObject): void => {
    const address = addressOf(object);
    present.set(address, object);
    if (!lives.has(address))
      lives.set(address, {address, first: object, object, spans: [], phase: undefined, since: {step: 0, atMs: 0}});
  };
  for (const object of before) put(object);
  look({step: 0, atMs: 0});
  for (const moment of merged(versions, decisions)) {
    if (moment.kind === 'decision') hold(moment.of, holders);
    else if (moment.of.type === 'DELETED') present.delete(addressOf(moment.of.object));
    else put(moment.of.object);
    look(moment.of);
  }
  for (const life of lives.values()) close(life, end);
  return [...lives.values()].map(({address, first, object, spans}) => ({
    address,
    first,
    object,
    spans: settled(spans, end),
  }));
}

interface OpenLife {
  readonly address: string;
  readonly first: KubeObject;
  object: KubeObject;
  readonly spans: LookedSpan[];
  phase: Looked | undefined;
  since: Instant;
}

type Moment = {readonly kind: 'version'; readonly of: Version} | {readonly kind: 'decision'; readonly of: Decision};

function merged(versions: readonly Version[], decisions: readonly Decision[]): readonly Moment[] {
  const moments: readonly Moment[] = [
    ...decisions.map((of): Moment => ({kind: 'decision', of})),
    ...versions.map((of): Moment => ({kind: 'version', of})),
  ];
  return moments.toSorted((one, other) => one.of.step - other.of.step || one.of.atMs - other.of.atMs);
}

/** A hold of a pipeline lasts until its XR's next pipeline ends it. */
function hold({run, heldAtEnd, observed}: Decision, holders: Map<string, string>): void {
  if (heldAtEnd === undefined) return;
  for (const [address, holder] of holders) if (holder === run) holders.delete(address);
  for (const name of heldAtEnd) {
    const address = observed.get(name);
    if (address !== undefined) holders.set(address, run);
  }
}

function enter(life: OpenLife, phase: Looked, now: Instant, object: KubeObject): void {
  life.object = object;
  if (life.phase === phase) return;
  close(life, now);
  life.phase = phase;
  life.since = now;
}

function close(life: OpenLife, {step, atMs}: Instant): void {
  if (life.phase !== undefined) life.spans.push({phase: life.phase, from: life.since, to: {step, atMs}});
  life.phase = undefined;
}

function phaseOf(
  object: KubeObject,
  alive: ReadonlySet<string | undefined>,
  isOrphan: boolean,
  isHeld: boolean,
): Looked {
  if (isDeleting(object)) return 'deleting';
  const controller = controllerOf(object);
  if (isOrphan) return controller === undefined ? 'orphaned' : 'owner-gone';
  if (isHeld) return 'held';
  const isComposed = resourceNameOf(object) !== undefined;
  if (isComposed && (controller === undefined || !alive.has(controller.uid))) return 'unowned';
  const ready = conditionOf(object, 'Ready');
  if (ready !== undefined) return ready.status === 'True' ? 'ready' : 'not-ready';
  return isComposed ? 'not-ready' : 'present';
}

/** Without orphans that found an owner at once, without owners lost on the way out, and without spans that took no time. */
function settled(looked: readonly LookedSpan[], end: Instant): readonly Span[] {
  const spans = looked.map((span, index) => ({...span, phase: phaseAtLast(span, looked[index + 1], end)}));
  const list: Span[] = [];
  for (const [index, span] of spans.entries()) {
    const isShort = span.to.atMs - span.from.atMs < betweenOwnersMs && span.to.atMs < end.atMs;
    const next = spans[index + 1];
    const isLeaving = next === undefined || !isSame(span.to, next.from);
    const last = list.at(-1);
    const isBetween = isShort && (span.phase === 'orphaned' || span.phase === 'unowned');
    const phase = isBetween && isLeaving && last !== undefined ? last.phase : isBetween ? 'unowned' : span.phase;
    if (isSame(span.to, span.from)) continue;
    if (last?.phase === phase && isSame(last.to, span.from)) list[list.length - 1] = {...last, to: span.to};
    else list.push({...span, phase});
  }
  return list;
}

/** Whose owner was deleted is deleted after it: until the owner GC comes it is on its way out, and nothing is lost. */
function phaseAtLast({phase, to}: LookedSpan, next: LookedSpan | undefined, end: Instant): Phase {
  if (phase !== 'owner-gone') return phase;
  if (next?.phase === 'deleting' && isSame(to, next.from)) return 'deleting';
  return isSame(to, end) ? 'orphaned' : 'unowned';
}

function isSame(one: Instant, other: Instant): boolean {
  return one.atMs === other.atMs && one.step === other.step;
}
