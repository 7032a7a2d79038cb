// Everything that is worse with the function than without it, at rest. Not a harm, whoever asks: what an XR composed by
// the ledger's word and no longer wants is gone, though without the function it lives on, because Crossplane forgot it.

import {conditionOf, controllerOf, isDeleting} from '../../cluster/object.ts';
import {concealedSentence} from '../conceal/concealed-text.ts';
import {externalNameOf} from '../oracle/externals.ts';
import {isListedBy} from '../oracle/orphan.ts';
import {isTakenAwayByHand} from './by-hand.ts';
import {isOfWhoComesSecond} from './came-first.ts';
import {isDeniedAsAsked, isOlder, isSavedWhileGoing} from './denied.ts';
import {type Ending, type Found, foundIn, isWhereWanted, placesOn} from './ending.ts';
import {differences} from './fields.ts';
import {isGoneWithXr} from './gone-with-xr.ts';
import type {Harm, HarmKind} from './harm.ts';
import {isOfLateRestore} from './late-restore.ts';
import {type Made, type MadeExternal, saysNotServed} from './ledger.ts';
import {isLeftAsOthers, isLeftInstead, isOrphanedAsAsked, isOwned} from './left-behind.ts';
import {
  hasAnotherName,
  hasArrived,
  hasMovedOn,
  isCountedElsewhere,
  isDestroyedElsewhere,
  isInUseElsewhere,
  isObjectCountedElsewhere,
  isOfFormerKind,
  isWantedAgainByEtcd,
  wasTakenBackByEtcd,
  wentByResourceName,
  wentElsewhere,
} from './moved-on.ts';
import {namesIn} from './named-in.ts';
import {isSameReference} from './references.ts';
import {isOfStill, isOfUnsynced, isOverOlder} from './stood-still.ts';
import {takes} from './taken-on.ts';
import {twoOwners} from './two-owners.ts';
import {isKeptOfFormer, isUsedByAnother, keepsNothing, waitsForBy, waitsForUsages} from './usage-ends.ts';

/** Fields that the function may add to what it does not own. */
const defaultMarks = /^tether\.fn\.crossplane\.io\//;

export function harmsOf(w: Ending, wo: Ending, marks: RegExp = defaultMarks): readonly Harm[] {
  const places = new Map([...wo.places, ...w.places]);
  const harms = [...places.values()].flatMap((made) => [...harmsAt(made, w, wo), ...harmsOfExternals(made, w, wo)]);
  harms.push(
    ...[...w.living].flatMap(([place, list]) =>
      pairs(list, wo.living.get(place) ?? []).flatMap((pair) => pairHarms(place, pair, w, wo, marks)),
    ),
  );
  harms.push(...xrHarms(w, wo));
  if (w.run.restless !== undefined && wo.run.restless === undefined && !isOnlyTried(w, wo)) {
    const place = w.run.written === undefined ? '' : (w.run.ledger.of(w.run.written)?.place ?? '');
    harms.push({kind: 'restless', place, text: `${w.run.restless}; ${place} was written last`});
  }
  const {died} = w.run.ledger;
  if (died.length > wo.run.ledger.died.length)
    harms.push({kind: 'died', place: '', text: `it died, or broke: ${died.join('; ')}`});
  for (const place of w.run.ledger.readyTooSoon) {
    if (!wo.run.ledger.readyTooSoon.has(place))
      harms.push({
        kind: 'ready-too-soon',
        place,
        text: `${place}: it was Ready, and another XR that was deleted had what it only observed`,
      });
  }
  harms.push(...twoOwners(w, wo));
  for (const text of w.run.ledger.said) {
    // What Crossplane or the API server says by itself, they say without the function, too.
    if (!wo.run.ledger.said.has(text))
      harms.push({kind: 'disclosed', place: '', text: `a message gives away what was read: ${text}`});
  }
  const isNone = [isOfStill, isOfWhoComesSecond, isOfKeptXr, isGoneWithXr, isOfLateRestore, isObjectCountedElsewhere];
  return harms.filter((one) => !isNone.some((isSo) => isSo(one, w, wo)));
}

/**
 * Whether nothing is written any more, and the owner GC goes on trying to delete what a Usage keeps as asked: what an owner in no
 * namespace, who never was, has in two namespaces it looks at anew without any back-off (kubernetes getAlternateOwnerIdentity).
 */
