// Checks the label crossplane.io/in-use. Crossplane's webhook is called for objects with the label, and denies a deletion if any
// Usage names the object (crossplane/crossplane 2d040d2da internal/protection/usage/finder.go: by group, kind, name and namespace,
// in all three kinds). Anyone can write the label, and a backup brings it back without its Usage.
//
// All Usages of a cluster are never asked for: the answer has no bound, and one that is too large stops the XR. The Usage
// controller knows instead. Whenever a Usage goes it takes the label off, unless another Usage names the object (2d040d2da
// internal/controller/protection/usage/reconciler.go; the same in v1.16.1). So this function composes a Usage of its own for the
// object and drops it again once the controller has seen it. A label that is still there after that is true.
//
// An annotation on the object keeps the progress, for that uid alone: an object that a backup brings back is checked anew. The
// Usage comes one reconcile late, because the controller may be taking the label off for a Usage that is just going. It stays until
// no other Usage of this XR names the object, be it one that goes: of two that go at once each finds the other, and leaves the label.
// One that goes is asked for in its namespace, which the annotation keeps: nothing else of the XR may be there any more.

import {isEndOf, isUsage} from '../facts/edges.ts';
import {annotationInUse, checkOf, isLabelledInUse, type Stage} from '../facts/marks.ts';
import {digestOf, readable} from '../facts/naming.ts';
import {hasSynced} from '../facts/ownership.ts';
import {hasReadyTrue} from '../facts/ready.ts';
import type {Scene} from '../input/scene.ts';
import type {UsageApi} from '../input/usage-api.ts';
import {questions} from '../questions/registry.ts';
import type {JsonObject} from '../words/json.ts';
import {memoized} from '../words/memo.ts';
import {type ObjectRef, objectKey, refTo} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';
import {apiOf} from './names.ts';
import {inexpressibleReason, usageBody} from './usages.ts';

const reason = 'function-tether finds out whether another Usage names it';

/** The state of the label. `usage`: the name of the Usage that checks it, undefined if none can. */
type Checked = Pick<Scene, 'snapshot' | 'api'>;

export type InUse =
  | {readonly kind: 'no'}
  | {readonly kind: 'certainly'}
  | {readonly kind: 'maybe'; readonly usage: string | undefined};

export function inUseState(view: ResourceView | undefined, scene: Checked): InUse {
  if (view === undefined || !isLabelledInUse(view)) return {kind: 'no'};
  return checkOf(view).stage === 'checked' ? {kind: 'certainly'} : {kind: 'maybe', usage: checkingUsage(view, scene)};
}

/** The Usages that check labels now, by resource name: of what is not desired and was held for its label before. */
export function checkingUsages(scene: Checked): ReadonlyMap<string, JsonObject> {
  const {snapshot, api} = scene;
  const usages = new Map<string, JsonObject>();
  snapshot.observed.forEach((view, resourceName) => {
    if (snapshot.desired.has(resourceName) || !isLabelledInUse(view) || checkOf(view).stage !== 'seen') return;
    const name = checkingUsage(view, scene);
    if (name === undefined) return;
    const isDue = snapshot.observed.has(name) ? !isDone(name, view, snapshot) : !isNamed(view, name, snapshot);
    if (isDue) usages.set(name, usageBody(name, view, undefined, withServedApi(api), {reason}));
  });
  return usages;
}

/** The name of the Usage that checks the label of the object, undefined if none can. */
export function checkingUsage(object: ObjectRef, {snapshot: {xr}, api}: Checked): string | undefined {
  // A Crossplane that has not reconciled the XR yet may be one that serves no such Usage.
  if (!hasSynced(xr) || inexpressibleReason(object, undefined, withServedApi(api)) !== undefined) return undefined;
  return checkName(xr, object, withServedApi(api));
}

/** The object name, and resource name, of the Usage that checks the in-use label of `of`. */
function checkName(xr: ResourceView, of: ObjectRef, api: UsageApi): string {
  const hash = digestOf(`check ${objectKey(xr)} ${objectKey(of)}${apiOf(api)}`).slice(0, 12);
  return `check-${readable(of.name)}-${hash}`;
}

/** How far the check of a resource that stays for now is, as an annotation on it; undefined if there is nothing to add. */
export function checkMark(view: ResourceView, isHeldForLabel: boolean, scene: Checked) {
  if (!isLabelledInUse(view)) return undefined;
  const {stage: reached, places: noted} = checkOf(view);
  const places = [...new Set([...noted, ...placesElsewhere(view, scene.snapshot)])].sort();
  const mark = (stage: Stage) => ({[annotationInUse]: [stage, view.uid, ...places].join(' ')});
  switch (reached) {
    case 'none':
      return isHeldForLabel || places.length > noted.length ? mark(isHeldForLabel ? 'seen' : 'none') : undefined;
    case 'seen': {
      const name = checkingUsage(view, scene);
      return name !== undefined && isDone(name, view, scene.snapshot) ? mark('checked') : undefined;
    }
    case 'checked':
      return undefined;
  }
}

/** Namespaces of its Usages in which a composer of many namespaces may have nothing else: Usages are in that of their `by`. */
function placesElsewhere(view: ResourceView, snapshot: Snapshot): readonly string[] {
  const usages = usagesElsewhere(snapshot).filter((one) => isEndOf(one, 'of', refTo(view)));
  return usages.map(({namespace}) => namespace).filter((one) => one !== view.namespace);
}

/** In nearly every call none. */
const usagesElsewhere = memoized(
  ({xr, observed}: Snapshot): readonly ResourceView[] =>
    [...observed.values()].filter((one) => isUsage(one) && !['', xr.namespace].includes(one.namespace)),
  new WeakMap(),
);

/** True if the controller has seen it, and goes on with no other: its condition is Ready once the label is on. */
function isDone(usage: string, of: ResourceView, snapshot: Snapshot): boolean {
  const view = snapshot.observed.get(usage);
  return view !== undefined && hasReadyTrue(view) && !isNamed(of, view.name, snapshot);
}

/** True if a Usage of this XR other than the one that checks names the object: one that it has, or has let go. */
function isNamed(of: ResourceView, checking: string, {observed, required}: Snapshot): boolean {
  const isAnother = (view: ResourceView) => isUsage(view) && view.name !== checking && isEndOf(view, 'of', refTo(of));
  const answers = [...required].filter(([name]) => name.startsWith(questions.formerUsages.prefix));
  return [...observed.values()].some(isAnother) || answers.some(([, views]) => views.some(isAnother));
}

/** Every Crossplane 1 serves that of v1alpha1, also if the input names no version. */
function withServedApi(api: UsageApi): UsageApi {
  return {...api, usages: api.isServed ? api.usages : 'apiextensions.crossplane.io/v1alpha1', isServed: true};
}
