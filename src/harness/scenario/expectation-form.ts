// Expectations, one map each: what is looked at (`object`, `count`, `orphans`, ...) and what is expected of it.

import {selectorFields} from '../control-plane/catalogue.ts';
import {profiles} from '../control-plane/profile-names.ts';
import {asBoolean, type Cursor, fail, maybe, optional} from '../input/cursor.ts';
import {
  anything,
  byField,
  byShape,
  count,
  type Form,
  filled,
  givenOf,
  list,
  named,
  oneOf,
  type Rule,
  text,
  to,
  where,
} from '../input/form.ts';
import {shownValue} from '../input/input-error.ts';
import {map, may, must, or} from '../input/map-form.ts';
import {stateCondition} from './state-condition.ts';

const selector = named(
  'Selector',
  map(selectorFields),
  'What is meant, by `kind` and `name`, or `kind` and `resource`.',
);

/** Both ends included. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

const rangeFields = {
  is: may(count, 'Exactly so many.'),
  atLeast: may(count, 'So many or more.'),
  atMost: may(count, 'So many or fewer.'),
};
const has = (...fields: readonly string[]) => ({anyOf: fields.map((field) => ({required: [field]}))});

/** A count that says what can fail it: `is` decides alone, and atLeast 0 holds always. */
const bounded: Rule = {
  problem: (cursor) => {
    const [first, ...more] = givenOf(cursor, Object.keys(rangeFields));
    if (first === undefined) return `a count must have one of ${Object.keys(rangeFields).join(', ')}`;
    if (first === 'is' && more.length > 0) return `a count must have is alone, got ${more.join(' and ')} beside it`;
    return first === 'atLeast' && more.length === 0 && optional(cursor, first)?.value === 0
      ? 'a count must be one that can fail, got atLeast 0 alone'
      : undefined;
  },
  schema: {
    anyOf: [
      {...has('is'), not: has('atLeast', 'atMost')},
      {...has('atMost'), not: has('is')},
      {...has('atLeast'), not: has('is'), properties: {atLeast: {minimum: 1}}},
    ],
  },
};

function rangeOf(given: {readonly is?: number; readonly atLeast?: number; readonly atMost?: number}): Range {
  const {is, atLeast = 0, atMost = Number.POSITIVE_INFINITY} = given;
  return is === undefined ? {min: atLeast, max: atMost} : {min: is, max: is};
}

const range = named(
  'Range',
  byShape({
    scalar: to(count, (is) => rangeOf({is})),
    map: to(where(map(rangeFields), bounded), rangeOf),
  }),
  'A number, or a map of `is`, `atLeast` and `atMost`.',
);

/** Stands beside every subject, and is read for all of them together. */
const only = {crossplane: may(profiles, 'Only on these versions; on all unless set.')};

function yes<K extends string>(word: K): Form<K, true> {
  const read = (cursor: Cursor): K => {
    if (!asBoolean(cursor)) fail(cursor, `${word} must be true, got false: say absent: true or exists: true instead`);
    return word;
  };
  return {read, schema: () => ({const: true})};
}

const condition = map({
  type: must(text, 'Such as Ready or Synced.'),
  status: or(oneOf('True', 'False', 'Unknown'), 'True', 'Status of the condition.'),
  reason: may(text, 'Reason of the condition: one word of its controller. Any unless set.'),
});

const object = {...only, object: must(selector, 'The object that is looked at.')};

const ofObject = byField(
  {
    match: to(
      map({...object, match: must(anything, 'Fields that the object has; maps may have more, lists may not.')}),
      ({object: target, match}) => ({kind: 'match' as const, target, match}),
    ),
    exists: presence('exists', 'The object is there.'),
    absent: presence('absent', 'The object is not there.'),
    deleting: presence('deleting', 'The object is marked for deletion.'),
    condition: to(
      map({...object, condition: must(condition, 'A condition of the object.')}),
      ({object: target, condition: said}) => ({kind: 'condition' as const, target, ...said}),
    ),
  },
  (_, given, words) => `an expectation of an object must have exactly one of ${words}, holds, got ${shownValue(given)}`,
);

