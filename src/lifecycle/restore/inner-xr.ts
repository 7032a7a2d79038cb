// A nested XR. A restore brings its own composed resources back without controller references, too, and it adopts them in its next
// reconcile, but in none once it is being deleted (crossplane/crossplane 2d040d2da composite/reconciler.go Reconcile: a deleted XR
// only loses its finalizer). Released before that, it would leave them without an owner. So it stays until its status proves a
// reconcile since it was created.
//
// The proof: Synced is True, or Ready was set, both of which its controller writes after it has applied everything; or the entry
// with which it applies its status at the very end. A backup may bring old ones back, so they count only from the time of the
// object's creation. A restored XR that fails is no proof: then it is held until a person confirms the removal. If this function
// did not see it come back, a try is enough: if it fails it failed before, and owns its composed resources.
//
// A backup may bring back the very conditions that the next reconcile sets, and then it sets none anew: those of Crossplane 1 have no
// generation. So a restored Synced=True counts once this function has held the object. That is an event for its controller, and
// Synced turns False if it fails.
//
// Not helped: other kinds that adopt objects of their own, as a Deployment does with ReplicaSets.

import {observedPhase} from '../facts/marks.ts';
import {fieldEntriesOf, madeAt} from '../facts/metadata.ts';
import {isPipelineStatus, isXr, listedBy} from '../facts/ownership.ts';
import {condition, conditionsOf} from '../facts/ready.ts';
import {type JsonObject, text} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';

/** True if the object is an XR that lists composed resources and may not have adopted them yet. */
export function mayHaveToAdopt(view: ResourceView): boolean {
  if (listedBy(view).length === 0 || !isXr(view)) return false;
  const since = madeAt(view);
  const isRecent = ({lastTransitionTime}: JsonObject) => text(lastTransitionTime) >= since;
  const conditions = conditionsOf(view).filter(isRecent);
  const synced = conditions.find(({type}) => type === 'Synced');
  if (synced?.['status'] === 'True' || conditions.some(({type}) => type === 'Ready')) return false;
  if (fieldEntriesOf(view).some((entry) => isPipelineStatus(entry) && text(entry['time']) >= since)) return false;
  const phase = observedPhase(view);
  if (synced !== undefined) return phase === 'pending-adoption';
  return !isSetAlready(view) || !['pending-adoption', 'pending-deletion'].includes(phase);
}

/** True if a reconcile that succeeds finds its condition Synced as it would set it. */
function isSetAlready(view: ResourceView): boolean {
  const {status, observedGeneration} = condition(view, 'Synced') ?? {};
  const isCurrent = observedGeneration === undefined || observedGeneration === view.field(['metadata', 'generation']);
  return status === 'True' && isCurrent;
}
