// One remembered external name: its content, its form, and the proof that makes it count.
//
// A name on an object makes the provider adopt that external resource: change it, and delete it with the object. Other writers may
// reach the place of the memory, too (docs/background/security.md). So an entry names its owner down to UIDs, and a seal covers all
// of that. An entry without a valid seal is kept for people to read and used for nothing.

import {objectKey, refTo} from '../facts/naming.ts';
import {fromEntries, isObject, type Json, type JsonObject, sortedNames, text} from '../words/json.ts';
import {groupOf} from '../words/references.ts';
import type {ResourceView} from '../words/snapshot.ts';
import type {Seals} from './seal.ts';

/** A type and no interface: then it is JSON as it is. */
export type Remembered = {
  readonly name: string;
  /** The object that had it. */
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly object: string;
  readonly uid: string;
  /** UID of the XR at that time. */
  readonly xr: string;
  /** '' without a key. */
  readonly seal: string;
};

export interface Recalled {
  readonly entry: Remembered;
  /** True if it may name an object: this function sealed it, or only the platform can write there. */
  readonly isProven: boolean;
}

/** An entry in a memory with a key. Its seal is checked on use, because other writers may add any number of entries. */
class Sealed implements Recalled {
  readonly entry: Remembered;
  readonly #resourceName: string;
  readonly #xr: ResourceView;
  readonly #seals: Seals;

  constructor(entry: Remembered, resourceName: string, xr: ResourceView, seals: Seals) {
    this.entry = entry;
    this.#resourceName = resourceName;
    this.#xr = xr;
    this.#seals = seals;
  }

  get isProven(): boolean {
    return this.#seals.isValid(sealedWords(this.entry, this.#resourceName, this.#xr), this.entry.seal);
  }
}

/** The entry to remember for an object with this external name. */
export function entryFor(
  name: string,
  resourceName: string,
  view: ResourceView,
  xr: ResourceView,
  seals: Seals,
): Remembered {
  const entry = {
    name,
    group: groupOf(view.apiVersion),
    kind: view.kind,
    namespace: view.namespace,
    object: view.name,
    uid: view.uid,
    xr: xr.uid,
    seal: '',
  };
  return seals.hasKey ? {...entry, seal: seals.seal(sealedWords(entry, resourceName, xr))} : entry;
}

/**
 * True if the entry is up to date for an object with this external name. Any valid seal will do. Otherwise two replicas with
 * different keys, as during a rotation, would overwrite each other's seals for ever.
 */
export function isUpToDate(
  entry: Remembered,
  name: string,
  resourceName: string,
  view: ResourceView,
  xr: ResourceView,
  seals: Seals,
): boolean {
  return (
    entry.name === name &&
    entry.uid === view.uid &&
    entry.xr === xr.uid &&
    isSameObject(entry, view) &&
    (!seals.hasKey || seals.isValid(sealedWords(entry, resourceName, xr), entry.seal))
  );
}

/** The entries in the memory. `isOpen`: only the platform can write there, so no seal is required. */
export function entriesIn(
  json: Json | undefined,
  xr: ResourceView,
  seals: Seals,
  isOpen: boolean,
): ReadonlyMap<string, Recalled> {
  const recalled = new Map<string, Recalled>();
  if (!isObject(json)) return recalled;
  for (const resourceName of Object.keys(json)) {
    const entry = entryOf(json[resourceName]);
    if (entry === undefined) continue;
    recalled.set(resourceName, seals.hasKey ? new Sealed(entry, resourceName, xr, seals) : {entry, isProven: isOpen});
  }
  return recalled;
}

/** The JSON to write. If nothing changed, it is the very object `written`, which costs nothing to write again. */
export function asJson(names: ReadonlyMap<string, Remembered>, written: Json | undefined): JsonObject {
  if (isObject(written) && isWritten(names, written)) return written;
  return fromEntries(sortedNames([...names.keys()]).map((name) => [name, names.get(name) as Remembered]));
}

function isWritten(names: ReadonlyMap<string, Remembered>, written: JsonObject): boolean {
  const there = Object.keys(written);
  return there.length === names.size && there.every((name) => names.get(name) === written[name]);
}

/** True if the object is of the entry's kind: a name of another kind means nothing to its provider. */
export function isSameKind({group, kind}: Remembered, view: ResourceView): boolean {
  return view.kind === kind && groupOf(view.apiVersion) === group;
}

/** True if the object is the one of the entry, or came back in its place. */
export function isSameObject(entry: Remembered, view: ResourceView): boolean {
  return isSameKind(entry, view) && view.namespace === entry.namespace && view.name === entry.object;
}

/** Everything that has to be true of an entry, so that none can be moved to another XR, resource, kind or object. */
function sealedWords(entry: Remembered, resourceName: string, xr: ResourceView): readonly string[] {
  const {name, group, kind, namespace, object, uid} = entry;
  const words = [objectKey(refTo(xr)), entry.xr, resourceName, group, kind, namespace, object, uid, name];
  return ['tether.fn.crossplane.io/external-name', ...words];
}

const words = ['name', 'group', 'kind', 'namespace', 'object', 'uid', 'xr', 'seal'] as const;

/** The very object where it is written as this function writes it. */
function entryOf(json: Json | undefined): Remembered | undefined {
  if (!isObject(json) || text(json['name']) === '') return undefined;
  return isEntry(json) ? json : entryWith((word) => text(json[word]));
}

/** The entry with these values. */
export function entryWith(read: (word: keyof Remembered) => string): Remembered {
  return Object.fromEntries(words.map((word) => [word, read(word)])) as Remembered;
}

/** True if the entry has exactly the fields that this function writes. */
export function isEntry(json: JsonObject): json is Remembered {
  return Object.keys(json).length === words.length && words.every((word) => typeof json[word] === 'string');
}
