// What `protect` protects stays protected in every state of every move: each story is walked write by write. No write may
// leave the XR, or an object whose deletion would delete its external resource, without a Usage. `delete XR` is denied
// wherever an XR has a Usage: that is Crossplane's webhook, and the last stories ask it in every phase.

import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {parseAllDocuments} from 'yaml';
import type {JsonObject} from '../../src/cluster/json.ts';
import {addressOf, controllerOf, groupOf, isDeleting, type KubeObject} from '../../src/cluster/object.ts';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {driveScenario} from '../../src/harness/scenario/drive-scenario.ts';
import type {RunResult} from '../../src/harness/scenario/run-result.ts';
import type {Scenario} from '../../src/harness/scenario/scenario.ts';
import {registry} from './registry.ts';
import {bucket, composition, readWhole, type Story, tell, to} from './small-move.ts';

const protecting = (name: string) => ({protect: {resources: [{match: {resources: [name]}}]}});
const nowhere = {metadata: {namespace: 'not-there'}};

const moves: {readonly [name: string]: Story} = {
  'to another kind': {
    before: [bucket('a', 'old')],
    after: [bucket('a', 'new')],
    inputBefore: protecting('a'),
    inputAfter: {...protecting('a'), ...to('new')},
  },
  'to a kind in a namespace': {
    before: [bucket('a', 'old')],
    after: [bucket('a', 'team-new')],
    inputBefore: protecting('a'),
    inputAfter: {...protecting('a'), ...to('team-new')},
  },
  'to an object that can never be applied': {
    before: [bucket('a', 'old')],
    after: [bucket('a', 'team-new', nowhere)],
    inputBefore: protecting('a'),
    inputAfter: {...protecting('a'), ...to('team-new')},
  },
  'to another resource name, which the rule of protect says from then on': {
    before: [bucket('a', 'old')],
    after: [bucket('b', 'old')],
    inputBefore: protecting('a'),
    inputAfter: {...protecting('b'), handover: [{from: {resources: ['a']}, to: {resource: 'b'}}]},
  },
  'to another resource name and kind at once': {
    before: [bucket('a', 'old')],
    after: [bucket('b', 'new')],
    inputBefore: protecting('a'),
    inputAfter: {
      ...protecting('b'),
      handover: [{from: {resources: ['a']}, to: {resource: 'b', apiVersion: 'new.example.org/v1'}}],
    },
  },
  'to another kind, which the rule of protect says from then on': {
    before: [bucket('a', 'old')],
    after: [bucket('a', 'new')],
    inputBefore: {protect: {resources: [{match: {kinds: [{apiVersion: 'old.example.org/v1', kind: 'Bucket'}]}}]}},
    inputAfter: {
      protect: {resources: [{match: {kinds: [{apiVersion: 'new.example.org/v1', kind: 'Bucket'}]}}]},
      ...to('new'),
    },
  },
  'that is turned back': {
    before: [bucket('a', 'old')],
    after: [bucket('a', 'new')],
    inputBefore: protecting('a'),
    inputAfter: {...protecting('a'), ...to('new')},
    soon: true,
    afterwards: [{name: 'back', apply: composition({}, [bucket('a', 'old')], protecting('a')), wait: '20m'}],
  },
};

describe.each(Object.entries(moves))('a move %s', (_, story) => {
  test('never leaves the XR or what it protects without a Usage', () => {
    const told = tell(story);
    expect(told.externals).toMatchObject({creates: 1, deletes: 0});
    expect(gapsIn(told, () => true)).toEqual([]);
  });

  test('has deleting the XR denied in every phase', () => {
    const asking = Array.from({length: 60}, () => ({delete: {kind: 'App', name: 'shop'}, wait: '50ms'}));
    const {afterwards = [], ...rest} = story;
    const told = tell({...rest, soon: 'at-once', afterwards: [...asking, ...afterwards, ...asking]});
    expect(told.externals).toMatchObject({creates: 1, deletes: 0});
    expect(isDeleting(told.xr)).toBe(false);
  });
});

describe('a move whose rule of protect means the old object alone', () => {
  test.each<[string, Story]>([
    [
      'by its kind',
      {
        before: [bucket('a', 'old')],
        after: [bucket('a', 'new')],
        inputAfter: {
          protect: {resources: [{match: {kinds: [{apiVersion: 'old.example.org/v1', kind: 'Bucket'}]}}]},
          ...to('new'),
        },
      },
    ],
    [
      'by its resource name',
      {
        before: [bucket('a', 'old')],
        after: [bucket('b', 'old')],
        inputAfter: {...protecting('a'), handover: [{from: {resources: ['a']}, to: {resource: 'b'}}]},
      },
    ],
  ])('%s, does not begin', (_, story) => {
    const told = tell({...story, inputBefore: {protect: story.inputAfter['protect'] ?? {}}});
    expect(told.buckets.map(({apiVersion}) => apiVersion)).toEqual(['old.example.org/v1']);
    expect(told.tethered).toContain('no rule of protect selects composed resource');
    expect(gapsIn(told, () => true)).toEqual([]);
  });
});

