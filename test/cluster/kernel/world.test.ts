import {describe, expect, test} from 'vitest';
import type {Json} from '../../../src/cluster/json.ts';
import {
  api,
  cached,
  choose,
  memory,
  note,
  now,
  type Reconcile,
  type Step,
  sleep,
  spawn,
} from '../../../src/cluster/kernel/call.ts';
import {initialWorld} from '../../../src/cluster/kernel/draft.ts';
import type {Controller, Process, Watch} from '../../../src/cluster/kernel/process.ts';
import {keyOf} from '../../../src/cluster/kernel/process.ts';
import {
  type Action,
  advanceClock,
  armCrash,
  enabled,
  killProcess,
  next,
  perform,
  startProcess,
  stopProcess,
  submit,
} from '../../../src/cluster/kernel/step.ts';
import {crashPointReason} from '../../../src/cluster/kernel/task.ts';
import {type Definition, defaultLatency, type TraceEntry, type World} from '../../../src/cluster/kernel/world.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';

// A controller of ConfigMaps small enough to see through: it counts its reconciles in memory and labels what it sees.

interface Memory {
  readonly seen: number;
  readonly watching: boolean;
}

const configMap = {apiVersion: 'v1', kind: 'ConfigMap'};

function* label(key: string): Reconcile {
  yield* memory<Memory>(({seen, watching}) => ({seen: seen + 1, watching}));
  const [namespace = '', name = ''] = key.split('/');
  const reply = yield* cached({verb: 'get', ref: {...configMap, namespace, name}});
  if (!reply.ok || reply.object === undefined) return {kind: 'done'};
  if (reply.object.metadata.labels?.['seen'] !== undefined) return {kind: 'done'};
  const labelled = {...reply.object, metadata: {...reply.object.metadata, labels: {seen: 'yes'}}};
  yield* note({type: 'Log', reason: crashPointReason, message: 'pre-update'});
  const response = yield* api({verb: 'update', object: labelled, manager: 'labeller'});
  return response.ok ? {kind: 'done'} : {kind: 'retry', reason: response.message};
}

const watchConfigMaps: Watch<Memory> = {
  ...configMap,
  controller: 'labeller',
  id: 'all',
  handle: ({object}) => ({keys: [{key: keyOf(object.metadata)}]}),
};

function processWith(reconcile: Controller['reconcile'], rest: Partial<Process<Memory>> = {}): Process<Memory> {
  return {
    name: 'labeller',
    start: () => ({seen: 0, watching: true}),
    controllers: () => [{name: 'labeller', reconcile, backoff: {baseMs: 1_000, maxMs: 60_000}, timeoutMs: 120_000}],
    watches: ({watching}) => (watching ? [watchConfigMaps] : []),
    ...rest,
  };
}

function definitionOf(process: Process<Memory>): Definition {
  return {processes: [process as unknown as Process<never>], functions: {}, latency: defaultLatency};
}

/** Runs until nothing more happens before `untilMs`. */
function run(definition: Definition, from: World, untilMs = 600_000, observe?: (entry: TraceEntry) => void): World {
  let world = from;
  for (let action = next(world); action !== undefined && action.atMs <= untilMs; action = next(world)) {
    world = perform(definition, world, action, observe === undefined ? {} : {observe: (_, entry) => observe(entry)});
  }
  return world;
}

function withConfigMap(definition: Definition, world: World, name: string): World {
  const object = {...configMap, metadata: {name, namespace: 'default'}, data: {}} as KubeObject;
  return submit(definition, world, 'user', {verb: 'create', object, manager: 'user'}).world;
}

function labelOf(definition: Definition, world: World, name: string): Json | undefined {
  const ref = {...configMap, namespace: 'default', name};
  const {response} = submit(definition, world, 'user', {verb: 'get', ref});
  return response.ok ? response.object?.metadata.labels?.['seen'] : undefined;
}

function reconcilesOf(world: World): number {
  return (world.processes.get('labeller')?.memory as Memory | undefined)?.seen ?? 0;
}

