// Decides if a scenario's bug happened in a run, and if it was expected to.

import {type Failure, unmetOf} from './run-steps.ts';
import type {Scenario, Variant} from './scenario.ts';
import type {StepSetting} from './step-setting.ts';

export interface Verdict {
  /** To be called before every step: the bug may show in the middle of the story. */
  readonly stepBegins: (name: string, setting: StepSetting) => void;
  /** Undefined for a scenario without a bug. */
  readonly atEnd: (setting: StepSetting) => boolean | undefined;
}

export function verdictOn({bug}: Scenario): Verdict {
  let previous: string | undefined;
  let happened: boolean | undefined;
  return {
    stepBegins: (name, setting) => {
      if (bug !== undefined && bug.after !== undefined && bug.after === previous) {
        happened = unmetOf(bug.signs, setting).length === 0;
      }
      previous = name;
    },
    atEnd: (setting) => {
      if (bug === undefined) return undefined;
      return happened ?? unmetOf(bug.signs, setting).length === 0;
    },
  };
}

/** A bug that does not show where the world has it makes a story prove nothing; one that shows elsewhere is a defect. */
export function unexpectedBug(
  {bug, anyOrder}: Scenario,
  {crossplane, variant: {happens, name}}: {readonly crossplane: string; readonly variant: Variant},
  happened: boolean | undefined,
): readonly Failure[] {
  // If the steps run in any order, only all orders together decide if it happens.
  if (bug === undefined || happens === undefined || happened === undefined || anyOrder.length > 0) return [];
  if (happens.sometimes.includes(crossplane)) return [];
  const wanted = happens.always.includes(crossplane);
  if (wanted === happened) return [];
  const message = wanted
    ? `expected the bug to happen: ${bug.name}; it did not`
    : `expected the bug not to happen: ${bug.name}; it did`;
  return [{place: `variant "${name}"`, step: 'the whole story', message}];
}
