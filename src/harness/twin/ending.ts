// One run at rest, prepared for grading: objects, external resources and the intent, by place.

import type {World} from '../../cluster/kernel/world.ts';
import {groupKindOf, isDeleting, type KubeObject} from '../../cluster/object.ts';
import {isPaused} from '../../cluster/vocabulary.ts';
import {externalsIn} from '../control-plane/oracle/externals.ts';
import {objectsIn} from '../explore/evidence.ts';
import {desires, wantedIn} from './input-words.ts';
import {type Destroyed, type Epoch, type Intent, type Made, type MadeExternal, madeIn} from './intent.ts';

export interface Found {
  readonly made: Made;
  readonly object: KubeObject;
  readonly isGoing: boolean;
}

/** An external resource that is alive, and its present owner. */
export interface Alive {
  readonly external: MadeExternal;
  readonly made: Made;
  readonly leaders: readonly Found[];
}

/** The objects of the world at a moment, each with the thing that it is. */
export interface Scene {
  readonly intent: Intent;
  readonly all: readonly Found[];
}

export type Ending = ReturnType<typeof endingOf>;

export function endingOf(world: World, intent: Intent) {
  const scene = sceneOf(world, intent);
  const leading = Map.groupBy(scene.all, ({object}) => intent.leadsTo(object) ?? '');
  const ids = new Set(externalsIn(world).map(({type, id}) => `${type}/${id}`));
  const alive = [...intent.books.externals.values()].flatMap((external): Alive[] => {
    if (!ids.has(external.id)) return [];
    const leaders = leading.get(external.id) ?? [];
    if (leaders.length === 0 && (external.isFound || intent.books.forgotten.has(external.id))) return [];
    // It belongs to the object it was made for, or to a wanted one that leads there.
    const [owner] = [
      ...leaders.filter(({made}) => made.place === external.made.place),
      ...leaders.filter(({made}) => wants(made, scene)),
      ...leaders,
    ];
    return [{external, leaders, made: owner?.made ?? external.made}];
  });
  return {
    ...scene,
    /** By place, what is being deleted, too. */
    found: Map.groupBy(scene.all, ({made}) => made.place),
    alive: Map.groupBy(alive, ({made}) => made.place),
    places: placesOf(scene),
  };
}

export function sceneOf(world: World, intent: Intent): Scene {
  const all = objectsIn(world).flatMap((object) => {
    const made = intent.of(object);
    return made === undefined ? [] : [{made, object, isGoing: isDeleting(object)}];
  });
  return {intent, all};
}

/** Every place where something was made, or is desired by the earlier steps. */
function placesOf({intent: {books}, all}: Scene): ReadonlyMap<string, Made> {
  const externals = books.externals.values().map(({made}) => made);
  const places = new Map(
    [...books.byUid.values(), ...all.map(({made}) => made), ...externals].map((made) => [made.place, made]),
  );
  for (const [xr, epochs] of books.epochs) {
    for (const [key, object] of wantedIn((epochs.at(-1) as Epoch).desire)) {
      const made = madeIn(xr, key, groupKindOf(object));
      if (!places.has(made.place)) places.set(made.place, made);
    }
  }
  return places;
}

/** True if its XR wants it and lives, or a person wants it. An unwanted XR that lives is itself the leak. */
export function wants({xr, ...made}: Made, scene: Scene): boolean {
  if (xr === undefined) return scene.intent.books.asked.get(made.address) !== false;
  const desire = scene.intent.desireOf(xr);
  return desire !== undefined && livingAt(xr, scene) !== undefined && desires(desire, made);
}

/** The object that lives at the place. */
export function livingAt(place = '', {all}: Scene): Found | undefined {
  return all.find(({made, isGoing}) => made.place === place && !isGoing);
}

/**
 * True if it was wanted before its external resource was destroyed and is wanted at the end, and if in between neither its XR dropped
 * it nor an actor deleted it.
 */
export function wantedThroughout(made: Made, {external, move, endedMs}: Destroyed, ending: Ending): boolean {
  const isEnded = upwards(made, ending).some(({place}) => (endedMs.get(place) ?? -1) >= external.bornMs);
  if (isEnded || !wants(made, ending)) return false;
  const all = ending.intent.books.epochs.get(made.xr ?? '') ?? [];
  const before = all.findLast((epoch) => epoch.move < move)?.move ?? move;
  return all.filter((epoch) => epoch.move >= before).every(({desire}) => desires(desire, made));
}

/** It, its XR, the XR of that, and so on. */
export function upwards(made: Made, ending: Pick<Ending, 'places'>): readonly Made[] {
  const up = ending.places.get(made.xr ?? '');
  return up === undefined ? [made] : [made, ...upwards(up, ending)];
}

/** The XRs that are neither paused nor being deleted. */
export function xrsIn({all, intent}: Scene): readonly Found[] {
  return all.filter(({object, isGoing}) => intent.isXr(object) && !isGoing && !isPaused(object));
}
