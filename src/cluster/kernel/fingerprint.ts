// Identifies a world for the explorer: equal fingerprints for worlds that behave alike from here on.
//
// Left out, because no modelled actor can observe it: the absolute time (only the distance of due times counts), sequence numbers,
// the moments in creation and transition timestamps, the insertion order of tables, and the seed, which the explorer replaces by
// choices. Renamed, because only their equality and order matter: uids, by first appearance in a canonical walk of the store, and
// resourceVersions, by rank among the versions of one object that the state still holds. So two orders of independent writes meet
// again in one state. A time to come (moment.ts) counts by its distance. Of the times that a provider notes at a create, their
// order counts, and their age while that is short.
//
// A reconcile in flight is hashed by its replies. Two histories that would go on alike but had different replies stay two states;
// that costs merging, not soundness.
//
// Fingerprints of parts are computed once and remembered: an object, a table or a chain of replies that a step left alone is not
// hashed again. So a part's digest numbers the uids and versions in it by itself, and the whole state numbers those of its parts
// again.
//
// 53 bits of hash: with 10 million states the chance that any two collide is about 0.6 %. A collision can only hide states, never
// invent a counterexample, because those are replayed.

import type {ServerState} from '../api/store.ts';
import {type Memo, memo} from '../memo.ts';
import {sorted, Table} from '../table.ts';
import {parseTimestamp} from '../timestamp.ts';
import {annotationCreateFailed, annotationCreatePending, annotationCreateSucceeded} from '../vocabulary.ts';
import {syncedPollMs} from './due.ts';
import {Moment} from './moment.ts';
import type {WorkQueue} from './queue.ts';
import type {Informer, ProcessState, Replies, Task, World} from './world.ts';

/**
 * A hash of everything about a value but which uids and versions are in it: those are listed, in the order of their first
 * appearance, and the hash has only their numbers in that order.
 */
interface Digest {
  readonly high: number;
  readonly low: number;
  readonly uids: readonly string[];
  readonly versions: readonly Version[];
  /** The moments in the part, in milliseconds, as often as they appear. The whole state turns them into distances. */
  readonly moments: readonly number[];
}

interface Version {
  readonly uid: string;
  readonly revision: number;
}

export function fingerprint(world: World): number {
  const whole = new Gather();
  addServer(whole, world);
  whole.addValue(world.cloud);
  for (const [, wait] of sorted(world.cloudRequests)) {
    whole.addValue(wait.request);
    whole.addNumber(wait.answerAtMs - world.nowMs);
  }
  whole.addValue(world.armed);
  whole.addValue(world.forbidden);
  for (const [name, process] of sorted(world.processes)) {
    whole.addText(name);
    whole.addDigest(digestOfProcess(process, world.nowMs));
  }
  addRanks(whole);
  addMoments(whole, world.nowMs);
  return whole.value();
}

/** Identifies values that are kept outside a world, as things are at the moment. */
export function fingerprintOf(values: readonly unknown[], nowMs: number): number {
  const whole = new Gather();
  for (const value of values) whole.addValue(value);
  addRanks(whole);
  addMoments(whole, nowMs);
  return whole.value();
}

/**
 * Identifies what a world has come to, whatever is under way: stored objects without their versions, external resources,
 * the processes that run and what they watch. Where it stays the same, a poll has changed nothing.
 */
export function restFingerprint(world: World): number {
  const whole = new Gather();
  for (const [, objects] of sorted(world.server.objects)) whole.addValue(objects);
  whole.addValue(world.cloud);
  for (const [name, {informers}] of sorted(world.processes)) {
    whole.addText(name);
    for (const [key, {handlers}] of sorted(informers)) {
      whole.addText(key);
      whole.addValue(handlers);
    }
  }
  return whole.value();
}

const stores = memo<ServerState['objects'], Digest>();
const served = memo<ServerState['kinds'], Digest>();

function addServer(whole: Gather, {server}: World): void {
  whole.addDigest(memoizedDigest(stores, server.objects, addObjects));
  whole.addDigest(memoizedDigest(served, server.kinds, addKinds));
}

function addObjects(own: Gather, store: ServerState['objects']): void {
  for (const [groupKind, objects] of sorted(store)) {
    if (objects.size === 0) continue;
    own.addText(groupKind);
    own.addValue(objects);
  }
}

function addKinds(own: Gather, kinds: ServerState['kinds']): void {
  for (const [groupKind] of sorted(kinds)) own.addText(groupKind);
}

/** A digest of something that is due at some time holds for the moment it was made in. */
interface Momentary {
  readonly nowMs: number;
  readonly digest: Digest;
}

