// Tests of one render each, reported as runs of scenarios, so that every report takes them. Every check is a step. Ours also
// reports facts that such a test cannot ask for: a resource that the render leaves behind is an orphan of the run.

import {RE2JS} from '@bufbuild/re2';
import {parseAllDocuments} from 'yaml';
import {type ProfileName, profiles} from '../../cluster/crossplane/profiles.ts';
import {at, equal, isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import {controllerOf, type KubeObject} from '../../cluster/object.ts';
import {resourceNameOf} from '../../cluster/vocabulary.ts';
import type {Builtins} from '../functions/builtin.ts';
import {concealedAt, concealerOf} from '../input/conceal/concealed.ts';
import {InputError, shownValue} from '../input/input-error.ts';
import {addressOf} from '../render/fake-store.ts';
import {type RenderDone, runRender} from '../render/render-job.ts';
import {contextDocument, documentsText, fullXr, resultDocument, stateDocuments} from '../render/render-output.ts';
import {closestTo, firstDifference, type Unmet} from '../scenario/check.ts';
import type {Goldens} from '../scenario/golden/goldens.ts';
import type {RunResult} from '../scenario/run-result.ts';
import type {Failure} from '../scenario/run-steps.ts';
import type {FieldType, Outputs, RenderExpected, RenderSuite, RenderTest} from './render-test.ts';

export interface RenderTestOptions {
  readonly crossplane: ProfileName;
  readonly builtins: Builtins;
  readonly goldens: Goldens;
  readonly note: (sentence: string) => void;
}

/** In their order, since later tests may render what earlier ones did. Throws InputError where input is bad. */
export async function runRenderSuite(suite: RenderSuite, options: RenderTestOptions): Promise<readonly RunResult[]> {
  const outputs = new Map<string, readonly JsonObject[]>();
  const results: RunResult[] = [];
  for (const test of suite.tests) {
    const {result, documents} = await runRenderTest(test, outputs, options);
    if (test.id !== undefined) outputs.set(test.id, documents);
    results.push(result);
  }
  return results;
}

interface Rendering {
  readonly result: RunResult;
  readonly documents: readonly JsonObject[];
}

async function runRenderTest(test: RenderTest, outputs: Outputs, options: RenderTestOptions): Promise<Rendering> {
  const {builtins, crossplane, goldens, note} = options;
  const profile = profiles[crossplane];
  const job = test.job(outputs);
  const done = await runRender({...job, builtins, profile, reconcilesMax: 1, captureContext: test.withResults});
  for (const sentence of done.notes) note(sentence);
  const [{observed, rendered}] = done.rounds;
  const failed = rendered.error;
  const documents = failed === undefined ? documentsOf(done, test.withResults) : [];
  const failures =
    failed === undefined
      ? unmetOf(test, documents, goldens)
      : [{place: test.place, step: 'render', message: `cannot render: ${failed}`}];
  const composed = new Set(rendered.composed.map(addressOf));
  const deleted = new Set(rendered.deleted.map(addressOf));
  const left = observed.filter((object) => !composed.has(addressOf(object)) && !deleted.has(addressOf(object)));
  const result = {
    ...still,
    scenario: test.name,
    crossplane,
    failures,
    timeline: test.checks.map(({name}) => ({atMs: 0, actor: 'user', change: {kind: 'step', name}}) as const),
    orphans:
      failed === undefined
        ? left.filter(isLoose).map((object) => ({object, resourceName: resourceNameOf(object) ?? ''}))
        : [],
    objects: documents.filter((document): document is KubeObject => document['metadata'] !== undefined),
    functionCalls: job.functions.length,
  };
  return {result, documents};
}

function isLoose(object: KubeObject): boolean {
  return controllerOf(object) === undefined;
}

function documentsOf({rounds, defined, context}: RenderDone, withResults: boolean): readonly JsonObject[] {
  const [{rendered}] = rounds;
  return [
    ...stateDocuments(fullXr(defined, rendered.xr), rendered.composed),
    ...(withResults ? rendered.events.map(resultDocument) : []),
    ...(withResults && context !== undefined ? [contextDocument(context)] : []),
  ];
}

function unmetOf({checks}: RenderTest, documents: readonly JsonObject[], goldens: Goldens): readonly Failure[] {
  return checks.flatMap(({place, name, what}, index) => {
    const problem = unmetCheck(what, documents, goldens);
    return problem === undefined ? [] : [{place, step: name, stepNumber: index + 1, ...problem}];
  });
}

/** One reconcile, in no time, without a cloud. */
const still = {
  description: '',
  variant: '',
  seed: 0,
  duplicates: [],
  stuck: [],
  externals: {alive: 0, creates: 0, deletes: 0, list: []},
  reconciles: 1,
  convergedMs: 0,
  settledMs: 0,
  lastedMs: 0,
} as const;

// A check of a rendered result: a sentence if it does not hold.

/** Undefined where it holds. */
function unmetCheck(what: RenderExpected, documents: readonly JsonObject[], goldens: Goldens): Unmet | undefined {
  if (what.kind === 'matches') return unmatched(what.object, documents);
  const message = unmetInWords(what, documents, goldens);
  return message === undefined ? undefined : {message};
}

function unmetInWords(
  what: Exclude<RenderExpected, {readonly kind: 'matches'}>,
  documents: readonly JsonObject[],
  goldens: Goldens,
): string | undefined {
  switch (what.kind) {
    case 'count':
      return unmetCount(what.resource, what.count, documents);
    case 'exists':
      return matching(what.resource, documents).length > 0
        ? undefined
        : `expected ${what.resource}, got ${names(documents)}`;
    case 'absent': {
      const found = matching(what.resource, documents);
      return found.length === 0 ? undefined : `expected no ${what.resource}, got ${names(found)}`;
    }
    case 'field-type':
      return each(what, documents, (value) => unmetType(what.type, value));
    case 'field-exists':
      return each(what, documents, (value) => (value === undefined ? 'to exist, got nothing' : undefined));
    case 'field-absent':
      return each(what, documents, (value, word) =>
        value === undefined ? undefined : `to be absent, got ${word(value)}`,
      );
    case 'field-value':
      return each(what, documents, (value, word) =>
        equal(value, what.value)
          ? undefined
          : `to be ${word(what.value)}, got ${value === undefined ? shownValue(value) : word(value)}`,
      );
    case 'file':
      return unmetFile(what, documents, goldens);
  }
}

function unmetCount(resource: string | undefined, count: number, documents: readonly JsonObject[]): string | undefined {
  const found = resource === undefined ? documents : matching(resource, documents);
  if (found.length === count) return undefined;
  return `expected ${count} ${resource ?? 'documents'}, got ${found.length}${found.length === 0 ? '' : `: ${names(found)}`}`;
}

/** As Go's filepath.Match goes: Kind alone means every name of it. */
function matching(resource: string, documents: readonly JsonObject[]): readonly JsonObject[] {
  const pattern = resource.trim();
  const whole = pattern.includes('/') ? pattern : `${pattern}/*`;
  const source = whole
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
  const regex = compiled(source, resource);
  return documents.filter((document) => regex.testExact(nameOf(document)));
}

function compiled(source: string, resource: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch {
    throw new InputError(`resource must be KIND, KIND/NAME or a pattern of it, got "${resource}"`);
  }
}

function nameOf(document: JsonObject): string {
  const {kind, metadata} = document;
  return `${String(kind)}/${isObject(metadata) ? String(metadata['name'] ?? '') : ''}`;
}

function names(documents: readonly JsonObject[]): string {
  return documents.length === 0 ? 'nothing' : documents.map(nameOf).join(', ');
}

/** `word` is the value as a sentence may name it. */
type Judge = (value: Json | undefined, word: (value: Json) => string) => string | undefined;

/** The first of the matching documents whose field is not as it should be; none matching is as bad. */
function each(
  {resource, field}: {readonly resource: string; readonly field: string},
  documents: readonly JsonObject[],
  judge: Judge,
): string | undefined {
  const found = matching(resource, documents);
  if (found.length === 0) return `expected ${resource}, got ${names(documents)}`;
  for (const document of found) {
    const problem = judge(at(document, field.split('.')), (value) => shownValue(concealedAt(field, value)));
    if (problem !== undefined) return `expected ${field} of ${nameOf(document)} ${problem}`;
  }
  return undefined;
}

function unmetType(type: FieldType, value: Json | undefined): string | undefined {
  const got = value === undefined ? 'nothing' : typeOf(value);
  return got === type ? undefined : `to be of type ${type}, got ${got}`;
}

function typeOf(value: Json): FieldType {
  if (value === null) return 'null';
  if (isList(value)) return 'array';
  return typeof value as FieldType;
}

function unmetFile(
  {resource, file, exact}: RenderExpected & {kind: 'file'},
  documents: readonly JsonObject[],
  goldens: Goldens,
): string | undefined {
  const found = resource === undefined ? documents : matching(resource, documents).slice(0, 1);
  if (found.length === 0) return `expected ${resource}, got ${names(documents)}`;
  // One resource alone is written without the line that parts documents.
  const text = documentsText(found).slice(resource === undefined ? 0 : 4);
  return exact ? goldens.compare(file, text) : goldens.compare(file, text, sameValues);
}

function sameValues(left: string, right: string): boolean {
  return equal(valuesIn(left), valuesIn(right));
}

function valuesIn(text: string): readonly Json[] {
  return parseAllDocuments(text).map((document) => (document as {toJS: () => unknown}).toJS() as Json);
}

/** Name, kind and annotations select the document; all else must match in it. */
function unmatched(wanted: JsonObject, documents: readonly JsonObject[]): Unmet | undefined {
  const candidates = documents.filter((document) => firstDifference('', identity(wanted), document) === undefined);
  if (candidates.length === 0) return {message: `expected ${nameOf(wanted)}, got ${names(documents)}`};
  const lacking = closestTo(wanted, candidates, () => concealerOf([]));
  if (lacking === undefined) return undefined;
  const {object, text, expected, got} = lacking;
  return {message: `${nameOf(wanted)}: ${text}`, difference: {of: nameOf(object), expected, got}};
}

function identity({apiVersion = null, kind = null, metadata}: JsonObject): JsonObject {
  const {name, annotations} = isObject(metadata) ? metadata : {};
  const named = {...(name === undefined ? {} : {name}), ...(annotations === undefined ? {} : {annotations})};
  return Object.keys(named).length === 0 ? {apiVersion, kind} : {apiVersion, kind, metadata: named};
}
