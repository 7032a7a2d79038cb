// A new object that still only observes, without its old object: a person deleted that, a backup does not have it, or a cache
// does not show it yet. It can no longer be proven that both lead to one external resource.
//
// So the new object gets its policies only once it is Synced, and only if it was not marked as another resource while the old object
// was there. While it is being deleted it gets none: its provider would delete the external resource with it. A person who knows
// better takes the rule away.

import {observedPhase} from '../../facts/marks.ts';
import {isSetAsideName, nameBefore} from '../../facts/naming.ts';
import {isDeleting} from '../../facts/ownership.ts';
import type {Input} from '../../input/input.ts';
import {type Decision, heldUntilGone} from '../../words/decision.ts';
import {kindIn, refTo} from '../../words/references.ts';
import type {DesiredView, ResourceView} from '../../words/snapshot.ts';
import {lastinglyMarked} from '../annotations.ts';
import {type Given, hasItsPolicies, type Part, standingBody, synced} from '../objects.ts';
import {comesFrom, isToKind} from './moves.ts';

/** The objects that must not have their policies now. */
export function leftAlone(given: Given): readonly Part[] {
  const {snapshot, owners, claim} = given;
  const {observed, desired} = snapshot;
  const left: Part[] = [];
  lastinglyMarked(observed).forEach((view, name) => {
    const wanted = desired.get(name);
    const isAlone = isSetAsideName(comesFrom(view)) && !observed.has(comesFrom(view));
    if (!isAlone || wanted === undefined || hasItsPolicies(view, wanted)) return;
    if (owners.byName.get(name)?.kind !== 'ours') return;
    const decision = decisionOn(view, name, wanted, given);
    const body = decision?.kind === 'move' ? standingBody(name, view, claim) : undefined;
    if (decision !== undefined) left.push({name, decision, body});
  });
  return left;
}

function decisionOn(
  view: ResourceView,
  name: string,
  wanted: DesiredView,
  {input, protection}: Given,
): Decision | undefined {
  if (isDeleting(view)) return heldUntilGone;
  const isAnother = observedPhase(view) === 'refused';
  const hasProof = !isRuled(name, view, input) || (synced(view) === 'True' && !isAnother);
  if (hasProof && !protection.awaits(name)) return undefined;
  return {
    kind: 'move',
    reason: 'observing',
    from: nameBefore(comesFrom(view)),
    to: name,
    object: refTo(view),
    wanted: kindIn(wanted),
    stopped: hasProof ? {kind: 'unprotected'} : {kind: 'old-gone', isAnother},
  };
}

/** True if a rule still moves an object to this resource name and kind. */
function isRuled(name: string, view: ResourceView, {handover = []}: Input): boolean {
  return handover.some(({to}) => (to.resource ?? name) === name && isToKind(to, view, view));
}
