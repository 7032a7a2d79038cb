import {expect, test} from 'vitest';
import {inputProblem} from '../../site/playground/input-problems.ts';

const composition = `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
spec:
  pipeline:
    - step: tether
      input:
        apiVersion: tether.fn.crossplane.io/v1beta1
        kind: Input
        removal:
          policies:
            - match: {resources: [replica]}
              policy: Orphn
`;

test('a mistake in an input has the sentence of the function, at its line', () => {
  const problem = inputProblem({'xr.yaml': 'kind: XDatabase\n', 'composition.yaml': composition});
  expect(problem).toMatchObject({file: 'composition.yaml', line: 12, column: 23});
  expect(problem?.message).toMatch(
    /^composition\.yaml:12:23: cannot use input\.removal\.policies\[0\]\.policy: expected .*, got "Orphn"$/,
  );
});

test('an unknown field is at the object that has it', () => {
  const problem = inputProblem({'composition.yaml': composition.replace('removal:', 'remove:')});
  expect(problem?.message).toContain('cannot use input');
  expect([7, 9, 10]).toContain(problem?.line);
});

test('a good input has none, nor has YAML that cannot be read', () => {
  expect(inputProblem({'composition.yaml': composition.replace('Orphn', 'Orphan')})).toBeUndefined();
  expect(inputProblem({'composition.yaml': `${composition}: [`})).toBeUndefined();
});
