// Where the functions of a configuration run: as the command line says, as their manifests say for `crossplane render`, or in
// process. Of one that nobody says, the package's image is known at the most.

import {existsSync} from 'node:fs';
import {isAbsolute, relative, resolve} from 'node:path';
import {builtinFor, repositoryOf} from '../functions/builtin-for.ts';
import {annotationRuntime, annotationTarget, defaultTarget, type FunctionSource} from '../functions/function-source.ts';
import {readPlaces} from '../functions/said-places.ts';
import type {Configuration} from './configuration.ts';

export interface Place {
  readonly name: string;
  /** Undefined where nobody said: a scenario then names an address that somebody has to serve. */
  readonly source: FunctionSource | undefined;
  /** `registry/repository:version`, where the configuration says it. */
  readonly image: string | undefined;
}

/** `said` is what --function says; `builtins` run in process. Commands run in the working directory. */
export function placesOf(
  names: readonly string[],
  said: readonly string[],
  configuration: Configuration,
  builtins: readonly string[],
): readonly Place[] {
  const given = readPlaces(said, {called: names, builtins});
  return names.map((name) => {
    const manifest = configuration.functions.find(({object}) => object.metadata.name === name)?.object;
    const image = imageOf(name, [String(manifest?.spec?.['package'] ?? ''), ...configuration.packages]);
    const builtin = builtinFor(name, image ?? '', builtins);
    const source =
      given[name] ??
      developmentTarget(manifest?.metadata.annotations) ??
      (builtin === undefined ? undefined : ({kind: 'builtin', name: builtin} as const));
    return {name, source, image};
  });
}

/** The command with files named as the scenario's folder sees them. A program on the PATH stays a word. */
export function commandFrom(folder: string, command: readonly string[]): readonly string[] {
  return command.map((word) => fromFolder(word, folder));
}

function fromFolder(word: string, folder: string): string {
  if (!word.includes('/') || isAbsolute(word) || !existsSync(word)) return word;
  const path = relative(resolve(folder), resolve(word));
  return path.startsWith('.') ? path : `./${path}`;
}

/** As for `crossplane render`. */
function developmentTarget(annotations: {readonly [key: string]: string} = {}): FunctionSource | undefined {
  if (annotations[annotationRuntime] !== 'Development') return undefined;
  const target = annotations[annotationTarget] ?? defaultTarget;
  return {kind: 'address', address: target.replace(/^(dns|passthrough):\/\/\//, '')};
}

/** The image of a function whose name ends as its repository does: that is how package managers name it. */
function imageOf(name: string, images: readonly string[]): string | undefined {
  return images.find(
    (image) => image !== '' && (name === repositoryOf(image) || name.endsWith(`-${repositoryOf(image)}`)),
  );
}
