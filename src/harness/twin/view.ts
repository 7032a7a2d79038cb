// An XR as the rules of its input see it. At rest a rule permits a harm if it may select the resource, in any of its shapes. At a moment
// of the run a harm breaks a rule only if the rule stood before the last step of the story, too, and selects the resource both as
// observed and as it was desired last.

import type {Json} from '../../cluster/json.ts';
import type {Desire} from '../../cluster/kernel/call.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {Found, Scene} from './ending.ts';
import {contradicts, policyIn, type Rules, rulesOf, type Shape, selects, wantedIn} from './input-words.ts';
import {isPlaceOf, type Made} from './intent.ts';

/** `before`: at a moment, the desire that stood before the last step of the story. */
export type View = ReturnType<typeof viewOf> & {readonly before?: Desire};

export interface Moment extends View {
  readonly desire: Desire;
  readonly before: Desire;
}

/** A resource by its name, and at a moment the object. */
interface One {
  readonly made: Pick<Made, 'key' | 'place'>;
  readonly object?: KubeObject;
}

/** The XR of that place, with its composed resources that live or leave. `until`: the step of the story whose rules count. */
export function viewOf(xr: string, {intent, all}: Scene, until?: number) {
  const desire = intent.desireOf(xr, until);
  const own = all.filter(({made}) => made.xr === xr);
  const wanted: ReadonlyMap<string, KubeObject> = desire ? wantedIn(desire) : new Map();
  return {intent, xr, desire, own, rules: rulesOf(desire), wanted};
}

/** `until`: the last step of the story that counts as one before. */
export function momentOf(xr = '', scene: Scene, until = scene.intent.move - 1): Moment | undefined {
  const epochs = scene.intent.books.epochs.get(xr) ?? [];
  const view = viewOf(xr, scene);
  const {desire} = view;
  // While an input contradicts itself, the one before it stands.
  const before = epochs.findLast(
    ({move, desire}) => move <= until && !contradicts(rulesOf(desire), shapesIn({...view, wanted: wantedIn(desire)})),
  )?.desire;
  return before && desire && {...view, desire, before};
}

/** True if it holds of the rules now, and at a moment of those before, too. */
export function stands({rules, before}: View, holds: (rules: Rules) => boolean): boolean {
  return holds(rules) && (before === undefined || holds(rulesOf(before)));
}

/** The resource as selectors read it: as observed, and as desired last; by its name alone also under its former kinds, or as seen last. */
export function shapeOf({made: {key = '', place}, object}: One, {intent, own, wanted, xr}: View): Shape {
  const {desired, seen} = intent.books;
  if (object !== undefined) return {key, objects: [object, desired.get(place)].filter((one) => one !== undefined)};
  const former = [...desired].filter(([other]) => isPlaceOf(other, xr, key)).map(([, one]) => one);
  const living = own.filter(({made}) => made.key === key).map((one) => one.object);
  const now = wanted.get(key);
  const objects = [...living, ...former, ...(now ? [now] : [])];
  // No earlier step desires what a later one composes.
  const gone = () => [...seen.values()].filter((one) => isPlaceOf(intent.of(one)?.place ?? '', xr, key));
  return {key, objects: objects.length > 0 ? objects : gone()};
}

/** Every resource name that the XR has or wants. */
export function shapesIn(view: View): readonly Shape[] {
  return keysIn(view).map((key) => shapeOf({made: {key, place: ''}}, view));
}

function keysIn({wanted, own}: View): readonly string[] {
  return [...new Set([...wanted.keys(), ...own.map(({made}) => made.key ?? '')])];
}

/** True if the selector may select it, at a moment if it surely does. */
function isSelected(selector: Json | undefined, {made, object}: One, view: View): boolean {
  if (view.before === undefined) return selects(selector, shapeOf({made}, view));
  const {key, objects} = shapeOf({made, ...(object && {object})}, view);
  return objects.length > 1 && objects.every((one) => selects(selector, {key, objects: [one]}));
}

/** True if a protection selects it. */
export function isProtected(one: One, view: View): boolean {
  return stands(view, ({protects}) => protects.some(({match}) => isSelected(match ?? {}, one, view)));
}

/** True if its own input protects the XR. */
export function isProtectedXr(view: View): boolean {
  const living = view.own.filter(({isGoing}) => !isGoing);
  const all: readonly One[] = view.before ? living : keysIn(view).map((key) => ({made: {key, place: ''}}));
  const object = view.desire?.xr;
  return stands(
    view,
    ({protects, protectsXr: {xr, xrMatch}}) =>
      xr === 'Always' ||
      (object !== undefined && selects(xrMatch, {key: '', objects: [object]})) ||
      (xr !== 'Never' && all.some((one) => protects.some(({match}) => isSelected(match ?? {}, one, view)))),
  );
}

/** Its users, by an order of the input. */
export function usersOf(one: One, view: View): readonly Found[] {
  return view.own.filter(
    (other) =>
      other.made.key !== one.made.key &&
      stands(view, ({orders}) =>
        orders.some((order) => order.delete && isSelected(order.of, one, view) && isSelected(order.by, other, view)),
      ),
  );
}

/** Its removal policy; at a moment undefined if the last step of the story changed that. */
export function policyOf(one: One, view: View): unknown {
  const policy = policyIn(view.rules, shapeOf(one, view));
  return stands(view, (rules) => policyIn(rules, shapeOf(one, view)) === policy) ? policy : undefined;
}
