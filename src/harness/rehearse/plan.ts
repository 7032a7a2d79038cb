// The result of a rehearsal, by XR: each object that is created, changed, adopted, deleted or held, with actor, order and time;
// the fate of the external resources; XRs that never become ready. All of it is read off the control plane before and after and off
// the events in between.

import {addressOf, isDeleting, isTrue, type KubeObject} from '../../cluster/object.ts';
import {resourceNameOf} from '../../cluster/vocabulary.ts';
import {changedFields} from '../control-plane/oracle/untouched.ts';
import {objectOf} from '../control-plane/record/changes.ts';
import type {TimelineEntry} from '../control-plane/record/timeline.ts';
import type {RunResult} from '../scenario/run-result.ts';
import {type Composed, composedBy} from './composed.ts';
import {type Consequences, consequencesOf, type Moment, orphanedIn} from './consequences.ts';
import {comparableFields, objectIdentity} from './unrest.ts';

/** A function's sentence about a composed resource in the last reconcile of its XR. */
export interface Decided {
  readonly resourceName: string;
  readonly decision: string;
  readonly reason: string;
  readonly sentence?: string;
}

export interface Plan extends Consequences {
  readonly xrs: readonly XrPlan[];
  /** The objects that will never move again, a sentence each. */
  readonly stuck: readonly string[];
  readonly lastedMs: number;
}

export interface XrPlan {
  /** As it is at the end; as it was where it is gone. */
  readonly xr: KubeObject;
  readonly fate: 'stays' | 'appeared' | 'restored' | 'deleting' | 'gone';
  readonly ready: boolean;
  readonly changes: readonly ComposedChange[];
  readonly unchanged: number;
}

export interface ComposedChange {
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
  /** Undefined if the object itself is as it was: a function holds or refuses something. */
  readonly type: 'added' | 'modified' | 'removed' | undefined;
  /** The field that differs first, of a modified one. */
  readonly field: string | undefined;
  readonly isOrphan: boolean;
  /** The object lives, and is none of this XR's any more. */
  readonly letGo: KubeObject | undefined;
  /** Its events, in order; times count from the first step. */
  readonly events: readonly TimelineEntry[];
  readonly held: Decided | undefined;
}

export interface PlanInput {
  readonly before: Moment;
  readonly result: RunResult;
  /** By the uid of the XR. */
  readonly decided: ReadonlyMap<string, readonly Decided[]>;
}

export function planOf({before, result, decided}: PlanInput): Plan {
  const after: Moment = {objects: result.objects, externals: result.externals.list};
  return {
    xrs: xrPlans(before, after, result, decided),
    ...consequencesOf(before, after),
    stuck: result.stuck,
    lastedMs: result.lastedMs,
  };
}

/** XRs that compose nothing, neither before nor after: a plan shows nothing of what they compose elsewhere. */
export function silentXrs({xrs}: Pick<Plan, 'xrs'>): readonly KubeObject[] {
  return xrs.filter(({changes, unchanged}) => changes.length + unchanged === 0).map(({xr}) => xr);
}

function xrPlans(before: Moment, after: Moment, result: RunResult, decided: PlanInput['decided']): readonly XrPlan[] {
  const was = composedBy(before.objects);
  const is = composedBy(after.objects);
  const events = Map.groupBy(
    result.timeline.filter(({change}) => objectOf(change) !== undefined),
    ({change}) => addressOf(objectOf(change) as KubeObject),
  );
  const orphans = new Set(orphanedIn(after.objects).map(({object}) => objectIdentity(object)));
  const present = new Map(after.objects.map((object) => [addressOf(object), object]));
  return [...new Set([...was.keys(), ...is.keys()])].map((address) => {
    const [old, now] = [was.get(address), is.get(address)];
    const xr = (now ?? old)?.xr as KubeObject;
    const decisions = new Map((decided.get(xr.metadata.uid ?? '') ?? []).map((one) => [one.resourceName, one]));
    const changes = pairs(old, now).map(([then, kept]): ComposedChange => {
      const one = (kept ?? then) as KubeObject;
      const name = resourceNameOf(one) ?? '';
      const decision = decisions.get(name);
      const type = typeOf(then, kept);
      return {
        before: then,
        after: kept,
        type: type?.type,
        field: type?.field,
        isOrphan: kept !== undefined && orphans.has(objectIdentity(kept)),
        letGo: kept === undefined ? present.get(addressOf(one)) : undefined,
        events: events.get(addressOf(one)) ?? [],
        held: decision !== undefined && isHolding(decision) ? decision : undefined,
      };
    });
    const told = changes.filter(({type, held, isOrphan}) => type !== undefined || held !== undefined || isOrphan);
    return {
      xr,
      fate: fateOf(old?.xr, now?.xr),
      ready: isTrue(xr, 'Ready'),
      changes: told,
      unchanged: changes.length - told.length,
    };
  });
}

function isHolding({decision}: Decided): boolean {
  return decision === 'hold' || decision === 'refuse' || decision === 'wait' || decision === 'retain';
}

function fateOf(before: KubeObject | undefined, after: KubeObject | undefined): XrPlan['fate'] {
  if (after === undefined) return 'gone';
  if (isDeleting(after)) return 'deleting';
  if (before === undefined) return 'appeared';
  return before.metadata.uid === after.metadata.uid ? 'stays' : 'restored';
}

/** The composed resources of both moments, each beside the one of its address. */
function pairs(old: Composed | undefined, now: Composed | undefined) {
  const then = new Map((old?.resources ?? []).map((object) => [addressOf(object), object]));
  const present = new Map((now?.resources ?? []).map((object) => [addressOf(object), object]));
  return [...new Set([...then.keys(), ...present.keys()])].map(
    (address) => [then.get(address), present.get(address)] as const,
  );
}

function typeOf(before: KubeObject | undefined, after: KubeObject | undefined) {
  if (before === undefined) return {type: 'added' as const, field: undefined};
  if (after === undefined) return {type: 'removed' as const, field: undefined};
  const [found] = changedFields('', comparableFields(before), comparableFields(after));
  return found === undefined ? undefined : {type: 'modified' as const, field: found.place};
}
