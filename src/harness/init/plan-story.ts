// From a configuration's folder to all that a story of it needs. With its functions at hand it is tried out what they
// compose; without them it is read off the Composition, as far as that shows it.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import {isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import {groupKindOf, groupOf, type KubeObject} from '../../cluster/object.ts';
import type {Builtins} from '../functions/builtin.ts';
import {pipelineSteps} from '../functions/pipeline-functions.ts';
import {InputError} from '../input/input-error.ts';
import {type ChosenApi, calledBy, chooseApi, type Wish} from './chosen-api.ts';
import type {Configuration, Found} from './configuration.ts';
import {type Place, packagedPlaces, placesOf} from './function-places.ts';
import {givenCrds, type NeededKind} from './needed-crds.ts';
import {type Setting, settingOf, uncomposedForms, unknownAmong, withKinds} from './setting.ts';
import {type Tried, tryOut} from './try-out.ts';

export interface InitOptions extends Wish {
  readonly crds: readonly string[];
  readonly functions: readonly string[];
  readonly shows: Setting['shows'];
  /** Empty: the versions that the definition is for. */
  readonly crossplane: readonly ProfileName[];
  /** Functions without a place run from their packages. */
  readonly runsPackages: boolean;
  readonly builtins: Builtins;
  readonly progress: (what: string | undefined) => void;
}

export interface StoryPlan {
  readonly api: ChosenApi;
  readonly crossplane: readonly ProfileName[];
  readonly setting: Setting;
  readonly places: readonly Place[];
  /** Undefined where a function is not at hand. */
  readonly tried: Tried | undefined;
  /** For its author, a sentence each. */
  readonly notes: readonly string[];
  /** Of each version, once the story ran; absent before. */
  readonly outcomes?: readonly StoryOutcome[];
}

/** A run of the whole story on one version. */
export interface StoryOutcome {
  readonly crossplane: ProfileName;
  /** The step that did not come true, and why: a sentence each. */
  readonly failed: {readonly step: string; readonly why: readonly string[]} | undefined;
  /** The gaps in the evidence of the run, a sentence each. */
  readonly hollow: readonly string[];
}

/** Throws InputError with one sentence. */
export async function planStory(configuration: Configuration, options: InitOptions): Promise<StoryPlan> {
  const {functions, builtins, progress, runsPackages} = options;
  const api = chooseApi(configuration, options);
  const given = givenCrds(options.crds);
  const crossplane = options.crossplane.length > 0 ? options.crossplane : versionsFor(api);
  const placesFor = (compositions: readonly Found[]): Promise<readonly Place[]> => {
    const places = placesOf(calledBy(compositions), functions, configuration, Object.keys(builtins));
    return runsPackages ? packagedPlaces(places) : Promise.resolve(places);
  };
  const begun = settingOf(api, configuration, options.shows);
  const places = await placesFor(begun.compositions);
  const plan = {api, crossplane, notes: api.notes};
  if (places.some(({source}) => source === undefined)) {
    const kinds = unknownAmong(writtenKinds(api.composition.object), begun, configuration);
    return {...plan, places, setting: withKinds(begun, kinds, given, api.isNamespaced), tried: undefined};
  }
  const version = crossplane.at(-1) ?? 'main';
  const trying = {configuration, api, given, crossplane: version, builtins, progress, placesFor};
  const {setting, tried} = await tryOut(begun, trying);
  if (api.isMadeUp && tried.composes === 0) {
    const why = tried.problems.map((problem) => `: ${problem}`).join('');
    throw new InputError(
      `no example of ${api.xr.kind} is in the folder, and one made up from its schema composes nothing: write one, and name it with --xr FILE${why}`,
    );
  }
  const [idle] = uncomposedForms(setting);
  if (idle !== undefined && !options.takesFirst) throw notComposed(idle);
  return {...plan, places: await placesFor(setting.compositions), setting, tried};
}

/** Of --shows. */
export function notComposed(kind: string): InputError {
  return new InputError(`--shows names ${kind}, which no Composition of the story composes`);
}

function versionsFor({definition}: ChosenApi): readonly ProfileName[] {
  return definition.object.apiVersion.endsWith('/v2') ? ['2.3', 'main'] : ['1.20', 'main'];
}

// The composed kinds that a Composition names literally: for a story whose functions are not at hand.

/** Kinds that can be read off a Composition: objects in its inputs, and documents in its templates. */
function writtenKinds(composition: KubeObject): readonly NeededKind[] {
  const inputs = pipelineSteps(composition).map(({input = null}) => input);
  const objects = inputs.flatMap((input) => (isObject(input) ? Object.values(input).flatMap(objectsIn) : []));
  const kinds = Map.groupBy(objects, (one) => groupKindOf(one as KubeObject));
  return [...kinds.values()].map((composed) => ({
    apiVersion: String(composed[0]?.['apiVersion']),
    kind: String(composed[0]?.['kind']),
    composed,
  }));
}

function objectsIn(value: Json): readonly JsonObject[] {
  if (typeof value === 'string') return documentsIn(value);
  if (isList(value)) return value.flatMap(objectsIn);
  if (!isObject(value)) return [];
  const isObjectItself = typeof value['apiVersion'] === 'string' && typeof value['kind'] === 'string';
  return isObjectItself && groupOf(String(value['apiVersion'])) !== ''
    ? [value]
    : Object.values(value).flatMap(objectsIn);
}

/** A template is no YAML: kind and references of its documents are read off their lines. */
function documentsIn(template: string): readonly JsonObject[] {
  return template.split(/^---\s*$/m).flatMap((text) => {
    const [, apiVersion] = /^apiVersion:\s*["']?([\w.-]+\/\w+)["']?\s*$/m.exec(text) ?? [];
    const [, kind] = /^kind:\s*["']?([A-Z]\w*)["']?\s*$/m.exec(text) ?? [];
    if (apiVersion === undefined || kind === undefined) return [];
    const fields = [...text.matchAll(/^\s+(\w+(?:Selector|Refs?)):/gm)].map(([, field = '']): [string, Json] => [
      field,
      {},
    ]);
    const spec = /^\s+forProvider:/m.test(text) ? {spec: {forProvider: Object.fromEntries(fields)}} : {};
    return [{apiVersion, kind, metadata: {}, ...spec}];
  });
}
