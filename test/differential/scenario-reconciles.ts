// The reconciles of a scenario as stories of one reconcile each: the XR and what is observed, as the simulated Crossplane
// had them, and what the whole pipeline answered. Function-tether is the last step of every example that has it, so its
// answer is the pipeline's. Reconciles that differ in versions and times alone are one.

import type {ProfileName} from '../../src/cluster/crossplane/profiles.ts';
import {at} from '../../src/cluster/json.ts';
import type {KubeObject} from '../../src/cluster/object.ts';
import {explain} from '../../src/function/explain.ts';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {driveScenario} from '../../src/harness/scenario/drive-scenario.ts';
import {readScenario} from '../../src/harness/scenario/read-scenario.ts';
import type {Scenario, Variant} from '../../src/harness/scenario/scenario.ts';
import type {Json, JsonObject} from '../../src/wire/json.ts';
import {registry} from '../stories/registry.ts';
import type {RenderStory} from './render-outcome.ts';
import {type Observed, observedIn, type Script, scriptIn} from './scripted-function.ts';

export interface ScenarioReconcile {
  /** The steps that function-tether says are under way, `at rest` where none are. */
  readonly phase: string;
  readonly story: RenderStory;
}

const crossplane: ProfileName = 'main';

export function reconcilesOf(file: string): {
  readonly scenario: string;
  readonly reconciles: readonly ScenarioReconcile[];
} {
  const scenario = readScenario(file, registry);
  const variant = scenario.variants.find(({without}) => !without.includes('function-tether'));
  if (variant === undefined) throw new Error(`${file} has no variant with function-tether`);
  const found = new Map<string, ScenarioReconcile>();
  const {calls, definitions} = ranWith(scenario, variant);
  for (const {request, response} of calls) {
    const observed = observedIn(request);
    const script = scriptIn(response);
    if (!isAnswered(observed, script)) continue;
    const story = storyOf(observed, script, definitions);
    const key = JSON.stringify(withoutVersions(story as unknown as JsonObject));
    if (!found.has(key)) found.set(key, {phase: phaseOf(request), story});
  }
  return {scenario: scenario.name, reconciles: [...found.values()]};
}

interface FunctionCall {
  readonly request: Uint8Array;
  readonly response: Uint8Array;
}

interface Ran {
  readonly calls: readonly FunctionCall[];
  readonly definitions: readonly KubeObject[];
}

function ranWith(scenario: Scenario, variant: Variant): Ran {
  const calls: FunctionCall[] = [];
  const tether = registry['function-tether'];
  if (tether === undefined) throw new Error('function-tether is not in the registry');
  const recorded: typeof tether = (request, call) => {
    const answer = tether(request, call);
    if (answer.ok) calls.push({request, response: answer.response});
    return answer;
  };
  const builtins = {...registry, 'function-tether': recorded};
  const {failures, objects} = driveHere(driveScenario(scenario, {crossplane, variant, builtins}));
  if (failures[0] !== undefined) throw new Error(`${scenario.name}: ${failures[0].message}`);
  return {calls, definitions: objects.filter(({kind}) => kind === 'CompositeResourceDefinition')};
}

/** Crossplane asks again until it has sent all that a function requires; only the last answer is applied. */
function isAnswered({required}: Observed, {requirements = {}}: Script): boolean {
  return Object.keys(requirements).every((name) => required.includes(name));
}

function storyOf({xr, resources}: Observed, script: Script, definitions: Ran['definitions']): RenderStory {
  const {apiVersion, kind} = xr as {readonly apiVersion: string; readonly kind: string};
  const definition = definitions.find(
    ({spec}) => at(spec, ['names', 'kind']) === kind && apiVersion.startsWith(`${at(spec, ['group'])}/`),
  );
  const {requirements: _asked, ...response} = script;
  return {
    xr: withoutManagers(xr),
    composition: {
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'Composition',
      metadata: {name: 'recorded'},
      spec: {
        compositeTypeRef: {apiVersion, kind},
        mode: 'Pipeline',
        pipeline: [
          {
            step: 'recorded',
            functionRef: {name: 'script'},
            input: {apiVersion: 'script.fn.example.org/v1', kind: 'Script', response: response as unknown as Json},
          },
        ],
      },
    },
    observed: resources.map(withoutManagers),
    required: [],
    credentials: [],
    ...(definition === undefined ? {} : {definition: definition as unknown as JsonObject}),
  };
}

/** A render upgrades no field managers, and nobody else of it reads them. */
function withoutManagers(object: JsonObject): JsonObject {
  const {managedFields: _, ...metadata} = object['metadata'] as JsonObject;
  return {...object, metadata};
}

const versions: ReadonlySet<string> = new Set(['resourceVersion', 'generation', 'lastTransitionTime']);

function withoutVersions(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutVersions);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !versions.has(key));
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutVersions(child)]));
}

function phaseOf(request: Uint8Array): string {
  const {resources} = explain(request);
  const steps = resources.flatMap(({decision, reason}) => {
    if (decision === 'move') return [reason];
    return decision === 'release' || decision === 'refuse' ? [decision] : [];
  });
  return [...new Set(steps)].sort().join(' + ') || 'at rest';
}
