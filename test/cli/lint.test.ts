import {expect, test} from 'vitest';
import {tether} from './tether.ts';

// The command on the example that docs/how-to/lint.md names.

test('tether lint finds the step after function-tether, and fails if that is asked for', () => {
  const {code, out} = tether(['lint', 'examples/lint', '--fail-on', 'error']);
  expect(out).toContain('error not-last');
  expect(out).toMatch(/examples\/lint\/composition\.yaml:\d+:\d+/);
  expect(code).toBe(3);
});

test('tether lint refuses a folder that is not there in one sentence', () => {
  const {code, err} = tether(['lint', 'examples/lint/nowhere']);
  expect(err).toContain('no such folder');
  expect(code).toBe(2);
});
