// The stand-in for function-sequencer answers as the program itself did (crossplane-contrib/function-sequencer c283338).

import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {sequencer} from '../../../src/harness/functions/sequencer.ts';
import type {JsonObject} from '../../../src/wire/json.ts';
import {encodeRequest, type ResourceBody, type StateBody} from '../../../src/wire/request-encode.ts';
import {decodeResponse} from '../../../src/wire/response-decode.ts';

interface State {
  readonly composite?: JsonObject | ResourceBody;
  readonly resources: {readonly [name: string]: ResourceBody};
}

interface Answer {
  readonly name: string;
  readonly request: {
    readonly observed: State & {readonly composite: JsonObject};
    readonly desired: State & {readonly composite?: ResourceBody};
    readonly input: JsonObject;
    readonly context?: JsonObject;
  };
  readonly response?: {readonly ttlSeconds: number; readonly desired: State; readonly results: readonly object[]};
  /** Where the program answered nothing. */
  readonly error?: string;
}

const recorded = new URL('../../recordings/sequencer/answers.json', import.meta.url);
const answers: readonly Answer[] = JSON.parse(readFileSync(recorded, 'utf8'));

function bodyOf({observed, desired, input, context}: Answer['request']): Uint8Array {
  const state = (resources: State['resources'], composite: ResourceBody | undefined): StateBody => ({
    resources: new Map(Object.entries(resources)),
    ...(composite === undefined ? {} : {composite}),
  });
  return encodeRequest({
    tag: 't',
    observed: state(observed.resources, {object: observed.composite}),
    desired: state(desired.resources, desired.composite),
    input,
    ...(context === undefined ? {} : {context}),
  });
}

// In other words, and for the same reason: the text of cel-go is its own.
const ofItsOwnWords =
  /(cannot parse CEL condition|cannot type-check CEL condition|cannot evaluate CEL condition|CEL condition must return bool|CEL condition result is not bool|: error parsing regexp|cannot set cacheTTL).*/s;

test.each(answers)('$name', ({request, response, error}) => {
  const reply = sequencer(bodyOf(request));
  if (response === undefined) {
    expect(reply.ok, error).toBe(false);
    return;
  }
  if (!reply.ok) throw new Error(reply.message);
  const {ttlSeconds, desired, results} = decodeResponse(reply.response);
  const said = (list: readonly object[]) =>
    list.map((one) => {
      const {severity, message} = one as {severity: string; message: string};
      return `${severity} ${message.replace(ofItsOwnWords, '')}`;
    });
  expect(said(results)).toEqual(said(response.results));
  expect(ttlSeconds).toBe(response.ttlSeconds);
  expect(Object.fromEntries(desired.resources)).toEqual(response.desired.resources);
  expect(desired.composite).toEqual(response.desired.composite);
});
