// Detects that Crossplane's answers made a request larger than a message may be. Others can cause this: anyone who may write
// objects of a requested kind and namespace, with our labels or under a requested name. Crossplane then calls no function with the
// answers, and every reconcile fails at the same question (crossplane/crossplane 2d040d2da internal/xfn/required_resources.go).
//
// But Crossplane calls the function once before it answers, and by then the XR shows how the last reconcile ended. So a question
// that failed is not asked again: lists are left out, and only as many single objects are requested as fit at any size. Decisions
// that need an answer go on waiting; all others go on. Because the next reconcile ends well, our condition keeps the finding until
// the XR's generation changes. Crossplane before v1.17 shows no conditions, so there every other reconcile fails.

import {text} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {condition} from './ready.ts';

/** True if the last reconcile of the XR failed at too large a message, or one since the XR was last edited. */
export function isOutgrown(xr: ResourceView): boolean {
  const synced = condition(xr, 'Synced');
  if (synced?.['status'] === 'False' && text(synced['message']).includes('ResourceExhausted')) return true;
  return text(condition(xr, 'Tethered')?.['message']).includes(outgrownWords(xr));
}

/** The words by which the next reconcile knows it again. */
export function outgrownWords(xr: ResourceView): string {
  return `not asked again in generation ${xr.field(['metadata', 'generation']) ?? 0} of the XR`;
}
