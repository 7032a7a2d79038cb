// An XR that stands still does nothing, neither good nor bad. Where it stands still without the function, what it goes on to do
// with it is no harm; nor is that it stands still with the function over what somebody made it list, and a Usage keeps as asked.
// What a person removes the definition of it makes again, if it goes on, for ever; and that definition never goes.

import {groupKindOf} from '../../cluster/object.ts';
import {isListedBy} from '../oracle/orphan.ts';
import {isDeniedAsAsked, isOlder} from './denied.ts';
import {type Ending, innerXrsOf, placesOn, standsStill} from './ending.ts';
import type {Harm, HarmKind} from './harm.ts';
import type {Made} from './ledger.ts';
import {areAllNamed, namesIn} from './named-in.ts';
import {isProtected, isUsedByAnother} from './usage-ends.ts';

const ofWhoGoesOn: readonly HarmKind[] = ['doubled', 'overwritten', 'unowned', 'left-behind'];
/** Of an XR that is there once more since. */
const ofWhoWentOn: readonly HarmKind[] = ['recreated', 'destroyed', 'doubled'];
const ofHowFar: readonly HarmKind[] = ['missing', 'gone', 'unowned'];
const ofWhoStandsStill: readonly HarmKind[] = ['missing', 'not-synced', 'not-ready'];

/** Whether it comes of an XR that stands still in one of the runs only. */
export function isOfStill({kind, place, xr = place, text}: Harm, w: Ending, wo: Ending): boolean {
  if (kind === 'not-ready' && isOverStillInner(place, text, w, wo)) return true;
  if (kind === 'restless' && isOfWhoGoesOnAlone(place, w, wo)) return true;
  if (kind === 'missing' && isOfItsDefinition(place, w, wo)) return true;
  if (ofWhoWentOn.includes(kind) && wo.run.ledger.endedStill(xr) && !w.run.ledger.endedStill(xr)) return true;
  if (ofWhoWentOn.includes(kind) && isOfLetGo(place, w, wo)) return true;
  if (!wo.living.has(xr)) return false;
  // Where it would be without the function nobody can say.
  if (kind === 'elsewhere') return standsStill(xr, wo);
  // Which of its resources Crossplane comes to before the one that stops it is chance, each time.
  const isHowFar = ofHowFar.includes(kind) && [w, wo].every((one) => standsStill(xr, one));
  if (isHowFar && w.run.ledger.letGo(place) === 0) return true;
  if (ofWhoGoesOn.includes(kind)) return isOfWhoGoesOnAlone(place, w, wo);
  return ofWhoStandsStill.includes(kind) && isStillOverKept(xr, w, wo);
}

function goesOnAlone(xr: string, w: Ending, wo: Ending): boolean {
  return wo.run.ledger.syncedUntilMs(xr) < w.run.ledger.syncedUntilMs(xr);
}

/** Whether it is such an XR, or what that composes. */
function isOfWhoGoesOnAlone(place: string, w: Ending, wo: Ending): boolean {
  return placesOn(place).some((xr) => wo.living.has(xr) && goesOnAlone(xr, w, wo));
}

/** Whether an XR is not ready for nothing but inner ones that stand still without the function: those are Ready of before there. */
function isOverStillInner(outer: string, message: string, w: Ending, wo: Ending): boolean {
  const still = innerXrsOf(outer, w).filter((inner) => wo.living.has(inner) && standsStill(inner, wo));
  const names = still.map((inner) => w.places.get(inner)?.resourceName);
  return areAllNamed(message, 'Unready resources', (name) => names.includes(name));
}

/** Whether it is of an inner XR that such an XR let go. */
function isOfLetGo(place: string, w: Ending, wo: Ending): boolean {
  const [, ...inner] = placesOn(place).slice(0, -1);
  return inner.some((one) => w.run.ledger.letGo(one) > 0 && isOfWhoGoesOnAlone(one, w, wo));
}

/** Whether it is of the kind that such an XR makes again and again, whose definition is to go before there is another one of that kind. */
function isOfItsDefinition(place: string, w: Ending, wo: Ending): boolean {
  const {restless, written, ledger} = w.run;
  if (restless === undefined || written === undefined || !place.startsWith(`${groupKindOf(written)} `)) return false;
  return isOfWhoGoesOnAlone(ledger.of(written)?.place ?? '', w, wo);
}

/**
 * Whether all that it cannot apply is what without the function it lost sight of, and made another one beside, or what a Usage keeps as
 * asked for an XR of before.
 */
export function isOverOlder(message: string | undefined, xr: string, w: Ending, wo: Ending): boolean {
  const own = [...w.living.values()].flat().filter(({made}) => made.xr === xr);
  const isOlderThere = ({place, index}: Made) => {
    const theirs = wo.living.get(place) ?? [];
    return theirs.some((one) => one.made.index === index) && theirs.some((one) => one.made.index > index);
  };
  const isSo = (name: string) =>
    own.some((one) => {
      const {made} = one;
      return made.resourceName === name && (isOlderThere(made) || isUsedByAnother(one, w, wo) || isProtected(made, w));
    });
  return areAllNamed(message, 'Unsynced resources', isSo);
}

/** Whether it is not ready for nothing but what it cannot apply. */
export function isOfUnsynced(ready: string | undefined, synced: string | undefined): boolean {
  const unsynced = namesIn(synced ?? '', 'Unsynced resources');
  return areAllNamed(ready, 'Unready resources', (name) => unsynced.includes(name));
}

/** Whether it is not Synced and lists what lives on only because a Usage denied a person its delete. */
function isStillOverKept(xr: string, w: Ending, wo: Ending): boolean {
  const [found] = w.living.get(xr) ?? [];
  if (found === undefined || !standsStill(xr, w)) return false;
  return [...w.living.values()]
    .flat()
    .some(
      ({made, object}) =>
        isListedBy(found.object, object) &&
        (!wo.living.has(made.place) || isOlder(made, wo)) &&
        isDeniedAsAsked({...made, xr: made.xr ?? made.place}, w),
    );
}
