// An option that a command would not heed is bad input: it is in no table, or another option that was given rules it out.

import {describe, expect, test} from 'vitest';
import {parseExploreArgs, replayLine} from '../../src/cli/explore-options.ts';
import {neverWorseCommand} from '../../src/cli/never-worse.ts';
import {checkBeside, checkNeeds, optionsOf} from '../../src/cli/options.ts';
import {type CommandLine, helpText, many, on, readOptions, text, textOr} from '../../src/command-line/option-table.ts';
import {contextWith} from './context.ts';

const line = {
  name: 'try',
  takes: 'FILE',
  does: 'tries.',
  options: {
    fast: on('be fast', {short: 'f'}),
    name: text('NAME', 'who'),
    size: textOr('N', 'how much', '4'),
    tag: many('TAG', 'any tag', (tag, flag) => `${flag} ${tag}`),
    old: on('', {hidden: true}),
  },
  example: 'tether try a',
  exitCodes: '0 tried.',
} satisfies CommandLine;

describe('an option table', () => {
  test('reads every kind of option, and files', () => {
    expect(readOptions(line, ['-f', 'a', '--tag', 'x', '--tag=y'])).toEqual({
      kind: 'given',
      values: {fast: true, name: undefined, size: '4', tag: ['--tag x', '--tag y'], old: false},
      files: ['a'],
      named: ['fast', 'tag'],
      order: [
        {name: 'tag', value: 'x'},
        {name: 'tag', value: 'y'},
      ],
    });
  });

  test.each([
    ['--fast=false', false],
    ['--fast=1', true],
    ['--no-fast', false],
  ])('a switch may be told %s', (arg, fast) => {
    expect(readOptions(line, [arg])).toMatchObject({kind: 'given', values: {fast}});
  });

  test('prints what it reads, but for what nobody needs to know', () => {
    expect(helpText(line)).toBe(`tether try FILE tries.

  --fast, -f   be fast
  --name NAME  who
  --size N     how much (default "4")
  --tag TAG    any tag
  --help, -h   print this

Example: tether try a

Exit codes: 0 tried.`);
  });

  test('refuses an option that is not in it', () => {
    expect(readOptions(line, ['--fats'])).toEqual({
      kind: 'invalid',
      sentence: "unknown option '--fats'",
      unknown: '--fats',
    });
  });
});

describe('an option that would do nothing is refused', () => {
  test.each([
    [['--path', '0/1'], "unknown option '--path'"],
    [['--steps'], "unknown option '--steps'"],
    [['--walks', '5', '--order', 'depth'], '--order is for a search, which --walks is instead of'],
    [['--walks', '5', '--shard', '0/2'], '--shard is for a search, which --walks is instead of'],
    [['--seed', '3'], '--seed does nothing without --walks'],
    [['--length', '3'], '--length does nothing without --walks'],
  ])('tether explore FILE %j', (args, sentence) => {
    expect(() => parseExploreArgs(['story.yaml', ...args])).toThrow(sentence);
  });

  test.each([[['--walks', '5']], [['--json', 'x']], [['--save', 'y']], [['--property', 'z']], [['--all']]])(
    'tether replay FILE --path 0 %j',
    (args) => {
      const [flag] = args;
      expect(() => optionsOf(replayLine, ['story.yaml', '--path', '0', ...args])).toThrow(`unknown option '${flag}'`);
    },
  );

  test('tether never-worse --story beside what only many stories have', async () => {
    expect(await neverWorseCommand(['--story', '7', '--save', 'x'], contextWith())).toBe(2);
  });

  test('what an option goes with, and what it needs', () => {
    expect(() => checkBeside(['a', 'b'], 'a', ['b'])).not.toThrow();
    expect(() => checkBeside(['a', 'c'], 'a', ['b'])).toThrow('--a goes with --b, got --c, which it cannot follow');
    expect(() => checkNeeds(['a', 'b'], 'a', 'b')).not.toThrow();
  });
});
