// Which external names one plan remembers and emits, and what of that is worth telling.

import {withNames} from '../facts/named-view.ts';
import type {Claim} from '../facts/proof.ts';
import {memoryName} from '../facts/set-aside.ts';
import type {Input} from '../input/input.ts';
import type {Answers} from '../restore/answers.ts';
import type {Decision} from '../words/decision.ts';
import type {Transition} from '../words/events.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';
import {type EmittedName, externalNameFor, isNamedByCloud, lateInitializes, nameInStatus} from './external-names.ts';
import {objectInPlaceOf} from './in-place.ts';
import {type Memory, onlyPlatformWrites, readMemory} from './name-memory.ts';
import {lostName, type NameMemory} from './remembered.ts';
import type {Seals} from './seal.ts';

/** The snapshot in which what is about to get a remembered external name has the name of the old object. */
export function withOldNames(snapshot: Snapshot, {externalNames}: Input, seals: Seals): Snapshot {
  const remember = externalNames?.remember;
  if (remember === undefined) return snapshot;
  let recalled: NameMemory | undefined;
  return withNames(snapshot, (resourceName) => {
    recalled ??= readMemory(snapshot, remember, seals);
    const lost = lostName(recalled, resourceName, undefined, snapshot);
    return lost.kind === 'lost' ? {name: lost.object} : undefined;
  });
}

/** The inputs of this part of a plan. */
export interface Naming {
  readonly snapshot: Snapshot;
  readonly input: Pick<Input, 'externalNames'>;
  readonly claim: Claim;
  readonly memory: Memory;
  readonly answers: Answers;
}

/** The names to emit, by resource name, for desired resources that pass in this reconcile. */
export function emittedNames(
  decisions: ReadonlyMap<string, Decision>,
  naming: Naming,
): ReadonlyMap<string, EmittedName> {
  const {snapshot, input, memory, claim, answers} = naming;
  const rules = input.externalNames?.from;
  const names = new Map<string, EmittedName>();
  decisions.forEach((decision, resourceName) => {
    const desired = snapshot.desired.get(resourceName);
    if (desired === undefined || decision.kind === 'wait' || decision.kind === 'refuse') return;
    const observed = objectOf(resourceName, decision, naming);
    const found = lostName(memory.recalled, resourceName, observed, snapshot);
    // A resource that already has another name than the old object, such as one that is handed over, gets no name of it.
    const isItsPlace = found.kind === 'lost' && (observed !== undefined || desired.name === found.object);
    const lost = isItsPlace ? found.name : undefined;
    const under = observed ?? objectInPlaceOf(resourceName, decision, snapshot, claim, answers);
    const inStatus = rules && observed && (() => nameInStatus(resourceName, observed, rules));
    const emitted = externalNameFor(desired, under, claim.manager, lost, inStatus);
    if (emitted !== undefined) names.set(resourceName, emitted);
  });
  return names;
}

export function nameTransitions(
  decisions: ReadonlyMap<string, Decision>,
  names: ReadonlyMap<string, EmittedName>,
  naming: Naming,
): readonly Transition[] {
  const {snapshot, input, memory} = naming;
  const transitions: Transition[] = unsealed(naming);
  decisions.forEach((decision, resourceName) => {
    const desired = snapshot.desired.get(resourceName);
    if (desired === undefined) return;
    const emitted = names.get(resourceName);
    if (emitted?.from === 'status') {
      const saves = lateInitializes(objectOf(resourceName, decision, naming) ?? desired);
      transitions.push({kind: 'external-name-saved', resourceName, lateInitializes: saves});
    }
    if (emitted?.from === 'memory') {
      transitions.push({kind: 'external-name-restored', resourceName});
    }
    if (decision.kind !== 'create') return;
    if (lostName(memory.recalled, resourceName, undefined, snapshot).kind === 'unproven') {
      transitions.push({kind: 'external-name-unproven', resourceName});
    }
    const isUnnamed = emitted === undefined && isNamedByCloud(resourceName, desired, input.externalNames?.from);
    if (isUnnamed && !lateInitializes(desired)) transitions.push({kind: 'external-name-at-risk', resourceName});
  });
  return transitions;
}

/** The event for names without a seal, once: in the reconcile that remembers the first names. */
function unsealed({snapshot, input, memory: {recalled, kept, configMap, isSealed}}: Naming): Transition[] {
  const remember = input.externalNames?.remember;
  const isEmpty = recalled.kind === 'read' && recalled.names.size === 0;
  const isFirst = isEmpty && kept.size > 0 && configMap?.unwritable === undefined;
  if (remember === undefined || isSealed || !isFirst || onlyPlatformWrites(snapshot.xr, remember)) return [];
  return [{kind: 'external-names-unsealed', resourceName: memoryName}];
}

/** The object that the desired resource is going to be: observed, or found by the lookup. */
function objectOf(resourceName: string, decision: Decision, {snapshot, answers}: Naming): ResourceView | undefined {
  const found = decision.kind === 'adopt' && decision.reason === 'found-by-label' ? decision.object : undefined;
  return snapshot.observed.get(resourceName) ?? (found === undefined ? undefined : answers.object(found));
}
