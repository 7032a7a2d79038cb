// The faults around the steps of a rehearsal. Each search has its own units of faults, and visits every moment in which they may
// come; a finding is an outcome that the same steps never have without the fault. A search that was cut off, or whose runs go on
// beyond its virtual time, has seen only part of it.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import {type Diverged, replay} from '../../explore/path.ts';
import {converges} from '../../explore/property.ts';
import type {Incompleteness} from '../../explore/result.ts';
import {unfinishedDeletions} from '../control-plane/oracle/deletion.ts';
import {objectsIn} from '../explore/evidence.ts';
import {type Explored, explore, failuresOf, type OnProgress, type SearchArgs} from '../explore/explore.ts';
import type {BudgetKind} from '../explore/explore-action.ts';
import type {ExploreState} from '../explore/explore-state.ts';
import {type PathReport, reportPath} from '../explore/path-report.ts';
import {deadProcess} from '../explore/properties.ts';
import {WorldModel} from '../explore/world-model.ts';
import {consequencesOf, momentOf} from './consequences.ts';
import {type Finding, findingKinds, findingsOf} from './findings.ts';
import {endOf, isStoryOver, type RehearsalStory} from './rehearsal-story.ts';

export type Units = Readonly<Partial<Record<BudgetKind, number>>>;

export interface FaultSearches {
  readonly crossplane: ProfileName;
  /** Findings of the steps without a fault that the rehearsal did not show; undefined if they come to no end. */
  readonly faultless: readonly Finding[] | undefined;
  readonly searches: readonly FaultSearch[];
}

export interface FaultSearch {
  readonly units: Units;
  readonly states: number;
  /** Different ends of all steps that were judged. */
  readonly ends: number;
  readonly extent: Extent;
  readonly found: readonly FoundByFault[];
}

/** How far a search came. */
export type Extent =
  | {readonly kind: 'ended'}
  | {readonly kind: 'bounded'; readonly reasons: readonly (Incompleteness | 'minutes' | 'no-end')[]};

export interface FoundByFault {
  readonly findings: readonly Finding[];
  readonly path: readonly number[];
  readonly way: PathReport;
}

export interface FaultSearchOptions {
  /** Each searched by itself. */
  readonly units: readonly Units[];
  /** Of virtual time. */
  readonly minutes: number;
  readonly args: SearchArgs;
  /** The findings of the rehearsal itself. */
  readonly known: readonly Finding[];
  /** Begins the progress of one search. */
  readonly onSearch: (units: Units) => OnProgress;
}

export function searchFaults(rehearsed: RehearsalStory, options: FaultSearchOptions): FaultSearches {
  const {story} = rehearsed;
  const {minutes, known} = options;
  const end = endOf(story, modelOf(rehearsed, {}, minutes));
  const faultless = end === undefined ? undefined : newsIn(rehearsed, end, known);
  const all = [...known, ...(faultless ?? [])];
  const searches = options.units.map((units) => searchOne(rehearsed, units, {...options, known: all}));
  return {crossplane: story.crossplane, faultless, searches};
}

export interface ReplayedFaults {
  readonly kind: 'replayed';
  readonly way: PathReport;
  readonly findings: readonly Finding[];
}

/** Takes a path again; what it comes to beyond the steps without a fault stands with it. */
export function replayFaults(
  rehearsed: RehearsalStory,
  path: readonly number[],
  {units, minutes, every}: {readonly units: Units; readonly minutes: number; readonly every: boolean},
): ReplayedFaults | Diverged {
  const {story} = rehearsed;
  const model = modelOf(rehearsed, units, minutes);
  const replayed = replay(model, path);
  if (replayed.kind === 'diverged') return replayed;
  const end = endOf(story, modelOf(rehearsed, {}, minutes));
  const known = end === undefined ? [] : newsIn(rehearsed, end, []);
  const way = reportPath({story, model}, path, undefined, every);
  return {kind: 'replayed', way, findings: newsIn(rehearsed, replayed.final, known)};
}

function modelOf({story}: RehearsalStory, units: Units, minutes: number): WorldModel {
  const kinds = Object.entries(units).flatMap(([kind, count]) => (count > 0 ? [kind as BudgetKind] : []));
  return new WorldModel(story, {kinds: new Set<BudgetKind>(['operator', ...kinds]), timeMs: minutes * 60_000});
}

function searchOne(rehearsed: RehearsalStory, units: Units, options: FaultSearchOptions): FaultSearch {
  const {minutes, args, known, onSearch} = options;
  const {story} = rehearsed;
  const model = modelOf(rehearsed, units, minutes);
  const ends = new Set<string>();
  const seen = new WeakMap<object, readonly Finding[]>();
  const news = (state: ExploreState): readonly Finding[] => {
    const before = seen.get(state.world);
    if (before !== undefined) return before;
    ends.add(model.fingerprint(state));
    const found = newsIn(rehearsed, state, known);
    seen.set(state.world, found);
    return found;
  };
  const properties = findingKinds.map((kind) =>
    converges(kind, (state: ExploreState) => {
      if (!isStoryOver(story.moves, state)) return undefined;
      return news(state).find((finding) => finding.kind === kind)?.text;
    }),
  );
  const budgets = {operator: story.moves.length, ...units};
  const explored = explore({model, properties, budgets}, args, onSearch(units));
  const found = failuresOf({model, properties}, explored).map(({path}): FoundByFault => {
    const replayed = replay(model, path);
    const findings = replayed.kind === 'diverged' ? [] : newsIn(rehearsed, replayed.final, known);
    return {findings, path, way: reportPath({story, model}, path, undefined)};
  });
  return {units, states: explored.states, ends: ends.size, extent: extentOf(explored, ends.size), found: merged(found)};
}

/** Each finding once, with the path that shows most. */
function merged(found: readonly FoundByFault[]): readonly FoundByFault[] {
  const shown = new Set<string>();
  const most = [...found].sort((one, other) => other.findings.length - one.findings.length);
  return most.flatMap((one) => {
    const findings = one.findings.filter(({kind, about}) => !shown.has(`${kind} ${about}`));
    for (const {kind, about} of findings) shown.add(`${kind} ${about}`);
    return findings.length === 0 ? [] : [{...one, findings}];
  });
}

function extentOf({outcome, whole}: Explored, ends: number): Extent {
  const reasons = [
    ...(outcome.kind === 'complete' ? [] : outcome.reasons),
    ...((whole?.beyondBoundary ?? 0) > 0 ? (['minutes'] as const) : []),
    ...(ends === 0 ? (['no-end'] as const) : []),
  ];
  return reasons.length === 0 ? {kind: 'ended'} : {kind: 'bounded', reasons};
}

/** The new findings of a state in which all steps are taken and nothing more happens. */
function newsIn({story, before}: RehearsalStory, state: ExploreState, known: readonly Finding[]): readonly Finding[] {
  const objects = objectsIn(state.world);
  const dead = deadProcess(story, state);
  const stuck = [
    ...unfinishedDeletions(objects).map(({kind, metadata}) => `${kind}/${metadata.name} is being deleted for ever`),
    ...(dead === undefined ? [] : [`${dead} died, and nothing starts it`]),
  ];
  const plan = {...consequencesOf(before, momentOf(objects, state.world)), stuck};
  const found = findingsOf({plan, result: {failures: []}});
  return found.filter((one) => !known.some(({kind, about}) => kind === one.kind && about === one.about));
}
