import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {broken, rules} from './rules.ts';

// That a broken rule is noticed is shown by `npm run mutation:rules`, which takes minutes; that the list still names what the
// source says is shown here, so that it does not rot.

describe('the list of rules', () => {
  it.each(rules)('$rule', (rule) => {
    const source = readFileSync(new URL(`../../src/lifecycle/${rule.file}`, import.meta.url), 'utf8');
    const without = broken(source, rule);
    expect(without, `${rule.of} of ${rule.file} says once: ${rule.text}`).toBeDefined();
    expect(without).not.toBe(source);
    // A call of what is not there would be noticed whether or not a test guards the rule.
    for (const [call] of rule.without.matchAll(/(?<![.\w])[a-z]\w*\(/g)) expect(source).toContain(call);
  });
});
