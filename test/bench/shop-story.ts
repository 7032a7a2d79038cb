// The stories of these benchmarks: databases of the XRs of examples/split-xr, composed by function-static with function-tether
// behind it, on the newest Crossplane.

import type {Json, JsonObject} from '../../src/cluster/json.ts';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {driveScenario} from '../../src/harness/scenario/drive-scenario.ts';
import {readScenario} from '../../src/harness/scenario/read-scenario.ts';
import type {RunResult} from '../../src/harness/scenario/run-result.ts';
import {registry} from '../stories/registry.ts';

type Called = (typeof registry)[string];
type Answer = ReturnType<Called>;

export const instance = {apiVersion: 'rds.aws.upbound.io/v1beta1', kind: 'Instance'};
export const functions = {
  'function-templates': {builtin: 'function-static'},
  'function-tether': {builtin: 'function-tether'},
};
export const provider = {readyAfter: '2s', deleteAfter: '5s'};

export function composite(kind: string): {readonly apiVersion: string; readonly kind: string} {
  return {apiVersion: 'example.org/v1', kind};
}

export function order(kind: string): JsonObject {
  return {...composite(kind), metadata: {name: 'orders'}, spec: {size: 'small'}};
}

/** `base`: of every resource; `rules`: the input of function-tether. */
export function composition(
  kind: string,
  plural: string,
  wanted: readonly string[],
  base: JsonObject,
  rules: JsonObject,
): JsonObject {
  const resources = wanted.map((name) => ({name, ready: 'Auto', base}));
  const input = {apiVersion: 'static.fn.example.org/v1', kind: 'Input', resources} as Json;
  const tether = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', ...rules};
  return {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: {name: plural},
    spec: {
      compositeTypeRef: composite(kind),
      mode: 'Pipeline',
      pipeline: [
        {step: 'templates', functionRef: {name: 'function-templates'}, input},
        {step: 'tether', functionRef: {name: 'function-tether'}, input: tether},
      ],
    },
  };
}

/** One run of the scenario. `seen` gets every request of function-tether, with its answer. */
export function runFile(
  file: string,
  seen: (request: Uint8Array, answer: Answer) => void = () => undefined,
): RunResult {
  const tether = registry['function-tether'];
  if (tether === undefined) throw new Error('function-tether is not in the registry');
  const metered: Called = (request, call) => {
    const answer = tether(request, call);
    seen(request, answer);
    return answer;
  };
  const read = readScenario(file, registry);
  const [variant] = read.variants;
  if (variant === undefined) throw new Error('a scenario has a variant');
  const builtins = {...registry, 'function-tether': metered};
  return driveHere(driveScenario(read, {crossplane: 'main', variant, seed: 1, builtins}));
}