describe.each(['main', '2.3', '1.20', '1.16'])(
  'one external name under another object name, on Crossplane %s',
  (crossplane) => {
    const named = (name: string, object: string, more: JsonObject = {}) =>
      bucket(name, 'old', {metadata: {name: object, annotations: {'crossplane.io/external-name': 'acme'}}}, more);
    const version = crossplane.startsWith('1.') ? {crossplane} : {};
    const edit = (before: JsonObject, after: JsonObject, more: Partial<Story> = {}) =>
      tell({
        crossplane,
        before: [named('a', 'one')],
        after: [named('b', 'two')],
        inputBefore: {...version, ...before},
        inputAfter: {...version, ...after},
        ...more,
      });
    const living = (told: ReturnType<typeof tell>) => told.buckets.map(({metadata}) => metadata.name);
    const both = {protect: {resources: [{match: {resources: ['a', 'b']}}]}};

    test.each([
      ['both', both, both],
      ['the one that it has', protecting('a'), protecting('b')],
    ])('protect names %s: the external resource is protected in every state', (_, before, after) => {
      const told = edit(before, after);
      expect(told.externals).toMatchObject({creates: 1, deletes: 0});
      expect(living(told)).toEqual(['two']);
      expect(gapsIn(told, () => true)).toEqual([]);
    });

    test('protect names the old one alone: it stays, and the condition says so', () => {
      const told = edit(protecting('a'), protecting('a'));
      expect(living(told)).toEqual(['one']);
      if (crossplane !== '1.16') expect(told.tethered).toContain('no rule of protect selects composed resource "b"');
      expect(gapsIn(told, () => true)).toEqual([]);
    });

    test('protect goes with the edit: the external resource stays protected', () => {
      const told = edit(protecting('a'), {});
      expect(living(told)).toEqual(['one']);
      expect(gapsIn(told, () => true)).toEqual([]);
    });

    test.each([
      ['too', ['a', 'b', 'c']],
      ['not', ['a', 'b']],
    ])('an edit in the middle gives a third name, which protect selects %s', (_, resources) => {
      const protect = {...version, protect: {resources: [{match: {resources}}]}};
      const third = {apply: composition({}, [named('c', 'three')], protect), wait: '20m'};
      const back = {apply: composition({}, [named('b', 'two')], protect), wait: '20m'};
      const told = edit(both, protect, {soon: true, afterwards: [third]});
      expect(told.externals).toMatchObject({creates: 1, deletes: 0});
      expect(living(told).sort()).toEqual(['one', 'two']);
      expect(gapsIn(told, () => true)).toEqual([]);
      if (crossplane !== '1.16') expect(told.tethered).toContain('was dropped in the middle of it');
      const end = edit(both, protect, {soon: true, afterwards: [third, back]});
      expect(living(end)).toEqual(['two']);
      expect(gapsIn(end, () => true)).toEqual([]);
    });

    test('without an external name of the author both stay', () => {
      const plain = (name: string, object: string) => bucket(name, 'old', {metadata: {name: object}});
      const told = edit(both, both, {before: [plain('a', 'one')], after: [plain('b', 'two')]});
      expect(told.externals).toMatchObject({creates: 2, deletes: 0});
      expect(living(told).sort()).toEqual(['one', 'two']);
      expect(gapsIn(told, () => true)).toEqual([]);
    });
  },
);

describe('an exchange between XRs', () => {
  const deletesExternals = (xr: KubeObject, all: readonly KubeObject[]) =>
    all.some((one) => controllerOf(one)?.uid === xr.metadata['uid'] && deletesExternal(one));

  test('never leaves an XR that has the external resource, or its object, without a Usage', () => {
    const told = driveHere(driveScenario(exchanged(true), runOptions));
    expect(told.externals).toMatchObject({creates: 2, deletes: 0});
    expect(told.objects.filter(({kind}) => kind === 'Instance')).toHaveLength(1);
    expect(gapsIn(told, deletesExternals)).toEqual([]);
  });

  test('keeps what it gives protected, although the edit takes the rule of protect away', () => {
    const told = driveHere(driveScenario(exchanged(true, 'composition-shop-split.yaml'), runOptions));
    expect(told.objects.filter(({kind}) => kind === 'Instance')).toHaveLength(1);
    expect(gapsIn(told, deletesExternals)).toEqual([]);
  });

  test('does not let go to an object that nothing protects', () => {
    const told = driveHere(driveScenario(exchanged(false), runOptions));
    expect(told.externals).toMatchObject({creates: 2, deletes: 0});
    expect(told.objects.filter(({kind}) => kind === 'Instance')).toHaveLength(2);
    expect(gapsIn(told, deletesExternals)).toEqual([]);
    const shop = told.objects.find(({kind}) => kind === 'Shop');
    expect(JSON.stringify(shop?.['status'])).toContain('have protect of the other Composition select it');
  });
});

