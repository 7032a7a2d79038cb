import {readFileSync} from 'node:fs';
import {parseAllDocuments} from 'yaml';
import type {ApiRequest} from '../../src/cluster/api/request.ts';
import type {Process} from '../../src/cluster/kernel/process.ts';
import {next, perform, submit} from '../../src/cluster/kernel/step.ts';
import type {Definition, Observer, World} from '../../src/cluster/kernel/world.ts';
import {conditionOf, groupKindOf, type KubeObject, type ResourceRef, refOf} from '../../src/cluster/object.ts';
import {nopProvider} from '../../src/cluster/provider/nop-provider.ts';
import {openControlPlane} from '../../src/harness/control-plane/control-plane.ts';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {functionStatic} from '../../src/harness/functions/function-static.ts';

// `npm run bench:world`: how fast the simulated control plane runs a whole story on one core. A story is an XR with
// three composed resources and a Usage: applied, Ready, deleted, everything gone. Every story starts from the same value
// of the world, so what a story leaves on the heap shows as growth.

const storiesMax = Number(process.argv[2] ?? 10_000);
// The engine compiles functions as they turn out hot: 2.5 s of its own CPU time in the first thousand stories, half a
// second in each of the third to sixth, a fifth of a second from then on (--trace-opt). What the first thousand cost is
// printed by itself; then the world is warm.
const coldStories = 1000;
const warmUp = 2000;

/** The nearest recorded story, two resources and a Usage: from each step's start to the last watch event it caused. */
const recorded = {name: 'c-clusterusage-replay-true', activeSeconds: 6.7};

interface Counts {
  api: number;
  reconciles: number;
}

const composedKinds = ['NopResource.nop.example.org', 'ClusterUsage.protection.crossplane.io'];
const {definition, world: established} = establish();
const cold = cpuSecondsOf(coldStories);
cpuSecondsOf(warmUp);

const counts: Counts = {api: 0, reconciles: 0};
const observe: Observer = (_, entry) => {
  if (entry.kind === 'api') counts.api++;
  if (entry.kind === 'reconcile' && entry.phase === 'end') counts.reconciles++;
};
const virtualMs = runStory(observe);

const heapBefore = heapBytes();
const startedMs = performance.now();
const seconds = cpuSecondsOf(storiesMax);
const wallSeconds = (performance.now() - startedMs) / 1000;
const heapAfter = heapBytes();

const perSecond = storiesMax / seconds;
console.log(`story: 3 composed resources and a Usage, created, Ready, deleted, gone (Crossplane main, Background)`);
console.log(
  `one story: ${counts.api} API operations, ${counts.reconciles} reconciles, ${(virtualMs / 1000).toFixed(1)} s of virtual time`,
);
console.log(
  `stories/s          ${perSecond.toFixed(0)}, and ${(coldStories / cold).toFixed(0)} in the first ${coldStories}, while functions are compiled`,
);
console.log(`API operations/s   ${(perSecond * counts.api).toFixed(0)}`);
console.log(`reconciles/s       ${(perSecond * counts.reconciles).toFixed(0)}`);
console.log(
  `stories run        ${storiesMax} in ${seconds.toFixed(1)} s of CPU time, ${wallSeconds.toFixed(1)} s of wall time`,
);
console.log(
  `heap               ${mib(heapBefore)} MiB before, ${mib(heapAfter)} MiB after, ${((heapAfter - heapBefore) / storiesMax).toFixed(0)} B a story`,
);
console.log(`the real one       1 story in ${recorded.activeSeconds} s (recording ${recorded.name}, waits left out)`);

/** A core's time, not the wall's: on a shared machine only the first says what one core does. */
function cpuSecondsOf(stories: number): number {
  const before = process.cpuUsage();
  for (let index = 0; index < stories; index++) runStory(undefined);
  const {user, system} = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}