const present = memo<ProcessState, Momentary>();

function digestOfProcess(process: ProcessState, nowMs: number): Digest {
  const known = present.get(process);
  if (known?.nowMs === nowMs) return known.digest;
  const own = new Gather();
  addProcess(own, process, nowMs);
  const digest = own.digest();
  present.set(process, {nowMs, digest});
  return digest;
}

function addProcess(own: Gather, process: ProcessState, nowMs: number): void {
  own.addValue(process.memory);
  if (process.mapper !== undefined) own.addValue(process.mapper);
  for (const [key, informer] of sorted(process.informers)) {
    own.addText(key);
    addInformer(own, informer, nowMs);
  }
  for (const [controller, queue] of sorted(process.queues)) {
    own.addText(controller);
    addQueue(own, queue, nowMs);
  }
  const tasks = process.tasks.values().map((task) => ({task, run: own.canonical(runOf(task))}));
  tasks.sort((left, right) => compare(left.run, right.run));
  for (const {task, run} of tasks) addTask(own, task, run, nowMs);
}

const punctual = memo<Informer, Digest>();

function addInformer(whole: Gather, informer: Informer, nowMs: number): void {
  const known = punctual.get(informer);
  if (known !== undefined) return whole.addDigest(known);
  const own = new Gather();
  if (informer.synced) own.addText('synced');
  if (!informer.synced || informer.brokenFromMs !== undefined) own.addNumber(informer.listAtMs - nowMs);
  if (informer.brokenFromMs !== undefined) own.addNumber(Math.max(0, informer.brokenFromMs - nowMs));
  const lateMs = Math.max(0, (informer.lateUntilMs ?? 0) - nowMs);
  if (lateMs > 0) own.addText(`late ${lateMs}`);
  own.addValue(informer.objects);
  for (const {event, dueMs, only} of informer.pending) {
    own.addValue(event.object);
    own.addText(`${event.type} ${Math.max(0, dueMs - nowMs)} ${only ?? ''}`);
  }
  const digest = own.digest();
  // A due event stays due, so time no longer changes anything about it.
  const waits = !informer.synced || informer.brokenFromMs !== undefined || lateMs > 0;
  if (!waits && (informer.pending.last?.dueMs ?? 0) <= nowMs) punctual.set(informer, digest);
  whole.addDigest(digest);
}

function addQueue(whole: Gather, {ready, delayed, dirty, failures}: WorkQueue, nowMs: number): void {
  const entries: string[] = [];
  // Keys are taken in the order they became ready, so that order is part of what comes next.
  for (const key of ready.keys()) whole.addText(`ready ${whole.canonical(key)}`);
  for (const [key, atMs] of delayed) entries.push(`delayed ${whole.canonical(key)} ${Math.max(0, atMs - nowMs)}`);
  for (const key of dirty.keys()) entries.push(`dirty ${whole.canonical(key)}`);
  for (const [key, count] of failures) entries.push(`failures ${whole.canonical(key)} ${count}`);
  if (entries.length > 1) entries.sort(compare);
  for (const entry of entries) whole.addText(entry);
}

function addTask(whole: Gather, {replies, wait}: Task, run: string, nowMs: number): void {
  whole.addText(run);
  if (replies !== undefined) whole.addDigest(digestOfReplies(replies));
  if (wait.kind === 'due') whole.addNumber(Math.max(0, wait.dueMs - nowMs));
  if (wait.kind === 'informer') {
    whole.addText(`${wait.informer} ${wait.deadlineMs - nowMs} ${(nowMs - wait.sinceMs) % syncedPollMs}`);
  }
}

const chains = memo<Replies, Digest>();

function digestOfReplies(replies: Replies): Digest {
  // A loop, not a recursion: a reconcile may have hundreds of replies.
  const fresh: Replies[] = [];
  let link: Replies | undefined = replies;
  while (link !== undefined && chains.get(link) === undefined) {
    fresh.push(link);
    link = link.before;
  }
  let digest = link === undefined ? undefined : chains.get(link);
  for (const next of fresh.reverse()) {
    const own = new Gather();
    if (digest !== undefined) own.addDigest(digest);
    own.addValue(next.reply);
    digest = own.digest();
    chains.set(next, digest);
  }
  return digest as Digest;
}

function runOf({run}: Task): string {
  return run.kind === 'reconcile' ? `${run.controller.name} ${run.key}` : `${run.routine} ${JSON.stringify(run.input)}`;
}

