// One verdict of two runs: what is graded worse with the function than without it, for the same thing, and permitted by
// nothing.

import type {Ending} from './ending.ts';
import {grades, type Verdict, verdictsOf} from './grades.ts';
import type {Made} from './intent.ts';
import {isPermitted} from './permissions.ts';

export interface Judged {
  readonly ending: Ending;
  /** By place the gravest grade, as its number. */
  readonly gravest: ReadonlyMap<string, number>;
  readonly verdicts: readonly Verdict[];
}

export function judged(ending: Ending): Judged {
  const verdicts = verdictsOf(ending);
  const gravest = new Map<string, number>();
  for (const {made, grade, isAsked} of verdicts)
    if (isAsked !== true) gravest.set(made.place, Math.min(rankOf(grade), gravest.get(made.place) ?? grades.length));
  return {ending, gravest, verdicts};
}

function rankOf(grade: Verdict['grade']): number {
  return grades.indexOf(grade);
}

/** What is worse with the function, whatever permits it. What only the function makes is held against the rest of its XR. */
export function worseThan(w: Judged, wo: Judged): readonly Verdict[] {
  const worse = w.verdicts.filter(({made, grade, how, isAsked}) => {
    if (isAsked) return true;
    // An XR that says it is not ready says the truth, so it is no such thing.
    if (how === 'too-soon') return !wo.verdicts.some((one) => one.how === how && one.made.place === made.place);
    const others = wo.ending.places.has(made.place) || made.xr === undefined ? [made.place] : placesIn(made.xr, wo);
    return others.every((place) => rankOf(grade) < (wo.gravest.get(place) ?? grades.length));
  });
  return [...worse, ...busier(w.ending, wo.ending)];
}

function placesIn(xr: string, {gravest, ending}: Judged): readonly string[] {
  return [...gravest.keys()].filter((place) => ending.places.get(place)?.xr === xr);
}

/** Without what the input permits, and without an XR that is not ready for a resource of its own: that one is judged. */
export function unpermitted(worse: readonly Verdict[], {ending, verdicts}: Judged): readonly Verdict[] {
  return worse.filter((one) => (one.isAsked || !isPermitted(one, ending)) && !isOfResource(one, verdicts));
}

function isOfResource({made, how}: Verdict, verdicts: readonly Verdict[]): boolean {
  const isIn = (other: Made) => other.xr === made.place;
  return (
    how === 'not-ready' &&
    verdicts.some((other) => (other.grade === 'stuck' || other.how === 'kept') && isIn(other.made))
  );
}

export function isSame(one: Verdict, other: Verdict): boolean {
  return (
    one.grade === other.grade &&
    one.made.place === other.made.place &&
    one.how === other.how &&
    one.isAsked === other.isAsked
  );
}

const timesMax = 3;
/** So much more is no harm: a step more of a story takes as much. */
const workSlack = 60;

function busier({intent}: Ending, {intent: other}: Ending): readonly Verdict[] {
  return [...intent.books.work].flatMap(([run, count]): readonly Verdict[] => {
    const without = other.books.work.get(run) ?? 0;
    if (count <= timesMax * without + workSlack) return [];
    const made = {place: run, address: '', kind: ''};
    return [{grade: 'restless', made, text: `${count} reconciles and writes, ${without} without it`}];
  });
}
