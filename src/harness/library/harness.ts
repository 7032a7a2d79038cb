// biome-ignore-all lint/performance/noBarrelFile: the package `function-tether/harness` is this file, and no other file imports
// it

// The harness for tests of composition functions: a simulated control plane with Crossplane, providers and a cloud.
//
//   await using world = await openWorld({
//     functions: {'my-function': {address: 'localhost:9443'}},
//     fixtures: ['crds.yaml', 'definition.yaml', 'composition.yaml'],
//   });
//   await world.apply('xr.yaml');
//   await expect(world).toConverge();

import '../../needs-node.ts';

export type {Selector} from '../control-plane/catalogue.ts';
export {InputError} from '../input/input-error.ts';
export type {RunResult} from '../scenario/run-result.ts';
export {matchers} from './matchers.ts';
export type {
  CrossplaneVersion,
  FunctionsUnderTest,
  FunctionUnderTest,
  Manifest,
  Patience,
  ProviderOptions,
  RunFunction,
  ScenarioOptions,
  WorldOptions,
} from './options.ts';
export {runScenarioFile} from './scenario.ts';
export {openWorld} from './simulated-world.ts';
export type {World} from './world.ts';
