import {parseExploreArgs} from '../../src/cli/explore-options.ts';
import {runFunction} from '../../src/function/run.ts';
import {type Explored, explore, openExploration} from '../../src/harness/explore/explore.ts';
import {type Builtins, builtins} from '../../src/harness/functions/builtin.ts';
import {readScenario} from '../../src/harness/scenario/read-scenario.ts';

// `npm run bench:explore`: how many distinct states a second the explorer visits on one core, and what a state takes. The
// search is that of examples/explore/s1-tethered.yaml within the bounds its head states: an XR of three composed
// resources with function-tether in the pipeline, backup, wipe, restore and a Composition edit, every schedule that holds
// one step back and every other choice of one step, all properties checked in every state.

const file = new URL('../../examples/explore/s1-tethered.yaml', import.meta.url).pathname;
const flags = ['--moves', 'in-order', '--budget', 'reorder=1', '--budget', 'choice=1', '--all'];
// The engine compiles for some thousand states on.
const warmUpStates = 8_000;

tell(warmUpStates);
const heapBefore = heapBytes();
const startedMs = performance.now();
const cpuBefore = process.cpuUsage();
const explored = tell(undefined);
const cpu = process.cpuUsage(cpuBefore);
const wallSeconds = (performance.now() - startedMs) / 1000;
// A core's time, not the wall's: on a shared machine only the first says what one core does.
const seconds = (cpu.user + cpu.system) / 1_000_000;

console.log('search: an XR with 3 composed resources and function-tether, one step held back, one other choice');
console.log(`result             ${explored.outcome.kind}, ${explored.states} distinct states, depth ${explored.depth}`);
console.log(`states/s           ${(explored.states / seconds).toFixed(0)}`);
console.log(`transitions/s      ${(explored.transitions / seconds).toFixed(0)}`);
console.log(`time               ${seconds.toFixed(1)} s of CPU time, ${wallSeconds.toFixed(1)} s of wall time`);
console.log(`memory             ${mib(heapBefore)} MiB of heap before, at most ${mib(rssMax())} MiB resident`);

function tell(statesMax: number | undefined): Explored {
  const bounds = statesMax === undefined ? [] : ['--states', String(statesMax)];
  const args = parseExploreArgs([file, ...flags, ...bounds]);
  if (args === undefined) throw new Error('the flags ask for help');
  const functions: Builtins = {
    ...builtins,
    'function-tether': (request) => ({ok: true, response: runFunction(request)}),
  };
  return explore(openExploration(readScenario(file, functions), 'main', args, functions), args, () => undefined);
}

function heapBytes(): number {
  // With --expose-gc the figure is what is really held.
  (globalThis as {gc?: () => void}).gc?.();
  return process.memoryUsage().heapUsed;
}

function rssMax(): number {
  return process.resourceUsage().maxRSS * 1024;
}

function mib(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0);
}
