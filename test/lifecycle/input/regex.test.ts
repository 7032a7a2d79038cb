import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {regexOf} from '../../../src/lifecycle/input/regex.ts';

/** Patterns out of the parts that both this engine and JavaScript's know. */
const pattern = fc.letrec<{any: string; atom: string; piece: string}>((tie) => ({
  atom: fc.oneof(
    {maxDepth: 2},
    fc.constantFrom('a', 'b', '-', '\\.', '.', '[ab]', '[^a]', '[a-c-]', '\\d', '\\w', '[\\d.]', '[-a]'),
    tie('any').map((inner) => `(${inner})`),
    tie('any').map((inner) => `(?:${inner})`),
  ),
  piece: fc
    .tuple(tie('atom'), fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '{0,}'))
    .map((parts) => parts.join('')),
  any: fc
    .array(
      fc.array(tie('piece'), {maxLength: 2}).map((pieces) => pieces.join('')),
      {minLength: 1, maxLength: 2},
    )
    .map((ways) => ways.join('|')),
})).any;

describe('regular expressions of the input', () => {
  it('mean what they mean in JavaScript, from beginning to end', () => {
    fc.assert(
      fc.property(
        pattern,
        fc.string({unit: fc.constantFrom('a', 'b', 'c', '-', '.', '1'), maxLength: 4}),
        (source, text) => {
          expect(regexOf(source)?.test(text), `${source} on ${text}`).toBe(
            new RegExp(`^(?:${source})$`, 'u').test(text),
          );
        },
      ),
      // JavaScript's engine backtracks: of random seeds some would have it think for minutes.
      {numRuns: 2000, seed: 7},
    );
  });

  it.each([
    ['db', 'db-replica', false],
    ['db', 'my-db', false],
    ['^db', 'db-replica', false],
    ['db$', 'my-db', false],
    ['^db$', 'db', true],
    ['a|b', 'ab', false],
    ['db\\$', 'db$', true],
    ['a.b', 'a-b', true],
    ['a\\.b', 'a-b', false],
    ['^a$|^b$', 'b', true],
    ['(?i)db', 'DB', true],
    ['\\bdb\\b-1', 'db-1', true],
    ['[[:alnum:]]+', 'a1', true],
    ['[[:alnum:]]+', 'a-1', false],
    ['a.*?b', 'axb', true],
    ['(?P<n>db)', 'db', true],
    ['\\Qa.b\\E', 'a-b', false],
  ])('%s on %s: %s', (source, text, want) => {
    expect(regexOf(source)?.test(text)).toBe(want);
  });

  it.each(['(', 'a)', '[a', '*', 'a**b(', '(?=a)', '\\1', 'a{3,2}', '[z-a]', '\\', '(((a{900}){900}){900})'])(
    '%s is none',
    (source) => expect(regexOf(source)).toBeUndefined(),
  );

  it('are not large: a thousand steps, however they are written', () => {
    expect(regexOf('(a?){240}')).toBeDefined();
    expect(regexOf('(a?){900}')).toBeUndefined();
    expect(regexOf('(\\pL{900}){1}\\pL{900}')).toBeUndefined();
  });

  it('cost the same for the same names, whatever was asked before', () => {
    const names = ['subnet-a', 'subnet-b', 'cluster'];
    // Each text that has another letter at another place is a state of its own.
    const regex = regexOf('subnet-[a-z]+|.*b.{12}') ?? expect.fail('a pattern');
    const cost = regex.learn(names);
    regex.learn(['subnet-abcdef', 'vpc', 'babbababbabb', 'bbaabbaabbaabb']);
    expect(regex.test('subnet-z')).toBe(true);
    expect(regex.learn(names)).toBe(cost);
    expect(names.map((name) => regex.test(name))).toEqual([true, true, false]);
  });

  it('take time in proportion to the name, whatever the pattern', () => {
    const name = 'a'.repeat(20_000);
    expect(regexOf('(a+)+b')?.test(name)).toBe(false);
    expect(regexOf('(a|a)*(a|a)*b')?.test(name)).toBe(false);
  });
});
