import {explainDivergence, parsePath, replay} from '../explore/path.ts';
import {profileNamed} from '../harness/control-plane/profile-names.ts';
import {calledFunctions, mustBeCalled, runCalling} from '../harness/explore/called-functions.ts';
import {openExploration} from '../harness/explore/explore.ts';
import {expandPath, reportPath} from '../harness/explore/path-report.ts';
import {InputError} from '../harness/input/input-error.ts';
import {readScenario} from '../harness/scenario/read-scenario.ts';
import type {CommandContext} from './command.ts';
import {complain} from './complain.ts';
import {parseReplayArgs} from './explore-options.ts';
import {placedScenario, sayNotes} from './place-functions.ts';
import {print, printAside} from './print.ts';

/** `tether replay FILE --path 0/3/1`. Answers the exit code: 0 the path was taken, 1 it diverged, 2 bad input. */
export async function replayCommand(argv: readonly string[], {functions, entry}: CommandContext): Promise<number> {
  try {
    const args = parseReplayArgs(argv);
    if (args === undefined) return 0;
    const parsed = parsePath(expandPath(args.path));
    if (parsed.kind === 'invalid') throw new InputError(parsed.message);
    const scenario = await placedScenario(readScenario(args.file, functions), args, functions);
    sayNotes(scenario);
    if (mustBeCalled(scenario, functions)) return await runCalling(entry, ['replay', ...argv], scenario, functions);
    const [crossplane = profileNamed(scenario.crossplane[0] ?? 'main')] = args.crossplane;
    const exploration = openExploration(scenario, crossplane, args, {...calledFunctions(), ...functions});
    const replayed = replay(exploration.model, parsed.path);
    if (replayed.kind === 'diverged') {
      printAside(explainDivergence(replayed.divergence));
      return 1;
    }
    print(reportPath(exploration, parsed.path, undefined, args.steps).lines.join('\n'));
    return 0;
  } catch (error) {
    return complain('replay', error);
  }
}
