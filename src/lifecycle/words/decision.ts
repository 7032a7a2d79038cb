// The one decision every composed resource gets. Facts only: the sentences are the edge's.
//
// observed = named by the XR's resourceRefs and controlled by nobody else; desired = what the earlier steps want.

import type {NoValue, Obstacle} from './obstacle.ts';

/** One object of the API server. `namespace` is '' for cluster-scoped objects. */
export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** An end of a Usage: the object, and the resource name it has in this XR, '' where it is not composed by it. */
export interface End {
  readonly resourceName: string;
  readonly object: ObjectRef;
}

/** The controller reference an object carries although it belongs to somebody else. */
export interface Controller {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/**
 * Desired and observed: passes as the earlier steps want it. Its controller reference is this XR's; or it has none and no
 * proof that this XR composed it, and Crossplane's apply adopts it or not, with function-tether as without.
 */
interface Keep {
  readonly kind: 'keep';
}

/** Desired and not observed: Crossplane creates it. */
interface Create {
  readonly kind: 'create';
}

/** Desired, but put under this XR's control first of all by the very apply that follows. */
type Adopt =
  /** Observed without a controller reference, and proven to be this XR's: the apply adds ours. */
  | {readonly kind: 'adopt'; readonly reason: 'without-controller'}
  /** Not observed (the resourceRefs lost it) but found by our labels: its name is pinned, so that it is not duplicated. */
  | {readonly kind: 'adopt'; readonly reason: 'found-by-label'; readonly object: ObjectRef};

/** Desired and not observed, yet left out for now. */
export type Wait =
  /** The lookup of lost resources has not been answered yet. */
  | {readonly kind: 'wait'; readonly reason: 'lookup-pending'}
  /** Our labels are on an object that another UID controls: creating would duplicate it, adopting would steal it. */
  | {
      readonly kind: 'wait';
      readonly reason: 'stale-controller';
      readonly object: ObjectRef;
      readonly controller: Controller;
    }
  /** Our labels are on several objects: nobody but a person can say which one is meant. */
  | {readonly kind: 'wait'; readonly reason: 'ambiguous-lookup'; readonly objects: readonly ObjectRef[]}
  /** What an order of the input creates first is not ready yet. Resource names, sorted. */
  | {readonly kind: 'wait'; readonly reason: 'creation-order'; readonly of: readonly string[]}
  /** A step that an order waits for selects nothing that is desired yet. Both count from 1. */
  | {readonly kind: 'wait'; readonly reason: 'nothing-selected'; readonly order: number; readonly step: number}
  /** Desired by a template, and what stands at `path` of the input has no value yet. */
  | {readonly kind: 'wait'; readonly reason: 'unresolved'; readonly path: string; readonly cause: NoValue}
  /** A lost object of this name is being deleted: a second one is not made beside it. */
  | {readonly kind: 'wait'; readonly reason: 'still-deleting'; readonly object: ObjectRef}
  /** A Usage of an XR of this name that is gone waits for the object of that name to be gone, too. */
  | {readonly kind: 'wait'; readonly reason: 'former-usage'; readonly usage: ObjectRef}
  /** An object of the name that this function would give its own is there, and nothing on it says that it is this XR's. */
  | {readonly kind: 'wait'; readonly reason: 'unmarked'; readonly object: ObjectRef}
  /** It comes after the object that the XR has as `from`, which is not ready to be handed over. */
  | {readonly kind: 'wait'; readonly reason: 'handed-over-later'; readonly from: string; readonly object: ObjectRef}
  /** A rule of the input gives it to another XR, so it is not made here any more. */
  | ({readonly kind: 'wait'; readonly reason: 'given-away'} & Counterpart)
  /** A rule of the input takes it from another XR, which has not given it. */
  | ({readonly kind: 'wait'; readonly reason: 'not-given'; readonly until: ExchangeUntil} & Counterpart);

/** No longer desired by the earlier steps, kept in desired all the same; or desired, and not known how. */
export type Hold =
  /** It has no controller reference and is proven to be this XR's: composed GC would skip it and forget it. */
  | {readonly kind: 'hold'; readonly reason: 'adopt-first'}
  /** As adopt-first, for an object that only the lookup knows. */
  | {readonly kind: 'hold'; readonly reason: 'found-by-label'; readonly object: ObjectRef}
  /** An XR that a restore brought back, and that may not have adopted yet what it composes: deleted now, it never would. */
  | {readonly kind: 'hold'; readonly reason: 'inner-adopts-first'}
  /** The world is not back after a restore. Nothing awaited: the pipeline sees all of it for the first time. */
  | {readonly kind: 'hold'; readonly reason: 'restore-in-progress'; readonly awaited: readonly Awaited[]}
  /** An `of` whose `by` still exists. `usages` are the resource names of the Usages that say so, if any do yet. */
  | {
      readonly kind: 'hold';
      readonly reason: 'still-used-by';
      readonly by: readonly End[];
      readonly usages: readonly string[];
    }
  /** An `of` whose `by` are gone, while a Usage still denies its deletion: the Usage leaves first. */
  | {readonly kind: 'hold'; readonly reason: 'usage-leaves-first'; readonly usages: readonly string[]}
  /** An `of` that a Usage still desired protects, although no `by` of it exists. */
  | {readonly kind: 'hold'; readonly reason: 'protected'; readonly usages: readonly string[]}
  /** An end of a pair that leaves together with the other end, before the Usage that orders them is there. */
  | {readonly kind: 'hold'; readonly reason: 'usage-arrives-first'; readonly usages: readonly string[]}
  /**
   * It carries Crossplane's in-use label, and no Usage of this XR explains it: its deletion may be denied, or `isCertain`ly will be, for
   * another Usage names it.
   */
  | {
      readonly kind: 'hold';
      readonly reason: 'in-use';
      readonly isCertain: boolean;
      /** The Usage that finds out, undefined where none can, or where it has. */
      readonly check: {readonly usage: string; readonly isObserved: boolean} | undefined;
    }
  | ByStillExists
  /** Its policy is Confirm, and the XR's annotation does not name it yet. */
  | {readonly kind: 'hold'; readonly reason: 'awaiting-approval'}
  /** Its policy is Orphan, and the provider would still delete the external resource: this reconcile tells it not to. */
  | {readonly kind: 'hold'; readonly reason: 'orphan-first'}
  /** A nested XR that uses something: this reconcile has it deleted after what it composes (removal/foreground.ts). */
  | {readonly kind: 'hold'; readonly reason: 'foreground-first'}
  /** More would leave than the budget allows: `leaving` of `observed` resources. */
  | {readonly kind: 'hold'; readonly reason: 'over-budget'; readonly leaving: number; readonly observed: number}
  /** Desired by a template, and what stands at `path` of the input has no value: it stays as it is. */
  | {readonly kind: 'hold'; readonly reason: 'unresolved'; readonly path: string; readonly cause: NoValue}
  /** No longer desired while others are handed over: what is rendered of those that are not there for a moment may be missing. */
  | {readonly kind: 'hold'; readonly reason: 'hand-over-in-progress'; readonly moving: readonly string[]}
  /** Desired by an earlier step of this function alone, which holds it: it passes as that step emits it. */
  | {readonly kind: 'hold'; readonly reason: 'earlier-step'}
  /** A Usage that would repeat a denied deletion of `of` when it goes: it is told not to before (c-standalone-usage). */
  | {readonly kind: 'hold'; readonly reason: 'replay-off-first'; readonly of: End}
  /** A Usage on a Crossplane that keeps it until `by` is gone: this reconcile takes `by` out of it (S0). */
  | {readonly kind: 'hold'; readonly reason: 'relax-first'; readonly of: End; readonly by: End};

/**
 * Whom a restore waits for.
 * unadopted: it lacks our controller reference, and has one reconcile to be adopted in.
 * missing: it is desired, and no object is there for it. paused: by its annotation.
 * create-pending: its provider does not know whether a create came to an end, and waits for a person.
 * silent: it says neither Ready nor that it cannot be synced. unready: what it says instead.
 * own-status: the pipeline sets this field of the XR, which does not have it yet.
 */
export type Awaited =
  | {readonly cause: 'unadopted' | 'missing' | 'paused' | 'create-pending' | 'silent'; readonly resourceName: string}
  | {
      readonly cause: 'unready';
      readonly resourceName: string;
      readonly type: string;
      readonly status: string;
      readonly why: string;
    }
  | {readonly cause: 'own-status'; readonly field: string};

/**
 * A Usage whose `by` is leaving and still exists, or of which that is not known yet. `person`: the kind of `by` is not served,
 * so that only a person can say that it is gone; or that may come, and then nothing could be told any more.
 */
export interface ByStillExists {
  readonly kind: 'hold';
  readonly reason: 'by-still-exists';
  readonly of: End;
  readonly by: End;
  readonly person?: 'has-to-say' | 'may-have-to-say';
}

/** No longer desired, and nothing is in the way: composed GC may delete it. */
export interface Release {
  readonly kind: 'release';
}

/** No longer desired by the earlier steps, and kept by the input's policy for as long as that says so. */
interface Retain {
  readonly kind: 'retain';
}

/** binary: the key is taken by binaryData. full: what others put there leaves no room. */
export type Unwritable = 'immutable' | 'binary' | 'full';

/** What was asked for is not done, and a person is told. */
export type Refuse =
  /** Somebody else controls it: nothing is done to it at all. */
  | {readonly kind: 'refuse'; readonly reason: 'stale-controller'; readonly controller: Controller}
  /**
   * No longer desired, without a controller reference and without proof that this XR composed it: anybody who edits the XR
   * can list it. What happens to it is Crossplane's alone. `id` is what our label would say if it were this XR's.
   */
  | {readonly kind: 'refuse'; readonly reason: 'unproven'; readonly object: ObjectRef; readonly id: string}
  /**
   * Desired as another kind, or a kind of another group: Crossplane would make the new object and forget this one without
   * deleting it. This one stays, and the new one is not made.
   */
  | {
      readonly kind: 'refuse';
      readonly reason: 'kind-changed';
      readonly object: ObjectRef;
      readonly wanted: Pick<ObjectRef, 'apiVersion' | 'kind'>;
    }
  /**
   * Its policy is Orphan, and it has neither deletionPolicy nor managementPolicies in Crossplane's words: it stays, because no function can
   * remove an owner reference, and deleting the object deletes what it stands for (crossplane#7146).
   */
  | {readonly kind: 'refuse'; readonly reason: 'cannot-orphan'}
  /** The ConfigMap for external names, which takes none any more: it stays as it is, and none is remembered anew. */
  | {readonly kind: 'refuse'; readonly reason: 'unwritable'; readonly object: ObjectRef; readonly cause: Unwritable}
  /** A rule would hand it over, and something speaks against it: it stays as it is, and what it would become is not made. */
  | ({readonly kind: 'refuse'; readonly reason: 'cannot-hand-over'; readonly obstacle: Obstacle} & Moving);

/** Who moves: the object that the XR has, or had, as `from`, to the resource name `to`, and there perhaps to another kind. */
export interface Moving {
  readonly from: string;
  readonly to: string;
  readonly object: ObjectRef;
  readonly wanted: Pick<ObjectRef, 'apiVersion' | 'kind'>;
}

/**
 * On its way to another resource name or kind; `stopped` says why it gets no further.
 * renaming: both resource names desire the one object, until the new one is observed.
 * setting-aside: the old object is told to let its external resource go, and gets a resource name of ours.
 * observing: the new object only observes the external resource of the old one.
 * taking-over: the new object has its policies; once it is in order with them, the old one is released.
 * giving-back: turned back; the new object is told to only observe, and released.
 * putting-back: turned back; the old object gets its resource name and its policies again.
 */
export interface HandOver extends Moving {
  readonly kind: 'hand-over';
  readonly reason: 'renaming' | 'setting-aside' | 'observing' | 'taking-over' | 'giving-back' | 'putting-back';
  readonly stopped?: Obstacle;
}

/** Who is on the other side of an exchange between XRs. */
interface Counterpart {
  readonly xr: ObjectRef;
  /** Whether the other XR is known to be there. */
  readonly isThere: boolean;
  /** The resource name over there. */
  readonly resource: string;
  /** Where in the input the rule is, undefined where there is none any more. */
  readonly path: string | undefined;
}

/**
 * On its way from one XR to another; `until` is what the next step waits for.
 * offering, letting-go, taking-back: the old object; observing, taking-over, giving-back: the new one.
 */
export interface Exchange extends Counterpart {
  readonly kind: 'exchange';
  readonly reason: 'offering' | 'letting-go' | 'taking-back' | 'observing' | 'taking-over' | 'giving-back';
  readonly until: ExchangeUntil;
}

export type ExchangeUntil =
  | 'dry-run'
  | 'rule'
  | 'rule-to-give'
  | 'rule-removed'
  | 'answered'
  | 'other-xr'
  | 'other-xr-deleting'
  | 'other-object'
  | 'proven'
  | 'other-deleting'
  | 'other-gives'
  | 'other-takes'
  | 'other-protected'
  | 'same-object'
  | 'usage'
  | 'created'
  | 'external-name'
  | 'cannot-let-go'
  | 'listed'
  | 'same-resource'
  | 'other-synced'
  | 'synced'
  | 'resolved'
  | 'one-rule'
  | 'let-go'
  | 'taken'
  | 'observes'
  | 'other-let-go'
  | 'other-gone'
  | 'given-back'
  | 'ready';

export type Decision = Keep | Create | Adopt | Wait | Hold | Release | Retain | Refuse | HandOver | Exchange;

/** The reason of a decision, '' for one that needs none. */
export function reasonOf(decision: Decision): string {
  return (decision as {readonly reason?: string}).reason ?? '';
}
