// The edits of a plan to the desired state, and its questions. Data for the edge, which writes them.

import type {Json, JsonObject} from './json.ts';
import type {ObjectRef} from './references.ts';
import type {Ready} from './snapshot.ts';

/** The edit of one desired resource. Resources without an edit pass byte for byte. */
export type Edit =
  /** Take it out of desired: it waits. */
  | {readonly kind: 'drop'}
  | Amend
  /** Put this object into desired, in place of whatever is there. */
  | {readonly kind: 'put'; readonly object: JsonObject; readonly ready: Ready};

/** Lay this over the desired resource and change nothing else of it. */
export interface Amend {
  readonly kind: 'amend';
  readonly overlay: {readonly metadata: Metadata};
}

/** An absent `name` or `namespace` stays as it is. A type and no interface: then it is JSON as it is. */
export type Metadata = {
  readonly name?: string;
  readonly namespace?: string;
  /** The apply fails where the object is at another one by then. */
  readonly resourceVersion?: string;
  /** All of them. */
  readonly finalizers?: readonly Json[];
  readonly labels: {readonly [key: string]: string};
  readonly annotations: {readonly [key: string]: string};
};

/** A pair of the input that no Usage can express, so none is emitted that would do nothing. */
export interface RefusedPair {
  /** Where in the input: `usages[0]`. */
  readonly path: string;
  readonly of: ObjectRef;
  /** Undefined for a resource that is to be protected for a reason, not for another resource. */
  readonly by: ObjectRef | undefined;
  /**
   * of-cluster-by-namespaced: the webhook never finds a namespaced Usage of a cluster-scoped object (crossplane#7249), and a
   * ClusterUsage cannot name a namespaced `by`. legacy-namespaced: the Usage of Crossplane 1 names cluster-scoped objects only.
   * outside-of-namespace: the Usage of what a namespaced XR only requires would not be in its namespace.
   * unserved: nothing serves Usages of Crossplane 2 here, and the input names no version of Crossplane. former-usage: one of an XR
   * of this name with another UID is still there in its place. too-many: the next request has no room for it (room.ts); this is the
   * first of its `path`, and `more` follow. circle: with Usages that earlier steps desire each end would wait for the other.
   */
  readonly reason:
    | 'of-cluster-by-namespaced'
    | 'legacy-namespaced'
    | 'outside-of-namespace'
    | 'unserved'
    | 'former-usage'
    | 'too-many'
    | 'circle';
  readonly more?: number;
}

/** Objects that the next call is to have, as the contract selects them. The same for the same observed, desired and input, whatever was answered. */
export interface ResourceSelector {
  readonly apiVersion: string;
  readonly kind: string;
  /** '' for cluster-scoped objects, or for all namespaces. */
  readonly namespace: string;
  readonly match:
    | {readonly kind: 'name'; readonly name: string}
    | {readonly kind: 'labels'; readonly labels: {readonly [key: string]: string}};
}
