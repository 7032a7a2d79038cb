// The API a story is about: an XR (or a claim), its definition and its Composition. If a configuration has several, the caller
// chooses: a guess would test the wrong one.

import {dirname, resolve} from 'node:path';
import {isNative, nativeAdvice} from '../../cluster/crossplane/native-mode.ts';
import {writtenScope} from '../../cluster/crossplane/xrd.ts';
import {kindDefined, kindsDefined, nameWanted} from '../../cluster/defined-kinds.ts';
import {at, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import {groupOf, type KubeObject} from '../../cluster/object.ts';
import {pipelineFunctions} from '../functions/pipeline-functions.ts';
import {InputError} from '../input/input-error.ts';
import {listed} from '../input/listed.ts';
import {type Configuration, type Found, nameFrom} from './configuration.ts';
import {nearest} from './required-objects.ts';
import {sampleXr} from './sample-xr.ts';

export interface ChosenApi {
  readonly definition: Found;
  readonly composition: Found;
  /** Other Compositions of the same XR, whose functions the chosen one calls, too. */
  readonly siblings: readonly Found[];
  /** As it is applied. */
  readonly xr: KubeObject;
  /** The file that holds it alone, as it is; undefined where it was made up or changed. */
  readonly file: string | undefined;
  /** The file of the example or, if there is none, of the definition. */
  readonly near: string;
  /** There is no example: the XR has what its schema asks for. */
  readonly isMadeUp: boolean;
  readonly isClaim: boolean;
  readonly isNamespaced: boolean;
  /** Notes on choices among several and on made-up values: a sentence each. */
  readonly notes: readonly string[];
}

export interface Wish {
  /** `Kind` or `Kind.group` of an XR or a claim. */
  readonly api?: string | undefined;
  /** A file with the XR. */
  readonly xr: string | undefined;
  /** The name of a Composition. */
  readonly composition: string | undefined;
  /** Of several Compositions that fit the first is taken, with a note. */
  readonly takesFirst?: boolean;
}

/** Throws InputError where there is none, or more than one. */
export function chooseApi(whole: Configuration, wish: Wish): ChosenApi {
  const {folder, definitions} = whole;
  if (definitions.length === 0) {
    throw new InputError(`folder "${folder}" must hold a CompositeResourceDefinition, got ${inventory(whole)}`);
  }
  const configuration = wish.api === undefined ? whole : ofApi(whole, wish.api);
  const example = exampleFor(configuration, wish);
  const definition = example === undefined ? onlyOne(configuration) : example.definition;
  const found = example?.found;
  const wanted = nameWanted(definition.object);
  if (wanted !== undefined && definition.object.metadata.name !== wanted) {
    const {kind, metadata} = definition.object;
    throw new InputError(`${kind} "${metadata.name}" must be named ${wanted}: no API server takes another name`);
  }
  const xr = found?.object ?? sampleXr(definition.object);
  const isClaim = xr.kind === at(definition.object.spec, ['claimNames', 'kind']);
  const {composition, xr: picked, notes} = compositionFor(configuration, definition, {xr, file: found?.file}, wish);
  const isAsIs = found?.isAlone === true && picked === xr;
  return {
    definition,
    composition,
    siblings: siblingsOf(composition, compositionsOf(configuration, definition)),
    xr: picked,
    file: isAsIs ? found.file : undefined,
    near: found?.file ?? definition.file,
    isMadeUp: found === undefined,
    isClaim,
    isNamespaced: writtenScope(definition.object) === 'Namespaced',
    notes: [
      ...(example?.notes ?? []),
      ...notes,
      ...(found === undefined ? [`no example of ${xr.kind} is in the folder: its values are made up`] : []),
    ],
  };
}

/** The configuration with the one API of that name, which is a kind, or a kind and its group. */
function ofApi(configuration: Configuration, api: string): Configuration {
  const isNamed = ({object}: Found) =>
    kindsDefined(object).some((kind) => api === kind || api === `${kind}.${String(object.spec?.['group'])}`);
  const named = configuration.definitions.filter(isNamed);
  const apis = distinct(named, configuration.folder);
  if (apis.length !== 1) {
    const problem = apis.length === 0 ? 'no API' : 'several APIs';
    throw new InputError(
      `folder "${configuration.folder}" has ${problem} of the name "${api}": ${apisText(configuration)}`,
    );
  }
  const isForeign = ({object}: Found) =>
    configuration.definitions.some((one) => !named.includes(one) && defines(one.object, object));
  return {...configuration, definitions: named, others: configuration.others.filter((one) => !isForeign(one))};
}

/** Which Composition an XR takes may change in its life: the others are there, too, if their functions are. */
function siblingsOf(composition: Found, all: readonly Found[]): readonly Found[] {
  const called = calledBy([composition]);
  return all.filter((one) => {
    const isOther = one !== composition && one.object.metadata.name !== composition.object.metadata.name;
    return isOther && !isNative(one.object, 'v1') && calledBy([one]).every((name) => called.includes(name));
  });
}

/** The APIs of a folder to choose from, a line each: the kind, its examples, its Compositions. */
function apisText(configuration: Configuration): string {
  const {folder} = configuration;
  const rows = apisOf(configuration).map((definition) => {
    const examples = configuration.others.filter(({object}) => defines(definition.object, object));
    const compositions = compositionsOf(configuration, definition).map(({object}) => object.metadata.name);
    return [
      apiName(configuration, definition),
      examples.length === 0 ? 'no example' : named(examples.map(({file}) => nameFrom(folder, file))),
      compositions.length === 0 ? 'no Composition' : named(compositions),
    ];
  });
  return ['', ...rows.map((row) => `  ${row.join('; ')}`)].join('\n');
}

/** A definition of each name: several files may hold one, as folders of examples do. */
export function apisOf({definitions, folder}: Configuration): readonly Found[] {
  return distinct(definitions, folder);
}

/** The kind, with its group if another definition has the same kind. */
export function apiName(configuration: Configuration, {object}: Found): string {
  const kind = kindDefined(object);
  const isShared = apisOf(configuration).filter((one) => kindDefined(one.object) === kind).length > 1;
  return isShared ? `${kind}.${String(object.spec?.['group'])}` : kind;
}

function inventory({compositions, functions, others}: Configuration): string {
  const kinds = [...compositions, ...functions, ...others].map(({object}) => object.kind);
  return kinds.length === 0 ? 'no object' : `only ${[...new Set(kinds)].sort().slice(0, 6).join(', ')}`;
}

function onlyOne(configuration: Configuration): Found {
  const [first, second] = apisOf(configuration);
  if (first !== undefined && second === undefined) return first;
  throw tooMany(configuration, 'and no example of any');
}

function tooMany(configuration: Configuration, but: string): InputError {
  const {folder} = configuration;
  const advice = 'choose one with --api KIND or --xr FILE, or write a scenario of each with --all';
  return new InputError(
    `folder "${folder}" has ${apisOf(configuration).length} APIs ${but}: ${advice}${apisText(configuration)}`,
  );
}

interface Example extends Candidate {
  readonly notes: readonly string[];
}

/** The first that fits, by the names of files. */
function exampleFor(configuration: Configuration, {xr: wanted}: Wish): Example | undefined {
  const candidates = configuration.others.flatMap((found) => {
    const definitions = configuration.definitions.filter(({object}) => defines(object, found.object));
    return distinct(definitions, found.file).map((definition) => ({found, definition}));
  });
  if (wanted !== undefined) {
    const named = candidates.find(({found}) => resolve(found.file) === resolve(wanted));
    if (named !== undefined) return {...named, notes: []};
    const files = candidates.map(({found}) => found.file).join(', ') || 'none';
    throw new InputError(
      `--xr "${wanted}" must be a file of the folder with an XR of one of its definitions: there are ${files}`,
    );
  }
  const defined = new Set(candidates.map(({definition}) => definition.object.metadata.name));
  if (defined.size > 1) throw tooMany(configuration, `and examples of ${defined.size}`);
  const first = candidates.toSorted((left, right) => rankOf(left) - rankOf(right))[0];
  if (first === undefined) return undefined;
  const fileOf = ({found}: Candidate) => nameFrom(configuration.folder, found.file);
  const others = candidates.filter((one) => one !== first).map(fileOf);
  const note = `of ${others.length + 1} examples ${fileOf(first)} is taken; --xr FILE takes another: ${named(others)}`;
  return {...first, notes: others.length === 0 ? [] : [note]};

  /** An XR that has a Composition before one that has none, and an XR before a claim. */
  function rankOf({found: {object}, definition}: Candidate): number {
    const fits = fittingFor(configuration, definition, object, undefined).fitting.length > 0;
    return (fits ? 0 : 2) + (kindDefined(definition.object) === object.kind ? 0 : 1);
  }
}

interface Candidate {
  readonly found: Found;
  readonly definition: Found;
}

function named(all: readonly string[]): string {
  return listed([...new Set(all)], 3);
}

export function defines(
  definition: KubeObject,
  {apiVersion, kind}: {readonly apiVersion: string; readonly kind: string},
): boolean {
  return definition.spec?.['group'] === groupOf(apiVersion) && kindsDefined(definition).includes(kind);
}

/** Those that compose what the definition defines. */
export function compositionsOf({compositions}: Configuration, {object}: Found): readonly Found[] {
  return compositions.filter(({object: {spec}}) => {
    const ref = spec?.['compositeTypeRef'];
    return (
      isObject(ref) &&
      ref['kind'] === kindDefined(object) &&
      groupOf(String(ref['apiVersion'])) === object.spec?.['group']
    );
  });
}

interface Composed {
  readonly composition: Found;
  readonly xr: KubeObject;
  readonly notes: readonly string[];
}

function compositionFor(
  configuration: Configuration,
  definition: Found,
  {xr, file}: {readonly xr: KubeObject; readonly file: string | undefined},
  wish: Wish,
): Composed {
  const all = compositionsOf(configuration, definition);
  const kind = kindDefined(definition.object);
  const {composition: wanted} = wish;
  if (all.length === 0) throw new InputError(`no Composition in "${configuration.folder}" composes ${kind}`);
  const {asked, fitting} = fittingFor(configuration, definition, xr, wanted);
  const among = besideIt(fitting, file) ?? distinct(fitting, definition.file);
  const [composition, second] = among;
  const names = all
    .map((one) => `${one.object.metadata.name} (${nameFrom(configuration.folder, one.file)})`)
    .join(', ');
  if (composition === undefined) {
    const by = asked === undefined ? 'the labels that the XR selects' : `the name "${String(asked)}"`;
    throw new InputError(`no Composition of ${kind} has ${by}: there are ${names}`);
  }
  const isFirst = second !== undefined && wish.takesFirst === true && asked === undefined;
  const isChosen = isFirst || among.length < distinct(fitting, definition.file).length;
  if (second !== undefined && !isFirst) {
    throw new InputError(`${kind} has ${fitting.length} Compositions, ${names}: name one with --composition NAME`);
  }
  const {name} = composition.object.metadata;
  if (isNative(composition.object, definition.object.apiVersion.endsWith('/v2') ? 'v1-and-v2' : 'v1')) {
    throw new InputError(`Composition "${name}" must have mode Pipeline: ${nativeAdvice}`);
  }
  const isOpen = isChosen || (wanted !== undefined && all.length > 1 && namedBy(xr) !== wanted);
  return {
    composition,
    xr: isOpen ? naming(xr, definition.object, name) : xr,
    notes: isChosen ? [`of the Compositions ${names} ${name} is taken; --composition NAME takes another`] : [],
  };
}

/** The one Composition in the folder of the example. */
function besideIt(fitting: readonly Found[], example: string | undefined): readonly Found[] | undefined {
  const beside = fitting.filter((one) => example !== undefined && dirname(one.file) === dirname(example));
  return beside.length === 1 ? beside : undefined;
}

/** The Compositions that the XR takes, and the name by which it takes one. */
function fittingFor(
  configuration: Configuration,
  definition: Found,
  xr: KubeObject,
  wanted: string | undefined,
): {readonly asked: Json | undefined; readonly fitting: readonly Found[]} {
  const all = compositionsOf(configuration, definition);
  const {spec} = definition.object;
  const asked =
    wanted ??
    at(spec, ['enforcedCompositionRef', 'name']) ??
    namedBy(xr) ??
    (hasSelector(xr) ? undefined : at(spec, ['defaultCompositionRef', 'name']));
  const fitting =
    asked === undefined
      ? all.filter((one) => isSelected(one.object, xr))
      : all.filter(({object}) => object.metadata.name === asked);
  return {asked, fitting};
}

/** True if an XR of the definition takes a Composition of this configuration. */
export function selects(configuration: Configuration, definition: Found, xr: KubeObject): boolean {
  return fittingFor(configuration, definition, xr, undefined).fitting.length > 0;
}

/** Of files with objects of one name the nearest. */
export function distinct(found: readonly Found[], near: string): readonly Found[] {
  const byName = Map.groupBy(found, ({object}) => object.metadata.name);
  return [...byName.values()].flatMap((same) => nearest(same, near).slice(0, 1));
}

function hasSelector({spec}: KubeObject): boolean {
  return [['crossplane', 'compositionSelector'], ['compositionSelector']].some((path) => at(spec, path) !== undefined);
}

function namedBy({spec}: KubeObject): Json | undefined {
  return at(spec, ['crossplane', 'compositionRef', 'name']) ?? at(spec, ['compositionRef', 'name']);
}

function isSelected({metadata}: KubeObject, {spec}: KubeObject): boolean {
  const labels =
    at(spec, ['crossplane', 'compositionSelector', 'matchLabels']) ?? at(spec, ['compositionSelector', 'matchLabels']);
  return Object.entries(isObject(labels) ? labels : {}).every(([key, value]) => metadata.labels?.[key] === value);
}

/** The XR with the Composition named, where its version of the API has that. */
function naming(xr: KubeObject, definition: KubeObject, name: string): KubeObject {
  const {compositionSelector: _, ...spec} = xr.spec ?? {};
  const isModern = writtenScope(definition) !== 'LegacyCluster';
  const compositionRef: JsonObject = {name};
  return {...xr, spec: isModern ? {...spec, crossplane: {compositionRef}} : {...spec, compositionRef}};
}

/** The functions that the Compositions call, in the order of their pipelines. */
export function calledBy(compositions: readonly Found[]): readonly string[] {
  return [...new Set(compositions.flatMap(({object}) => pipelineFunctions(object)))];
}