function presence<K extends 'exists' | 'absent' | 'deleting'>(word: K, says: string) {
  const fields = {...object, [word]: must(yes(word), says)};
  return to(map(fields), ({object: target}) => ({kind: word, target}));
}

const untouched = map({
  since: must(text, 'The name of the step when everything was still as it must be.'),
  except: or(list(text), [], 'Names of composed resources that may change.'),
});

const texts = where(list(text), filled('timeline must have at least one text, got none'));

const golden = map({
  file: must(text, 'A file beside the scenario; {variant} and {crossplane} in it are those of the run.'),
  of: or(oneOf('timeline', 'objects'), 'timeline', 'What is compared: what happened so far, or what is there.'),
});

const holds = to(
  map({
    ...only,
    object: may(selector, 'The object that is `self`; one of those that are meant.'),
    holds: must(text, 'CEL that is true: over the state of the world, and over `self` with an object.'),
  }),
  ({object: target, holds: cel}, cursor) => {
    const place = cursor.placeOf([...cursor.path, 'holds']);
    stateCondition(cel, place, {self: target !== undefined});
    return {kind: 'holds' as const, cel, ...(target === undefined ? {} : {target})};
  },
);

const expected = byField(
  {
    holds,
    object: ofObject,
    count: to(
      where(map({...only, count: must(selector, 'Objects that are counted.'), ...rangeFields}), bounded),
      ({count: target, ...bounds}) => ({kind: 'count' as const, target, range: rangeOf(bounds)}),
    ),
    orphans: to(
      map({
        ...only,
        orphans: must(range, 'Composed resources that live, listed by no XR and owned by nothing that lives.'),
      }),
      ({orphans}) => ({kind: 'orphans' as const, range: orphans}),
    ),
    stuck: to(
      map({...only, stuck: must(range, 'Objects that will never move again, such as a deletion that cannot end.')}),
      ({stuck}) => ({kind: 'stuck' as const, range: stuck}),
    ),
    externals: to(
      where(
        map({
          ...only,
          externals: must(oneOf('alive', 'creates', 'deletes'), 'What the cloud counts.'),
          ...rangeFields,
        }),
        bounded,
      ),
      ({externals: counter, ...bounds}) => ({kind: 'externals' as const, counter, range: rangeOf(bounds)}),
    ),
    untouched: to(
      map({
        ...only,
        untouched: must(untouched, 'Every composed resource of then is the same object still, and no delete was sent.'),
      }),
      ({untouched: {since, except}}) => ({kind: 'untouched' as const, since, except}),
    ),
    timeline: to(
      map({...only, timeline: must(texts, 'The timeline has lines with these texts, in this order.')}),
      ({timeline}) => ({kind: 'timeline' as const, texts: timeline}),
    ),
    never: to(map({...only, never: must(text, 'The timeline has no line with this text.')}), ({never}) => ({
      kind: 'never' as const,
      text: never,
    })),
    golden: to(
      map({...only, golden: must(golden, 'A file with the same text. `tether test --update` writes it.')}),
      ({golden: {file, of}}) => ({kind: 'golden' as const, file, of}),
    ),
  },
  (cursor, given, words) => {
    if (given.join() === 'holds,object') return undefined;
    if (given.length > 0) return `an expectation must have exactly one of ${words}, got ${given.join(' and ')}`;
    return `an expectation must have one of ${words}, got ${shownValue(cursor.value)}`;
  },
);

export const expectation = named(
  'Expectation',
  to(expected, (what, cursor) => ({
    place: cursor.placeOf(cursor.path),
    crossplane: maybe(cursor, 'crossplane', profiles.read) ?? [],
    what,
  })),
  'What must hold.',
);

export const expectations = list(expectation);
