import {stringify} from 'yaml';
import {asScenarioAction} from '../control-plane/operator/action.ts';
import type {Scenario} from '../scenario/scenario.ts';
import {type Verdict, verdictText} from './grades.ts';

/** The story as a scenario file that `tether test --twin` runs again, step for step. */
export function storyText(scenario: Scenario, verdicts: readonly Verdict[], twin: readonly string[]): string {
  const {name, crossplane, seed, loaded, fixtures, functions, provider, steps} = scenario;
  const body = {
    name,
    description: 'Worse off with the function than without it.',
    crossplane,
    seed,
    ...(loaded === true ? {loaded} : {}),
    fixtures,
    functions: Object.fromEntries(
      Object.entries(functions).map(([key, source]) => [
        key,
        source.kind === 'builtin' ? {builtin: source.name} : source,
      ]),
    ),
    provider: {async: provider.async, externals: provider.externals},
    steps: steps.map(({name: step, by, early, faults, action}) => ({
      name: step,
      ...(by === undefined ? {} : {by}),
      ...(early === undefined ? {} : {early}),
      ...(faults === undefined ? {} : {faults}),
      ...(action === undefined ? {wait: {quiet: '5s'}} : asScenarioAction(action)),
    })),
  };
  const found = verdicts.map(verdictText).map((text) => `# ${text}`);
  const command = `# tether test --twin ${twin.join(',')} FILE`;
  return `${[...found, command].join('\n')}\n${stringify(body, {aliasDuplicateObjects: false, compat: 'yaml-1.1'})}`;
}
