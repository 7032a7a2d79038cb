import {describe, expect, test} from 'vitest';
import type {ApiRequest} from '../../../src/cluster/api/request.ts';
import {preflight} from '../../../src/cluster/client/go-client.ts';
import {throughClient} from '../../../src/cluster/kernel/call.ts';
import type {Controller, Process} from '../../../src/cluster/kernel/process.ts';
import {kindNamed, refTo, smallWorld, thing} from '../small-world.ts';

// Requests that a Go client does not send.

const manager = 'tester';
const named = 'an empty namespace may not be set when a resource name is provided';

describe('without a namespace, of a namespaced kind', () => {
  test.each<[string, ApiRequest, string | undefined]>([
    ['a get', {verb: 'get', ref: refTo('Local', 'a')}, named],
    ['a delete', {verb: 'delete', ref: refTo('Local', 'a')}, named],
    ['an update', {verb: 'update', object: thing('Local', 'a'), manager}, named],
    [
      'a create',
      {verb: 'create', object: thing('Local', 'a'), manager},
      'an empty namespace may not be set during creation',
    ],
    ['a patch', {verb: 'patch', type: 'apply', ref: refTo('Local', 'a'), body: {}, manager}, undefined],
    ['a list', {verb: 'list', apiVersion: 'example.org/v1', kind: 'Local'}, undefined],
    ['a delete of all', {verb: 'delete-collection', apiVersion: 'example.org/v1', kind: 'Local'}, undefined],
  ])('%s', (_, request, message) => {
    expect(preflight(request, 'Namespaced')?.message).toBe(message);
    expect(preflight(request, 'Cluster')).toBeUndefined();
  });
});

test('with a namespace everything is sent', () => {
  expect(preflight({verb: 'get', ref: refTo('Local', 'a', 'default')}, 'Namespaced')).toBeUndefined();
  const object = thing('Local', 'a', {namespace: 'default'});
  expect(preflight({verb: 'create', object, manager}, 'Namespaced')).toBeUndefined();
});

test('what a client refuses never reaches the API server, and is neither NotFound nor Invalid', () => {
  const heard: unknown[] = [];
  const controller: Controller = {
    name: 'asks',
    backoff: {baseMs: 1000, maxMs: 1000},
    timeoutMs: 1000,
    *reconcile() {
      heard.push(yield* throughClient({verb: 'get', ref: refTo('Local', 'a')}));
      heard.push(yield* throughClient({verb: 'get', ref: refTo('Absent', 'a')}));
      heard.push(yield* throughClient({verb: 'get', ref: refTo('Part', 'a')}));
      return {kind: 'done'};
    },
  };
  const watch = {controller: 'asks', id: 'parts', apiVersion: 'example.org/v1', kind: 'Part'};
  const process: Process<undefined> = {
    name: 'asker',
    hasClient: true,
    start: () => undefined,
    controllers: () => [controller],
    watches: () => [{...watch, handle: () => ({keys: [{key: 'once'}]})}],
  };
  const world = smallWorld({
    processes: [process as unknown as Process<never>],
    kinds: [kindNamed('Part'), kindNamed('Local', true)],
    objects: [thing('Part', 'a')],
  });
  world.pass(100);
  expect(heard).toEqual([
    {ok: false, refused: 'no-namespace', message: named},
    {ok: false, refused: 'no-match', message: 'no matches for kind "Absent" in version "example.org/v1"'},
    expect.objectContaining({ok: true, code: 200}),
  ]);
  const asked = world.happenings.flatMap(({entry}) => (entry.kind === 'api' && entry.actor === 'asker' ? [entry] : []));
  expect(asked.map(({request}) => ('ref' in request ? request.ref.kind : ''))).toEqual(['Part']);
});
