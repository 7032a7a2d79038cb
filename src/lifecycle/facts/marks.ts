// Our own marks on composed resources. Composed GC removes Crossplane's label crossplane.io/composite, which has only a name. Our
// marks stay, and show a later restore the XR and the resource name of an object.

import type {Amend, Metadata} from '../words/edit.ts';
import {asObject, type JsonObject} from '../words/json.ts';
import type {Phase} from '../words/reasons.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {annotationOf, labelOf} from './metadata.ts';
import {digestOf, readable} from './naming.ts';

export const labelComposite = 'tether.fn.crossplane.io/composite';
export const labelResource = 'tether.fn.crossplane.io/resource';
export const annotationPhase = 'tether.fn.crossplane.io/phase';

/** The marks in the metadata of a composed resource. `id` is compositeId(xr). */
export function ownMarks(id: string, resourceName: string, phase: Phase): Metadata {
  const labels = {[labelComposite]: id, [labelResource]: labelValue(resourceName)};
  return {annotations: phaseAnnotations[phase], labels};
}

/** A resource name as a label value: itself where Kubernetes allows it, else a readable part and a hash. */
export function labelValue(resourceName: string): string {
  if (/^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/.test(resourceName)) return resourceName;
  return `${readable(resourceName)}-${digestOf(resourceName).slice(0, 12)}`;
}

/** True if the mark of its resource name is this one. */
export function isMarkedAs(view: ResourceView, resourceName: string): boolean {
  return labelOf(view, labelResource) === labelValue(resourceName);
}

// One object shared by all resources: nearly all of them have the same mark.
const phaseAnnotations: {readonly [phase in Phase]: {readonly [key: string]: string}} = {
  adopted: {[annotationPhase]: 'adopted'},
  'pending-adoption': {[annotationPhase]: 'pending-adoption'},
  'pending-deletion': {[annotationPhase]: 'pending-deletion'},
  refused: {[annotationPhase]: 'refused'},
  'handing-over': {[annotationPhase]: 'handing-over'},
};

/** The marks on an object that we emit ourselves, over whatever labels and annotations it has. */
export function withMarks(body: JsonObject, id: string, resourceName: string, phase: Phase): JsonObject {
  return amended(body, {metadata: ownMarks(id, resourceName, phase)});
}

/** A body with the overlay of a plan on it. */
export function amended(body: JsonObject, {metadata: {labels, annotations, ...others}}: Amend['overlay']): JsonObject {
  const metadata = asObject(body['metadata']);
  return {
    ...body,
    metadata: {
      ...metadata,
      ...others,
      labels: {...asObject(metadata['labels']), ...labels},
      annotations: {...asObject(metadata['annotations']), ...annotations},
    },
  };
}

/** The phase an earlier reconcile left on the object, '' if none. */
export function observedPhase(view: ResourceView): string {
  return annotationOf(view, annotationPhase);
}

/** How far the check of the label crossplane.io/in-use is (usages/in-use.ts), for that uid alone. */
export const annotationInUse = 'tether.fn.crossplane.io/in-use';

/** `checked`: a label that is still there is true. */
export type Stage = 'none' | 'seen' | 'checked';

/** True if the object has the label, whether or not a Usage names it. */
export function isLabelledInUse(view: ResourceView | undefined): boolean {
  return view !== undefined && labelOf(view, 'crossplane.io/in-use') === 'true';
}

interface Check {
  readonly stage: Stage;
  /** Namespaces in which this XR had Usages of the object. */
  readonly places: readonly string[];
}

// As nearly all objects have it.
const unchecked: Check = {stage: 'none', places: []};

export function checkOf(view: ResourceView): Check {
  const note = annotationOf(view, annotationInUse);
  if (note === '') return unchecked;
  const [said, uid, ...places] = note.split(' ');
  if (uid !== view.uid) return unchecked;
  return {stage: said === 'seen' || said === 'checked' ? said : 'none', places};
}
