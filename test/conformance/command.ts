import {existsSync, mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {complain} from '../../src/cli/complain.ts';
import {optionsOf} from '../../src/cli/options.ts';
import {type CommandLine, on, text} from '../../src/command-line/option-table.ts';
import {InputError} from '../../src/harness/input/input-error.ts';
import {controlPlaneSuite, controlPlaneVersionsSuite} from './control-plane.ts';
import {managedSuite} from './managed.ts';
import {ssaSuite} from './ssa-suite.ts';
import type {Suite, Verdict, Which} from './suite.ts';

// `npm run conformance -- --dir DIR --out OUT`: replays every recording of DIR on the simulated world, writes what the
// world did to OUT, prints a line each, and ends `N passed, N failed`.

const line = {
  program: 'npm run',
  name: 'conformance --',
  takes: '',
  does: 'replays recordings of a real control plane on the simulated one, and says where they differ.',
  options: {
    dir: text('DIR', 'where the recordings are (test/recordings)'),
    out: text('OUT', 'where what the simulated control plane did is written (a new folder)'),
    only: text('TEXT', 'only recordings whose name contains TEXT'),
    strict: on('compare generations, observed generations, messages and managed fields, too'),
  },
  example: 'npm run conformance -- --dir test/recordings --only d-orphan',
  exitCodes: '0 every recording is reproduced, 1 some are not, 2 bad input.',
} satisfies CommandLine;

/** Recordings of stories that nobody thought out, beside those that somebody did. */
const randomFolder = 'random';

const suites: readonly Suite[] = [ssaSuite, managedSuite, controlPlaneSuite, controlPlaneVersionsSuite];

export interface ConformanceTotals {
  readonly passed: number;
  readonly failed: number;
}

/** Replays what `dir` holds. `print` is given one line per recording, as they come. */
export function conformance(
  dir: string,
  out: string,
  print: (line: string) => void,
  which: Which = {},
): ConformanceTotals {
  if (!existsSync(dir)) throw new InputError(`cannot read recordings: no such folder "${dir}"`);
  let passed = 0;
  let failed = 0;
  for (const verdict of verdicts(dir, out, which)) {
    if (verdict.passed) passed++;
    else failed++;
    const detail = verdict.detail === undefined ? '' : verdict.passed ? ` (${verdict.detail})` : `: ${verdict.detail}`;
    print(`${verdict.passed ? 'pass' : 'FAIL'} ${verdict.name}${detail}`);
  }
  if (passed + failed === 0) throw new InputError(`cannot find recordings in "${dir}"`);
  return {passed, failed};
}

function* verdicts(dir: string, out: string, which: Which): Generator<Verdict> {
  for (const place of ['', randomFolder]) {
    for (const suite of suites) {
      const folder = join(dir, place, suite.folder);
      if (!existsSync(folder)) continue;
      for (const verdict of suite.run(folder, join(out, place, suite.folder), which)) {
        yield place === '' ? verdict : {...verdict, name: `${place}/${verdict.name}`};
      }
    }
  }
}

/** Answers the exit code: 0 all reproduced, 1 some not, 2 bad input. */
export function conformanceCommand(argv: readonly string[]): number {
  try {
    const given = optionsOf(line, argv);
    if (given === undefined) return 0;
    const {values} = given;
    const dir = values.dir ?? process.env['CONFORMANCE_DIR'] ?? 'test/recordings';
    const out = values.out ?? mkdtempSync(join(tmpdir(), 'conformance-'));
    const totals = conformance(dir, out, (line) => console.log(line), {
      only: values.only,
      strict: values.strict,
    });
    console.log(`${totals.passed} passed, ${totals.failed} failed`);
    return totals.failed === 0 ? 0 : 1;
  } catch (error) {
    return complain('conformance', error);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = conformanceCommand(process.argv.slice(2));
}
