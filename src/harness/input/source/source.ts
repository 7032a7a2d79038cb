// A control plane from outside: its objects as read, and counts of objects read, left aside and not understood. `audit` and
// `rehearse` begin with one of these.

import type {KubeObject} from '../../../cluster/object.ts';

export interface Source {
  readonly origin: Origin;
  /** As read: with uid, owner references, finalizers, managed fields and status. Secrets are without what they hold. */
  readonly objects: readonly KubeObject[];
  /** Every kind that is defined in the source or has an object in it. */
  readonly kinds: readonly SourceKind[];
  /** The newest moment that the objects name, in milliseconds since 1970; the moment of reading for a living cluster. */
  readonly asOfMs: number;
  readonly notes: SourceNotes;
}

export interface Origin {
  readonly kind: 'manifests' | 'velero-backup' | 'up-export' | 'cluster';
  /** The file or folder as it was named, or the context of the kubeconfig. */
  readonly name: string;
  /** The version of Crossplane, if the source has it: an export of `up` does. */
  readonly crossplane?: string;
}

/** A kind as an API server would list it. */
export interface SourceKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  /** Those that are served, the stored one first. */
  readonly versions: readonly string[];
  readonly namespaced: boolean;
  readonly categories: readonly string[];
  /** Its CustomResourceDefinition, its CompositeResourceDefinition, or objects alone. */
  readonly knownBy: 'crd' | 'xrd' | 'objects';
}

interface SourceNotes {
  readonly files: number;
  readonly bytes: number;
  /** Read and well understood, but of no use: counted by why. */
  readonly skipped: readonly Tally[];
  /** Values that could be objects and cannot be read as one. */
  readonly notUnderstood: readonly Tally[];
}

export interface Tally {
  readonly why: string;
  readonly count: number;
  /** Where the first of them is. */
  readonly first: string;
}

/** How far reading is. */
export interface ReadProgress {
  readonly objects: number;
  /** The source being read. */
  readonly now: string;
}
