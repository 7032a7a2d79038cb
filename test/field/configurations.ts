// The field table: public configurations by name and commit, and of each the sentence of every command with a person's
// judgement beside it. Nothing of them is in this repository.

import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';

export const commands = ['init', 'test', 'audit', 'rehearse', 'lint'] as const;
export type CommandName = (typeof commands)[number];

export interface Configuration {
  /** OWNER/NAME on GitHub. */
  readonly name: string;
  readonly commit: string;
  /** The tag of the commit, for people. */
  readonly tag?: string;
  /** Within the repository; all of it if left out. */
  readonly path?: string;
  /** Further arguments of `tether init`. */
  readonly init?: readonly string[];
  /** The functions that its pipelines need, by repository. */
  readonly functions: readonly string[];
  readonly judged: {readonly [command in CommandName]?: Judgement};
}

export interface Judgement {
  /** The sentence that was judged. */
  readonly sentence: string;
  /** `true`, or what is wrong with the sentence. */
  readonly verdict: string;
}

const file = new URL('./configurations.json', import.meta.url);

export function readConfigurations(): readonly Configuration[] {
  return JSON.parse(readFileSync(file, 'utf8')) as readonly Configuration[];
}

export function writeConfigurations(all: readonly Configuration[]): void {
  writeFileSync(file, `${JSON.stringify(all, undefined, 2)}\n`);
  spawnSync('npx', ['biome', 'format', '--write', file.pathname]);
}
