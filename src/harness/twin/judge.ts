// One verdict of two runs: what is graded worse with the function than without it, for the same thing after the same step of
// the story, and permitted by nothing.

import {conditionsOf, isSystemCondition} from '../../cluster/crossplane/conditions.ts';
import {at, equal, type JsonObject} from '../../cluster/json.ts';
import {conditionOf, controllerOf, isTrue} from '../../cluster/object.ts';
import type {StoryRun} from '../explore/play-story.ts';
import {type Ending, livingAt, upwards, wants, xrsIn} from './ending.ts';
import {grades, type Verdict, verdictsOf} from './grades.ts';
import {desires, rulesOf, usualTtlMs} from './input-words.ts';
import {type Epoch, isCrossplanes, keptWork, leavesOf, type Made, nowhere, reconciles} from './intent.ts';
import {permittedBy} from './permissions.ts';

export type Judged = ReturnType<typeof judged>;

/** A worse verdict, and a rest that shows it. */
export interface Harm {
  readonly verdict: Verdict;
  readonly rest: Judged;
}

export interface Rest {
  /** Judged once that is asked for. */
  readonly judged: () => Judged;
  /** True if all processes run: a world without one is not done. */
  readonly isWhole: boolean;
  /** False of a world that did not come to rest. */
  readonly isAtRest: boolean;
}

/** With its rests by the step of the story before them. */
export type JudgedRun = StoryRun<{readonly rested: ReadonlyMap<number, Rest>}>;

/** One run at rest, with the gravest grade by place, as its number. */
export function judged(ending: Ending) {
  const verdicts = verdictsOf(ending);
  const gravest = new Map<string, number>();
  for (const one of verdicts)
    if (one.isAsked !== true)
      gravest.set(one.made.place, Math.min(rankOf(one), gravest.get(one.made.place) ?? grades.length));
  return {ending, gravest, verdicts};
}

/** An XR that is not Synced takes no edit, which is graver than one that is not Ready. */
function rankOf({grade, how}: Verdict): number {
  return grades.indexOf(grade) - (how === 'not-synced' ? 0.5 : 0);
}

/** All worse verdicts at each rest, permitted or not: what is permitted at one rest may not be at the next. */
export function harmsOf(mine: JudgedRun, theirs: JudgedRun): readonly Harm[] {
  const rest = lastRest(mine);
  const other = lastRest(theirs).ending;
  const more = [
    ...busier(mine, theirs),
    ...unmadeLater(rest.ending, other),
    ...overruled(rest.ending, other),
    ...lostAlone(rest.ending, other),
  ];
  const last = Math.max(...mine.witness.rested.keys());
  const before = new Set<string>();
  let former: readonly Verdict[] = [];
  const atRest = [...mine.witness.rested].flatMap(([move, {judged: rested, isWhole, isAtRest}]) => {
    const own = rested();
    const without = restOf(theirs, move);
    // An XR may be Ready too soon only while a process is down.
    const isJudged = ({how}: Verdict) => isWhole || move === last || how === 'too-soon';
    const isNew = ({grade, made, text}: Verdict) => !isForGood(grade) || !before.has(`${made.place} ${text}`);
    // If neither world comes to rest, what is there, or is not, may be so for a moment. If it was so after the step before, it lasts.
    const isLasting = (one: Verdict) =>
      isAtRest ||
      without.isAtRest ||
      (one.grade !== 'stuck' && one.grade !== 'leaked') ||
      former.some((other) => isSame(one, other));
    const worse =
      own.verdicts.length === 0 ? [] : worseThan(own, without.judged()).filter((one) => isNew(one) && isLasting(one));
    former = own.verdicts;
    if (isWhole) for (const {made, text} of own.verdicts) before.add(`${made.place} ${text}`);
    return worse.filter(isJudged).map((verdict) => ({verdict, rest: own}));
  });
  return [...atRest, ...more.map((verdict) => ({verdict, rest}))];
}

/** True if what happened once stays so. It is held against the other run when it happened: later that may not want the thing any more. */
function isForGood(grade: Verdict['grade']): boolean {
  return grade === 'lost' || grade === 'doubled' || grade === 'overwritten';
}

/**
 * The losses of resources that the steps of a Synced XR want in the other run, and that live there to the end: there the steps see what
 * they read. An edit of the XR or its Composition that drops one asks for its loss, unless the other run desires it nonetheless.
 */
