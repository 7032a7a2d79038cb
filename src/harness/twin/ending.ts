// What a run came to, put by place, so that it can be laid beside the other run's.

import type {External} from '../../cluster/cloud/ledger-state.ts';
import type {JsonObject} from '../../cluster/json.ts';
import {controllerOf, groupKindOf, isDeleting, type KubeObject} from '../../cluster/object.ts';
import {isPaused} from '../../cluster/paused.ts';
import {decodeRequest} from '../../wire/request-decode.ts';
import {decodeStruct} from '../../wire/struct-decode.ts';
import {objectsIn} from '../explore/evidence.ts';
import {externalsIn} from '../oracle/externals.ts';
import {addressOf, type Made, type MadeExternal} from './ledger.ts';
import type {StoryRun} from './run-story.ts';

export interface Ending {
  readonly run: StoryRun;
  /** Living objects by place, in the order they were made. */
  readonly living: ReadonlyMap<string, readonly Found[]>;
  readonly deleting: ReadonlyMap<string, readonly Found[]>;
  /** External resources that are alive, by the place they were made for. */
  readonly externals: ReadonlyMap<string, readonly MadeExternal[]>;
  /** Everything ever made. */
  readonly places: ReadonlyMap<string, Made>;
  /** What each XR asked of the function last, by the XR's place. */
  readonly asked: ReadonlyMap<string, Asked>;
  readonly xrs: readonly Found[];
}

export interface Found {
  readonly made: Made;
  readonly object: KubeObject;
  /** The place of what controls it; undefined for nobody, '?' for what is gone. */
  readonly controller: string | undefined;
}

export interface Asked {
  /** All that were asked, the last one last. */
  readonly requests: readonly Uint8Array[];
  readonly input: JsonObject;
  /** Names of what the earlier steps want. */
  readonly desired: ReadonlySet<string>;
  /** Their kinds. */
  readonly kinds: ReadonlyMap<string, string>;
  /** Addresses of what they want by its own name; of what Crossplane is to name up to the name. */
  readonly addresses: ReadonlySet<string>;
}

/** All that is there, what is being deleted, too. */
export function foundIn({living, deleting}: Pick<Ending, 'living' | 'deleting'>): readonly Found[] {
  return [...living.values(), ...deleting.values()].flat();
}

/** All that the object owns. */
export function ownedBy({metadata}: KubeObject, ending: Ending): readonly Found[] {
  return foundIn(ending).filter(({object}) => object.metadata.ownerReferences?.some(({uid}) => uid === metadata.uid));
}

/** The XRs that it composes: it is not ready as long as one of them is not, and may not go as long as one of them stays. */
export function innerXrsOf(place: string, {asked}: Pick<Ending, 'asked'>): readonly string[] {
  return [...asked.keys()].filter((xr) => xr.startsWith(`${place} > `));
}

/** The place, and those of the XRs that it is composed by; the outermost first. */
export function placesOn(place: string): readonly string[] {
  const names = place.split(' > ');
  return names.map((_, index) => names.slice(0, index + 1).join(' > '));
}

/** Whether the XR is not Synced. */
export function standsStill(xr: string, {run}: Ending): boolean {
  return run.ledger.syncedUntilMs(xr) < Number.POSITIVE_INFINITY;
}

/** Whether a kind, `Kind.group`, is served by the end. */
export function isServed(groupKind: string, {run}: Ending): boolean {
  return run.world.server.kinds.has(groupKind);
}

export function endingOf(run: StoryRun): Ending {
  const {world, ledger} = run;
  const living = new Map<string, Found[]>();
  const deleting = new Map<string, Found[]>();
  for (const object of objectsIn(world)) {
    const made = ledger.of(object);
    if (made === undefined) continue;
    const owner = controllerOf(object);
    const controller = owner === undefined ? undefined : (ledger.ofUid(owner.uid)?.place ?? '?');
    const table = isDeleting(object) ? deleting : living;
    table.set(made.place, [...(table.get(made.place) ?? []), {made, object, controller}]);
  }
  for (const list of living.values()) list.sort((one, other) => one.made.index - other.made.index);
  return {
    run,
    living,
    deleting,
    externals: externalsByPlace(externalsIn(world), ledger.externals),
    places: ledger.places,
    asked: askedOf(run),
    xrs: [...living.values()].flat().filter(({object}) => isXr(object) && !isPaused(object)),
  };
}

function externalsByPlace(alive: readonly External[], made: ReadonlyMap<string, MadeExternal>): Ending['externals'] {
  const table = new Map<string, MadeExternal[]>();
  for (const {id} of alive) {
    const one = made.get(id);
    if (one !== undefined) table.set(one.place, [...(table.get(one.place) ?? []), one]);
  }
  return table;
}

function askedOf({ledger}: StoryRun): Ending['asked'] {
  const asked = new Map<string, Asked>();
  for (const [place, requests] of ledger.asked()) {
    const {desired, input} = decodeRequest(requests.at(-1) as Uint8Array);
    const names = new Set(desired.resources.keys());
    const objects = [...desired.resources].map(([name, one]) => [name, one.json() as KubeObject] as const);
    const kinds = new Map(objects.map(([name, object]) => [name, groupKindOf(object)]));
    const addresses = new Set(objects.map(([, object]) => addressOf(named(object))));
    asked.set(place, {
      requests,
      input: input === undefined ? {} : decodeStruct(input),
      desired: names,
      kinds,
      addresses,
    });
  }
  return asked;
}

function named(object: KubeObject): KubeObject {
  return {...object, metadata: {...object.metadata, name: object.metadata?.name ?? ''}};
}

/** Whether the steps want an object of that address, or one that Crossplane names, of its kind and in its namespace. */
export function isWhereWanted(address: string, {addresses}: Asked): boolean {
  return addresses.has(address) || addresses.has(address.replace(/[^/ ]*$/, ''));
}

/** Crossplane writes conditions to every XR, and refs to none but XRs; a fresh one has neither yet. */
function isXr({spec, kind}: KubeObject): boolean {
  const nested = spec?.['crossplane'] as JsonObject | undefined;
  const isListed =
    spec?.['resourceRefs'] !== undefined || nested !== undefined || spec?.['compositionRef'] !== undefined;
  return isListed && kind !== 'Usage';
}
