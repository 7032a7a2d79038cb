import type {KubeObject} from '../../cluster/object.ts';
import {readProfiles} from '../control-plane/profile-names.ts';
import {type Builtins, builtins} from '../functions/builtin.ts';
import type {FunctionSource} from '../functions/function-source.ts';
import {
  asBoolean,
  asCount,
  asOneOf,
  asString,
  type Cursor,
  entries,
  fail,
  items,
  maybe,
  onlyFields,
  optional,
  pathText,
  required,
  strings,
} from '../input/cursor.ts';
import {readDuration} from '../input/duration.ts';
import {InputError} from '../input/input-error.ts';
import {checkStorySize, readYamlFile} from '../input/yaml-file.ts';
import {type ManifestReader, manifestReader} from '../manifests/manifest-reader.ts';
import {withPlainKinds} from '../manifests/plain-kinds.ts';
import {appliedBy, checkNames} from './known-names.ts';
import {parseBug, parseHappens} from './parse-bug.ts';
import {parseExpectations} from './parse-expectation.ts';
import {parseExplore} from './parse-explore.ts';
import {parseStep} from './parse-step.ts';
import type {ProviderSetting, Scenario, Variant} from './scenario.ts';

/** Reads a scenario and every file it names. Throws InputError with one sentence. */
export function readScenario(file: string, known: Builtins = builtins): Scenario {
  checkStorySize(file);
  const documents = readYamlFile(file);
  const [cursor, second] = documents;
  if (cursor === undefined) throw new InputError(file, 'must be a scenario, got an empty file');
  if (second !== undefined) fail(second, 'a scenario file must hold one document, got another one');
  const manifests = manifestReader(file);
  const scenario = parseScenario(cursor, manifests, known);
  const {objects, notes} = withPlainKinds(scenario.fixtures, scenario.steps.flatMap(appliedBy));
  const given = {...scenario, fixtures: objects, notes: [...manifests.notes, ...notes]};
  checkNames(given, file);
  return given;
}

const fields = [
  'name',
  'description',
  'crossplane',
  'realtime',
  'seed',
  'fixtures',
  'functions',
  'provider',
  'steps',
  'anyOrder',
  'bug',
  'explore',
  'variants',
  'expect',
];

export function parseScenario(cursor: Cursor, manifests: ManifestReader, known: Builtins = builtins): Scenario {
  onlyFields(cursor, fields);
  const name = asString(required(cursor, 'name'));
  const realtime = maybe(cursor, 'realtime', asBoolean);
  const fixtures = maybe(cursor, 'fixtures', manifests.objects) ?? [];
  const read = (one: Cursor) => parseFunctions(one, Object.keys(known));
  const functions = {...addressed(fixtures), ...maybe(cursor, 'functions', read)};
  const steps = items(required(cursor, 'steps')).map((step) => parseStep(step, manifests));
  if (steps.length === 0) fail(required(cursor, 'steps'), 'steps must hold at least one step, got none');
  const stepNames = steps.map((step) => step.name);
  const bug = maybe(cursor, 'bug', (one) => parseBug(one, stepNames));
  return {
    name,
    description: maybe(cursor, 'description', asString) ?? '',
    folder: manifests.folder,
    crossplane: maybe(cursor, 'crossplane', readProfiles) ?? ['main'],
    ...(realtime === undefined ? {} : {realtime}),
    seed: maybe(cursor, 'seed', asCount) ?? 1,
    fixtures,
    functions,
    provider: maybe(cursor, 'provider', parseProvider) ?? defaultProvider,
    steps,
    anyOrder: (maybe(cursor, 'anyOrder', items) ?? []).map((one) => asOneOf(one, stepNames)),
    ...(bug === undefined ? {} : {bug}),
    explore: maybe(cursor, 'explore', parseExplore) ?? {budgets: {}, without: [], properties: []},
    variants: parseVariants(cursor, Object.keys(functions)),
  };
}

function parseVariants(cursor: Cursor, functions: readonly string[]): readonly Variant[] {
  const always = maybe(cursor, 'expect', parseExpectations) ?? [];
  const list = optional(cursor, 'variants');
  if (list === undefined) return [{name: '', without: [], expect: always}];
  return items(list).map((variant) => {
    onlyFields(variant, ['name', 'without', 'expect', 'happens']);
    for (const one of maybe(variant, 'without', items) ?? []) knownFunction(one, functions);
    const happens = maybe(variant, 'happens', parseHappens);
    return {
      ...(happens === undefined ? {} : {happens}),
      name: asString(required(variant, 'name')),
      without: maybe(variant, 'without', strings) ?? [],
      expect: [...always, ...(maybe(variant, 'expect', parseExpectations) ?? [])],
    };
  });
}