test('the walk finds what nothing protects', () => {
  const told = tell({
    before: [bucket('a', 'old')],
    after: [bucket('a', 'old')],
    inputBefore: protecting('a'),
    inputAfter: {},
  });
  expect(gapsIn(told, () => true)).not.toEqual([]);
});

/** Each write after the first Usage that leaves something unprotected. `mustHave`: whether an XR has to have a Usage then. */
function gapsIn(
  {history}: RunResult,
  mustHave: (xr: KubeObject, all: readonly KubeObject[]) => boolean,
): readonly string[] {
  if (history === undefined) throw new Error('the run was not recorded');
  const live = new Map(history.before.map((object) => [addressOf(object), object]));
  const seen = new Set<string>();
  const gaps = new Set<string>();
  for (const {type, object, atMs} of history.versions) {
    if (type === 'DELETED') live.delete(addressOf(object));
    else live.set(addressOf(object), object);
    const all = [...live.values()];
    const usages = all.filter((one) => one.kind.endsWith('Usage') && !isDeleting(one));
    const isProtected = (one: KubeObject) => usages.some((usage) => protects(usage, one));
    for (const one of all) {
      const isXr = ['App', 'Shop', 'Database'].includes(one.kind);
      if (isProtected(one)) seen.add(addressOf(one));
      // What comes into being is protected a moment later, with function-tether or without a move; after it, always.
      else if (isXr ? seen.has(addressOf(one)) && mustHave(one, all) : isMovedUnprotected(one, seen))
        gaps.add(`${Math.round(atMs)} ms: ${addressOf(one)}`);
    }
  }
  return [...gaps];
}

function isMovedUnprotected(one: KubeObject, seen: ReadonlySet<string>): boolean {
  const annotations = (one.metadata['annotations'] ?? {}) as JsonObject;
  const isMoved = Object.keys(annotations).some((key) => key.startsWith('tether.fn.crossplane.io/handover'));
  return (isMoved || seen.has(addressOf(one))) && deletesExternal(one);
}

function deletesExternal({kind, spec}: KubeObject & {spec?: JsonObject}): boolean {
  if (kind !== 'Bucket' && kind !== 'Instance') return false;
  const {deletionPolicy = 'Delete', managementPolicies = ['*']} = spec ?? {};
  const policies = managementPolicies as readonly string[];
  return policies.includes('Delete') || (policies.includes('*') && deletionPolicy === 'Delete');
}

function protects(usage: KubeObject, {apiVersion, kind, metadata}: KubeObject): boolean {
  const {of} = usage['spec'] as {of: {apiVersion: string; kind: string; resourceRef?: {name: string}}};
  const isThere = (usage.metadata['namespace'] ?? '') === (metadata['namespace'] ?? '');
  return (
    isThere &&
    of.kind === kind &&
    groupOf(of.apiVersion) === groupOf(apiVersion) &&
    of.resourceRef?.name === metadata.name
  );
}

const runOptions = {
  crossplane: 'main',
  variant: {name: 'with', without: [], expect: []},
  seed: 1,
  builtins: registry,
  record: true,
} as const;

const files = new URL('../../examples/split-xr/', import.meta.url);

/** The story of examples/split-xr, in which the Shop protects its database, and the Database its own where `isBoth`. */
function exchanged(isBoth: boolean, unprotecting?: string): Scenario {
  const database = isBoth ? protectingIn('composition-database.yaml', 'instance') : read('composition-database.yaml');
  const gives = unprotecting === undefined ? protectingIn('composition-shop-split.yaml', 'db') : read(unprotecting);
  return readWhole({
    name: 'a protected exchange',
    crossplane: 'main',
    fixtures: [...read('platform.yaml'), ...protectingIn('composition-shop.yaml', 'db')],
    functions: {'function-templates': {builtin: 'function-static'}, 'function-tether': {builtin: 'function-tether'}},
    provider: {readyAfter: '2s', deleteAfter: '5s'},
    steps: [
      {
        name: 'a shop',
        apply: {...xrKinds, kind: 'Shop', metadata: {name: 'orders'}, spec: {size: 'small'}},
        wait: '5m',
      },
      {name: 'Databases', apply: database},
      {name: 'the Shop gives', apply: gives},
      {
        name: 'a Database',
        apply: {...xrKinds, kind: 'Database', metadata: {name: 'orders'}, spec: {size: 'small'}},
        wait: '30m',
      },
    ],
  });
}

const xrKinds = {apiVersion: 'example.org/v1'};

function read(file: string): readonly JsonObject[] {
  return parseAllDocuments(readFileSync(new URL(file, files), 'utf8')).map((document) => document.toJS());
}

function protectingIn(file: string, name: string): readonly JsonObject[] {
  const [made] = read(file) as [{spec: {pipeline: {step: string; input: JsonObject}[]}} & JsonObject];
  const pipeline = made.spec.pipeline.map((step) =>
    step.step === 'tether' ? {...step, input: {...step.input, ...protecting(name)}} : step,
  );
  return [{...made, spec: {...made.spec, pipeline}}];
}
