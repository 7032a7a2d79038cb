import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../../src/cluster/json.ts';
import type {InProcessFunction} from '../../../src/harness/functions/builtin.ts';
import {cursorOf, type Slice, wholeSlice} from '../../../src/wire/cursor.ts';
import {decodeRequest} from '../../../src/wire/request-decode.ts';
import {Sink} from '../../../src/wire/sink.ts';
import {newEntry, readEntry} from '../../../src/wire/struct-cells.ts';
import {decodeText, encodeText} from '../../../src/wire/text.ts';
import {Platform} from './platform.ts';

// Connection details of legacy XRs: from functions to a Secret, and on to the claim's.

/** A response whose desired XR has these connection details; the tag is the request's. */
function telling(details: {readonly [key: string]: string}): InProcessFunction {
  return (request) => {
    const sink = new Sink(1024);
    const stateBefore = sink.size;
    const resourceBefore = sink.size;
    for (const [key, value] of Object.entries(details)) {
      const entryBefore = sink.size;
      const bytes = encodeText(value);
      sink.copy(2, bytes, 0, bytes.length);
      sink.text(1, key);
      sink.message(2, entryBefore);
    }
    const structBefore = sink.size;
    sink.message(1, structBefore);
    sink.message(1, resourceBefore);
    sink.message(2, stateBefore);
    const metaBefore = sink.size;
    sink.text(1, decodeRequest(request).tag);
    sink.message(1, metaBefore);
    return {ok: true, response: sink.finish()};
  };
}

const secretRef = {apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 'shop-access'};
const writeTo = {writeConnectionSecretToRef: {name: 'shop-access', namespace: 'default'}};

function published(
  details: {readonly [key: string]: string},
  xrd: JsonObject = {},
  crossplane: 'main' | '1.19' = 'main',
) {
  const platform = new Platform({
    crossplane,
    scope: 'LegacyCluster',
    xrd,
    functions: {said: telling(details)},
  });
  platform.pipeline([{step: 'say', functionRef: {name: 'said'}}]);
  platform.order('shop', writeTo);
  platform.pass(5);
  return platform;
}

describe.each(['1.19', 'main'] as const)('the connection secret of a legacy XR under %s', (version) => {
  test('holds what functions say, is the XR’s own, and is dated in its status', () => {
    const platform = published({user: 'admin', password: 'päss'}, {}, version);
    const secret = platform.get(secretRef);
    expect(secret?.['data']).toEqual({user: 'YWRtaW4=', password: 'cMOkc3M='});
    expect(secret?.metadata.ownerReferences).toMatchObject([{kind: 'App', name: 'shop', controller: true}]);
    expect(platform.xr()?.status).toHaveProperty('connectionDetails.lastPublishedTime');
  });
});

test('only the keys the XRD names are published', () => {
  const platform = published({user: 'admin', password: 'secret'}, {connectionSecretKeys: ['user']});
  expect(platform.get(secretRef)?.['data']).toEqual({user: 'YWRtaW4='});
});

test('a secret of somebody else is left alone', () => {
  const platform = new Platform({
    crossplane: 'main',
    scope: 'LegacyCluster',
    functions: {said: telling({user: 'admin'})},
  });
  const owner = {apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'other', controller: true};
  platform.controlPlane.session.stop(platform.controlPlane.processes['owner-gc']);
  const foreign = {name: 'shop-access', namespace: 'default', ownerReferences: [owner]};
  platform.request({
    verb: 'create',
    object: {apiVersion: 'v1', kind: 'Secret', metadata: foreign},
    manager: 'somebody',
  });
  platform.pipeline([{step: 'say', functionRef: {name: 'said'}}]);
  platform.order('shop', writeTo);
  platform.pass(5);
  expect(platform.message('Synced')).toContain('cannot publish connection details: cannot apply connection secret');
  expect(platform.get(secretRef)?.['data']).toBeUndefined();
});

describe('credentials of a pipeline step', () => {
  /** The values under field 7 of the request: credentials by name, data by key. */
  function credentialsIn(request: Uint8Array): string[] {
    const found: string[] = [];
    const walk = (slice: Slice, field: number, path: string, then: (key: string, value: Slice) => void): void => {
      const cursor = cursorOf(slice);
      while (!cursor.done) {
        const tag = cursor.tag();
        if (tag >>> 3 !== field) {
          cursor.skip(tag);
          continue;
        }
        const entry = newEntry();
        readEntry(cursor, entry);
        const {bytes, keyStart, keyEnd, valueStart: start, valueEnd: end} = entry;
        then(`${path}${decodeText(bytes, keyStart, keyEnd)}`, {bytes, start, end});
      }
    };
    walk(wholeSlice(request), 7, '', (name, credentials) => {
      const cursor = cursorOf(credentials);
      cursor.tag();
      walk(cursor.slice(), 1, `${name}.`, (key, {bytes, start, end}) => {
        found.push(`${key}=${decodeText(bytes, start, end)}`);
      });
    });
    return found;
  }

  const secretRef = {namespace: 'default', name: 'cloud'};
  const step = {step: 'say', functionRef: {name: 'said'}, credentials: [{name: 'cloud', source: 'Secret', secretRef}]};

  test('are sent to its function', () => {
    let seen: string[] = [];
    const said = telling({});
    const listening: InProcessFunction = (request, service) => {
      seen = credentialsIn(request);
      return said(request, service);
    };
    const platform = new Platform({crossplane: 'main', functions: {said: listening}});
    const data = {token: 'c2VjcmV0', user: 'YWRtaW4='};
    platform.request({
      verb: 'create',
      object: {apiVersion: 'v1', kind: 'Secret', metadata: secretRef, data},
      manager: 'user',
    });
    platform.pipeline([step]);
    platform.order();
    platform.pass(5);
    expect(seen).toEqual(['cloud.token=secret', 'cloud.user=admin']);
  });

  test('that are not there are an error with step and credential', () => {
    const platform = new Platform({crossplane: 'main', functions: {said: telling({})}});
    platform.pipeline([step]);
    platform.order();
    platform.pass(5);
    expect(platform.message('Synced')).toBe(
      'cannot compose resources: cannot get Composition pipeline step "say" credential "cloud" from Secret: secrets "cloud" not found',
    );
  });
});

test('the claim’s secret is a copy of its XR’s', () => {
  const platform = new Platform({
    crossplane: 'main',
    scope: 'LegacyCluster',
    claims: true,
    functions: {said: telling({user: 'admin'})},
  });
  platform.apply({
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: {name: 'app'},
    spec: {
      compositeTypeRef: {apiVersion: 'example.org/v1', kind: 'App'},
      writeConnectionSecretsToNamespace: 'default',
      pipeline: [{step: 'say', functionRef: {name: 'said'}}],
    },
  });
  platform.pass(1);
  const wanted = {compositionRef: {name: 'app'}, writeConnectionSecretToRef: {name: 'mine-access'}};
  const metadata = {name: 'mine', namespace: 'default'};
  platform.apply({apiVersion: 'example.org/v1', kind: 'AppClaim', metadata, spec: wanted});
  platform.pass(10);
  expect(platform.get({...secretRef, name: 'mine-access'})?.['data']).toEqual({user: 'YWRtaW4='});
});
