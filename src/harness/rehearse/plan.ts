// What a rehearsal came to, by XR: what is created, changed, adopted, deleted, held and by whom, in what order and when; what
// becomes of the external resources; which XR never becomes ready. All of it is read off the control plane before and after
// and off what happened in between. Nothing is said of what the control plane does not show.

import type {External} from '../../cluster/cloud/ledger-state.ts';
import {conditionOf, isDeleting, type KubeObject} from '../../cluster/object.ts';
import {externalsIn} from '../oracle/externals.ts';
import {type Orphan, orphansAmong} from '../oracle/orphan.ts';
import type {TimelineEntry} from '../record/timeline.ts';
import type {RunResult} from '../scenario/run-result.ts';
import {type Composed, composedBy} from './composed.ts';
import {externalIdOf} from './external-resources.ts';
import {addressText, difference, identity, shown} from './unrest.ts';
import {isXr} from './xrs.ts';

export interface Moment {
  readonly objects: readonly KubeObject[];
  readonly externals: readonly External[];
}

/** What a function said about a composed resource in the last reconcile of its XR. */
export interface Decided {
  readonly resourceName: string;
  readonly decision: string;
  readonly reason: string;
  readonly sentence?: string;
}

export interface Plan {
  readonly xrs: readonly XrPlan[];
  readonly destroyed: readonly OwnedExternal[];
  readonly doubled: readonly Doubled[];
  readonly created: readonly OwnedExternal[];
  /** In the cloud, and no managed resource leads to it any more. */
  readonly leftBehind: readonly OwnedExternal[];
  readonly orphans: readonly Orphan[];
  /** XRs and claims that were ready, or are new, and are not ready at the end. */
  readonly neverReady: readonly Unready[];
  /** Not ready before and not after. */
  readonly stillUnready: readonly Unready[];
  /** What will never move again, a sentence each. */
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
  /** Undefined where the object itself is as it was: somebody holds or refuses something. */
  readonly type: 'added' | 'modified' | 'removed' | undefined;
  /** The field that differs first, of a modified one. */
  readonly field: string | undefined;
  readonly isOrphan: boolean;
  /** What happened to it, in order; times count from the first step. */
  readonly events: readonly TimelineEntry[];
  readonly held: Decided | undefined;
}

export interface OwnedExternal {
  readonly external: External;
  /** The managed resource that led, or leads, to it. */
  readonly managed: KubeObject | undefined;
}

interface Doubled {
  readonly managed: KubeObject;
  readonly first: External;
  readonly second: External;
}

interface Unready {
  readonly object: KubeObject;
  readonly says: string;
}

export interface PlanInput {
  readonly before: Moment;
  readonly result: RunResult;
  /** By the uid of the XR. */
  readonly decided: ReadonlyMap<string, readonly Decided[]>;
}

export function planOf({before, result, decided}: PlanInput): Plan {
  const after: Moment = {objects: result.objects, externals: result.externals.list};
  const owners = {was: leadsTo(before), is: leadsTo(after)};
  const orphans = orphansAmong(after.objects).filter((orphan) => !isOrphanBefore(orphan, before));
  const unready = after.objects.filter((object) => isXr(object, after.objects)).flatMap(unreadyOf);
  const readyBefore = new Set(before.objects.filter(isReady).map(addressText));
  const known = new Set(before.objects.map(addressText));
  const isNews = ({object}: Unready) => readyBefore.has(addressText(object)) || !known.has(addressText(object));
  const ids = {was: new Set(before.externals.map(keyOf)), is: new Set(after.externals.map(keyOf))};
  const doubled = doubledIn(before, after);
  return {
    xrs: xrPlans(before, after, result, decided),
    destroyed: owned(
      before.externals.filter((one) => !ids.is.has(keyOf(one))),
      owners.was,
    ),
    created: owned(
      after.externals.filter((one) => !ids.was.has(keyOf(one))),
      owners.is,
    ),
    doubled,
    leftBehind: owned(
      before.externals.filter(
        (one) => ids.is.has(keyOf(one)) && owners.was.has(keyOf(one)) && !owners.is.has(keyOf(one)),
      ),
      owners.was,
    ).filter(({external}) => !doubled.some(({first}) => keyOf(first) === keyOf(external))),
    orphans,
    neverReady: unready.filter(isNews),
    stillUnready: unready.filter((one) => !isNews(one)),
    stuck: result.stuck,
    lastedMs: result.lastedMs,
  };
}

export function momentOf(objects: readonly KubeObject[], world: Parameters<typeof externalsIn>[0]): Moment {
  return {objects, externals: externalsIn(world)};
}

function keyOf({type, id}: Pick<External, 'type' | 'id'>): string {
  return `${type}/${id}`;
}

