// Many reconciles in a world of a few rules: composed GC, owner references, the Usage webhook and finalizers that take
// their time. What one plan decides is one thing; that all of them together end, and end in order, is another.

import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {Input} from '../../src/lifecycle/input/input.ts';
import {plan} from '../../src/lifecycle/plan/plan.ts';
import {at, isObject, type JsonObject} from '../../src/lifecycle/words/json.ts';
import type {DesiredView, ResourceView} from '../../src/lifecycle/words/snapshot.ts';
import {view, xr, xrUid} from './given.ts';

const nothingElse = {
  bytes: {observed: 0, desired: 0, others: 0},
  schemas: undefined,
  desiredXr: undefined,
  context: () => undefined,
};

interface Thing {
  readonly body: JsonObject;
  readonly ours: boolean;
  readonly inUse: boolean;
  /** Reconciles until its finalizer lets it go, once it is being deleted. */
  readonly slow: number;
  readonly deleting: number | undefined;
}

interface World {
  readonly things: Map<string, Thing>;
  /** Resource name to object name: the XR's resourceRefs. */
  refs: Map<string, string>;
  readonly gone: string[];
  denied: number;
}

const spec = {apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing'};

/** One reconcile with these desired resource names: plan, composed GC, refs, apply, and then the other controllers. */
function reconcile(world: World, names: readonly string[], input: Input): void {
  const observed = observe(world);
  const desired = new Map(
    names.map((name): [string, DesiredView] => [name, {...view({...spec, metadata: {}}), ready: 'true'}]),
  );
  let required = new Map<string, readonly ResourceView[]>();
  let result = plan({xr, observed, desired, required, ...nothingElse}, input);
  for (let call = 0; call < 2; call++) {
    if (result.kind !== 'plan') throw new Error(`${result.path}: ${result.got}`);
    required = new Map(
      [...result.requirements].map(([key, {match}]) => {
        const found = match.kind === 'name' ? world.things.get(match.name) : undefined;
        return [key, found === undefined ? [] : [viewOf(found)]];
      }),
    );
    result = plan({xr, observed, desired, required, ...nothingElse}, input);
  }
  if (result.kind !== 'plan') return;
  const final = new Map<string, JsonObject>(names.map((name) => [name, {...spec, metadata: {}}]));
  for (const [name, edit] of result.edits) {
    if (edit.kind === 'drop') final.delete(name);
    if (edit.kind === 'put') final.set(name, edit.object);
    if (edit.kind === 'amend') {
      final.set(name, {
        ...spec,
        metadata: {labels: edit.overlay.metadata.labels, annotations: edit.overlay.metadata.annotations},
      });
    }
  }
  if (compose(world, observed, final)) apply(world, final);
  others(world);
}

function observe({things, refs}: World): Map<string, ResourceView> {
  const observed = new Map<string, ResourceView>();
  for (const [name, object] of refs) {
    const thing = things.get(object);
    if (thing !== undefined) observed.set(name, viewOf(thing));
  }
  return observed;
}

/** Composed GC: skips what nobody controls, stops at the first denied deletion. */
function compose(
  world: World,
  observed: ReadonlyMap<string, ResourceView>,
  final: ReadonlyMap<string, JsonObject>,
): boolean {
  for (const [name, {name: object}] of observed) {
    const thing = world.things.get(object);
    if (final.has(name) || thing === undefined || !thing.ours) continue;
    if (thing.inUse) {
      world.denied++;
      return false;
    }
    world.things.set(object, {...thing, deleting: thing.deleting ?? thing.slow});
  }
  return true;
}

function apply(world: World, final: ReadonlyMap<string, JsonObject>): void {
  const before = world.refs;
  world.refs = new Map();
  for (const [name, body] of final) {
    const object = before.get(name) ?? ((at(body, ['metadata', 'name']) as string | undefined) || `net-${name}`);
    const thing = world.things.get(object);
    world.refs.set(name, object);
    world.things.set(object, {
      // A Usage takes a while to go, and its label with it.
      slow: at(body, ['spec', 'of']) === undefined ? 0 : 1,
      inUse: false,
      deleting: undefined,
      ...thing,
      ours: true,
      body: {...thing?.body, ...body, metadata: {...(body['metadata'] as JsonObject), name: object}},
    });
  }
}

/** Finalizers, and the Usage controller with its in-use label. */
function others(world: World): void {
  for (const [name, thing] of world.things) {
    if (thing.deleting === undefined) continue;
    if (thing.deleting > 0) world.things.set(name, {...thing, deleting: thing.deleting - 1});
    else {
      world.things.delete(name);
      world.gone.push(name);
    }
  }
  const used = new Set(
    [...world.things.values()]
      .map(({body}) => at(body, ['spec', 'of', 'resourceRef', 'name']))
      .filter((name) => name !== undefined),
  );
  for (const [name, thing] of world.things) world.things.set(name, {...thing, inUse: used.has(name)});
}

function viewOf({body, ours, inUse, deleting}: Thing): ResourceView {
  const metadata = isObject(body['metadata']) ? body['metadata'] : {};
  const labels = isObject(metadata['labels']) ? metadata['labels'] : {};
  return view({
    ...body,
    metadata: {
      ...metadata,
      labels: {...labels, ...(inUse ? {'crossplane.io/in-use': 'true'} : {})},
      ...(ours ? {ownerReferences: [{controller: true, uid: xrUid}]} : {}),
      ...(deleting === undefined ? {} : {deletionTimestamp: 'set'}),
    },
  });
}

const names = ['a', 'b', 'c', 'd', 'e'];

/** `by` comes later in the alphabet than `of`, so that there is no cycle. */
const world = fc.record({
  pairs: fc.array(
    fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)).filter(([of, by]) => of < by),
    {maxLength: 6},
  ),
  dropped: fc.subarray(names),
  restored: fc.subarray(names),
  slow: fc.array(fc.integer({min: 0, max: 4}), {minLength: 5, maxLength: 5}),
  declaredToo: fc.boolean(),
});

