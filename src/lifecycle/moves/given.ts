import type {Claim, Owners} from '../facts/ownership.ts';
import type {Input} from '../input/input.ts';
import type {Meter} from '../templates/cel/functions.ts';
import type {Templates} from '../templates/templates.ts';
import type {Protection} from '../usages/protect.ts';
import type {Snapshot} from '../words/snapshot.ts';

/** The inputs of one plan's moves, within the XR and between XRs. In the snapshot, successors without a name have that of their predecessors. */
export interface Given {
  readonly snapshot: Snapshot;
  readonly input: Input;
  readonly claim: Claim;
  readonly owners: Owners;
  /** Templates that cannot be composed yet: the objects that they desire show nothing but what is there. */
  readonly unresolved: Templates['unresolved'];
  readonly protection: Protection;
  readonly meter: Meter;
}
