import {Ready, RunFunctionResponse} from '@crossplane-org/function-sdk-typescript';
import {describe, expect, test} from 'vitest';
import type {ProfileName} from '../../../src/cluster/crossplane/profiles.ts';
import type {JsonObject} from '../../../src/cluster/json.ts';
import {conditionOf, type KubeObject} from '../../../src/cluster/object.ts';
import type {InProcessFunction} from '../../../src/harness/functions/builtin.ts';
import {decodeRequest, type RequestMessage} from '../../../src/wire/request-decode.ts';
import {encodeResponse, type ResponseChanges} from '../../../src/wire/response-encode.ts';
import {composedCrd, nopRef, Platform} from './platform.ts';

// The function pipeline as Crossplane runs it: what functions are told, and what becomes of what they say.

/** A function that answers with these changes; it sees every request. */
function answering(change: (request: RequestMessage) => Partial<ResponseChanges>): InProcessFunction {
  return (bytes) => {
    const request = decodeRequest(bytes);
    const none: ResponseChanges = {
      ttlSeconds: 60,
      resources: new Map(),
      results: [],
      conditions: [],
      requirements: new Map(),
      requirementFields: ['resources', 'extra_resources'],
    };
    return {ok: true, response: encodeResponse(request, {...none, ...change(request)})};
  };
}

function platformWith(crossplane: ProfileName, function_: InProcessFunction, more = {}): Platform {
  const platform = new Platform({crossplane, functions: {said: function_}});
  platform.pipeline([{step: 'say', functionRef: {name: 'said'}, ...more}]);
  platform.order();
  platform.pass(5);
  return platform;
}

test('each step sees what the step before it desired, and the same observed state', () => {
  const seen: string[][] = [];
  const platform = new Platform({
    crossplane: 'main',
    functions: {
      second: answering((request) => {
        seen.push([[...request.desired.resources.keys()].join(), [...request.observed.resources.keys()].join()]);
        return {resources: new Map([['A', {kind: 'amend', overlay: {spec: {more: 'x'}}}]])};
      }),
    },
  });
  const base = {apiVersion: 'nop.example.org/v1', kind: 'Nop', spec: {of: 'A'}};
  const input = {apiVersion: 'static.fn.example.org/v1', kind: 'Input', resources: [{name: 'A', base}]};
  platform.pipeline([
    {step: 'first', functionRef: {name: 'function-static'}, input},
    {step: 'second', functionRef: {name: 'second'}},
  ]);
  platform.order();
  platform.pass(5);
  expect(seen[0]).toEqual(['A', '']);
  expect(seen.at(-1)).toEqual(['A', 'A']);
  expect(platform.one('A').spec).toEqual({of: 'A', more: 'x'});
});

test('in which order a function answers its resources changes nothing', () => {
  const names = ['A', 'B', 'C', 'D', 'E'];
  const made = (order: readonly string[]) => {
    const platform = platformWith('main', () => ({ok: true, response: listing(order)}));
    return names.map((name) => platform.one(name).metadata.uid);
  };
  expect(made(names.toReversed())).toEqual(made(names));
});

// Recorded: control-plane/metadata-no-text.
describe('desired labels and annotations with a value that is no text', () => {
  const composed = (metadata: JsonObject): KubeObject => {
    const base = {apiVersion: 'nop.example.org/v1', kind: 'Nop', metadata, spec: {of: 'A'}};
    return platformWith(
      'main',
      answering(() => ({resources: new Map([['A', {kind: 'put', object: base, ready: 'true'}]])})),
    ).one('A');
  };

  test('are none at all, and what Crossplane adds is there', () => {
    const {labels, annotations} = composed({
      labels: {team: 'a', count: 1},
      annotations: {team: 'a', note: false},
    }).metadata;
    expect(labels).toEqual({'crossplane.io/composite': 'shop'});
    expect(annotations).toEqual({'crossplane.io/composition-resource-name': 'A'});
  });

  test('nor are they where they are no map', () => {
    const {labels, annotations} = composed({labels: ['a'], annotations: 'team'}).metadata;
    expect(labels).toEqual({'crossplane.io/composite': 'shop'});
    expect(annotations).toEqual({'crossplane.io/composition-resource-name': 'A'});
  });

  test('a name that is no text is none: the resource gets one', () => {
    expect(composed({name: 5, generateName: false}).metadata.name).toMatch(/^shop-[0-9a-f]{12}$/);
  });
});

