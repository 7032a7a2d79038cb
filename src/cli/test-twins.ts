import type {ProfileName} from '../cluster/crossplane/profiles.ts';
import {profileNamed} from '../harness/control-plane/profile-names.ts';
import {mustBeCalled, runCalling} from '../harness/explore/called-functions.ts';
import {readScenario} from '../harness/scenario/read-scenario.ts';
import {verdictText} from '../harness/twin/grades.ts';
import {runTwins} from '../harness/twin/twin.ts';
import {timelineOf} from './never-worse.ts';
import {type PlaceValues, placedScenario} from './place-functions.ts';
import {print} from './print.ts';
import {comparableTwins, composes, type TwinContext} from './twin-setting.ts';

// `tether test --twin FUNCTION FILE...`: each scenario run twice, with the function and with pipelines that have no step of it.

export interface TwinTest {
  readonly files: readonly string[];
  /** Functions that are replaced, separated by commas. */
  readonly twin: string;
  readonly crossplane: readonly ProfileName[];
  readonly seed: number | undefined;
  readonly timeline: boolean;
  readonly places: PlaceValues;
}

/** Answers the exit code. */
export async function testTwins(asked: TwinTest, argv: readonly string[], context: TwinContext): Promise<number> {
  let worse = 0;
  let count = 0;
  for (const file of asked.files) {
    const scenario = await placedScenario(readScenario(file, context.functions), asked.places, context.functions);
    // Whatever runs elsewhere runs there: a function of this package at an address is another one.
    if (mustBeCalled(scenario, {})) return runCalling(context.entry, ['test', ...argv], scenario, {});
    for (const crossplane of asked.crossplane.length > 0 ? asked.crossplane : scenario.crossplane.map(profileNamed)) {
      const story = asked.seed === undefined ? scenario : {...scenario, seed: asked.seed};
      const {twins} = comparableTwins(story, file, asked.twin, crossplane, context);
      const {violations, with: mine, without: theirs} = runTwins(twins, story);
      count++;
      if (violations.length > 0) worse++;
      if (asked.timeline || violations.length > 0) print(timelineOf(story, twins).join('\n'));
      const isEmpty = !composes(mine) && !composes(theirs);
      const verdict = violations.length > 0 ? 'WORSE' : isEmpty ? 'never worse, but' : 'never worse';
      print(`${verdict}  ${scenario.name}  Crossplane ${crossplane}, without ${asked.twin}`);
      for (const one of violations) print(`  ${verdictText(one)}`);
      if (isEmpty) print('  nothing was composed, with the function or without it');
    }
  }
  print(`\n${count - worse} passed, ${worse} failed`);
  return worse === 0 ? 0 : 3;
}
