// The files of a story, as a person would write and go on writing them: comments mark made-up values, and give the next step for
// missing ones.

import {dirname} from 'node:path';
import {Document, isCollection, isScalar, stringify, visit} from 'yaml';
import type {JsonObject} from '../../cluster/json.ts';
import {wrapped} from '../../command-line/wrap.ts';
import type {FunctionSource} from '../functions/function-source.ts';
import {type Found, nameFrom, ownMark} from './configuration.ts';
import {commandFrom, manifestOf, type Place} from './function-places.ts';
import type {NeededCrd} from './needed-crds.ts';
import type {StoryPlan} from './plan-story.ts';
import {isRecorded} from './recorded-answers.ts';
import {externalsOf, foundIn, isManaged, type Setting} from './setting.ts';
import {compositionName, stepsOf} from './story-steps.ts';

export interface WrittenFile {
  /** Beside the scenario. */
  readonly name: string;
  readonly text: string;
}

const crdsFile = 'crds.yaml';

/** The scenario is the first. `schema` is where editors find the format. */
export function filesOf(plan: StoryPlan, scenarioFile: string, schema: string): readonly [string, ...WrittenFile[]] {
  const {setting, tried} = plan;
  const removal = tried?.removal?.removal;
  const isWhole = removal !== undefined && removal.patch === undefined && removal.object.kind === 'Composition';
  return [
    scenarioText(plan, scenarioFile, schema),
    ...(setting.crds.size === 0 ? [] : [{name: crdsFile, text: crdsText(plan)}]),
    ...(isWhole
      ? [
          {
            name: compositionName(plan),
            text: `${ownMark}: ${removal.object.metadata.name} without ${removed(plan)}.\n${stringify(removal.object, {...plain, lineWidth})}`,
          },
        ]
      : []),
  ];
}

function removed({tried}: StoryPlan): string {
  return (tried?.removal?.left ?? []).map(({resource}) => resource).join(' and ');
}

function scenarioText(plan: StoryPlan, scenarioFile: string, schema: string): string {
  const {api} = plan;
  const folder = dirname(scenarioFile);
  const head = {
    name: api.xr.kind.toLowerCase(),
    description: `${api.xr.kind} "${api.xr.metadata.name}" is created, edited, loses a resource, is lost, restored and deleted.`,
    crossplane: plan.crossplane.length === 1 ? plan.crossplane[0] : plan.crossplane,
  };
  return [
    `# yaml-language-server: $schema=${schema}`,
    ...comment([
      'Written by tether init, and yours from here on: tether test runs it, and the schema above has all of its fields.',
      ...plan.api.notes,
      ...recordedNotes(plan),
      ...openQuestions(plan),
    ]),
    yaml(head).trimEnd(),
    ...crdsComment(plan),
    yaml({fixtures: fixturesOf(plan, folder)}).trimEnd(),
    ...functionsText(plan, folder),
    ...externalsText(plan),
    'steps:',
    ...stepsOf(plan, folder).flatMap(({comments, step}) => [
      ...comment([...comments, ...outcomeComments(plan, String(step['name']))], '  '),
      ...indented(step),
    ]),
    '',
  ].join('\n');
}

/** The same on several versions is one sentence. */
function outcomeComments({outcomes = []}: StoryPlan, step: string): readonly string[] {
  const here = outcomes.flatMap(({crossplane, failed}) =>
    failed?.step === step ? [{crossplane, why: failed.why.join('; ')}] : [],
  );
  return [...Map.groupBy(here, ({why}) => why)].map(
    ([why, of]) =>
      `This does not come true on Crossplane ${of.map(({crossplane}) => crossplane).join(' and ')}: ${why}`,
  );
}

function recordedNotes({setting}: StoryPlan): readonly string[] {
  const names = setting.compositions.filter(isRecorded).map(({object}) => object.metadata.name);
  if (names.length === 0) return [];
  return [
    `Recorded answers stand in for the functions of ${names.join(', ')}: they follow neither an edit nor the observed state.`,
  ];
}

function openQuestions({tried, places}: StoryPlan): readonly string[] {
  const missing = places.filter(({source}) => source === undefined).map(({name}) => name);
  if (missing.length === 0)
    return (tried?.problems ?? []).map((problem) => `It does not come to rest as it is: ${problem}`);
  return [
    `Nothing was tried out, because ${missing.join(' and ')} ${missing.length === 1 ? 'has' : 'have'} no place to run: run tether init again with --run-functions, or with --function NAME=HOST:PORT or --function NAME=COMMAND (and --force), and it finds an edit and a resource to remove, and counts what is created.`,
  ];
}

function crdsComment({setting}: StoryPlan): readonly string[] {
  const inferred = crdsIn(setting).filter(({from}) => from === undefined);
  if (inferred.length === 0) return [];
  const idle = idleKinds(setting);
  const never = `No controller acts on ${idle.join(', ')}: no managed resources, and no APIs of this folder. Their objects never become Ready.`;
  return comment([
    `${crdsFile} has open schemas, made up for ${inferred.map(({object}) => kindIn(object)).join(', ')}: they take anything, default nothing and know no lists of references. tether init --crds takes the CustomResourceDefinitions of your provider instead.`,
    ...(idle.length === 0 ? [] : [never]),
  ]);
}