/** An answer whose map is written in this order, as a Go program writes it in any. */
function listing(order: readonly string[]): Uint8Array {
  const resource = (name: string) => ({apiVersion: 'nop.example.org/v1', kind: 'Nop', spec: {of: name}});
  const resources = Object.fromEntries(
    order.map((name) => [name, {resource: resource(name), ready: Ready.READY_TRUE}]),
  );
  return RunFunctionResponse.encode(RunFunctionResponse.fromPartial({desired: {resources}})).finish();
}

test('a fatal result stops the pipeline; what was composed stays as it is', () => {
  const platform = new Platform({crossplane: 'main'});
  platform.compose(['A']);
  platform.order();
  platform.pass(5);
  platform.compose([], {fatal: 'no money'});
  platform.pass(20);
  expect(platform.message('Synced')).toBe(
    'cannot compose resources: pipeline step "static" returned a fatal result: no money',
  );
  expect(platform.composed('A')).toHaveLength(1);
});

test('a function that is not installed is an error that names the step', () => {
  const platform = new Platform({crossplane: 'main'});
  platform.pipeline([{step: 'gone', functionRef: {name: 'nobody'}}]);
  platform.order();
  platform.pass(5);
  expect(platform.message('Synced')).toBe(
    'cannot compose resources: cannot run Composition pipeline step "gone": cannot get gRPC client connection for Function "nobody": cannot find an active FunctionRevision (a FunctionRevision with spec.desiredState: Active)',
  );
});

test.each([
  ['1.16', 'apiextensions.fn.proto.v1beta1'],
  ['1.19', 'apiextensions.fn.proto.v1'],
  ['main', 'apiextensions.fn.proto.v1'],
] as const)('Crossplane %s calls functions by %s', (crossplane, service) => {
  const heard = new Set<string>();
  const say = answering(() => ({}));
  platformWith(crossplane, (request, by) => {
    heard.add(by);
    return say(request, by);
  });
  expect([...heard]).toEqual([service]);
});

describe('conditions and readiness that functions set', () => {
  const database = {type: 'DatabaseReady', status: 'False', reason: 'Waiting', target: 'composite'} as const;
  const system = {type: 'Ready', status: 'True', reason: 'Mine', target: 'composite'} as const;
  const saying = answering(() => ({conditions: [database, system]}));

  test('are on the XR since v1.17, but for those of Crossplane itself', () => {
    const platform = platformWith('main', saying);
    expect(platform.condition('DatabaseReady')).toBe('False/Waiting');
    expect(platform.condition('Ready')).toBe('True/Available');
  });

  test('are ignored by v1.16', () => {
    expect(platformWith('1.16', saying).condition('DatabaseReady')).toBe('absent');
  });

  test('become Unknown when a later reconcile fails before they are said', () => {
    let fails = false;
    const platform = platformWith('main', (bytes, service) =>
      fails ? {ok: false, message: 'deadline exceeded'} : saying(bytes, service),
    );
    fails = true;
    platform.pass(90);
    expect(platform.condition('DatabaseReady')).toBe('Unknown/FatalError');
    expect(platform.message('Synced')).toContain('cannot run Function "said": deadline exceeded');
  });
});

test('results are events of the XR with the step in front', () => {
  const platform = platformWith(
    'main',
    answering(() => ({results: [{severity: 'warning', message: 'low on disk', reason: 'Disk'}]})),
  );
  expect(platform.notes()).toContain('Pipeline step "say": low on disk');
  expect(platform.condition('Synced')).toBe('True/ReconcileSuccess');
});

test('the XR’s status is what the pipeline says, and goes when it says so no more', () => {
  const platform = new Platform({crossplane: 'main'});
  platform.compose(['A'], {xrStatus: {note: 'hello'}});
  platform.order();
  platform.pass(5);
  expect(platform.xr()?.status).toHaveProperty('note', 'hello');
  platform.compose(['A']);
  platform.pass(5);
  expect(platform.xr()?.status).not.toHaveProperty('note');
});

test('the shortest time to live decides when the XR is reconciled again', () => {
  const platform = new Platform({crossplane: 'main'});
  platform.compose(['A'], {ttlSeconds: 10});
  platform.order();
  platform.pass(5);
  platform.mark();
  platform.pass(60);
  expect(platform.calls()).toBeGreaterThanOrEqual(5);
  expect(platform.calls()).toBeLessThanOrEqual(7);
});

