import {describe, expect, test} from 'vitest';
import {wrapped} from '../../../src/command-line/wrap.ts';
import {timelineText, verdictText} from '../../../src/harness/report/console.ts';
import {sideBySide} from '../../../src/harness/report/side-by-side.ts';
import {widthOf} from '../../../src/harness/report/terminal-width.ts';
import {exampleRun} from './example-run.ts';

const without = {...exampleRun('main'), variant: 'without'};
const deleted = {...exampleRun('1.19'), variant: 'deleted'};

describe('two runs beside each other', () => {
  const lines = sideBySide(without, deleted, 100).split('\n');

  test('fit a terminal of 100 columns', () => {
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  test('tell once, across both columns, what both tell', () => {
    expect(lines.filter((line) => line.includes('user: created App/shop'))).toEqual([
      '=  +0.0 s  user: created App/shop',
    ]);
  });

  test('keep each in its column what only one tells', () => {
    const orphan = lines.filter((line) => line.includes('is an orphan'));
    expect(orphan).toHaveLength(1);
    expect(orphan[0]?.indexOf('is an orphan')).toBeLessThan(orphan[0]?.indexOf('|') ?? 0);
    const gone = lines.filter((line) => line.includes('|') && /b \(Bucket\) is$|b \(Bucket\) is gone/.test(line));
    expect(gone.length).toBeGreaterThan(0);
    for (const line of gone) expect(line.indexOf('|')).toBeLessThan(line.indexOf('b (Bucket)'));
  });

  test('of the same story are told once', () => {
    const columns = sideBySide(without, {...without, variant: 'again'}, 100)
      .split('\n')
      .filter((line) => line.includes('|'));
    expect(columns).toHaveLength(1);
  });
});

test('timeline and verdict fit the terminal too', () => {
  const failures = [{place: 'a.yaml:1:1', step: 'wait', message: `expected ${'more '.repeat(40)}`}];
  const text = [timelineText(without, 80), verdictText({...without, failures}, 80)].join('\n');
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(text).toMatch(/^FAILED {2}orphan on Crossplane main, without$/m);
  expect(text).toContain('(2 creates, 0 deletes)');
});

test.each([
  [100, undefined, 100],
  [undefined, '90', 90],
  [undefined, undefined, 120],
  [undefined, 'wide', 120],
  [20, undefined, 60],
])('a terminal of %s columns, COLUMNS=%s, is taken as %s wide', (columns, wished, width) => {
  expect(widthOf(columns, wished)).toBe(width);
});

test('a word that is too long is broken', () => {
  expect(wrapped('- ', `${'x'.repeat(30)} y`, 24)).toEqual([`- ${'x'.repeat(22)}`, `  ${'x'.repeat(8)} y`]);
});
