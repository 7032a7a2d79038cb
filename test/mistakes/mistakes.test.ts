// Eighty ways to hold the command wrong. Whatever it is given, it answers in one sentence on stderr (a story that fails says
// it on stdout), with the exit code that its help names: never a stack trace, never silence, never after more than ten
// seconds. In process, as the command itself runs: `main.test.ts` runs the program.

import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {auditCommand} from '../../src/cli/audit.ts';
import type {Command} from '../../src/cli/command.ts';
import {explainCommand} from '../../src/cli/explain.ts';
import {exploreCommand} from '../../src/cli/explore.ts';
import {initCommand} from '../../src/cli/init.ts';
import {lintCommand} from '../../src/cli/lint.ts';
import {neverWorseCommand} from '../../src/cli/never-worse.ts';
import {rehearseCommand} from '../../src/cli/rehearse.ts';
import {renderCommand} from '../../src/cli/render.ts';
import {replayCommand} from '../../src/cli/replay.ts';
import {storiesCommand} from '../../src/cli/stories.ts';
import {testCommand} from '../../src/cli/test.ts';
import {builtins} from '../../src/harness/functions/builtin.ts';
import {passThrough} from '../../src/harness/functions/passing.ts';
import {contextWith} from '../cli/context.ts';
import {withoutProgress} from '../cli/progress.ts';
import {type Mistake, mistakes} from './table.ts';

const folder = mkdtempSync(join(tmpdir(), 'tether-mistakes-'));
const context = contextWith({...builtins, 'function-tether': passThrough}, folder);
const commands: {readonly [name: string]: Command} = {
  test: (argv) => testCommand(argv, contextWith()),
  audit: auditCommand,
  init: initCommand,
  explore: exploreCommand,
  lint: lintCommand,
  'never-worse': neverWorseCommand,
  replay: replayCommand,
  stories: storiesCommand,
  rehearse: rehearseCommand,
  render: (argv) => renderCommand(argv, contextWith()),
  explain: explainCommand,
};

// So that no sentence is broken in two.
beforeAll(() => void vi.stubEnv('COLUMNS', '1000'));
afterAll(() => void vi.unstubAllEnvs());
afterAll(() => rmSync(folder, {recursive: true, force: true}));

/** A worker has no folder of its own: names of files are given whole, and read as if they were not. */
const placed = (word: string): string =>
  /\.(yaml|json|html|gz)$|^(sub|nowhere|config-\w+)$/.test(word) ? join(folder, word) : word;

/** Runs the command and answers its exit code and what it printed on both streams. */
async function run(argv: readonly string[]): Promise<{readonly code: number; readonly printed: string}> {
  const printed: string[] = [];
  const spies = [
    ...(['log', 'error'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation((...words) => void printed.push(`${words.join(' ')}\n`)),
    ),
    ...[process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, 'write').mockImplementation((text) => {
        printed.push(String(text));
        return true;
      }),
    ),
  ];
  try {
    const [command = '', ...rest] = argv;
    const code = await commands[command]?.(rest.map(placed), context);
    if (code === undefined) throw new Error(`the table names no command in "${argv.join(' ')}"`);
    return {code, printed: withoutProgress(printed.join('')).replaceAll(`${folder}/`, '')};
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** The sentence: the first line of what is wrong; of a story that failed the line below its verdict. */
function sentenceIn(printed: string): string {
  const lines = printed.split('\n').filter((line) => line.trim() !== '');
  const failed = lines.findIndex((line) => line.startsWith('FAILED'));
  return (lines[failed + 1] ?? '').trim();
}

function prepare({files = {}}: Mistake): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), {recursive: true});
    if (text === 'a directory') mkdirSync(join(folder, name), {recursive: true});
    else writeFileSync(join(folder, name), text);
  }
}

describe('a mistake', () => {
  test.each(mistakes)('$name', async (mistake) => {
    prepare(mistake);
    const beganMs = performance.now();
    const {code, printed} = await run(mistake.argv);
    expect(sentenceIn(printed)).toContain(mistake.says);
    expect(code).toBe(mistake.code ?? 2);
    expect(printed).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
    expect(performance.now() - beganMs).toBeLessThan(10_000);
  });

  test('there are eighty of, each another one', () => {
    expect(mistakes.length).toBeGreaterThanOrEqual(80);
    expect(new Set(mistakes.map(({name}) => name)).size).toBe(mistakes.length);
  });
});
