import {
  type FunctionHandler,
  FunctionRunner,
  fatal,
  getServer,
  type Logger,
  Ready,
  Resource,
  RunFunctionRequest,
  to,
} from '@crossplane-org/function-sdk-typescript';
import {ServerCredentials} from '@grpc/grpc-js';
import {describe, expect, test} from 'vitest';
import {tether, withTether} from '../../src/function/sdk.ts';
import {startServer} from '../../src/function/server.ts';
import type {RequestBody} from '../../src/wire/request-encode.ts';
import {decodeResponse} from '../../src/wire/response-decode.ts';
import {Caller, requestBytes, v1, xr} from './calling.ts';

const silent = {debug: () => {}, info: () => {}, error: () => {}} as unknown as Logger;
const bucket = {apiVersion: 's3.example.org/v1', kind: 'Bucket', metadata: {name: 'logs'}, spec: {region: 'eu'}};
const owned = {...bucket, metadata: {...bucket.metadata, uid: 'uid-of-logs', ownerReferences: [ownerReference()]}};

function ownerReference() {
  const {apiVersion, kind, metadata} = xr;
  return {apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true, blockOwnerDeletion: true};
}

function state(resources: {readonly [name: string]: object}, composite?: object): RequestBody['observed'] {
  const messages = Object.entries(resources).map(([name, object]) => [name, {object}] as const);
  return {...(composite && {composite: {object: composite}}), resources: new Map(messages)} as RequestBody['observed'];
}

const protect = {
  apiVersion: 'tether.fn.crossplane.io/v1beta1',
  kind: 'Input',
  crossplane: '2.3',
  protect: {resources: [{match: {resources: ['logs']}}]},
};
const invalid = {...protect, orders: []};

const requests: {readonly [name: string]: Partial<RequestBody>} = {
  'a new resource': {desired: state({logs: bucket})},
  'a restored one that is dropped': {observed: state({logs: {...bucket, metadata: {name: 'logs', uid: 'u'}}}, xr)},
  'one that is dropped and protected': {observed: state({logs: owned}, xr), input: protect},
  'an invalid input': {input: invalid},
};

describe('the handler in a server of the SDK', () => {
  test.each(Object.entries(requests))('answers %s as our own server does', async (_, body) => {
    const theirs = getServer(new FunctionRunner(tether()), silent);
    const port = await new Promise<number>((resolve, reject) =>
      theirs.bindAsync('localhost:0', ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      ),
    );
    const ours = await startServer({address: 'localhost:0'});
    try {
      using atTheirs = new Caller(`localhost:${port}`);
      using atOurs = new Caller(ours.address);
      const bytes = requestBytes(body);
      expect(decodeResponse(await atTheirs.call(v1, bytes))).toEqual(decodeResponse(await atOurs.call(v1, bytes)));
    } finally {
      theirs.forceShutdown();
      await ours.close();
    }
  });
});

/** A handler that composes the bucket, asks for a Namespace and leaves a word in the context. */
const composing: FunctionHandler = {
  RunFunction: async (request) => {
    const response = to(request, {seconds: 30, nanos: 0});
    response.context = {word: 'of the first'};
    response.requirements = {
      extraResources: {},
      resources: {team: {apiVersion: 'v1', kind: 'Namespace', matchName: 'team'}},
      schemas: {},
    };
    response.desired ??= {composite: undefined, resources: {}};
    response.desired.resources['logs'] = {...Resource.fromJSON({resource: bucket}), ready: Ready.READY_TRUE};
    return response;
  },
};

describe('a handler with function-tether after it', () => {
  const call = (handler: FunctionHandler, body: Partial<RequestBody> = {}) =>
    handler.RunFunction(RunFunctionRequest.decode(requestBytes(body)));

  test('returns what both desire, require and leave behind', async () => {
    const response = await call(withTether(composing, {input: protect}), {
      observed: state({logs: owned}, xr),
      input: invalid,
    });
    expect(Object.keys(response.desired?.resources ?? {})).toEqual([
      'logs',
      expect.stringMatching(/^protect-logs-/),
      expect.stringMatching(/^protect-prod-/),
    ]);
    expect(response.requirements?.resources).toMatchObject({team: {kind: 'Namespace'}});
    expect(response.context).toEqual({word: 'of the first'});
    expect(response.meta?.ttl).toEqual({seconds: 30, nanos: 0});
    expect(response.conditions.map(({type}) => type)).toEqual(['Tethered']);
  });

  test('answers as two steps of a pipeline do', async () => {
    const body = {observed: state({logs: owned, old: {...owned, metadata: {...owned.metadata, name: 'old'}}}, xr)};
    const request = RunFunctionRequest.decode(requestBytes(body));
    const first = await composing.RunFunction(request);
    const second = await tether().RunFunction({...request, desired: first.desired, context: first.context});
    const both = await withTether(composing).RunFunction(request);
    expect(both.desired).toEqual(second.desired);
    expect(both.conditions).toEqual(second.conditions);
  });

  test('ends with the FATAL result of the handler', async () => {
    const failing: FunctionHandler = {
      RunFunction: async (request) => {
        const response = to(request);
        fatal(response, 'no region');
        return response;
      },
    };
    const {results, conditions} = await call(withTether(failing));
    expect(results.map(({message}) => message)).toEqual(['no region']);
    expect(conditions).toEqual([]);
  });
});