describe('required resources', () => {
  const nop = {
    apiVersion: 'nop.example.org/v1',
    kind: 'Nop',
    match: {kind: 'labels', labels: {role: 'shared'}},
  } as const;
  const shared = (value: string) => ({
    apiVersion: 'nop.example.org/v1',
    kind: 'Nop',
    metadata: {name: `shared-${value}`, labels: {role: 'shared'}},
    spec: {value},
  });

  function asking(
    crossplane: ProfileName,
    requirementFields: readonly ('extra_resources' | 'resources')[] = crossplane.startsWith('1.')
      ? ['extra_resources']
      : ['resources'],
  ): {platform: Platform; seen: string[][]} {
    const seen: string[][] = [];
    const asks = answering(({requiredResources, extraResources}) => {
      const found = requiredResources.get('shared') ?? extraResources.get('shared');
      seen.push(found === undefined ? ['not looked yet'] : found.map((one) => String(one.field(['metadata', 'name']))));
      return {requirements: new Map([['shared', nop]]), requirementFields, ttlSeconds: 3600};
    });
    const platform = new Platform({crossplane, functions: {said: asks}});
    platform.apply(shared('b'));
    platform.apply(shared('a'));
    platform.pipeline([{step: 'say', functionRef: {name: 'said'}}]);
    platform.order();
    platform.pass(5);
    return {platform, seen};
  }

  test.each(['1.16', '1.20', '2.3', 'main'] as const)('are fetched for a second call under %s, in order', (version) => {
    const {seen} = asking(version);
    expect(seen.slice(0, 2)).toEqual([['not looked yet'], ['shared-a', 'shared-b']]);
  });

  test('asked for by their name of v2 are not heard of before v2, and extra resources still are since', () => {
    const [early, late] = [asking('1.20', ['resources']), asking('main', ['extra_resources'])];
    expect(early.seen.every(([first]) => first === 'not looked yet')).toBe(true);
    expect(late.seen[1]).toEqual(['shared-a', 'shared-b']);
  });

  test('are known from the last time on main, so one call does; 2.3 calls twice every time', () => {
    const callsPerReconcile = (version: '2.3' | 'main') => {
      const {platform} = asking(version);
      platform.mark();
      platform.patch(platform.xrRef(), {spec: {size: 'l'}});
      platform.pass(5);
      const reconciles = platform
        .writes('App')
        .filter((request) => 'subresource' in request && request.verb === 'patch');
      return platform.calls('said') / reconciles.length;
    };
    expect(callsPerReconcile('main')).toBe(1);
    expect(callsPerReconcile('2.3')).toBe(2);
  });

  test('wake the XR when they change on main, and not on 2.3', () => {
    const wakes = (version: '2.3' | 'main') => {
      const {platform} = asking(version);
      platform.mark();
      platform.patch(nopRef('shared-a'), {spec: {value: 'changed'}});
      platform.pass(5);
      return platform.calls('said') > 0;
    };
    expect(wakes('main')).toBe(true);
    expect(wakes('2.3')).toBe(false);
  });

  test('that never settle end the reconcile after six calls, under v1.16 after five', () => {
    const calls = (version: '1.16' | '1.19' | 'main') => {
      let asked = 0;
      const never = answering(() => ({requirements: new Map([['shared', {...nop, namespace: `n${asked++}`}]])}));
      const platform = new Platform({crossplane: version, functions: {said: never}});
      platform.pipeline([{step: 'say', functionRef: {name: 'said'}}]);
      platform.mark();
      platform.order();
      platform.until(() => platform.message('Synced').includes("didn't stabilize"), 5);
      return platform.calls('said');
    };
    expect([calls('1.16'), calls('1.19'), calls('main')]).toEqual([5, 6, 6]);
  });

  test('named by the pipeline step are there in the first call', () => {
    const seen: string[] = [];
    const platform = new Platform({
      crossplane: 'main',
      functions: {
        said: answering(({requiredResources}) => {
          seen.push((requiredResources.get('boot') ?? []).map((one) => String(one.field(['metadata', 'name']))).join());
          return {};
        }),
      },
    });
    platform.apply(shared('a'));
    const wanted = {requirementName: 'boot', apiVersion: 'nop.example.org/v1', kind: 'Nop', name: 'shared-a'};
    const requirements = {requiredResources: [wanted]};
    platform.pipeline([{step: 'say', functionRef: {name: 'said'}, requirements}]);
    platform.order();
    platform.pass(5);
    expect(seen[0]).toBe('shared-a');
  });
});

test('requests name the capabilities of Crossplane since v2.2, and equal requests have equal tags', () => {
  const seen: {tag: string; capabilities: readonly number[]}[] = [];
  const listening = answering(({tag, capabilities}) => {
    seen.push({tag, capabilities});
    return {};
  });
  platformWith('main', listening);
  expect(seen[0]?.capabilities).toEqual([1, 2, 3, 4, 5]);
  expect(seen[0]?.tag).toMatch(/^[0-9a-f]{16}$/);
  seen.length = 0;
  platformWith('1.20', listening);
  expect(seen[0]?.capabilities).toEqual([]);
});

