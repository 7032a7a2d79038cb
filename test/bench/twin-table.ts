import {markdownHead, markdownRow} from '../../src/command-line/tables.ts';
import {runFunction} from '../../src/function/run.ts';
import {builtins} from '../../src/harness/functions/builtin.ts';
import {harnessMemoryKey} from '../../src/harness/functions/memory-key.ts';
import {readScenario} from '../../src/harness/scenario/read-scenario.ts';
import {exploreTwins, units} from '../../src/harness/twin/explore-twins.ts';
import type {TwinSetting} from '../../src/harness/twin/twin.ts';

// `npm run explore:table twin [STORY ...]`: the stories told with function-tether x one unit of each fault and each actor, to
// its end, with the function and without it. A cell is the number of tellings; bold where one is worse.

const folder = new URL('../../examples/explore/', import.meta.url).pathname;
const options = {memoryKeys: [harnessMemoryKey]};
const setting: TwinSetting = {
  crossplane: 'main',
  twin: ['function-tether'],
  functions: {...builtins, 'function-tether': (request) => ({ok: true, response: runFunction(request, options)})},
};

/** Prints a row as soon as it is known. Answers whether no story is worse. */
export function printTwins(stories: readonly string[]): boolean {
  let isClean = true;
  console.log(markdownHead(['a unit of', ...units, 'seconds']).join('\n'));
  for (const story of stories) {
    const began = process.cpuUsage();
    const scenario = readScenario(`${folder}${story}.yaml`, setting.functions);
    const cells = units.map((unit) => {
      const {stories: count, worse} = exploreTwins(scenario, setting, unit);
      isClean &&= worse.length === 0;
      return worse.length === 0 ? String(count) : `**${worse.length} of ${count} worse**`;
    });
    const {user, system} = process.cpuUsage(began);
    console.log(markdownRow([story, ...cells, Math.round((user + system) / 1_000_000)]));
  }
  return isClean;
}