describe('over many reconciles', () => {
  it('whatever is dropped goes, in order, and nothing is orphaned or denied', () => {
    let removals = 0;
    let adoptions = 0;
    fc.assert(
      fc.property(world, ({pairs, dropped, restored, slow, declaredToo}) => {
        const staying = names.filter((name) => !dropped.includes(name));
        // A declared order in which `of` is dropped and `by` stays is held for good: not a removal that has to end.
        const wanted = pairs.filter(([of, by]) => !dropped.includes(of) || dropped.includes(by));
        const before: Input = {usages: wanted.map(([of, by]) => ({of, by, optional: true}))};
        const after: Input = declaredToo ? before : {};
        const state: World = {things: new Map(), refs: new Map(), gone: [], denied: 0};
        for (let i = 0; i < 3; i++) reconcile(state, names, before);
        for (const [index, name] of names.entries()) {
          const thing = state.things.get(`net-${name}`);
          if (thing === undefined) throw new Error(`${name} was not made`);
          state.things.set(`net-${name}`, {...thing, slow: slow[index] ?? 0, ours: !restored.includes(name)});
        }
        for (let i = 0; i < 60; i++) reconcile(state, staying, after);
        const left = [...state.things.keys()].filter((name) => names.includes(name.slice(4))).sort();
        expect(left).toEqual(staying.map((name) => `net-${name}`));
        for (const [of, by] of wanted.filter(([end]) => dropped.includes(end))) {
          expect(state.gone.indexOf(`net-${by}`)).toBeLessThan(state.gone.indexOf(`net-${of}`));
        }
        expect(state.denied).toBe(0);
        expect([...state.things.values()].every(({ours}) => ours)).toBe(true);
        removals += dropped.length;
        adoptions += restored.length;
      }),
      {numRuns: 150},
    );
    expect(removals).toBeGreaterThan(50);
    expect(adoptions).toBeGreaterThan(50);
  });

  it('settles: once nothing changes, the plans no longer do', () => {
    const input: Input = {usages: [{of: 'a', by: 'b'}]};
    const state: World = {things: new Map(), refs: new Map(), gone: [], denied: 0};
    const seen: string[] = [];
    for (let i = 0; i < 6; i++) {
      reconcile(state, ['a', 'b'], input);
      seen.push(JSON.stringify([...state.things]));
    }
    expect(seen[5]).toBe(seen[4]);
    expect(seen[4]).toBe(seen[3]);
  });
});
