// The circuit breaker on watch events of an XR controller: a token bucket per XR key.
// crossplane/crossplane 2d040d2da internal/circuit/{token_bucket,mapfunc}.go. An UPDATE event is mapped twice, for the
// old and the new object, and costs two tokens.
// Not modelled: targets forgotten after 24 idle hours; such a bucket is full again by then.

const capacity = 100;
const refillPerSecond = 1;
const cooldownMs = 300_000;
const halfOpenIntervalMs = 30_000;
const recentMax = 16;

/** Buckets by XR key. An XR re-created under the same name finds the bucket as its namesake left it. */
export interface Breaker {
  readonly [target: string]: Bucket;
}

interface Bucket {
  readonly tokens: number;
  readonly refilledAtMs: number;
  /** Where the latest events came from, oldest first. */
  readonly recent: readonly string[];
  readonly open?: {readonly sinceMs: number; readonly allowedAtMs: number; readonly triggeredBy: string};
}

export const emptyBreaker: Breaker = {};

/** What opened the circuit, `Kind/name`; undefined while it is closed. */
export function openedBy(breaker: Breaker, target: string): string | undefined {
  return breaker[target]?.open?.triggeredBy;
}

/** Takes an event for `target` in, and says whether it may wake the XR. */
export function pass(
  breaker: Breaker,
  target: string,
  source: string,
  nowMs: number,
): {readonly breaker: Breaker; readonly allowed: boolean} {
  const open = breaker[target]?.open;
  if (open === undefined) return {breaker: recorded(breaker, target, source, nowMs, false), allowed: true};
  const allowed = nowMs > open.allowedAtMs + halfOpenIntervalMs;
  return {breaker: recorded(breaker, target, source, nowMs, allowed), allowed};
}

/** Forgets the target: it is being deleted, and a namesake starts with a full bucket. */
export function reset(breaker: Breaker, target: string): Breaker {
  if (breaker[target] === undefined) return breaker;
  const {[target]: _, ...rest} = breaker;
  return rest;
}

function recorded(breaker: Breaker, target: string, source: string, nowMs: number, halfOpen: boolean): Breaker {
  const before = breaker[target] ?? {tokens: capacity, refilledAtMs: nowMs, recent: []};
  const tokens = Math.min(capacity, before.tokens + (refillPerSecond * (nowMs - before.refilledAtMs)) / 1000);
  const recent = [...before.recent, source].slice(-recentMax);
  const refilled: Bucket = {tokens, refilledAtMs: nowMs, recent};
  return {...breaker, [target]: judged(before, refilled, nowMs, halfOpen)};
}

function judged(before: Bucket, refilled: Bucket, nowMs: number, halfOpen: boolean): Bucket {
  const {open} = before;
  if (open !== undefined && nowMs - open.sinceMs < cooldownMs) {
    return {...refilled, open: halfOpen ? {...open, allowedAtMs: nowMs} : open};
  }
  const recent = open === undefined ? refilled.recent : [];
  if (refilled.tokens >= 1) return {...refilled, recent, tokens: refilled.tokens - 1};
  return {...refilled, recent, open: {sinceMs: nowMs, allowedAtMs: nowMs, triggeredBy: mostFrequent(recent)}};
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
