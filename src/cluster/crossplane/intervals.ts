// Intervals of reconcilers. crossplane/crossplane 2d040d2da cmd/crossplane/core/core.go (defaults of flags),
// composite/reconciler.go (jitter), crossplane-runtime v2.4.0 pkg/ratelimiter/default.go.

import type {Controller} from '../kernel/process.ts';

/** --poll-interval. */
export const pollIntervalMs = 60_000;
/** --min-poll-interval, for the annotation crossplane.io/poll-interval. */
const minPollIntervalMs = 1000;

const backoffDefault = {baseMs: 1000, maxMs: 60_000};
/** XRs wait for their composed resources by backing off, so not as far. */
export const backoffComposite = {baseMs: 1000, maxMs: 30_000};

const reconcileTimeoutMs = 120_000;
export const claimTimeoutMs = 60_000;

/** A controller with the back-off and the deadline that most have. */
export function controllerOf(
  name: string,
  reconcile: Controller['reconcile'],
  times: Partial<Pick<Controller, 'backoff' | 'timeoutMs'>> = {},
): Controller {
  return {name, reconcile, backoff: backoffDefault, timeoutMs: reconcileTimeoutMs, ...times};
}

/** The interval with up to 10 % more or less, from the key and the time, so that a replay waits as long. */
export function jittered(intervalMs: number, key: string, nowMs: number): number {
  let hash = 0x811c9dc5;
  for (const character of `${key} ${nowMs}`) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  const unit = (hash >>> 0) / 2 ** 32;
  return Math.round(intervalMs * (0.9 + 0.2 * unit));
}

/** The poll interval an annotation asks for, such as `30s` or `1h30m`; undefined where there is none or it is no time. */
export function pollIntervalOf(annotation: string | undefined): number | undefined {
  if (annotation === undefined || !/^(\d+(\.\d+)?(ms|h|m|s))+$/.test(annotation)) return undefined;
  const unitMs: {readonly [unit: string]: number} = {h: 3_600_000, m: 60_000, s: 1000, ms: 1};
  let total = 0;
  for (const [, count, unit] of annotation.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)) {
    total += Number(count) * (unitMs[unit ?? ''] ?? 0);
  }
  return Math.max(total, minPollIntervalMs);
}
