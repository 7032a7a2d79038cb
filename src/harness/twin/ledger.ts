// The world's own books of one run: who created which object and which external resource. Labels, annotations and
// resourceRefs are not asked: whoever may write an XR can write them. Objects have other uids and names in the other
// run of the story, so what is compared has a place: of a composed resource its XR's place and its name in the
// pipeline, of anything else its address.

import type {External} from '../../cluster/cloud/ledger-state.ts';
import {conditionsOf} from '../../cluster/crossplane/conditions.ts';
import type {TraceEntry, World} from '../../cluster/kernel/world.ts';
import {
  controllerOf,
  groupKindOf,
  groupOf,
  isDeleting,
  type KubeObject,
  type ResourceRef,
} from '../../cluster/object.ts';
import {isCreateIncomplete} from '../../cluster/provider/annotations.ts';
import type {ManagedKind} from '../../cluster/provider/managed-kind.ts';
import {idFor} from '../../cluster/provider/name-format.ts';
import {policyOf} from '../../cluster/provider/policies.ts';
import {annotationResourceName} from '../../cluster/vocabulary.ts';
import {decodeRequest} from '../../wire/request-decode.ts';
import {objectsIn} from '../explore/evidence.ts';
import {crashed} from '../explore/faults.ts';
import {externalsIn} from '../oracle/externals.ts';
import {HandDeletes, leadsToName} from './hand-deletes.ts';
import {readyTooSoon} from './ready-too-soon.ts';

export interface Made {
  readonly place: string;
  readonly address: string;
  /** 0 for the first object of its place, 1 for the one after it ... What a disaster took and is there again is not new. */
  readonly index: number;
  /** Set for what Crossplane composed. */
  readonly xr?: string;
  readonly resourceName?: string;
}

export interface MadeExternal extends Made {
  readonly id: string;
  /** Whether it was made for an object of an XR that is gone, or on its way, and goes with that. */
  readonly goes: boolean;
}

/** Kinds whose coming and going is nobody's story. */
const silentGroups = ['apiextensions.k8s.io', 'pkg.crossplane.io'];
const silentKinds = ['CompositionRevision', 'Composition', 'CompositeResourceDefinition', 'Namespace'];
/** A canary as it is planted in objects (worlds/platform.ts), or as a Secret has it. */
const givenAway = /canary|Y2FuYXJ5/;

/** How function-tether says that it broke (function/run.ts). */
const broke = 'internal error: ';

export class Ledger {
  readonly #madeByUid = new Map<string, Made>();
  readonly #madeByAddress = new Map<string, Made>();
  readonly #counts = new Map<string, number>();
  readonly #externals = new Map<string, MadeExternal>();
  readonly #asked = new Map<string, Uint8Array[]>();
  readonly #functions: readonly string[];
  readonly #managed: readonly ManagedKind[];
  readonly #cutOff = new Set<string>();
  /** Identifiers of external resources of which nobody knows yet what they were made for. */
  readonly #unsure = new Set<string>();
  readonly #letGo = new Map<string, number>();
  /** When something was made at a place for the first time. */
  readonly #madeFirst = new Map<string, number>();
  /** Places of what a tool brought back, and those whose XR was there before. */
  readonly #restored = new Set<string>();
  readonly #late = new Set<string>();
  /** Places of what a disaster took in the middle of a reconcile, and an apply of that reconcile made again. */
  readonly #remade = new Set<string>();
  /** Places of what the owner GC deleted, as its owner was gone. */
  readonly #collected = new Set<string>();
  #handDeletes = new HandDeletes();
  /** Uids of what is gone, or on its way. */
  readonly #gone = new Set<string>();
  /** The uid of what controls an object, by the object's. */
  readonly #owners = new Map<string, string>();
  /** Places whose object a disaster took. */
  readonly #lost = new Set<string>();
  /** Processes that ended by themselves, and functions that broke: a fault that kills one is nobody's doing. */
  readonly died: string[] = [];
  /** Places of XRs that were Ready and only observed what another one had, when that one was deleted. */
  readonly readyTooSoon = new Set<string>();
  /** What events, logs and conditions said that gives a canary away. */
  readonly said = new Set<string>();
  /** Places of XRs whose reconcile waited for a cache of a kind that is not served until it gave up. */
  readonly #waited = new Set<string>();
  /** By their place since when XRs are not Synced, whatever was written of it since. */
  readonly #stillSince = new Map<string, number>();
  /** The resource names that what was made at a place had, by the place. */
  readonly #resourceNames = new Map<string, ReadonlySet<string>>();
  /** Places of what a tool brought back though its XR had let it go. */
  readonly #broughtBack = new Set<string>();
  /** Places of XRs that stood still when they were deleted, or lost. */
  readonly #endedStill = new Set<string>();
  /** Uids of what a disaster took, and places of what Crossplane made theirs afterwards, in a reconcile that had begun before. */
  readonly #lostUids = new Set<string>();
  readonly #madeTheirs = new Set<string>();
  /** Places of what went with the definition of its kind. */
  readonly #wentWithKind = new Set<string>();
  /** UIDs of what was deleted in this step. */
  readonly #deletedNow = new Set<string>();
  #hasProviderStopped = false;
  #cloud: unknown;