function lostAlone(mine: Ending, theirs: Ending): readonly Verdict[] {
  const lostThere = [...theirs.intent.books.destroyed.values()].flatMap(({leaders}) =>
    leaders.map(({made}) => made.place),
  );
  return [...mine.intent.books.destroyed.values()].flatMap(({external, move, leaders}) =>
    leaders.flatMap(({made, deletedBy}): readonly Verdict[] => {
      const all = theirs.intent.books.epochs.get(made.xr ?? '') ?? [];
      const first = all.findIndex(({desire}) => desires(desire, made));
      const isAlways = first >= 0 && all.slice(first).every(({desire}) => desires(desire, made));
      const isMeant = isWantedAlone(made, theirs, mine)
        ? isAlways
        : wants(made, theirs) && !isDroppedByEdit(made, move, mine);
      const isKept = theirs.found.has(made.place) && !lostThere.includes(made.place);
      if (deletedBy !== 'crossplane' || !isMeant || !isKept || livingAt(made.xr, mine) === undefined) return [];
      const text = `its external resource ${external.id} was destroyed, and lives in the other run, whose steps desire it`;
      return [{grade: 'lost', made, text}];
    }),
  );
}

/** True if the steps left it out before that step of the story with a spec and a revision of the XR with which they never desire it. */
function isDroppedByEdit(made: Made, move: number, {intent}: Ending): boolean {
  const all = intent.books.epochs.get(made.xr ?? '') ?? [];
  const [wanting, others] = [true, false].map((is) => all.filter(({desire}) => desires(desire, made) === is)) as [
    Epoch[],
    Epoch[],
  ];
  const left = others.findLast((epoch) => epoch.move <= move);
  return left === undefined || !wanting.some((one) => equal(specOf(one), specOf(left)));
}

/** The spec of the XR without its references. */
function specOf({desire: {xr}}: Epoch): JsonObject {
  const {resourceRefs: _, crossplane, ...spec} = (xr.spec ?? {}) as JsonObject;
  return {...spec, revision: at(crossplane, ['compositionRevisionRef']) ?? null};
}

/** True if the steps of a Synced XR want it in one run, and not in the other. */
function isWantedAlone(made: Made, one: Ending, other: Ending): boolean {
  const xr = livingAt(made.xr, one)?.object;
  return xr !== undefined && isTrue(xr, 'Synced') && wants(made, one) && !wants(made, other);
}

/** The resources that a later step composes in the other run alone, or otherwise. No earlier step desires them, so no intent does. */
function unmadeLater(mine: Ending, theirs: Ending): readonly Verdict[] {
  return [...theirs.found].flatMap(([place, [found]]): readonly Verdict[] => {
    const isLater = ![mine, theirs].some(({intent}) => intent.books.desired.has(place));
    // One that lives without its XR is no more of it.
    const isOf = found?.made.key !== undefined && controllerOf(found.object) !== undefined;
    if (found === undefined || found.isGoing || !isOf || !isLater) return [];
    if (livingAt(found.made.xr, mine) === undefined) return [];
    const stuck = {grade: 'stuck', made: found.made} as const;
    const [own] = mine.found.get(place) ?? [];
    if (own === undefined) return [{...stuck, how: 'missing', text: 'a later step does not compose it'}];
    const composed = leavesOf({spec: found.object.spec ?? {}}).filter(([path]) => isCrossplanes(found.object, path));
    const other = composed.find(([path, value]) => !equal(at(own.object, path) ?? null, value));
    return other ? [{...stuck, how: 'edit', text: `a later step composes it with another ${other[0].join('.')}`}] : [];
  });
}

/**
 * The XRs that have a condition of another writer with another status than in the other run. Crossplane itself sets those of an XR
 * that is not Synced to Unknown, and one that no step writes any more stays so.
 */
function overruled(mine: Ending, theirs: Ending): readonly Verdict[] {
  return xrsIn(theirs).flatMap(({made, object}): readonly Verdict[] => {
    const own = livingAt(made.place, mine)?.object;
    if (own === undefined || ![object, own].every((one) => isTrue(one, 'Synced'))) return [];
    const changed = conditionsOf(object).find(
      ({type, status, reason}) =>
        !isSystemCondition(type) && reason !== 'FatalError' && conditionOf(own, type)?.status !== status,
    );
    const text = `its condition ${changed?.type} is not what another writer wrote`;
    return changed ? [{grade: 'overwritten', made, text}] : [];
  });
}

