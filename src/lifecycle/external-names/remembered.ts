// One remembered external name: what it says, how it is written down, and what makes it believed.
//
// A name that is put on an object makes the provider take that external resource for it: change it, and delete it with the
// object. Where names are remembered others may write, too (docs/background/security.md). So an entry says whose it is down to UIDs, a
// seal is over all of that, and an entry without a valid one is kept for people to read and used for nothing.

import {objectKey, refTo} from '../facts/naming.ts';
import {fromEntries, isObject, type Json, type JsonObject, sortedNames, text} from '../words/json.ts';
import {groupOf} from '../words/references.ts';
import type {ResourceView} from '../words/snapshot.ts';
import type {Seals} from './seal.ts';

const uidPath = ['metadata', 'uid'];

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
  /** Whether it may name an object: this function sealed it, or nobody but the platform can write where it lies. */
  readonly isProven: boolean;
}

/** With a key an entry without a seal is one that somebody else wrote. Looked at where it is used: others may write any number. */
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

/** What to remember of an object that has this external name. */
export function rememberedAs(
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
    uid: uidOf(view),
    xr: uidOf(xr),
    seal: '',
  };
  return seals.hasKey ? {...entry, seal: seals.seal(sealedWords(entry, resourceName, xr))} : entry;
}

/**
 * Whether the entry says of an object that has this external name what there is to remember. Any seal that is believed will do: two
 * replicas that have other keys, or others in front, as while a key is changed, would write over each other's for ever.
 */
export function saysSame(
  entry: Remembered,
  name: string,
  resourceName: string,
  view: ResourceView,
  xr: ResourceView,
  seals: Seals,
): boolean {
  return (
    entry.name === name &&
    entry.uid === uidOf(view) &&
    entry.xr === uidOf(xr) &&
    isSameObject(entry, view) &&
    (!seals.hasKey || seals.isValid(sealedWords(entry, resourceName, xr), entry.seal))
  );
}

/** The entries that are written there. `isOpen`: nobody but the platform can write there, so no seal is asked for. */
export function recalledFrom(
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

/** What to write: the very object that is `written` there where nothing changed, which costs nothing to write again. */
export function asJson(names: ReadonlyMap<string, Remembered>, written: Json | undefined): JsonObject {
  if (isObject(written) && isWritten(names, written)) return written;
  return fromEntries(sortedNames([...names.keys()]).map((name) => [name, names.get(name) as Remembered]));
}

function isWritten(names: ReadonlyMap<string, Remembered>, written: JsonObject): boolean {
  const there = Object.keys(written);
  return there.length === names.size && there.every((name) => names.get(name) === written[name]);
}

/** Whether the object is of the kind that the entry is about: a name of another kind's means nothing to a provider. */
export function isSameKind({group, kind}: Remembered, view: ResourceView): boolean {
  return view.kind === kind && groupOf(view.apiVersion) === group;
}

/** Whether the object is the one of the entry, or came back in its place. */
export function isSameObject(entry: Remembered, view: ResourceView): boolean {
  return isSameKind(entry, view) && view.namespace === entry.namespace && view.name === entry.object;
}

export function uidOf(view: ResourceView): string {
  return text(view.field(uidPath));
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
  if (isEntry(json)) return json;
  const word = (key: keyof Remembered): string => text(json[key]);
  return {
    name: word('name'),
    group: word('group'),
    kind: word('kind'),
    namespace: word('namespace'),
    object: word('object'),
    uid: word('uid'),
    xr: word('xr'),
    seal: word('seal'),
  };
}

/** Whether it is written as this function writes it. */
export function isEntry(json: JsonObject): json is Remembered {
  return Object.keys(json).length === words.length && words.every((word) => typeof json[word] === 'string');
}
