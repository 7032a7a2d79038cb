import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {rules} from './rules.ts';

// That a broken rule is noticed is shown by break-rules.ts, which takes minutes; that the list still names what the
// source says is shown here, so that it does not rot.

describe('the list of rules', () => {
  it.each(rules.map(({rule, file, text}) => [rule, file, text]))('%s', (_rule, file, text) => {
    const source = readFileSync(new URL(`../../src/lifecycle/${file}`, import.meta.url), 'utf8');
    expect(source.split(text).length, `occurrences of ${text}`).toBe(2);
  });
});
