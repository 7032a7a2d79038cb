import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {parseExploreArgs} from '../../../src/cli/explore-options.ts';
import type {Model} from '../../../src/explore/model.ts';
import {parsePath, replay} from '../../../src/explore/path.ts';
import {passed} from '../../../src/explore/result.ts';
import {explore} from '../../../src/harness/explore/explore.ts';
import {expandPath, replayCommandLine, reportPath, shortPath} from '../../../src/harness/explore/path-report.ts';
import {scenarioText} from '../../../src/harness/explore/save-scenario.ts';
import {tether} from '../../cli/tether.ts';
import {found, opened} from './opened.ts';

describe('with function-tether', () => {
  it('the restore story holds on main, every step of it, and every sometimes is seen', () => {
    const {explored} = found('explore/s1-tethered', 'main', '--moves', 'in-order', '--all');
    expect(explored.properties.filter(({verdict}) => verdict !== 'holds')).toEqual([]);
    expect(passed(explored)).toBe(true);
  });

  it('what is used leaves after its user on main', () => {
    const {explored} = found('explore/s0-tethered', 'main', '--moves', 'in-order', '--all');
    expect(explored.properties.map(({name}) => name)).toContain('what is used is never gone before its user');
    expect(passed(explored)).toBe(true);
  });
});

describe('what function-tether is told to do', () => {
  it.each(['budget', 'confirm', 'external-names', 'lost-refs', 'orphan', 'protect', 'sequence', 'templates'])(
    'holds in every state of its story (%s)',
    (part) => {
      const {explored} = found(`explore/tethered-${part}`, 'main', '--all', '--budget', 'choice=1');
      expect(explored.properties.filter(({expectation}) => expectation === 'sometimes').length).toBeGreaterThan(2);
      expect(explored.properties.filter(({verdict}) => verdict !== 'holds')).toEqual([]);
      expect(passed(explored)).toBe(true);
    },
  );

  it('is what makes the difference: without it S3 makes a second external resource', () => {
    const {failures} = found('explore/s3-twice', 'main', '--property', 'two');
    expect(failures[0]?.report.name).toBe('never two external resources for one');
  });
});

describe('switching a live XR to function-tether, and back', () => {
  it.each([
    ['switch-sequencer', 'main'],
    ['switch-sequencer-1', '1.20'],
    ['switch-deletion-protection', 'main'],
    ['switch-deletion-protection-1', '1.20'],
  ] as const)('leaves no moment without the Usage (%s on %s)', (story, crossplane) => {
    const {explored} = found(`explore/${story}`, crossplane, '--all');
    const names = explored.properties.map(({name}) => name);
    expect(names).toContain('the Usage is there at every moment');
    expect(names).toContain('what it protects is marked as in use');
    expect(explored.properties.filter(({verdict}) => verdict !== 'holds')).toEqual([]);
    expect(passed(explored)).toBe(true);
  });
});

describe('with a model of function-sequencer', () => {
  it('what is used is gone before its user when a Composition drops both', () => {
    const {failures} = found('explore/sequencer-lost-order', 'main', '--moves', 'in-order', '--budget', 'choice=1');
    expect(failures[0]?.report.name).toBe('what is used is never gone before its user');
    expect(failures[0]?.spendingSteps).toBe(3);
  });
});

describe('a failure', () => {
  it('replays from its path, with the timeline of what happened', () => {
    const {exploration, failures} = found('explore/s3-twice', 'main', '--property', 'two');
    const [failure] = failures;
    const parsed = parsePath(expandPath(shortPath(failure?.path ?? [])));
    if (parsed.kind === 'invalid') throw new Error(parsed.message);
    expect(parsed.path).toEqual(failure?.path);
    expect(replay(exploration.model, parsed.path).kind).toBe('replayed');
    const {lines, verdict} = reportPath(exploration, parsed.path, {
      name: failure?.report.name ?? '',
      pending: undefined,
    });
    expect(lines.filter((line) => /^ +\d+\. /.test(line))).toEqual([
      '  1. operator: a team asks for an App',
      '  2. operator: the provider is restarted',
    ]);
    expect(verdict).toMatch(/^two external resources are alive for Bucket\/shop-/);
  });

  it.each([
    ['S1', 'explore/s1-orphan', 'main', 'orphan', '2.3'],
    ['S0', 'explore/s0-usage-stays', '1.16', 'deletion', '1.19'],
    ['S2', 'explore/s2-late-app', '1.19', 'syncs', '1.20'],
  ] as const)(
    '%s, saved as a scenario, fails again in `tether test`, and not where it is fixed',
    (_, story, on, property, fixed) => {
      const {exploration, failures} = found(story, on, '--property', property, '--moves', 'in-order');
      const [failure] = failures;
      if (failure === undefined) throw new Error('nothing was found');
      const text = scenarioText(exploration, failure, 'tether replay');
      expect(exitCodeOf(text)).toBe(3);
      expect(exitCodeOf(text.replace(`- "${on}"`, `- ${on}`).replace(`- ${on}\n`, `- "${fixed}"\n`))).toBe(0);
    },
  );
});

