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
  /** Who goes by that, and deletes the XR that is to give it something, destroys what both lead to. */
  | 'ready-too-soon'
  /** Two objects of XRs would each delete one external resource. */
  | 'two-owners'
  | 'deleting'
  | 'left-behind'
  | 'restless'
  | 'died'
  | 'disclosed';

export interface Harm {
  readonly kind: HarmKind;
  /** What it happened to, by its place: see ledger.ts. */
  readonly place: string;
  /** The XR and the resource name whose decisions may explain it. */
  readonly xr?: string;
  readonly resourceName?: string;
  /** The harm is of an external resource, which outlives its object and the XR. */
  readonly isExternal?: true;
  /** Of an overwritten object the field, and whether it has none without the function. */
  readonly field?: string;
  readonly isAdded?: boolean;
  /** Whether it has one only without the function, where it was made sooner. */
  readonly isMissed?: boolean;
  /** Of an XR that is not Synced the resource names whose object is older than without the function. */
  readonly older?: readonly string[];
  /** One sentence. */
  readonly text: string;
}

/** Whether both are of the same, in whatever words. */
export function isSameHarm(one: Harm, other: Harm): boolean {
  return one.kind === other.kind && one.place === other.place && one.field === other.field;
}
