// A path in the operator's words: each move, fault and delay with what followed from it.

import {formatPath} from '../../explore/path.ts';
import {Timeline} from '../control-plane/record/timeline.ts';
import {entryText} from '../control-plane/record/words.ts';
import {defaultMinutes, type Exploration} from './explore.ts';
import {pairText} from './facts.ts';
import {violationText} from './properties.ts';
import type {SearchedStory} from './story.ts';
import type {WorldModel} from './world-model.ts';

export interface PathReport {
  readonly lines: readonly string[];
  /** The numbers of lines with an action or a fault; the other lines are their consequences. */
  readonly turns: ReadonlySet<number>;
  /** Why the property does not hold at the end. */
  readonly verdict: string | undefined;
}

/** Takes the path and reports what happens on it. `every`: also the steps that only the explorer knows. */
export function reportPath(
  {story, model}: {readonly story: SearchedStory; readonly model: WorldModel},
  path: readonly number[],
  failed: {readonly name: string; readonly pending: string | undefined} | undefined,
  every = false,
): PathReport {
  const timeline = new Timeline();
  const lines: string[] = [];
  const beganMs = story.initial.nowMs;
  let state = model.initial();
  const turns = new Set<number>();
  let written = 0;
  for (const index of path) {
    const action = model.actions(state)[index];
    if (action === undefined) break;
    const at = `${((state.world.nowMs - beganMs) / 1000).toFixed(1)} s`.padStart(9);
    const isEvent = model.cost(action) !== undefined || action.kind === 'time';
    if (model.cost(action) !== undefined) {
      turns.add(lines.length);
      lines.push(`${String(turns.size).padStart(3)}. ${model.describe(action, state)}`);
    } else if (isEvent || every) lines.push(`     ${at}  ${model.describe(action, state)}`);
    state = model.go(state, action, (atMs, entry) => timeline.observe({atMs, entry}));
    for (const entry of timeline.entries.slice(written)) lines.push(`     ${at}  ${entryText(entry)}`);
    written = timeline.entries.length;
  }
  const broken = state.facts.brokenPair;
  const verdict =
    failed === undefined
      ? undefined
      : (failed.pending ?? (violationText(story, failed.name, state) || (broken && pairText(broken))));
  return {lines, turns, verdict};
}

/** The command that takes the path again, with everything that the scenario file itself does not set. */
export function replayCommandLine(
  file: string,
  {story, budgets, minutes, setting}: Exploration,
  path: readonly number[],
): string {
  const said = (kind: string): number => setting.budgets[kind] ?? 0;
  const units = Object.entries(budgets).filter(([kind, count]) => kind !== 'operator' && (count > 0 || said(kind) > 0));
  const flags = units.map(([kind, count]) => `--budget ${kind}=${count}`);
  const variant = story.variant.name === '' ? [] : [`--variant '${story.variant.name}'`];
  const moves = story.moveOrder === (setting.moves ?? 'any') ? [] : [`--moves ${story.moveOrder}`];
  const time = minutes === (setting.minutes ?? defaultMinutes) ? [] : [`--minutes ${minutes}`];
  return [
    'tether replay',
    file,
    `--crossplane ${story.crossplane}`,
    ...variant,
    ...moves,
    ...time,
    ...flags,
    `--path ${shortPath(path)}`,
  ].join(' ');
}

/** A path with runs of the same number as `0x57`: most steps take the free schedule. */
export function shortPath(path: readonly number[]): string {
  const parts: string[] = [];
  for (let index = 0; index < path.length; ) {
    let end = index;
    while (path[end] === path[index]) end++;
    parts.push(end - index > 2 ? `${path[index]}x${end - index}` : path.slice(index, end).join('/'));
    index = end;
  }
  return parts.length === 0 ? formatPath([]) : parts.join('/');
}

/** Writes `0x57` out. */
export function expandPath(text: string): string {
  return text.replace(/(\d+)x(\d+)/g, (_, digit: string, count: string) => Array(Number(count)).fill(digit).join('/'));
}
