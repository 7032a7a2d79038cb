import {expect, test} from 'vitest';
import {runFunction} from '../../../src/function/run.ts';
import {builtins} from '../../../src/harness/functions/builtin.ts';
import {scenarioRequests} from '../../../src/harness/scenario/requests.ts';
import {decodeRequest} from '../../../src/wire/request-decode.ts';

const registry = {
  ...builtins,
  'function-tether': (request: Uint8Array) => ({ok: true as const, response: runFunction(request)}),
};
const file = new URL('../../../examples/usage-left-behind/scenario.yaml', import.meta.url).pathname;

function requestsOf(wanted: {file?: string; crossplane?: string; variant?: string; functionName?: string} = {}) {
  return scenarioRequests(
    {file, functionName: 'function-tether', crossplane: undefined, variant: undefined, ...wanted},
    registry,
  );
}

test('every request of the scenario passes, in the variant that has the function', async () => {
  const told = await requestsOf({crossplane: '1.20'});
  expect([told.crossplane, told.variant, told.failures]).toEqual(['1.20', 'with function-tether', []]);
  const names = told.requests.map((request) => decodeRequest(request).observed.composite?.field(['metadata', 'name']));
  expect(new Set(names)).toEqual(new Set(['checkout']));
  expect(told.requests.length).toBeGreaterThan(3);
});

test('a variant without the function makes no requests', async () => {
  expect(await requestsOf({variant: 'without'})).toMatchObject({requests: [], failures: []});
});

test.each([
  [{file: '/no/such.yaml'}, 'cannot read file "/no/such.yaml": no such file'],
  [{crossplane: '1.99'}, 'unknown Crossplane version "1.99": known are 1.16, 1.19, 1.20, 2.3, main'],
  [{variant: 'nobody'}, 'no variant is named "nobody": known are without function-tether, with function-tether'],
  [{functionName: 'passing'}, `${file}: expected a scenario with passing, got one without`],
])('%j is one sentence', async (wanted, sentence) => {
  await expect(requestsOf(wanted)).rejects.toThrow(sentence);
});
