import type {Meter} from '../cel/functions.ts';
import type {Input} from '../input/input.ts';
import type {Claim} from '../objects/proof.ts';
import type {Snapshot} from '../snapshot.ts';
import type {Templates} from '../templates/templates.ts';
import type {Protection} from '../usages/protection.ts';

/** What one plan's hand-overs are made of. The snapshot has the names of what takes the place of another. */
export interface Given {
  readonly snapshot: Snapshot;
  readonly input: Input;
  readonly claim: Claim;
  readonly unresolved: Templates['unresolved'];
  readonly protection: Protection;
  readonly meter: Meter;
}