/** Of each version in the state, its rank among those of its object. */
function addRanks(whole: Gather): void {
  const ranks = new Map<string, number[]>();
  for (const {uid, revision} of whole.versions) {
    const known = ranks.get(uid);
    if (known === undefined) ranks.set(uid, [revision]);
    else known.push(revision);
  }
  for (const revisions of ranks.values()) {
    // Most objects are held in one version.
    if (revisions.length === 1) continue;
    const order = revisions
      .map((_, index) => index)
      .sort((left, right) => (revisions[left] ?? 0) - (revisions[right] ?? 0));
    for (const index of order) whole.add(index);
    whole.add(-1);
  }
}

function addMoments(whole: Gather, nowMs: number): void {
  for (const atMs of whole.moments) whole.addNumber(atMs < nowMs ? -1 : atMs - nowMs);
}

// Values are immutable, so a digest holds as long as the value lives.
const known = memo<object, Digest>();

function digestOf(value: object): Digest {
  return memoizedDigest(known, value, walk);
}

function memoizedDigest<T extends object>(
  memory: Memo<T, Digest>,
  value: T,
  add: (gather: Gather, value: T) => void,
): Digest {
  const before = memory.get(value);
  if (before !== undefined) return before;
  const gather = new Gather();
  add(gather, value);
  const digest = gather.digest();
  memory.set(value, digest);
  return digest;
}

const unseen = new Set(['creationTimestamp', 'deletionTimestamp', 'lastTransitionTime', 'time']);
const uidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const uidInside = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

function walk(gather: Gather, value: unknown): void {
  if (typeof value === 'string') return gather.addWord(value);
  if (typeof value === 'number') return gather.addNumber(value);
  if (typeof value !== 'object' || value === null) return gather.addText(String(value));
  if (value instanceof Uint8Array) return gather.addBytes(value);
  if (value instanceof Moment) return gather.addMoment(value.atMs);
  if (value instanceof Table || value instanceof Map) return walkTable(value, gather);
  if (value instanceof Set || Array.isArray(value)) {
    gather.add(1);
    for (const item of value) walkInner(gather, item);
    return gather.add(2);
  }
  walkFields(value as {readonly [key: string]: unknown}, gather);
}

/** An object of so many fields has a digest of its own wherever it is: what it is part of changes more often than it. */
const partFieldsMin = 4;

function walkInner(gather: Gather, value: unknown): void {
  if (typeof value !== 'object' || value === null) return walk(gather, value);
  const isPart =
    value instanceof Table ||
    value instanceof Map ||
    (!Array.isArray(value) && Object.keys(value).length >= partFieldsMin);
  if (isPart) gather.addDigest(digestOf(value));
  else walk(gather, value);
}

/** A table's values are remembered one by one: a step changes few of them. Uids as keys have no order of their own. */
function walkTable(table: Iterable<readonly [unknown, unknown]>, gather: Gather): void {
  gather.add(8);
  const rows: {readonly key: string; readonly order: string; readonly value: unknown}[] = [];
  for (const [key, value] of table) {
    const text = String(key);
    const isUid = text.length === 36 && uidShape.test(text);
    rows.push({key: text, order: isUid ? orderOf(value) : text, value});
  }
  rows.sort((left, right) => compare(left.order, right.order));
  for (const {key, value} of rows) {
    gather.addWord(key);
    gather.addValue(value);
  }
  gather.add(9);
}

function orderOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const {high, low} = digestOf(value);
  return `${high} ${low}`;
}

function walkFields(value: {readonly [key: string]: unknown}, gather: Gather): void {
  gather.add(4);
  const uid = value['uid'];
  for (const key of Object.keys(value).sort()) {
    const field = value[key];
    if (field === undefined) continue;
    gather.addText(key);
    if (unseen.has(key)) gather.add(5);
    else if (createTimes.has(key)) addCreateTime(gather, field, value);
    else if (key === 'resourceVersion' && typeof uid === 'string') gather.addVersion(uid, Number(field));
    else walkInner(gather, field);
  }
  gather.add(6);
}

const createTimes = new Set([annotationCreatePending, annotationCreateSucceeded, annotationCreateFailed]);
/** Longer than any provider asks how long ago a create was: 30 s. */
const createRecentMs = 60_000;

/** All that a provider reads of these: whether the last create began after the others ended, and how long ago they did. */
function addCreateTime(gather: Gather, field: unknown, annotations: {readonly [key: string]: unknown}): void {
  const atMs = momentIn(field);
  if (atMs === undefined) return walk(gather, field);
  gather.addMoment(atMs + createRecentMs);
  const pendingMs = momentIn(annotations[annotationCreatePending]);
  if (pendingMs !== undefined) gather.add(pendingMs > atMs ? 12 : 13);
}

