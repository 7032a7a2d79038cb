import {expect, test, vi} from 'vitest';
import {tether} from '../../cli/tether.ts';

// The network of examples/restore-orphan, with its own function in a process of its own: every state of the free schedule.
// Faults and delays, one kind after the other, are in the tables of docs/contributing/measurements.md, which takes minutes.

// Two processes start for each of the two searches.
vi.setConfig({testTimeout: 240_000});

const file = new URL('../../../examples/restore-orphan/scenario.yaml', import.meta.url).pathname;

function explored(variant: string) {
  const args = ['explore', file, '--variant', variant, '--all', '--json', '-'];
  const {code, out} = tether(args);
  const [{outcome, properties, failures}] = JSON.parse(out);
  return {
    status: code,
    outcome,
    failing: failures.map(({property}: {property: string}) => property),
    seen: properties
      .filter(({expectation, verdict}: Record<string, string>) => expectation === 'sometimes' && verdict === 'holds')
      .map(({name}: {name: string}) => name),
  };
}

const seen = [
  'an XR becomes ready',
  'an external resource is created',
  'a resource is restored without its controller reference',
  'a restored resource has its external name',
];

test('with function-tether nothing is lost of the real network, and everything that should be tried is', () => {
  expect(explored('with function-tether')).toEqual({status: 0, outcome: {kind: 'complete'}, failing: [], seen});
});

test('without it a rule of the network is forgotten', () => {
  const {status, failing} = explored('without function-tether');
  expect(status).toBe(3);
  expect(failing).toContain('no orphan is left');
});
