import {mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {KubeObject} from '../../src/cluster/object.ts';
import {readText, readYamlFile} from '../../src/harness/input/yaml-file.ts';
import {replaySsa} from './ssa.ts';
import type {Suite} from './suite.ts';

/** Replays FILE.jsonl of recorded server-side apply sequences, one verdict a sequence. */
export const ssaSuite: Suite = {
  folder: 'ssa',
  *run(dir, out, {only} = {}) {
    const crds = readYamlFile(join(dir, 'crds.yaml')).map((cursor) => cursor.value as unknown as KubeObject);
    const files = readdirSync(dir)
      .filter((file) => file.endsWith('.jsonl'))
      .sort();
    mkdirSync(out, {recursive: true});
    for (const file of files) {
      const name = `ssa/${file.slice(0, -'.jsonl'.length)}`;
      if (only !== undefined && !name.includes(only) && !only.startsWith(`${name}#`)) continue;
      const {sequences, lines} = replaySsa(readText(join(dir, file)), crds);
      writeFileSync(join(out, file), lines.map((line) => `${line}\n`).join(''));
      for (const {id, differences} of sequences) {
        const title = `${name}#${id}`;
        if (only?.includes('#') === true && only !== title) continue;
        const [first] = differences;
        yield first === undefined ? {name: title, passed: true} : {name: title, passed: false, detail: first};
      }
    }
  },
};
