// The requests of a scenario's control plane to one function, for `tether explain`: the story runs once, with that function in
// process, wherever the scenario has it running, so that every request passes here.

import {profileNamed} from '../control-plane/profile-names.ts';
import type {Builtins, InProcessFunction} from '../functions/builtin.ts';
import type {FunctionSource} from '../functions/function-source.ts';
import {concealedSentence} from '../input/conceal/concealed-text.ts';
import {InputError} from '../input/input-error.ts';
import {readScenario} from './read-scenario.ts';
import {runScenario} from './run-scenario.ts';
import type {Scenario, Variant} from './scenario.ts';

const recorded = 'recorded';

export interface RequestsOf {
  readonly file: string;
  /** The last version that the scenario names where absent. */
  readonly crossplane: string | undefined;
  /** The first variant that has the function where absent; else one whose name contains this. */
  readonly variant: string | undefined;
  /** Name of a builtin, and of the functions that stand for it. */
  readonly functionName: string;
}

export interface ScenarioRequests {
  readonly scenario: string;
  readonly crossplane: string;
  readonly variant: string;
  /** Bytes of RunFunctionRequests, in the order they were made. */
  readonly requests: readonly Uint8Array[];
  /** Expectations that did not come true, a sentence each. */
  readonly failures: readonly string[];
}

/** Runs the scenario. Throws InputError. */
export async function scenarioRequests(
  {file, crossplane, variant, functionName}: RequestsOf,
  builtins: Builtins,
): Promise<ScenarioRequests> {
  const scenario = readScenario(file, builtins);
  const version = profileNamed(crossplane ?? scenario.crossplane.at(-1) ?? '');
  const names = namesFor(functionName, scenario);
  if (names.length === 0)
    throw new InputError(`expected a scenario with ${functionName}, got one without`, {place: file});
  const chosen = variantOf(scenario, names, variant);
  const requests: Uint8Array[] = [];
  const called = builtins[functionName];
  if (called === undefined) throw new InputError(`unknown function "${functionName}"`, {place: file});
  const record: InProcessFunction = (request, service) => {
    requests.push(request);
    return called(request, service);
  };
  const source: FunctionSource = {kind: 'builtin', name: recorded};
  const functions = {...scenario.functions, ...Object.fromEntries(names.map((name) => [name, source]))};
  const options = {crossplane: version, variant: chosen, builtins: {...builtins, [recorded]: record}};
  const {failures} = await runScenario({...scenario, functions}, options);
  const sentences = failures.map(({place, step, message}) => `${place}: ${step}: ${concealedSentence(message)}`);
  return {
    scenario: scenario.name,
    crossplane: version,
    variant: chosen.name,
    requests,
    failures: sentences,
  };
}

function namesFor(functionName: string, {functions}: Scenario): readonly string[] {
  return Object.entries(functions)
    .filter(([name, source]) => name === functionName || (source.kind === 'builtin' && source.name === functionName))
    .map(([name]) => name);
}

function variantOf({variants}: Scenario, names: readonly string[], wanted: string | undefined): Variant {
  const found = variants.find(({name, without}) =>
    wanted === undefined ? names.some((each) => !without.includes(each)) : name.includes(wanted),
  );
  if (found !== undefined) return found;
  const known = variants.map(({name}) => name).join(', ');
  throw new InputError(`no variant is named "${wanted ?? ''}": known are ${known}`);
}
