// Checks an expectation; a sentence and the fields that differ if it does not hold.

import type {External} from '../../cluster/cloud/ledger-state.ts';
import {isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import {conditionOf, isDeleting, type KubeObject} from '../../cluster/object.ts';
import {type Selector, selectorText} from '../control-plane/catalogue.ts';
import type {ExternalCounts} from '../control-plane/oracle/externals.ts';
import {orphansAmong} from '../control-plane/oracle/orphan.ts';
import {
  type ChangedField,
  changedFields,
  composedResources,
  type DeleteSent,
  moreFields,
  touchedAmong,
} from '../control-plane/oracle/untouched.ts';
import type {TimelineEntry} from '../control-plane/record/timeline.ts';
import {entryText, objectText} from '../control-plane/record/words.ts';
import {type Concealer, concealedAt, concealerOf} from '../input/conceal/concealed.ts';
import {shownValue} from '../input/input-error.ts';
import {goldenObjects, goldenTimeline} from './golden/golden-text.ts';
import type {Expectation, Expected, Range} from './scenario.ts';
import {bindingsFor, stateCondition} from './state-condition.ts';

/** The facts that expectations read. */
export interface Evidence {
  readonly find: (selector: Selector) => readonly KubeObject[];
  readonly objects: () => readonly KubeObject[];
  readonly timeline: () => readonly TimelineEntry[];
  /** The objects at the beginning of the step of this name; undefined if it has not begun yet. */
  readonly atStep?: (name: string) => readonly KubeObject[] | undefined;
  /** Deletes asked for since that step began. */
  readonly deletesSince?: (name: string) => readonly DeleteSent[];
  /** A sentence for each object that will never move again. */
  readonly stuck?: () => readonly string[];
  /** Compares a text with a golden file of the run; absent if no golden files are kept. */
  readonly golden?: (file: string, text: string) => string | undefined;
  readonly externals: () => ExternalCounts;
  /** The external resources that are alive. */
  readonly externalList: () => readonly External[];
  /** The names of the steps begun. */
  readonly made: () => readonly string[];
  /** The processes that do not run. */
  readonly stopped: () => readonly string[];
}

/** Why an expectation does not hold: what was expected and what was got, without secrets. */
export interface Unmet {
  readonly message: string;
  /** The expected fields beside the fields of the object, if the expectation is about fields. */
  readonly difference?: Difference;
}

export interface Difference {
  /** The object, in words. */
  readonly of: string;
  readonly expected: Json;
  readonly got: Json;
}

/** Undefined where it holds. */
export function unmetExpectation({what}: Pick<Expectation, 'what'>, evidence: Evidence): Unmet | undefined {
  switch (what.kind) {
    case 'match':
      return unmatched(what, evidence);
    case 'untouched':
      return unmetUntouched(what, evidence);
    default: {
      const message = unmetInWords(what, evidence);
      return message === undefined ? undefined : {message};
    }
  }
}

function unmetInWords(
  what: Exclude<Expected, {readonly kind: 'match' | 'untouched'}>,
  evidence: Evidence,
): string | undefined {
  switch (what.kind) {
    case 'holds':
      return unmetCel(what, evidence);
    case 'exists':
    case 'absent':
    case 'deleting':
      return unmetPresence(what, evidence.find(what.target));
    case 'condition':
      return unmetCondition(what, evidence.find(what.target));
    case 'count':
      return outside(`${selectorText(what.target)}`, evidence.find(what.target).length, what.range);
    case 'orphans':
      return unmetOrphans(what.range, evidence);
    case 'stuck':
      return unmetStuck(what.range, evidence.stuck?.() ?? []);
    case 'externals':
      return outside(`external resources (${what.counter})`, evidence.externals()[what.counter], what.range);
    case 'timeline':
      return unmetTimeline(what.texts, evidence.timeline());
    case 'golden': {
      const text = what.of === 'timeline' ? goldenTimeline(evidence.timeline()) : goldenObjects(evidence.objects());
      return evidence.golden?.(what.file, text);
    }
    case 'never': {
      const found = evidence.timeline().find((entry) => entryText(entry).includes(what.text));
      return found === undefined ? undefined : `expected never ${shownValue(what.text)}, got "${entryText(found)}"`;
    }
  }
}

function unmatched({target, match}: Expected & {kind: 'match'}, evidence: Evidence): Unmet | undefined {
  const found = evidence.find(target);
  if (found.length === 0) return {message: `expected ${selectorText(target)}, got none`};
  const lacking = closestTo(match, found, () => concealerOf(evidence.objects()));
  if (lacking === undefined) return undefined;
  const {object, text, expected, got} = lacking;
  return {message: `${selectorText(target)}: ${text}`, difference: {of: objectText(object), expected, got}};
}

interface Lacking<T> {
  /** The one of the objects that lacks least. */
  readonly object: T;
  /** The first field, and how many more. */
  readonly text: string;
  readonly expected: Json;
  readonly got: Json;
}

/** The fields that the closest of the objects lacks, without secrets; undefined if one has all that is wanted. */
export function closestTo<T extends object>(
  wanted: Json,
  objects: readonly T[],
  concealer: () => Concealer,
): Lacking<T> | undefined {
  const each = objects.map((object) => ({object, lacks: differences('', wanted, object as JsonObject)}));
  const [closest] = each.toSorted((one, other) => one.lacks.length - other.lacks.length);
  const [first] = closest?.lacks ?? [];
  if (closest === undefined || first === undefined) return undefined;
  const {at, value} = concealer();
  const {apiVersion = '', kind = ''} = closest.object as Partial<KubeObject>;
  const more = closest.lacks.length - 1;
  return {
    object: closest.object,
    text: `${differenceText(first, (place, one) => at({apiVersion, kind}, place, one))}${moreFields(more)}`,
    expected: partOf(wanted, isObject(wanted) ? value({...wanted, apiVersion, kind}) : wanted),
    got: partOf(wanted, value(closest.object as JsonObject)),
  };
}

/** As much of the value as the pattern names. */
function partOf(pattern: Json, value: Json): Json {
  if (isObject(pattern) && isObject(value)) {
    const names = Object.keys(pattern).filter((key) => value[key] !== undefined);
    return Object.fromEntries(names.map((key) => [key, partOf(pattern[key] as Json, value[key] as Json)]));
  }
  if (!isList(pattern) || !isList(value)) return value;
  return value.map((item, index) => (pattern[index] === undefined ? item : partOf(pattern[index], item)));
}

/** The places where `actual` lacks fields of `wanted`. Maps match as subsets; lists item by item. */
function differences(place: string, wanted: Json, actual: Json | undefined): readonly ChangedField[] {
  return changedFields(place, wanted, actual, Object.keys);
}

function differenceText({place, was, is}: ChangedField, shows: (place: string, value: Json) => Json): string {
  const [expected, got] = [was, is].map((value) => shownValue(value && shows(place, value)));
  return `${place === '' ? 'the object' : place} expected ${expected}, got ${got}`;
}

/** The first place where `actual` lacks a field of `wanted`, without secrets. */
export function firstDifference(place: string, wanted: Json, actual: Json | undefined): string | undefined {
  const [first] = differences(place, wanted, actual);
  return first === undefined ? undefined : differenceText(first, concealedAt);
}

/** An error is no answer: a field that is not there yet may come, so a wait goes on. */
function unmetCel({cel, target}: Expected & {kind: 'holds'}, evidence: Evidence): string | undefined {
  const {condition, why} = stateCondition(cel, '', {self: target !== undefined});
  const state = {...evidence, externals: evidence.externalList, counts: evidence.externals};
  const selves = target === undefined ? [undefined] : evidence.find(target);
  if (target !== undefined && selves.length === 0) return `expected ${selectorText(target)}, got none`;
  const results = selves.map((self) => condition(bindingsFor(cel, state, self)));
  if (results.includes(true)) return undefined;
  const [first] = results;
  const about = target === undefined ? '' : `${selectorText(target)}: `;
  if (typeof first === 'object') return `${about}cannot evaluate ${cel}: ${first.problem}`;
  const {object} = concealerOf(evidence.objects());
  const shownState = {...state, objects: () => evidence.objects().map(object)};
  const causes = why(bindingsFor(cel, shownState, selves[0] === undefined ? undefined : object(selves[0])));
  return `${about}expected ${cel}, got false${causes.length === 0 ? '' : `: ${causes.join(', ')}`}`;
}

function unmetPresence(
  {kind, target}: Expected & {kind: 'exists' | 'absent' | 'deleting'},
  found: readonly KubeObject[],
): string | undefined {
  const text = selectorText(target);
  if (kind === 'absent') return found.length === 0 ? undefined : `expected no ${text}, got ${listText(found)}`;
  if (found.length === 0) return `expected ${text}, got none`;
  if (kind === 'exists' || found.some(isDeleting)) return undefined;
  return `expected ${text} to be deleting, got it alive`;
}

function unmetCondition(wanted: Expected & {kind: 'condition'}, found: readonly KubeObject[]): string | undefined {
  const {target, type, status, reason} = wanted;
  if (found.length === 0) return `expected ${selectorText(target)}, got none`;
  const conditions = found.map((object) => conditionOf(object, type));
  const holds = conditions.some(
    (condition) => condition?.status === status && (reason === undefined || condition.reason === reason),
  );
  if (holds) return undefined;
  const [first] = conditions;
  const got = first === undefined ? 'no such condition' : `${first.status} ${first.reason}`;
  return `${selectorText(target)}: expected ${type}=${status}${reason === undefined ? '' : ` ${reason}`}, got ${got}`;
}

function unmetOrphans(range: Range, evidence: Evidence): string | undefined {
  const orphans = orphansAmong(evidence.objects());
  const problem = outside('orphans', orphans.length, range);
  if (problem === undefined || orphans.length === 0) return problem;
  return `${problem}: ${listText(orphans.map(({object}) => object))}`;
}

function unmetUntouched({since, except}: Expected & {kind: 'untouched'}, evidence: Evidence): Unmet | undefined {
  const before = evidence.atStep?.(since);
  if (before === undefined) return {message: `expected a step named ${shownValue(since)} to look back to, got none`};
  const kept = composedResources(before).length - except.length;
  // Nothing to touch is nothing shown.
  if (kept <= 0) return {message: `expected composed resources when ${shownValue(since)} began, got none`};
  const [first, ...more] = touchedAmong(before, evidence.objects(), evidence.deletesSince?.(since) ?? [], except);
  if (first === undefined) return undefined;
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  const {object, how, spec} = first;
  const message = `expected ${objectText(object)} to be untouched since ${shownValue(since)}, but ${how}${rest}`;
  return {
    message,
    ...(spec === undefined ? {} : {difference: {of: objectText(object), expected: spec.was, got: spec.is}}),
  };
}

function unmetStuck(range: Range, stuck: readonly string[]): string | undefined {
  const problem = outside('stuck objects', stuck.length, range);
  return problem === undefined || stuck.length === 0 ? problem : `${problem}: ${stuck.join('; ')}`;
}

function outside(what: string, count: number, {min, max}: Range): string | undefined {
  if (count >= min && count <= max) return undefined;
  const wanted = min === max ? `${min}` : max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`;
  return `expected ${wanted} ${what}, got ${count}`;
}

function unmetTimeline(texts: readonly string[], timeline: readonly TimelineEntry[]): string | undefined {
  let from = 0;
  for (const text of texts) {
    const at = timeline.findIndex((entry, index) => index >= from && entryText(entry).includes(text));
    if (at < 0) return `expected "${text}" in the timeline${from === 0 ? '' : ' after what came before it'}, got none`;
    from = at + 1;
  }
  return undefined;
}

function listText(objects: readonly KubeObject[]): string {
  return objects.map(objectText).join(', ');
}
