import {describe, expect, test} from 'vitest';
import {runFunction, runWithReport} from '../../src/function/run.ts';
import {composedFieldManager, compositeId} from '../../src/lifecycle/facts/naming.ts';
import {sliceBytes} from '../../src/wire/cursor.ts';
import type {JsonObject} from '../../src/wire/json.ts';
import {decodeRequest} from '../../src/wire/request-decode.ts';
import {encodeRequest, type RequestBody, type ResourceBody} from '../../src/wire/request-encode.ts';
import {decodeResponse, type ResponseBody} from '../../src/wire/response-decode.ts';
import {view} from '../lifecycle/given.ts';
import {requestBytes, xr} from './calling.ts';

const ours = {apiVersion: xr.apiVersion, kind: xr.kind, name: 'prod', uid: 'uid-of-the-xr', controller: true};

/** What every object of this XR carries, so that it is known without a controller reference. */
const marked = {labels: {'tether.fn.crossplane.io/composite': compositeId(view(xr))}};

interface Cluster {
  readonly observed?: {readonly [resourceName: string]: JsonObject};
  readonly desired?: {readonly [resourceName: string]: JsonObject};
  readonly input?: JsonObject;
  readonly capabilities?: readonly number[];
  readonly conditions?: readonly JsonObject[];
}

