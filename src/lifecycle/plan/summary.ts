// A plan in words for people: the XR condition `Tethered`, and the events worth emitting once.

import type {EmittedName} from '../external-names/external-names.ts';
import {lostName, onlyPlatformWrites} from '../external-names/memory.ts';
import {managementPoliciesOf} from '../facts/external-policies.ts';
import {observedPhase} from '../facts/marks.ts';
import {memoryName} from '../facts/naming.ts';
import {isXr, type Owners} from '../facts/ownership.ts';
import {isConfig} from '../facts/ready.ts';
import {matches} from '../input/selector.ts';
import type {Orders} from '../order/order.ts';
import {foundBy} from '../questions/registry.ts';
import type {LeftBehind} from '../restore/left-behind.ts';
import {type ConditionReason, conditions, gravest} from '../words/conditions.ts';
import {type Decision, rowOf} from '../words/decision.ts';
import type {RefusedPair} from '../words/edit.ts';
import type {Transition, UnknownName} from '../words/events.ts';
import {isList, isObject, type Json, text} from '../words/json.ts';
import type {Awaited, Beginning} from '../words/reasons.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';
import type {Situation} from './situation.ts';

/** The XR condition `Tethered`. Its sentence is made of the decisions of `resources`. */
export interface Condition {
  readonly status: 'True' | 'False';
  readonly reason: ConditionReason;
  /** Resource names that are not as the earlier steps want them, sorted. */
  readonly resources: readonly string[];
}

/** The gravest reason wins. `awaited`: what an XR reports to the XR that composes it, although it holds nothing. */
export function tetheredOf(
  decisions: ReadonlyMap<string, Decision>,
  refused: readonly RefusedPair[],
  left: readonly LeftBehind[],
  awaited: readonly Awaited[],
): Condition {
  const resources: string[] = [];
  const found = new Set<ConditionReason>();
  decisions.forEach((decision, name) => {
    const reason = rowOf(decision).condition(decision);
    if (reason === undefined) return;
    resources.push(name);
    found.add(reason);
  });
  if (refused.length > 0) found.add('Refusing');
  if (left.length > 0) found.add('LeftBehind');
  if (awaited.length > 0) found.add('Restoring');
  const reason = gravest(found);
  return {status: conditions[reason].status, reason, resources};
}

/** Events about resources, once: beginnings, ends, and orders that are not kept. */
export function transitionsIn(
  decisions: ReadonlyMap<string, Decision>,
  names: ReadonlyMap<string, EmittedName>,
  situation: Situation,
  unknown: readonly UnknownName[],
): readonly Transition[] {
  const {snapshot, owners, orders} = situation;
  return [
    ...transitionsOf(decisions, snapshot.observed, owners),
    ...nameTransitions(decisions, names, situation),
    ...skippedOrders(decisions, orders),
    ...brokenOrders(decisions, orders, snapshot.observed),
    ...configsLeaving(decisions, snapshot.observed),
    ...namesUnknown(decisions, snapshot, unknown),
  ];
}

function transitionsOf(
  decisions: ReadonlyMap<string, Decision>,
  observed: ReadonlyMap<string, ResourceView>,
  {byName}: Owners,
): readonly Transition[] {
  const transitions: Transition[] = [];
  decisions.forEach((decision, resourceName) => {
    const view = observed.get(resourceName);
    const phase = view === undefined ? '' : observedPhase(view);
    const isAdopted = phase === 'pending-adoption' && byName.get(resourceName)?.kind === 'ours';
    if (isAdopted && rowOf(decision).phase !== phase) transitions.push({kind: 'adopted', resourceName});
    if (phase === 'handing-over' && decision.kind === 'keep') transitions.push({kind: 'handed-over', resourceName});
    const kind = eventOfBeginning(decision, phase, view !== undefined);
    if (kind !== undefined) transitions.push({kind, resourceName});
  });
  return transitions;
}

