// The steps of a scenario: at most one action, a wait and expectations each.

import {isList} from '../../cluster/json.ts';
import {actionFields, describe, type StepAction} from '../control-plane/operator/action.ts';
import {optional, pathText} from '../input/cursor.ts';
import {duration} from '../input/duration.ts';
import {
  byField,
  byShape,
  count,
  flag,
  givenOf,
  list,
  named,
  oneAtMost,
  oneOf,
  type Rule,
  text,
  to,
  where,
} from '../input/form.ts';
import {shownValue} from '../input/input-error.ts';
import type {ManifestReader} from '../input/manifests/manifest-reader.ts';
import {map, may, must, or, type ReadFields} from '../input/map-form.ts';
import {expectation, expectations} from './expectation-form.ts';

/**
 * Everybody who is no controller of the control plane: `user` runs the platform, `editor` may write XRs (Crossplane's edit
 * role), `tenant` may write objects of its own in a namespace, `controller` owns a field of what others made.
 */
export const actors = ['user', 'person', 'editor', 'tenant', 'controller'] as const;

/** The faults of one call; a unit of the explorer's budget of the same name buys one. */
export const faultKinds = [
  'reorder',
  'crash',
  'provider-restart',
  'stale-cache',
  'missed-event',
  'conflict',
  'webhook-down',
  'function-error',
  'function-timeout',
  'function-stale-response',
] as const;

const wait = named(
  'Wait',
  byShape({
    scalar: to(duration, (ms) => ({kind: 'time' as const, ms})),
    map: byField(
      {
        quiet: to(
          map({
            quiet: must(duration, 'Until nothing changed for so long.'),
            timeout: or(duration, '60s', 'Within so long.'),
          }),
          ({quiet, timeout}) => ({kind: 'quiet' as const, quietMs: quiet, timeoutMs: timeout}),
        ),
        for: to(
          map({
            for: must(expectation, 'Until this holds.'),
            timeout: or(duration, '60s', 'Within so long.'),
          }),
          ({for: expect, timeout}) => ({kind: 'until' as const, expect, timeoutMs: timeout}),
        ),
      },
      (cursor, given) => {
        const got = given.length === 0 ? shownValue(cursor.value) : 'both';
        return `${pathText(cursor)} must have a field "for" or "quiet", got ${got}`;
      },
    ),
  }),
  'Lets virtual time pass: a duration, or until something holds.',
);

const stepFault = map({
  fault: must(oneOf(...faultKinds), 'What goes wrong with one call.'),
  at: or(count, 0, 'The opportunity for it after the step, from 0.'),
});

const common = {
  name: may(text, 'For people, and for what refers to the step. What it does unless set.'),
  by: may(oneOf(...actors), 'Who acts: the operator (user) unless set.'),
  early: may(count, 'So many steps of the world after the step before it, not at rest. For --twin alone.'),
  faults: may(list(stepFault), 'Faults of single calls after this step. For --twin alone.'),
  wait: may(wait, 'What passes before the expectations are looked at.'),
  expect: or(expectations, [], 'What must hold after it.'),
  mayFail: may(flag, 'Its action and its wait may fail: the story goes on, with a note. Its expectations must hold.'),
};

export function stepForm(manifests: ManifestReader) {
  const doing = actionFields(manifests);
  const words = Object.keys(doing);
  const single = oneAtMost(
    words,
    (cursor, given) => `${pathText(cursor)} must have one action, got ${given.join(' and ')}`,
  );
  const whole = where(map({...common, ...doing}), single, something(words));
  const step = to(whole, (read, cursor) => {
    const fields = Object.entries(read);
    const action = fields.find(([word]) => words.includes(word))?.[1] as StepAction | undefined;
    const others = Object.fromEntries(fields.filter(([word]) => !words.includes(word))) as ReadFields<typeof common>;
    return {
      ...others,
      name: others.name ?? (action === undefined ? 'wait' : describe(action)),
      /** `file:line:column`, for reports. */
      place: cursor.placeOf(cursor.path),
      ...(action === undefined ? {} : {action}),
    };
  });
  return named('Step', step, 'At most one action, a wait and expectations, in this order.');
}

/** A step that neither does nor asks anything is a mistake. */
function something(words: readonly string[]): Rule {
  const does = [...words, 'wait'];
  const asks = {required: ['expect'], properties: {expect: {minItems: 1}}};
  return {
    problem: (cursor) => {
      const asked = optional(cursor, 'expect')?.value ?? [];
      if (givenOf(cursor, does).length > 0 || (isList(asked) && asked.length > 0)) return undefined;
      return `${pathText(cursor)} must do something: one of ${words.join(', ')}, wait or expect`;
    },
    schema: {anyOf: [...does.map((word) => ({required: [word]})), asks]},
  };
}
