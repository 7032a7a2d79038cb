// The circuit breaker on watch events of an XR controller: a token bucket per XR key.
// crossplane/crossplane 2d040d2da internal/circuit/{token_bucket,mapfunc}.go. An UPDATE event is mapped twice, for the
// old and the new object, and costs two tokens.
// Not modelled: targets forgotten after 24 idle hours; such a bucket is full again by then.

import {Moment} from '../../kernel/moment.ts';
import {drop, emptyTable, put, type Table} from '../../table.ts';

const capacity = 100;
const refillMs = 1000;
const cooldownMs = 300_000;
const halfOpenIntervalMs = 30_000;
const recentMax = 16;

/** Buckets by XR key. An XR re-created under the same name finds the bucket as its namesake left it. */
export type Breaker = Table<Bucket>;

/**
 * The sources of the latest events, oldest first. Only the message of an open circuit contains them. A symbol keeps them out of the
 * state's identity: worlds that differ in nothing else are one.
 */
const recent = Symbol('recent');

interface Bucket {
  /** When the bucket will have all its tokens again. */
  readonly full: Moment;
  readonly [recent]: readonly string[];
  readonly open?: {
    readonly coolsDown: Moment;
    /** After that an event may pass. */
    readonly halfOpen: Moment;
    readonly triggeredBy: string;
  };
}

export const emptyBreaker: Breaker = emptyTable();

/** The object that opened the circuit, `Kind/name`; undefined while it is closed. */
export function openedBy(breaker: Breaker, target: string): string | undefined {
  return breaker.get(target)?.open?.triggeredBy;
}

/** Counts an event for `target`; `allowed` if it may wake the XR. */
export function pass(
  breaker: Breaker,
  target: string,
  source: string,
  nowMs: number,
): {readonly breaker: Breaker; readonly allowed: boolean} {
  const before = breaker.get(target);
  const open = before?.open;
  const allowed = open === undefined || nowMs > open.halfOpen.atMs;
  return {breaker: put(breaker, target, recorded(before, source, nowMs)), allowed};
}

/** Forgets the target: it is being deleted, and a namesake starts with a full bucket. */
export function reset(breaker: Breaker, target: string): Breaker {
  return drop(breaker, target);
}

function recorded(before: Bucket | undefined, source: string, nowMs: number): Bucket {
  const open = before?.open;
  const full = before?.full ?? new Moment(nowMs);
  const sources = [...(before?.[recent] ?? []), source].slice(-recentMax);
  if (open !== undefined && nowMs < open.coolsDown.atMs) {
    const allowed = nowMs > open.halfOpen.atMs;
    return {full, [recent]: sources, open: allowed ? {...open, halfOpen: halfOpenAfter(nowMs)} : open};
  }
  const left = open === undefined ? sources : [];
  const isEmpty = full.atMs - nowMs > (capacity - 1) * refillMs;
  if (!isEmpty) return {full: new Moment(Math.max(full.atMs, nowMs) + refillMs), [recent]: left};
  const coolsDown = new Moment(nowMs + cooldownMs);
  return {full, [recent]: left, open: {coolsDown, halfOpen: halfOpenAfter(nowMs), triggeredBy: mostFrequent(left)}};
}

function halfOpenAfter(nowMs: number): Moment {
  return new Moment(nowMs + halfOpenIntervalMs);
}

// Among equally frequent sources the last to reach the count, as upstream's scan picks.
function mostFrequent(sources: readonly string[]): string {
  const counts = new Map<string, number>();
  let most = '';
  let max = 0;
  for (const source of sources) {
    const count = (counts.get(source) ?? 0) + 1;
    counts.set(source, count);
    if (count < max) continue;
    max = count;
    most = source;
  }
  return most;
}