function establish(): {readonly definition: Definition; readonly world: World} {
  const controlPlane = openControlPlane({
    crossplane: 'main',
    seed: 1,
    functions: {'function-static': functionStatic},
    provider: nopProvider(['NopResource.nop.example.org']) as unknown as Process<never>,
  });
  const {session} = controlPlane;
  for (const object of [...manifests('xrds.yaml'), ...manifests('managed-crds.yaml'), composition()]) {
    const ref = refOf(object);
    const response = session.submit('user', {
      verb: 'patch',
      type: 'apply',
      ref,
      body: object,
      manager: 'user',
      force: true,
    });
    if (!response.ok) throw new Error(`cannot apply ${object.kind} "${ref.name}": ${response.message}`);
  }
  driveHere(session.run(session.nowMs + 60_000));
  return {definition: controlPlane.definition, world: session.world};
}

function manifests(file: string): readonly KubeObject[] {
  const text = readFileSync(new URL(`../recordings/control-plane/${file}`, import.meta.url), 'utf8');
  return parseAllDocuments(text).map((document) => document.toJS() as KubeObject);
}

function composition(): KubeObject {
  const nop = {apiVersion: 'nop.example.org/v1alpha1', kind: 'NopResource'};
  const resources = ['A', 'B', 'C'].map((name) => ({
    name,
    ready: 'Auto',
    base: {...nop, metadata: {labels: {role: name}}, spec: {v: name}},
  }));
  const end = (role: string) => ({...nop, resourceSelector: {matchControllerRef: true, matchLabels: {role}}});
  const usage = {
    apiVersion: 'protection.crossplane.io/v1beta1',
    kind: 'ClusterUsage',
    spec: {of: end('A'), by: end('B'), replayDeletion: true},
  };
  const input = {
    apiVersion: 'static.fn.example.org/v1',
    kind: 'Input',
    resources,
    usages: [{name: 'usage', ready: 'Auto', base: usage}],
  };
  return {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: {name: 'bench'},
    spec: {
      compositeTypeRef: {apiVersion: 'ref.example.org/v1', kind: 'XClusterApp'},
      mode: 'Pipeline',
      pipeline: [{step: 'static', functionRef: {name: 'function-static'}, input}],
    },
  } as unknown as KubeObject;
}

/** Answers how long the story took on the virtual clock. */
function runStory(observe: Observer | undefined): number {
  const outside = observe === undefined ? {} : {observe};
  const kind = {apiVersion: 'ref.example.org/v1', kind: 'XClusterApp'};
  const ref = {...kind, name: 'bench'};
  const xr = {...kind, metadata: {name: 'bench'}, spec: {size: 's', crossplane: {compositionRef: {name: 'bench'}}}};
  let world = ask(established, {verb: 'patch', type: 'apply', ref, body: xr, manager: 'user', force: true});
  world = until(world, () => conditionOf(stored(world, ref), 'Ready')?.status === 'True');
  world = ask(world, {verb: 'delete', ref, propagationPolicy: 'Background'});
  world = until(world, () => stored(world, ref) === undefined && left(world) === 0);
  return world.nowMs - established.nowMs;

  function ask(before: World, request: ApiRequest): World {
    const {world: after, response} = submit(definition, before, 'user', request, outside);
    if (!response.ok) throw new Error(response.message);
    return after;
  }

  function until(before: World, done: () => boolean): World {
    world = before;
    while (!done()) {
      const action = next(world);
      if (action === undefined || action.atMs > established.nowMs + 600_000) throw new Error('the story does not end');
      world = perform(definition, world, action, outside);
    }
    return world;
  }
}

function stored(world: World, ref: ResourceRef): KubeObject | undefined {
  return world.server.objects.get(groupKindOf(ref))?.get(ref.name);
}

function left(world: World): number {
  return composedKinds.reduce((count, kind) => count + (world.server.objects.get(kind)?.size ?? 0), 0);
}

function heapBytes(): number {
  // With --expose-gc the figure is what is really held.
  (globalThis as {gc?: () => void}).gc?.();
  return process.memoryUsage().heapUsed;
}

function mib(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