function isOnlyTried(w: Ending, wo: Ending): boolean {
  if (w.run.world.nowMs - w.run.writtenMs <= unwrittenMs) return false;
  const uids = new Set(foundIn(w).map(({object}) => object.metadata.uid));
  const isOfGone = ({object}: Found) => !uids.has(controllerOf(object)?.uid);
  return [...w.living.values()].flat().some((one) => isOfGone(one) && isUsedByAnother(one, w, wo));
}

/** Longer than an XR is not polled. */
const unwrittenMs = 120_000;

const ofKeptXr: readonly HarmKind[] = [
  'gone',
  'destroyed',
  'recreated',
  'replaced',
  'overwritten',
  'restless',
  'unowned',
];

/**
 * Whether it became of an XR, or of what nobody composed, while that XR was there only because a Usage kept it from a person who
 * deleted it: what is done to it later finds none without the function, or another one.
 */
function isOfKeptXr({kind, place, xr}: Harm, w: Ending, wo: Ending): boolean {
  const isOfDefinition = kind === 'missing' && xr === undefined;
  if (!isOfDefinition && !ofKeptXr.includes(kind)) return false;
  return [...w.asked.keys()].some((kept) => {
    // With it its definition stays, which a person removes to have one of another scope.
    if (isOfDefinition && place.split(' ')[0] !== kept.split(' ')[0]) return false;
    if ((xr ?? kept) !== kept && place !== kept) return false;
    const [mine] = w.living.get(kept) ?? [];
    const isAnother = mine === undefined || !wo.living.has(kept) || isOlder(mine.made, wo);
    return isAnother && isDeniedAsAsked({place: kept, xr: kept}, w);
  });
}

function ofExternal(kind: HarmKind, made: Made, text: string): Harm {
  return {...harm(kind, made, text), isExternal: true};
}

function harm(kind: HarmKind, {place, xr, resourceName}: Made, text: string): Harm {
  return {
    kind,
    place,
    ...(xr === undefined ? {} : {xr}),
    ...(resourceName === undefined ? {} : {resourceName}),
    text: `${place}: ${concealedSentence(text)}`,
  };
}

/** Whether the XR that composed it still wants it. What nobody composed is always wanted. */
function isWanted({xr, resourceName, address}: Made, {asked, living}: Ending): boolean {
  if (xr === undefined || resourceName === undefined) return true;
  if (!living.has(xr)) return false;
  const last = asked.get(xr);
  // Under another key it is the same object still.
  return last === undefined || last.desired.has(resourceName) || last.addresses.has(address);
}

/**
 * What a person asked to delete, and what its XR wants no more, is kept; what is lost without the function is not, nor what a
 * Usage kept and said so to whoever deleted it, nor what was gone by the time when somebody asked for it again.
 */
function isKept(made: Made, w: Ending, wo: Ending): boolean {
  const {xr, place} = made;
  const {index = 0} = w.living.get(place)?.[0]?.made ?? {};
  if (xr === undefined && index > (wo.places.get(place)?.index ?? index)) return false;
  if (isDeniedAsAsked(made, w) || isSavedWhileGoing(made, w, wo)) return false;
  if (xr !== undefined && !w.living.has(xr) && w.living.get(place)?.every((one) => isUsedByAnother(one, w, wo)))
    return false;
  if (xr !== undefined) return !isWanted(made, w);
  const deletes = w.run.story.moves.flatMap(({action}) => (action.kind === 'delete' ? [action.target] : []));
  // A delete by resource name is of what an XR composed.
  return deletes.some(
    ({kind, name}) => name !== undefined && made.address.startsWith(kind) && made.address.endsWith(name),
  );
}

/** Whether a Usage kept the XR so, or what it composes, while without the function it was made anew, as it is wanted. */
function isKeptAsItWas(xr: string, w: Ending, wo: Ending): boolean {
  return [...w.living.values()].flat().some(({made}) => {
    const isOf = made.xr === xr || made.place === xr;
    return isOf && isDeniedAsAsked(made, w) && isOlder(made, wo);
  });
}

/** Resource names of the XR's objects that were made anew without the function. */
function olderIn(xr: string, w: Ending, wo: Ending): readonly string[] {
  return [...w.living.values()]
    .flat()
    .flatMap(({made}) =>
      made.xr === xr && made.resourceName !== undefined && isOlder(made, wo) ? [made.resourceName] : [],
    );
}

