import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {readYamlFile} from '../../src/harness/input/yaml-file.ts';
import {openBench} from './bench.ts';
import {conformance} from './command.ts';
import {parseRecordedScenario} from './recorded-scenario.ts';
import {replay} from './replay.ts';

const recordings = new URL('../recordings/', import.meta.url).pathname;

// All of them replay in `npm run conformance`, which is a check of its own (.ci/check.mjs).
describe('a recording of the real thing replays', () => {
  const out = mkdtempSync(join(tmpdir(), 'conformance-'));
  const some = ['d-orphan', 'train', 'a-sync-lifecycle'];
  const lines: string[] = [];

  beforeAll(() => {
    for (const only of some) conformance(recordings, out, (line) => lines.push(line), {strict: true, only});
  });
  afterAll(() => rmSync(out, {recursive: true, force: true}));

  test('with the same objects at the end of every step, their generations and messages too', () => {
    expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([]);
    expect(lines.length).toBeGreaterThan(some.length);
  });

  test('and what the simulated world did is written in the format of the recordings', () => {
    const story = JSON.parse(readFileSync(join(out, 'control-plane/d-orphan.json'), 'utf8'));
    expect(Object.keys(story)).toEqual(['scenario', 'steps', 'events']);
    expect(story.scenario).toBe('d-orphan');
    expect(Object.keys(story.steps[0])).toEqual(['index', 'label', 'results', 'quiet', 'snapshot']);
    expect(story.events[0]).toMatchObject({step: 0, type: 'ADDED', object: {kind: 'Composition'}});
    const [sequence] = readFileSync(join(out, 'ssa/train.jsonl'), 'utf8').split('\n');
    expect(Object.keys(JSON.parse(sequence ?? ''))).toEqual(['id', 'ops']);
    const managed = JSON.parse(readFileSync(join(out, 'managed/a-sync-lifecycle.json'), 'utf8'));
    expect(managed.outcome).toMatchObject({creates: 1});
  });
});

describe('one Composition edit drops the used resource, its user and the Usage', () => {
  /** The composed resources that are left at the end of the story, over the map orders that the seeds draw. */
  function ends(seedsMax: number): Set<string> {
    const folder = join(recordings, 'control-plane');
    const [scenario] = readYamlFile(join(folder, 'c-composition-drops-all-three.scenario.yaml')).map(
      parseRecordedScenario,
    );
    if (scenario === undefined) throw new Error('the scenario is empty');
    const before = ['managed-crds.yaml', 'xrds.yaml'].flatMap((file) =>
      readYamlFile(join(folder, file)).map((cursor) => cursor.value as never),
    );
    const found = new Set<string>();
    for (let seed = 1; seed <= seedsMax && found.size < 2; seed++) {
      const {bench, atStep} = openBench({crossplane: 'main', before, seed, functions: ['function-static']});
      const steps = driveHere(replay(scenario, bench, atStep));
      const left = steps
        .at(-1)
        ?.snapshot.map((object) => object.metadata.annotations?.['crossplane.io/composition-resource-name']);
      found.add(
        left
          ?.filter((name) => name !== undefined)
          .sort()
          .join(' ') ?? '',
      );
    }
    return found;
  }

  test('converges or freezes the XR, by the order of a Go map', () => {
    // Freezing takes several reconciles in a row that meet A before the Usage, so it is the rarer end.
    const found = ends(120);
    expect(found).toContain('C');
    expect([...found].some((left) => left.includes('A'))).toBe(true);
  });
});
