// Nothing that is observed is ever printed: results become events, conditions status, and refusals go to the log, and
// more people read those than may read a Secret.

import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {runWithReport} from '../../src/function/run.ts';
import type {Json, JsonObject} from '../../src/wire/json.ts';
import {encodeRequest, type RequestBody} from '../../src/wire/request-encode.ts';
import {decodeResponse} from '../../src/wire/response-decode.ts';
import {arbitraryInput} from './arbitrary-input.ts';

const secret = 'hunter2-PLANTED';
const secretNumber = 987654321987;
const planted: JsonObject = {password: secret, pin: secretNumber, list: [secret], map: {[secret]: secret}, yes: true};

function body(input: JsonObject): RequestBody {
  const object = (kind: string, name: string): JsonObject => ({
    apiVersion: 'example.org/v1',
    kind,
    metadata: {name, uid: `uid-of-${name}`, labels: {token: secret}, annotations: {token: secret}},
    data: planted,
    spec: planted,
    status: planted,
  });
  return {
    tag: 't',
    observed: {
      composite: {object: object('XApp', 'prod')},
      resources: new Map(['db', 'app'].map((name) => [name, {object: object('Secret', name)}])),
    },
    desired: {resources: new Map([['db', {object: object('Secret', 'db')}]])},
    context: planted,
    requiredResources: new Map([['extra', [object('Secret', 'extra')]]]),
    input,
  };
}

/** Everything that leaves the function but the desired state. */
function said(input: JsonObject): string {
  const {response, report} = runWithReport(encodeRequest(body(input)));
  const {results, conditions} = decodeResponse(response);
  const {outcome} = report;
  return JSON.stringify([results, conditions, outcome.kind === 'refused' ? outcome : [...outcome.plan.transitions]]);
}

const sources = ['xr', 'resources.db', 'resources["app"]', 'observed.resources.db.resource', 'required.extra[0]'];
const fields = ['password', 'pin', 'list', 'map', 'yes', 'list[0]', 'nope'];
const value = fc
  .tuple(fc.constantFrom(...sources), fc.constantFrom('data', 'spec', 'status'), fc.constantFrom(...fields))
  .map(([source, part, field]) => `${source}.${part}.${field}`);
const wraps: readonly ((value: string) => string)[] = [
  (v) => v,
  (v) => `int(${v})`,
  (v) => `uint(${v})`,
  (v) => `double(${v})`,
  (v) => `bool(${v})`,
  (v) => `timestamp(${v})`,
  (v) => `duration(${v})`,
  (v) => `bytes(${v})`,
  (v) => `{${v}: 1}`,
  (v) => `{${v}: 1, ${v}: 2}`,
  (v) => `{${v}: 1}[${v} + "x"]`,
  (v) => `xr[${v}]`,
  (v) => `xr.spec.map[${v} + "x"]`,
  (v) => `[1][int(${v})]`,
  (v) => `[1][${v}]`,
  (v) => `${v} + 1`,
  (v) => `${v} * 123456789123`,
  (v) => `int(${v}) * 9876543219`,
  (v) => `${v}.matches(${v} + "(")`,
  (v) => `${v}.substring(5000)`,
  (v) => `${v}.charAt(5000)`,
  (v) => `${v}.format([${v}])`,
  (v) => `"%d".format([${v}])`,
  (v) => `"%z".format([${v}])`,
  (v) => `has(${v})`,
  (v) => `${v}.map(k, int(k))`,
  (v) => `${v}.exists(k, k)`,
  (v) => `[${v}].join(1)`,
  (v) => `(${v}).nope`,
  (v) => `type(${v})`,
  (v) => `dyn(${v}) ? 1 : 2`,
  (v) => `!${v}`,
  (v) => `-${v}`,
  (v) => `${v} / 0`,
];
const expression = fc.tuple(value, fc.constantFrom(...wraps)).map(([text, wrap]) => wrap(text));
const base = (spec: Json): JsonObject => ({apiVersion: 'example.org/v1', kind: 'Thing', spec});
const made = (fields: JsonObject): JsonObject => ({resources: [{name: 'made', base: base({}), ...fields}]});
const places: readonly ((cel: string) => JsonObject)[] = [
  (cel) => ({order: [{of: {}, by: {resources: ['app']}, when: cel, createOnly: true}]}),
  (cel) => made({include: cel}),
  (cel) => made({readyWhen: cel}),
  (cel) => made({base: base({a: `\${${cel}}`})}),
  (cel) => made({base: base({a: `text \${${cel}}`})}),
  (cel) => made({base: {...base({}), metadata: {name: `\${${cel}}`}}}),
  (cel) => made({base: base({a: {[cel]: `\${${cel}`}})}),
  (cel) => ({
    apiVersion: 'sequencer.fn.crossplane.io/v1beta1',
    kind: 'Input',
    rules: [{sequence: ['db', 'app'], condition: cel}],
  }),
];

describe('what is observed', () => {
  it('is never printed, whatever an expression does with it', () => {
    let failed = 0;
    fc.assert(
      fc.property(expression, fc.constantFrom(...places), (cel, place) => {
        const words = said(place(cel));
        if (words.includes('fatal')) failed++;
        expect(words).not.toContain(secret);
        expect(words).not.toContain(`${secretNumber}`);
      }),
      {numRuns: 4000},
    );
    expect(failed).toBeGreaterThan(500);
  });

  it('is never printed, whatever the rest of an input says', () => {
    const words = ['db', 'app', 'made', 'status.password', 'status.map', 'Secret', 'example.org/v1', '.*', 'token'];
    fc.assert(
      fc.property(arbitraryInput(words), (input) => {
        expect(said(input as JsonObject)).not.toContain(secret);
      }),
      {numRuns: 1500},
    );
  });
});
