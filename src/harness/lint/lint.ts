// `tether lint`: every Composition and definition of a folder, as written, and every pipeline whose functions can run.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import {kindDefined} from '../../cluster/defined-kinds.ts';
import {at, isObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {Builtins} from '../functions/builtin.ts';
import type {FunctionSource} from '../functions/function-source.ts';
import {pipelineSteps} from '../functions/pipeline-functions.ts';
import {type ChosenApi, calledBy, chooseApi, compositionsOf, defines} from '../init/chosen-api.ts';
import {type Configuration, type Found, readConfiguration} from '../init/configuration.ts';
import {type Place, placesOf} from '../init/function-places.ts';
import {type GivenCrds, givenCrds} from '../init/needed-crds.ts';
import {objectsIn, type Setting, settingOf} from '../init/setting.ts';
import {learnSetting} from '../init/try-out.ts';
import {InputError} from '../input/input-error.ts';
import {openPipeline, type Pipeline} from './at-rest.ts';
import {isOwn, placeIn} from './composition-steps.ts';
import {dynamicFindings, firstFindings} from './dynamic-checks.ts';
import {classNames, type Finding, type FindingClass} from './finding.ts';
import {compositionFindings, definitionFindings} from './static-checks.ts';

export interface LintOptions {
  readonly folder: string;
  readonly crds: readonly string[];
  /** The functions of --function. */
  readonly functions: readonly string[];
  readonly crossplane: ProfileName;
  readonly builtins: Builtins;
  readonly progress: (what: string | undefined) => void;
}

export interface Linted {
  readonly folder: string;
  /** By class, then by place. */
  readonly findings: readonly Finding[];
  /** Names of the Compositions whose pipeline was called. */
  readonly called: readonly string[];
  /** The parts without a judgement, a sentence each. */
  readonly notJudged: readonly string[];
}

/** Throws InputError if the folder has no Composition, or --function is wrong. */
export async function lint(options: LintOptions): Promise<Linted> {
  const configuration = readConfiguration(options.folder);
  const {definitions, compositions, others, notes} = configuration;
  if (compositions.length === 0) {
    throw new InputError('', `folder "${options.folder}" must hold a Composition, got none`);
  }
  const crds = others.filter(({object}) => object.kind === 'CustomResourceDefinition');
  const written = compositions.map((composition) => ({
    composition,
    found: compositionFindings(composition, options.crossplane),
  }));
  const findings = [...written.flatMap(({found}) => found), ...[...definitions, ...crds].flatMap(definitionFindings)];
  const called: string[] = [];
  const notJudged = [...notes];
  const run = {options, configuration, given: givenCrds([...options.crds, ...crds.map(({file}) => file)])};
  for (const {composition, found} of written) {
    if (found.some((finding) => finding.class === 'native-mode')) continue;
    const outcome = await pipelineFindings(run, composition);
    if (outcome.kind === 'not-judged') notJudged.push(outcome.sentence);
    else {
      called.push(composition.object.metadata.name);
      findings.push(...outcome.findings);
    }
  }
  return {folder: options.folder, findings: sorted(findings), called, notJudged};
}

interface Run {
  readonly options: LintOptions;
  readonly configuration: Configuration;
  readonly given: GivenCrds;
}

type Outcome =
  | {readonly kind: 'judged'; readonly findings: readonly Finding[]}
  | {readonly kind: 'not-judged'; readonly sentence: string};

async function pipelineFindings(run: Run, composition: Found): Promise<Outcome> {
  const name = `Composition/${composition.object.metadata.name}`;
  try {
    const api = apiOf(run.configuration, composition);
    if (api === undefined) return {kind: 'not-judged', sentence: `${name}: no definition of its XR is in the folder`};
    const placesFor = (found: readonly Found[]) => placesIn(run, found);
    const homeless = placesFor([composition]).filter(({source}) => source === undefined);
    if (homeless.length > 0) {
      const names = homeless.map((one) => `"${one.name}"`).join(', ');
      return {
        kind: 'not-judged',
        sentence: `${name}: its pipeline was not called: --function says where ${names} runs`,
      };
    }
    const findings = await judged(run, api, placesFor);
    const failed = findings.find((one) => one.class === 'does-not-compose');
    if (api.isMadeUp && failed !== undefined) {
      return {
        kind: 'not-judged',
        sentence: `${name}: no example of its XR is in the folder, and with one made up from the schema: ${failed.sentence}`,
      };
    }
    return {kind: 'judged', findings};
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return {kind: 'not-judged', sentence: `${name}: ${error.message}`};
  }
}

function placesIn({options, configuration}: Run, compositions: readonly Found[]): readonly Place[] {
  return placesOf(calledBy(compositions), options.functions, configuration, Object.keys(options.builtins));
}

/** The API of one Composition, with an example XR or a made one. */
function apiOf(configuration: Configuration, composition: Found): ChosenApi | undefined {
  const definition = configuration.definitions.find((one) => compositionsOf(configuration, one).includes(composition));
  if (definition === undefined) return undefined;
  const foreign = configuration.definitions.filter((one) => one !== definition);
  const others = configuration.others.filter(({object}) => !foreign.some((one) => defines(one.object, object)));
  const narrowed = {...configuration, definitions: [definition], compositions: [composition], others};
  const api = chooseApi(narrowed, {xr: undefined, composition: composition.object.metadata.name});
  return {...api, xr: asWritten(api.xr)};
}

/** An example may be an export of a living XR: without what only a server writes. */
function asWritten({status: _, metadata, spec, ...object}: KubeObject): KubeObject {
  const {name, namespace, labels, annotations} = metadata;
  const {resourceRefs: _refs, compositionRevisionRef: _revision, ...own} = spec ?? {};
  const crossplane = own['crossplane'];
  const {resourceRefs: _list, compositionRevisionRef: _pinned, ...machinery} = isObject(crossplane) ? crossplane : {};
  return {
    ...object,
    metadata: {name, ...(namespace && {namespace}), ...(labels && {labels}), ...(annotations && {annotations})},
    spec: isObject(crossplane) ? {...own, crossplane: machinery} : own,
  };
}

async function judged(
  {options, configuration, given}: Run,
  api: ChosenApi,
  placesFor: (found: readonly Found[]) => readonly Place[],
): Promise<readonly Finding[]> {
  const {builtins, crossplane, progress} = options;
  const begun = settingOf(api, configuration);
  const composition = api.composition.object;
  const finding = (name: FindingClass, sentence: string) => findingAt(api.composition, name, sentence);
  const within = async <T>(found: readonly Found[], use: (pipeline: Pipeline) => Promise<T>): Promise<T> => {
    const pipeline = await openPipeline({functions: sourcesOf(placesFor(found)), builtins, crossplane});
    return use(pipeline).finally(() => pipeline.close());
  };
  const first = await within([api.composition], async (pipeline) =>
    api.isClaim ? [] : firstFindings({pipeline, composition, finding}, api.xr, objectsIn(begun)),
  );
  if (first.length > 0) return first;
  const trying = {
    ...{configuration, api, given, crossplane, builtins, progress},
    placesFor: async (found: readonly Found[]) => placesFor(found),
  };
  const setting = await learnSetting(begun, trying);
  const found = await within(setting.compositions, async (pipeline) => {
    const rest = await pipeline.atRest(objectsIn(setting), api.xr);
    const fatal = rest.problems.find((problem) => problem.includes('returned a fatal result'));
    if (fatal !== undefined && rest.observed.some(({status}) => status !== undefined)) {
      throw new InputError(
        '',
        `the pipeline fails once the simulated cloud has answered, whose identifiers have no form of a real provider: ${fatal}`,
      );
    }
    return dynamicFindings({pipeline, composition, rest, finding});
  });
  return [...found, ...inferredKinds(setting).map((kind) => finding('no-definition', kind))];
}

function sourcesOf(places: readonly Place[]): {readonly [name: string]: FunctionSource} {
  return Object.fromEntries(
    places.flatMap(({name, source}) => (source === undefined ? [] : [[name, source] as const])),
  );
}

/** At the step of function-tether, or else at the pipeline. */
function findingAt(composition: Found, name: FindingClass, sentence: string): Finding {
  const own = pipelineSteps(composition.object).findLastIndex(isOwn);
  const path = own < 0 ? ['spec', 'pipeline'] : ['spec', 'pipeline', own];
  const object = `Composition/${composition.object.metadata.name}`;
  return {class: name, place: placeIn(composition, path), object, sentence};
}

function inferredKinds({crds}: Setting): readonly string[] {
  return [...crds.values()]
    .filter(({from}) => from === undefined)
    .map(
      ({object}) =>
        `${String(at(object.spec, ['names', 'kind']) ?? kindDefined(object))} of ${String(object.spec?.['group'])}`,
    );
}

function sorted(findings: readonly Finding[]): readonly Finding[] {
  const rank = (finding: Finding) => classNames.indexOf(finding.class);
  return findings.toSorted(
    (left, right) =>
      rank(left) - rank(right) ||
      (left.place < right.place ? -1 : left.place > right.place ? 1 : 0) ||
      (left.sentence < right.sentence ? -1 : 1),
  );
}
