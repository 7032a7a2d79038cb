// The files of a render. crossplane/cli 3d72f9316 cmd/crossplane/render/load.go and xr/cmd.go: which of them may be
// directories, and how XR and Composition must fit.

import {readdirSync} from 'node:fs';
import {extname, join} from 'node:path';
import {nativeAdvice} from '../../cluster/crossplane/native-mode.ts';
import {at, type Json, type JsonObject} from '../../cluster/json.ts';
import {addressOf, type KubeObject} from '../../cluster/object.ts';
import {functionOf, type PackagedFunction, pipelineFunctions, pipelineSteps} from '../functions/pipeline-functions.ts';
import {type Cursor, fail, optional, required} from '../input/cursor.ts';
import {isDirectory} from '../input/file-problem.ts';
import {InputError} from '../input/input-error.ts';
import {asKubeObject, itemsIn} from '../input/manifests/kube-object.ts';
import {parseYaml} from '../input/yaml.ts';
import {readText, readYamlFile} from '../input/yaml-file.ts';

/** `key=value`, as flags name context and annotations. */
export interface Pair {
  readonly key: string;
  readonly value: string;
}

/** Every object of a YAML file, or of the YAML files in a directory by name. A list, as `kubectl get -o yaml` prints it, is its items. */
export function loadObjects(path: string): readonly KubeObject[] {
  return loadCursors(path).map(asKubeObject);
}

export interface Observed {
  readonly objects: readonly KubeObject[];
  /** Why documents are none of them, a sentence each. */
  readonly leftOut: readonly string[];
}

/**
 * Composed resources that exist already. A render prints the XR, too, without its uid: that copy is no composed resource
 * (crossplane/cli 1566195 filterObservedXR). Crossplane reads what has no name as a resource that was never made.
 */
export function loadObserved(path: string, xr: KubeObject): Observed {
  const read = loadCursors(path).map((cursor): KubeObject | string => {
    const place = cursor.placeOf(cursor.path);
    if (!hasName(cursor)) return `${place}: an observed resource without metadata.name is left out`;
    const object = asKubeObject(cursor);
    return addressOf(object) === addressOf(xr) ? `${place}: the XR is no observed resource and is left out` : object;
  });
  return {
    objects: read.filter((one) => typeof one !== 'string'),
    leftOut: read.filter((one) => typeof one === 'string'),
  };
}

function hasName(cursor: Cursor): boolean {
  const metadata = optional(cursor, 'metadata');
  const name = metadata === undefined ? undefined : optional(metadata, 'name');
  return name !== undefined && name.value !== '';
}

function loadCursors(path: string): readonly Cursor[] {
  if (!isDirectory(path)) return readYamlFile(path).flatMap(itemsIn);
  const files = readdirSync(path, {withFileTypes: true})
    .filter((entry) => !entry.isDirectory() && ['.yaml', '.yml'].includes(extname(entry.name)))
    .map((entry) => join(path, entry.name))
    .sort();
  if (files.length === 0) throw new InputError(`directory "${path}" must hold .yaml or .yml files, got none`);
  return files.flatMap((file) => readYamlFile(file).flatMap(itemsIn));
}

/** The first document of a file, which must be an object. */
export function loadObject(file: string, what: string): KubeObject {
  return asKubeObject(loadFirst(file, what));
}

function loadFirst(file: string, what: string): Cursor {
  const [cursor] = readYamlFile(file);
  if (cursor === undefined) throw new InputError(`must hold ${what}, got an empty file`, {place: file});
  return cursor;
}

/** The Composition, if it fits the XR. */
export function loadComposition(file: string, xr: KubeObject): KubeObject {
  return readComposition(loadFirst(file, 'a Composition'), xr);
}

/** The same of a document that is read already. */
export function readComposition(cursor: Cursor, xr: KubeObject): KubeObject {
  const composition = asKubeObject(cursor);
  const {apiVersion, kind, metadata, spec} = composition;
  if (apiVersion !== 'apiextensions.crossplane.io/v1' || kind !== 'Composition') {
    fail(
      required(cursor, 'kind'),
      `must be a Composition (apiextensions.crossplane.io/v1), got ${kind} (${apiVersion})`,
    );
  }
  const ref = required(required(cursor, 'spec'), 'compositeTypeRef');
  for (const field of ['kind', 'apiVersion'] as const) {
    const wanted = required(ref, field);
    if (wanted.value !== xr[field]) {
      fail(
        wanted,
        `compositeTypeRef.${field} must be that of the XR, "${xr[field]}", got ${JSON.stringify(wanted.value)}`,
      );
    }
  }
  const mode = spec?.['mode'] ?? 'nothing';
  if (mode !== 'Pipeline') {
    fail(
      optional(required(cursor, 'spec'), 'mode') ?? required(cursor, 'spec'),
      `spec.mode must be Pipeline, got ${mode}: ${nativeAdvice}`,
    );
  }
  for (const [key, value] of Object.entries(selectorOf(xr))) {
    const label = metadata.labels?.[key];
    if (label !== value) {
      fail(
        required(cursor, 'metadata'),
        `the XR selects a Composition with label ${key}=${String(value)}, got ${label ?? 'none'}`,
      );
    }
  }
  return composition;
}

function selectorOf(xr: KubeObject): JsonObject {
  const modern = at(xr.spec, ['crossplane', 'compositionSelector', 'matchLabels']);
  return (modern ?? at(xr.spec, ['compositionSelector', 'matchLabels']) ?? {}) as JsonObject;
}

/** The functions the pipeline names, with `annotations` laid over their own. */
export function loadFunctions(
  path: string,
  composition: KubeObject,
  annotations: readonly Pair[],
): readonly PackagedFunction[] {
  const over = Object.fromEntries(annotations.map(({key, value}) => [key, value]));
  const listed = loadCursors(path).map((cursor): PackagedFunction => {
    const {kind, metadata, spec} = asKubeObject(cursor);
    if (kind !== 'Function') fail(required(cursor, 'kind'), `must be a Function, got ${kind}`);
    return {
      name: metadata.name,
      package: String(spec?.['package'] ?? ''),
      annotations: {...metadata.annotations, ...over},
    };
  });
  const used = pipelineSteps(composition).map(functionOf);
  for (const [index, name] of used.entries()) {
    if (listed.some((one) => one.name === name)) continue;
    const known = listed.map((one) => one.name).join(', ');
    const step = String(pipelineSteps(composition)[index]?.['step']);
    throw new InputError(`pipeline step "${step}" runs Function "${name}", which "${path}" must list, got ${known}`);
  }
  return listed.filter(({name}) => used.includes(name));
}

/** Functions for a pipeline without a list: each runs in process, by its name. */
export function functionsByName(composition: KubeObject): readonly PackagedFunction[] {
  return [...new Set(pipelineFunctions(composition))].map((name) => ({name, package: '', annotations: {}}));
}

/** The pipeline's context as given on the command line; undefined where nothing is given. */
export function loadContext(files: readonly Pair[], values: readonly Pair[]): JsonObject | undefined {
  if (files.length + values.length === 0) return undefined;
  const entries = [
    ...files.map(({key, value}): [string, Json] => [key, valueIn(readText(value), value)]),
    ...values.map(({key, value}): [string, Json] => [key, valueIn(value, `--context-values ${key}`)]),
  ];
  return Object.fromEntries(entries);
}

function valueIn(text: string, shownAs: string): Json {
  return parseYaml(text, shownAs)[0]?.value ?? null;
}
