import type {ControlPlane} from '../control-plane/control-plane.ts';
import type {Evidence} from './check.ts';

/** Where steps are carried out, and what expectations can ask. */
export interface StepSetting {
  readonly controlPlane: ControlPlane;
  readonly evidence: Evidence;
  /** The version that the run is of, whatever it is upgraded to. */
  readonly crossplane: string;
  /** How long a request of a backup tool takes, where it is not what it takes in every story. */
  readonly toolCallMs?: number | undefined;
}