export function lastRest(run: JudgedRun): Judged {
  return restOf(run, Number.POSITIVE_INFINITY).judged();
}

/** The first rest after the step, or the last. */
function restOf({witness: {rested}}: JudgedRun, move: number): Rest {
  const all = [...rested].sort(([one], [other]) => one - other);
  const [, rest] = all.find(([after]) => after >= move) ?? (all.at(-1) as (typeof all)[number]);
  return rest;
}

function worseThan({verdicts, ending}: Judged, without: Judged): readonly Verdict[] {
  const {places, found} = without.ending;
  return verdicts.filter((verdict) => {
    const {made, grade, how, isAsked} = verdict;
    const {place} = made;
    if (isAsked) return true;
    // An XR that is to go, and that something keeps, is compared with nothing: the other run has none.
    const [, ...xrs] = upwards(made, ending);
    // Nor is one that was to go, and that was made anew there.
    const {denied, epochs} = ending.intent.books;
    const isRemade = ({address, place}: Made) => denied.has(address) && without.ending.intent.books.endedMs.has(place);
    const isKept = (one: Made) =>
      (!wants(one, ending) && !found.has(one.place)) || (epochs.has(one.place) && isRemade(one));
    if (isState(verdict) && [made, ...xrs].some(isKept)) return false;
    // An edit that the old object cannot take arrives with a new one. Until then its XR is not Synced.
    const isUnreached = (one: Verdict) => one.how === 'edit' && isRemade(one.made);
    const isOfUnreached = (one: Verdict) => how === 'not-synced' && one.made.xr === place && isUnreached(one);
    if (isUnreached(verdict) || verdicts.some(isOfUnreached)) return false;
    // So is what such an XR wants or shares.
    const isOfXr = grade === 'shared' || (grade === 'leaked' && wants(made, ending));
    if (isOfXr && xrs.some((one) => ending.found.has(one.place) && isKept(one))) return false;
    // Two desired resources have one external name, so two objects share it in the other run, too.
    if (grade === 'shared' && isSharedByName(verdict, ending, without)) return false;
    // No earlier step wants a resource of a later step. It lives on with its XR, which the other run has no more.
    const isLater = !ending.intent.books.desired.has(place) && !xrs.every((xr) => found.has(xr.place));
    if (how === 'kept' && isLater && wants(xrs[0] ?? made, ending)) return false;
    // The earlier steps leave out what reads another resource that the function moved: it lives in the other run, too.
    if (grade === 'leaked' && isWantedAlone(made, without.ending, ending)) return false;
    // A reconcile of the other run may have made anew what a disaster took.
    if (how === 'missing' && without.ending.intent.books.remade.has(place)) return false;
    if (how === 'too-soon') return true;
    // A resource that the function alone makes, as from a template of the input, is held against the XR that the other run has.
    const held = places.has(place) ? place : (ownerIn(places, place) ?? place);
    // Each loss is of another external resource, or of another life of one.
    const isLostAgain = lossesAt(place, verdicts) > lossesAt(held, without.verdicts);
    return (grade === 'lost' && isLostAgain) || rankOf(verdict) < (without.gravest.get(held) ?? grades.length);
  });
}

/** A state of a thing whose deletion was denied, or that of an XR of it. Without the function it is gone, unless the deletion is spared. */
export function isOfKept({verdict, rest: {ending}}: Harm): boolean {
  const {denied} = ending.intent.books;
  const isDenied = upwards(verdict.made, ending).some(({address}) => denied.has(address));
  return verdict.made.place.endsWith(keptWork) || (isState(verdict) && isDenied);
}

function isState({grade, how}: Verdict): boolean {
  return grade === 'doubled' || (grade === 'stuck' && how !== 'going' && how !== 'denied');
}

/** True if something that was to go may be worse off than what lives. */
export function keptIn({witness: {rested}}: JudgedRun): boolean {
  const all = [...rested.values()].map(({judged: rest}) => rest());
  const isBusy = all.some(({ending: {intent}}) =>
    intent.books.work.entries().some(([run, count]) => run.endsWith(keptWork) && count > workSlack),
  );
  return isBusy || all.some((rest) => rest.verdicts.some((verdict) => isOfKept({verdict, rest})));
}

