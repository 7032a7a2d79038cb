import {expect, test} from 'vitest';
import {markdownReport} from '../../../src/harness/report/markdown.ts';
import {exampleRun} from './example-run.ts';

const story = exampleRun('main');

test('a row per run, and what it came to', () => {
  const text = markdownReport([
    story,
    {...story, variant: 'other', failures: [{place: 'a:1:1', step: 'end', message: 'no'}]},
  ]);
  expect(text).toContain('## tether test: 1 passed, 1 failed');
  expect(text).toContain('| orphan | main |  | as expected | 1 | 2 | 2 | 0 |');
  expect(text).toContain('| orphan | main | other | **failed** | 1 | 2 | 2 | 0 |');
  expect(text).toMatch(
    /<details open><summary>orphan on Crossplane main, other<\/summary>\n\n- \*\*no\*\* \(end, a:1:1\)/,
  );
  expect(text).toContain(
    '<details><summary>orphan on Crossplane main</summary>\n\n- 1 orphan: b (Bucket). It lives on',
  );
});

test('names stay one cell, and are no markup', () => {
  const text = markdownReport([{...story, scenario: 'a|b\n<script>`x`'}]);
  expect(text.split('\n')[4]).toMatch(/^\| a&#124;b &#60;script&#62;&#96;x&#96; \| main \|/);
});
