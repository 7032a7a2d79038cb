// `tether lint`: every Composition and definition of some files, as written, and every pipeline whose functions can run.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import {groupKindDefined, kindDefined} from '../../cluster/defined-kinds.ts';
import {at} from '../../cluster/json.ts';
import {groupKindOf, type KubeObject, shortName, versionOf} from '../../cluster/object.ts';
import type {Builtins} from '../functions/builtin.ts';
import {keptFunctions, type OpenFunctions} from '../functions/function-pool.ts';
import type {FunctionSource} from '../functions/function-source.ts';
import {functionOf, pipelineSteps} from '../functions/pipeline-functions.ts';
import {readPlaces} from '../functions/said-places.ts';
import {type ChosenApi, calledBy, chooseApi, compositionsOf, defines, distinct, selects} from '../init/chosen-api.ts';
import {type Configuration, type Found, readConfigurationOf} from '../init/configuration.ts';
import {type Place, placesOf} from '../init/function-places.ts';
import {type GivenCrds, givenCrds} from '../init/needed-crds.ts';
import {objectsIn, type Setting, settingOf} from '../init/setting.ts';
import {learnSetting} from '../init/try-out.ts';
import {nearest} from '../input/cursor.ts';
import {InputError} from '../input/input-error.ts';
import {identifiedXr} from '../render/identified-xr.ts';
import {openPipeline, type Pipeline} from './at-rest.ts';
import {asWritten, isOwn, ownName, placeIn} from './composition-steps.ts';
import {dynamicFindings, firstFindings} from './dynamic-checks.ts';
import {classNames, type Finding, type FindingClass} from './finding.ts';
import {isWritten, onlyDefinition, refusals, servedBy, serves} from './refusals.ts';
import {nameFindings, nativeFindings, stepFindings} from './static-checks.ts';

export interface LintOptions {
  /** Files, folders and globs. */
  readonly paths: readonly string[];
  readonly crds: readonly string[];
  readonly functions: readonly string[];
  readonly crossplane: ProfileName;
  readonly builtins: Builtins;
  readonly progress: (what: string | undefined) => void;
}

export interface Linted {
  readonly paths: readonly string[];
  /** By class, then by place. */
  readonly findings: readonly Finding[];
  /** Names of the Compositions whose pipeline was called. */
  readonly called: readonly string[];
  /** The parts without a judgement, a sentence each. */
  readonly notJudged: readonly string[];
}