function knownFunction(cursor: Cursor, known: readonly string[]): void {
  const name = asString(cursor);
  if (known.includes(name)) return;
  const list = known.length === 0 ? 'it has none' : known.join(', ');
  fail(cursor, `${pathText(cursor)} must name a function of this scenario (${list}), got "${name}"`);
}

function parseFunctions(cursor: Cursor, builtinNames: readonly string[]): {readonly [name: string]: FunctionSource} {
  return Object.fromEntries(entries(cursor).map(([name, source]) => [name, parseFunction(source, builtinNames)]));
}

function parseFunction(cursor: Cursor, builtinNames: readonly string[]): FunctionSource {
  const builtin = maybe(cursor, 'builtin', (value) => asOneOf(value, builtinNames));
  if (builtin !== undefined) {
    onlyFields(cursor, ['builtin']);
    return {kind: 'builtin', name: builtin};
  }
  onlyFields(cursor, ['builtin', 'address', 'command', 'timeout', 'startTimeout']);
  const address = maybe(cursor, 'address', asString);
  const command = maybe(cursor, 'command', strings);
  const timeoutMs = maybe(cursor, 'timeout', readDuration);
  const startTimeoutMs = maybe(cursor, 'startTimeout', readDuration);
  const limit = timeoutMs === undefined ? {} : {timeoutMs};
  if (command !== undefined) {
    if (command.length === 0) fail(required(cursor, 'command'), 'command must name a program, got an empty list');
    const startLimit = startTimeoutMs === undefined ? {} : {startTimeoutMs};
    const target = targetOf(address ?? required(cursor, 'address'));
    return {kind: 'command', command, address: target, ...limit, ...startLimit};
  }
  if (address === undefined) fail(cursor, `${pathText(cursor)} must have one of builtin, address, command`);
  if (startTimeoutMs !== undefined) {
    fail(required(cursor, 'startTimeout'), 'startTimeout must stand beside a command, got an address alone');
  }
  return {kind: 'address', address: targetOf(address), ...limit};
}

const annotationTarget = 'render.crossplane.io/runtime-development-target';

/** Functions that say in their own manifest where they listen, as for `crossplane render`. */
function addressed(objects: readonly KubeObject[]): {readonly [name: string]: FunctionSource} {
  const found = objects.flatMap(({kind, metadata}) => {
    const target = kind === 'Function' ? metadata.annotations?.[annotationTarget] : undefined;
    return target === undefined
      ? []
      : [[metadata.name, {kind: 'address', address: targetOf(target)} as const] as const];
  });
  return Object.fromEntries(found);
}

/** An address as gRPC dials it. */
function targetOf(address: string | Cursor): string {
  const text = typeof address === 'string' ? address : asString(address);
  return text.replace(/^dns:\/\/\//, '');
}

export const defaultProvider: ProviderSetting = {
  kind: 'managed',
  readyAfterMs: 100,
  deleteAfterMs: 300,
  kinds: {},
  async: [],
  references: [],
};

function parseTimes(cursor: Cursor): ProviderSetting['kinds'][string] {
  onlyFields(cursor, ['readyAfter', 'deleteAfter']);
  const readyAfterMs = maybe(cursor, 'readyAfter', readDuration);
  const deleteAfterMs = maybe(cursor, 'deleteAfter', readDuration);
  return {
    ...(readyAfterMs === undefined ? {} : {readyAfterMs}),
    ...(deleteAfterMs === undefined ? {} : {deleteAfterMs}),
  };
}

function parseProvider(cursor: Cursor): ProviderSetting {
  onlyFields(cursor, ['kind', 'readyAfter', 'deleteAfter', 'kinds', 'async', 'references']);
  return {
    kind: maybe(cursor, 'kind', (value) => asOneOf(value, ['managed', 'nop'] as const)) ?? defaultProvider.kind,
    readyAfterMs: maybe(cursor, 'readyAfter', readDuration) ?? defaultProvider.readyAfterMs,
    deleteAfterMs: maybe(cursor, 'deleteAfter', readDuration) ?? defaultProvider.deleteAfterMs,
    kinds: Object.fromEntries(
      (maybe(cursor, 'kinds', entries) ?? []).map(([kind, times]) => [kind, parseTimes(times)]),
    ),
    async: maybe(cursor, 'async', strings) ?? [],
    references: (maybe(cursor, 'references', items) ?? []).map((reference) => {
      onlyFields(reference, ['field', 'kind']);
      return {field: asString(required(reference, 'field')), kind: asString(required(reference, 'kind'))};
    }),
  };
}
