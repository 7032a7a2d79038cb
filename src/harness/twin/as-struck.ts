import type {Scenario, Step, StepFault} from '../scenario/scenario.ts';
import type {StoryRun} from './run-story.ts';

/**
 * The story with its faults beside the steps after which they struck with the function: one that waits for its opportunity may
 * strike steps later, where without the function there was an opportunity sooner. Nothing where each struck as it is written.
 */
export function asStruck(scenario: Scenario, {happened}: Pick<StoryRun, 'happened'>): readonly Scenario[] {
  const steps = scenario.steps.map(({faults: _, ...step}, move): Step => {
    const faults = happened.filter((one) => one.move === move).map(({fault, at}) => ({fault, at}));
    return faults.length === 0 ? step : {...step, faults};
  });
  const isSame = scenario.steps.every(({faults}, move) => sameFaults(steps[move]?.faults, faults));
  return isSame ? [] : [{...scenario, steps}];
}

function sameFaults(one: readonly StepFault[] = [], other: readonly StepFault[] = []): boolean {
  return (
    one.length === other.length &&
    one.every(({fault, at}, index) => fault === other[index]?.fault && at === other[index]?.at)
  );
}
