// `tether replay FILE --path 0/3/1`: exit code 0 if the path was taken, 1 if it diverged, 2 for bad input.

import {explainDivergence, parsePath, replay} from '../explore/path.ts';
import {profileNamed} from '../harness/control-plane/profile-names.ts';
import {calledFunctions, mustBeCalled, runCalling} from '../harness/explore/called-functions.ts';
import {openExploration} from '../harness/explore/explore.ts';
import {expandPath, reportPath} from '../harness/explore/path-report.ts';
import {InputError} from '../harness/input/input-error.ts';
import {readScenario} from '../harness/scenario/read-scenario.ts';
import {type CommandContext, command} from './command.ts';
import {budgetsOf, replayLine} from './explore-options.ts';
import {placedScenario, sayNotes} from './place-functions.ts';
import {print, printAside} from './print.ts';

export const replayCommand = command(replayLine, async ({values, files, argv}, {functions, entry}: CommandContext) => {
  if (values.path === undefined) throw new InputError('tether replay needs a path: --path 0/3/1');
  const parsed = parsePath(expandPath(values.path));
  if (parsed.kind === 'invalid') throw new InputError(parsed.message);
  const scenario = await placedScenario(readScenario(files[0] ?? '', functions), values, functions);
  sayNotes(scenario);
  if (mustBeCalled(scenario, functions)) return await runCalling(entry, ['replay', ...argv], scenario, functions);
  const [crossplane = profileNamed(scenario.crossplane[0] ?? 'main')] = values.crossplane;
  const args = {...values, budgets: budgetsOf(values.budget)};
  const exploration = openExploration(scenario, crossplane, args, {...calledFunctions(), ...functions});
  const replayed = replay(exploration.model, parsed.path);
  if (replayed.kind === 'diverged') {
    printAside(explainDivergence(replayed.divergence));
    return 1;
  }
  print(reportPath(exploration, parsed.path, undefined, values.steps).lines.join('\n'));
  return 0;
});
