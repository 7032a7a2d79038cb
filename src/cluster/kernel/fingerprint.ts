import type {Informer, ProcessState, Task, World} from './world.ts';

// Identifies a world for the explorer: equal fingerprints for worlds that behave alike from here on.
//
// Left out, because nothing that is modelled can tell: the absolute time (only what is due relative to now counts),
// sequence numbers, the moments in creation and transition timestamps, the insertion order of tables, and the seed,
// which the explorer replaces by choices. Renamed, because only their equality and order matter: uids, by first
// appearance in a canonical walk of the store, and resourceVersions, by rank among the versions of one object that the
// state still holds. So two orders of independent writes meet again in one state.
//
// What is hashed of a reconcile in flight is its replies. Two histories that would go on alike but heard different
// things stay two states; that costs merging, not soundness.
//
// 53 bits of hash: with 10 million states the chance that any two collide is about 0.6 %. A collision can only hide
// states, never invent a counterexample, because those are replayed.

/** A hash of everything about a value but its uids and resourceVersions, which are kept in walking order. */
interface Digest {
  readonly high: number;
  readonly low: number;
  readonly uids: readonly string[];
  readonly versions: readonly Version[];
}

interface Version {
  readonly uid: string;
  readonly revision: number;
}

export function fingerprint(world: World): number {
  const digests: Digest[] = [];
  eachPart(world, (digest) => digests.push(digest));
  const names = namesOf(digests);
  const ranks = ranksOf(digests);
  const hash = new Hash();
  for (const {high, low, uids, versions} of digests) {
    hash.add(high);
    hash.add(low);
    for (const uid of uids) hash.add(names.get(uid) ?? 0);
    for (const version of versions) hash.add(ranks.get(version.uid)?.indexOf(version.revision) ?? 0);
  }
  return hash.value();
}

/**
 * Identifies what a world has come to, whatever is under way: stored objects without their versions, external resources,
 * the processes that run and what they watch. Where it stays the same, a poll has changed nothing.
 */
export function restFingerprint(world: World): number {
  const digests: Digest[] = [];
  for (const [, objects] of sorted(world.server.objects)) {
    for (const [key, object] of sorted(objects)) digests.push(digestOf(key), digestOf(object));
  }
  digests.push(digestOf(world.cloud));
  for (const [name, process] of sorted(world.processes)) {
    digests.push(digestOf(name));
    for (const [key, informer] of sorted(process.informers)) digests.push(digestOf(key), digestOf(informer.handlers));
  }
  const names = namesOf(digests);
  const hash = new Hash();
  for (const {high, low, uids} of digests) {
    hash.add(high);
    hash.add(low);
    for (const uid of uids) hash.add(names.get(uid) ?? 0);
  }
  return hash.value();
}

/** Visits the digests of a world's parts in canonical order. */
function eachPart(world: World, visit: (digest: Digest) => void): void {
  for (const [, objects] of sorted(world.server.objects)) {
    for (const [key, object] of sorted(objects)) {
      visit(digestOf(key));
      visit(digestOf(object));
    }
  }
  for (const [groupKind] of sorted(world.server.kinds)) visit(digestOf(groupKind));
  visit(digestOf(world.cloud));
  for (const [, wait] of sorted(world.cloudRequests)) {
    visit(digestOf(wait.request));
    visit(digestOf(wait.answerAtMs - world.nowMs));
  }
  visit(digestOf(world.armed));
  for (const [name, process] of sorted(world.processes)) eachProcessPart(name, process, world.nowMs, visit);
}

function eachProcessPart(name: string, process: ProcessState, nowMs: number, visit: (digest: Digest) => void): void {
  visit(digestOf(name));
  visit(digestOf(process.memory));
  for (const [key, informer] of sorted(process.informers)) eachInformerPart(key, informer, nowMs, visit);
  for (const [controller, queue] of sorted(process.queues)) {
    visit(digestOf(controller));
    for (const [key] of sorted(queue.ready)) visit(digestOf(`ready ${key}`));
    for (const [key, atMs] of sorted(queue.delayed)) visit(digestOf(`delayed ${key} ${Math.max(0, atMs - nowMs)}`));
    for (const [key] of sorted(queue.dirty)) visit(digestOf(`dirty ${key}`));
    for (const [key, failures] of sorted(queue.failures)) visit(digestOf(`failures ${key} ${failures}`));
  }
  const tasks = [...process.tasks.values()].sort((left, right) => compare(runOf(left), runOf(right)));
  for (const task of tasks) eachTaskPart(task, nowMs, visit);
}

function eachInformerPart(key: string, informer: Informer, nowMs: number, visit: (digest: Digest) => void): void {
  visit(digestOf(key));
  visit(digestOf(informer.synced ? 'synced' : informer.listAtMs - nowMs));
  for (const [, object] of sorted(informer.objects)) visit(digestOf(object));
  for (const {event, dueMs, only} of informer.pending) {
    visit(digestOf(event.object));
    visit(digestOf(`${event.type} ${Math.max(0, dueMs - nowMs)} ${only ?? ''}`));
  }
}

