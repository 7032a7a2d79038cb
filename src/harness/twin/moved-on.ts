// What went on under another resource name, or to another object. It is counted where it was made, while without the function
// the new name has an object of its own: so what was made there before it, and lives on, seems to be one too many.
//
// What was left on the way counts as little: an object of a kind that the steps want no more, which Crossplane forgets without
// the function, and what a person deletes under its new kind.

import {at} from '../../cluster/json.ts';
import {groupKindOf} from '../../cluster/object.ts';
import {annotationResourceName} from '../../cluster/vocabulary.ts';
import {isDeniedAsAsked} from './denied.ts';
import {type Ending, type Found, foundIn} from './ending.ts';
import type {Harm, HarmKind} from './harm.ts';
import type {Made, MadeExternal} from './ledger.ts';
import {inputIn} from './lives.ts';
import {takes} from './taken-on.ts';

/**
 * Whether its XR has it under another of its resource names by now, where without the function that name has another object; or
 * had it when it was backed up, and it is nobody's in both since a restore.
 */
export function hasMovedOn({made, object, controller}: Found, {asked}: Ending, wo: Ending): boolean {
  const name = object.metadata.annotations?.[annotationResourceName] ?? '';
  const {xr} = made;
  if (xr === undefined || name === made.resourceName || !isWantedAs(name, xr, asked)) return false;
  return (controller === xr || controller === undefined) && hasAt(name, xr, controller, wo);
}

/** Whether an object of another name or XR has it by now, where that one has an external resource of its own without the function. */
export function isInUseElsewhere({id, place}: MadeExternal, w: Ending, wo: Ending): boolean {
  return [...w.living.values()].flat().some(({made, object, controller}) => {
    if (w.run.ledger.idOf(object) !== id || controller === undefined || controller !== made.xr) return false;
    const name = object.metadata.annotations?.[annotationResourceName] ?? '';
    const isSame = made.place === place && name === made.resourceName;
    // An XR that a Usage kept from a person has none of its own without the function, where that person deleted it.
    const isKept = !wo.living.has(controller) && isDeniedAsAsked({place: controller, xr: controller}, w);
    return !isSame && isWantedAs(name, controller, w.asked) && (isKept || hasAt(name, controller, controller, wo));
  });
}

/**
 * Whether the object has another resource name than without the function, as what was set aside: whoever looks for it by that
 * name finds it in one run and not in the other.
 */
export function hasAnotherName({object: one}: Found, {object: other}: Found): boolean {
  const [mine, theirs] = [one, other].map(({metadata}) => metadata.annotations?.[annotationResourceName]);
  return mine !== undefined && theirs !== undefined && mine !== theirs;
}

/**
 * Whether the XR has an object of this kind under this resource name, that it made under another one, or it is nobody's in both since a
 * restore.
 */
export function hasArrived({xr, resourceName, address, place}: Made, {living}: Ending, wo: Ending): boolean {
  const isNobodys = wo.living.get(place)?.every(({controller}) => controller === undefined) === true;
  return [...living.values()].flat().some(({made, object, controller}) => {
    const name = object.metadata.annotations?.[annotationResourceName];
    const isOwn = made.xr === xr && xr !== undefined && (controller === xr || (isNobodys && controller === undefined));
    return isOwn && name === resourceName && name !== made.resourceName && groupKindOf(object) === kindAt(address);
  });
}

/** Whether the steps want another kind under its resource name by now, in both runs. */
export function isOfFormerKind({xr = '', resourceName = '', address}: Made, w: Ending, wo: Ending): boolean {
  return [w, wo].every(({asked}) => {
    const kind = asked.get(xr)?.kinds.get(resourceName);
    return kind !== undefined && kind !== kindAt(address);
  });
}

/** Whether a person deleted an object of another place of the XR, and by then it led to what was made for this place. */
export function wentByHand({place, xr}: Pick<Made, 'place' | 'xr'>, {places, run}: Ending): boolean {
  return [...places.values()].some((other) => {
    const names = other.place === place || other.xr !== xr ? [] : run.ledger.deletedByHand(other.place);
    return names.some((name) => run.ledger.externals.get(name)?.place === place);
  });
}

/** Whether the XR let go what it was by then, under another name or of another kind: it wanted that no more. */
export function wasLetGoSince(
  {place, xr, resourceName}: Pick<Harm, 'place' | 'xr' | 'resourceName'>,
  w: Ending,
): boolean {
  const {places, run} = w;
  return [...places.values()].some((other) => {
    const isSame = other.xr === xr && other.resourceName === resourceName;
    return other.place !== place && xr !== undefined && isSame && run.ledger.letGo(other.place) > 0;
  });
}

/**
 * Whether something moved, and in all no more external resources live of that kind: what went on to another resource name or XR is
 * counted where it was made, while without the function the new one made its own.
 */
export function isCountedElsewhere(made: Made, w: Ending, wo: Ending): boolean {
  const all = amongMoved(made, w);
  return all !== undefined && all.alive(w) <= all.alive(wo);
}

const ofObjects: {readonly [kind in HarmKind]?: 'living' | 'deleting'} = {
  kept: 'living',
  doubled: 'living',
  deleting: 'deleting',
};

