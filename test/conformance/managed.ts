import {mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {KubeObject} from '../../src/cluster/object.ts';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {asObject, optional, required} from '../../src/harness/input/cursor.ts';
import {InputError} from '../../src/harness/input/input-error.ts';
import {readYamlFile} from '../../src/harness/input/yaml-file.ts';
import {differencesOf, type ManagedOutput, outputOf, type RecordedOutput} from './managed-output.ts';
import {type ManagedScenario, parseManagedScenario} from './managed-recording.ts';
import {replayManaged} from './managed-replay.ts';
import type {Suite, Verdict} from './suite.ts';

// Replays the recordings of the managed reconciler: DIR/NAME.json holds scenario and recording, DIR/crds.yaml the kinds.
// Whether a reconcile reads its own last write from the informer's cache is left to chance in a real process, so the
// plain run comes first and then runs whose latencies a seed draws; the recorded end must be one of them.

const seedsMax = 12;

export const managedSuite: Suite = {
  folder: 'managed',
  *run(dir, out, {only} = {}) {
    const crds = readYamlFile(join(dir, 'crds.yaml')).map((cursor) => asObject(cursor) as unknown as KubeObject);
    const names = readdirSync(dir)
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -'.json'.length))
      .sort();
    mkdirSync(out, {recursive: true});
    for (const name of names) {
      if (only !== undefined && !`managed/${name}`.includes(only)) continue;
      yield verdictOrProblem(dir, out, name, crds);
    }
  },
};

/** A recording that cannot be read, or a world that breaks on it, must not keep the others from being replayed. */
function verdictOrProblem(dir: string, out: string, name: string, crds: readonly KubeObject[]): Verdict {
  try {
    return verdictOf(dir, out, name, crds);
  } catch (error) {
    return {name: `managed/${name}`, passed: false, detail: error instanceof Error ? error.message : String(error)};
  }
}

function verdictOf(dir: string, out: string, name: string, crds: readonly KubeObject[]): Verdict {
  const file = join(dir, `${name}.json`);
  const [cursor] = readYamlFile(file);
  if (cursor === undefined) throw new InputError('must be a recording, got an empty file', {place: file});
  const scenario = parseManagedScenario(required(cursor, 'scenario'));
  const isRecorded = optional(cursor, 'outcome') !== undefined;
  const recorded = isRecorded ? (asObject(cursor) as unknown as RecordedOutput) : undefined;
  const {output, seed, differences} = bestAttempt(scenario, crds, recorded);
  writeFileSync(join(out, `${name}.json`), `${JSON.stringify(output)}\n`);
  const [first] = differences;
  const title = `managed/${name}`;
  if (recorded === undefined) return {name: title, passed: false, detail: 'no recorded outcome to compare with'};
  if (first !== undefined) {
    const more = differences.length - 1;
    return {name: title, passed: false, detail: more === 0 ? first : `${first} (and ${more} more)`};
  }
  return {name: title, passed: true, ...(seed === 1 ? {} : {detail: `with seed ${seed}`})};
}

interface Attempt {
  readonly seed: number;
  readonly output: ManagedOutput;
  readonly differences: readonly string[];
}

/** The first attempt that agrees with the recording, else the nearest one. */
function bestAttempt(
  scenario: ManagedScenario,
  crds: readonly KubeObject[],
  recorded: RecordedOutput | undefined,
): Attempt {
  let best: Attempt | undefined;
  for (let seed = 1; seed <= seedsMax; seed++) {
    const output = outputOf(driveHere(replayManaged(scenario, crds, seed)));
    const differences = recorded === undefined ? [] : differencesOf(recorded, output);
    if (best === undefined || differences.length < best.differences.length) best = {seed, output, differences};
    if (differences.length === 0) break;
  }
  if (best === undefined) throw new Error('no seed was tried');
  return best;
}
