import {InputError} from '../input/input-error.ts';
import {asOf} from './as-of.ts';
import {collector} from './collect.ts';
import {kindsOf} from './kinds.ts';
import {collectManifests} from './manifests-source.ts';
import type {ReadProgress, Source} from './source.ts';

// The one way in, whatever the format. Nothing is ever written.

export interface ReadOptions {
  readonly onProgress?: (progress: ReadProgress) => void;
}

/** Throws InputError, one sentence, where the source cannot be read or has no object. */
export async function readSource(name: string, {onProgress = () => {}}: ReadOptions = {}): Promise<Source> {
  const into = collector();
  const read = collectManifests(name, into, onProgress);
  const {objects, skipped, notUnderstood} = into.collected();
  if (objects.length === 0) throw new InputError('', `cannot read "${name}": expected Kubernetes objects, got none`);
  return {
    origin: {kind: 'manifests', name},
    objects,
    kinds: kindsOf(objects),
    asOfMs: asOf(objects),
    notes: {...read, skipped, notUnderstood},
  };
}
