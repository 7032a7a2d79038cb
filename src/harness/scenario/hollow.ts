// The gaps in the evidence of a run in which nothing failed: an XR that never synced or does no more, a composed resource that its XR
// forgot while it lives, a story that composed nothing, a function that was never called, an expectation about an object that never existed. Such a verdict is never a plain "ok".

import {groupKindDefined} from '../../cluster/defined-kinds.ts';
import {addressOf, conditionOf, groupKindOf, isDeleting, isTrue, type KubeObject} from '../../cluster/object.ts';
import {isPaused} from '../../cluster/vocabulary.ts';
import {isSelected, type Selector, selectorText} from '../control-plane/catalogue.ts';
import {idleManaged} from '../control-plane/oracle/idle.ts';
import {unlistedAmong} from '../control-plane/oracle/orphan.ts';
import type {Happening} from '../control-plane/session.ts';
import {concealedSentence} from '../input/conceal/concealed-text.ts';
import type {Expectation, Scenario, Variant} from './scenario.ts';

export interface Shown {
  readonly observe: (happening: Happening) => void;
  readonly stepEnds: (atMs: number) => void;
  /** A sentence each. `composed`: the names of composed resources that were there at some time. */
  readonly hollow: (told: Told) => readonly string[];
}

interface Told {
  readonly scenario: Pick<Scenario, 'functions' | 'steps' | 'bug'>;
  readonly variant: Variant;
  readonly crossplane: string;
  readonly composed: ReadonlySet<string>;
  readonly endMs: number;
}

/** An object whose reconciles failed when it was last seen. */
interface Failing {
  /** The last one that was not being deleted. */
  readonly last: KubeObject;
  readonly sinceMs: number;
  /** When its deletion began. */
  readonly untilMs?: number;
}

/** A reconcile may fail once, or lose a race. */
const patienceMs = 60_000;

function failingNow(object: KubeObject, before: Failing | undefined, atMs: number): Failing | undefined {
  if (before !== undefined && isDeleting(object)) return {untilMs: atMs, ...before};
  const synced = conditionOf(object, 'Synced');
  if (synced?.status !== 'False') return undefined;
  // A pause mends nothing, and is no failure of its own.
  return synced.reason === 'ReconcilePaused' ? before : {last: object, sinceMs: before?.sinceMs ?? atMs};
}

/** Sees everything from the fixtures on. */
export function watchForShown(): Shown {
  const seen = new Map<string, KubeObject>();
  const synced = new Set<string>();
  const failing = new Map<string, Failing>();
  const gone = new Set<string>();
  /** By what they were at the ends of steps. */
  const atRest = {synced: new Set<string>(), failing: new Map<string, KubeObject>()};
  const called = new Set<string>();
  return {
    observe: ({atMs, entry}) => {
      if (entry.kind === 'function') called.add(entry.target);
      if (entry.kind !== 'api') return;
      for (const {type, object} of entry.events) {
        const key = addressOf(object);
        if (type === 'DELETED') gone.add(key);
        else gone.delete(key);
        seen.set(key, object);
        if (isTrue(object, 'Synced')) synced.add(key);
        const failed = failingNow(object, failing.get(key), atMs);
        if (failed === undefined) failing.delete(key);
        else failing.set(key, failed);
      }
    },
    stepEnds: (atMs) => {
      for (const [key, {last, sinceMs, untilMs}] of failing) {
        if (untilMs === undefined && atMs - sinceMs >= patienceMs) atRest.failing.set(key, last);
      }
      for (const [key, object] of seen) {
        if (!gone.has(key) && isTrue(object, 'Synced')) atRest.synced.add(key);
      }
    },
    hollow: (told) => {
      const objects = [...seen.values()];
      const defined = new Set(objects.filter(({kind}) => kind === 'CompositeResourceDefinition').map(groupKindDefined));
      const xrs = objects.filter((object) => defined.has(groupKindOf(object)));
      const expectations = expectationsOn(told);
      const unsynced = xrs.flatMap((xr) => {
        if (isLookedAt(xr, expectations)) return [];
        const {last, sinceMs = 0, untilMs = told.endMs} = failing.get(addressOf(xr)) ?? {};
        if (isPaused(xr) && (last === undefined || synced.has(addressOf(xr)))) return [];
        if (!synced.has(addressOf(xr))) return [unsyncedText(last ?? xr, 'never synced')];
        const failed = atRest.synced.has(addressOf(xr)) ? undefined : atRest.failing.get(addressOf(xr));
        if (failed !== undefined) return [unsyncedText(failed, 'was synced at the end of no step')];
        return last === undefined || untilMs - sinceMs < patienceMs
          ? []
          : [unsyncedText(last, 'is not synced any more')];
      });
      const isStory = told.scenario.bug !== undefined;
      const present = objects.filter((object) => !gone.has(addressOf(object)));
      return [
        ...(isStory ? [] : [...unsynced, ...forgotten(present, defined, expectations)]),
        ...(told.composed.size === 0 && xrs.some((xr) => synced.has(addressOf(xr))) ? ['nothing was composed'] : []),
        ...(expectations.length === 0 && !isStory ? ['nothing was expected'] : []),
        ...idleManaged(present),
        ...uncalled(told, called).map((name) => `function "${name}" was never called`),
        ...expectations.flatMap((one) => matchless(one, objects)),
      ];
    },
  };
}

