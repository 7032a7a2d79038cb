import type {Claim, Owners} from '../facts/ownership.ts';
import type {Snapshot} from '../words/snapshot.ts';
import type {Input, UsageNaming} from './input.ts';
import type {UsageApi} from './usage-api.ts';

/** The facts that every part of a plan starts from. In the snapshot, successors without a name have that of their predecessors. */
export interface Scene {
  readonly snapshot: Snapshot;
  readonly input: Input;
  readonly claim: Claim;
  readonly owners: Owners;
  readonly api: UsageApi;
  /** Whose names the Usages have. */
  readonly naming: UsageNaming;
}

/** The rules of the input, and the resources that they are about. */
export type Ruled = Pick<Scene, 'snapshot' | 'input'>;
