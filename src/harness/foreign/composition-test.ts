// CompositionTest documents of Upbound's `up test`. upbound/up, read from jbw976/up 599e6b3e
// pkg/apis/compositiontest/v1alpha1/compositiontest_types.go (fields) and cmd/up/test/run.go (how assertResources match). There
// a project lists the functions; here --functions does, or they run in process by their name. Paths are relative to the project,
// so they are looked for from the test's folder upwards.

import {existsSync} from 'node:fs';
import {dirname, isAbsolute, join, relative, resolve} from 'node:path';
import type {Json, JsonObject} from '../../cluster/json.ts';
import {isList, isObject} from '../../cluster/json.ts';
import {
  asBoolean,
  asCount,
  asObject,
  asString,
  type Cursor,
  entries,
  fail,
  items,
  maybe,
  onlyFields,
  optional,
  required,
} from '../input/cursor.ts';
import {asKubeObject} from '../input/manifests/kube-object.ts';
import {readYamlFile} from '../input/yaml-file.ts';
import {functionsByName, loadFunctions, loadObjects, readComposition} from '../render/render-files.ts';
import type {RenderCheck, RenderSuite, RenderTest} from './render-test.ts';

const compositionTestKind = 'CompositionTest';
export const compositionTestVersion = 'meta.dev.upbound.io/v1alpha1';

const fields = [
  'timeoutSeconds',
  'validate',
  'xr',
  'xrPath',
  'xrd',
  'xrdPath',
  'composition',
  'compositionPath',
  'observedResources',
  'extraResources',
  'functionCredentialsPath',
  'context',
  'assertResources',
];

/** `functions`: the file or directory that lists them, where one was given. Throws InputError with one sentence. */
export function readCompositionTests(
  documents: readonly Cursor[],
  file: string,
  functions: string | undefined,
): RenderSuite {
  const notes = new Set<string>();
  const tests = documents.map((document) => {
    onlyFields(document, ['apiVersion', 'kind', 'metadata', 'spec']);
    if (document.value !== null && asString(required(document, 'kind')) !== compositionTestKind) {
      fail(
        required(document, 'kind'),
        `only CompositionTest is read here, got ${String(required(document, 'kind').value)}`,
      );
    }
    const spec = required(document, 'spec');
    onlyFields(spec, fields);
    if (maybe(spec, 'validate', asBoolean) === true) {
      notes.add(`${file}: "validate" has no meaning here: what is rendered is not checked against schemas`);
    }
    return readTest(document, spec, {folder: dirname(file), functions});
  });
  return {tests, notes: [...notes]};
}

interface Surroundings {
  readonly folder: string;
  readonly functions: string | undefined;
}

function readTest(document: Cursor, spec: Cursor, {folder, functions}: Surroundings): RenderTest {
  const xr = either(spec, 'xr', folder) ?? fail(spec, 'a CompositionTest must have xr or xrPath, got none');
  const composition =
    either(spec, 'composition', folder) ??
    fail(spec, 'a CompositionTest must have composition or compositionPath, got none');
  const xrd = either(spec, 'xrd', folder);
  const timeoutSeconds = maybe(spec, 'timeoutSeconds', asCount) ?? 30;
  const objects = (key: string) => (maybe(spec, key, items) ?? []).map(asKubeObject);
  const credentials = maybe(spec, 'functionCredentialsPath', asString) ?? '';
  const context = maybe(spec, 'context', entries);
  return {
    name: asString(required(required(document, 'metadata'), 'name')),
    place: document.placeOf(['kind']),
    id: undefined,
    withResults: true,
    checks: (maybe(spec, 'assertResources', items) ?? []).map(readCheck),
    job: () => {
      const object = asKubeObject(xr);
      const composed = readComposition(composition, object);
      return {
        xr: object,
        composition: composed,
        functions: functions === undefined ? functionsByName(composed) : loadFunctions(functions, composed, []),
        observed: objects('observedResources'),
        others: [
          ...objects('extraResources'),
          ...(credentials === '' ? [] : loadObjects(found(required(spec, 'functionCredentialsPath'), folder))),
        ],
        definition: xrd === undefined ? undefined : {xrd: asKubeObject(xrd), place: xrd.placeOf(xrd.path)},
        context: context === undefined ? undefined : Object.fromEntries(context.map(([key, {value}]) => [key, value])),
        timeoutMs: timeoutSeconds * 1000,
      };
    },
  };
}

/** The object given inline, or in the file that `<key>Path` names; an empty path is none. */
function either(spec: Cursor, key: string, folder: string): Cursor | undefined {
  const inline = optional(spec, key);
  const path = optional(spec, `${key}Path`);
  const isPath = path !== undefined && asString(path) !== '';
  if (inline !== undefined && isPath) fail(path, `only one of ${key} and ${key}Path may be given, got both`);
  if (!isPath) return inline;
  const [first] = readYamlFile(found(path, folder));
  return first ?? fail(path, `the file must hold an object, got an empty file`);
}

/** A path from the test's folder, or from the nearest folder above that has it. */
function found(cursor: Cursor, folder: string): string {
  const path = asString(cursor);
  if (isAbsolute(path)) return path;
  for (let base = resolve(folder); ; base = dirname(base)) {
    const candidate = join(base, path);
    if (existsSync(candidate)) return relative(process.cwd(), candidate);
    if (dirname(base) === base) fail(cursor, `cannot find "${path}" in the folder of the test or above it`);
  }
}

function readCheck(cursor: Cursor): RenderCheck {
  const object = asObject(cursor);
  asString(required(cursor, 'apiVersion'));
  refuseExpressions(cursor, object);
  const {kind} = object;
  const name = isObject(object['metadata']) ? object['metadata']['name'] : undefined;
  return {
    place: cursor.placeOf(cursor.path),
    name: `${String(kind)} ${name === undefined ? '' : String(name)}`.trim(),
    what: {kind: 'matches', object},
  };
}

/** chainsaw reads keys in parentheses as expressions, which are not evaluated here. */
function refuseExpressions(cursor: Cursor, value: Json): void {
  if (isList(value)) {
    for (const [index, item] of value.entries()) refuseExpressions(under(cursor, index, item), item);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value as JsonObject)) {
      if (/^\(.*\)$/.test(key) || /^[~>]/.test(key)) {
        const place = {...cursor, path: [...cursor.path, key]};
        fail(place, `an assertion must be plain values, got the expression "${key}"`);
      }
      refuseExpressions(under(cursor, key, item), item);
    }
  }
}

function under(cursor: Cursor, key: string | number, value: Json): Cursor {
  return {...cursor, value, path: [...cursor.path, key]};
}
