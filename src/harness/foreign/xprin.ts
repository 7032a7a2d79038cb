// xprin test files. crossplane-contrib/xprin b4294cc internal/api/api.go: fields, and how a test inherits from `common`
// (MergeCommon). Tests may name outputs of earlier ones. Claims are not converted.

import {dirname, isAbsolute, join} from 'node:path';
import type {JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {
  asAmount,
  asBoolean,
  asOneOf,
  asString,
  type Cursor,
  entries,
  fail,
  items,
  maybe,
  onlyFields,
  optional,
  required,
  strings,
} from '../input/cursor.ts';
import {InputError} from '../input/input-error.ts';
import {loadComposition, loadContext, loadFunctions, loadObject, loadObjects} from '../render/render-files.ts';
import {loadDefinition} from '../render/xrd-defaults.ts';
import type {FieldType, Outputs, RenderCheck, RenderExpected, RenderSuite, RenderTest} from './render-test.ts';
import {outputReference} from './xprin-template.ts';

const inputNames = [
  'xr',
  'composition',
  'functions',
  'observed-resources',
  'extra-resources',
  'function-credentials',
] as const;
type InputName = (typeof inputNames)[number];

interface Parts {
  readonly paths: {readonly [name in InputName]?: Cursor};
  readonly contextFiles: readonly (readonly [string, Cursor])[];
  readonly contextValues: readonly (readonly [string, Cursor])[];
  readonly xrd: Cursor | undefined;
  readonly checks: {readonly [engine in Engine]?: readonly RenderCheck[]};
}

const timeoutMs = 60_000;

/** Throws InputError with one sentence: an unknown field, a claim, a test without XR. */
export function readXprin(cursor: Cursor, file: string): RenderSuite {
  onlyFields(cursor, ['common', 'tests']);
  const folder = dirname(file);
  const meaningless = new Set<string>();
  const read = (part: Cursor): Parts => readParts(part, folder, meaningless);
  const common = maybe(cursor, 'common', (part) => {
    onlyFields(part, ['inputs', 'patches', 'hooks', 'assertions']);
    return read(part);
  });
  const tests = items(required(cursor, 'tests')).map((test) => {
    onlyFields(test, ['name', 'id', 'inputs', 'patches', 'hooks', 'assertions']);
    return readTest(test, merged(read(test), common), folder);
  });
  const notes = [...meaningless].map((sentence) => `${file}: ${sentence}`);
  return {tests, notes};
}

function readTest(cursor: Cursor, parts: Parts, folder: string): RenderTest {
  const {paths} = parts;
  for (const name of ['xr', 'composition', 'functions'] as const) {
    if (paths[name] === undefined) fail(cursor, `a test must have inputs.${name}, its own or a common one, got none`);
  }
  const path = (name: InputName): string | undefined => pathAt(paths[name], folder);
  return {
    name: asString(required(cursor, 'name')),
    place: cursor.placeOf(cursor.path),
    id: maybe(cursor, 'id', asString),
    withResults: false,
    checks: engines.flatMap((engine) => parts.checks[engine] ?? []),
    job: (outputs) => {
      const xr = xrAt(paths.xr as Cursor, folder, outputs);
      const composition = loadComposition(path('composition') ?? '', xr);
      const others = [path('extra-resources'), path('function-credentials')].filter((one) => one !== undefined);
      const observed = path('observed-resources');
      const definition = pathAt(parts.xrd, folder);
      return {
        xr,
        composition,
        functions: loadFunctions(path('functions') ?? '', composition, []),
        observed: observed === undefined ? [] : loadObjects(observed),
        others: others.flatMap(loadObjects),
        definition: definition === undefined ? undefined : loadDefinition(definition),
        context: loadContext(
          parts.contextFiles.map(([key, one]) => ({key, value: pathAt(one, folder) ?? ''})),
          parts.contextValues.map(([key, one]) => ({key, value: asString(one)})),
        ),
        timeoutMs,
      };
    },
  };
}

function readParts(cursor: Cursor, folder: string, meaningless: Set<string>): Parts {
  const inputs = optional(cursor, 'inputs');
  const patches = optional(cursor, 'patches');
  if (inputs !== undefined) readInputs(inputs, meaningless);
  if (patches !== undefined) readPatches(patches, meaningless);
  if (optional(cursor, 'hooks') !== undefined) {
    onlyFields(required(cursor, 'hooks'), ['pre-test', 'post-test']);
    meaningless.add('"hooks" has no meaning here: no shell commands are run');
  }
  const assertions = maybe(cursor, 'assertions', (one) => {
    onlyFields(one, engines);
    return Object.fromEntries(
      engines.flatMap((engine) => {
        const list = maybe(one, engine, (checks) => readAssertions(checks, engine, folder)) ?? [];
        return list.length === 0 ? [] : [[engine, list]];
      }),
    );
  });
  const pick = (name: string): Cursor | undefined => (inputs === undefined ? undefined : optional(inputs, name));
  const paths = inputNames.map((name) => [name, pick(name)] as const).filter(([, path]) => isGiven(path));
  return {
    paths: Object.fromEntries(paths),
    contextFiles: mapOf(pick('context-files')),
    contextValues: mapOf(pick('context-values')),
    xrd: patches === undefined ? undefined : optional(patches, 'xrd'),
    checks: assertions ?? {},
  };
}

function readInputs(inputs: Cursor, meaningless: Set<string>): void {
  onlyFields(inputs, [...inputNames, 'claim', 'crds', 'context-files', 'context-values']);
  const claim = optional(inputs, 'claim');
  if (isGiven(claim))
    fail(claim, 'inputs.claim cannot be rendered here: give the XR that the claim makes as inputs.xr');
  if ((maybe(inputs, 'crds', strings) ?? []).length > 0) {
    meaningless.add('"crds" has no meaning here: what is rendered is not checked against schemas');
  }
}

function readPatches(patches: Cursor, meaningless: Set<string>): void {
  onlyFields(patches, ['xrd', 'connection-secret', 'connection-secret-name', 'connection-secret-namespace']);
  if (maybe(patches, 'connection-secret', asBoolean) === true) {
    meaningless.add('"connection-secret" has no meaning here: a render publishes no connection details');
  }
}

function mapOf(cursor: Cursor | undefined): readonly (readonly [string, Cursor])[] {
  return cursor === undefined ? [] : entries(cursor);
}

/** An empty path is none. */
function isGiven(cursor: Cursor | undefined): cursor is Cursor {
  return cursor !== undefined && asString(cursor) !== '';
}

function merged(own: Parts, common: Parts | undefined): Parts {
  if (common === undefined) return own;
  const or = <T>(list: readonly T[], other: readonly T[]): readonly T[] => (list.length > 0 ? list : other);
  return {
    paths: {...common.paths, ...own.paths},
    contextFiles: or(own.contextFiles, common.contextFiles),
    contextValues: or(own.contextValues, common.contextValues),
    xrd: own.xrd ?? common.xrd,
    checks: {...common.checks, ...own.checks},
  };
}

function pathAt(cursor: Cursor | undefined, folder: string): string | undefined {
  if (!isGiven(cursor)) return undefined;
  const path = asString(cursor).trim();
  if (outputReference(path) !== undefined) fail(cursor, 'only inputs.xr may be the output of another test');
  return isAbsolute(path) ? path : join(folder, path);
}

function xrAt(cursor: Cursor, folder: string, outputs: Outputs): KubeObject {
  const reference = outputReference(asString(cursor));
  if (reference === undefined) return loadObject(pathAt(cursor, folder) ?? '', 'an XR');
  const documents = outputs.get(reference.id);
  if (documents === undefined) {
    const known = [...outputs.keys()].join(', ');
    fail(cursor, `test "${reference.id}" must come before and have rendered, got ${known === '' ? 'none' : known}`);
  }
  return asXr(documents, reference.what, cursor);
}

function asXr(documents: readonly JsonObject[], what: string, cursor: Cursor): KubeObject {
  const isNamed = ({kind, metadata}: KubeObject): boolean => `${kind}/${metadata.name}` === what;
  const objects = documents as readonly KubeObject[];
  const found = what === 'XR' || what === 'Render' ? objects[0] : objects.find(isNamed);
  if (found !== undefined) return found;
  throw new InputError(`the earlier test must have rendered ${what}, got none`, {place: cursor.placeOf(cursor.path)});
}

// Assertions of xprin test files. crossplane-contrib/xprin b4294cc internal/api/api.go, docs/assertions.md. Unlike there,
// a field whose map is missing does not exist, rather than being an error.

type Engine = 'xprin' | 'diff' | 'dyff';

const engines: readonly Engine[] = ['xprin', 'diff', 'dyff'];

/** One engine's assertions; `folder` is where golden files are looked for. */
function readAssertions(cursor: Cursor, engine: Engine, folder: string): readonly RenderCheck[] {
  return items(cursor).map((one) => ({
    place: one.placeOf(one.path),
    name: asString(required(one, 'name')),
    what: engine === 'xprin' ? readAssertion(one) : readGolden(one, engine === 'diff', folder),
  }));
}

function readGolden(cursor: Cursor, exact: boolean, folder: string): RenderExpected {
  onlyFields(cursor, ['name', 'expected', 'resource']);
  const path = asString(required(cursor, 'expected'));
  const file = isAbsolute(path) ? path : join(folder, path);
  return {kind: 'file', resource: maybe(cursor, 'resource', asString), file, exact};
}

const types = ['Count', 'Exists', 'NotExists', 'FieldType', 'FieldExists', 'FieldNotExists', 'FieldValue'] as const;
const fieldTypes: readonly FieldType[] = ['string', 'number', 'boolean', 'array', 'object', 'null'];

function readAssertion(cursor: Cursor): RenderExpected {
  onlyFields(cursor, ['name', 'type', 'resource', 'field', 'operator', 'value']);
  const resource = (): string => asString(required(cursor, 'resource'));
  const field = (): string => asString(required(cursor, 'field'));
  const type = asOneOf(required(cursor, 'type'), types);
  switch (type) {
    case 'Count':
      return {kind: 'count', resource: maybe(cursor, 'resource', asString), count: countIn(cursor)};
    case 'Exists':
      return {kind: 'exists', resource: resource()};
    case 'NotExists':
      return {kind: 'absent', resource: resource()};
    case 'FieldType':
      return {
        kind: 'field-type',
        resource: resource(),
        field: field(),
        type: asOneOf(required(cursor, 'value'), fieldTypes),
      };
    case 'FieldExists':
      return {kind: 'field-exists', resource: resource(), field: field()};
    case 'FieldNotExists':
      return {kind: 'field-absent', resource: resource(), field: field()};
    case 'FieldValue':
      asOneOf(required(cursor, 'operator'), ['==', 'is']);
      return {kind: 'field-value', resource: resource(), field: field(), value: required(cursor, 'value').value};
  }
}

/** A fraction is cut off, as there. */
function countIn(cursor: Cursor): number {
  return Math.trunc(asAmount(optional(cursor, 'value') ?? required(cursor, 'value')));
}
