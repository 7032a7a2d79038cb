// Whether Crossplane's answers made a request larger than a message may be. Others can make them so: whoever may write objects of a
// kind and namespace that is asked about, with our labels or under a name that is asked for. Crossplane then calls no function with the
// answers, and every reconcile fails at the same question (crossplane/crossplane 2d040d2da internal/xfn/required_resources.go).
//
// But it calls the function once before it answers, and the XR says by then how the reconcile before ended. So a question that failed is
// not asked again: lists are left out, and of single objects only as many are asked for as fit however large they are. What waits for an
// answer goes on waiting; all else goes on. The condition keeps it until the XR's generation is another, because the next reconcile ends
// well. Crossplane before v1.17 shows no conditions, so there every other reconcile fails.

import {text} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {condition} from './ready.ts';

/** Whether the last reconcile of the XR failed at too large a message, or one since the XR was last edited. */
export function isOutgrown(xr: ResourceView): boolean {
  const synced = condition(xr, 'Synced');
  if (synced?.['status'] === 'False' && text(synced['message']).includes('ResourceExhausted')) return true;
  return text(condition(xr, 'Tethered')?.['message']).includes(outgrownWords(xr));
}

/** The words by which the next reconcile knows it again. */
export function outgrownWords(xr: ResourceView): string {
  return `not asked again in generation ${xr.field(['metadata', 'generation']) ?? 0} of the XR`;
}
