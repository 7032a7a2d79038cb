// Whether an expectation holds, as a sentence where it does not.

import {isList, isObject, type Json} from '../../cluster/json.ts';
import {conditionOf, isDeleting, type KubeObject} from '../../cluster/object.ts';
import {concealedAt, concealerOf} from '../conceal/concealed.ts';
import {type Selector, selectorText} from '../control-plane/catalogue.ts';
import {goldenObjects, goldenTimeline} from '../golden/golden-text.ts';
import {shown} from '../input/input-error.ts';
import {orphansAmong} from '../oracle/orphan.ts';
import {composedResources, type DeleteSent, touchedAmong} from '../oracle/untouched.ts';
import type {TimelineEntry} from '../record/timeline.ts';
import {entryText, objectText} from '../record/words.ts';
import type {Expectation, Expected, Range} from './scenario.ts';

/** What expectations look at. */
export interface Evidence {
  readonly find: (selector: Selector) => readonly KubeObject[];
  readonly objects: () => readonly KubeObject[];
  readonly timeline: () => readonly TimelineEntry[];
  /** What lived when the step of this name began; undefined where no step of this name began yet. */
  readonly atStep?: (name: string) => readonly KubeObject[] | undefined;
  /** Deletes asked for since that step began. */
  readonly deletesSince?: (name: string) => readonly DeleteSent[];
  /** A sentence for each object that will never move again. */
  readonly stuck?: () => readonly string[];
  /** Compares a text with a golden file of the run; absent where nobody keeps golden files. */
  readonly golden?: (file: string, text: string) => string | undefined;
  readonly externals: () => {readonly alive: number; readonly creates: number; readonly deletes: number};
}

/** Undefined where it holds; else what was expected and what was got. */
export function unmet({what}: Pick<Expectation, 'what'>, evidence: Evidence): string | undefined {
  switch (what.kind) {
    case 'match':
      return unmatched(what, evidence);
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
    case 'untouched':
      return unmetUntouched(what, evidence);
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
      return found === undefined ? undefined : `expected never ${shown(what.text)}, got "${entryText(found)}"`;
    }
  }
}

function unmatched({target, match}: Expected & {kind: 'match'}, evidence: Evidence): string | undefined {
  const found = evidence.find(target);
  if (found.length === 0) return `expected ${selectorText(target)}, got none`;
  if (found.some((object) => firstDifference('', match, object) === undefined)) return undefined;
  const [first] = found;
  if (first === undefined) return undefined;
  const {at} = concealerOf(evidence.objects());
  return `${selectorText(target)}: ${firstDifference('', match, first, (place, value) => at(first, place, value))}`;
}

/** The first place where `actual` lacks what `wanted` says. Maps match as subsets; lists item by item. `shows`: without secrets. */
export function firstDifference(
  place: string,
  wanted: Json,
  actual: Json | undefined,
  shows: (place: string, value: Json) => Json = concealedAt,
): string | undefined {
  const mismatch = (): string => {
    const [expected, got] = [wanted, actual].map((value) => shown(value && shows(place, value)));
    return `${place === '' ? 'the object' : place} expected ${expected}, got ${got}`;
  };
  if (isObject(wanted)) {
    if (!isObject(actual)) return mismatch();
    for (const [key, value] of Object.entries(wanted)) {
      const difference = firstDifference(place === '' ? key : `${place}.${key}`, value, actual[key], shows);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (!isList(wanted)) return wanted === actual ? undefined : mismatch();
  if (!isList(actual) || actual.length !== wanted.length) return mismatch();
  for (const [index, value] of wanted.entries()) {
    const difference = firstDifference(`${place}[${index}]`, value, actual[index], shows);
    if (difference !== undefined) return difference;
  }
  return undefined;
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

function unmetUntouched({since, except}: Expected & {kind: 'untouched'}, evidence: Evidence): string | undefined {
  const before = evidence.atStep?.(since);
  if (before === undefined) return `expected a step named ${shown(since)} to look back to, got none`;
  const kept = composedResources(before).length - except.length;
  // Nothing to touch is nothing shown.
  if (kept <= 0) return `expected composed resources when ${shown(since)} began, got none`;
  const [first, ...more] = touchedAmong(before, evidence.objects(), evidence.deletesSince?.(since) ?? [], except);
  if (first === undefined) return undefined;
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return `expected ${objectText(first.object)} to be untouched since ${shown(since)}, but ${first.how}${rest}`;
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
