import {expect, test} from 'vitest';
import {builtins} from '../../../src/harness/functions/builtin.ts';
import {passing} from '../../../src/harness/functions/passing.ts';
import type {Scenario, Step} from '../../../src/harness/scenario/scenario.ts';
import {asStruck} from '../../../src/harness/twin/as-struck.ts';
import {openTwins, runTwins} from '../../../src/harness/twin/twin.ts';
import {drawStory} from '../../../src/harness/worlds/generate.ts';

const drawn = drawStory(1n, 0, 'main');
const [setUp, ask] = drawn.steps as readonly [Step, Step];
const plain: Scenario = {...drawn, steps: [setUp, ask].map(({faults: _, early: __, ...step}) => step)};

test('a fault that struck a step later stands beside that step', () => {
  const late: Scenario = {...plain, steps: [{...(plain.steps[0] as Step), faults: [{fault: 'conflict', at: 30}]}, ask]};
  const [moved] = asStruck(late, {happened: [{fault: 'conflict', move: 1, at: 2}]});
  expect(moved?.steps.map(({faults}) => faults)).toEqual([undefined, [{fault: 'conflict', at: 2}]]);
});

test('a story whose faults struck as they are written runs as it is', () => {
  const faults = [{fault: 'conflict' as const, at: 2}];
  const story: Scenario = {...plain, steps: [plain.steps[0] as Step, {...(plain.steps[1] as Step), faults}]};
  expect(asStruck(story, {happened: [{fault: 'conflict', move: 1, at: 2}]})).toEqual([]);
  expect(asStruck(plain, {happened: []})).toEqual([]);
});

test('a run says after which step a fault struck, and at which of its opportunities', () => {
  const functions = {...builtins, 'function-tether': passing};
  const setting = {crossplane: 'main' as const, twin: ['function-tether'], functions};
  const twins = openTwins(plain, setting);
  // Nobody asks a function before there is an XR: the fault waits for the second step.
  const faults = [{fault: 'function-error' as const, at: 1}];
  const story: Scenario = {...plain, steps: [{...(plain.steps[0] as Step), faults}, plain.steps[1] as Step]};
  const {happened} = runTwins(twins, story, setting).with.run;
  expect(happened.map(({fault, move}) => [fault, move])).toEqual([['function-error', 1]]);
  const [moved] = asStruck(story, {happened});
  const again = runTwins(twins, moved as Scenario, setting).with.run;
  expect(again.happened).toEqual(happened);
});
