import {expect, test} from 'vitest';
import type {Ending} from '../../../src/harness/twin/ending.ts';
import {isSameReference} from '../../../src/harness/twin/references.ts';

/** Objects by their place, each with an external name. */
function ending(names: {readonly [place: string]: string}): Ending {
  const living = Object.entries(names).map(([place, name]) => {
    const metadata = {name: place, annotations: {'crossplane.io/external-name': name}};
    return [place, [{object: {apiVersion: 'v1', kind: 'VPC', metadata}}]] as const;
  });
  return {living: new Map(living)} as unknown as Ending;
}

// With the function the VPC is the one that moved, without it another one.
const w = ending({'Network > vpc': 'vpc-1', 'Network > spare': 'vpc-2'});
const wo = ending({'Network > vpc': 'vpc-7', 'Network > spare': 'vpc-8'});

test('a resolved reference says the same where it means what is at one place in both runs', () => {
  expect(isSameReference('vpc-1', 'vpc-7', w, wo)).toBe(true);
});

test('it does not where it means something else, or nothing that is there', () => {
  expect(isSameReference('vpc-2', 'vpc-7', w, wo)).toBe(false);
  expect(isSameReference('vpc-1', 'vpc-9', w, wo)).toBe(false);
  expect(isSameReference('vpc-9', 'vpc-7', w, wo)).toBe(false);
  expect(isSameReference('vpc-1', undefined, w, wo)).toBe(false);
  expect(isSameReference(undefined, 'vpc-7', w, wo)).toBe(false);
});
