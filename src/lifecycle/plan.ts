// From one snapshot to one plan: a decision for every composed resource, and what they change in desired.
// All control flow of the policy is here; each part beside it answers one question.

import type {Decision, ObjectRef} from './decision.ts';
import type {InvalidInput} from './input.ts';
import type {JsonObject} from './json.ts';
import type {Ready} from './snapshot.ts';

/** What happens to one desired resource. Resources without an edit pass byte for byte. */
export type Edit =
  /** Take it out of desired: it waits. */
  | {readonly kind: 'leave-out'}
  /** Set these on the desired resource and change nothing else of it. An absent `name` or `namespace` stays as it is. */
  | {
      readonly kind: 'amend';
      readonly name?: string;
      readonly namespace?: string;
      readonly labels: {readonly [key: string]: string};
      readonly annotations: {readonly [key: string]: string};
    }
  /** Put this object into desired, in place of whatever is there. */
  | {readonly kind: 'emit'; readonly body: JsonObject; readonly ready: Ready};

/** A pair of the input that no Usage can express, so none is emitted that would do nothing. */
export interface RefusedPair {
  readonly of: ObjectRef;
  readonly by: ObjectRef;
  readonly reason: 'of-cluster-by-namespaced' | 'legacy-namespaced';
}

/** Objects the next call should be given. The same for the same observed, desired and input, whatever was answered. */
export interface Requirement {
  readonly apiVersion: string;
  readonly kind: string;
  /** '' for cluster-scoped objects, or for all namespaces. */
  readonly namespace: string;
  readonly match:
    | {readonly kind: 'name'; readonly name: string}
    | {readonly kind: 'labels'; readonly labels: {readonly [key: string]: string}};
}

/** Something that begins or ends in this very reconcile: worth an event. Not repeated while it lasts. */
export type Transition =
  | {readonly kind: 'adopting'; readonly resourceName: string}
  | {readonly kind: 'adopted'; readonly resourceName: string}
  | {readonly kind: 'holding'; readonly resourceName: string}
  | {readonly kind: 'releasing'; readonly resourceName: string};

/** The XR condition `Tethered`. Its sentence is made of the decisions of `resources`. */
export interface Condition {
  readonly status: 'True' | 'False';
  readonly reason: 'Tethered' | 'Restoring' | 'Holding' | 'Waiting' | 'Refusing';
  /** Resource names that are not as the earlier steps want them, sorted. */
  readonly resources: readonly string[];
}

export interface Plan {
  readonly kind: 'plan';
  /** Every resource name in observed or desired, and every Usage of ours, once; sorted. */
  readonly decisions: ReadonlyMap<string, Decision>;
  /** By resource name, sorted. */
  readonly edits: ReadonlyMap<string, Edit>;
  readonly refusedPairs: readonly RefusedPair[];
  readonly condition: Condition;
  readonly transitions: readonly Transition[];
  /** By requirement name, sorted. */
  readonly requirements: ReadonlyMap<string, Requirement>;
  /** How soon to look again while something is held; undefined = no wish. */
  readonly ttlSeconds: number | undefined;
}

export type PlanResult = Plan | InvalidInput;
