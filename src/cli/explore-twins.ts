import {writeFileSync} from 'node:fs';
import {textRow} from '../command-line/tables.ts';
import {profileNamed} from '../harness/control-plane/profile-names.ts';
import {InputError} from '../harness/input/input-error.ts';
import type {Scenario} from '../harness/scenario/scenario.ts';
import {exploreTwins, units} from '../harness/twin/explore-twins.ts';
import {verdictText} from '../harness/twin/grades.ts';
import {storyText} from '../harness/twin/story-file.ts';
import type {ExploreArgs} from './explore-options.ts';
import {print} from './print.ts';
import {comparableTwins, type TwinContext} from './twin-setting.ts';

const columns = [{head: 'unit', width: 24}, {head: 'stories', width: 6, isNumber: true}, {head: 'verdict'}];

/** `tether explore FILE --twin NAME`: the whole of one unit of each fault and of each actor. Answers the exit code. */
export function exploreTwinsCommand(scenario: Scenario, args: ExploreArgs, twin: string, context: TwinContext): number {
  const only = Object.keys(args.budgets);
  const tooMany = Object.entries(args.budgets).find(([, count]) => count !== 1);
  if (tooMany !== undefined)
    throw new InputError(`--twin searches one unit of a kind: --budget ${tooMany[0]}=1, got ${tooMany[1]}`);
  const unknown = only.find((kind) => !units.some((unit) => unit === kind));
  if (unknown !== undefined) throw new InputError(`--twin knows no unit of ${unknown}: it has ${units.join(', ')}`);
  const versions = args.crossplane.length > 0 ? args.crossplane : scenario.crossplane.map(profileNamed);
  let worse = 0;
  for (const crossplane of versions) {
    const {setting} = comparableTwins(scenario, args.file, twin, crossplane, context);
    print(`${scenario.name}, Crossplane ${crossplane}, with and without ${twin}`);
    for (const unit of units) {
      if (only.length > 0 && !only.includes(unit)) continue;
      const explored = exploreTwins(scenario, setting, unit);
      worse += explored.worse.length;
      const verdict = explored.worse.length === 0 ? 'never worse' : `WORSE in ${explored.worse.length}`;
      print(`  ${textRow(columns, [unit, explored.stories, `stories, ${verdict}`])}`);
      const [first] = explored.worse;
      if (first === undefined) continue;
      print(`    ${first.story.name}`);
      for (const one of first.verdicts) print(`    ${verdictText(one)}`);
      if (args.save !== undefined) writeFileSync(args.save, storyText(first.story, first.verdicts, [twin]));
    }
  }
  return worse === 0 ? 0 : 3;
}