function request({observed = {}, desired = {}, input, capabilities, conditions}: Cluster): Buffer {
  const object = conditions === undefined ? xr : {...xr, status: {conditions}};
  return requestBytes({
    observed: {composite: {object}, resources: bodies(observed)},
    desired: {composite: {object: {status: {phase: 'up'}}}, resources: bodies(desired)},
    context: {env: 'prod'},
    ...(input && {input: {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', ...input}}),
    ...(capabilities && {capabilities}),
  });
}

function run(cluster: Cluster): ResponseBody {
  return decodeResponse(runFunction(request(cluster)));
}

function bodies(objects: {readonly [name: string]: JsonObject}): Map<string, ResourceBody> {
  return new Map(Object.entries(objects).map(([name, object]) => [name, {object, ready: 'true'}]));
}

function thing(name: string, metadata: JsonObject = {}, rest: JsonObject = {spec: {size: 1}}): JsonObject {
  return {apiVersion: 'example.org/v1', kind: 'Thing', metadata: {name, ...metadata}, ...rest};
}

describe('the steady state', () => {
  const cluster = {
    observed: {db: thing('prod-db', {ownerReferences: [ours]})},
    desired: {db: {apiVersion: 'example.org/v1', kind: 'Thing', metadata: {labels: {team: 'a'}}, spec: {size: 2}}},
  };

  test('passes, with our marks on every composed resource', () => {
    const response = run(cluster);
    expect(response.desired.resources.get('db')).toEqual({
      object: {
        apiVersion: 'example.org/v1',
        kind: 'Thing',
        metadata: {
          labels: {
            team: 'a',
            'tether.fn.crossplane.io/composite': expect.any(String),
            'tether.fn.crossplane.io/resource': 'db',
          },
          annotations: {'tether.fn.crossplane.io/phase': 'adopted'},
        },
        spec: {size: 2},
      },
      ready: 'true',
    });
    expect(response.desired.composite?.object).toEqual({status: {phase: 'up'}});
    expect(response.context).toEqual({env: 'prod'});
    expect(response.ttlSeconds).toBe(0);
    expect(response.results).toEqual([]);
    expect(response.conditions).toEqual([
      {
        type: 'Tethered',
        status: 'True',
        reason: 'Tethered',
        message: 'every composed resource is as the pipeline wants it',
        target: 'composite',
      },
    ]);
  });

  test('has the same bytes for the same request', () => {
    expect(runFunction(request(cluster))).toEqual(runFunction(request(cluster)));
  });

  test('means the same in whatever order the request lists its resources', () => {
    const names = ['c', 'a', 'b'];
    const observed = Object.fromEntries(names.map((name) => [name, thing(name)]));
    const reversed = Object.fromEntries(names.toReversed().map((name) => [name, thing(name)]));
    expect(run({observed})).toEqual(run({observed: reversed}));
  });
});

describe('the time an answer may be reused', () => {
  const steady = {desired: {db: thing('prod-db')}, observed: {db: thing('prod-db', {ownerReferences: [ours]})}};
  const ttl = (cluster: Cluster, flag?: number) =>
    decodeResponse(runFunction(request(cluster), {ttlSeconds: flag})).ttlSeconds;

  test("is the flag's, where the input says nothing", () => {
    expect(ttl(steady, 300)).toBe(300);
  });

  test("is the input's, whether the flag says more or less", () => {
    expect(ttl({...steady, input: {ttl: '2m'}}, 60)).toBe(120);
    expect(ttl({...steady, input: {ttl: '2m'}}, 300)).toBe(120);
  });

  test('is none where nobody says, and nothing is going on that Crossplane does not watch', () => {
    const controlled = steady.observed;
    const lost = {...marked, ownerReferences: [{...ours, uid: 'another'}]};
    expect(ttl(steady)).toBe(0);
    expect(ttl({})).toBe(0);
    for (const going of [
      {desired: steady.desired},
      {observed: {...controlled, app: thing('app', {...marked, ownerReferences: [ours]})}, desired: steady.desired},
      {observed: controlled, input: {removal: {policies: [{policy: 'Confirm'}]}}},
      {...steady, observed: {db: thing('prod-db', lost)}},
      {...steady, input: {restore: {lookup: 'Labels'}}},
    ]) {
      expect(ttl(going)).toBe(60);
      expect(ttl(going, 300)).toBe(300);
    }
  });

  test('is short while the open watch circuit may drop an edit', () => {
    const responsive = (status: string) => ({...steady, conditions: [{type: 'Responsive', status}]});
    expect([ttl(responsive('False')), ttl(responsive('True'))]).toEqual([60, 0]);
  });

  test('is short while something is going on, and never longer than either says', () => {
    const restoring = {observed: {db: thing('prod-db', marked)}};
    expect(ttl({...restoring, input: {ttl: '2m'}}, 300)).toBe(10);
    expect(ttl({...restoring, input: {ttl: '4s'}}, 300)).toBe(4);
    expect(ttl(restoring, 5)).toBe(5);
    // To Crossplane none is for ever.
    expect(ttl({...steady, input: {ttl: '0s'}}, 300)).toBe(0);
    expect(ttl({...restoring, input: {ttl: '0s'}}, 300)).toBe(10);
    expect(ttl(restoring, 0)).toBe(10);
  });
});

describe('an Operation', () => {
  const watched = 'ops.crossplane.io/watched-resource';
  const operation = (input: JsonObject) =>
    decodeResponse(
      runFunction(
        requestBytes({
          observed: {resources: new Map()},
          desired: {resources: bodies({report: thing('report')})},
          requiredResources: new Map([[watched, [thing('data', {namespace: 'team'})]]]),
          input: {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', ...input},
        }),
      ),
    );

  test('protects what it watches, passes the rest, and has no condition', () => {
    const response = operation({protect: {required: [{match: {resources: [watched]}, reason: 'precious'}]}});
    expect(response.results).toEqual([]);
    expect(response.conditions).toEqual([]);
    expect(response.desired.resources.get('report')).toEqual({object: thing('report'), ready: 'true'});
    const [, usage] = [...response.desired.resources].find(([name]) => name.startsWith('protect-data-')) ?? [];
    expect(usage?.object).toMatchObject({
      kind: 'Usage',
      metadata: {namespace: 'team'},
      spec: {of: {kind: 'Thing', resourceRef: {name: 'data'}}, reason: 'precious'},
    });
  });

  test('is told in a sentence what only an XR can have', () => {
    expect(operation({removal: {budget: {resources: 1}}}).results).toEqual([
      {
        severity: 'fatal',
        message:
          'cannot use input.removal: expected nothing, because an Operation has no XR, got an object with budget',
      },
    ]);
  });
});

describe('after a restore', () => {
  const orphaned = {db: thing('prod-db', marked), app: thing('prod-app', marked)};

  test('what the Composition dropped stays desired until it is adopted, and the XR says so', () => {
    const response = run({observed: orphaned});
    const db = response.desired.resources.get('db');
    expect(db?.ready).toBe('true');
    expect(db?.object).toMatchObject({metadata: {name: 'prod-db'}});
    expect(db?.object).not.toHaveProperty('spec');
    expect(response.ttlSeconds).toBeLessThan(60);
    expect(response.conditions).toMatchObject([
      {
        status: 'False',
        reason: 'Restoring',
        message:
          'holding composed resource "app": it has no controller reference and is adopted before it is released; ' +
          'holding composed resource "db": it has no controller reference and is adopted before it is released',
      },
    ]);
    expect(response.results.map(({severity, reason}) => [severity, reason])).toEqual([
      ['normal', 'AdoptingResource'],
      ['normal', 'AdoptingResource'],
    ]);
  });

  test('a whole number beyond 2^53 is held as it is observed', () => {
    const spec = {exact: 4711.25, other: 1};
    const fieldsV1 = {'f:spec': {'f:exact': {}}};
    const managedFields = [{manager: composedFieldManager(view(xr)), operation: 'Apply', fieldsV1}];
    const bytes = request({observed: {db: thing('prod-db', {...marked, managedFields}, {spec})}});
    bytes.writeDoubleLE(2 ** 60, bytes.indexOf(Buffer.from(new Float64Array([4711.25]).buffer)));
    const response = decodeResponse(runFunction(bytes));
    expect(response.results.map(({severity}) => severity)).toEqual(['normal']);
    expect(response.desired.resources.get('db')?.object).toMatchObject({spec: {exact: 2 ** 60}});
  });

  test('a condition of many resources stays readable', () => {
    const many = Object.fromEntries(
      Array.from({length: 30}, (_, index) => [`r-${index + 10}`, thing(`o-${index}`, marked)]),
    );
    const message = run({observed: many}).conditions[0]?.message ?? '';
    expect(message.split('; ')).toHaveLength(11);
    expect(message).toMatch(/; and 20 more$/);
  });
});

describe('lookups of lost resources', () => {
  const cluster = {desired: {db: thing('')}, input: {restore: {lookup: true}}};

  test('are asked of a Crossplane with capabilities once', () => {
    const response = run({...cluster, capabilities: [1, 2]});
    expect([...response.requirements.values()]).toMatchObject([{apiVersion: 'example.org/v1', kind: 'Thing'}]);
    expect(response.extraRequirements.size).toBe(0);
    expect(response.desired.resources.has('db')).toBe(false);
  });

  test('are asked of an older one under both names, and either answer counts', () => {
    const first = run(cluster);
    expect([...first.extraRequirements]).toEqual([...first.requirements]);
    const [name = ''] = first.requirements.keys();
    for (const answer of ['requiredResources', 'extraResources'] as const) {
      const body = {
        desired: {resources: bodies(cluster.desired)},
        input: {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', ...cluster.input},
        [answer]: new Map([[name, []]]),
      };
      expect(decodeResponse(runFunction(requestBytes(body))).desired.resources.has('db')).toBe(true);
    }
  });
});

describe('Usages have to fit into the next request beside what others put into it', () => {
  const names = (prefix: string) => Array.from({length: 30}, (_, index) => `${prefix}${index}`);
  const all = [...names('a'), ...names('b')];
  const order = {order: [{sequence: [{pattern: 'a.*'}, {pattern: 'b.*'}]}]};
  const usagesWith = (others: Pick<RequestBody, 'context' | 'requiredResources' | 'extraResources'>, rules = {}) => {
    const each = (metadata: JsonObject) => bodies(Object.fromEntries(all.map((name) => [name, thing(name, metadata)])));
    const bytes = requestBytes({
      observed: {composite: {object: xr}, resources: each({ownerReferences: [ours]})},
      desired: {resources: each({})},
      input: {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', ...order, ...rules},
      ...others,
    });
    const kinds = [...decodeResponse(runFunction(bytes)).desired.resources.values()].map(({object}) => object['kind']);
    return kinds.filter((kind) => kind === 'ClusterUsage').length;
  };
  const text = 'x'.repeat(2 ** 20);
  const configs = new Map([['of-another-step', [{object: {apiVersion: 'v1', kind: 'ConfigMap', data: {text}}}]]]);

  test.each([
    ['the context', {context: {text}}],
    ['answers to others', {requiredResources: configs}],
    ['answers to others, before Crossplane 2', {extraResources: configs}],
  ])('%s', (_, others) => {
    const [alone, beside] = [usagesWith({}), usagesWith(others)];
    expect(alone).toBeGreaterThan(700);
    // Each of them is 3,600 bytes in the next request.
    expect(alone - beside).toBeGreaterThan((2 ** 20 / 3600) * 0.9);
  });

  test('the input', () => {
    const resources = [{name: 'c', base: {apiVersion: 'v1', kind: 'ConfigMap', data: {text: text.slice(0, 500_000)}}}];
    expect(usagesWith({}) - usagesWith({}, {resources})).toBeGreaterThan((500_000 / 3600) * 0.9);
  });

  test('but not beside answers to its own questions, which are the same on every call of a reconcile', () => {
    const own = new Map([['lost-ConfigMap.', configs.get('of-another-step') ?? []]]);
    expect(usagesWith({requiredResources: own})).toBe(usagesWith({}));
  });
});

describe('what goes wrong is one FATAL sentence, and desired state passes whole', () => {
  const desired = {db: thing('prod-db', {}, {spec: {list: [1, 2]}})};

  test.each<[string, Cluster, string]>([
    ['a field that is none', {desired, input: {usage: []}}, 'cannot use input.usage: expected one of the fields'],
    [
      'a text that is cut in the middle of a character',
      {desired, input: {ttl: `${'a'.repeat(78)}😀tail`}},
      'cannot use input.ttl: expected',
    ],
    ['another kind', {desired, input: {kind: 'Other'}}, 'cannot use input.kind: expected one of Input, got "Other"'],
  ])('%s', (_, cluster, sentence) => {
    const bytes = request(cluster);
    const {response, report} = runWithReport(bytes);
    const {results, tag} = decodeResponse(response);
    expect(results).toEqual([{severity: 'fatal', message: expect.stringContaining(sentence)}]);
    expect(tag).toBe('tag-1');
    expect(report.xr.name).toBe('prod');
    expect(desiredOf(response)).toEqual(Uint8Array.from(sliceBytes(decodeRequest(bytes).desired.slice)));
  });

  test('a request with observed resources and without the XR that composes them', () => {
    const observed = {resources: bodies({db: thing('prod-db')})};
    const bytes = requestBytes({observed, desired: {resources: bodies(desired)}});
    const response = decodeResponse(runFunction(bytes));
    expect(response.results[0]?.message).toBe(
      'cannot read RunFunctionRequest: observed.composite: expected the XR that composes the observed resources, got nothing',
    );
    expect([...response.desired.resources.keys()]).toEqual(['db']);
  });

  test('an object whose bytes are broken, found only when it is read', () => {
    const bytes = request({desired, observed: {db: thing('prod-db', {ownerReferences: [ours]})}});
    const at = bytes.indexOf('ownerReferences');
    bytes[at + 'ownerReferences'.length + 1] = 0x7f;
    const {results} = decodeResponse(runFunction(bytes));
    expect(results[0]?.message).toMatch(/^cannot read RunFunctionRequest: observed/);
  });

  test('bytes that are nothing at all', () => {
    const response = decodeResponse(runFunction(Uint8Array.of(0xff, 0xff)));
    expect(response).toMatchObject({tag: '', results: [{severity: 'fatal'}]});
  });
});

// The desired state of a response as it is on the wire: as the same field of a request it can be sliced.
function desiredOf(response: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(response);
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes[at] as number;
    let length = 0;
    let next = at + 1;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[next++] as number;
      length += (byte & 127) * scale;
      if (byte < 128) break;
    }
    if (tag >>> 3 === 2) return bytes.subarray(next, next + length);
    at = next + length;
  }
  return new Uint8Array(0);
}

test('desired state that comes in two parts passes whole beside the refusal', () => {
  const part = (name: string) => {
    const resources = new Map([[name, {object: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}}}]]);
    return encodeRequest({tag: '', observed: {resources: new Map()}, desired: {resources}});
  };
  const {results, desired} = decodeResponse(runFunction(new Uint8Array([...part('a'), ...part('b')])));
  expect(results).toMatchObject([{severity: 'fatal', message: expect.stringContaining('given twice')}]);
  expect([...desired.resources.keys()].sort()).toEqual(['a', 'b']);
});
