// The room that the next request has. Crossplane sends all resources that an XR composes, and every answer, in one request to every
// function of its pipeline. No function takes more than 4 MB unless configured otherwise (the default of grpc-go, and so of the Go,
// Python and TypeScript functions). Above that no function runs any more, and no function can remove what made it too large. So a
// Usage is created, and a list requested, only if there is room. An existing Usage costs nothing more, and stays.
//
// Reckoned is what is observed and desired now, the input, the context, and what other steps required: the next request begins with
// it; and of what has no status yet, or is not created yet, what it will have. Half a megabyte is left free, for the rest that
// providers write and for the answers about single objects.

import type {JsonObject} from '../words/json.ts';
import {groupOf, isSameKind, type Kind, kindOf} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';
import {isUsage} from './edges.ts';

type Sized = Pick<Snapshot, 'bytes' | 'observed' | 'desired'>;

/** Takes room for the Usage; false if there is not enough. */
export type Room = (resourceName: string, body: JsonObject) => boolean;

const usagesUpTo = 3 * 2 ** 20;
const listsUpTo = 3.5 * 2 ** 20;
const answersUpTo = 3.75 * 2 ** 20;

/** Measured on a simulated main: 6,900 bytes of a managed resource that has let go, its managed fields included. */
const bytesOfTwin = 8192;

/** Estimate of the status that a provider writes. */
const bytesOfStatus = 4096;

/** No object is larger, because etcd takes no larger request. */
const bytesOfObject = 1.5 * 2 ** 20;

/** The largest that are known, of prometheus-operator and of Crossplane's providers, have half a megabyte. */
const bytesOfSchema = 640 * 2 ** 10;
const schemasMax = 4;

/**
 * Measured on a simulated main: 3,600 bytes observed where the body is 640 characters, its managed fields and the XR's reference to
 * it included; and functions behind this one get it desired, too.
 */
const fixedBytes = 2500;
const bytesPerCharacter = 3;

const newAtLeast = 10;

function free(upTo: number, {observed, desired, others}: Snapshot['bytes']): number {
  return upTo - observed - desired - others;
}

export function roomForUsages(snapshot: Sized): Room {
  let left: number | undefined;
  return (resourceName, body) => {
    if (snapshot.observed.has(resourceName)) return true;
    left ??= free(usagesUpTo, snapshot.bytes) - bytesToCome(snapshot);
    const cost = bytesCreated(JSON.stringify(body).length);
    if (cost > left) return false;
    left -= cost;
    return true;
  };
}

/** The bytes of resources that are created next, and of the status that providers write into those without one. */
function bytesToCome({observed, desired}: Pick<Snapshot, 'observed' | 'desired'>): number {
  let count = 0;
  desired.forEach((_, name) => {
    if (!observed.has(name)) count++;
  });
  observed.forEach((view) => {
    if (mayGetStatus(view)) count++;
  });
  return count * bytesOfStatus;
}

/** The bytes by which observed objects grow once what is desired of them is applied. */
function bytesToGrow({bytes, observed, desired}: Sized): number {
  const count = [...desired.keys()].filter((name) => observed.has(name)).length;
  return Math.max(0, count * bytesApplied({bytes, desired}) - bytes.observed);
}

/** The bytes of an object that is applied as it is desired on average. Its provider copies that to its status. */
function bytesApplied({bytes, desired}: Pick<Sized, 'bytes' | 'desired'>): number {
  return fixedBytes + (2 * bytes.desired) / Math.max(desired.size, 1);
}

function mayGetStatus(view: ResourceView): boolean {
  return groupOf(view.apiVersion).includes('.') && !isUsage(view) && view.isBlank(['status', 'conditions']);
}

/** The bytes of an object that is created next, in all places of the next request, by the size of its body. */
function bytesCreated(size: number): number {
  return fixedBytes + bytesPerCharacter * size;
}

/** An Operation observes nothing, but Crossplane takes no response of more than 4 MB. */
export function roomOfOperation(): Room {
  let left = 5000;
  return () => left-- > 0;
}

/**
 * True if there is room for a list of all that the XR has of these kinds, a second copy of their observed objects. Crossplane asks
 * once more at the start of the next reconcile, before any function runs. So what is observed by then counts in both copies: desired
 * resources and `made`, the Usages of this function, which are created next, and the status of objects without one.
 */