/**
 * Whether the same XR has the same object under another of its keys, as where two keys want one object; or has one of this
 * kind under this key just where the steps want it, or where it was before, while without the function Crossplane kept name and
 * namespace of the object of another kind before, or made a new one.
 */
function hasOtherName({xr, resourceName, address}: Made, ending: Ending): boolean {
  const {living} = ending;
  const all = [...living.values()].flat().filter(({made, controller}) => made.xr === xr && controller === xr);
  const [groupKind] = address.split(' ');
  return (
    xr !== undefined &&
    all.some(({made}) => {
      if (made.address === address) return true;
      const isOfKind = made.resourceName === resourceName && made.address.split(' ')[0] === groupKind;
      return isOfKind && (isInPlace(made, ending) || isNamedByCrossplane(groupKind, xr, ending));
    })
  );
}

/** Whether the steps say no name for what is of that kind: Crossplane goes on with name and namespace of what it observes. */
function isNamedByCrossplane(groupKind: string | undefined, xr: string, {asked}: Ending): boolean {
  return [...(asked.get(xr)?.addresses ?? [])].some((one) => one.startsWith(`${groupKind} `) && /[ /]$/.test(one));
}

/** Whether it is just where the steps want it. */
function isInPlace({xr, address}: Made, {asked}: Ending): boolean {
  const last = asked.get(xr ?? '');
  return last !== undefined && isWhereWanted(address, last);
}

function isDesired({xr, resourceName, address}: Made, {asked}: Ending): boolean {
  const [groupKind] = address.split(' ');
  return asked.get(xr ?? '')?.kinds.get(resourceName ?? '') === groupKind;
}

function harmsAt(made: Made, w: Ending, wo: Ending): readonly Harm[] {
  const {place, xr} = made;
  const mine = w.living.get(place) ?? [];
  const theirs = wo.living.get(place) ?? [];
  const going = w.deleting.get(place) ?? [];
  const isWaiting = going.every((one) => waitsForBy(one, w, wo) || waitsForUsages(one, w, wo));
  if (going.length > 0 && (wo.deleting.get(place) ?? []).length === 0 && !isWaiting) {
    if (theirs.length === 0) return [harm('deleting', made, 'it is being deleted for ever')];
    const isStillWanted = isWanted(made, w) && !isOfFormerKind(made, w, wo);
    if (isStillWanted && mine.length === 0) return [harm('deleting', made, 'it is being deleted for ever')];
  }
  if (mine.length === 0 && theirs.length > 0) {
    if (going.length > 0 && isWaiting) return [];
    if (!isWanted(made, w) || hasOtherName(made, w) || hasArrived(made, w, wo) || isOfFormerKind(made, w, wo))
      return [];
    if (isForgotten(made, w, wo)) return [];
    const kind = w.places.has(place) ? 'gone' : 'missing';
    return [harm(kind, made, kind === 'gone' ? 'it is gone' : 'it was never made')];
  }
  if (mine.length > 0 && theirs.length === 0) {
    if (mine.every((one) => hasMovedOn(one, w, wo) || isKeptOfFormer(one, w, wo))) return [];
    if (wo.places.has(place)) return isKept(made, w, wo) ? [harm('kept', made, 'it stays for ever')] : [];
    // What the earlier steps want is to be where they put it; what the function adds is its own affair while its XR lives.
    const isThere = [...wo.living.values()].flat().some(({made: {address}}) => address === made.address);
    // That an XR lives at all without living there is a harm of the XR itself.
    const livesOn = xr !== undefined && wo.living.has(xr);
    if (livesOn && !isThere && isDesired(made, w) && !mine.every((one) => isInPlace(one.made, w)))
      return [harm('elsewhere', made, 'it was made there by nobody without the function')];
    const isAsked =
      isOrphanedAsAsked(made, w) ||
      isOwned(mine, w, wo) ||
      mine.every((one) => waitsForBy(one, w, wo) || keepsNothing(one, w) || isUsedByAnother(one, w, wo));
    if (xr !== undefined && !w.living.has(xr) && !isAsked && !isLeftAsOthers(made, mine, w, wo))
      return [harm('left-behind', made, 'its XR is gone')];
    return [];
  }
  const here = mine.filter((one) => !hasMovedOn(one, w, wo) && !isKeptOfFormer(one, w, wo));
  if (here.length > theirs.length && theirs.length > 0 && !isDeniedAsAsked(made, w)) {
    if (!isWanted(made, w) && here.length - theirs.length <= letGo(made, wo, w))
      return isKept(made, w, wo) ? [harm('kept', made, 'it stays for ever')] : [];
    return [harm('doubled', made, `${here.length} objects live, ${theirs.length} without it`)];
  }
  const [first] = mine;
  const [original] = theirs;
  if (
    first !== undefined &&
    original !== undefined &&
    first.made.index - original.made.index > wentOften(made, w, wo)
  ) {
    const isOwnAsNew = theirs.some(({made: {index}, controller}) => controller === xr && index >= first.made.index);
    if (wentByResourceName(made, w, wo) || wasTakenBackByEtcd(made, w)) return [];
    if (xr !== undefined && isOwnAsNew) {
      // Let go when it was wanted no more, and forgotten then without the function.
      if (wentOften(made, w, wo) > 0) return [];
      return [harm('replaced', made, 'it was made anew, and the one of before is not there')];
    }
    return [harm('recreated', made, 'it was deleted and made again')];
  }
  return [];
}

