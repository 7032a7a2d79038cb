// Native patch-and-transform: Compositions without `mode: Pipeline`, the default mode of Crossplane 1.x, gone in 2.0
// (crossplane/crossplane v1.20.11 composite/composition_pt.go composes them without a function). Not modelled: an XR that
// is to be composed by one ends the run, because it would compose nothing, and delete what is there.

import type {KubeObject} from '../object.ts';
import type {Profile} from './profile.ts';

/**
 * True if a Composition or a CompositionRevision composes natively, in a version whose API is this one. One that was stored
 * before 2.0 is defaulted to `mode: Pipeline` there and has no pipeline: no API server would create it so.
 */
export function isNative({spec}: KubeObject, definitionApi: Profile['definitionApi']): boolean {
  if (spec?.['pipeline'] === undefined) return true;
  return (spec['mode'] ?? (definitionApi === 'v1' ? 'Resources' : 'Pipeline')) !== 'Pipeline';
}

/** The advice in the error, with its reason. */
export const nativeAdvice =
  'native patch-and-transform is gone since Crossplane 2.0, and is not modelled for 1.x: `crossplane composition convert` turns it into a pipeline';
