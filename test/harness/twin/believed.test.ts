import {expect, test} from 'vitest';
import {explain} from '../../../src/function/explain.ts';
import {builtins, type InProcessFunction} from '../../../src/harness/functions/builtin.ts';
import {harnessMemoryKey} from '../../../src/harness/functions/memory-key.ts';
import type {Explain} from '../../../src/harness/twin/lives.ts';
import {searchStories} from '../../../src/harness/twin/search-stories.ts';
import {decodeRequest, type RequestMessage} from '../../../src/wire/request-decode.ts';
import {encodeResponse, type ResourceChange} from '../../../src/wire/response-encode.ts';

// Three broken policies, each with a reason that would excuse its harm if it were true.

const options = {memoryKeys: [harnessMemoryKey]};

interface Policy {
  /** The resources that it treats wrongly, and how. */
  readonly change: (message: RequestMessage) => ReadonlyMap<string, ResourceChange>;
  readonly decision: string;
  readonly reason: string;
}

function isSynced({observed}: RequestMessage): boolean {
  const conditions = (observed.composite?.field(['status', 'conditions']) ?? []) as {type: string; status: string}[];
  return conditions.some(({type, status}) => type === 'Synced' && status === 'True');
}

const policies: {readonly [name: string]: Policy} = {
  'deletes nothing, for want of an approval': {
    change: ({observed, desired}) =>
      new Map(
        [...observed.resources]
          .filter(([name]) => !desired.resources.has(name))
          .map(([name, {apiVersion, kind, name: of, namespace}]) => {
            const metadata = {name: of, ...(namespace === '' ? {} : {namespace})};
            return [name, {kind: 'put', object: {apiVersion, kind, metadata}, ready: 'true'}];
          }),
      ),
    decision: 'hold',
    reason: 'awaiting-approval',
  },
  'creates nothing, for an order': {
    change: ({observed, desired}) =>
      new Map(
        [...desired.resources.keys()]
          .filter((name) => !observed.resources.has(name))
          .map((name) => [name, {kind: 'drop'}]),
      ),
    decision: 'wait',
    reason: 'creation-order',
  },
  'deletes everything that was made, for another kind': {
    change: (message) =>
      new Map(isSynced(message) ? [...message.desired.resources.keys()].map((name) => [name, {kind: 'drop'}]) : []),
    decision: 'refuse',
    reason: 'kind-changed',
  },
};

test.each(Object.entries(policies))(
  'a policy that %s, is not excused',
  (_, {change, decision, reason}) => {
    const run: InProcessFunction = (request) => {
      const message = decodeRequest(request);
      const response = encodeResponse(message, {
        ttlSeconds: 60,
        resources: change(message),
        results: [],
        conditions: [],
        requirements: new Map(),
        requirementFields: ['resources'],
      });
      return {ok: true, response};
    };
    const says: Explain = (request) => {
      const wrong = change(decodeRequest(request));
      const all = explain(request, options).resources;
      return all.map((one) => (wrong.has(one.resourceName) ? {...one, decision, reason} : one));
    };
    const setting = {crossplane: 'main' as const, twin: ['function-tether'], explain: says};
    const functions = {...builtins, 'function-tether': run};
    const range = {crossplane: 'main' as const, seed: 60001n, about: 'everything' as const, worker: 0, workers: 1};
    const {found} = searchStories({...range, stories: 8}, {...setting, functions}, 1);
    expect(found).toHaveLength(1);
  },
  120_000,
);
