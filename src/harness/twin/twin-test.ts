import {calledFunctions, mustBeCalled, runCalling} from '../explore/called-functions.ts';
import type {Functions} from '../explore/explore.ts';
import {InputError} from '../input/input-error.ts';
import {readScenario} from '../scenario/parse-scenario.ts';
import {profileNamed} from '../scenario/profile-names.ts';
import type {Scenario} from '../scenario/scenario.ts';
import type {Explain} from './asked-for.ts';
import {timelineOf} from './never-worse-command.ts';
import {openTwins, tellTwins} from './twin.ts';

// `tether test --twin FUNCTION FILE...`: each scenario told twice, with the function and with pass-through in its place.

export interface TwinTest {
  readonly files: readonly string[];
  /** Functions that are replaced, separated by commas. */
  readonly twin: string;
  readonly crossplane: readonly string[] | undefined;
  readonly seed: number | undefined;
  readonly timeline: boolean;
}

export interface TwinContext {
  readonly functions: Functions;
  readonly explain: Explain;
  readonly entry: string;
}

/** Answers the exit code. */
export async function testTwins(asked: TwinTest, argv: readonly string[], context: TwinContext): Promise<number> {
  const twin = asked.twin.split(',');
  let worse = 0;
  let told = 0;
  for (const file of asked.files) {
    const scenario = readScenario(file, context.functions);
    checkTwin(twin, scenario, file);
    if (mustBeCalled(scenario, context.functions)) {
      return runCalling(context.entry, ['test', ...argv], scenario, context.functions);
    }
    for (const crossplane of (asked.crossplane ?? scenario.crossplane).map(profileNamed)) {
      const functions = {...calledFunctions(crossplane), ...context.functions};
      // What a function decides is known only of the one this package is about.
      const explain = twin.every((name) => isOwn(scenario, name)) ? {explain: context.explain} : {};
      const setting = {crossplane, twin, functions, ...explain};
      const story = asked.seed === undefined ? scenario : {...scenario, seed: asked.seed};
      const twins = openTwins(story, setting);
      const {violations} = tellTwins(twins, story, setting);
      told++;
      if (violations.length > 0) worse++;
      if (asked.timeline || violations.length > 0) console.log(timelineOf(story, twins).join('\n'));
      const verdict = violations.length === 0 ? 'never worse' : 'WORSE';
      console.log(`${verdict}  ${scenario.name}  Crossplane ${crossplane}, without ${twin.join(', ')}`);
      for (const {kind, text} of violations) console.log(`  ${kind}: ${text}`);
    }
  }
  console.log(`\n${told - worse} passed, ${worse} failed`);
  return worse === 0 ? 0 : 3;
}

function isOwn({functions}: Scenario, name: string): boolean {
  const source = functions[name];
  return source?.kind === 'builtin' && source.name === 'function-tether';
}

function checkTwin(twin: readonly string[], {functions}: Scenario, file: string): void {
  const unknown = twin.find((name) => functions[name] === undefined);
  if (unknown === undefined) return;
  throw new InputError(
    file,
    `--twin must name functions of the scenario (${Object.keys(functions).join(', ')}), got "${unknown}"`,
  );
}
