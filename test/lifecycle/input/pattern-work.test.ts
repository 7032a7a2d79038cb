import {describe, expect, it} from 'vitest';
import {unmatchedPatterns} from '../../../src/lifecycle/input/pattern-work.ts';
import {planOperation} from '../../../src/lifecycle/plan/operation.ts';
import {desired as desiredOf, observed, planOf, snapshot, table} from '../given.ts';

const names = Array.from(
  {length: 500},
  (_, index) => `subnet-${(index * 7919).toString(2).replaceAll('0', 'a')}-${index}`,
);
const desired = names.map((name) => desiredOf(name));
const policy = (pattern: string) => ({match: {pattern}, policy: 'Delete' as const});

describe('the patterns of an input', () => {
  it('may be many, if they are ordinary', () => {
    const policies = Array.from({length: 50}, (_, index) => policy(`subnet-.*-${index}[0-9]?`));
    expect(unmatchedPatterns(snapshot({desired}), {removal: {policies}})).toEqual([]);
  });

  const policies = Array.from({length: 40}, (_, index) => policy(`.*a.{${20 + index}}`));
  const costly = {removal: {policies}};

  it('keep what leaves if they cost more than one call may, and all else goes on', () => {
    const given = {observed: [observed('old'), observed(names[0] ?? '')], desired, input: costly};
    expect(planOf(given).unmatched[0]).toMatchObject({
      path: expect.stringMatching(/^removal\.policies\[[0-9]+\]\.match\.pattern$/),
      expected: 'patterns that can be matched against 501 names with bounded work',
    });
    const decided = table(given);
    expect([decided['old'], decided[names[0] ?? ''], decided[names[1] ?? '']]).toEqual([
      'hold (pattern-unmatched)',
      'keep',
      'create',
    ]);
    expect(planOf(given).unknownNames).toEqual([]);
    // The same patterns are matched for an XR with fewer names.
    expect(table({observed: [observed('old')], input: costly})).toEqual({old: 'release'});
  });

  it('have what is not there wait if they are those of an order or a move', () => {
    const order = policies.map(({match}) => ({of: {resources: ['other']}, by: match}));
    const given = {observed: [observed(names[0] ?? '')], desired, input: {order}};
    expect([table(given)[names[0] ?? ''], table(given)[names[1] ?? '']]).toEqual(['keep', 'wait (pattern-unmatched)']);
  });

  it('are refused in a sentence if an Operation has them', () => {
    const required = new Map(names.map((name) => [name, []]));
    const rules = policies.map(({match}) => ({match}));
    expect(planOperation({required}, {protect: {required: rules}})).toMatchObject({kind: 'invalid-input'});
  });

  it("of a template are the template's own", () => {
    const base = {apiVersion: 'v1', kind: 'Thing', spec: {pattern: '('}};
    expect(planOf({input: {resources: [{name: 'a', base}]}}).kind).toBe('plan');
  });
});