test('v1.16 finds functions through FunctionRevisions of v1beta1', () => {
  const platform = new Platform({crossplane: '1.16'});
  const ref = {kind: 'FunctionRevision', name: 'function-static-000000000001'};
  expect(platform.get({...ref, apiVersion: 'pkg.crossplane.io/v1beta1'})).toBeDefined();
  expect(platform.get({...ref, apiVersion: 'pkg.crossplane.io/v1'})).toBeUndefined();
});

describe('a namespaced XR', () => {
  const inNamespace = (namespace?: string) => ({
    name: 'A',
    base: {
      apiVersion: 'nop.example.org/v1',
      kind: 'NopInNamespace',
      metadata: namespace === undefined ? {} : {namespace},
      spec: {},
    },
  });

  test('composes in its own namespace, whatever the function says, and warns', () => {
    const platform = new Platform({crossplane: 'main', scope: 'Namespaced'});
    platform.apply({apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'elsewhere'}});
    platform.compose([inNamespace('elsewhere')]);
    platform.order();
    platform.pass(5);
    expect(platform.composed('A', 'NopInNamespace')[0]?.metadata.namespace).toBe('default');
    expect(platform.notes()).toContain(
      'cannot create composed resource "A" in namespace "elsewhere", using XR namespace "default" instead',
    );
    expect(platform.refs()).toHaveLength(1);
  });

  test('cannot compose a cluster-scoped resource', () => {
    const platform = new Platform({crossplane: 'main', scope: 'Namespaced'});
    platform.compose(['A']);
    platform.order();
    platform.pass(5);
    expect(platform.message('Synced')).toContain(
      'cannot apply cluster scoped composed resource "A" (a Nop named ) for a namespaced composite resource.',
    );
  });

  test('a legacy XR names the namespace in resourceRefs since v2; before, that is a 500 and nothing is composed', () => {
    const composed = (version: '1.19' | 'main') => {
      const platform = new Platform({crossplane: version, scope: 'LegacyCluster'});
      platform.compose([inNamespace('default')]);
      platform.order();
      platform.pass(5);
      return [platform.composed('A', 'NopInNamespace').length, platform.message('Synced')];
    };
    expect(composed('main')).toEqual([1, '']);
    const [count, message] = composed('1.19');
    expect(count).toBe(0);
    expect(message).toContain('field not declared in schema');
  });
});

test('an XR that composes another XR: the parent is ready when the child is, and takes it along', () => {
  const platform = new Platform({crossplane: 'main'});
  platform.apply({
    apiVersion: 'apiextensions.crossplane.io/v2',
    kind: 'CompositeResourceDefinition',
    metadata: {name: 'parts.example.org'},
    spec: {
      group: 'example.org',
      scope: 'Cluster',
      names: {kind: 'Part', plural: 'parts'},
      versions: [{name: 'v1', served: true, referenceable: true, schema: {openAPIV3Schema: {type: 'object'}}}],
    },
  });
  platform.pass(40);
  const base = {apiVersion: 'nop.example.org/v1', kind: 'Nop', spec: {}};
  const input = {
    apiVersion: 'static.fn.example.org/v1',
    kind: 'Input',
    resources: [{name: 'leaf', ready: 'Auto', base}],
  };
  platform.apply({
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: {name: 'part'},
    spec: {
      compositeTypeRef: {apiVersion: 'example.org/v1', kind: 'Part'},
      pipeline: [{step: 'static', functionRef: {name: 'function-static'}, input}],
    },
  });
  const part = {apiVersion: 'example.org/v1', kind: 'Part', spec: {crossplane: {compositionRef: {name: 'part'}}}};
  platform.compose([{name: 'part', base: part}]);
  platform.order();
  expect(platform.until(() => platform.condition('Ready') === 'True/Available', 10)).toBe(true);
  const [child] = platform.controlPlane.catalogue.find({kind: 'Part'});
  expect(conditionOf(child, 'Ready')?.status).toBe('True');
  platform.delete(platform.xrRef(), 'Foreground');
  expect(platform.until(() => platform.xr() === undefined, 10)).toBe(true);
  expect(platform.composed('leaf')).toEqual([]);
});

test('the CRD of what is composed may be younger than the XR', () => {
  const platform = new Platform({crossplane: 'main'});
  platform.compose([{name: 'A', base: {apiVersion: 'nop.example.org/v1', kind: 'Late', spec: {}}, ready: 'True'}]);
  platform.order();
  platform.pass(5);
  expect(platform.condition('Synced')).toBe('False/ReconcileError');
  platform.apply(composedCrd('Late', 'lates', 'Cluster'));
  platform.pass(60);
  expect(platform.condition('Ready')).toBe('True/Available');
});
