// A Crossplane configuration, read from all YAML of its folder, or of files, folders and globs. Nothing is expected to lie at a
// certain place: configurations differ, and other files beside them (charts, workflows, tests) do not belong to it. A file that
// cannot be read is passed over, with a note; a file that is named itself is refused.

import {existsSync, realpathSync, statSync} from 'node:fs';
import {relative, sep} from 'node:path';
import {at, isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import {groupOf, type KubeObject} from '../../cluster/object.ts';
import {refuseAsKubectl} from '../input/as-kubectl.ts';
import {isDirectory} from '../input/file-problem.ts';
import {InputError} from '../input/input-error.ts';
import {listed} from '../input/listed.ts';
import {isNamedByExpression, listedIn} from '../input/manifests/kube-object.ts';
import {type ManifestFiles, manifestFiles, skippedText} from '../input/manifests/manifest-files.ts';
import {parseYaml} from '../input/yaml.ts';
import {checkStorySize, readText} from '../input/yaml-file.ts';

export interface Configuration {
  /** The base of relative file names. */
  readonly folder: string;
  readonly definitions: readonly Found[];
  readonly compositions: readonly Found[];
  readonly functions: readonly Found[];
  /** All other objects: examples, environments, namespaces. */
  readonly others: readonly Found[];
  /** Packages that the configuration depends on, as `registry/repository:version`. */
  readonly packages: readonly string[];
  readonly notes: readonly string[];
}

export interface Found {
  readonly object: KubeObject;
  readonly file: string;
  /** The file holds nothing else. */
  readonly isAlone: boolean;
}

/** The first line of files that `tether init` writes; they are no part of the configuration. */
export const ownMark = '# Written by tether init';

/** Throws InputError where there is no folder. */
export function readConfiguration(folder: string): Configuration {
  const found = statSync(folder, {throwIfNoEntry: false});
  if (found === undefined) throw new InputError(`cannot read folder "${folder}": no such folder`);
  if (!found.isDirectory()) throw new InputError(`cannot read folder "${folder}": it is a file`);
  return readConfigurationOf([folder]);
}

/** Of files, folders and globs. Throws InputError for one that is missing, empty, or matches nothing. */
export function readConfigurationOf(names: readonly string[]): Configuration {
  const found = names.map((name) => manifestFiles(name, ''));
  const notes: string[] = [];
  const templates: string[] = [];
  const documents = eachOnce(found).flatMap(({file, isOne}) =>
    isOne ? objectsOf(file, notes) : documentsIn(file, notes),
  );
  const objects = documents.flatMap(({value: written, ...where}): readonly Found[] => {
    const value = asRead(written);
    const isAlone = where.isAlone && value === written;
    if (isNameless(value)) notes.push(`passed over: ${where.file}: ${value['kind']} without metadata.name`);
    if (!isKubeObject(value) || isMeta(value)) return [];
    if (!isNamedByExpression(value.metadata)) return [{object: value, ...where, isAlone}];
    templates.push(where.file);
    return [];
  });
  if (templates.length > 0) {
    const files = listed([...new Set(templates)], 3);
    notes.push(`passed over: objects whose name is an expression, as tools for tests and templates write it: ${files}`);
  }
  // A folder has many files that are no YAML.
  const others = found.flatMap((one) => [...one.skipped]).filter(([, why]) => why !== 'no YAML');
  notes.push(...[...new Set(others.map(skippedText))].map((one) => `passed over: ${one}`));
  const of = (kind: string, group: string) =>
    objects.filter(({object}) => object.kind === kind && groupOf(object.apiVersion) === group);
  const definitions = of('CompositeResourceDefinition', 'apiextensions.crossplane.io');
  const compositions = of('Composition', 'apiextensions.crossplane.io');
  const functions = of('Function', 'pkg.crossplane.io');
  const known = new Set([...definitions, ...compositions, ...functions]);
  const [folder = '.', another] = names.filter((name) => isDirectory(name));
  return {
    folder: another === undefined ? folder : '.',
    definitions,
    compositions,
    functions,
    others: objects.filter((one) => !known.has(one)),
    packages: documents.flatMap(({value}) => dependenciesOf(value)),
    notes,
  };
}

interface NamedFile {
  readonly file: string;
  /** The name is that of this file. */
  readonly isOne: boolean;
}

/** Several names may hold a file: it is read once, and strictly if one of them is its own. */
function eachOnce(found: readonly ManifestFiles[]): readonly NamedFile[] {
  const each = new Map<string, NamedFile>();
  for (const {files, isOne} of found) {
    for (const file of files) {
      const real = existsSync(file) ? realpathSync(file) : file;
      if (isOne || !each.has(real)) each.set(real, {file, isOne});
    }
  }
  return [...each.values()];
}

interface Document extends Omit<Found, 'object'> {
  readonly value: Json;
}

function documentsOf(file: string, notes: string[]): readonly Document[] {
  if (file.endsWith('.xpkg')) {
    throw new InputError(`cannot read file "${file}": it is a package; name the files that it is built of`);
  }
  checkStorySize(file);
  const text = readText(file);
  if (text.startsWith(ownMark)) return [];
  const onKeyTwice = (place: string) => notes.push(`a key stands twice, and the last one counts: ${place}`);
  const documents = parseYaml(text, file, onKeyTwice);
  refuseAsKubectl(text, file);
  return documents.flatMap(({value}) => {
    const listed = listedIn(value);
    return (listed ?? [value]).map((one) => ({
      value: one,
      file,
      isAlone: listed === undefined && documents.length === 1,
    }));
  });
}

function objectsOf(file: string, notes: string[]): readonly Document[] {
  const documents = documentsOf(file, notes);
  if (documents.some(({value}) => at(value, ['kind']) !== undefined)) return documents;
  throw new InputError(`file "${file}" must hold Kubernetes objects, got none`);
}

function documentsIn(file: string, notes: string[]): readonly Document[] {
  try {
    return file.endsWith('.xpkg') ? [] : documentsOf(file, notes);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    notes.push(`passed over: ${error.message}`);
    return [];
  }
}

/** As an API server reads it: null is absent, and an example for `kubectl create` has a generateName. */
function asRead(value: Json): Json {
  const metadata = at(value, ['metadata']);
  if (!isObject(value) || !isObject(metadata)) return value;
  const given = Object.entries(metadata).filter(([, one]) => one !== null);
  const {generateName, ...others} = Object.fromEntries(given);
  if (others['name'] === undefined && typeof generateName === 'string') {
    return {...value, metadata: {...others, name: `${generateName}example`}};
  }
  return given.length === Object.keys(metadata).length ? value : {...value, metadata: Object.fromEntries(given)};
}

function isKubeObject(value: Json): value is KubeObject {
  const name = at(value, ['metadata', 'name']);
  return (
    isObject(value) &&
    typeof value['apiVersion'] === 'string' &&
    typeof value['kind'] === 'string' &&
    name !== undefined
  );
}

/** Files of other tools have no name either. */
function isNameless(value: Json): value is JsonObject {
  if (!isObject(value) || at(value, ['metadata', 'name']) !== undefined) return false;
  return /(?:^|\.)crossplane\.io$/.test(groupOf(String(value['apiVersion'])));
}

/** Packages and projects describe a configuration to tools. */
function isMeta({apiVersion}: KubeObject): boolean {
  return /^meta\./.test(groupOf(apiVersion));
}

/** `dependsOn` of a Configuration (crossplane.yaml) or of a Project (upbound.yaml). */
function dependenciesOf(value: Json): readonly string[] {
  if (!isObject(value) || !/^meta\./.test(groupOf(String(value['apiVersion'])))) return [];
  const list = at(value, ['spec', 'dependsOn']);
  return (isList(list) ? list : []).filter(isObject).flatMap((one) => {
    const name = one['function'] ?? one['package'] ?? one['provider'] ?? one['configuration'];
    const version =
      typeof one['version'] === 'string' && /^v?\d[\w.-]*$/.test(one['version']) ? `:${one['version']}` : '';
    return typeof name === 'string' ? [`${name}${version}`] : [];
  });
}

/** The file as a scenario in `from` names it. */
export function nameFrom(from: string, file: string): string {
  return relative(from, file).split(sep).join('/');
}