function eachTaskPart(task: Task, nowMs: number, visit: (digest: Digest) => void): void {
  visit(digestOf(runOf(task)));
  for (let link = task.replies; link !== undefined; link = link.before) visit(digestOf(link.reply));
  const {wait} = task;
  if (wait.kind === 'due') visit(digestOf(Math.max(0, wait.dueMs - nowMs)));
  if (wait.kind === 'informer') visit(digestOf(`${wait.informer} ${wait.deadlineMs - nowMs}`));
}

function runOf({run}: Task): string {
  return run.kind === 'reconcile' ? `${run.controller.name} ${run.key}` : `${run.routine} ${JSON.stringify(run.input)}`;
}

/** Uids numbered by first appearance. */
function namesOf(digests: readonly Digest[]): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  for (const {uids} of digests) for (const uid of uids) if (!names.has(uid)) names.set(uid, names.size + 1);
  return names;
}

/** The revisions of each object that occur in the state, in order. */
function ranksOf(digests: readonly Digest[]): ReadonlyMap<string, readonly number[]> {
  const ranks = new Map<string, number[]>();
  for (const {versions} of digests) {
    for (const {uid, revision} of versions) {
      const known = ranks.get(uid);
      if (known === undefined) ranks.set(uid, [revision]);
      else if (!known.includes(revision)) known.push(revision);
    }
  }
  for (const revisions of ranks.values()) revisions.sort((left, right) => left - right);
  return ranks;
}

// Values are immutable, so a digest holds as long as the value lives.
const known = new WeakMap<object, Digest>();

function digestOf(value: unknown): Digest {
  if (typeof value !== 'object' || value === null) return digestValue(value);
  const before = known.get(value);
  if (before !== undefined) return before;
  const digest = digestValue(value);
  known.set(value, digest);
  return digest;
}

function digestValue(value: unknown): Digest {
  const hash = new Hash();
  const uids: string[] = [];
  const versions: Version[] = [];
  walk(value, hash, uids, versions);
  return {high: hash.high, low: hash.low, uids, versions};
}

const moments = new Set(['creationTimestamp', 'deletionTimestamp', 'lastTransitionTime', 'time']);
const uidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function walk(value: unknown, hash: Hash, uids: string[], versions: Version[]): void {
  if (typeof value === 'string') return walkText(value, hash, uids);
  if (typeof value === 'number') return hash.addNumber(value);
  if (typeof value !== 'object' || value === null) return hash.addText(String(value));
  if (value instanceof Uint8Array) return hash.addBytes(value);
  if (value instanceof Map) return walkEntries([...value], hash, uids, versions);
  if (value instanceof Set || Array.isArray(value)) {
    hash.add(1);
    for (const item of value) walk(item, hash, uids, versions);
    return hash.add(2);
  }
  walkEntries(Object.entries(value), hash, uids, versions);
}

function walkText(text: string, hash: Hash, uids: string[]): void {
  if (text.length !== 36 || !uidShape.test(text)) return hash.addText(text);
  uids.push(text);
  hash.add(3);
}

function walkEntries(
  entries: readonly (readonly [unknown, unknown])[],
  hash: Hash,
  uids: string[],
  versions: Version[],
): void {
  hash.add(4);
  const uid = entries.find(([key]) => key === 'uid')?.[1];
  for (const [key, value] of [...entries].sort(([left], [right]) => compare(String(left), String(right)))) {
    if (value === undefined) continue;
    walkText(String(key), hash, uids);
    if (typeof key === 'string' && moments.has(key)) hash.add(5);
    else if (key === 'resourceVersion' && typeof uid === 'string') versions.push({uid, revision: Number(value)});
    else walk(value, hash, uids, versions);
  }
  hash.add(6);
}

function sorted<V>(table: ReadonlyMap<string, V>): readonly (readonly [string, V])[] {
  return [...table].sort(([left], [right]) => compare(left, right));
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Two 32-bit lanes mixed as in cyrb53 (public domain, bryc 2018). */
class Hash {
  high = 0xdeadbeef | 0;
  low = 0x41c6ce57 | 0;

  add(word: number): void {
    this.high = Math.imul(this.high ^ word, 2654435761);
    this.low = Math.imul(this.low ^ word, 1597334677);
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

  addBytes(bytes: Uint8Array): void {
    this.add(bytes.length + 16);
    for (const byte of bytes) this.add(byte);
  }

  value(): number {
    const high = mix(this.high, this.low);
    const low = mix(this.low, this.high);
    return 4294967296 * (2097151 & low) + (high >>> 0);
  }
}

function mix(lane: number, other: number): number {
  return Math.imul(lane ^ (lane >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
}
