// Protection for a reason: Usages without `by`, for resources that the input selects and for the XR they belong to. They stand as
// long as the resource is selected, whether it is still desired or not, so dropping a protected resource from a Composition does
// not delete it (function-deletion-protection drops both at once: reference/peers A.1). An object on its way to another resource
// name, kind or XR keeps its Usage, and so does the XR. The edit that moves it often makes the rules name the new object, which
// does not exist yet.
//
// An object that another XR desires, too, is protected without a rule: its XR deleted, it would go, and its external resource with it,
// while the other XR waits for it. A confirmed removal ends that, and so does another name in one of the two Compositions.
//
// Never with replayDeletion: without `by` that deletes the protected object when its Usage goes (crossplane docs#873).

import {isUsage} from '../facts/edges.ts';
import {endIn} from '../facts/identity.ts';
import {annotationOf} from '../facts/metadata.ts';
import {isSetAside} from '../facts/naming.ts';
import {isDeleting} from '../facts/ownership.ts';
import type {Input} from '../input/input.ts';
import type {Scene} from '../input/scene.ts';
import {matches} from '../input/selector.ts';
import {foreignAnswers} from '../questions/registry.ts';
import type {RefusedPair} from '../words/edit.ts';
import {type JsonObject, sortedMap, text} from '../words/json.ts';
import {type End, refTo} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';
import {usageNames} from './names.ts';
import {inexpressibleReason, type Making, makingOf, type Refused, usageBody} from './usages.ts';

type Rule = NonNullable<NonNullable<Input['protect']>['resources']>[number];

interface Protections {
  /** Bodies of the Usages by resource name. */
  readonly usages: ReadonlyMap<string, JsonObject>;
  /** Resource name of a protected resource to the resource name of its Usage, undefined if no Usage can express it. */
  readonly protecting: ReadonlyMap<string, string | undefined>;
  /** Resource name of the XR's Usage, undefined if it has none. */
  readonly ofXr: string | undefined;
  readonly refused: readonly Refused[];
}

/** Observed resource names that moves are about, and those of them whose object another XR desires, too. */
export interface Moving {
  readonly names: readonly string[];
  readonly contested: readonly string[];
}

const defaultReason = 'protected by function-tether';
const annotationContested = 'tether.fn.crossplane.io/contested';
const contestedMark = {[annotationContested]: 'true'};
const contestedReason = 'another XR desires the same object, which would be lost to it';

export function protections(
  {snapshot, input, api}: Scene,
  {nameUsage, isDue, former, room}: Making,
  moving: Moving,
): Protections {
  const usages = new Map<string, JsonObject>();
  const protecting = new Map<string, string | undefined>();
  const refused: Refused[] = [];
  /** False if no Usage protects it: a person hears of that if the input asked for one. */
  const protect = (path: string, of: End, reason: string, isForContested = false): boolean => {
    const {resourceName, object} = of;
    const refuse = (refusal: RefusedPair['reason']) => refused.push({path, of, by: undefined, reason: refusal});
    const refusal = inexpressibleReason(object, undefined, api);
    if (refusal !== undefined) {
      if (!isForContested) refuse(refusal);
      return false;
    }
    const name = nameUsage(of, undefined);
    if (resourceName !== '' && !isDue(name.resourceName, [resourceName])) return true;
    const mark = isForContested && resourceName !== '' ? {annotations: contestedMark} : {};
    const body = usageBody(name.objectName, object, undefined, api, {reason, ...mark});
    if (former.isInPlaceOf(body)) {
      refuse('former-usage');
      return isForContested;
    }
    if (resourceName !== '') protecting.set(resourceName, name.resourceName);
    if (room(name.resourceName, body)) usages.set(name.resourceName, body);
    else refuse('too-many');
    return true;
  };
  const rules = input.protect?.resources ?? [];
  selected(snapshot, rules).forEach((index, resourceName) => {
    const of = endIn(snapshot, resourceName);
    if (of === undefined) return;
    const isMade = protect(`protect.resources[${index}]`, of, rules[index]?.reason ?? defaultReason);
    // Dropped, it would go although the input protects it.
    if (!isMade) protecting.set(resourceName, undefined);
  });
  const nameOf = (of: End) => nameUsage(of, undefined).resourceName;
  for (const name of moving.names) {
    const of = endIn(snapshot, name);
    if (of === undefined || protecting.has(name)) continue;
    const usage = snapshot.observed.get(nameOf(of));
    if (isForContested(usage)) continue;
    if (usage !== undefined) protect('protect', of, text(usage.field(['spec', 'reason'])));
  }
  let keepsContested = false;
  for (const name of moving.contested) {
    const of = endIn(snapshot, name);
    if (of === undefined || protecting.has(name)) continue;
    if (protect('give', of, contestedReason, true)) keepsContested = true;
  }
  const xr = {resourceName: '', object: refTo(snapshot.xr)};
  const ofXr = nameOf(xr);
  const keepsXr = input.protect === undefined && usages.size > 0 && snapshot.observed.has(ofXr);
  const isAsked = keepsXr || protectsXr(snapshot, input, usages.size > 0);
  if (isAsked || keepsContested) protect('protect.xr', xr, defaultReason, !isAsked);
  return {usages, protecting, ofXr: usages.has(ofXr) ? ofXr : undefined, refused};
}