export function hasRoomForLists(
  kinds: readonly Kind[],
  {bytes, observed, desired}: Sized,
  made: ReadonlyMap<string, JsonObject>,
  {lists, singles}: AnswersBeside,
): boolean {
  if (kinds.length === 0) return true;
  const listed = [...kinds, ...lists];
  const isListed = (object: Kind) => listed.some((kind) => isSameKind(kind, object));
  let rest = free(listsUpTo, bytes);
  const comes = (size: number, object: Kind) => {
    rest -= isListed(object) ? 2 * size : size;
  };
  const created = bytesCreated(bytes.desired / Math.max(desired.size, 1));
  const grown = bytesToGrow({bytes, observed, desired});
  rest -= grown;
  const present = observed.size === 0 ? created : (bytes.observed + grown) / observed.size;
  rest -= singles * present;
  observed.forEach((view) => {
    if (isListed(view)) rest -= present;
  });
  desired.forEach((view, name) => {
    if (!observed.has(name)) comes(created, view);
  });
  made.forEach((body, name) => {
    if (!observed.has(name)) comes(bytesCreated(JSON.stringify(body).length), kindOf(body));
  });
  // In nearly every call the answer is known without a look at each status.
  if (rest < 0 || rest >= 2 * bytesOfStatus * observed.size) return rest >= 0;
  observed.forEach((view) => {
    if (mayGetStatus(view)) comes(bytesOfStatus, view);
  });
  return rest >= 0;
}

/**
 * How many resources may be created if each is asked for by itself. Then what is there of them comes in both copies next, in the size
 * of one that has a status. `again`: how many observed ones come as an answer once more, because they were asked for before. The
 * status that never comes stops nothing: a few are created as long as the message itself has room.
 */
export function roomForNew(snapshot: Sized, again: number, made: ReadonlyMap<string, JsonObject>): number {
  const each = bytesEach(snapshot);
  const copies = again * (snapshot.bytes.observed / Math.max(snapshot.observed.size, 1));
  const few = Math.min(newAtLeast, Math.floor((free(answersUpTo, snapshot.bytes) - copies) / (2 * each)));
  let rest = free(listsUpTo, snapshot.bytes) - copies;
  snapshot.observed.forEach((view) => {
    if (mayGetStatus(view)) rest -= bytesOfStatus;
  });
  made.forEach((body, name) => {
    if (!snapshot.observed.has(name)) rest -= bytesCreated(JSON.stringify(body).length);
  });
  return Math.max(0, few, Math.floor(rest / (2 * each)));
}

/** Answers that come beside a list: kinds of other lists, and how many objects one by one, in a further copy each. */
export interface AnswersBeside {
  readonly lists: readonly Kind[];
  readonly singles: number;
}

/** For how many whole schemas there is room. The same for every call of one reconcile, whatever was answered by then. */
export function roomForSchemas({bytes}: Pick<Snapshot, 'bytes'>): number {
  const rest = free(answersUpTo, bytes);
  return Math.min(schemasMax, Math.max(0, Math.floor(rest / bytesOfSchema)));
}

/**
 * How many objects may get a second one, in another XR or in this, which takes as much as those that are here: one at least, as long
 * as the message itself has room. `begun`: second ones in this XR, undefined if still to come.
 */
export function roomForTwins(snapshot: Sized, begun: readonly (ResourceView | undefined)[] = []): number {
  const [room = 0, few = 0] = [listsUpTo, answersUpTo].map((upTo) => free(upTo, snapshot.bytes) / bytesEach(snapshot));
  const growing = begun.filter((view) => view?.isBlank(['status', 'conditions']) ?? true);
  return Math.max(0, Math.floor(Math.max(room, Math.min(1, few)) - growing.length));
}

/** A careful size of an object that was not seen yet. */
function bytesEach(snapshot: Sized): number {
  const {bytes, observed} = snapshot;
  const present = observed.size === 0 ? 0 : bytes.observed / observed.size;
  return Math.max(bytesOfTwin, present, bytesApplied(snapshot));
}

/** For how many single objects there is room, however large they are. */
export function roomForObjects({bytes}: Pick<Snapshot, 'bytes'>): number {
  return Math.max(0, Math.floor(free(answersUpTo, bytes) / bytesOfObject));
}
