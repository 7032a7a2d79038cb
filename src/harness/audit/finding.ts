// The findings of an audit. A finding names objects and external resources, and no other content. Sentences are in finding-words.ts.

import {groupKindOf, type KubeObject, type ResourceRef, refOf} from '../../cluster/object.ts';
import type {LegacyField} from '../input/source/legacy-definitions.ts';
import type {Severity} from '../report/class-findings.ts';
import {classes} from './class-words.ts';

/** The exact fault. `other` is the second object, if there is one. */
export type Fault =
  | {
      readonly class: 'doubled';
      readonly xr: ResourceRef;
      readonly resourceName: string;
      readonly kept: ResourceRef;
      /** The external names of both, as they may be shown. */
      readonly names: {readonly this: string; readonly kept: string};
      /** The older of the two; undefined without evidence. */
      readonly older: 'this' | 'kept' | undefined;
    }
  | {readonly class: 'orphan'; readonly xr: string | undefined; readonly externalName: string}
  | {readonly class: 'stale-owner'; readonly owner: ResourceRef; readonly isBack: boolean}
  | {readonly class: 'unlisted'; readonly xr: ResourceRef; readonly listed: ResourceRef | undefined}
  | {readonly class: 'release'; readonly xr: ResourceRef; readonly how: Release}
  | {readonly class: 'unnamed'; readonly xr: ResourceRef}
  | {readonly class: 'unowned'; readonly xr: ResourceRef}
  | {readonly class: 'missing'; readonly refs: readonly ResourceRef[]}
  | {readonly class: 'usage-by-gone'; readonly of: ResourceRef; readonly by: ResourceRef}
  | {readonly class: 'usage-of-gone'; readonly of: ResourceRef}
  | {readonly class: 'usage-stuck'; readonly by: ResourceRef | undefined; readonly finalizers: readonly string[]}
  | {readonly class: 'deletion-stuck'; readonly why: WhyStuck}
  | {readonly class: 'config-usage-stale'; readonly usages: readonly ResourceRef[]}
  | {readonly class: 'create-twice'; readonly known: 'created' | 'ready' | 'id-in-status'}
  | {readonly class: 'create-pending'; readonly forMs: number; readonly isDeleting: boolean}
  | {readonly class: 'external-name-missing'}
  | {readonly class: 'external-name-shared'; readonly externalName: string; readonly with: readonly ResourceRef[]}
  | {readonly class: 'external-name-differs'; readonly externalName: string; readonly id: string}
  | {readonly class: 'paused'; readonly by: 'annotation' | 'policies'; readonly forMs: number | undefined}
  | {readonly class: 'definition-terminating'; readonly instances: number}
  | {readonly class: 'definition-misnamed'; readonly expected: string}
  | {readonly class: 'definition-refused'; readonly fields: readonly LegacyField[]}
  | {readonly class: 'claim-mismatch'; readonly other: ResourceRef; readonly how: ClaimMismatch};

/** Why a deletion does not come to its end. */
export type WhyStuck =
  | {readonly kind: 'paused'}
  /** Its Synced condition is False, with this reason. */
  | {readonly kind: 'refused'; readonly reason: string}
  | {readonly kind: 'waits'; readonly for: readonly ResourceRef[]}
  /** Usages of a ProviderConfig without a controller. */
  | {readonly kind: 'ownerless'; readonly usages: readonly ResourceRef[]}
  | {readonly kind: 'protected'; readonly of: ResourceRef; readonly usage: ResourceRef}
  | {readonly kind: 'late'; readonly finalizers: readonly string[]; readonly forMs: number};

/** How an XR lets go of what it lists in its next reconcile. */
export type Release =
  | {readonly kind: 'foreign'; readonly by: ResourceRef}
  | {readonly kind: 'same-name'; readonly kept: ResourceRef; readonly resourceName: string}
  | {readonly kind: 'undesired'; readonly composition: string; readonly isOwned: boolean};

export type ClaimMismatch = 'xr-gone' | 'claim-gone' | 'xr-of-another' | 'claim-of-another';

export interface Finding {
  /** The same for the same fault of the same object in every audit: what a baseline knows it by. */
  readonly id: string;
  readonly severity: Severity;
  readonly object: ResourceRef;
  readonly fault: Fault;
}

export function findingOf(object: KubeObject, fault: Fault): Finding {
  const ref = refOf(object);
  const more = fault.class === 'release' ? ` ${fault.how.kind} ${addressText(fault.xr)}` : '';
  const {severity} = classes[fault.class];
  return {id: `${fault.class} ${addressText(ref)}${more}`, severity, object: ref, fault};
}

/** `Kind.group namespace/name`, as kubectl takes it but for the blank. */
export function addressText(ref: ResourceRef): string {
  return `${groupKindOf(ref)} ${ref.namespace === undefined ? '' : `${ref.namespace}/`}${ref.name}`;
}
