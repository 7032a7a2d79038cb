import {describe, expect, test} from 'vitest';
import {goYaml} from '../../../src/harness/render/go-yaml.ts';

// Every expected text was printed by sigs.k8s.io/yaml v1.6.0.

describe('strings are written as Go writes them', () => {
  test.each([
    ['plain words', 'a: plain words\n'],
    ['', 'a: ""\n'],
    ['yes', 'a: "yes"\n'],
    ['True', 'a: "True"\n'],
    ['12:30:45', 'a: "12:30:45"\n'],
    ['2024-01-01', 'a: "2024-01-01"\n'],
    ['2024-02-30', 'a: 2024-02-30\n'],
    ['0x1F', 'a: "0x1F"\n'],
    ['1_000', 'a: "1_000"\n'],
    ['1e999', 'a: 1e999\n'],
    ['<<', 'a: <<\n'],
    ['a: b', "a: 'a: b'\n"],
    ["it's: x", "a: 'it''s: x'\n"],
    ['- x', "a: '- x'\n"],
    ['tab\tx', 'a: "tab\\tx"\n'],
    ['emoji 😀', 'a: "emoji \\U0001F600"\n'],
    ['ü ✓', 'a: ü ✓\n'],
    ['one\ntwo', 'a: |-\n  one\n  two\n'],
    ['one\n\ntwo\n', 'a: |\n  one\n\n  two\n'],
    ['  indented\ntwo', 'a: |2-\n    indented\n  two\n'],
    ['trailing \ntwo', 'a: "trailing \\ntwo"\n'],
  ])('%j', (text, yaml) => {
    expect(goYaml({a: text})).toBe(yaml);
  });

  test('and long lines are folded at the first space after column 80', () => {
    const text = `${'x'.repeat(40)} ${'y'.repeat(40)} z`;
    expect(goYaml({a: {b: text}})).toBe(`a:\n  b: ${'x'.repeat(40)} ${'y'.repeat(40)}\n    z\n`);
  });
});

describe('collections', () => {
  test('lists are not indented under their key, empty ones stay on the line', () => {
    expect(goYaml({list: [{b: [1], a: []}, [2, [3]], {}]})).toBe('list:\n- a: []\n  b:\n  - 1\n- - 2\n  - - 3\n- {}\n');
  });

  test('keys are in natural order: numbers by value, letters last', () => {
    const keys = ['a10', 'a2', 'a', 'B', 'b', 'a-b', '1', 'yes'];
    const text = goYaml(Object.fromEntries(keys.map((key) => [key, 0])));
    expect(text).toBe('"1": 0\nB: 0\na: 0\na-b: 0\na2: 0\na10: 0\nb: 0\n"yes": 0\n');
  });

  test('numbers are Go’s', () => {
    expect(goYaml({a: [1, 1.5, 1e-7, 0.0001, -3]})).toBe('a:\n- 1\n- 1.5\n- 1e-07\n- 0.0001\n- -3\n');
  });
});