function nameTransitions(
  decisions: ReadonlyMap<string, Decision>,
  names: ReadonlyMap<string, EmittedName>,
  situation: Situation,
): readonly Transition[] {
  const {snapshot, input, memory, answers} = situation;
  const transitions: Transition[] = unsealed(situation);
  decisions.forEach((decision, resourceName) => {
    const desired = snapshot.desired.get(resourceName);
    if (desired === undefined) return;
    const emitted = names.get(resourceName);
    if (emitted?.from === 'status') {
      const saves = lateInitializes(snapshot.observed.get(resourceName) ?? foundBy(decision, answers) ?? desired);
      transitions.push({kind: 'external-name-saved', resourceName, lateInitializes: saves});
    }
    if (emitted?.from === 'memory') {
      transitions.push({kind: 'external-name-restored', resourceName});
    }
    if (decision.kind !== 'create') return;
    if (lostName(memory.recalled, resourceName, undefined, snapshot).kind === 'unproven') {
      transitions.push({kind: 'external-name-unproven', resourceName});
    }
    const isNamedByCloud = input.externalNames?.from?.some(({match}) => matches(match, resourceName, desired));
    if (emitted === undefined && isNamedByCloud && !lateInitializes(desired))
      transitions.push({kind: 'external-name-at-risk', resourceName});
  });
  return transitions;
}

/** The event for names without a seal, once: in the reconcile that remembers the first names. */
function unsealed({snapshot, input, memory: {recalled, kept, configMap, isSealed}}: Situation): Transition[] {
  const remember = input.externalNames?.remember;
  const isEmpty = recalled.kind === 'read' && recalled.names.size === 0;
  const isFirst = isEmpty && kept.size > 0 && configMap?.unwritable === undefined;
  if (remember === undefined || isSealed || !isFirst || onlyPlatformWrites(snapshot.xr, remember)) return [];
  return [{kind: 'external-names-unsealed', resourceName: memoryName}];
}

/** True if the provider itself saves a name that it learns after the create. */
function lateInitializes(view: ResourceView): boolean {
  const policies = managementPoliciesOf(view);
  return policies.includes('*') || policies.includes('LateInitialize');
}

/** One event for a resource: in the reconcile that creates it. */
function skippedOrders(decisions: ReadonlyMap<string, Decision>, {skipped}: Orders): readonly Transition[] {
  return skipped
    .filter(({by}) => decisions.get(by)?.kind === 'create')
    .map(({path, of, by}) => ({kind: 'order-skipped', resourceName: by, path, of}));
}

/** The events for resources in the reconcile that lets them go: of those that are overruled, one each. */
function brokenOrders(
  decisions: ReadonlyMap<string, Decision>,
  {overruled, contradicted}: Orders,
  observed: Snapshot['observed'],
): readonly Transition[] {
  const firsts = [...Map.groupBy(overruled, ({of}) => of).values()].flatMap((ranks) => ranks.slice(0, 1));
  const broken = [
    ...firsts.map((rank) => ({kind: 'order-overruled' as const, ...rank})),
    ...contradicted.map((rank) => ({kind: 'order-contradicted' as const, ...rank})),
  ];
  return broken
    .filter(({of}) => isLetGo(of, decisions, observed))
    .map(({kind, path, of, by}) => ({kind, resourceName: of, path, by}));
}

/** The events for configs in the reconcile that lets them go: a held resource that may read one lives on without it. */
function configsLeaving(
  decisions: ReadonlyMap<string, Decision>,
  observed: Snapshot['observed'],
): readonly Transition[] {
  const leaving: {readonly resourceName: string; readonly config: ResourceView}[] = [];
  decisions.forEach((_, resourceName) => {
    const config = isLetGo(resourceName, decisions, observed) ? observed.get(resourceName) : undefined;
    if (config !== undefined && isConfig(config) && resourceName !== memoryName) leaving.push({resourceName, config});
  });
  if (leaving.length === 0) return [];
  const held = [...decisions].flatMap(([name, {kind}]) => {
    const view = kind === 'hold' ? observed.get(name) : undefined;
    return view === undefined ? [] : [{name, mayRead: readsOf(view)}];
  });
  return leaving.flatMap(({resourceName, config}): Transition[] => {
    const by = held.filter(({mayRead}) => mayRead(config)).map(({name}) => name);
    return by.length === 0 ? [] : [{kind: 'config-leaves', resourceName, by}];
  });
}

