import {describe, expect, it} from 'vitest';
import {parseExploreArgs} from '../../../src/cli/explore-options.ts';
import type {PropertyReport} from '../../../src/explore/result.ts';
import {explore, openExploration} from '../../../src/harness/explore/explore.ts';
import {manifestReader} from '../../../src/harness/input/manifests/read-manifests.ts';
import {parseYaml} from '../../../src/harness/input/yaml.ts';
import {parseScenario} from '../../../src/harness/scenario/parse-scenario.ts';

// A scenario states properties of its own, in CEL.

const configMap = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'one'}, data: {color: 'red'}};

function reports(stated: object, steps: readonly object[] = [{name: 'an object comes', apply: configMap}]) {
  const text = JSON.stringify({name: 'stated', crossplane: 'main', steps, explore: {moves: 'in-order', ...stated}});
  const [cursor] = parseYaml(text, 'stated.yaml');
  const args = parseExploreArgs(['stated.yaml', '--all', '--property', 'mine']);
  if (cursor === undefined || args === undefined) throw new Error('the scenario is empty');
  const scenario = parseScenario(cursor, manifestReader('stated.yaml'));
  return explore(openExploration(scenario, 'main', args, {}), args, () => undefined).properties;
}

function verdicts(stated: object): readonly PropertyReport['verdict'][] {
  return reports(stated).map(({verdict}) => verdict);
}

describe('properties in CEL', () => {
  const red = "objects.exists(o, o.kind == 'ConfigMap' && has(o.data) && o.data.color == 'red')";

  it('always: in every state', () => {
    expect(verdicts({always: [{name: 'mine', holds: `!${red}`}]})).toEqual(['fails']);
    expect(verdicts({always: [{name: 'mine', holds: `size(made) == 0 || ${red}`}]})).toEqual(['holds']);
  });

  it('sometimes: in one', () => {
    expect(verdicts({sometimes: [{name: 'mine', holds: red}]})).toEqual(['holds']);
    expect(verdicts({sometimes: [{name: 'mine', holds: "'an object goes' in made"}]})).toEqual(['fails']);
  });

  it('eventually: after the last step, on every run', () => {
    expect(verdicts({eventually: [{name: 'mine', holds: red}]})).toEqual(['holds']);
    expect(verdicts({eventually: [{name: 'mine', holds: `!${red}`}]})).toEqual(['fails']);
  });

  it('count what is there', () => {
    expect(
      verdicts({always: [{name: 'mine', holds: 'counts.alive == 0 && size(externals) == 0 && size(stopped) == 0'}]}),
    ).toEqual(['holds']);
  });
});

describe('a mistake in them', () => {
  const mine = {name: 'mine', holds: 'true'};
  it.each([
    [{always: [{name: 'mine', holds: 'objects.'}]}, /^stated\.yaml:1:\d+: cannot read "objects\." as CEL: /],
    [{always: [{name: 'mine', holds: 'size(made)'}]}, /cannot evaluate "size\(made\)": expected true or false/],
    [
      {always: [{name: 'mine', holds: 'nothing == 1'}]},
      /cannot read "nothing == 1" as CEL: unknown variable "nothing": known are objects, /,
    ],
    [{moves: 'any', eventually: [{name: 'mine', holds: 'true'}]}, /"mine" cannot be judged on a menu of moves/],
    [{never: []}, /unknown field "never" in explore/],
    [{budgets: {storm: 1}}, /explore\.budgets may have operator, .*, got "storm"/],
    [{always: [mine], sometimes: [mine]}, /two properties are named "mine"/],
  ])('%j is told in a sentence', (stated, sentence) => {
    expect(() => reports(stated)).toThrow(sentence);
  });
});
