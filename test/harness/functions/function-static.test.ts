import {describe, expect, test} from 'vitest';
import {withConnectionDetails} from '../../../src/cluster/crossplane/composite/function-call.ts';
import {functionStatic} from '../../../src/harness/functions/function-static.ts';
import {passThrough} from '../../../src/harness/functions/passing.ts';
import type {JsonObject} from '../../../src/wire/json.ts';
import {encodeRequest, type ResourceBody} from '../../../src/wire/request-encode.ts';
import {decodeResponse} from '../../../src/wire/response-decode.ts';

const metadata = {name: 'shop', uid: 'xr-uid'};
const xr = {apiVersion: 'x/v1', kind: 'App', metadata, spec: {count: 2}};
const bucket = {apiVersion: 'cloud/v1', kind: 'Bucket'};
const ready = {status: {conditions: [{type: 'Ready', status: 'True'}]}};
const ownedBy = (uid: string): JsonObject => ({metadata: {ownerReferences: [{uid, controller: true}]}});

function answer(
  input: JsonObject,
  observed: {[name: string]: JsonObject} = {},
  desired: {[name: string]: JsonObject} = {},
  context?: JsonObject,
) {
  const resources = (objects: {[name: string]: JsonObject}): ReadonlyMap<string, ResourceBody> =>
    new Map(Object.entries(objects).map(([name, object]) => [name, {object}]));
  const request = encodeRequest({
    tag: 'tag',
    observed: {composite: {object: xr}, resources: resources(observed)},
    desired: {resources: resources(desired)},
    input,
    ...(context && {context}),
  });
  const reply = functionStatic(request);
  if (!reply.ok) throw new Error(reply.message);
  return decodeResponse(reply.response);
}

