// What of a plan is worth telling a person once.

/** What the input says and no resource has. */
export interface UnknownName {
  /** Of the selector in the input. */
  readonly path: string;
  /** Which part of the selector says it; a resource name unless said. `selector`: all of it together. */
  readonly part?: 'pattern' | 'kinds' | 'labels' | 'selector';
  /** The name, the pattern, `Kind of group/version` or `key=value`; '' for the whole selector. */
  readonly name: string;
}

/** Something that begins or ends in this very reconcile. Read from the object, so not repeated. */
export type Transition =
  | {
      readonly kind:
        | 'adopting'
        | 'adopted'
        | 'holding'
        | 'releasing'
        | 'leaving-alone'
        | 'refusing'
        | 'handing-over'
        | 'handed-over';
      readonly resourceName: string;
    }
  /** The name is written from status. `lateInitializes` is false where the provider would never have saved it itself. */
  | {
      readonly kind: 'external-name-saved';
      readonly resourceName: string;
      readonly lateInitializes: boolean;
    }
  /** It is created at once, because the order at `path` in the input, that says `of` first, does not hold just now. */
  | {readonly kind: 'order-skipped'; readonly resourceName: string; readonly path: string; readonly of: string}
  /** It leaves by itself, although by the order at `path` in the input `by` uses it and stays. */
  | {readonly kind: 'order-overruled'; readonly resourceName: string; readonly path: string; readonly by: string}
  /** It leaves while `by` is there, although by their labels the order at `path` in the input says of each that it goes first. */
  | {readonly kind: 'order-contradicted'; readonly resourceName: string; readonly path: string; readonly by: string}
  /** Something is created while the input says what no resource has. Worth a Warning. */
  | ({readonly kind: 'name-unknown'; readonly resourceName: string} & UnknownName)
  /** The name was lost and is put back from memory. */
  | {readonly kind: 'external-name-restored'; readonly resourceName: string}
  /** A resource is created without the name that is remembered for it, because nothing proves it. Worth a Warning. */
  | {readonly kind: 'external-name-unproven'; readonly resourceName: string}
  /** The first names are remembered where others may write, and there is no key to seal them. Worth a Warning. */
  | {readonly kind: 'external-names-unsealed'; readonly resourceName: string}
  /** A resource is created that the cloud names and whose provider may never save the name (S3). Worth a Warning. */
  | {readonly kind: 'external-name-at-risk'; readonly resourceName: string};
