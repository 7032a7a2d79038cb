import type {Claim} from '../../facts/proof.ts';
import type {Input} from '../../input/input.ts';
import type {Meter} from '../../templates/cel/functions.ts';
import type {Templates} from '../../templates/templates.ts';
import type {Protection} from '../../usages/protection.ts';
import type {Snapshot} from '../../words/snapshot.ts';

/** What one plan's hand-overs are made of. The snapshot has the names of what takes the place of another. */
export interface Given {
  readonly snapshot: Snapshot;
  readonly input: Input;
  readonly claim: Claim;
  readonly unresolved: Templates['unresolved'];
  readonly protection: Protection;
  readonly meter: Meter;
}
