import type {KubeObject} from './object.ts';
import {annotationPaused} from './vocabulary.ts';

/** True if the object has the annotation that pauses Crossplane or a provider. */
export function isPaused({metadata}: KubeObject): boolean {
  return metadata.annotations?.[annotationPaused] === 'true';
}
