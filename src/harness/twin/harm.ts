// How a world can be worse off with a function than without it.

export type HarmKind =
  | 'destroyed'
  | 'gone'
  | 'missing'
  | 'kept'
  | 'doubled'
  | 'recreated'
  /** The XR's own is made anew in both; without the function the one of before lives on beside it, and belongs to nobody. */
  | 'replaced'
  | 'reowned'
  | 'unowned'
  | 'redirected'
  | 'elsewhere'
  | 'overwritten'
  | 'not-synced'
  | 'not-ready'
  | 'deleting'
  | 'left-behind'
  | 'restless'
  | 'died'
  | 'told';

export interface Harm {
  readonly kind: HarmKind;
  /** What it happened to, by its place: see ledger.ts. */
  readonly place: string;
  /** The XR and the resource name whose decisions may explain it. */
  readonly xr?: string;
  readonly resourceName?: string;
  /** It is told of an external resource, which outlives its object and the XR. */
  readonly isExternal?: true;
  /** One sentence. */
  readonly text: string;
}
