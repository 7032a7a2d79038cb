import {expect, test} from 'vitest';
import {tether} from './tether.ts';

// The command on the example that docs/how-to/lint.md names.

test('tether lint finds the step after function-tether, and fails if that is asked for', () => {
  const {code, out} = tether(['lint', 'examples/lint', '--fail-on', 'error']);
  expect(out).toContain('error not-last');
  expect(out).toMatch(/examples\/lint\/composition\.yaml:\d+:\d+/);
  expect(code).toBe(3);
});

test('tether lint takes several files and globs, and lists them in its report', () => {
  const paths = ['examples/lint/definition.yaml', 'examples/lint/c*.yaml'];
  const {code, out} = tether(['lint', ...paths, '--json', '-']);
  expect(JSON.parse(out)).toMatchObject({paths, called: ['xvaults']});
  expect(code).toBe(0);
});

test('tether lint counts what it could not judge, and fails if that is asked for', () => {
  const {code, out} = tether(['lint', 'examples/lint/composition.yaml', '--fail-on', 'native-mode']);
  expect(out).toMatch(
    /\nnot judged: examples\/lint\/composition\.yaml: Composition\/xvaults: [\s\S]*, 1 not judged\n$/,
  );
  expect(code).toBe(0);
  expect(tether(['lint', 'examples/lint/composition.yaml', '--fail-on', 'not-judged']).code).toBe(3);
  expect(tether(['lint', 'examples/lint', '--fail-on', 'not-judged']).code).toBe(0);
});

test('tether lint refuses a path that is not there in one sentence', () => {
  const {code, err} = tether(['lint', 'examples/lint', 'examples/lint/nowhere']);
  expect(err).toMatch(/^cannot read file "examples\/lint\/nowhere": no such file$/m);
  expect(code).toBe(2);
});