  /** `managed`: kinds whose external names say the cloud's identifier in words of their own. */
  constructor(functions: readonly string[], managed: readonly ManagedKind[]) {
    this.#functions = functions;
    this.#managed = managed;
  }

  /** A ledger that says the same; the two go on without each other. */
  fork(): Ledger {
    const fork = new Ledger(this.#functions, this.#managed);
    for (const [uid, made] of this.#madeByUid) fork.#madeByUid.set(uid, made);
    for (const [address, made] of this.#madeByAddress) fork.#madeByAddress.set(address, made);
    for (const [place, count] of this.#counts) fork.#counts.set(place, count);
    for (const [id, external] of this.#externals) fork.#externals.set(id, external);
    for (const [run, requests] of this.#asked) fork.#asked.set(run, [...requests]);
    for (const uid of this.#cutOff) fork.#cutOff.add(uid);
    for (const id of this.#unsure) fork.#unsure.add(id);
    for (const uid of this.#gone) fork.#gone.add(uid);
    for (const place of this.#lost) fork.#lost.add(place);
    for (const [place, count] of this.#letGo) fork.#letGo.set(place, count);
    for (const [place, atMs] of this.#madeFirst) fork.#madeFirst.set(place, atMs);
    for (const place of this.#restored) fork.#restored.add(place);
    for (const place of this.#late) fork.#late.add(place);
    for (const [uid, owner] of this.#owners) fork.#owners.set(uid, owner);
    for (const place of this.#remade) fork.#remade.add(place);
    for (const place of this.#collected) fork.#collected.add(place);
    fork.#handDeletes = this.#handDeletes.fork();
    fork.died.push(...this.died);
    for (const text of this.said) fork.said.add(text);
    for (const place of this.#waited) fork.#waited.add(place);
    for (const [place, atMs] of this.#stillSince) fork.#stillSince.set(place, atMs);
    for (const place of this.#endedStill) fork.#endedStill.add(place);
    for (const uid of this.#lostUids) fork.#lostUids.add(uid);
    for (const place of this.#madeTheirs) fork.#madeTheirs.add(place);
    for (const place of this.#wentWithKind) fork.#wentWithKind.add(place);
    for (const [place, names] of this.#resourceNames) fork.#resourceNames.set(place, names);
    for (const place of this.#broughtBack) fork.#broughtBack.add(place);
    for (const place of this.readyTooSoon) fork.readyTooSoon.add(place);
    fork.#hasProviderStopped = this.#hasProviderStopped;
    fork.#cloud = this.#cloud;
    return fork;
  }

  observe(entry: TraceEntry, atMs: number): void {
    if (entry.kind === 'api') {
      this.#handDeletes.observe(entry, {
        placeOf: (object) => this.#madeByAddress.get(addressOf(object))?.place,
        idOf: (object) => this.idOf(object),
      });
      for (const {type, object} of entry.events) {
        if (type === 'ADDED') this.#added(object, entry.actor, entry.run);
        else if (entry.request.verb === 'delete') this.#deleted(object, entry.actor, entry.run);
        const made = this.of(object);
        // As etcd was restored, it is the one of before that is there again, whatever was made under the name since.
        if (made !== undefined) this.#madeByAddress.set(addressOf(object), made);
        const {place = ''} = made ?? {};
        this.#name(place, object);
        if (type === 'ADDED' && !this.#madeFirst.has(place)) this.#madeFirst.set(place, atMs);
        if (entry.actor === 'crossplane') this.#says(object, atMs);
        if (entry.actor === 'crossplane' && this.#lostUids.has(controllerOf(object)?.uid ?? ''))
          this.#madeTheirs.add(place);
        if (entry.actor === 'kube-apiserver' && isDeleting(object)) this.#wentWithKind.add(place);
        if (type === 'DELETED' || isDeleting(object)) this.#gone.add(object.metadata.uid ?? '');
        if (type === 'DELETED' && entry.actor === 'disaster') this.#lose(place, object);
        if (type === 'DELETED' && this.#stillSince.has(place)) this.#endedStill.add(place);
      }
    } else if (entry.kind === 'note') {
      this.#hear(entry.note.message);
      if (saysNotServed(entry.note.message)) this.#waited.add(this.#placeAt(entry.note.about));
    } else if (entry.kind === 'function' && this.#functions.includes(entry.target)) {
      const before = this.#asked.get(entry.run);
      if (before === undefined) this.#asked.set(entry.run, [entry.request]);
      else before.push(entry.request);
    } else if (entry.kind === 'process' && entry.change !== 'started') {
      if (entry.change === 'died' && entry.message !== crashed)
        this.died.push(`${entry.actor}: ${entry.message ?? ''}`);
      this.#hasProviderStopped ||= entry.actor === 'provider';
    }
  }

  #name(place: string, object: KubeObject): void {
    const name = object.metadata.annotations?.[annotationResourceName];
    const names = this.#resourceNames.get(place);
    if (name !== undefined && names?.has(name) !== true)
      this.#resourceNames.set(place, new Set([...(names ?? []), name]));
  }

  #lose(place: string, {metadata}: KubeObject): void {
    this.#lost.add(place);
    this.#lostUids.add(metadata.uid ?? '');
    this.#restored.delete(place);
  }

  #says(object: KubeObject, atMs: number): void {
    for (const {type, status, message} of conditionsOf(object)) {
      this.#hear(message);
      if (type !== 'Synced') continue;
      const place = this.of(object)?.place ?? '';
      // What cannot be applied holds up nothing else.
      if (status === 'True' || message?.startsWith('Unsynced resources') === true) this.#stillSince.delete(place);
      else if (!this.#stillSince.has(place)) this.#stillSince.set(place, atMs);
    }
  }

  #hear(text: string | undefined): void {
    if (text === undefined) return;
    if (givenAway.test(text)) this.said.add(text);
    if (text.includes(broke) && !this.died.includes(text)) this.died.push(text);
  }

  /** To be called after every step: external resources come into being without a request of anybody. */
  look(world: World): void {
    if (this.#deletedNow.size > 0) {
      const uids = readyTooSoon(this.#deletedNow, world, (object) => this.idOf(object));
      for (const uid of uids) this.readyTooSoon.add(this.ofUid(uid)?.place ?? '');
      this.#deletedNow.clear();
    }
    if (this.#hasProviderStopped) {
      this.#hasProviderStopped = false;
      for (const object of objectsIn(world))
        if (isCreateIncomplete(object)) this.#cutOff.add(object.metadata.uid ?? '');
    }
    if (world.cloud === this.#cloud && this.#unsure.size === 0) return;
    this.#cloud = world.cloud;
    this.#unsure.clear();
    for (const external of externalsIn(world)) {
      if (this.#externals.has(external.id)) continue;
      const [object, ...others] = this.#ownersOf(external, world);
      if (others.length > 0) {
        this.#unsure.add(external.id);
        continue;
      }
      const owner = object === undefined ? undefined : this.of(object);
      const place = owner?.place ?? `external ${external.type} of nobody`;
      const goes = object !== undefined && this.#goesWithOwner(object);
      this.#externals.set(external.id, {
        ...(owner ?? {place, address: ''}),
        id: external.id,
        index: this.#indexAt(`external ${place}`, goes),
        goes,
      });
    }
  }

  of(object: KubeObject): Made | undefined {
    return this.#madeByUid.get(object.metadata.uid ?? '') ?? this.#madeByAddress.get(addressOf(object));
  }

  ofUid(uid: string): Made | undefined {
    return this.#madeByUid.get(uid);
  }

  /** Whether the provider stopped in the middle of the create of its external resource, and nobody knows how it ended. */
  isCutOff(object: KubeObject): boolean {
    return this.#cutOff.has(object.metadata.uid ?? '') && isCreateIncomplete(object);
  }

  get externals(): ReadonlyMap<string, MadeExternal> {
    return this.#externals;
  }

  /** Every place where something was ever made. */
  get places(): ReadonlyMap<string, Made> {
    const all = new Map<string, Made>();
    for (const made of this.#madeByAddress.values()) all.set(made.place, made);
    for (const made of this.#madeByUid.values()) all.set(made.place, made);
    return all;
  }

  /** The requests of each XR, by the XR's place, the last one last. */
  asked(): ReadonlyMap<string, readonly Uint8Array[]> {
    const requests = new Map<string, readonly Uint8Array[]>();
    for (const list of this.#asked.values()) {
      const last = list.at(-1) as Uint8Array;
      const uid = decodeRequest(last).observed.composite?.field(['metadata', 'uid']);
      const made = typeof uid === 'string' ? this.#madeByUid.get(uid) : undefined;
      if (made !== undefined) requests.set(made.place, [...(requests.get(made.place) ?? []), ...list]);
    }
    return requests;
  }

  /** How often what was made there was deleted for its XR, which wanted it no more by then. */
  letGo(place: string): number {
    return this.#letGo.get(place) ?? 0;
  }

  /** Whether somebody asked for it while it was being deleted. */
  wasAskedTooSoon(place: string): boolean {
    return this.#handDeletes.wasAskedTooSoon(place);
  }

  /** When something was made there for the first time. */
  madeFirstMs(place: string): number {
    return this.#madeFirst.get(place) ?? Number.POSITIVE_INFINITY;
  }

  /** Whether a tool ever brought it back after its XR. */
  cameBackLate(place: string): boolean {
    return this.#late.has(place);
  }

  /** Whether the XR was lost in the middle of a reconcile, which made it again. */
  wasRemade(xr: string): boolean {
    return this.#remade.has(xr);
  }

  /** Whether a reconcile of an XR that was lost meanwhile had what is there be that XR's: it goes with an XR that is gone. */
  isOfLost(place: string): boolean {
    return this.#madeTheirs.has(place);
  }

  /** Whether a person removed the definition of its kind while it was there. */
  wentWithKind(place: string): boolean {
    return this.#wentWithKind.has(place);
  }

  /** Whether the owner GC deleted what was made there. */
  wasCollected(place: string): boolean {
    return this.#collected.has(place);
  }

  /** Whether a person who deleted it was answered that a Usage keeps it. */
  isDenied(place: string): boolean {
    return this.#handDeletes.isDenied(place);
  }

  /** Whether its reconcile waited for a kind that is not served: it does so again whenever it is reconciled. */
  hasWaited(place: string): boolean {
    return this.#waited.has(place);
  }

  /** Whether a restore brought it back. */
  wasRestored(place: string): boolean {
    return this.#restored.has(place);
  }

  /** Until when the XR at the place was Synced, but for resources that could not be applied: for ever where it is. */
  syncedUntilMs(place: string): number {
    return this.#stillSince.get(place) ?? Number.POSITIVE_INFINITY;
  }

  resourceNamesAt(place: string): readonly string[] {
    return [...(this.#resourceNames.get(place) ?? [])];
  }

  /** Whether a tool brought it back, to stay, though its XR had let it go. */
  wasBroughtBack(place: string): boolean {
    return this.#broughtBack.has(place);
  }

  /** The uid of what was made at the place last. */
  lastUidAt(place: string): string | undefined {
    return [...this.#madeByUid].findLast(([, made]) => made.place === place)?.[0];
  }

  /** Whether the XR at the place was deleted, or lost, once while it stood still. */
  endedStill(place: string): boolean {
    return this.#endedStill.has(place);
  }

  #placeAt(about: ResourceRef | undefined): string {
    if (about === undefined) return '';
    const {apiVersion, kind, name, namespace} = about;
    const metadata = namespace === undefined ? {name} : {name, namespace};
    return this.#madeByAddress.get(addressOf({apiVersion, kind, metadata}))?.place ?? '';
  }

  /** The external names of what a person deleted there. */
  deletedByHand(place: string): readonly string[] {
    return this.#handDeletes.namesAt(place);
  }

  #deleted(object: KubeObject, actor: string, run: string): void {
    const {uid = ''} = object.metadata;
    const place = this.#madeByUid.get(uid)?.place;
    if (place === undefined) return;
    this.#deletedNow.add(uid);
    if (actor === 'kube-controller-manager') this.#collected.add(place);
    if (actor === 'crossplane' && this.#isUnwanted(object, run)) this.#letGo.set(place, this.letGo(place) + 1);
  }

  /** Whether the earlier steps desired no such object, under its resource name or its own, when its XR was last reconciled. */
  #isUnwanted(object: KubeObject, run: string): boolean {
    const request = this.#asked.get(run)?.at(-1);
    if (request === undefined) return false;
    const resources = decodeRequest(request).desired.resources;
    const wanted = resources.get(object.metadata.annotations?.[annotationResourceName] ?? '')?.json() as
      | KubeObject
      | undefined;
    if (wanted !== undefined && groupKindOf(wanted) === groupKindOf(object)) return false;
    return [...resources.values()].every((one) => addressOf(one.json() as KubeObject) !== addressOf(object));
  }

  #added(object: KubeObject, actor: string, run: string): void {
    if (silentGroups.includes(groupOf(object.apiVersion)) || silentKinds.includes(object.kind)) return;
    const uid = object.metadata.uid ?? '';
    this.#owners.set(uid, controllerOf(object)?.uid ?? '');
    const address = addressOf(object);
    const before = this.#madeByAddress.get(address);
    if (restorers.includes(actor) && before !== undefined) {
      // What a provider that died left behind in the middle of a create is so in a backup, too.
      if ([...this.#cutOff].some((other) => this.#madeByUid.get(other)?.place === before.place)) this.#cutOff.add(uid);
      this.#madeByUid.set(uid, before);
      this.#lost.delete(before.place);
      if (this.#restored.has(before.xr ?? '')) this.#late.add(before.place);
      if (this.letGo(before.place) > 0 && !this.#goesWithOwner(object)) this.#broughtBack.add(before.place);
      this.#restored.add(before.place);
      return;
    }
    const resourceName = object.metadata.annotations?.[annotationResourceName];
    // An XR: what it composes has a resource name.
    if (actor === 'crossplane' && resourceName === undefined && before !== undefined && this.#lost.has(before.place))
      this.#remade.add(before.place);
    // What was lost after Crossplane read it, and is made once more because the function held it, leaves as it was to. It is
    // nothing new: no hold can say that it only keeps (hold-body.ts).
    if (actor === 'crossplane' && before?.xr !== undefined && this.#isUnwanted(object, run)) {
      this.#madeByUid.set(uid, before);
      return;
    }
    const xr = actor === 'crossplane' ? this.#madeByUid.get(controllerOf(object)?.uid ?? '')?.place : undefined;
    const isComposed = xr !== undefined && resourceName !== undefined;
    const where = object.metadata.namespace === undefined ? '' : ` in ${object.metadata.namespace}`;
    const place = isComposed ? `${xr} > ${resourceName} (${groupKindOf(object)}${where})` : address;
    // What a disaster took is made good by whoever makes it again: a tool, or Crossplane before the tool comes to it.
    const goes = this.#goesWithOwner(object);
    const isMadeGood = !goes && this.#lost.delete(place);
    const index = isMadeGood ? (this.#counts.get(place) ?? 1) - 1 : this.#indexAt(place, goes);
    const made: Made = {place, address, index, ...(isComposed ? {xr, resourceName} : {})};
    this.#madeByUid.set(uid, made);
    this.#madeByAddress.set(address, made);
  }

  /** What is made for an XR that is gone, or on its way, goes with it, however often that happens: the one that stays is the next. */
  #indexAt(place: string, goes: boolean): number {
    const index = this.#counts.get(place) ?? 0;
    if (!goes) this.#counts.set(place, index + 1);
    return index;
  }

  #goesWithOwner(object: KubeObject): boolean {
    return this.#goes(controllerOf(object)?.uid ?? '');
  }

  /** Whether it, or what it belongs to, is gone or on its way. */
  #goes(uid: string): boolean {
    const owner = this.#owners.get(uid) ?? '';
    return this.#gone.has(uid) || (owner !== '' && this.#goes(owner));
  }

  /** The identifier of the external resource that an object leads to, as its provider reads the external name. */
  idOf(object: KubeObject): string {
    const kind = this.#kindOf(object);
    const name = leadsToName(object);
    return kind === undefined ? name : idFor(kind, name);
  }

  /** Whether its provider deletes what it leads to along with it. */
  deletesWith(object: KubeObject): boolean {
    const kind = this.#kindOf(object);
    return kind !== undefined && policyOf(object, kind.legacy, {enabled: true, supported: []}).mayDelete;
  }

  #kindOf(object: KubeObject): ManagedKind | undefined {
    const groupKind = groupKindOf(object);
    return this.#managed.find((one) => groupKindOf(one) === groupKind);
  }

  /**
   * The managed resource an external resource was made for: of several of one name the one that leads nowhere else. More than one as long as
   * nobody knows, for their provider is about to create for each.
   */
  #ownersOf({type, owner, id}: External, {server}: World): readonly KubeObject[] {
    const candidates: KubeObject[] = [];
    for (const [groupKind, objects] of server.objects) {
      if (groupKind.split('.')[0] !== type) continue;
      objects.forEach((object) => {
        if (object.metadata.name === owner) candidates.push(object);
      });
    }
    const named = candidates.filter((object) => this.idOf(object) === id);
    const free = candidates.filter((object) => !this.#externals.has(this.idOf(object)));
    const [likely = []] = [named, free, candidates].filter((all) => all.length > 0);
    // Objects of one name in several namespaces: its provider says that it is about to create.
    const creating = likely.filter(isCreateIncomplete);
    const going = creating.filter((object) => !this.isCutOff(object));
    const [found = []] = [going, creating, likely.slice(0, 1)].filter((all) => all.length > 0);
    return found === going ? going : found.slice(0, 1);
  }
}

/** Whether an error says that a kind is not served any more, and a cache of it was never filled. */
export function saysNotServed(message = ''): boolean {
  return message.includes('Informer to sync');
}

const restorers = ['velero', 'gitops', 'kubectl', 'etcd', 'disaster'];

export function addressOf(object: KubeObject): string {
  const {namespace, name} = object.metadata ?? {name: ''};
  return `${groupKindOf(object)} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
