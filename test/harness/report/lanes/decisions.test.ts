import {describe, expect, test} from 'vitest';
import type {FunctionReply} from '../../../../src/cluster/kernel/call.ts';
import type {FunctionCall} from '../../../../src/harness/control-plane/record/history.ts';
import {type Decision, decisionsOf, decisionTexts, isNotable} from '../../../../src/harness/report/lanes/decisions.ts';
import {decodeRequest} from '../../../../src/wire/request-decode.ts';
import {encodeRequest, type StateBody} from '../../../../src/wire/request-encode.ts';
import {encodeResponse, type ResourceChange} from '../../../../src/wire/response-encode.ts';

const bucket = (name: string) => ({apiVersion: 'cloud.example.org/v1', kind: 'Bucket', metadata: {name}});

function state(names: readonly string[]): StateBody {
  return {resources: new Map(names.map((name) => [name, {object: bucket(name)}]))};
}

interface Told {
  readonly target: string;
  readonly observed: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[] | undefined;
}

function call({target, observed, before, after}: Told): FunctionCall {
  const request = encodeRequest({tag: '', observed: state(observed), desired: state(before)});
  const reply: FunctionReply =
    after === undefined
      ? {ok: false, message: 'deadline exceeded'}
      : {ok: true, response: responseTo(request, before, after)};
  return {step: 0, atMs: 1, target, run: 'composite/app shop', reconcileId: 1, reconcile: 1, request, reply};
}

function responseTo(request: Uint8Array, before: readonly string[], after: readonly string[]): Uint8Array {
  const put = after.map((name) => [name, {kind: 'put', object: bucket(name), ready: 'unspecified'}] as const);
  const drop = before.filter((name) => !after.includes(name)).map((name) => [name, {kind: 'drop'}] as const);
  return encodeResponse(decodeRequest(request), {
    ttlSeconds: 60,
    resources: new Map<string, ResourceChange>([...put, ...drop]),
    results: [],
    conditions: [],
    requirements: new Map(),
    requirementFields: [],
  });
}

function decided(calls: readonly Told[], index: number): Decision {
  const decision = decisionsOf(calls.map(call))[index];
  if (decision === undefined) throw new Error('no such call');
  return decision;
}

const templates = {target: 'templates', observed: ['a', 'b'], before: [], after: ['a']};

describe('what a function decided', () => {
  test('the first step desires, it does not hold', () => {
    expect(decided([templates], 0)).toMatchObject({added: ['a'], held: [], released: ['b']});
  });

  test('a later step holds what exists and no step before desires', () => {
    const tether = {target: 'tether', observed: ['a', 'b'], before: ['a'], after: ['a', 'b', 'c']};
    const decision = decided([templates, tether], 1);
    expect(decision).toMatchObject({added: ['b', 'c'], held: ['b'], heldAtEnd: ['b'], released: []});
    expect(decisionTexts(decision)).toEqual(['desires c', 'holds b: it exists, and no step before desires it']);
    expect(decided([templates, tether], 0).released).toEqual([]);
  });

  test('what a step held and a later one drops is held no more', () => {
    const tether = {target: 'tether', observed: ['a', 'b'], before: ['a'], after: ['a', 'b']};
    const filter = {target: 'filter', observed: ['a', 'b'], before: ['a', 'b'], after: ['a']};
    expect(decided([templates, tether, filter], 2)).toMatchObject({dropped: ['b'], heldAtEnd: [], released: ['b']});
  });

  test('a call that fails decides nothing and says why', () => {
    const decision = decided([{...templates, after: undefined}], 0);
    expect(decision).toMatchObject({added: [], released: [], error: 'deadline exceeded'});
    expect(isNotable(decision)).toBe(true);
  });

  test('a call that changes nothing is not worth a look', () => {
    expect(isNotable(decided([{target: 'echo', observed: ['a'], before: ['a'], after: ['a']}], 0))).toBe(false);
  });
});
