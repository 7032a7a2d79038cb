import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {nodeProblem} from '../src/node-version.ts';

test.each(['22.12.0', '22.20.1', '23.0.0', '24.21.0'])('Node %s is new enough', (version) => {
  expect(nodeProblem(version)).toBeUndefined();
});

test.each(['20.20.2', '22.11.0', '18.0.0'])('Node %s is told in one sentence', (version) => {
  expect(nodeProblem(version)).toBe(
    `function-tether needs Node 22.12 or later, this is Node ${version}: install a newer one`,
  );
});

test('the package says the same', () => {
  const {engines} = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(engines).toEqual({node: '>=22.12'});
});
