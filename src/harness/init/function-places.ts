// The places of a configuration's functions: by the command line, by their manifests for `crossplane render`, or in process.
// Without any of these, at most the package's image is known.

import {existsSync} from 'node:fs';
import {isAbsolute, relative, resolve} from 'node:path';
import type {KubeObject} from '../../cluster/object.ts';
import {builtinFor, repositoryOf} from '../functions/builtin.ts';
import {
  annotationRuntime,
  defaultTarget,
  developmentTarget,
  type FunctionSource,
} from '../functions/function-source.ts';
import {isNamed} from '../functions/pipeline-functions.ts';
import {readPlaces} from '../functions/said-places.ts';
import {packageFunctions} from '../packages/package-functions.ts';
import {calledBy} from './chosen-api.ts';
import type {Configuration} from './configuration.ts';

export interface Place {
  readonly name: string;
  /** Undefined if no place is given. */
  readonly source: FunctionSource | undefined;
  /** `registry/repository:version`, if the configuration has it. */
  readonly image: string | undefined;
  /** Annotations of its manifest, for a caller that runs the package. */
  readonly annotations: {readonly [key: string]: string};
  /** It runs from its package, which a scenario leaves to --run-functions. */
  readonly isPackaged?: boolean;
}

/** `said` has the places of --function; `builtins` run in process. Commands run in the working directory. Throws InputError. */
export function placesOf(
  names: readonly string[],
  said: readonly string[],
  configuration: Configuration,
  builtins: readonly string[],
): readonly Place[] {
  const given = readPlaces(placesAmong(names, said, configuration), {called: names, builtins});
  return names.map((name) => {
    const manifest = configuration.functions.find(({object}) => object.metadata.name === name)?.object;
    const image = imageOf(name, [String(manifest?.spec?.['package'] ?? ''), ...configuration.packages]);
    const builtin = builtinFor(name, image ?? '', builtins);
    const source =
      given[name] ??
      developmentPlace(manifest?.metadata.annotations) ??
      (builtin === undefined ? undefined : ({kind: 'builtin', name: builtin} as const));
    return {name, source, image, annotations: manifest?.metadata.annotations ?? {}};
  });
}

/** Without the places of functions that only another Composition of the folder calls. */
function placesAmong(
  names: readonly string[],
  said: readonly string[],
  {compositions}: Configuration,
): readonly string[] {
  const all = calledBy(compositions);
  return said.filter((text) => {
    const [short = ''] = text.split('=');
    return names.some((name) => isNamed(name, short)) || !all.some((name) => isNamed(name, short));
  });
}

/** With the functions that have no place run from their packages. Throws InputError. */
export async function packagedPlaces(places: readonly Place[]): Promise<readonly Place[]> {
  const homeless = places.flatMap(({name, source, image, annotations}) =>
    source === undefined && image !== undefined ? [{name, package: image, annotations}] : [],
  );
  const {sources} = await packageFunctions(homeless);
  return places.map((place) => {
    const source = sources[place.name];
    return source === undefined ? place : {...place, source, isPackaged: true};
  });
}

/** The manifest by which --run-functions finds a function that a scenario has no place for. */
export function manifestOf({name, image, annotations}: Place): KubeObject | undefined {
  if (image === undefined) return undefined;
  const metadata = Object.keys(annotations).length === 0 ? {name} : {name, annotations};
  return {apiVersion: 'pkg.crossplane.io/v1', kind: 'Function', metadata, spec: {package: image}};
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
function developmentPlace(annotations: {readonly [key: string]: string} = {}): FunctionSource | undefined {
  if (annotations[annotationRuntime] !== 'Development') return undefined;
  return {kind: 'address', address: developmentTarget(annotations) ?? defaultTarget};
}

function imageOf(name: string, images: readonly string[]): string | undefined {
  return images.find((image) => image !== '' && isNamed(name, repositoryOf(image)));
}
