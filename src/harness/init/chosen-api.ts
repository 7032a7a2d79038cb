// The API a story is about: an XR (or a claim), its definition and its Composition. Where a configuration has several,
// whoever asks says which: a guess would test something else than meant.

import {resolve} from 'node:path';
import {isNative, nativeAdvice} from '../../cluster/crossplane/native-mode.ts';
import {kindDefined, kindsDefined} from '../../cluster/defined-kinds.ts';
import {at, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import {groupOf, type KubeObject} from '../../cluster/object.ts';
import {pipelineFunctions} from '../functions/pipeline-functions.ts';
import {InputError} from '../input/input-error.ts';
import {type Configuration, type Found, nameFrom} from './configuration.ts';
import {sampleXr} from './sample-xr.ts';

export interface ChosenApi {
  readonly definition: Found;
  readonly composition: Found;
  /** As it is applied. */
  readonly xr: KubeObject;
  /** The file that holds it alone, as it is; undefined where it was made up or changed. */
  readonly file: string | undefined;
  readonly isClaim: boolean;
  readonly isNamespaced: boolean;
  /** What was chosen among several, and what was made up: a sentence each. */
  readonly notes: readonly string[];
}

export interface Wish {
  /** A file with the XR. */
  readonly xr: string | undefined;
  /** The name of a Composition. */
  readonly composition: string | undefined;
}

/** Throws InputError where there is none, or more than one. */
export function chooseApi(configuration: Configuration, wish: Wish): ChosenApi {
  const {folder, definitions} = configuration;
  if (definitions.length === 0) {
    throw new InputError(
      '',
      `folder "${folder}" must hold a CompositeResourceDefinition, got ${inventory(configuration)}`,
    );
  }
  const example = exampleFor(configuration, wish);
  const definition = example === undefined ? onlyOne(definitions, folder) : example.definition;
  const found = example?.found;
  const xr = found?.object ?? sampleXr(definition.object);
  const isClaim = xr.kind === at(definition.object.spec, ['claimNames', 'kind']);
  const {composition, xr: picked} = compositionFor(configuration, definition, xr, wish.composition);
  const isAsIs = found?.isAlone === true && picked === xr;
  return {
    definition,
    composition,
    xr: picked,
    file: isAsIs ? found.file : undefined,
    isClaim,
    isNamespaced: definition.object.apiVersion.endsWith('/v2')
      ? (at(definition.object.spec, ['scope']) ?? 'Namespaced') === 'Namespaced'
      : false,
    notes: [
      ...(example?.notes ?? []),
      ...(found === undefined ? [`no example of ${xr.kind} is in the folder: its values are made up`] : []),
    ],
  };
}

function inventory({compositions, functions, others}: Configuration): string {
  const kinds = [...compositions, ...functions, ...others].map(({object}) => object.kind);
  return kinds.length === 0 ? 'no object' : `only ${[...new Set(kinds)].sort().slice(0, 6).join(', ')}`;
}

function onlyOne(definitions: readonly Found[], folder: string): Found {
  const [first, second] = definitions;
  if (first !== undefined && second === undefined) return first;
  const kinds = definitions.map(({object}) => kindDefined(object)).join(', ');
  throw new InputError(
    '',
    `folder "${folder}" defines ${kinds} and has no example of any: name a file with one, --xr FILE`,
  );
}

interface Example {
  readonly found: Found;
  readonly definition: Found;
  readonly notes: readonly string[];
}

/** An example of an XR, before one of a claim; the first by its file's name. */
function exampleFor(configuration: Configuration, {xr: wanted}: Wish): Example | undefined {
  const candidates = configuration.others.flatMap((found) => {
    const definition = configuration.definitions.find(({object}) => defines(object, found.object));
    return definition === undefined ? [] : [{found, definition}];
  });
  if (wanted !== undefined) {
    const named = candidates.find(({found}) => resolve(found.file) === resolve(wanted));
    if (named !== undefined) return {...named, notes: []};
    const files = candidates.map(({found}) => found.file).join(', ') || 'none';
    throw new InputError(
      '',
      `--xr "${wanted}" must be a file of the folder with an XR of one of its definitions: there are ${files}`,
    );
  }
  const kinds = [...new Set(candidates.map(({definition}) => kindDefined(definition.object)))];
  if (kinds.length > 1) {
    const files = candidates.map(({found}) => `${found.object.kind} in ${found.file}`).join(', ');
    throw new InputError('', `the folder has examples of ${kinds.length} APIs (${files}): say which with --xr FILE`);
  }
  const isXr = ({found, definition}: {found: Found; definition: Found}) =>
    kindDefined(definition.object) === found.object.kind;
  const first = candidates.find(isXr) ?? candidates[0];
  if (first === undefined) return undefined;
  const named = ({found}: {readonly found: Found}) => nameFrom(configuration.folder, found.file);
  const others = candidates.filter((one) => one !== first).map(named);
  const note = `of ${others.length + 1} examples ${named(first)} is taken; --xr FILE takes another: ${others.join(', ')}`;
  return {...first, notes: others.length === 0 ? [] : [note]};
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

function compositionFor(configuration: Configuration, definition: Found, xr: KubeObject, wanted: string | undefined) {
  const all = compositionsOf(configuration, definition);
  const kind = kindDefined(definition.object);
  const names = all
    .map((one) => `${one.object.metadata.name} (${nameFrom(configuration.folder, one.file)})`)
    .join(', ');
  if (all.length === 0) throw new InputError('', `no Composition in "${configuration.folder}" composes ${kind}`);
  const asked = wanted ?? namedBy(xr) ?? at(definition.object.spec, ['defaultCompositionRef', 'name']);
  const fitting =
    asked === undefined
      ? all.filter((one) => isSelected(one.object, xr))
      : all.filter(({object}) => object.metadata.name === asked);
  const [composition, second] = fitting;
  if (composition === undefined) {
    const by = asked === undefined ? 'the labels that the XR selects' : `the name "${String(asked)}"`;
    throw new InputError('', `no Composition of ${kind} has ${by}: there are ${names}`);
  }
  if (second !== undefined) {
    throw new InputError('', `${kind} has ${fitting.length} Compositions, ${names}: say which with --composition NAME`);
  }
  if (isNative(composition.object, definition.object.apiVersion.endsWith('/v2') ? 'v1-and-v2' : 'v1')) {
    throw new InputError(
      '',
      `Composition "${composition.object.metadata.name}" must have mode Pipeline: ${nativeAdvice}`,
    );
  }
  const isOpen = wanted !== undefined && all.length > 1 && namedBy(xr) !== wanted;
  return {composition, xr: isOpen ? naming(xr, definition.object, wanted) : xr};
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
  const isModern = definition.apiVersion.endsWith('/v2') && at(definition.spec, ['scope']) !== 'LegacyCluster';
  const compositionRef: JsonObject = {name};
  return {...xr, spec: isModern ? {...spec, crossplane: {compositionRef}} : {...spec, compositionRef}};
}

/** The functions that the Compositions call, in the order of their pipelines. */
export function calledBy(compositions: readonly Found[]): readonly string[] {
  return [...new Set(compositions.flatMap(({object}) => pipelineFunctions(object)))];
}