/** Another tool replaces it before an API server reads it: `${cluster_name}` of Flux, `{{ .Values.team }}`. */
const expressionRefused = /Invalid value: "[^"]*(?:\$\{|\{\{)/;

/** Throws InputError if no file has a Composition, or --function is wrong or names a place where nothing runs. */
export async function lint(options: LintOptions): Promise<Linted> {
  const kept = keptFunctions();
  return lintWith(kept.open, options).finally(() => kept.close());
}

async function lintWith(open: OpenFunctions, options: LintOptions): Promise<Linted> {
  const {paths, builtins, crossplane} = options;
  const configuration = readConfigurationOf(paths);
  const {compositions, others, notes} = configuration;
  if (compositions.length === 0) {
    const names = paths.map((path) => `"${path}"`).join(', ');
    throw new InputError([`${names} must hold a Composition, got none`, ...notes.slice(0, 3)].join('; '));
  }
  const said = readPlaces(options.functions, {called: calledBy(compositions), builtins: Object.keys(builtins)});
  await openPipeline({functions: said, builtins, crossplane, open});
  const crds = others.filter(({object}) => object.kind === 'CustomResourceDefinition');
  const native = new Map(compositions.map((one) => [one, nativeFindings(one, crossplane)] as const));
  const pipelines = compositions.filter((one) => native.get(one)?.length === 0);
  const refused = await refusals(configuration, pipelines, crossplane);
  const templates = [...refused.values()].filter(({sentence}) => expressionRefused.test(sentence));
  const findings = [
    ...[...native.values()].flat(),
    ...[...refused.values()].filter((one) => !templates.includes(one)),
    ...pipelines.flatMap(stepFindings),
    ...crds.flatMap(nameFindings),
  ];
  const accepted = {...configuration, others: others.filter((one) => !refused.has(one))};
  const given = givenCrds([...options.crds, ...crds.map(({file}) => file)]);
  const called: string[] = [];
  const notJudged = [...notes, ...templates.map((one) => `${one.place}: ${one.object}: a template: ${one.sentence}`)];
  for (const composition of pipelines.filter((one) => !refused.has(one))) {
    const {name} = composition.object.metadata;
    const outcome = await pipelineFindings({options, configuration: accepted, given, open}, composition);
    findings.push(...outcome.findings);
    notJudged.push(...outcome.notJudged.map((sentence) => `${composition.file}: Composition/${name}: ${sentence}`));
    if (outcome.isCalled) called.push(name);
  }
  notJudged.push(...idleExamples(accepted));
  return {paths, findings: sorted(findings), called, notJudged};
}

/** Examples of a composed kind that select none of its Compositions. */
function idleExamples(whole: Configuration): readonly string[] {
  return whole.others.flatMap(({object, file}) => {
    const definition = whole.definitions.find((one) => serves(one.object, object));
    const compositions = definition === undefined ? [] : compositionsOf(whole, definition);
    if (definition === undefined || compositions.length === 0) return [];
    const isTaken = compositions.some((one) => selects({...whole, compositions: [one]}, definition, object));
    return isTaken ? [] : [`${shortName(object)} of ${file} selects no Composition in these files`];
  });
}

interface Run {
  readonly options: LintOptions;
  readonly configuration: Configuration;
  readonly given: GivenCrds;
  readonly open: OpenFunctions;
}

interface Outcome {
  readonly findings: readonly Finding[];
  /** A sentence each. */
  readonly notJudged: readonly string[];
  readonly isCalled: boolean;
}

const notCalled = {findings: [], notJudged: [], isCalled: false};

/** Of the pipeline with each example of its XR. */
async function pipelineFindings(run: Run, composition: Found): Promise<Outcome> {
  const {configuration} = run;
  const composed = composedBy(composition);
  const input = await inputFindings(run, composition, composed);
  if (input.length > 0) return {...notCalled, findings: input};
  const definitions = configuration.definitions.filter(({object}) => serves(object, composed));
  const [definition] = distinct(definitions, composition.file);
  const other = onlyDefinition(configuration.definitions, composed);
  if (definition === undefined && other !== undefined) {
    const served = servedBy(other.object).join(', ') || 'none';
    const sentence = `no XR can select it: ${other.object.metadata.name} serves ${served}, not ${versionOf(composed.apiVersion)}`;
    return {...notCalled, findings: [findingAt(composition, 'does-not-compose', sentence)]};
  }
  if (definition === undefined) return undefinedKind(configuration, composition);
  const homeless = placesIn(run, [composition]).filter(({source}) => source === undefined);
  if (homeless.length > 0) {
    const names = homeless.map((one) => `"${one.name}"`).join(', ');
    return {...notCalled, notJudged: [`its pipeline was not called: --function says where ${names} runs`]};
  }
  const outcomes: Outcome[] = [];
  for (const one of withEachExample(configuration, definition, composition)) outcomes.push(await apiFindings(run, one));
  const findings = outcomes.flatMap((one) => one.findings);
  return {
    findings: [...new Map(findings.map((one) => [`${one.class} ${one.sentence}`, one])).values()],
    notJudged: [...new Set(outcomes.flatMap((one) => one.notJudged))],
    isCalled: outcomes.some((one) => one.isCalled),
  };
}

/** A definition that no Composition is for, and whose name is near, is the one that is meant. */
function undefinedKind(configuration: Configuration, composition: Found): Outcome {
  const composed = composedBy(composition);
  const sentence = `no definition in these files serves ${composed.apiVersion} ${composed.kind}`;
  const idle = configuration.definitions.filter((one) => compositionsOf(configuration, one).length === 0);
  const meant = nearest(
    groupKindOf(composed),
    idle.map(({object}) => groupKindDefined(object)),
  );
  if (meant === undefined) return {...notCalled, notJudged: [sentence]};
  return {...notCalled, findings: [findingAt(composition, 'does-not-compose', `${sentence}: did you mean ${meant}?`)]};
}

async function apiFindings(run: Run, {configuration, composition}: OneExample): Promise<Outcome> {
  const placesFor = (found: readonly Found[]) => placesIn(run, found);
  try {
    const api = chooseApi(configuration, {xr: undefined, composition: composition.object.metadata.name});
    const findings = await judged(run, {...api, xr: asWritten(api.xr)}, placesFor);
    const failed = findings.find((one) => one.class === 'does-not-compose');
    if (!api.isMadeUp || failed === undefined) return {findings, notJudged: [], isCalled: true};
    const sentence = `no example of its XR is in these files, and with one made up from the schema: ${failed.sentence}`;
    return {...notCalled, notJudged: [sentence]};
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return {...notCalled, notJudged: [error.message]};
  }
}

/** An XR of the kind and version that the Composition is for. */
function composedBy({object}: Found): KubeObject {
  const type = object.spec?.['compositeTypeRef'];
  return {
    apiVersion: String(at(type, ['apiVersion'])),
    kind: String(at(type, ['kind'])),
    metadata: {name: 'example'},
    spec: {},
  };
}

/** The refusal of function-tether, which reads its input before anything else. */
async function inputFindings({options, open}: Run, composition: Found, xr: KubeObject): Promise<readonly Finding[]> {
  const {builtins, crossplane} = options;
  const own = pipelineSteps(composition.object).filter(isOwn);
  const place = {kind: 'builtin', name: ownName} as const;
  const functions = Object.fromEntries(own.map((step) => [functionOf(step), place]));
  const alone = {...composition.object, spec: {...composition.object.spec, pipeline: own}};
  if (own.length === 0 || builtins[ownName] === undefined) return [];
  const pipeline = await openPipeline({functions, builtins, crossplane, open});
  const {error} = await pipeline.ask({composition: alone, xr: identifiedXr(xr), observed: [], others: []});
  return error === undefined ? [] : [findingAt(composition, 'does-not-compose', error)];
}

function placesIn({options, configuration}: Run, compositions: readonly Found[]): readonly Place[] {
  return placesOf(calledBy(compositions), options.functions, configuration, Object.keys(options.builtins));
}

interface OneExample {
  readonly configuration: Configuration;
  readonly composition: Found;
}

/** The configuration with one Composition and one example that selects it, for each; without any, the XR is made up. */
function withEachExample(whole: Configuration, definition: Found, composition: Found): readonly OneExample[] {
  const defined = ({object}: Found) => whole.definitions.some((one) => defines(one.object, object));
  const others = whole.others.filter((one) => !defined(one));
  const narrowed = {...whole, definitions: [definition], compositions: [composition], others};
  const examples = whole.others.filter(
    ({object}) => serves(definition.object, object) && selects(narrowed, definition, object),
  );
  const written = examples.filter(isWritten);
  const each = (written.length === 0 ? examples : written).map((example) => ({
    ...narrowed,
    others: [...others, example],
  }));
  return (each.length === 0 ? [narrowed] : each).map((configuration) => ({configuration, composition}));
}

async function judged(
  {options, configuration, given, open}: Run,
  api: ChosenApi,
  placesFor: (found: readonly Found[]) => readonly Place[],
): Promise<readonly Finding[]> {
  const {builtins, crossplane, progress} = options;
  const begun = settingOf(api, configuration);
  const composition = api.composition.object;
  const finding = (name: FindingClass, sentence: string) => findingAt(api.composition, name, sentence);
  const opened = (found: readonly Found[]): Promise<Pipeline> =>
    openPipeline({functions: sourcesOf(placesFor(found)), builtins, crossplane, open});
  const early = await opened([api.composition]);
  const first = api.isClaim
    ? []
    : await firstFindings({pipeline: early, composition, finding}, api.xr, objectsIn(begun));
  if (first.length > 0) return first;
  const trying = {
    ...{configuration, api, given, crossplane, builtins, progress},
    placesFor: async (found: readonly Found[]) => placesFor(found),
    openFunctions: open,
  };
  const {setting, absent} = await learnSetting(begun, trying);
  const pipeline = await opened(setting.compositions);
  const rest = await pipeline.atRest(objectsIn(setting), api.xr);
  const fatal = rest.problems.find((problem) => problem.includes('returned a fatal result'));
  if (fatal !== undefined && rest.observed.some(({status}) => status !== undefined)) {
    throw new InputError(
      `the pipeline fails once the simulated cloud has answered, whose identifiers have no form of a real provider: ${fatal}`,
    );
  }
  if (fatal !== undefined && absent.length > 0) {
    throw new InputError(
      `the pipeline fails, and a function asks for ${absent.join(', ')}, which no file has: ${fatal}`,
    );
  }
  if (rest.problems.length === 0 && rest.observed.length === 0) {
    throw new InputError(`it composes nothing for ${api.xr.kind} "${api.xr.metadata.name}"`);
  }
  const found = await dynamicFindings({pipeline, composition, rest, finding});
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