function isSharedByName({id}: Verdict, {intent}: Ending, without: Judged): boolean {
  const isNamed = intent.books.desired.values().some((one) => intent.leadsTo(one) === id);
  return isNamed && without.verdicts.some((other) => other.grade === 'shared' && other.id === id);
}

function lossesAt(place: string, verdicts: readonly Verdict[]): number {
  return verdicts.filter(({grade, made}) => grade === 'lost' && made.place === place).length;
}

/** The nearest XR that it belongs to and that the run has. */
function ownerIn(places: Ending['places'], place: string): string | undefined {
  const xr = place.slice(0, Math.max(place.lastIndexOf(' > '), 0));
  return xr === '' || places.has(xr) ? xr || undefined : ownerIn(places, xr);
}

/** Each once: without what the input permits at that rest, and without an XR that is not ready, or not gone, for a resource of its own: that one is judged. */
export function unpermitted(harms: readonly Harm[]): readonly Harm[] {
  const left: Harm[] = [];
  for (const harm of harms) {
    const {verdict, rest} = harm;
    if (left.some((one) => isSame(one.verdict, verdict))) continue;
    const isBroken = verdict.isAsked === true && verdict.how === undefined;
    const isPermitted = !isBroken && permittedBy(verdict, rest.ending) !== undefined;
    if (!isPermitted && !isOfResource(verdict, rest.verdicts)) left.push(harm);
  }
  return left;
}

function isOfResource({made, how}: Verdict, verdicts: readonly Verdict[]): boolean {
  const isIn = (other: Made) => other.xr === made.place;
  return (
    (how === 'not-ready' || how === 'going') &&
    verdicts.some((other) => (other.grade === 'stuck' || other.how === 'kept') && isIn(other.made))
  );
}

/** The harms that no other run without the function shows. */
export function sinceOthers(all: readonly Harm[], mine: JudgedRun, others: Iterable<() => JudgedRun>): readonly Harm[] {
  let left = all;
  for (const other of others) {
    if (left.length === 0) return left;
    const still = harmsOf(mine, other());
    left = left.filter((one) => still.some(({verdict}) => isSame(one.verdict, verdict)));
  }
  return left;
}

function isSame(one: Verdict, other: Verdict): boolean {
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

/** How many times as often the inputs have XRs of the kind asked for. */
function oftener(run: string, {intent, places}: Ending): number {
  const ttls = [...intent.books.epochs].flatMap(([xr, epochs]) =>
    reconciles(run, places.get(xr)?.kind ?? '') ? epochs.map(({desire}) => rulesOf(desire).ttlMs) : [],
  );
  return Math.max(1, ...ttls.map((ttlMs) => usualTtlMs / ttlMs));
}

function busier(mine: JudgedRun, theirs: JudgedRun): readonly Verdict[] {
  const {ending} = lastRest(mine);
  const other = lastRest(theirs).ending;
  const restless = (place: string, text: string): Verdict => ({grade: 'restless', made: {...nowhere, place}, text});
  // The other run has no more of an XR that is to go, unless its deletion is spared.
  const isGone = ending.all.some(
    ({made, object}) => ending.intent.isXr(object) && !wants(made, ending) && !other.found.has(made.place),
  );
  const busy = [...ending.intent.books.work].flatMap(([key, count]) => {
    const run = key.replace(keptWork, '');
    if (run !== key && isGone) return [];
    const without = other.intent.books.work.get(run) ?? 0;
    const isBusy = count > timesMax * without * oftener(run, ending) + workSlack;
    // An XR that is not Synced there makes nothing, so it is no measure.
    const isIdle = xrsIn(other).some(({made, object}) => reconciles(run, made.kind) && !isTrue(object, 'Synced'));
    // Nor is one that could be deleted there alone: a restore may bring it back here.
    const isKept = xrsIn(ending).some(
      ({made}) =>
        reconciles(run, made.kind) && ending.intent.books.denied.has(made.address) && !other.found.has(made.place),
    );
    return isBusy && !isIdle && !isKept
      ? [restless(key, `${count} reconciles, writes and excess events, ${without} without it`)]
      : [];
  });
  const isAlone = mine.restless !== undefined && theirs.restless === undefined && !isGone;
  return isAlone ? [...busy, restless('', mine.restless)] : busy;
}