/** Not orphans: their XR still controls them, and deletes them only with itself. None that an expectation is about. */
function forgotten(
  objects: readonly KubeObject[],
  xrKinds: ReadonlySet<string>,
  expectations: readonly Expectation[],
): readonly string[] {
  return unlistedAmong(objects).flatMap(({object, controller}) => {
    if (controller === undefined || !xrKinds.has(groupKindOf(controller))) return [];
    const counts = ({what}: Expectation) => what.kind === 'count' && isSelected(object, what.target);
    if (isLookedAt(object, expectations) || expectations.some(counts)) return [];
    const xr = `${controller.kind} "${controller.metadata.name}"`;
    return [`${object.kind} "${object.metadata.name}" lives on, and ${xr} lists it no more`];
  });
}

/** Those of this version, of every step and of the end. */
function expectationsOn({scenario: {steps}, variant, crossplane}: Told): readonly Expectation[] {
  const waited = steps.flatMap(({wait}) => (wait?.kind === 'until' ? [wait.expect] : []));
  return [...steps.flatMap(({expect}) => expect), ...waited, ...variant.expect].filter(
    ({crossplane: only}) => only.length === 0 || only.includes(crossplane),
  );
}

/** True if the author knows how the XR or resource ends: an expectation is about it. */
function isLookedAt(xr: KubeObject, expectations: readonly Expectation[]): boolean {
  return expectations.some(({what}) => {
    switch (what.kind) {
      case 'match':
        return isSelected(xr, what.target);
      case 'holds':
        return what.target !== undefined && isSelected(xr, what.target);
      case 'condition':
        return what.status !== 'True' && isSelected(xr, what.target);
      default:
        return false;
    }
  });
}

function unsyncedText(xr: KubeObject, fate: string): string {
  const synced = conditionOf(xr, 'Synced');
  const why = synced === undefined ? '' : `: ${concealedSentence(synced.message ?? synced.reason)}`;
  return `${xr.kind} "${xr.metadata.name}" ${fate}${why}`;
}

/** Further versions of a function are called once a step moves to them. */
function uncalled({scenario: {functions}, variant: {without}}: Told, called: ReadonlySet<string>): readonly string[] {
  return Object.keys(functions).filter((name) => {
    return !(without.includes(name) || name.includes(' of ') || [...called].some((one) => one === name));
  });
}

/** An object that is expected not to be there, and never was. */
function matchless({what, place}: Expectation, objects: readonly KubeObject[]): readonly string[] {
  const target = absentTarget(what);
  if (target === undefined || objects.some((object) => isSelected(object, target))) return [];
  return [`${place}: ${selectorText(target)} never ${target.name === undefined ? 'were' : 'was'} there`];
}

function absentTarget(what: Expectation['what']): Selector | undefined {
  if (what.kind === 'absent') return what.target;
  return what.kind === 'count' && what.range.min === 0 ? what.target : undefined;
}