/** Whether something moved, and in all no more objects of that kind are there, or on their way, than without the function. */
export function isObjectCountedElsewhere({kind, place, isExternal}: Harm, w: Ending, wo: Ending): boolean {
  const state = ofObjects[kind];
  const made = w.places.get(place);
  if (state === undefined || made === undefined || isExternal === true) return false;
  const count = (ending: Ending) => movedAlike(made, w)?.([...ending[state].values()].flat().map((one) => one.made));
  const [mine, theirs] = [count(w), count(wo)];
  return mine !== undefined && theirs !== undefined && mine <= theirs;
}

/**
 * Whether something moved, and in all no fewer live of that kind, nor were more destroyed. What nothing leads to any more without the
 * function nobody has there.
 */
export function isDestroyedElsewhere(made: Made, w: Ending, wo: Ending): boolean {
  const all = amongMoved(made, w);
  return all !== undefined && all.alive(w) >= all.ledTo(wo) && all.destroyed(w) <= all.destroyed(wo);
}

/** Whether something moved, and another object of the XR has what somebody wrote: it went on with the object it was written to. */
export function wentElsewhere(made: Made, field: string, value: unknown, w: Ending): boolean {
  if (movedAlike(made, w) === undefined) return false;
  const path = field.split('.');
  return [...w.living.values()]
    .flat()
    .some((other) => other.made.xr === made.xr && other.made.place !== made.place && at(other.object, path) === value);
}

function amongMoved(made: Made, w: Ending) {
  const count = movedAlike(made, w);
  if (count === undefined) return undefined;
  const alive = ({externals}: Ending) => count([...externals.values()].flat());
  const ledTo = (ending: Ending) => {
    const led = new Set(foundIn(ending).map(({object}) => ending.run.ledger.idOf(object)));
    return count([...ending.externals.values()].flat().filter(({id}) => led.has(id)));
  };
  return {alive, ledTo, destroyed: (ending: Ending) => count(ending.run.ledger.externals.values()) - alive(ending)};
}

/**
 * Counts what is of the same kind, of whatever group, for a move may change that, and of the same XR unless it moves between XRs;
 * undefined where nothing moves. What a template makes is there with the function only.
 */
function movedAlike({address, xr}: Made, {asked}: Ending): ((all: Iterable<Made>) => number) | undefined {
  const asks = (one: string | undefined, parts: readonly string[]) =>
    asked.get(one ?? '')?.requests.some((request) => asksFor(parts, request)) === true;
  const isBetween = [...asked.keys()].some((one) => asks(one, ['give', 'take']));
  if (!isBetween && !asks(xr, ['handover'])) return undefined;
  const word = (one: string) => kindAt(one)?.split('.')[0];
  const isOf = (one: Made) => (isBetween || one.xr === xr) && !isTemplate(one, asked);
  return (all) => [...all].filter((one) => word(one.address) === word(address) && isOf(one)).length;
}

function isTemplate({xr = '', resourceName}: Made, asked: Ending['asked']): boolean {
  const templates = asked.get(xr)?.input['resources'];
  return Array.isArray(templates) && templates.some((one) => at(one, ['name']) === resourceName);
}

function asksFor(parts: readonly string[], request: Uint8Array): boolean {
  const words = inputIn(request);
  return parts.some((part) => words[part] !== undefined);
}

/**
 * Whether a person deleted an object of that name more often than without the function: who deletes by a resource name finds an
 * object in one run that has another resource name in the other.
 */
export function wentByResourceName({address}: Made, w: Ending, wo: Ending): boolean {
  const deleted = ({places, run}: Ending) =>
    [...places.values()].filter((one) => one.address === address).flatMap(({place}) => run.ledger.deletedByHand(place));
  const isByResourceName = w.run.story.moves.some(
    ({action}) => action.kind === 'delete' && action.target.resource !== undefined,
  );
  return isByResourceName && deleted(w).length > deleted(wo).length;
}

/** Whether it waited to be given by another XR, and etcd is as it was at some moment before, when it may not have been made. */
export function wasTakenBackByEtcd(made: Made, w: Ending): boolean {
  return takes(made, w) && isBackInEtcd(w);
}

/** Whether etcd was restored to a moment before. */
function isBackInEtcd({run}: Ending): boolean {
  const actions = run.story.moves.map(({action}) => action);
  const isOfEtcd = actions.some((one) => one.kind === 'backup' && one.tool === 'etcd');
  return isOfEtcd && actions.some(({kind}) => kind === 'restore');
}

/**
 * Whether the XR wants it again only because etcd is as it was before, and no more external resources were made there than without the
 * function, where the one of then had been let go: the object may be of before its provider wrote the external name.
 */
export function isWantedAgainByEtcd({place}: Made, w: Ending, wo: Ending): boolean {
  const madeAt = ({run}: Ending) => [...run.ledger.externals.values()].filter((one) => one.place === place).length;
  return isBackInEtcd(w) && madeAt(w) <= madeAt(wo);
}

function kindAt(address: string): string | undefined {
  return address.split(' ')[0];
}

function isWantedAs(name: string, xr: string, asked: Ending['asked']): boolean {
  return asked.get(xr)?.desired.has(name) === true;
}

/** Whether there is an object that the XR made under the resource name, of that controller. */
function hasAt(name: string, xr: string, by: string | undefined, {living}: Ending): boolean {
  return [...living.values()]
    .flat()
    .some(({made, controller}) => controller === by && made.xr === xr && made.resourceName === name);
}
