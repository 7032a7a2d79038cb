// Differences between versions of crossplane-runtime's managed reconciler, as data. Step order, annotations, grace and the
// late-initialization gate are the same in all of them. Source: crossplane/crossplane-runtime, the files
// pkg/reconciler/managed/{reconciler,policies}.go at the tags named below, compared.

import type {QueueKind} from '../kernel/queue.ts';
import {supportedSince1_16, supportedSince1_19, supportedSince1_20} from './policies.ts';

export interface RuntimeVersion {
  readonly name: string;
  /** Conditions carry observedGeneration. Since v1.20. */
  readonly marksGeneration: boolean;
  /** Kinds may declare their external names deterministic, so an incomplete create is no obstacle. Since v2.0. */
  readonly honoursDeterministicNames: boolean;
  /** The external delete waits until no other finalizer is left. Since v2.0 (aea16bc2). */
  readonly deletionWaitsForFinalizers: boolean;
  /** Annotations for the poll interval and for a reconcile on request. Since v2.3. */
  readonly honoursPollAnnotations: boolean;
  /** How an absent resource under `[Observe]` comes again: by poll since v2.4 (4ee62950), by back-off before. */
  readonly absentObserveOnly: 'poll' | 'back-off';
  /** The work queues of the controller-runtime it is built on: `priority` from v0.23 on, which v2.3 took up. */
  readonly workQueue: QueueKind;
  /** Kinds without deletionPolicy are known. Since v2.0. */
  readonly knowsModernKinds: boolean;
  readonly supportedPolicies: readonly string[];
  /**
   * How the critical annotations are written. `put`: the whole object, after a create. The others belong to the open
   * pull request crossplane-runtime#850 (head 5fbe2616), which writes the four annotations by merge patch, after a create
   * and whenever the resource exists: as it is with `force`, which the API server refuses for such a patch, and mended.
   */
  readonly criticalAnnotations: 'put' | 'forced-merge-patch' | 'merge-patch';
}

const v1_16: RuntimeVersion = {
  name: 'v1.16',
  marksGeneration: false,
  honoursDeterministicNames: false,
  deletionWaitsForFinalizers: false,
  honoursPollAnnotations: false,
  absentObserveOnly: 'back-off',
  workQueue: 'delaying',
  knowsModernKinds: false,
  supportedPolicies: supportedSince1_16,
  criticalAnnotations: 'put',
};
const v1_19: RuntimeVersion = {...v1_16, name: 'v1.19', supportedPolicies: supportedSince1_19};
const v1_20: RuntimeVersion = {
  ...v1_19,
  name: 'v1.20',
  marksGeneration: true,
  supportedPolicies: supportedSince1_20,
};
const v2_0: RuntimeVersion = {
  ...v1_20,
  name: 'v2.0',
  honoursDeterministicNames: true,
  deletionWaitsForFinalizers: true,
  knowsModernKinds: true,
};
const v2_3: RuntimeVersion = {...v2_0, name: 'v2.3', honoursPollAnnotations: true, workQueue: 'priority'};
const v2_4: RuntimeVersion = {...v2_3, name: 'v2.4', absentObserveOnly: 'poll'};
const pr850: RuntimeVersion = {...v2_4, name: 'v2.4 with #850', criticalAnnotations: 'forced-merge-patch'};
const pr850Mended: RuntimeVersion = {...pr850, name: 'v2.4 with #850 mended', criticalAnnotations: 'merge-patch'};

export const runtimeVersions = {
  'v1.16': v1_16,
  'v1.19': v1_19,
  'v1.20': v1_20,
  'v2.0': v2_0,
  'v2.3': v2_3,
  'v2.4': v2_4,
  'v2.4+850': pr850,
  'v2.4+850-mended': pr850Mended,
} as const satisfies {readonly [name: string]: RuntimeVersion};