/**
 * How much more often the XR had wanted it no more and let it go. With the function, where without it was forgotten and lived on:
 * if it is wanted again since, as after a restore, it was made anew for a reason. Without it, where with it was kept: what is one
 * more than that was made before it, and forgotten in both.
 */
function letGo({place}: Pick<Made, 'place'>, here: Ending, there: Ending): number {
  return Math.max(0, here.run.ledger.letGo(place) - there.run.ledger.letGo(place));
}

/** How much more often it went since it was wanted no more, or an XR that composes it was: that takes along what it composed. */
function wentOften({place}: Made, w: Ending, wo: Ending): number {
  return Math.max(...placesOn(place).map((one) => letGo({place: one}, w, wo)));
}

/** Whether the XR let it go when it wanted it no more, and without the function it was forgotten then, and is nobody's. */
function isForgotten(made: Made, w: Ending, wo: Ending): boolean {
  const isNobodys = wo.living.get(made.place)?.every(({controller}) => controller === undefined) === true;
  return letGo(made, w, wo) > 0 && isNobodys;
}

function harmsOfExternals(made: Made, w: Ending, wo: Ending): readonly Harm[] {
  const mine = w.externals.get(made.place) ?? [];
  const theirs = (wo.externals.get(made.place) ?? []).filter((one) => !wasForgotten(one, w, wo));
  if (mine.length === 0 && theirs.length > 0) {
    // One that is lost without the function, too, was not destroyed by it: the next one is not made yet, which is a harm of
    // the object.
    const next = theirs[0]?.index ?? 0;
    const isNext = ({place, index, goes}: MadeExternal) => place === made.place && index >= next && !goes;
    const isMade = [...w.run.ledger.externals.values()].some(isNext);
    if (!isWanted(made, w) || isForgotten(made, w, wo)) return [];
    return isMade ? [ofExternal('destroyed', made, 'its external resource is destroyed')] : [];
  }
  const livesOn = made.xr === undefined || wo.living.has(made.xr);
  const here = mine.filter((one) => !isInUseElsewhere(one, w, wo) && !isOfKept(one, w, wo));
  // Of an object that is kept that is the harm.
  const kept = isWanted(made, w) && !isWantedAgainByEtcd(made, w, wo) ? 0 : letGo(made, wo, w);
  const isMore = here.length - kept > theirs.length && theirs.length > 0;
  if (isMore && livesOn && !isDeniedAsAsked(made, w) && !isCountedElsewhere(made, w, wo))
    return [ofExternal('doubled', made, `${here.length} external resources live, ${theirs.length} without it`)];
  const [first] = mine;
  // Of a place that the XR let go as asked, what nothing leads to any more without the function is no better.
  const wasLetGo = w.run.ledger.letGo(made.place) > 0;
  const [original] = theirs.filter((one) => !wasLetGo || hasObject(one, wo));
  const isNewer =
    first !== undefined && original !== undefined && first.index - original.index > wentOften(made, w, wo);
  if (isNewer && !isDestroyedElsewhere(made, w, wo))
    return [ofExternal('destroyed', made, 'its external resource was destroyed and another one made')];
  if (mine.length > 0 && theirs.length === 0 && !wo.living.has(made.place) && !isLedTo(made.place, w)) {
    if (isLeftInstead(made, w, wo)) return [];
    const everMade = [...wo.run.ledger.externals.values()].some(({place}) => place === made.place);
    if (everMade) return [ofExternal('left-behind', made, 'its external resource lives, and nothing leads to it')];
  }
  return [];
}

