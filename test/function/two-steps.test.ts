import {expect, it} from 'vitest';
import {explain} from '../../src/function/explain.ts';
import {runFunction} from '../../src/function/run.ts';
import type {JsonObject} from '../../src/wire/json.ts';
import {decodeResponse} from '../../src/wire/response-decode.ts';
import {requestBytes, xr} from './calling.ts';

// Two steps of this function in one pipeline. Crossplane shows the condition of the last.

const confirm: JsonObject = {removal: {policies: [{policy: 'Confirm'}]}};
const misspelled: JsonObject = {protect: {resources: [{match: {resources: ['nope']}}]}};
const owner = {apiVersion: xr.apiVersion, kind: xr.kind, name: 'prod', uid: 'uid-of-the-xr', controller: true};
const db = {apiVersion: 'example.org/v1', kind: 'Thing', metadata: {name: 'db', ownerReferences: [owner]}};

interface Step {
  readonly tag: string;
  readonly input?: JsonObject;
  readonly isDropped?: boolean;
}

function requestOf({tag, input = {}, isDropped = false}: Step, context?: JsonObject): Uint8Array {
  const {metadata: _, ...wanted} = db;
  return requestBytes({
    tag,
    observed: {composite: {object: xr}, resources: new Map([['db', {object: db, ready: 'unspecified' as const}]])},
    desired: {resources: new Map(isDropped ? [] : [['db', {object: wanted, ready: 'true' as const}]])},
    input: {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', ...input},
    ...(context === undefined ? {} : {context}),
  });
}

/** The steps one after the other, as Crossplane calls them: each has the context of the one before. */
function conditionAfter(...steps: readonly Step[]) {
  let context: JsonObject | undefined = {env: 'prod'};
  let condition: unknown;
  for (const step of steps) {
    const response = decodeResponse(runFunction(requestOf(step, context)));
    ({context} = response);
    const [{status, reason, message} = {}] = response.conditions;
    condition = {status, reason, message};
  }
  expect(context?.['env']).toBe('prod');
  return condition;
}

const holding = {status: 'False', reason: 'Holding', message: expect.stringMatching(/^holding [^;]*$/)};
const fine = {status: 'True', reason: 'Tethered', message: 'every composed resource is as the pipeline wants it'};

it('what the first holds is in the condition of the second, which has nothing to report itself', () => {
  expect(conditionAfter({tag: 'a', input: confirm, isDropped: true}, {tag: 'b'})).toEqual(holding);
  expect(conditionAfter({tag: 'a'}, {tag: 'b'})).toEqual(fine);
});

it('the reports of both are in the condition, the gravest reason first', () => {
  const name = 'input.protect.resources[0].match names "nope"';
  const both = {
    status: 'False',
    reason: 'Holding',
    message: expect.stringMatching(/^holding .*; input\.protect.*"nope"/),
  };
  const held = {input: confirm, isDropped: true};
  expect(conditionAfter({tag: 'a', input: misspelled}, {tag: 'b', ...held})).toEqual(both);
  expect(conditionAfter({tag: 'a', ...held}, {tag: 'b', input: misspelled}, {tag: 'c'})).toEqual(both);
  expect(conditionAfter({tag: 'a', input: misspelled}, {tag: 'b'})).toEqual({
    ...fine,
    message: expect.stringContaining(name),
  });
});

it('a step that Crossplane calls again for its answers replaces its own report', () => {
  const first = {tag: 'a', input: confirm, isDropped: true};
  expect(conditionAfter(first, first)).toEqual(holding);
  expect(conditionAfter(first, {tag: 'a'})).toEqual(fine);
});

it('a step with nothing to report adds nothing to the context', () => {
  expect(decodeResponse(runFunction(requestOf({tag: 'a'}))).context).toBeUndefined();
});

it('an explanation has the condition that Crossplane gets', () => {
  const {context} = decodeResponse(runFunction(requestOf({tag: 'a', input: confirm, isDropped: true})));
  expect(explain(requestOf({tag: 'b'}, context)).condition).toEqual(holding);
});
