// A timeline for reading: what one actor did to many objects in one breath is one line. It keeps two things: the lines of each
// object stay in the order of events, and it cuts the middle of a line or of a list, never its end.

import {type KubeObject, shortName} from '../../../cluster/object.ts';
import {resourceNameOf} from '../../../cluster/vocabulary.ts';
import {durationText} from '../../input/duration.ts';
import {objectOf, subjectOf} from './changes.ts';
import type {TimelineEntry} from './timeline.ts';
import {type Change, changeText, manyText, objectText, subjectText} from './words.ts';

export interface Line {
  readonly atMs: number;
  readonly text: string;
}

export interface Chapter {
  /** The step's name. */
  readonly name: string;
  readonly atMs: number;
  readonly lines: readonly Line[];
}

interface Group {
  readonly first: TimelineEntry;
  readonly changes: Change[];
  lastMs: number;
}

const breathMs = 2000;
const namedMax = 3;
const textMax = 600;

export function chaptersOf(timeline: readonly TimelineEntry[]): readonly Chapter[] {
  const chapters: {name: string; atMs: number; entries: TimelineEntry[]}[] = [];
  for (const entry of timeline) {
    if (entry.change.kind === 'step') chapters.push({name: entry.change.name, atMs: entry.atMs, entries: []});
    else chapters.at(-1)?.entries.push(entry);
  }
  return chapters.map(({name, atMs, entries}) => ({name, atMs, lines: condense(entries)}));
}

function condense(entries: readonly TimelineEntry[]): readonly Line[] {
  const groups: Group[] = [];
  for (const entry of withoutRepeats(entries.filter(isNoted))) {
    const open = openGroup(groups, entry);
    if (open !== undefined && entry.atMs - open.lastMs <= breathMs) {
      open.changes.push(entry.change);
      open.lastMs = entry.atMs;
    } else {
      groups.push({first: entry, changes: [entry.change], lastMs: entry.atMs});
    }
  }
  const lost = new Set(entries.flatMap(({change}) => (isLoss(change) ? [change.object.metadata.uid] : [])));
  return groups.map((group) => ({atMs: group.first.atMs, text: lineText(group, lost)}));
}

/** The group of the same change, unless a later line is about the same object: its order would be lost. */
function openGroup(groups: readonly Group[], entry: TimelineEntry): Group | undefined {
  const index = groups.findLastIndex((group) => keyOf(group.first) === keyOf(entry));
  const about = subjectOf(entry.change);
  const isOvertaken = groups
    .slice(index + 1)
    .some(({changes}) => changes.some((change) => about !== undefined && subjectOf(change) === about));
  return isOvertaken ? undefined : groups[index];
}

/** A change that the reader looks for in every list. */
function isLoss(change: Change): change is Change & {readonly object: KubeObject} {
  return change.kind === 'orphaned' || change.kind === 'deleting';
}

type Lost = ReadonlySet<string | undefined>;

/** Without changes that another entry of the same moment has as well. */
function withoutRepeats(entries: readonly TimelineEntry[]): readonly TimelineEntry[] {
  const near = (one: TimelineEntry, other: TimelineEntry): boolean => Math.abs(one.atMs - other.atMs) <= breathMs;
  return entries.filter((entry) => {
    const {change} = entry;
    // The condition is better: it has the state of the object, not the result of one attempt.
    if (change.kind === 'event') return !entries.some((other) => near(entry, other) && saysIn(other.change, change));
    if (change.kind !== 'disowned') return true;
    return !entries.some(
      (other) => near(entry, other) && other.change.kind === 'gone' && sameObject(other.change.object, change.object),
    );
  });
}

function saysIn(condition: Change, event: Change & {readonly kind: 'event'}): boolean {
  if (condition.kind !== 'condition' || condition.status === 'True') return false;
  return shortName(condition.object) === event.about;
}

function sameObject(one: KubeObject, other: KubeObject): boolean {
  return one.metadata.uid === other.metadata.uid;
}

/** Everyday changes that only repeat others. */
function isNoted({change}: TimelineEntry): boolean {
  if (change.kind === 'listed') return false;
  if (change.kind !== 'condition') return true;
  const {type, status, reason, object} = change;
  if (type === 'Responsive') return status !== 'True';
  return resourceNameOf(object) === undefined || !((type === 'Synced' && status === 'True') || reason === 'Creating');
}

function keyOf({actor, change, reconcile}: TimelineEntry): string {
  return JSON.stringify([actor, change.kind, detailOf(change), change.kind === 'forgotten' ? reconcile : undefined]);
}

/** The parts that must be equal for two changes to become one line. */
function detailOf(change: Change): string {
  switch (change.kind) {
    case 'condition':
      return `${change.type} ${change.status} ${change.reason} ${resourceNameOf(change.object) !== undefined}`;
    case 'event':
      return change.reason;
    case 'adopted':
      return change.by;
    default:
      return objectOf(change) === undefined ? changeText(change) : '';
  }
}

function lineText({first, changes}: Group, lost: Lost): string {
  const who = subjectText(first);
  const reconcile = first.reconcile === undefined ? '' : ` (reconcile ${first.reconcile})`;
  const what = changes.length === 1 ? changeText(first.change) : severalText(first.change, changes, lost);
  return `${who === '' ? '' : `${who}: `}${cut(what)}${reconcile}`;
}

/** The beginning and the end of a long message. The JSON report and a failed run have all of it. */
function cut(text: string): string {
  if (text.length <= textMax) return text;
  const end = Math.floor(textMax / 2);
  return `${text.slice(0, textMax - end).replace(/\s*\S*$/, '')} ... ${text.slice(-end).replace(/^\S*\s*/, '')}`;
}

function severalText(first: Change, changes: readonly Change[], lost: Lost): string {
  if (first.kind === 'event') return manyEvents(first, changes);
  const objects = changes.flatMap((change) => objectOf(change) ?? []);
  const isLost = (object: KubeObject): number => (lost.has(object.metadata.uid) ? 0 : 1);
  const names = [...new Set(objects.toSorted((one, other) => isLost(one) - isLost(other)).map(objectText))];
  if (names.length < 2) return changeText(first);
  const what = manyText(first, names.length);
  if (what === undefined) return changes.map(changeText).join('; ');
  return `${what}${first.kind === 'condition' ? messageText(first, changes) : ''}: ${listText(names)}`;
}

/** The message, if all have the same; else the first one, with its condition. */
function messageText(first: Change & {readonly kind: 'condition'}, changes: readonly Change[]): string {
  if (first.message === undefined) return '';
  const isShared = changes.every((change) => change.kind === 'condition' && change.message === first.message);
  return isShared ? ` (${first.message})` : ` (as ${objectText(first.object)}: ${first.message})`;
}

/** The first names and the last. */
function listText(names: readonly string[]): string {
  if (names.length <= namedMax) return names.join(', ');
  return `${names.slice(0, namedMax - 1).join(', ')}, ${names.length - namedMax} more, ${names.at(-1)}`;
}

function manyEvents(first: Change & {readonly kind: 'event'}, changes: readonly Change[]): string {
  const about = new Set(changes.map((change) => (change.kind === 'event' ? change.about : '')));
  return about.size < 2
    ? changeText(first)
    : `${about.size} objects: ${first.reason}, as ${first.about}: ${first.message}`;
}

/** To the tenth of a second for the first two minutes: most stories are over by then, and bursts are shorter. */
export function timeText(ms: number): string {
  return ms < 120_000 ? `+${(ms / 1000).toFixed(1)} s` : `+${durationText(ms)}`;
}
