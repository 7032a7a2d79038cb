import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {paintFor} from '../../../src/harness/report/paint.ts';
import {progressAt} from '../../../src/harness/report/progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched(columns: number | undefined) {
  const written: string[] = [];
  const progress = progressAt({write: (text) => written.push(text), columns, nowMs: () => performance.now()});
  return {progress, written};
}

test('a quick run says nothing', () => {
  for (const columns of [80, undefined]) {
    const {progress, written} = watched(columns);
    progress.story('orphan on Crossplane main');
    progress.step(1, 2, 'first');
    progress.time(60_000);
    progress.end();
    expect(written).toEqual([]);
  }
});

test('on a terminal one line says story, step, virtual time and for whom it waits, and goes', () => {
  const {progress, written} = watched(80);
  progress.story('orphan on Crossplane main');
  progress.step(1, 2, 'the app is ready');
  progress.time(12_000);
  progress.waitsFor('function "x"');
  vi.advanceTimersByTime(3000);
  expect(written.at(-1)).toBe(
    '\rorphan on Crossplane main: step 1 of 2 "the app is ready", +12 s, waiting 3.0 s\x1b[K',
  );
  progress.waitsFor(undefined);
  progress.end();
  expect(written.at(-1)).toBe('\r\x1b[K');
  const count = written.length;
  vi.advanceTimersByTime(3000);
  expect(written).toHaveLength(count);
});

test('elsewhere a line comes now and then', () => {
  const {progress, written} = watched(undefined);
  progress.story('orphan');
  progress.waitsFor('function "x"');
  vi.advanceTimersByTime(30_000);
  expect(written).toEqual([5, 15, 25].map((s) => `… orphan, waiting ${s < 10 ? `${s}.0` : s} s for function "x"\n`));
  progress.end();
});

test('before the first story a line says for whom it waits', () => {
  const {progress, written} = watched(undefined);
  progress.waitsFor('function "x" to answer');
  vi.advanceTimersByTime(5000);
  expect(written).toEqual(['… waiting 5.0 s for function "x" to answer\n']);
  progress.end();
});

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, {NO_COLOR: '1'}, false],
  [true, {NO_COLOR: ''}, true],
  [true, {TERM: 'dumb'}, false],
  [false, {FORCE_COLOR: '1'}, true],
  [false, {FORCE_COLOR: '1', NO_COLOR: '1'}, true],
  [true, {FORCE_COLOR: '0'}, false],
])('colours on a terminal (%s) with %j: %s', (isTTY, env, isPainted) => {
  expect(paintFor({isTTY}, env)('red', 'x')).toBe(isPainted ? '\x1b[31mx\x1b[39m' : 'x');
});