function momentIn(field: unknown): number | undefined {
  return typeof field === 'string' ? parseTimestamp(field) : undefined;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

const noUids: readonly string[] = [];
const noVersions: readonly Version[] = [];
const noMoments: readonly number[] = [];
/** Up to here looking through a list is cheaper than a table beside it. */
const listMax = 8;

/** Two 32-bit lanes mixed as in cyrb53 (public domain, bryc 2018), and the uids and versions met on the way. */
class Gather {
  #high = 0xdeadbeef | 0;
  #low = 0x41c6ce57 | 0;
  #uids: string[] | undefined;
  #versions: Version[] | undefined;
  #moments: number[] | undefined;
  #uidNumbers: Map<string, number> | undefined;
  #versionNumbers: Map<number, number> | undefined;

  get versions(): readonly Version[] {
    return this.#versions ?? noVersions;
  }

  get moments(): readonly number[] {
    return this.#moments ?? noMoments;
  }

  add(word: number): void {
    this.#high = Math.imul(this.#high ^ word, 2654435761);
    this.#high ^= this.#high >>> 15;
    this.#low = Math.imul(this.#low ^ word, 1597334677);
    this.#low ^= this.#low >>> 13;
  }

  addNumber(value: number): void {
    if (Number.isInteger(value) && Math.abs(value) < 0x40000000) {
      this.add(7);
      this.add(value);
    } else this.addText(String(value));
  }

  addText(text: string): void {
    this.add(text.length + 16);
    for (let index = 0; index < text.length; index++) this.add(text.charCodeAt(index));
  }

  /** Text that may be a uid. */
  addWord(text: string): void {
    if (text.length !== 36 || !uidShape.test(text)) return this.addText(text);
    this.add(3);
    this.add(this.#numberOf(text));
  }

  addBytes(bytes: Uint8Array): void {
    this.add(bytes.length + 16);
    for (const byte of bytes) this.add(byte);
  }

  addValue(value: unknown): void {
    if (typeof value === 'object' && value !== null) this.addDigest(digestOf(value));
    else walk(this, value);
  }

  addDigest({high, low, uids, versions, moments}: Digest): void {
    this.add(high);
    this.add(low);
    for (const uid of uids) this.add(this.#numberOf(uid));
    for (const version of versions) this.#addKnownVersion(version);
    if (moments.length > 0) this.#moments = [...this.moments, ...moments];
  }

  addMoment(atMs: number): void {
    this.add(11);
    this.#moments ??= [];
    this.#moments.push(atMs);
  }

  addVersion(uid: string, revision: number): void {
    this.#addKnownVersion({uid, revision});
  }

  /** The text with the number of each uid in place of the uid. */
  canonical(text: string): string {
    return text.length < 36 ? text : text.replace(uidInside, (uid) => `#${this.#numberOf(uid)}`);
  }

  digest(): Digest {
    return {
      high: this.#high,
      low: this.#low,
      uids: this.#uids ?? noUids,
      versions: this.versions,
      moments: this.moments,
    };
  }

  value(): number {
    const high = mix(this.#high, this.#low);
    const low = mix(this.#low, this.#high);
    return 4294967296 * (2097151 & low) + (high >>> 0);
  }

  #numberOf(uid: string): number {
    this.#uids ??= [];
    const uids = this.#uids;
    if (uids.length >= listMax) this.#uidNumbers ??= new Map(uids.map((known, number) => [known, number]));
    const known = this.#uidNumbers === undefined ? uids.indexOf(uid) : (this.#uidNumbers.get(uid) ?? -1);
    if (known >= 0) return known;
    this.#uidNumbers?.set(uid, uids.length);
    return uids.push(uid) - 1;
  }

  // Every write takes a revision of its own, so the revision alone identifies a version.
  #addKnownVersion(version: Version): void {
    this.#versions ??= [];
    const versions = this.#versions;
    const {revision} = version;
    if (versions.length >= listMax) {
      this.#versionNumbers ??= new Map(versions.map((known, number) => [known.revision, number]));
    }
    const known =
      this.#versionNumbers === undefined
        ? versions.findIndex((other) => other.revision === revision)
        : (this.#versionNumbers.get(revision) ?? -1);
    if (known >= 0) return this.add(known);
    this.#versionNumbers?.set(revision, versions.length);
    this.add(versions.push(version) - 1);
  }
}

function mix(lane: number, other: number): number {
  return Math.imul(lane ^ (lane >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
}
