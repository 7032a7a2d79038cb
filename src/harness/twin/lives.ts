// What was decided about the resources of an XR, and in which of its lives: an XR that was lost and came back has another UID.

import type {JsonObject} from '../../cluster/json.ts';
import {decodeRequest} from '../../wire/request-decode.ts';
import {decodeStruct} from '../../wire/struct-decode.ts';
import {explained, moved, refusedInput, wentWithXr} from './explained.ts';

/** What the function under test decided about one resource of one request, in its own words. */
export interface Named {
  readonly resourceName: string;
  readonly decision: string;
  readonly reason: string;
}

/** Answers the decisions of a request. Known to who knows the function; without it nothing is explained by a decision. */
export type Explain = (request: Uint8Array) => readonly Named[];

/** `hold over-budget`; of a decision without a reason its word alone. */
export function nameOf({decision, reason}: Named): string {
  return reason === '' ? decision : `${decision} ${reason}`;
}

/**
 * What was decided last of each life of an XR, and all that was orphaned: an external resource that was kept then is there
 * still, whatever became of its object and of its XR.
 */
export function decisionsOfAllLives(requests: readonly Uint8Array[], explain: Explain): readonly Named[] {
  const lives = Map.groupBy(requests, uidOf);
  const orphaned = requests.flatMap((request) => explain(request).filter(({reason}) => reason === 'orphan-first'));
  return [...[...lives.values()].flatMap((life) => lastDecisions(life, explain)), ...orphaned];
}

/**
 * What was decided last about each resource. What an XR was made to forget while the input had it held is decided nothing
 * about any more: there the decision before counts. What was let go once its provider was asked to leave the external
 * resource alone was orphaned: only who asked for that by a policy has such a decision. What was decided for an XR that was
 * lost since explains nothing of the one that came back in its place.
 */
export function lastDecisions(requests: readonly Uint8Array[], explain: Explain): readonly Named[] {
  const named = new Map<string, Named>();
  const last = requests.at(-1);
  for (const request of requests.toReversed()) {
    if (last !== undefined && uidOf(request) !== uidOf(last)) break;
    for (const one of explain(request)) {
      if (nameOf(one) === refusedInput && wasTaken(request, requests, explain)) continue;
      const later = named.get(one.resourceName);
      const isOrphaned = later?.decision === 'release' && one.reason === 'orphan-first';
      if (later === undefined || isOrphaned) named.set(one.resourceName, one);
    }
  }
  return [...named.values()];
}

/**
 * Whether what the Composition and the XR say was an input before, in this life: then what others wrote made it none. An XR
 * that was made to forget all that it composed is as one that is new.
 */
function wasTaken(request: Uint8Array, requests: readonly Uint8Array[], explain: Explain): boolean {
  if (decodeRequest(request).observed.resources.size === 0) return false;
  const [uid, said] = [uidOf(request), wordsOf(request)];
  return requests.some(
    (other) =>
      uidOf(other) === uid && wordsOf(other) === said && explain(other).every((one) => nameOf(one) !== refusedInput),
  );
}

/** The step's input as it came. */
export function inputIn(request: Uint8Array): JsonObject {
  const {input} = decodeRequest(request);
  return input === undefined ? {} : (decodeStruct(input) as JsonObject);
}

/** What the earlier steps desire, the step's input and the XR's spec but for what Crossplane writes there, as text. */
function wordsOf(request: Uint8Array): string {
  const {observed, desired} = decodeRequest(request);
  const resources = [...desired.resources.keys()].sort().map((name) => [name, desired.resources.get(name)?.json()]);
  const spec = (observed.composite?.field(['spec']) ?? {}) as JsonObject;
  const {crossplane: _, resourceRefs: __, compositionRef: ___, compositionRevisionRef: ____, ...own} = spec;
  return JSON.stringify([resources, inputIn(request), own]);
}

/** What was said of moves in the life that is there: what has moved is a resource like any other afterwards. */
export function movesOfThisLife(requests: readonly Uint8Array[], explain: Explain): readonly Named[] {
  const last = requests.at(-1);
  const life = requests.filter((request) => last !== undefined && uidOf(request) === uidOf(last));
  return movesOfAllLives(life, explain);
}

export function movesOfAllLives(requests: readonly Uint8Array[], explain: Explain): readonly Named[] {
  return requests.flatMap((request) => explain(request).filter((one) => moved[nameOf(one)] !== undefined));
}

/** What was decided last of each life of the XR that is over, but for what was decided again in the one that is not. */
export function decisionsOfEndedLives(requests: readonly Uint8Array[], explain: Explain): readonly Named[] {
  const lives = [...Map.groupBy(requests, uidOf).values()];
  const last = lives.pop() ?? [];
  const ended = lives.flatMap((life) => lastDecisions(life, explain));
  if (!ended.some((one) => wentWithXr[nameOf(one)] !== undefined)) return [];
  const again = last.flatMap((request) => explain(request).filter((one) => wentWithXr[nameOf(one)] !== undefined));
  return ended.filter(({resourceName}) => !again.some((one) => one.resourceName === resourceName));
}

/** What was said of moves in lives of the XR that are over, but for what began to move again in the one that is not. */
export function movesOfEndedLives(requests: readonly Uint8Array[], explain: Explain): readonly Named[] {
  const uid = requests.at(-1) && uidOf(requests.at(-1) as Uint8Array);
  const again = movesOfThisLife(requests, explain);
  const ended = movesOfAllLives(
    requests.filter((request) => uidOf(request) !== uid),
    explain,
  );
  return ended.filter(({resourceName}) => !again.some((one) => one.resourceName === resourceName));
}

/** What was decided to stay as it was, as asked: what the API server refuses to change of it was made anew otherwise. */
export function keptInAllLives(requests: readonly Uint8Array[], explain: Explain): readonly Named[] {
  return requests.flatMap((request) => explain(request).filter((one) => explained[nameOf(one)]?.includes('kept')));
}

/**
 * What was made later, as asked or for an input that is none. Up to 1.20 Crossplane makes up names by chance: an XR that it sees as it
 * was is given what it has already once more in every reconcile, and what comes later may come just then.
 */
export function waitsOfAllLives(requests: readonly Uint8Array[], explain: Explain): readonly Named[] {
  return requests.flatMap((request) =>
    explain(request).filter((one) => one.decision === 'wait' || nameOf(one) === refusedInput),
  );
}

/** What was refused: who changes it meanwhile finds nothing, and changes nothing. */
export function refusalsOfAllLives(requests: readonly Uint8Array[], explain: Explain): readonly Named[] {
  return requests.flatMap((request) => explain(request).filter(({decision}) => decision === 'refuse'));
}

export function uidOf(request: Uint8Array): unknown {
  return decodeRequest(request).observed.composite?.field(['metadata', 'uid']);
}
