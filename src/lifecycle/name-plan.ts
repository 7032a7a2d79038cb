// Which external names this plan emits, and what of that is worth telling.

import type {Decision} from './decision.ts';
import {type EmittedName, externalNameFor, isNamedByCloud, lateInitializes} from './external-names/external-names.ts';
import {lostName} from './external-names/lost-names.ts';
import {isPlatforms} from './external-names/name-memory.ts';
import {memoryName} from './objects/requirement-names.ts';
import type {Situation} from './situation.ts';
import type {ResourceView} from './snapshot.ts';
import type {Transition} from './summary.ts';

/** The names to emit, by resource name, for desired resources that pass in this reconcile. */
export function emittedNames(
  decisions: ReadonlyMap<string, Decision>,
  situation: Situation,
): ReadonlyMap<string, EmittedName> {
  const {snapshot, input, recalled, manager} = situation;
  const rules = input.externalNames?.from;
  const names = new Map<string, EmittedName>();
  decisions.forEach((decision, resourceName) => {
    const desired = snapshot.desired.get(resourceName);
    if (desired === undefined || decision.kind === 'wait' || decision.kind === 'refuse') return;
    const observed = objectOf(resourceName, decision, situation);
    const found = lostName(recalled, resourceName, observed, snapshot);
    const lost = found.kind === 'lost' ? found.name : undefined;
    const emitted = externalNameFor({resourceName, desired, observed, rules, lost, manager});
    if (emitted !== undefined) names.set(resourceName, emitted);
  });
  return names;
}

export function nameTransitions(
  decisions: ReadonlyMap<string, Decision>,
  names: ReadonlyMap<string, EmittedName>,
  situation: Situation,
): readonly Transition[] {
  const {snapshot, input, recalled} = situation;
  const transitions: Transition[] = unsealed(situation);
  decisions.forEach((decision, resourceName) => {
    const desired = snapshot.desired.get(resourceName);
    if (desired === undefined) return;
    const emitted = names.get(resourceName);
    if (emitted?.from === 'status') {
      const saves = lateInitializes(objectOf(resourceName, decision, situation) ?? desired);
      transitions.push({kind: 'external-name-saved', resourceName, lateInitializes: saves});
    }
    if (emitted?.from === 'memory') {
      transitions.push({kind: 'external-name-restored', resourceName});
    }
    if (decision.kind === 'create' && lostName(recalled, resourceName, undefined, snapshot).kind === 'unproven') {
      transitions.push({kind: 'external-name-unproven', resourceName});
    }
    const unnamed = decision.kind === 'create' && emitted === undefined;
    if (unnamed && isNamedByCloud(resourceName, desired, input.externalNames?.from) && !lateInitializes(desired)) {
      transitions.push({kind: 'external-name-at-risk', resourceName});
    }
  });
  return transitions;
}

/** Told once: in the reconcile that remembers the first names. */
function unsealed({snapshot, input, recalled, memory, hasKey}: Situation): Transition[] {
  const remember = input.externalNames?.remember;
  const isFirst = recalled.kind === 'read' && recalled.names.size === 0 && memory.size > 0;
  if (remember === undefined || hasKey || !isFirst || isPlatforms(snapshot.xr, remember)) return [];
  return [{kind: 'external-names-unsealed', resourceName: memoryName}];
}

/** The object that the desired resource is going to be: observed, or found by the lookup. */
function objectOf(resourceName: string, decision: Decision, {snapshot, answers}: Situation): ResourceView | undefined {
  const found = decision.kind === 'adopt' && decision.reason === 'found-by-label' ? decision.object : undefined;
  return snapshot.observed.get(resourceName) ?? (found === undefined ? undefined : answers.object(found));
}
