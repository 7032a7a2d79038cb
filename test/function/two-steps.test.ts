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

function requestOf({tag, input = {}, isDropped = false}: Step, context?: JsonObject, own: JsonObject = xr): Uint8Array {
  const {metadata: _, ...wanted} = db;
  return requestBytes({
    tag,
    observed: {composite: {object: own}, resources: new Map([['db', {object: db, ready: 'unspecified' as const}]])},
    desired: {resources: new Map(isDropped ? [] : [['db', {object: wanted, ready: 'true' as const}]])},
    input: {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', ...input},
    ...(context === undefined ? {} : {context}),
  });
}

/** The steps one after the other, as Crossplane calls them: each has the context of the one before. */
function conditionAfter(...steps: readonly Step[]) {
  return conditionsOf(xr, steps).at(-1);
}

function conditionsOf(own: JsonObject, steps: readonly Step[]) {
  let context: JsonObject | undefined = {env: 'prod'};
  const conditions: JsonObject[] = [];
  for (const step of steps) {
    const response = decodeResponse(runFunction(requestOf(step, context, own)));
    ({context} = response);
    const [{status, reason, message} = {}] = response.conditions;
    conditions.push({status, reason, message} as JsonObject);
  }
  expect(context?.['env']).toBe('prod');
  return conditions;
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

it('two steps set one condition, as the XR has it, in each reconcile of one generation', () => {
  const held = {tag: 'b', input: confirm, isDropped: true};
  const other = {tag: 'a', input: misspelled};
  const of = (generation: number, present: JsonObject | undefined): JsonObject => {
    const synced = {type: 'Synced', status: 'True', observedGeneration: 1};
    const conditions = present === undefined ? [synced] : [synced, {type: 'Tethered', ...present}];
    return {...xr, metadata: {...(xr['metadata'] as JsonObject), generation}, status: {conditions}};
  };
  for (const steps of [
    [other, held],
    [{tag: 'a'}, held],
    [other, held, {tag: 'c'}],
  ]) {
    let present: JsonObject | undefined;
    for (const _ of [1, 2]) present = conditionsOf(of(1, present), steps).at(-1);
    expect(present?.['message']).toContain('reported by several steps');
    expect(conditionsOf(of(1, present), steps)).toEqual(steps.map(() => present));
    // Another generation may have another pipeline, and a report that is not there is new.
    const [first] = conditionsOf(of(2, present), steps);
    expect(first).not.toEqual(present);
    expect(
      conditionsOf(of(1, present), [
        {tag: 'a', input: {order: [{sequence: ['x', 'y'].map((name) => ({resources: [name]}))}]}},
      ]),
    ).not.toEqual([present]);
  }
});

it('a step with nothing to report adds nothing to the context', () => {
  expect(decodeResponse(runFunction(requestOf({tag: 'a'}))).context).toBeUndefined();
});

it('an explanation has the condition that Crossplane gets', () => {
  const {context} = decodeResponse(runFunction(requestOf({tag: 'a', input: confirm, isDropped: true})));
  expect(explain(requestOf({tag: 'b'}, context)).condition).toEqual(holding);
});