describe('a process in the simulated world', () => {
  const definition = definitionOf(processWith(label));

  test('hears of an object made while it runs, and of one that was there before', () => {
    let world = withConfigMap(definition, initialWorld(definition, 1), 'before');
    world = withConfigMap(definition, startProcess(definition, world, 'labeller'), 'after');
    world = run(definition, world);
    expect([labelOf(definition, world, 'before'), labelOf(definition, world, 'after')]).toEqual(['yes', 'yes']);
  });

  test('is woken by its own write: the label event starts one more reconcile', () => {
    const world = run(
      definition,
      withConfigMap(definition, startProcess(definition, initialWorld(definition, 1), 'labeller'), 'a'),
    );
    expect(reconcilesOf(world)).toBe(2);
  });

  test('reads a cache that is behind the store until the event is delivered', () => {
    let world = run(definition, startProcess(definition, initialWorld(definition, 1), 'labeller'));
    world = withConfigMap(definition, world, 'late');
    const informer = world.processes.get('labeller')?.informers.get('ConfigMap.v1');
    expect(informer?.objects.size).toBe(0);
    expect(informer?.pending).toHaveLength(1);
    expect(run(definition, world).processes.get('labeller')?.informers.get('ConfigMap.v1')?.objects.size).toBe(1);
  });

  test('loses memory, queues and reconciles in flight when it dies, and starts over when it is started again', () => {
    let world = withConfigMap(definition, startProcess(definition, initialWorld(definition, 1), 'labeller'), 'a');
    world = killProcess(definition, armCrash(world, {process: 'labeller', point: 'elsewhere'}), 'labeller', 'test');
    expect(next(world)).toBeUndefined();
    world = run(definition, startProcess(definition, world, 'labeller'));
    expect(labelOf(definition, world, 'a')).toBe('yes');
    expect(world.armed).toEqual([]);
  });

  test('dies at the crash point that was armed, before the call that follows it', () => {
    const armed = armCrash(withConfigMap(definition, initialWorld(definition, 1), 'a'), {
      process: 'labeller',
      point: 'pre-update',
    });
    const world = run(definition, startProcess(definition, armed, 'labeller'));
    expect(world.processes.has('labeller')).toBe(false);
    expect(labelOf(definition, world, 'a')).toBeUndefined();
  });

  test('is told nothing while it is stopped', () => {
    const world = stopProcess(
      definition,
      startProcess(definition, initialWorld(definition, 1), 'labeller'),
      'labeller',
    );
    expect(enabled(withConfigMap(definition, world, 'a'))).toEqual([]);
  });
});

describe('a world is a value', () => {
  const definition = definitionOf(processWith(label));
  const start = withConfigMap(definition, startProcess(definition, initialWorld(definition, 1), 'labeller'), 'a');

  test('the same state stepped twice ends the same, also in the middle of a reconcile', () => {
    let world = start;
    const inFlight: World[] = [];
    for (let action = next(world); action !== undefined; action = next(world)) {
      world = perform(definition, world, action);
      if ([...(world.processes.get('labeller')?.tasks.values() ?? [])].length > 0) inFlight.push(world);
    }
    expect(inFlight.length).toBeGreaterThan(0);
    for (const fork of inFlight) {
      const again = run(definition, fork);
      expect(labelOf(definition, again, 'a')).toBe('yes');
      expect(again.sequence).toBe(world.sequence);
      expect(reconcilesOf(again)).toBe(reconcilesOf(world));
    }
  });

  test('an answer from outside replaces the call: a conflict is a fault the world can be given', () => {
    let world = start;
    let faulted = false;
    const retries: string[] = [];
    for (let action = next(world); action !== undefined; action = next(world)) {
      const conflict = {ok: false, code: 409, reason: 'Conflict', message: 'the object has been modified'};
      const answer: unknown = !faulted && action.kind === 'call' ? conflict : undefined;
      faulted ||= answer !== undefined;
      const observe = (_: number, entry: TraceEntry): void => {
        if (entry.kind === 'reconcile' && entry.phase === 'end' && entry.outcome?.kind === 'retry')
          retries.push(entry.outcome.reason);
      };
      world = perform(definition, world, action, answer === undefined ? {observe} : {observe, answer});
    }
    expect(retries).toEqual(['the object has been modified']);
    expect(labelOf(definition, world, 'a')).toBe('yes');
    expect(world.nowMs).toBeGreaterThanOrEqual(1_000);
  });
});

describe('time', () => {
  function* twice(): Reconcile {
    const before = yield* now();
    yield* sleep(250);
    const after = yield* now();
    yield* memory<Memory>(({watching}) => ({seen: after - before, watching}));
    return {kind: 'done'};
  }

  test('passes only by what is waited for', () => {
    const definition = definitionOf(processWith(twice));
    const world = run(
      definition,
      withConfigMap(definition, startProcess(definition, initialWorld(definition, 1), 'labeller'), 'a'),
    );
    expect(reconcilesOf(world)).toBe(250);
  });

  test('a choice is the seed’s, unless the chooser makes it', () => {
    function* dice(): Reconcile {
      const value = yield* choose(6, 'a die');
      yield* memory<Memory>(({watching}) => ({seen: value + 10, watching}));
      return {kind: 'done'};
    }
    const definition = definitionOf(processWith(dice));
    const start = withConfigMap(definition, startProcess(definition, initialWorld(definition, 1), 'labeller'), 'a');
    const chosen = [0, 5].map((value) => {
      let world = start;
      for (let action: Action | undefined = next(world); action !== undefined; action = next(world)) {
        world = perform(definition, world, action, {chooser: () => value});
      }
      return reconcilesOf(world);
    });
    expect(chosen).toEqual([10, 15]);
    expect(reconcilesOf(run(definition, start))).toBe(reconcilesOf(run(definition, start)));
  });
});

