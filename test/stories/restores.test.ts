import {describe, expect, test} from 'vitest';
import {parseExploreArgs} from '../../src/cli/explore-options.ts';
import {profileNamed} from '../../src/harness/control-plane/profile-names.ts';
import {explore, failuresOf, openExploration} from '../../src/harness/explore/explore.ts';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {driveScenario} from '../../src/harness/scenario/drive-scenario.ts';
import {registry} from './registry.ts';
import {type Case, idioms, restoreStory, searchedRestore, times, tools} from './small-restore.ts';

const versions = ['main', '2.3', '1.20', '1.19', '1.16'];
const toolNames = Object.keys(tools) as (keyof typeof tools)[];
const providers = ['first', ...times] as const;

/** Each value of each column with others each time; all of them on the versions in RESTORES, which takes minutes. */
function cases(): readonly Case[] {
  const all: Case[] = [];
  toolNames.forEach((tool, t) => {
    idioms.forEach((idiom, i) => {
      providers.forEach((provider, p) => {
        versions.forEach((crossplane, v) => {
          for (const isAsync of [false, true]) {
            for (const isEdited of [false, true]) {
              const isChosen = (t + i + p + v + Number(isAsync)) % 5 === 0 && (t + i) % 2 === Number(isEdited);
              const isFew = (t + 2 * i + p) % 4 === 0;
              if (process.env['RESTORES']?.split(' ').includes(crossplane) || (isChosen && isFew)) {
                all.push({tool, idiom, provider, isAsync, isEdited, crossplane});
              }
            }
          }
        });
      });
    });
  });
  return all;
}

function run(one: Case) {
  const scenario = restoreStory(one);
  const [variant] = scenario.variants;
  if (variant === undefined) throw new Error('a scenario has a variant');
  const crossplane = profileNamed(one.crossplane);
  return driveHere(driveScenario(scenario, {crossplane, variant, seed: 1, builtins: registry, record: false}));
}

describe('what a template leaves out for a while after a restore keeps its external resource, and what an edit dropped goes', () => {
  for (const one of cases()) {
    const {tool, idiom, provider, isAsync, isEdited, crossplane} = one;
    const words = [tool, idiom, `provider ${provider}`, ...(isAsync ? ['async'] : []), ...(isEdited ? ['edited'] : [])];
    test(`${words.join(', ')}, on ${crossplane}`, () => {
      const {failures, externals, orphans} = run(one);
      expect(failures).toEqual([]);
      const {creates, deletes} = externals;
      expect({creates, deletes, orphans}).toEqual({creates: 3, deletes: isEdited ? 1 : 0, orphans: []});
    });
  }
});

// `npm run explore:table restores` does it for every tool, template, fault and version: docs/contributing/measurements.md.
describe('so it is whatever fails meanwhile, in every order, searched to the end', () => {
  test.each([
    ['velero with modifiers', 'status', 'function-stale-response'],
    ['velero', 'status', 'missed-event'],
    ['velero', 'relay', 'early'],
  ] as const)('%s, %s, with one %s', (tool, idiom, kind) => {
    const scenario = searchedRestore({tool, idiom, provider: '1m', crossplane: '1.16'});
    const args = parseExploreArgs(['restore.yaml', '--moves', 'in-order', '--all', '--budget', `${kind}=1`]);
    if (args === undefined) throw new Error('no help was asked for');
    const exploration = openExploration(scenario, '1.16', args, registry);
    const explored = explore(exploration, args, () => undefined);
    expect(failuresOf(exploration, explored).map(({report, pending}) => [report.name, pending])).toEqual([]);
    expect(explored.outcome).toEqual({kind: 'complete'});
  });
});
