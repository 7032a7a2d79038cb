// What became of what one XR gives to another: who took it, who is done with it, and who observes what is no more.

import {at, isObject} from '../../cluster/json.ts';
import {type Ending, type Found, standsStill} from './ending.ts';
import type {Harm} from './harm.ts';
import type {Made} from './ledger.ts';
import {inputIn} from './lives.ts';
import {onlyObserves} from './ready-too-soon.ts';

/**
 * Whether an XR that took resources from others is gone, or wants one of them no more, or has let it go and wants it again, as after
 * a restore, or where the XR was deleted and asked for again: what was given to it goes with it, and without the function it had one
 * of its own, while the first one lived on.
 */
export function isTakerDone({asked, living, places, run}: Ending): boolean {
  return [...asked].some(([place, {requests, desired}]) => {
    const taken = new Set(requests.flatMap(takenIn));
    const isLetGo = (name: string) => {
      const made = [...places.values()].filter((one) => one.xr === place && one.resourceName === name);
      const wasLost = (one: Made) => run.ledger.letGo(one.place) > 0 || run.ledger.wasCollected(one.place);
      return made.length > 0 && made.every((one) => !living.has(one.place) || wasLost(one));
    };
    return taken.size > 0 && (!living.has(place) || [...taken].some((name) => !desired.has(name) || isLetGo(name)));
  });
}

/** Whether its XR ever took what has this resource name from another XR. */
export function takes({xr = '', resourceName = ''}: Made, {asked}: Ending): boolean {
  return asked.get(xr)?.requests.some((request) => takenIn(request).includes(resourceName)) === true;
}

/** Whether the XR ever took anything from another one. */
export function isTaker(xr: string, {asked}: Ending): boolean {
  return asked.get(xr)?.requests.some((request) => takenIn(request).length > 0) === true;
}

/** Other XRs whose rules ever took what has this resource name there, and the one that it has with them. */
export function takersOf(
  {xr, resourceName}: Pick<Made, 'xr' | 'resourceName'>,
  {asked}: Ending,
): readonly {readonly xr: string; readonly resourceName: string}[] {
  return [...asked].flatMap(([taker, {requests}]) => {
    const taken = taker === xr ? [] : requests.flatMap(rulesIn).filter(({there}) => there === resourceName);
    return [...new Set(taken.map(({name}) => name))].map((name) => ({xr: taker, resourceName: name}));
  });
}

/**
 * Whether an object of another XR leads to the external resource of what lives at the harm's place, and is to have it: one that only
 * observes, while its rule is taken away, its XR wants it no more and holds it as asked, or that XR stands still, leaves the exchange
 * where it is.
 */
export function isWithAnother({place, xr}: Harm, ending: Ending): boolean {
  const {living, run, asked} = ending;
  const ids = new Set((living.get(place) ?? []).map(({object}) => run.ledger.idOf(object)).filter((id) => id !== ''));
  const isStopped = ({made, object}: Found) => {
    const [other, name] = [asked.get(made.xr ?? ''), made.resourceName ?? ''];
    const isTaken = other?.requests.slice(-1).some((request) => takenIn(request).includes(name)) === true;
    return onlyObserves(object) && !(isTaken && other?.desired.has(name) && !standsStill(made.xr ?? '', ending));
  };
  return [...living.values()]
    .flat()
    .some((one) => one.made.xr !== xr && ids.has(run.ledger.idOf(one.object)) && !isStopped(one));
}

/** Whether an object of another XR, with policies of its own, has an external resource that was made there. */
export function isTakenOver({place, xr}: Harm, {externals, living, run}: Ending): boolean {
  const ids = new Set((externals.get(place) ?? []).map(({id}) => id));
  return [...living.values()]
    .flat()
    .some(({made, object}) => made.xr !== xr && ids.has(run.ledger.idOf(object)) && !onlyObserves(object));
}

/**
 * Whether an object of the XR only observes, and what it observes is no more, as where who gives it is deleted before it is taken over:
 * its rule makes no other one; or another object has it still, as where the XR that gives it leaves it to nobody.
 */
export function observesInVain(xr: string, {living, externals, run}: Ending): boolean {
  const alive = new Set([...externals.values()].flat().map(({id}) => id));
  const all = [...living.values()].flat();
  const had = new Set(all.filter(({object}) => !onlyObserves(object)).map(({object}) => run.ledger.idOf(object)));
  return all.some(({made, object}) => {
    const id = run.ledger.idOf(object);
    return made.xr === xr && onlyObserves(object) && (!alive.has(id) || had.has(id));
  });
}

/** The resource names that the input of the request takes from other XRs. */
function takenIn(request: Uint8Array): readonly string[] {
  return rulesIn(request).map(({name}) => name);
}

/** What the input of the request takes from other XRs, here and there. */
function rulesIn(request: Uint8Array): readonly {readonly name: string; readonly there: string}[] {
  const rules = at(inputIn(request), ['take']);
  if (!Array.isArray(rules)) return [];
  return rules
    .flatMap((rule) => (isObject(rule) && Array.isArray(rule['resources']) ? rule['resources'] : []))
    .flatMap((one) => (isObject(one) ? [{name: String(one['name']), there: String(one['there'] ?? one['name'])}] : []));
}
