import type {Json} from '../../cluster/json.ts';
import type {Selector} from '../control-plane/catalogue.ts';
import {readProfile} from '../control-plane/profile-names.ts';
import {
  asAmount,
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
  pathText,
  required,
  strings,
} from '../input/cursor.ts';
import {shown} from '../input/input-error.ts';
import {asKubeObject, type Manifests, readManifests} from '../manifests/read-manifests.ts';
import type {StepAction} from '../operator/action.ts';
import {parseStep} from '../scenario/parse-step.ts';

// What a test hands over, read as a scenario file is read: types end where JavaScript, `any` and JSON begin. Calls of a
// world become steps and go through the parser of steps, so that a library and a file refuse the same in the same words.

/** A Kubernetes object to apply, or a file, folder or glob with objects, relative to the working directory. */
export type Manifest = string | GivenObject;

interface GivenObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {readonly name: string; readonly namespace?: string; readonly [field: string]: unknown};
  readonly [field: string]: unknown;
}

/** The options of `openWorld`. */
export function checkWorldOptions(options: unknown): void {
  const cursor = given(options, 'options');
  const known = ['crossplane', 'realtime', 'seed', 'functions', 'callTimeoutMs', 'fixtures', 'provider'];
  onlyFields(cursor, known);
  maybe(cursor, 'crossplane', readProfile);
  maybe(cursor, 'realtime', asBoolean);
  maybe(cursor, 'seed', asCount);
  checkFunctions(required(cursor, 'functions'));
  maybe(cursor, 'callTimeoutMs', asAmount);
  items(required(cursor, 'fixtures'));
  maybe(cursor, 'provider', checkProvider);
}

/** The options of `tellScenario`. */
export function checkScenarioOptions(options: unknown): void {
  const cursor = given(options, 'options');
  onlyFields(cursor, ['crossplane', 'variant', 'seed', 'functions']);
  maybe(cursor, 'crossplane', readProfile);
  maybe(cursor, 'variant', asString);
  maybe(cursor, 'seed', asCount);
  maybe(cursor, 'functions', checkFunctions);
}

function checkFunctions(cursor: Cursor): void {
  for (const [, one] of entries(cursor)) if (typeof one.value !== 'function') checkFunction(defined(one));
}

function checkFunction(cursor: Cursor): void {
  const kinds = ['builtin', 'command', 'address'].filter((key) => maybe(cursor, key, () => true));
  if (kinds.length === 0) {
    fail(cursor, `${pathText(cursor)} must be a function or have one of builtin, address, command`);
  }
  if (kinds[0] === 'builtin') return onlyFields(cursor, ['builtin']);
  asString(required(cursor, 'address'));
  maybe(cursor, 'timeoutMs', asAmount);
  if (kinds[0] === 'address') return onlyFields(cursor, ['address', 'timeoutMs']);
  strings(required(cursor, 'command'));
  maybe(cursor, 'startTimeoutMs', asAmount);
  onlyFields(cursor, ['address', 'command', 'timeoutMs', 'startTimeoutMs']);
}

function checkProvider(cursor: Cursor): void {
  const times = ['readyAfterMs', 'deleteAfterMs'];
  onlyFields(cursor, ['kind', ...times, 'kinds', 'async', 'references']);
  maybe(cursor, 'kind', (one) => asOneOf(one, ['managed', 'nop']));
  for (const time of times) maybe(cursor, time, asAmount);
  for (const [, kind] of maybe(cursor, 'kinds', entries) ?? []) {
    onlyFields(kind, times);
    for (const time of times) maybe(kind, time, asAmount);
  }
  maybe(cursor, 'async', strings);
  for (const reference of maybe(cursor, 'references', items) ?? []) {
    onlyFields(reference, ['field', 'kind']);
    for (const key of ['field', 'kind']) asString(required(reference, key));
  }
}

export function manifestsOf(manifest: Manifest): Manifests {
  if (typeof manifest !== 'string') return {objects: [asKubeObject(given(manifest, 'the manifest'))], notes: []};
  return readManifests(manifest, '');
}

/** What a call of a world asks for, read as a step of a scenario that says the same. */
export function actionOf(word: string, said: unknown): StepAction {
  const step = {...given({}, word), value: {[word]: defined(given(said, word)).value}, path: []};
  const objects = (cursor: Cursor) =>
    items(cursor).flatMap(({value}) => manifestsOf(value as unknown as Manifest).objects);
  const {action} = parseStep(step, {folder: '', objects});
  return action ?? fail(step, `cannot ${word} ${shown(said)}`);
}

/** A selector in the words of a scenario. */
export function selectorSaid({crn, ...others}: Selector): object {
  return crn === undefined ? others : {...others, resource: crn};
}

/** A value of a program as a cursor. It has no place in a file: the path says where. */
function given(value: unknown, name: string): Cursor {
  return defined({value: value as Json, path: [name], placeOf: () => '', placeOfKey: () => ''});
}

/** The same without fields that are there and undefined: many programs write them for absent ones. */
function defined(cursor: Cursor): Cursor {
  const {value} = cursor;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return cursor;
  return {...cursor, value: Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))};
}
