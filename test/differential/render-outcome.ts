// What one reconcile came to, in the form both sides are brought to before they are compared: no times, and no order
// where upstream's is that of a Go map.

import type {Json, JsonObject} from '../../src/wire/json.ts';
import {type Difference, firstDifference} from './difference.ts';

/** One reconcile: everything a function answers is in the input of its pipeline step. */
export interface RenderStory {
  readonly xr: JsonObject;
  readonly composition: JsonObject;
  readonly observed: readonly JsonObject[];
  readonly required: readonly JsonObject[];
  readonly credentials: readonly JsonObject[];
  readonly definition?: JsonObject;
}

export interface RenderOutcome {
  /** Why it failed; without it, it did not. */
  readonly error?: string;
  readonly xr?: JsonObject;
  readonly composed: readonly JsonObject[];
  readonly deleted: readonly JsonObject[];
  readonly events: readonly JsonObject[];
  /** What functions were told, call by call. */
  readonly told: readonly JsonObject[];
}

/** Of a reconcile that failed, what functions were told is all there is to compare beside the error. */
function comparable({error, xr, composed, deleted, events, told}: RenderOutcome): JsonObject {
  const common = {told: told.map((one) => withoutTimes(one))};
  if (error !== undefined) return common;
  return {
    ...common,
    xr: withoutTimes(xr ?? {}),
    composed: sorted(composed),
    deleted: sorted(deleted),
    events: sorted(events),
  };
}

function sorted(list: readonly JsonObject[]): Json {
  const keyed = list.map((one) => ({one: withoutTimes(one), key: JSON.stringify(withoutTimes(one))}));
  return keyed.sort((left, right) => (left.key < right.key ? -1 : 1)).map(({one}) => one);
}

/**
 * Keys in order, so that equal objects are equal texts. Empty labels are none, as an API server has it and the client of
 * a render has not.
 */
function withoutTimes(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as JsonObject)
    .filter(([key]) => key !== 'lastTransitionTime' && key !== 'lastPublishedTime')
    .filter(([key, child]) => key !== 'labels' || JSON.stringify(child) !== '{}')
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, child]) => [key, withoutTimes(child)]));
}

/** Whether it failed comes first: what else differs follows from that. */
export function differenceBetween(theirs: RenderOutcome, ours: RenderOutcome): Difference | undefined {
  return (
    firstDifference({error: theirs.error ?? null}, {error: ours.error ?? null}) ??
    firstDifference(comparable(theirs), comparable(ours))
  );
}