/** Made-up kinds without a controller: neither managed resources nor APIs of the folder. */
export function idleKinds(setting: Setting): readonly string[] {
  const inferred = crdsIn(setting).filter(({from}) => from === undefined);
  const idle = inferred.filter(({object}) => !isManaged(object)).map(({object}) => kindIn(object));
  // A config is only read.
  return [...new Set(idle)].filter((kind) => !kind.endsWith('ProviderConfig'));
}

/** By kind: a story that is written again is the same. */
function crdsIn({crds}: Setting): readonly NeededCrd[] {
  return [...crds].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, crd]) => crd);
}

function kindIn({spec}: JsonObject): string {
  return String((spec as {names?: {kind?: string}}).names?.kind);
}

function fixturesOf({setting, places}: StoryPlan, folder: string): readonly unknown[] {
  const fixtures = foundIn(setting);
  return [
    ...(setting.crds.size === 0 ? [] : [crdsFile]),
    ...setting.namespaces.map((name) => ({apiVersion: 'v1', kind: 'Namespace', metadata: {name}})),
    ...new Set(fixtures.map((found) => fixtureOf(found, fixtures, folder))),
    ...places.filter(isLeftOpen).flatMap((place) => manifestOf(place) ?? []),
  ];
}

/** A file that holds more than fixtures of the story is not named: what else is in it may need what is not there. */
function fixtureOf(found: Found, fixtures: readonly Found[], folder: string): unknown {
  const {object, file, isAlone} = found;
  const isShared = !isAlone && !fixtures.some((one) => one !== found && one.file === file);
  return isShared ? object : nameFrom(folder, file);
}

/** A function that a scenario has no place for: its package runs, or --function gives the place. */
function isLeftOpen({source, isPackaged}: Place): boolean {
  return source === undefined || isPackaged === true;
}

function functionsText({places}: StoryPlan, folder: string): readonly string[] {
  const placed = places.filter((place) => !isLeftOpen(place));
  const open = places.filter(isLeftOpen).map(({name}) => name);
  const texts = placed.flatMap((place) => [
    ...comment(aboutPlace(place), '  '),
    ...yaml({[place.name]: written(place.source, folder)})
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
  ]);
  return [...(placed.length === 0 ? [] : ['functions:', ...texts]), ...comment(open.flatMap(howToStart))];
}

function howToStart(name: string): readonly string[] {
  return [
    `${name}: tether test --run-functions runs it from its package; --function gives another place:`,
    `- --function ${name}=localhost:9443, after docker run --rm --publish 9443:9443 IMAGE --insecure`,
    `- --function ${name}=./function, a program that tether starts`,
  ];
}

function aboutPlace({name, source, image}: Place): readonly string[] {
  if (source?.kind === 'builtin') return [`${image ?? name}: the one that the harness has, in process`];
  return image === undefined ? [] : [image];
}

function written(source: FunctionSource | undefined, folder: string): object {
  if (source === undefined) return {};
  if (source.kind === 'builtin') return {builtin: source.name};
  return source.kind === 'address'
    ? {address: source.address}
    : {command: commandFrom(folder, source.command), address: source.address};
}

/** The side that gives external names, as far as the Composition shows it. */
function externalsText({setting}: StoryPlan): readonly string[] {
  const externals = externalsOf(setting);
  if (Object.keys(externals).length === 0) return [];
  const why =
    'Who names is read off what is composed: an author sets crossplane.io/external-name, or another resource refers to the object by its own name.';
  return [...comment([why]), yaml({provider: {externals}}).trimEnd()];
}

function crdsText({setting}: StoryPlan): string {
  const documents = crdsIn(setting).map(({text, from}) => {
    const head = from === undefined ? '# Made up: an open schema.' : `# From ${nameFrom('.', from)}`;
    return `${head}\n${text.trim()}\n`;
  });
  return `${ownMark}: what the story composes.\n---\n${documents.join('---\n')}`;
}

const plain = {aliasDuplicateObjects: false, compat: 'yaml-1.1'} as const;
const lineWidth = 120;

/** As stories are written by hand: what is short stands on one line. */
function yaml(value: unknown): string {
  const document = new Document(value, plain);
  visit(document, {
    Collection: (_, node, path) => {
      const isTop = path.filter(isCollection).length === 0;
      const isListOfMaps = node.items.some((item) => isCollection(item));
      const isText = node.items.some((item) => isScalar(item) && String(item.value).includes('\n'));
      if (isTop || isListOfMaps || isText || JSON.stringify(node.toJS(document)).length > 90) return;
      node.flow = true;
    },
  });
  return document.toString({lineWidth, flowCollectionPadding: false});
}

/** Sentences are broken into lines; what is to be copied stays whole. */
function comment(lines: readonly string[], indent = ''): readonly string[] {
  const broken = lines.flatMap((line) =>
    /^(docker |- | )/.test(line) ? [line] : wrapped('', line, 116 - indent.length),
  );
  return broken.map((line) => `${indent}# ${line}`);
}

/** A step as an item of a list. */
function indented(step: object): readonly string[] {
  const lines = yaml(step).trimEnd().split('\n');
  return lines.map((line, index) => (line === '' ? '' : `${index === 0 ? '  - ' : '    '}${line}`));
}
