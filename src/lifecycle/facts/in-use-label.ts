// The label crossplane.io/in-use on an object, and how far this function is with finding out about it (in-use.ts): an annotation
// beside it, for that uid alone.

import type {ResourceView} from '../words/snapshot.ts';
import {annotationOf, labelOf} from './metadata.ts';

export const annotationInUse = 'tether.fn.crossplane.io/in-use';

/** `checked`: a label that is still there is true. */
export type Stage = 'none' | 'seen' | 'checked';

/** True if the object has the label, whether or not a Usage names it. */
export function isLabelledInUse(view: ResourceView | undefined): boolean {
  return view !== undefined && labelOf(view, 'crossplane.io/in-use') === 'true';
}

export function stageOf(view: ResourceView): Stage {
  const said = annotationOf(view, annotationInUse);
  const stages: readonly Stage[] = ['seen', 'checked'];
  return stages.find((stage) => said === `${stage} ${view.uid}`) ?? 'none';
}