// Decides whether an object may read a config. A nested XR always may: its spec does not show what its Composition reads. Any other
// object reads the configs that its spec refers to, by kind and name, or under a key that ends with the kind, as providerConfigRef,
// passwordSecretRef and configMapKeyRef. It writes writeConnectionSecretToRef. Left out: volumes of Pods, and namespaces, which some
// references leave open.

const keyOfReference = /(configMap|environmentConfig|providerConfig|secret)(?:Key)?Refs?$/i;

/** Worked out once for each reader. */
function readsOf(reader: ResourceView): (config: ResourceView) => boolean {
  if (isXr(reader)) return () => true;
  const references = referencesIn(reader.field(['spec']) ?? null);
  return ({kind, name}) =>
    references.has(`${kind} ${name}`) || references.has(`${kind.replace('Cluster', '').toLowerCase()} ${name}`);
}

/** `Kind name`; where only the key has the kind, `kind name` in lower case. */
function referencesIn(spec: Json): ReadonlySet<string> {
  const found = new Set<string>();
  // No recursion: who may write the object may nest it deeply.
  const open: (readonly [key: string, value: Json])[] = [['', spec]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [key, value] = next;
    if (isList(value)) for (const item of value) open.push([key, item]);
    else if (isObject(value)) {
      const kind = text(value['kind']) || (keyOfReference.exec(key)?.[1] ?? '').toLowerCase();
      if (kind !== '') found.add(`${kind} ${text(value['name'])}`);
      for (const entry of Object.entries(value)) open.push(entry);
    }
  }
  return found;
}

/** True if it goes now. Without a mark of ours a later step desires it, and it stays; its event would come in every reconcile. */
function isLetGo(
  resourceName: string,
  decisions: ReadonlyMap<string, Decision>,
  observed: Snapshot['observed'],
): boolean {
  if (decisions.get(resourceName)?.kind !== 'release') return false;
  const view = observed.get(resourceName);
  return view !== undefined && observedPhase(view) !== '';
}

/** Events as long as something is created; the condition lists them as long as they are unknown. */
function namesUnknown(
  decisions: ReadonlyMap<string, Decision>,
  {desired}: Pick<Snapshot, 'desired'>,
  unknown: readonly UnknownName[],
): readonly Transition[] {
  if (unknown.length === 0) return [];
  const [created] = [...decisions].find(([name, {kind}]) => kind === 'create' && desired.has(name)) ?? [];
  if (created === undefined) return [];
  return unknown.map((one) => ({kind: 'name-unknown', resourceName: created, ...one}));
}

/** By event, the marks of an earlier decision with which it has been emitted, or is none; '' for no mark. */
const phasesAfter: {readonly [event in Beginning]: readonly string[]} = {
  // Crossplane forgets it in this very reconcile.
  'leaving-alone': [],
  // Without a mark of ours it was never this step's: a later step desires it, and it stays.
  releasing: [''],
  // Of the old object, in the reconcile that begins; the condition has the progress.
  'handing-over': ['', 'handing-over'],
  refusing: ['refused'],
  adopting: ['pending-adoption'],
  holding: ['pending-deletion'],
};

/** The event of a decision that was not made before. */
function eventOfBeginning(decision: Decision, phase: string, isObserved: boolean): Beginning | undefined {
  const {event, phase: own} = rowOf(decision);
  // The mark of a refusal is on the object that stays: a new one is not made.
  if (event === undefined || (event === 'refusing' && !isObserved)) return undefined;
  const isOld = phasesAfter[event].includes(phase) || (event === 'holding' && phase === own);
  return isOld ? undefined : event;
}