/** Whether what a Usage of an XR of before keeps leads to it. */
function isOfKept({id, place}: MadeExternal, w: Ending, wo: Ending): boolean {
  const leading = (w.living.get(place) ?? []).filter(({object}) => w.run.ledger.idOf(object) === id);
  return leading.length > 0 && leading.every((one) => isKeptOfFormer(one, w, wo));
}

/** An object that an XR controls and has forgotten leads nobody there. */
function hasObject({id}: MadeExternal, ending: Ending): boolean {
  return foundIn(ending).some((one) => ending.run.ledger.idOf(one.object) === id && !isListedNowhere(one, ending));
}

/** Also by one that is being deleted: that it never goes is a harm of its own. */
function isLedTo(place: string, ending: Ending): boolean {
  return foundIn(ending).some((found) => leadsTo(found, ending)?.place === place);
}

/**
 * Whether a person deleted its object, and it lives on without the function only because that object had forgotten it. With
 * the function the object led to it still, and the provider did as the object said.
 */
function wasForgotten(external: MadeExternal, w: Ending, wo: Ending): boolean {
  const {place, index} = external;
  if (wo.run.ledger.deletedByHand(place).length === 0 || hasObject(external, wo)) return false;
  const {externals} = w.run.ledger;
  if (w.externals.get(place)?.some((one) => one.index === index)) return false;
  return w.run.ledger.deletedByHand(place).some((name) => {
    const gone = externals.get(name);
    return gone?.place === place && gone.index === index;
  });
}

/**
 * What stands for the same in both runs: of one controller, best under one name; or under one name, which Crossplane may make of the
 * uids of two XRs that came one after the other; or else the first of each that has no other.
 */
function pairs(mine: readonly Found[], theirs: readonly Found[]): readonly (readonly [Found, Found])[] {
  const left = new Set(theirs);
  const found = new Map<Found, Found>();
  const pair = (isMate: (one: Found, other: Found) => boolean) => {
    for (const one of mine) {
      const mate = found.has(one) ? undefined : [...left].find((other) => isMate(one, other));
      if (mate === undefined) continue;
      found.set(one, mate);
      left.delete(mate);
    }
  };
  const isNamed = (one: Found, other: Found) => one.made.address === other.made.address;
  const isAlike = (one: Found, other: Found) => one.controller === other.controller;
  pair((one, other) => isNamed(one, other) && isAlike(one, other));
  pair(isAlike);
  pair(isNamed);
  const [last] = mine.filter((one) => !found.has(one));
  const [other] = left;
  return [...found, ...(last === undefined || other === undefined ? [] : [[last, other] as const])];
}

/**
 * Whether it was made later, as asked: by a move, or taken from another XR; and without the function the API server refuses what the XR
 * wants of it since, because a field that cannot be changed was edited before that.
 */
function isMadeOnceEdited(made: Made, w: Ending, wo: Ending): boolean {
  const {xr = '', resourceName = ''} = made;
  const isUnsynced = ({living}: Ending) =>
    (living.get(xr) ?? []).some(({object}) =>
      namesIn(conditionOf(object, 'Synced')?.message ?? '', 'Unsynced resources').includes(resourceName),
    );
  return isUnsynced(wo) && !isUnsynced(w) && isMadeLater(made, w, wo);
}

function isMadeLater({place}: Made, w: Ending, wo: Ending): boolean {
  return w.run.ledger.madeFirstMs(place) > wo.run.ledger.madeFirstMs(place);
}

