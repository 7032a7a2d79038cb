// Whatever comes in, an answer goes out: FUZZ_RUNS (default 400) requests that look like Crossplane's, and as many byte
// strings that look like requests. `npm run fuzz` is a long one, which also prints the slowest call and the heap.

import fc from 'fast-check';
import {afterAll, describe, expect, test} from 'vitest';
import {runWithReport} from '../../src/function/run.ts';
import type {JsonObject} from '../../src/wire/json.ts';
import {encodeRequest} from '../../src/wire/request-encode.ts';
import {decodeResponse} from '../../src/wire/response-decode.ts';
import {request} from './arbitrary-request.ts';
import {Gauge} from './gauge.ts';

const gauge = new Gauge();
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 400);
// Times are told and not asserted: they say as much about the machine as about the function.
if (process.env['FUZZ_RUNS'] !== undefined) afterAll(() => console.log(gauge.report()));

describe('any request', () => {
  const planned = {count: 0, held: 0, waited: 0, fatal: 0};

  test('is answered, and desired state loses nothing that no decision took out', () => {
    fc.assert(
      fc.property(request, (body) => {
        const bytes = encodeRequest(body);
        const {response, report} = gauge.measure(() => runWithReport(bytes));
        const answer = decodeResponse(response);
        expect(answer.tag).toBe('t');
        if (report.outcome.kind === 'refused') {
          planned.fatal++;
          expect(report.outcome).not.toHaveProperty('stack');
          expect(answer.results).toEqual([{severity: 'fatal', message: report.outcome.sentence}]);
          expectSentence(report.outcome.sentence);
          expect(new Set(answer.desired.resources.keys())).toEqual(new Set(body.desired.resources.keys()));
          return;
        }
        planned.count++;
        const {decisions, edits} = report.outcome.plan;
        for (const [name, {object, ready}] of body.desired.resources) {
          if (edits.get(name)?.kind === 'drop') {
            planned.waited++;
            const decision = decisions.get(name) as {kind: string; reason: string};
            expect(`${decision.kind} (${decision.reason})`).toMatch(/^wait |^refuse \(renamed\)$/);
            expect(answer.desired.resources.has(name)).toBe(false);
          } else if (edits.get(name)?.kind !== 'put') {
            const passed = answer.desired.resources.get(name);
            expect(withoutMetadata(passed?.object)).toEqual(withoutMetadata(object));
            expect(passed?.ready).toBe(ready);
          }
        }
        for (const [name, {kind}] of decisions) {
          if (kind !== 'hold') continue;
          planned.held++;
          expect(answer.desired.resources.has(name)).toBe(true);
        }
        for (const {message} of answer.results) expectSentence(message);
        for (const {message} of answer.conditions) expectSentence(message ?? '');
      }),
      {numRuns},
    );
  }, 3_600_000);

  test('was not refused most of the time', () => {
    expect(planned.count).toBeGreaterThan(numRuns / 4);
    expect(planned.held).toBeGreaterThan(numRuns / 20);
    expect(planned.waited).toBeGreaterThan(0);
    expect(planned.fatal).toBeGreaterThan(0);
  });
});

test('any byte string is answered', () => {
  const damage = fc.array(
    fc.record({
      at: fc.nat(),
      kind: fc.constantFrom('flip', 'cut', 'insert', 'repeat', 'length'),
      bytes: fc.uint8Array({minLength: 1, maxLength: 8}),
    }),
    {minLength: 1, maxLength: 4},
  );
  fc.assert(
    fc.property(request, damage, (body, strokes) => {
      const bytes = strokes.reduce(damaged, encodeRequest(body));
      const {response, report} = gauge.measure(() => runWithReport(bytes));
      // What nobody reads passes as it came, broken or not.
      if (report.outcome.kind === 'planned') return;
      const answer = decodeResponse(response);
      expect(report.outcome).not.toHaveProperty('stack');
      expect(answer.results).toEqual([{severity: 'fatal', message: report.outcome.sentence}]);
    }),
    {numRuns},
  );
}, 3_600_000);

function damaged(bytes: Uint8Array, stroke: {at: number; kind: string; bytes: Uint8Array}): Uint8Array {
  const at = stroke.at % (bytes.length + 1);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (stroke.kind) {
    case 'cut':
      return before;
    case 'insert':
      return Uint8Array.from([...before, ...stroke.bytes, ...after]);
    case 'repeat':
      return Uint8Array.from([...bytes, ...before]);
    case 'length':
      return Uint8Array.from([...before, (after[0] ?? 0) + 1, ...after.subarray(1)]);
    default:
      return Uint8Array.from([...before, ...stroke.bytes, ...after.subarray(stroke.bytes.length)]);
  }
}

function withoutMetadata(object: JsonObject | undefined): JsonObject | undefined {
  if (object === undefined) return undefined;
  const {metadata: _, ...rest} = object;
  return rest;
}

function expectSentence(text: string): void {
  expect(text).toMatch(/^\S/);
  expect(text).not.toMatch(/undefined|\[object|NaN/);
}
