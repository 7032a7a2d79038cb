import {expect, test} from 'vitest';
import {parseExploreArgs, replayLine} from '../../../src/cli/explore-options.ts';
import {optionsOf} from '../../../src/cli/options.ts';

test.each(['--walks=3', '--workers=2', '--depth=4', '--shard=1/2', '--moves=any', '--all'])(
  'tether explore --twin refuses %s, which it would not follow',
  (flag) => {
    const [name = ''] = flag.split('=');
    const sentence = `--twin goes with --crossplane, --budget, --save, --loaded, --function and --run-functions, got ${name}, which it cannot follow`;
    expect(() => parseExploreArgs(['story.yaml', '--twin', 'function-tether', flag])).toThrow(sentence);
  },
);

test('tether explore --twin takes what it follows, and tether replay takes no twin', () => {
  const flags = ['--crossplane', 'main', '--budget', 'editor=1', '--save', 'found.yaml', '--twin', 'function-tether'];
  expect(parseExploreArgs(['story.yaml', ...flags])?.twin).toBe('function-tether');
  const replayed = () => optionsOf(replayLine, ['story.yaml', '--path', '0', '--twin', 'function-tether']);
  expect(replayed).toThrow("unknown option '--twin'");
});
