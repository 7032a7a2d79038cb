// The files of a story, as a person would write and go on writing them: comments say what was made up, and what to do
// where something could not be found.

import {dirname} from 'node:path';
import {Document, isCollection, isScalar, stringify, visit} from 'yaml';
import type {JsonObject} from '../../cluster/json.ts';
import type {FunctionSource} from '../functions/function-source.ts';
import {wrapped} from '../report/wrap.ts';
import {type Found, nameFrom, ownMark} from './configuration.ts';
import {commandFrom, type Place} from './function-places.ts';
import type {NeededCrd} from './needed-crds.ts';
import type {StoryPlan} from './plan-story.ts';
import {foundIn, type Setting} from './setting.ts';
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
      'Written by tether init, and yours from here on: tether test runs it, and the schema above says all it may have.',
      ...plan.api.notes,
      ...openQuestions(plan),
    ]),
    yaml(head).trimEnd(),
    ...crdsComment(plan),
    yaml({fixtures: fixturesOf(plan, folder)}).trimEnd(),
    ...functionsText(plan, folder),
    'steps:',
    ...stepsOf(plan, folder).flatMap(({comments, step}) => [...comment(comments, '  '), ...indented(step)]),
    '',
  ].join('\n');
}

function openQuestions({tried, places}: StoryPlan): readonly string[] {
  const missing = places.filter(({source}) => source === undefined).map(({name}) => name);
  if (missing.length === 0)
    return (tried?.problems ?? []).map((problem) => `It does not come to rest as it is: ${problem}`);
  return [
    `Nothing was tried out, because nobody said where ${missing.join(' and ')} ${missing.length === 1 ? 'runs' : 'run'}: start what is named below, or run tether init again with --function NAME=HOST:PORT or --function NAME=COMMAND (and --force), and it finds an edit and a resource to remove, and counts what is created.`,
  ];
}

function crdsComment({setting}: StoryPlan): readonly string[] {
  const inferred = crdsIn(setting).filter(({from}) => from === undefined);
  if (inferred.length === 0) return [];
  const idle = inferred.filter(({object}) => !isManaged(object)).map(({object}) => kindIn(object));
  const never = `Nobody acts on ${idle.join(', ')}: no managed resources, and no APIs of this folder. Their objects never become Ready.`;
  return comment([
    `${crdsFile} has open schemas, made up for ${inferred.map(({object}) => kindIn(object)).join(', ')}: they take anything, default nothing and know no lists of references. tether init --crds takes the CustomResourceDefinitions of your provider instead.`,
    ...(idle.length === 0 ? [] : [never]),
  ]);
}

function isManaged({spec}: JsonObject): boolean {
  return (spec as {names?: {categories?: readonly string[]}}).names?.categories?.includes('managed') === true;
}

/** By kind: a story that is written again is the same. */
function crdsIn({crds}: Setting): readonly NeededCrd[] {
  return [...crds].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, crd]) => crd);
}

function kindIn({spec}: JsonObject): string {
  return String((spec as {names?: {kind?: string}}).names?.kind);
}

function fixturesOf({setting}: StoryPlan, folder: string): readonly unknown[] {
  const fixtures = foundIn(setting);
  return [
    ...(setting.crds.size === 0 ? [] : [crdsFile]),
    ...setting.namespaces.map((name) => ({apiVersion: 'v1', kind: 'Namespace', metadata: {name}})),
    ...new Set(fixtures.map((found) => fixtureOf(found, fixtures, folder))),
  ];
}

/** A file that holds more than fixtures of the story is not named: what else is in it may need what is not there. */
function fixtureOf(found: Found, fixtures: readonly Found[], folder: string): unknown {
  const {object, file, isAlone} = found;
  const isShared = !isAlone && !fixtures.some((one) => one !== found && one.file === file);
  return isShared ? object : nameFrom(folder, file);
}

function functionsText({places}: StoryPlan, folder: string): readonly string[] {
  let port = 9442;
  const texts = places.flatMap((place) => {
    if (place.source === undefined) port++;
    return [
      ...comment(howToStart(place, port), '  '),
      ...yaml({[place.name]: written(place.source, port, folder)})
        .trimEnd()
        .split('\n')
        .map((line) => `  ${line}`),
    ];
  });
  return ['functions:', ...texts];
}

function howToStart({name, source, image}: Place, port: number): readonly string[] {
  if (source?.kind === 'builtin') return [`${image ?? name}: the one that the harness has, in process`];
  if (source !== undefined) return image === undefined ? [] : [image];
  const run = `docker run --rm --publish ${port}:9443 ${image ?? 'IMAGE'} --insecure`;
  return [
    run,
    'or, without Docker, a command that tether starts: command: [./function, --insecure, --address, "127.0.0.1:{port}"]',
  ];
}

function written(source: FunctionSource | undefined, port: number, folder: string): object {
  if (source === undefined) return {address: `127.0.0.1:${port}`};
  if (source.kind === 'builtin') return {builtin: source.name};
  return source.kind === 'address'
    ? {address: source.address}
    : {command: commandFrom(folder, source.command), address: source.address};
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
