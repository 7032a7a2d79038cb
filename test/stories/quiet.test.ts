// While nothing is going on nothing is asked: function-tether gives the same answer to the same request, so it has no wish of
// its own how soon it is asked again. The other step asks for an hour.

import {expect, test} from 'vitest';
import {readScenario} from '../../src/harness/scenario/read-scenario.ts';
import {runScenario} from '../../src/harness/scenario/run-scenario.ts';
import {emptyFolder} from '../cli/folder.ts';
import {composition, definition} from '../platform.ts';
import {registry} from './registry.ts';

const folder = emptyFolder();
const shop = {apiVersion: 'e.org/v1', kind: 'Shop'};
const base = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {namespace: 'team'}, data: {a: 'b'}};
const inputs = {
  make: {
    apiVersion: 'static.fn.example.org/v1',
    kind: 'Input',
    ttlSeconds: 3600,
    resources: [{name: 'a', ready: 'True', base}],
  },
  'function-tether': {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input'},
};
folder.write(
  'objects.yaml',
  {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'team'}},
  definition(shop),
  composition(shop, ...Object.entries(inputs).map(([name, input]) => ({step: name, functionRef: {name}, input}))),
);
folder.write('shop.yaml', {...shop, metadata: {name: 'first'}, spec: {}});
folder.write(
  'scenario.yaml',
  `
name: quiet
fixtures: [objects.yaml]
functions: {make: {builtin: function-static}, function-tether: {builtin: function-tether}}
steps:
  - {name: a shop, apply: shop.yaml, wait: {quiet: 30s, timeout: 5m}}
  - {name: six hours, wait: 6h}
expect:
  - {object: {kind: ConfigMap, resource: a}, exists: true}
`,
);

test.each(['main', '2.3'] as const)(
  'six quiet hours on Crossplane %s take the reconciles of the other step',
  async (crossplane) => {
    const scenario = readScenario(`${folder.path}/scenario.yaml`, registry);
    const [variant] = scenario.variants;
    if (variant === undefined) throw new Error('a scenario has a variant');
    const {reconciles, failures} = await runScenario(scenario, {crossplane, variant, builtins: registry});
    expect(failures).toEqual([]);
    // Two at the start, and one an hour.
    expect(reconciles).toBeLessThanOrEqual(10);
  },
);
