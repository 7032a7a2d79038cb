// The finds that were kept: what the real thing made of a story, to be replayed without it. Some are open: ours still
// differs there, and the search leaves their causes alone.

import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {KubeObject} from '../../src/cluster/object.ts';
import {readYamlFile} from '../../src/harness/input/yaml-file.ts';
import {type AnsweredSequence, differenceIn} from './answered-sequence.ts';
import {type Difference, signatureOf} from './difference.ts';
import {renderOurs} from './render-ours.ts';
import {differenceBetween, type RenderOutcome, type RenderStory} from './render-outcome.ts';

const folder = new URL('../recordings/differential/', import.meta.url).pathname;

export interface RenderRecording {
  readonly story: RenderStory;
  readonly outcome: RenderOutcome;
}

export interface Recorded {
  /** `render/NAME`, `server/NAME` or `native/NAME`. */
  readonly name: string;
  readonly difference: Difference | undefined;
}

type Kind = 'render' | 'server' | 'native';

/** The kinds that random sequences write. */
export function randomKinds(): readonly KubeObject[] {
  return readYamlFile(join(folder, 'server', 'crds.yaml')).map(({value}) => value as unknown as KubeObject);
}

/** Every recording of a kind, told to the simulated side. */
export function replayRecordings(kind: Kind): readonly Recorded[] {
  const kinds = kind === 'server' ? randomKinds() : [];
  return namesOf(kind).map((name) => {
    const content = JSON.parse(readFileSync(join(folder, kind, `${name}.json`), 'utf8')) as unknown;
    return {
      name: `${kind}/${name}`,
      difference:
        kind === 'render'
          ? renderDifference(content as RenderRecording)
          : differenceIn(content as AnsweredSequence, kinds),
    };
  });
}

function renderDifference({story, outcome}: RenderRecording): Difference | undefined {
  return differenceBetween(outcome, renderOurs(story));
}

/** The causes that are known and open. */
export function openSignatures(kind: Kind): ReadonlySet<string> {
  return new Set(
    replayRecordings(kind).flatMap(({difference}) => (difference === undefined ? [] : [signatureOf(difference)])),
  );
}

/** Answers the file. A recording is never replaced. */
export function writeRecording(kind: Kind, name: string, content: unknown): string {
  mkdirSync(join(folder, kind), {recursive: true});
  let file = join(folder, kind, `${name}.json`);
  for (let copy = 2; existsSync(file); copy++) file = join(folder, kind, `${name}-${copy}.json`);
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
  return file;
}

function namesOf(kind: Kind): readonly string[] {
  if (!existsSync(join(folder, kind))) return [];
  return readdirSync(join(folder, kind))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}