describe('function-static', () => {
  test('desires what its input lists, Usages too, beside what came before', () => {
    const {desired} = answer(
      {resources: [{name: 'a', base: bucket}], usages: [{name: 'u', base: {kind: 'Usage'}}]},
      {},
      {z: bucket},
    );
    expect([...desired.resources.keys()].sort()).toEqual(['a', 'u', 'z']);
    expect(desired.resources.get('a')?.object).toEqual(bucket);
  });

  test('desires what needs a field of a sibling, or a Ready one, only while it has that', () => {
    const input = {
      resources: [
        {name: 'by-id', base: bucket, needs: {resource: 'a', field: 'status.id'}},
        {name: 'by-ready', base: bucket, needs: {resource: 'a'}},
        {name: 'by-xr', base: bucket, needs: {field: 'metadata.uid'}},
        {name: 'by-nothing', base: bucket, needs: {field: 'status.id'}},
      ],
    };
    const names = (a: JsonObject) => [...answer(input, {a}).desired.resources.keys()];
    expect(names(bucket)).toEqual(['by-xr']);
    expect(names({...bucket, status: {id: 'n-1'}})).toEqual(['by-id', 'by-xr']);
    expect(names({...bucket, ...ready})).toEqual(['by-ready', 'by-xr']);
  });

  test('adds to the context, and desires what needs a value of it only if it is there', () => {
    const {context = {}} = answer({context: {region: 'here'}}, {}, {}, {zone: 'a'});
    expect(context).toEqual({region: 'here', zone: 'a'});
    const resources = [{name: 'late', base: bucket, needs: {context: 'region', to: 'spec.region'}}];
    expect(answer({resources}, {}, {}, context).desired.resources.get('late')?.object).toEqual({
      ...bucket,
      spec: {region: 'here'},
    });
    expect(answer({resources}).desired.resources.size).toBe(0);
  });

  test('copies what it needs of a sibling to a field of the entry', () => {
    const needs = {resource: 'a', field: 'status.id', to: 'metadata.annotations.reads'};
    const made = answer({resources: [{name: 'b', base: bucket, needs}]}, {a: {...bucket, status: {id: 'n-1'}}});
    expect(made.desired.resources.get('b')?.object).toEqual({...bucket, metadata: {annotations: {reads: 'n-1'}}});
  });

  test('asks for an object that it needs, and waits until that is there', () => {
    const object = {apiVersion: 'v1', kind: 'Namespace', name: 'blue'};
    const needs = {object, field: 'data.region', to: 'spec.region'};
    const made = answer({resources: [{name: 'b', base: bucket, needs}]}, {});
    expect([...made.desired.resources.keys()]).toEqual([]);
    const {name, ...kind} = object;
    expect(made.requirements.get('needed-by-b')).toEqual({...kind, match: {kind: 'name', name}});
    expect(made.extraRequirements.get('needed-by-b')).toEqual({...kind, match: {kind: 'name', name}});
  });

  test('desires as many as the XR says, each under a name of its own', () => {
    const base = {...bucket, metadata: {name: 'b'}};
    const names = (count: string) =>
      [...answer({resources: [{name: 'b', base, count}]}, {}).desired.resources].map(([key, {object}]) => [
        key,
        (object['metadata'] as JsonObject)['name'],
      ]);
    expect(names('spec.count')).toEqual([
      ['b-0', 'b-0'],
      ['b-1', 'b-1'],
    ]);
    expect(names('spec.other')).toEqual([]);
  });

  test('desires connection details of the XR', () => {
    const request = encodeRequest({
      tag: 'tag',
      observed: {composite: {object: xr}, resources: new Map()},
      desired: {resources: new Map([['z', {object: bucket}]])},
      input: {connectionDetails: {user: 'me', password: 'p'}},
    });
    const {response} = functionStatic(request) as {readonly response: Uint8Array};
    const {composite, resources} = withConnectionDetails(decodeResponse(response), response).desired;
    const texts = [...(composite?.connectionDetails ?? [])].map(([name, bytes]) => [
      name,
      Buffer.from(bytes).toString(),
    ]);
    expect(Object.fromEntries(texts)).toEqual({user: 'me', password: 'p'});
    expect(composite?.object).toEqual({apiVersion: 'x/v1', kind: 'App'});
    expect([...resources.keys()]).toEqual(['z']);
  });

  test('relays fields of what it observes through the status of the XR', () => {
    const relays = [{resource: 'a', field: 'status.id', to: 'networkId'}];
    const statusOf = (a: JsonObject) =>
      answer({xrStatus: {phase: 'up'}, relays}, {a}).desired.composite?.object['status'];
    expect(statusOf(bucket)).toEqual({phase: 'up'});
    expect(statusOf({...bucket, status: {id: 'n-1'}})).toEqual({phase: 'up', networkId: 'n-1'});
  });

  test('knows four kinds of ready', () => {
    const listed = ['True', 'False', 'Unspecified', 'Auto'].map((word) => ({name: word, base: bucket, ready: word}));
    const notYet = answer({resources: listed}, {Auto: bucket}).desired.resources;
    expect(listed.map(({name}) => notYet.get(name)?.ready)).toEqual(['true', 'false', 'unspecified', 'unspecified']);
    expect(answer({resources: listed}, {Auto: {...bucket, ...ready}}).desired.resources.get('Auto')?.ready).toBe(
      'true',
    );
  });

  describe('with adoptBeforeRemoval', () => {
    const input = {resources: [], adoptBeforeRemoval: true};
    const spec = {size: 's'};

    test('keeps what the XR does not control yet, as observed', () => {
      const kept = answer(input, {b: {...bucket, spec, ...ready}}).desired.resources.get('b');
      expect(kept).toMatchObject({object: {...bucket, spec}, ready: 'true'});
      expect(kept?.object).not.toHaveProperty('status');
    });

    test('keeps what another XR of this name controlled', () => {
      expect(answer(input, {b: {...bucket, ...ownedBy('old-uid')}}).desired.resources.has('b')).toBe(true);
    });

    test('lets go of what the XR controls', () => {
      expect(answer(input, {b: {...bucket, ...ownedBy('xr-uid')}}).desired.resources.has('b')).toBe(false);
    });
  });

  test('without it lets go at once', () => {
    expect(answer({resources: []}, {b: bucket}).desired.resources.has('b')).toBe(false);
  });

  test('sets the status of the XR and keeps what came before', () => {
    const {desired} = answer({xrStatus: {note: 'hello'}, resources: [{name: 'a', base: bucket}]}, {}, {z: bucket});
    expect(desired.composite?.object).toEqual({apiVersion: 'x/v1', kind: 'App', status: {note: 'hello'}});
    expect([...desired.resources.keys()].sort()).toEqual(['a', 'z']);
  });

  test('says something, or fails', () => {
    expect(answer({message: 'hello'}).results).toMatchObject([{severity: 'normal', message: 'hello'}]);
    expect(answer({fatal: 'no'}).results).toMatchObject([{severity: 'fatal', message: 'no'}]);
  });

  test('answers for a minute unless told', () => {
    expect(answer({}).ttlSeconds).toBe(60);
    expect(answer({ttlSeconds: 5}).ttlSeconds).toBe(5);
  });

  test('answers bytes that are no request with an error', () => {
    expect(functionStatic(new Uint8Array([0xff, 0xff]))).toMatchObject({ok: false});
  });
});

test('passing changes nothing', () => {
  const desired = {resources: new Map([['z', {object: bucket, ready: 'false' as const}]])};
  const request = encodeRequest({tag: 't', observed: {resources: new Map()}, desired, context: {a: 1}});
  const reply = passThrough(request);
  if (!reply.ok) throw new Error(reply.message);
  const body = decodeResponse(reply.response);
  expect(body.desired.resources.get('z')).toMatchObject({object: bucket, ready: 'false'});
  expect(body.context).toEqual({a: 1});
  expect(body.results).toEqual([]);
});