function xrPlans(before: Moment, after: Moment, result: RunResult, decided: PlanInput['decided']): readonly XrPlan[] {
  const was = composedBy(before.objects);
  const is = composedBy(after.objects);
  const events = Map.groupBy(
    result.timeline.filter(({change}) => 'object' in change),
    ({change}) => ('object' in change ? addressText(change.object) : ''),
  );
  const orphans = new Set(orphansAmong(after.objects).map(({object}) => identity(object)));
  return [...new Set([...was.keys(), ...is.keys()])].map((address) => {
    const [old, now] = [was.get(address), is.get(address)];
    const xr = (now ?? old)?.xr as KubeObject;
    const decisions = new Map((decided.get(xr.metadata.uid ?? '') ?? []).map((one) => [one.resourceName, one]));
    const changes = pairs(old, now).map(([then, present]): ComposedChange => {
      const one = (present ?? then) as KubeObject;
      const name = one.metadata.annotations?.['crossplane.io/composition-resource-name'] ?? '';
      const decision = decisions.get(name);
      const type = typeOf(then, present);
      return {
        before: then,
        after: present,
        type: type?.type,
        field: type?.field,
        isOrphan: present !== undefined && orphans.has(identity(present)),
        events: events.get(addressText(one)) ?? [],
        held: decision !== undefined && isHolding(decision) ? decision : undefined,
      };
    });
    const told = changes.filter(({type, held, isOrphan}) => type !== undefined || held !== undefined || isOrphan);
    return {
      xr,
      fate: fateOf(old?.xr, now?.xr),
      ready: isReady(xr),
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
  const then = new Map((old?.resources ?? []).map((object) => [addressText(object), object]));
  const present = new Map((now?.resources ?? []).map((object) => [addressText(object), object]));
  return [...new Set([...then.keys(), ...present.keys()])].map(
    (address) => [then.get(address), present.get(address)] as const,
  );
}

function typeOf(before: KubeObject | undefined, after: KubeObject | undefined) {
  if (before === undefined) return {type: 'added' as const, field: undefined};
  if (after === undefined) return {type: 'removed' as const, field: undefined};
  const found = difference('', shown(before), shown(after));
  return found === undefined ? undefined : {type: 'modified' as const, field: found.field};
}

function isReady(object: KubeObject): boolean {
  return conditionOf(object, 'Ready')?.status === 'True';
}

function unreadyOf(object: KubeObject): readonly Unready[] {
  if (isReady(object) || isDeleting(object)) return [];
  const [synced, ready] = ['Synced', 'Ready'].map((type) => conditionOf(object, type));
  const first = synced?.status === 'False' ? synced : ready;
  if (first === undefined) return [{object, says: 'was never reconciled'}];
  const message = first.message === undefined || first.message === '' ? '' : `: ${first.message}`;
  return [{object, says: `${first.type}=${first.status} ${first.reason}${message}`}];
}

function isOrphanBefore({object}: Orphan, before: Moment): boolean {
  return orphansAmong(before.objects).some((one) => identity(one.object) === identity(object));
}

/** Which managed resource leads to an external resource. */
function leadsTo({objects}: Moment): ReadonlyMap<string, KubeObject> {
  const leading = new Map<string, KubeObject>();
  for (const object of objects) {
    const id = externalIdOf(object);
    if (id !== undefined) leading.set(keyOf({type: object.kind, id}), object);
  }
  return leading;
}

function owned(externals: readonly External[], owners: ReadonlyMap<string, KubeObject>): readonly OwnedExternal[] {
  return externals.map((external) => ({external, managed: owners.get(keyOf(external))}));
}

/** Managed resources, or composed resources of one XR, that lead to another external resource while the first one lives. */
function doubledIn(before: Moment, after: Moment): readonly Doubled[] {
  const alive = new Map(after.externals.map((one) => [keyOf(one), one]));
  const first = new Map<string, string>();
  for (const object of before.objects) {
    const id = externalIdOf(object);
    if (id === undefined) continue;
    for (const role of rolesOf(object)) first.set(role, keyOf({type: object.kind, id}));
  }
  const leading = new Set(leadsTo(after).keys());
  const found = new Map<string, Doubled>();
  for (const managed of after.objects) {
    const id = externalIdOf(managed);
    if (id === undefined) continue;
    const second = alive.get(keyOf({type: managed.kind, id}));
    const old = rolesOf(managed)
      .map((role) => first.get(role))
      .find((key) => key !== undefined);
    const other = old === undefined ? undefined : alive.get(old);
    if (second === undefined || other === undefined || keyOf(other) === keyOf(second)) continue;
    const isNew = !before.externals.some((one) => keyOf(one) === keyOf(second));
    // Where a managed resource of its own leads to the first one still, there are two objects for it: that is the double.
    if (isNew || !leading.has(keyOf(other))) found.set(keyOf(second), {managed, first: other, second});
  }
  return [...found.values()];
}

/** What a managed resource is by: its address, and its place in its XR. */
function rolesOf(object: KubeObject): readonly string[] {
  const {labels, annotations, namespace = ''} = object.metadata;
  const [xr, name] = [labels?.['crossplane.io/composite'], annotations?.['crossplane.io/composition-resource-name']];
  const own = addressText(object);
  return xr === undefined || name === undefined ? [own] : [own, `${object.kind} ${namespace}/${xr}/${name}`];
}