test('what is next is the first due of all that is enabled, at every moment and however often it is asked', () => {
  function* readSecret(key: string): Reconcile {
    yield* cached({verb: 'get', ref: {apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 'x'}});
    return yield* label(key);
  }
  const reader = {...processWith(readSecret), name: 'reader'};
  const one = definitionOf(processWith(label));
  const definition = {...one, processes: [...one.processes, ...definitionOf(reader).processes]};
  const started = ['labeller', 'reader'].reduce(
    (world, name) => startProcess(definition, world, name),
    initialWorld(definition, 1),
  );
  const kinds = new Set<string>();
  let world = withConfigMap(definition, started, 'a');
  for (let action = next(world); action !== undefined; action = next(world)) {
    // Worlds that waited a little or longer, too: a task that waits for a synced cache looks every 100 ms, and later if that went by.
    const waited = [5, 150, 450, 0].map((ms) => advanceClock(world, world.nowMs + ms));
    for (const state of [world, world, ...waited]) {
      expect(next(state)).toEqual(enabled(state).reduce((best, other) => (other.atMs < best.atMs ? other : best)));
    }
    kinds.add(action.kind);
    world = perform(definition, world, action);
  }
  expect(enabled(world)).toEqual([]);
  expect([...kinds].sort()).toEqual(['cached', 'call', 'deliver', 'list', 'start']);
});

describe('informers', () => {
  const things = {apiVersion: 'things.example.org/v1', kind: 'Thing'};

  test('of a kind that does not exist never sync: a cached read waits its whole deadline', () => {
    const answers: unknown[] = [];
    function* readThing(): Reconcile {
      answers.push(yield* cached({verb: 'get', ref: {...things, name: 'x'}}));
      return {kind: 'done'};
    }
    const definition = definitionOf(processWith(readThing));
    const world = run(
      definition,
      withConfigMap(definition, startProcess(definition, initialWorld(definition, 1), 'labeller'), 'a'),
      121_000,
    );
    expect(answers).toEqual([
      {
        ok: false,
        reason: 'Timeout',
        message: 'Timeout: failed waiting for *unstructured.Unstructured Informer to sync',
      },
    ]);
    expect(world.nowMs).toBeGreaterThanOrEqual(120_000);
  });

  test('are waited for by a look every 100 ms, so a new one costs the reconcile at least that', () => {
    const waited: number[] = [];
    function* readSecret(): Reconcile {
      const since = yield* now();
      yield* cached({verb: 'get', ref: {apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 'x'}});
      waited.push((yield* now()) - since);
      return {kind: 'done'};
    }
    const definition = definitionOf(processWith(readSecret));
    const started = startProcess(definition, initialWorld(definition, 1), 'labeller');
    const once = run(definition, withConfigMap(definition, started, 'a'), 1000);
    run(definition, withConfigMap(definition, once, 'b'), 2000);
    expect(waited).toEqual([100, 0]);
  });

  test('find an object of a cluster-scoped kind in whatever namespace, and one in a namespace there alone', () => {
    const found: (string | undefined)[] = [];
    function* readBoth(): Reconcile {
      for (const ref of [
        {apiVersion: 'v1', kind: 'Namespace', namespace: 'elsewhere', name: 'default'},
        {...configMap, namespace: 'elsewhere', name: 'a'},
        {...configMap, namespace: 'default', name: 'a'},
      ]) {
        const reply = yield* cached({verb: 'get', ref});
        found.push(reply.ok ? reply.object?.metadata.name : reply.message);
      }
      return {kind: 'done'};
    }
    const definition = definitionOf(processWith(readBoth));
    const started = startProcess(definition, initialWorld(definition, 1), 'labeller');
    run(definition, withConfigMap(definition, started, 'a'), 5000);
    expect(found).toEqual(['default', undefined, 'a']);
  });

  test('of a watch that memory no longer asks for are gone, and come back with every object', () => {
    function* toggle(): Reconcile {
      yield* memory<Memory>(({seen}) => ({seen: seen + 1, watching: false}));
      return {kind: 'done'};
    }
    const definition = definitionOf(processWith(toggle));
    const world = run(
      definition,
      withConfigMap(definition, startProcess(definition, initialWorld(definition, 1), 'labeller'), 'a'),
    );
    expect([...(world.processes.get('labeller')?.informers.keys() ?? [])]).toEqual([]);
    expect(enabled(withConfigMap(definition, world, 'b'))).toEqual([]);
  });
});

test('a routine outlives the reconcile that spawned it, and not its process', () => {
  function* spawnOne(): Reconcile {
    yield* spawn('later', {});
    return {kind: 'done'};
  }
  function* later(): Step<void> {
    yield* sleep(2_000);
    yield* memory<Memory>(({watching}) => ({seen: 99, watching}));
  }
  const definition = definitionOf(processWith(spawnOne, {routines: {later}}));
  const start = withConfigMap(definition, startProcess(definition, initialWorld(definition, 1), 'labeller'), 'a');
  expect(reconcilesOf(run(definition, start))).toBe(99);
  // Nothing is left to wake the next process: had the routine survived, it would still write.
  const ref = {...configMap, namespace: 'default', name: 'a'};
  const stopped = stopProcess(definition, run(definition, start, 1_000), 'labeller');
  const emptied = submit(definition, stopped, 'user', {verb: 'delete', ref}).world;
  expect(reconcilesOf(run(definition, startProcess(definition, emptied, 'labeller')))).toBe(0);
});