describe('the story that README shows', () => {
  it.each([
    ['1.16', 'no orphan is left'],
    ['1.19', undefined],
    ['1.20', undefined],
    ['2.3', undefined],
    ['main', 'no orphan is left'],
  ] as const)('breaks on %s what its head says, and nothing else', (crossplane, name) => {
    const {failures, explored} = found('explore/s1-orphan', crossplane);
    expect(failures.map(({report}) => report.name)).toEqual(name === undefined ? [] : [name]);
    expect(passed(explored)).toBe(name === undefined);
  });
});

describe('the command that takes a path again', () => {
  it.each([
    ['what the scenario says by itself is not in it', [], '--crossplane main --path 0'],
    [
      'what is otherwise is',
      ['--moves', 'any', '--minutes', '5'],
      '--crossplane main --moves any --minutes 5 --path 0',
    ],
    ['so is a fault', ['--budget', 'crash=1'], '--crossplane main --budget crash=1 --path 0'],
  ] as const)('%s', (_, flags, rest) => {
    const {exploration} = opened('explore/s1-orphan', 'main', ...flags);
    expect(replayCommandLine('s1.yaml', exploration, [0])).toBe(`tether replay s1.yaml ${rest}`);
  });

  it('a fault that the scenario asks for, and its caller does not, is told to be none', () => {
    const {exploration} = opened('hazards/backup-while-deleting', 'main', '--budget', 'early=0');
    const command = replayCommandLine('s.yaml', exploration, [0]);
    expect(command).toBe('tether replay s.yaml --crossplane main --budget early=0 --path 0');
  });
});

/** What `tether test` answers for the scenario. */
function exitCodeOf(text: string): number | null {
  const folder = mkdtempSync(join(tmpdir(), 'saved-'));
  try {
    const file = join(folder, 'saved.yaml');
    writeFileSync(file, text);
    return tether(['test', file]).code;
  } finally {
    rmSync(folder, {recursive: true});
  }
}

describe('bounds', () => {
  it('an unfinished search says so and does not pass', () => {
    const {explored} = found('explore/s1-tethered', 'main', '--states', '5', '--moves', 'in-order');
    expect(explored.outcome).toEqual({kind: 'incomplete', reasons: ['states']});
    expect(passed(explored)).toBe(false);
  });

  it('a part of a search is never the whole and does not pass', () => {
    const {explored} = found('explore/tethered-orphan', 'main', '--budget', 'choice=1', '--shard', '0/2');
    expect(explored.outcome).toEqual({kind: 'incomplete', reasons: ['shard']});
    expect(passed(explored)).toBe(false);
  });

  it('walks at random say that they are no search, and a seed walks the same way again', () => {
    const flags = ['--moves', 'in-order', '--budget', 'reorder=6', '--budget', 'choice=4', '--walks', '3'];
    const walked = (seed: string) =>
      found('explore/tethered-external-names', 'main', ...flags, '--seed', seed).explored;
    const first = walked('7');
    expect(first.outcome).toEqual({kind: 'incomplete', reasons: ['random']});
    expect(walked('7')).toEqual(first);
    expect(walked('8').transitions).not.toBe(first.transitions);
  });

  it('more units than a state can count are refused with a sentence', () => {
    const flags = ['--budget', 'reorder=1000', '--budget', 'choice=1000'];
    expect(() => opened('explore/tethered-orphan', 'main', ...flags)).toThrow(
      /^cannot use budgets .*: [0-9]+ combinations, at most 65536 fit$/,
    );
  });

  it('a search that has no memory left says so and does not pass', () => {
    const {args, exploration} = opened('explore/s1-tethered', 'main');
    // A world without end that costs nothing: each state has two that follow.
    const endless: Model<number, number> = {
      initial: () => 1,
      actions: () => [0, 1],
      next: (state, action) => 2 * state + action,
      fingerprint: (state) => state,
      key: String,
      describe: String,
    };
    const search = {...exploration, model: endless as never, properties: []};
    const explored = explore(search, {...args, memoryBytes: 1, states: 100_000}, () => undefined);
    expect(explored.outcome).toEqual({kind: 'incomplete', reasons: ['memory']});
    expect(passed(explored)).toBe(false);
  });

  it.each([
    [['--budget', 'storm=1'], /--budget must be one of operator, .* got "storm"/],
    [['--shard', '2/2'], /--shard must be K\/N with K from 0 to N-1, got "2\/2"/],
    [['--memory', '0'], /--memory must be a whole number above 0, got "0"/],
    [['--depth', 'deep'], /--depth must be a whole number above 0, got "deep"/],
  ])('%s is refused with a sentence', (flags, sentence) => {
    expect(() => parseExploreArgs(['scenario.yaml', ...flags])).toThrow(sentence);
  });
});