/** True if the Usage is there only because another XR desires the same object. */
function isForContested(usage: ResourceView | undefined): boolean {
  return usage !== undefined && annotationOf(usage, annotationContested) !== '';
}

/**
 * Usages for objects that are only required: they are not this XR's, so nothing is held for them. Left out are this function's own
 * lookups, and objects that are being deleted. Any user who may create objects of the kind decides how many there are. `namespace`
 * is that of the XR, '' if it has none, or for an Operation.
 */
export function protectedRequired(
  required: Snapshot['required'],
  namespace: string,
  input: Input,
  {api, nameUsage, room}: Pick<Making, 'api' | 'nameUsage' | 'room'>,
): Pick<Protections, 'usages' | 'refused'> {
  const usages = new Map<string, JsonObject>();
  const refused: Refused[] = [];
  const rules = input.protect?.required ?? [];
  for (const [requirement, views] of rules.length === 0 ? [] : foreignAnswers(required)) {
    for (const view of views) {
      const index = rules.findIndex(({match}) => matches(match, requirement, view));
      const rule = rules[index];
      if (rule === undefined || isUsage(view) || isDeleting(view)) continue;
      const of = {resourceName: '', object: refTo(view)};
      const refuse = (reason: RefusedPair['reason']) =>
        refused.push({path: `protect.required[${index}]`, of, by: undefined, reason});
      // Crossplane composes nothing there for an XR in a namespace, and stops the XR at a ClusterUsage.
      const isOutside = namespace !== '' && view.namespace !== namespace;
      const reason = isOutside ? 'outside-of-namespace' : inexpressibleReason(view, undefined, api);
      if (reason !== undefined) {
        refuse(reason);
        continue;
      }
      const {resourceName, objectName} = nameUsage(of, undefined);
      const body = usageBody(objectName, of.object, undefined, api, {reason: rule.reason ?? defaultReason});
      if (room(resourceName, body)) usages.set(resourceName, body);
      else refuse('too-many');
    }
  }
  return {usages, refused};
}

function protectsXr({xr}: Snapshot, {protect}: Input, withResources: boolean): boolean {
  if (protect === undefined) return false;
  if (protect.xrMatch !== undefined && matches(protect.xrMatch, '', xr)) return true;
  return protect.xr === 'Always' || (protect.xr !== 'Never' && withResources);
}

/** The rule of each resource that rules select, by their desired or their observed body: either protects. Sorted. */
function selected({observed, desired}: Snapshot, rules: readonly Rule[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const notFor = new Set<string>();
  if (rules.length === 0) return found;
  const look = (view: ResourceView, resourceName: string) => {
    // A set-aside object keeps its Usage, and no rule selects it.
    if (isUsage(view) || isSetAside(resourceName, view)) notFor.add(resourceName);
    const index = rules.findIndex(({match}) => matches(match, resourceName, view));
    if (index >= 0 && index <= (found.get(resourceName) ?? index)) found.set(resourceName, index);
  };
  desired.forEach(look);
  observed.forEach(look);
  return sortedMap([...found].filter(([name]) => !notFor.has(name)));
}

/** The protected resources, known before any decision about moves, which depend on them. Computed on first use. */
export interface Protection {
  /** The observed Usage of this function that protects the object for a reason, by its resource name; undefined for none. */
  readonly usageOf: (resourceName: string) => string | undefined;
  /** True if the input protects it, and its Usage or the XR's is not observed yet. */
  readonly awaits: (resourceName: string) => boolean;
}

export function protectionOf(scene: Scene): Protection {
  const {snapshot} = scene;
  const {observed} = snapshot;
  let made: Protections | undefined;
  return {
    usageOf: (resourceName) => {
      const of = endIn(snapshot, resourceName);
      const usage = of && usageNames(scene)(of, undefined).resourceName;
      return usage !== undefined && observed.has(usage) && !isForContested(observed.get(usage)) ? usage : undefined;
    },
    awaits: (resourceName) => {
      made ??= protections(scene, makingOf(scene), {names: [], contested: []});
      const usage = made.protecting.get(resourceName);
      return usage !== undefined && [usage, made.ofXr ?? usage].some((name) => !observed.has(name));
    },
  };
}
