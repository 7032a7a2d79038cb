import {describe, expect, test} from 'vitest';
import {parseExploreArgs} from '../../../src/cli/explore-options.ts';
import {refuseIncomparable} from '../../../src/cli/twin-setting.ts';
import {explore, openExploration} from '../../../src/harness/explore/explore.ts';
import {whoseIs} from '../../../src/harness/explore/whose.ts';
import {builtins, type InProcessFunction} from '../../../src/harness/functions/builtin.ts';
import {manifestReader} from '../../../src/harness/input/manifests/read-manifests.ts';
import {parseYaml} from '../../../src/harness/input/yaml.ts';
import {parseScenario} from '../../../src/harness/scenario/parse-scenario.ts';
import type {Scenario} from '../../../src/harness/scenario/scenario.ts';
import {openTwins} from '../../../src/harness/twin/twin.ts';
import {composition} from '../../platform.ts';

// Whether a finding is the function's or Crossplane's, and what --twin cannot compare.

const file = new URL('../../../examples/explore/whose.yaml', import.meta.url).pathname;
const own = builtins['function-static'] as InProcessFunction;
const functions = {...builtins, own};
const unlabelled = {name: 'mine', holds: "objects.all(o, o.kind != 'Bucket' || !has(o.metadata.labels.marked))"};

function scenarioOf(pipeline: readonly object[], names: {readonly [name: string]: string}, explored: object) {
  const app = {apiVersion: 'example.org/v1', kind: 'App'};
  const text = JSON.stringify({
    name: 'whose',
    crossplane: 'main',
    fixtures: ['platform.yaml', 'definition.yaml', composition(app, ...pipeline)],
    functions: Object.fromEntries(Object.entries(names).map(([name, builtin]) => [name, {builtin}])),
    steps: [{name: 'asked', apply: {...app, metadata: {name: 'shop'}, spec: {size: 's'}}}],
    explore: {moves: 'in-order', ...explored},
  });
  const [cursor] = parseYaml(text, 'whose.yaml');
  if (cursor === undefined) throw new Error('the scenario is empty');
  return parseScenario(cursor, manifestReader(file), functions);
}

const resource = (labels: object) => ({
  name: 'a',
  base: {apiVersion: 'cloud.example.org/v1', kind: 'Bucket', metadata: {labels}, spec: {forProvider: {region: 'here'}}},
});
const step = (name: string, resources: readonly object[]) => ({
  step: name,
  functionRef: {name},
  input: {apiVersion: 'static.fn.example.org/v1', kind: 'Input', resources},
});

function whose(pipeline: readonly object[], names: {readonly [name: string]: string}) {
  const scenario = scenarioOf(pipeline, names, {always: [unlabelled]});
  const args = parseExploreArgs([file, '--property', 'mine']);
  if (args === undefined) throw new Error('no help was asked for');
  const exploration = openExploration(scenario, 'main', args, functions);
  const explored = explore(exploration, args, () => undefined);
  expect(explored.properties.map(({verdict}) => verdict)).toEqual(['fails']);
  return whoseIs('mine', scenario, exploration, explored, functions);
}

const mark = {marked: 'yes'};

describe('a finding is', () => {
  test("Crossplane's own, if it also shows with the function passing through", () => {
    const pipeline = [step('function-static', [resource(mark)]), step('function-own', [])];
    const found = whose(pipeline, {'function-static': 'function-static', 'function-own': 'own'});
    expect(found).toMatchObject({shows: 'too', without: ['function-own']});
    expect(found.text).toBe("Crossplane's own: it also shows if function-own passes everything through");
  });

  test("Crossplane's own, if no function decides anything", () => {
    const found = whose([step('function-static', [resource(mark)])], {'function-static': 'function-static'});
    expect(found).toMatchObject({shows: 'too', without: []});
  });

  test("the pipeline's, if it does not", () => {
    const pipeline = [step('function-static', [resource({})]), step('function-own', [resource(mark)])];
    const found = whose(pipeline, {'function-static': 'function-static', 'function-own': 'own'});
    expect(found).toMatchObject({shows: 'not', without: ['function-own']});
  });

  test('not told apart, if nothing is composed without the function', () => {
    const found = whose([step('function-own', [resource(mark)])], {'function-own': 'own'});
    expect(found).toMatchObject({shows: 'unknown'});
    expect(found.text).toContain('without function-own nothing is composed');
  });
});

describe('--twin', () => {
  const refuse = (scenario: Scenario, twin: string) =>
    refuseIncomparable(scenario, openTwins(scenario, {crossplane: 'main', twin: [twin], functions}), [twin]);
  const names = {'function-static': 'function-static', 'function-own': 'own'};
  const pipeline = [step('function-static', [resource({})]), step('function-own', [])];

  test('refuses a function without which nothing is composed', () => {
    const scenario = scenarioOf(pipeline, names, {});
    expect(() => refuse(scenario, 'function-static')).toThrow(
      /^cannot compare with and without function-static: without it nothing is composed/,
    );
  });

  test('takes a function that changes what others compose, and one of a story that composes nothing', () => {
    expect(() => refuse(scenarioOf(pipeline, names, {}), 'function-own')).not.toThrow();
    const empty = scenarioOf([step('function-static', []), step('function-own', [])], names, {});
    expect(() => refuse(empty, 'function-static')).not.toThrow();
  });
});
