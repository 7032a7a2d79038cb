import {annotationPaused} from '../../cluster/crossplane/vocabulary.ts';
import type {KubeObject} from '../../cluster/object.ts';

/** Whether a person told Crossplane or a provider to leave the object alone. */
export function isPaused({metadata}: KubeObject): boolean {
  return metadata.annotations?.[annotationPaused] === 'true';
}
