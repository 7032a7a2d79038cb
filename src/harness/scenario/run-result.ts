// The result of one run of a scenario. Everything that reports, judges or counts takes this and nothing else.

import type {External} from '../../cluster/cloud/ledger-state.ts';
import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {Duplicate} from '../control-plane/oracle/duplicate.ts';
import type {ExternalCounts} from '../control-plane/oracle/externals.ts';
import type {Orphan} from '../control-plane/oracle/orphan.ts';
import type {History} from '../control-plane/record/history.ts';
import type {TimelineEntry} from '../control-plane/record/timeline.ts';
import type {Failure} from './run-steps.ts';
import type {SinceStart} from './since-start.ts';

export interface RunResult {
  readonly scenario: string;
  readonly description: string;
  readonly crossplane: ProfileName;
  readonly variant: string;
  readonly seed: number;
  /** Empty where everything came true. */
  readonly failures: readonly Failure[];
  /** The problems of steps that may fail; absent if there are none. */
  readonly allowed?: readonly Failure[];
  /** The steps that did not run because one before them failed, and then nothing is expected at the end; absent where all ran. */
  readonly notRun?: readonly string[];
  /** From the first step on, times counted from there. */
  readonly timeline: readonly TimelineEntry[];
  /** At the end. */
  readonly orphans: readonly Orphan[];
  readonly duplicates: readonly Duplicate[];
  /** True if the scenario's bug happened; undefined for a scenario without one. */
  readonly happened?: boolean;
  /** The objects that will never move again, a sentence each. */
  readonly stuck: readonly string[];
  readonly externals: Externals;
  readonly objects: readonly KubeObject[];
  /** The gaps in its evidence, a sentence each; absent if there are none, and if the run failed. */
  readonly hollow?: readonly string[];
  /** Reconciles of XRs and function calls since the first step. */
  readonly reconciles: number;
  readonly functionCalls: number;
  /** Virtual time from the last action to the last change after it. */
  readonly convergedMs: number;
  /** Virtual time from the first step to the last change and to the end. */
  readonly settledMs: number;
  readonly lastedMs: number;
  /** The changes of the composed resources since Crossplane last started; absent if the story never started it. */
  readonly sinceStart?: SinceStart;
  /** Only where the run was asked to record it. */
  readonly history?: History;
}

interface Externals extends ExternalCounts {
  readonly list: readonly External[];
}