function pairHarms(
  place: string,
  [one, other]: readonly [Found, Found],
  w: Ending,
  wo: Ending,
  marks: RegExp,
): readonly Harm[] {
  const harms: Harm[] = [];
  const {made, controller} = one;
  const isOwn = controller !== undefined && made.xr === controller;
  if (controller !== other.controller && !isOwn && !isListedNowhere(other, wo)) {
    const who = (name: string | undefined) => (name === undefined ? 'nobody' : name === '?' ? 'somebody gone' : name);
    const kind = controller === undefined ? 'unowned' : 'reowned';
    harms.push(harm(kind, made, `${who(controller)} controls it, ${who(other.controller)} without it`));
  }
  const leads = leadsTo(one, w);
  if (leads !== undefined && !isItsOwn(leads, made) && leadsTo(other, wo)?.place !== leads.place)
    if (!isSomebodysWord(one, other, leads, wo))
      harms.push(harm('redirected', made, `it leads to the external resource of ${leads.place}`));
  if (one.made.index !== other.made.index) return harms;
  const isMissed = (field: string, theirs: unknown) =>
    !hasAnotherName(one, other) && !takes(one.made, w) && !wentElsewhere(one.made, field, theirs, w);
  const changed = differences(one.object, other.object, marks).filter(
    ({field, values: [mine, theirs]}) =>
      !isSameReference(mine, theirs, w, wo) &&
      (mine !== undefined || isMissed(field, theirs)) &&
      !(theirs === undefined && hasAnotherName(one, other) && isTakenAwayByHand(field, w)),
  );
  // Where the XR has lost sight of the old object without the function, its own is another one, and is just so.
  const isAsItsOwn = (wo.living.get(place) ?? []).some(
    (theirs) => isOwn && theirs.controller === made.xr && differences(one.object, theirs.object, marks).length === 0,
  );
  if (isAsItsOwn || isMadeOnceEdited(made, w, wo)) return harms;
  const isLater = isMadeLater(made, w, wo);
  return [
    ...harms,
    ...changed.map(({text, field, isAdded, values}) => ({
      ...harm('overwritten', made, text),
      field,
      isAdded,
      isMissed: isLater && values[0] === undefined,
    })),
  ];
}

/** Whether an XR controls it and has forgotten it, as under a key of another kind by now: that is an orphan with an owner. */
function isListedNowhere({object, controller}: Found, {living}: Ending): boolean {
  const xrs = controller === undefined ? [] : (living.get(controller) ?? []);
  return xrs.length > 0 && !xrs.some((xr) => isListedBy(xr.object, object));
}

/** The external resource that the object leads to. */
function leadsTo({object}: Found, {run}: Ending): MadeExternal | undefined {
  if (externalNameOf(object) === undefined) return undefined;
  return run.ledger.externals.get(run.ledger.idOf(object));
}

/** Whether it was made for the object: under another of its XR's resource names it is the same object still. */
function isItsOwn(external: MadeExternal, {place, xr, address}: Made): boolean {
  return external.place === place || (xr !== undefined && external.xr === xr && external.address === address);
}

/**
 * Whether nobody composed it, and it says the same in both runs: a tenant wrote that name, and whose external resource
 * it is depends on which was made first. What has an external resource of its own without the function led there, or found none
 * of that name, which was destroyed by then.
 */
function isSomebodysWord(one: Found, other: Found, {place}: MadeExternal, wo: Ending): boolean {
  if (one.made.xr !== undefined) return false;
  const isSame = externalNameOf(one.object) === externalNameOf(other.object);
  return (isSame && leadsTo(other, wo)?.place !== one.made.place) || !wo.externals.has(place);
}

function xrHarms(w: Ending, wo: Ending): readonly Harm[] {
  return w.xrs.flatMap(({made, object}) => {
    const other = wo.living.get(made.place)?.find((one) => !isDeleting(one.object));
    if (other === undefined || isKeptAsItWas(made.place, w, wo)) return [];
    const own = {...made, xr: made.place};
    const {resourceName: _, ...about} = own;
    const unsynced = conditionOf(object, 'Synced')?.message;
    const isOver = isOverOlder(unsynced, made.place, w, wo);
    return (['Synced', 'Ready'] as const).flatMap((type) => {
      const is = conditionOf(object, type);
      if (is?.status === 'True' || conditionOf(other.object, type)?.status !== 'True') return [];
      // Of an XR that stands still it is Ready of before.
      if (conditionOf(other.object, 'Synced')?.status !== 'True') return [];
      if (type === 'Synced' && saysNotServed(is?.message) && wo.run.ledger.hasWaited(made.place)) return [];
      if (isOver && (type === 'Synced' || isOfUnsynced(is?.message, unsynced))) return [];
      const kind = type === 'Synced' ? 'not-synced' : 'not-ready';
      const older = type === 'Synced' ? {older: olderIn(made.place, w, wo)} : {};
      return [
        {...older, ...harm(kind, about, `${type} is ${is?.status ?? 'absent'}: ${is?.message ?? is?.reason ?? ''}`)},
      ];
    });
  });
}
