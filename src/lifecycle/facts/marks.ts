// Our own marks on composed resources. Composed GC removes Crossplane's label crossplane.io/composite, which has only a name. Our
// marks stay, and show a later restore the XR and the resource name of an object.

import {type Decision, phaseOf} from '../words/decision.ts';
import type {Amend, Edit} from '../words/edit.ts';
import {asObject, type JsonObject, type Path, text} from '../words/json.ts';
import type {Phase} from '../words/reasons.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {unreachable} from '../words/unreachable.ts';
import {jsonTexts} from './annotated-names.ts';
import {labelValue} from './naming.ts';

export const labelComposite = 'tether.fn.crossplane.io/composite';
export const labelResource = 'tether.fn.crossplane.io/resource';
const annotationPhase = 'tether.fn.crossplane.io/phase';
export const annotationRestore = 'tether.fn.crossplane.io/restore';

/** The labels that every composed resource of this XR carries. `id` is compositeId(xr). */
function markLabels(id: string, resourceName: string): {readonly [key: string]: string} {
  return {[labelComposite]: id, [labelResource]: labelValue(resourceName)};
}

// One object shared by all resources: nearly all of them have the same mark.
const phaseAnnotations: {readonly [phase in Phase]: {readonly [key: string]: string}} = {
  adopted: {[annotationPhase]: 'adopted'},
  'pending-adoption': {[annotationPhase]: 'pending-adoption'},
  'pending-deletion': {[annotationPhase]: 'pending-deletion'},
  refused: {[annotationPhase]: 'refused'},
  'handing-over': {[annotationPhase]: 'handing-over'},
};
const phasePath: Path = ['metadata', 'annotations', annotationPhase];

/** The marks on a resource that otherwise passes as the earlier steps want it. `id` is compositeId(xr). */
export function markDesired(id: string): (resourceName: string, decision: Decision) => Amend {
  return (resourceName, decision) => ({
    kind: 'amend',
    labels: markLabels(id, resourceName),
    annotations: phaseAnnotations[phaseOf(decision)],
  });
}

/** The marks on an object that we emit ourselves, over whatever labels and annotations it has. */
export function withMarks(body: JsonObject, id: string, resourceName: string, phase: Phase): JsonObject {
  const metadata = body['metadata'] as JsonObject | undefined;
  return {
    ...body,
    metadata: {
      ...metadata,
      labels: {...(metadata?.['labels'] as JsonObject | undefined), ...markLabels(id, resourceName)},
      annotations: {...(metadata?.['annotations'] as JsonObject | undefined), [annotationPhase]: phase},
    },
  };
}

/** The phase an earlier reconcile left on the object, '' if none. */
export function observedPhase(view: ResourceView): string {
  return text(view.field(phasePath));
}

/** True if an earlier reconcile marked it as one that came back, or that leaves and waits for one that came back. */
export function isMarkedRestored(view: ResourceView): boolean {
  const mark = view.field(restorePath);
  return mark !== undefined && mark !== restoreOver;
}

/** The resource names in its mark of lost ones. */
export function lostByMark(view: ResourceView): readonly string[] {
  const mark = text(view.field(restorePath));
  return mark.startsWith(restoring) ? jsonTexts(mark.slice(restoring.length)) : [];
}

const restorePath: Path = ['metadata', 'annotations', annotationRestore];
const restoring = 'in-progress';
/**
 * The mark of what is back. Left out at once, the mark would stay if another manager owns it by then: a tool that restores managedFields,
 * as Velero does after it has created an object, takes it away from Crossplane. An apply of another value makes it Crossplane's alone.
 */
export const restoreOver = 'over';
const lostMax = 20;

/** The value of the mark for what came back. `lost`: what did not, and gets the mark in the reconcile that makes it again. */
export function restoreMark(lost: readonly string[]): string {
  return lost.length === 0 ? restoring : `${restoring} ${JSON.stringify(lost.slice(0, lostMax))}`;
}

/** The edit with this value of an annotation; undefined takes off the one that a held object is observed with. */
export function withAnnotation(edit: Edit, annotation: string, value: string | undefined): Edit {
  switch (edit.kind) {
    case 'leave-out':
      return edit;
    case 'amend':
      return value === undefined ? edit : {...edit, annotations: {...edit.annotations, [annotation]: value}};
    case 'emit': {
      const metadata = asObject(edit.body['metadata']);
      const {[annotation]: before, ...others} = asObject(metadata['annotations']);
      if (value === before) return edit;
      const annotations = value === undefined ? others : {...others, [annotation]: value};
      return {...edit, body: {...edit.body, metadata: {...metadata, annotations}}};
    }
    default:
      return unreachable(edit);
  }
}
