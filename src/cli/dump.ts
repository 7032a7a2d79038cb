// `tether dump SCENARIO`: the world of a story after one of its steps, as a source that audit and rehearse read.

import {stringify} from 'yaml';
import type {KubeObject} from '../cluster/object.ts';
import {type CommandLine, one, text} from '../command-line/option-table.ts';
import {profileNamed} from '../harness/control-plane/profile-names.ts';
import {nearest} from '../harness/input/cursor.ts';
import {writeText} from '../harness/input/file-problem.ts';
import {InputError} from '../harness/input/input-error.ts';
import {withoutContents} from '../harness/input/source/collect.ts';
import {readScenario} from '../harness/scenario/read-scenario.ts';
import {runScenario} from '../harness/scenario/run-scenario.ts';
import type {Scenario, Variant} from '../harness/scenario/scenario.ts';
import {type CommandContext, command} from './command.ts';
import {variantsNamed} from './named-variants.ts';
import {count, oneOf} from './options.ts';
import {loaded, placedScenario, placeOptions, sayNotes} from './place-functions.ts';
import {print, printAside} from './print.ts';

export const dumpLine = {
  name: 'dump',
  takes: 'SCENARIO',
  does: 'runs a scenario up to one of its steps and writes every object that is there then, as `kubectl get -o yaml` would: a source for tether audit and tether rehearse. Left out is what Secrets hold.',
  options: {
    at: text('STEP', 'the step after which the world is written, by its name or number; the last one unless set'),
    variant: text('NAME', 'the first variant whose name contains NAME'),
    crossplane: one('VERSION', 'this version; the first of the scenario unless set', profileNamed),
    seed: one('NUMBER', "instead of the scenario's seed", count),
    loaded,
    ...placeOptions,
    to: text('FILE', 'write to FILE instead of the terminal'),
    output: one('FORMAT', 'yaml (default) or json', oneOf('yaml', 'json')),
  },
  example: 'tether dump examples/restore-orphan/scenario.yaml --at 3 --to world.yaml',
  exitCodes:
    '0 the world is written, 1 the tool itself failed, 2 bad input, 3 it is written and a step before it failed.',
} satisfies CommandLine;

export const dumpCommand = command(dumpLine, async ({values, files}, {functions: builtins}: CommandContext) => {
  const [file = ''] = files;
  const scenario = await placedScenario(readScenario(file, builtins), values, builtins);
  sayNotes(scenario);
  const steps = scenario.steps.slice(0, stepNumber(scenario, values.at));
  const {seed = scenario.seed, crossplane = profileNamed(scenario.crossplane[0] ?? 'main')} = values;
  const [named] = variantsNamed(scenario, values.variant);
  const variant = {...(named as Variant), expect: []};
  const {bug: _, ...story} = scenario;
  const result = await runScenario({...story, steps}, {crossplane, variant, seed, builtins, keepGoing: true});
  for (const {step, message} of result.failures) printAside(`${step}: ${message}`);
  const written = worldText(result.objects, values.output ?? 'yaml');
  if (values.to === undefined) print(written.trimEnd());
  else writeText(values.to, written, 'dump');
  return result.failures.length === 0 ? 0 : 3;
});

/** Steps are counted from 1. Throws InputError for one that the scenario does not have. */
function stepNumber({steps}: Scenario, at: string | undefined): number {
  if (at === undefined) return steps.length;
  const names = steps.map(({name}) => name);
  const named = names.indexOf(at);
  const number = named >= 0 ? named + 1 : Number(at);
  if (Number.isInteger(number) && number >= 0 && number <= steps.length) return number;
  const near = nearest(at, names);
  const advice = near === undefined ? `its steps are ${names.join(', ')}` : `did you mean "${near}"?`;
  throw new InputError(`--at must name a step, or a number from 0 to ${steps.length}, got "${at}": ${advice}`);
}

function worldText(objects: readonly KubeObject[], format: 'yaml' | 'json'): string {
  const items = objects.map((object) => (isSecret(object) ? withoutContents(object) : object));
  const list = {apiVersion: 'v1', kind: 'List', items};
  return format === 'json'
    ? `${JSON.stringify(list, undefined, 2)}\n`
    : stringify(list, {aliasDuplicateObjects: false, compat: 'yaml-1.1'});
}

function isSecret({apiVersion, kind}: KubeObject): boolean {
  return apiVersion === 'v1' && kind === 'Secret';
}
