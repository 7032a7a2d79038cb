import {readdirSync} from 'node:fs';
import {parseExploreArgs} from '../../src/cli/explore-options.ts';
import {runFunction} from '../../src/function/run.ts';
import {explore, openExploration} from '../../src/harness/explore/explore.ts';
import {builtins} from '../../src/harness/functions/builtin.ts';
import {readScenario} from '../../src/harness/scenario/read-scenario.ts';

// Explores the stories told with function-tether, on main, and prints the first that does not hold. Run by run.ts in a
// copy of the sources, with a rule of the lifecycle gone: first every story on the free schedule, then with `every` as
// argument also with another order of one map anywhere. Exit 1 if a story does not hold.

const folder = new URL('../../examples/explore/', import.meta.url).pathname;
const functions = {
  ...builtins,
  'function-tether': (request: Uint8Array) => ({ok: true, response: runFunction(request)}) as const,
};
const files = readdirSync(folder).filter((file) => /^tethered-|^s\d-tethered\.yaml$/.test(file));

const found = firstFailing();
if (found !== undefined) console.log(found);
process.exitCode = found === undefined ? 0 : 1;

function firstFailing(): string | undefined {
  for (const budgets of process.argv[2] === 'every' ? [[], ['--budget', 'choice=1']] : [[]]) {
    for (const file of files) {
      const failure = failureOf(file, budgets);
      if (failure !== undefined) return `${file.replace('.yaml', '')}: ${failure}`;
    }
  }
  return undefined;
}

/** The property that does not hold, or what the story broke with. */
function failureOf(file: string, budgets: readonly string[]): string | undefined {
  const args = parseExploreArgs([`${folder}${file}`, '--moves', 'in-order', ...budgets]);
  if (args === undefined) throw new Error('no help was asked for');
  try {
    const opened = openExploration(readScenario(args.file, functions), 'main', args, functions);
    const {properties, outcome} = explore(opened, args, () => undefined);
    const isComplete = outcome.kind === 'complete';
    return properties.find(({verdict}) => verdict === 'fails' || (isComplete && verdict !== 'holds'))?.name;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
