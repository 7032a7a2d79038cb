import type {KubeObject} from './object.ts';
import {annotationPaused} from './vocabulary.ts';

/** Whether a person told Crossplane or a provider to leave the object alone. */
export function isPaused({metadata}: KubeObject): boolean {
  return metadata.annotations?.[annotationPaused] === 'true';
}
