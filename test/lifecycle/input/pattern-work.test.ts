import {describe, expect, it} from 'vitest';
import {patternProblem} from '../../../src/lifecycle/input/pattern-work.ts';
import {planOperation} from '../../../src/lifecycle/plan/operation.ts';
import {plan} from '../../../src/lifecycle/plan/plan.ts';
import {desired as desiredOf, planOf, snapshot} from '../given.ts';

const names = Array.from(
  {length: 500},
  (_, index) => `subnet-${(index * 7919).toString(2).replaceAll('0', 'a')}-${index}`,
);
const desired = names.map((name) => desiredOf(name));
const policy = (pattern: string) => ({match: {pattern}, policy: 'Delete' as const});

describe('the patterns of an input', () => {
  it('may be many, if they are ordinary', () => {
    const policies = Array.from({length: 50}, (_, index) => policy(`subnet-.*-${index}[0-9]?`));
    expect(patternProblem(snapshot({desired}), {removal: {policies}})).toBeUndefined();
  });

  it('are refused in a sentence where they cost more than one call may', () => {
    const policies = Array.from({length: 40}, (_, index) => policy(`.*a.{${20 + index}}`));
    const result = plan(snapshot({desired}), {removal: {policies}});
    expect(result).toMatchObject({
      kind: 'invalid-input',
      path: expect.stringMatching(/^removal\.policies\[[0-9]+\]\.match\.pattern$/),
      expected: 'patterns that can be matched against 500 names with bounded work',
    });
    const required = new Map(names.map((name) => [name, []]));
    const rules = policies.map(({match}) => ({match}));
    expect(planOperation({required}, {protect: {required: rules}})).toMatchObject({kind: 'invalid-input'});
  });

  it("of a template are the template's own", () => {
    const base = {apiVersion: 'v1', kind: 'Thing', spec: {pattern: '('}};
    expect(planOf({input: {resources: [{name: 'a', base}]}}).kind).toBe('plan');
  });
});
