// What can stop a hand-over, or leave a template without a value. Facts only: the sentences are the edge's.

/** Why the input has no value at some place, and what waits for it: it reads a field that is not there, or what it reads does not fit. */
export type NoValue =
  | {readonly kind: 'missing'; readonly field: string}
  | {readonly kind: 'unfit'; readonly expected: string; readonly got: string};

/** What speaks against a move, or against its next step. */
export type Obstacle =
  | {readonly kind: 'dry-run'}
  /** Begun under a rule that is gone. */
  | {readonly kind: 'no-rule'}
  /** No rule says both the resource name and the kind; or it has ended, and going back is a move of its own. */
  | {readonly kind: 'needs-a-rule'}
  /** Begun, and what it is to become was dropped. */
  | {readonly kind: 'dropped'}
  /** More than one object is to get the resource name. */
  | {readonly kind: 'several'; readonly others: readonly string[]}
  /** Rules let it become this composed resource, too, which is desired and has no object. */
  | {readonly kind: 'two-targets'; readonly other: string}
  /** An earlier step of the pipeline is one of function-tether, too, and moves it. */
  | {readonly kind: 'two-steps'}
  /** The resource name has an object already. `next`: what a rule has that one become, in the same edit. */
  | {readonly kind: 'target-taken'; readonly next?: string}
  /** The desired resource says a metadata.name that the object does not have. */
  | {readonly kind: 'named-otherwise'}
  | {readonly kind: 'unproven'}
  | {readonly kind: 'unresolved'; readonly path: string; readonly cause: NoValue}
  | {readonly kind: 'no-external-name'}
  /** Its provider is in the middle of creating it. */
  | {readonly kind: 'still-creating'}
  | {readonly kind: 'no-new-name'; readonly path: string; readonly cause: NoValue}
  /** The desired resource, or the new object, says another external name. `whose`: which of them. */
  | {readonly kind: 'other-external-name'; readonly whose: 'desired' | 'observed'}
  | {readonly kind: 'cannot-let-go'}
  /** The old object is protected by these Usages of the pipeline, or by one from outside of the XR where there are none. */
  | {readonly kind: 'protected'; readonly usages: readonly string[]}
  /** The old object has this Usage of `protect`, which selects nothing that the new one is to be. */
  | {readonly kind: 'loses-protection'; readonly usage: string}
  /** `protect` selects the new object, and its Usage is not there yet. */
  | {readonly kind: 'unprotected'}
  /** Crossplane was asked about the new kind, and answers with the next call of the same reconcile. */
  | {readonly kind: 'kind-unanswered'}
  | {readonly kind: 'not-served'}
  /** The new kind has no managementPolicies. */
  | {readonly kind: 'cannot-observe'}
  /** The new object is in a namespace, and the XR cannot list it there. */
  | {readonly kind: 'not-listed'}
  /** One of the two objects is being deleted. `whose`: which. */
  | {readonly kind: 'deleting'; readonly whose: 'old' | 'new'}
  /** The new object is of another kind than what is desired by now: another move has to end first. */
  | {readonly kind: 'in-another-move'}
  /** The old object went before the new one was proven to be the same. `isAnother`: it was seen to be another resource. */
  | {readonly kind: 'old-gone'; readonly isAnother: boolean}
  /** The two objects say different values at this field, which names the external resource. */
  | {readonly kind: 'another-resource'; readonly field: string}
  /** Its provider does not say that the new object is in order. */
  | {readonly kind: 'not-synced'};
