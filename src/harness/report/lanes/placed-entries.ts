// The timeline's entries, found by what they are about.

import type {KubeObject} from '../../../cluster/object.ts';
import {objectOf, subjectOf} from '../../control-plane/record/changes.ts';
import type {Instant} from '../../control-plane/record/history.ts';
import type {TimelineEntry} from '../../control-plane/record/timeline.ts';
import {type Change, entryText} from '../../control-plane/record/words.ts';

export interface PlacedEntry extends Instant {
  readonly entry: TimelineEntry;
  readonly text: string;
}

export interface PlacedEntries {
  readonly all: readonly PlacedEntry[];
  /** The entries about this very version of the object. */
  readonly ofVersion: (object: KubeObject) => readonly PlacedEntry[];
  /** Refusals and events, by `Kind/name`. */
  readonly about: (name: string) => readonly PlacedEntry[];
}

export function placeEntries(timeline: readonly TimelineEntry[]): PlacedEntries {
  const all: PlacedEntry[] = [];
  let step = -1;
  for (const entry of timeline) {
    if (entry.change.kind === 'step') step++;
    all.push({step, atMs: entry.atMs, entry, text: entryText(entry)});
  }
  const versions = Map.groupBy(all, ({entry}) => versionShown(entry.change));
  const names = Map.groupBy(all, ({entry}) => aboutOf(entry.change));
  return {
    all,
    ofVersion: (object) => versions.get(object) ?? [],
    about: (name) => names.get(name) ?? [],
  };
}

/** An orphan's entry shows an older version: what happened is that its XR changed. */
function versionShown(change: Change): KubeObject | undefined {
  return change.kind === 'orphaned' ? undefined : objectOf(change);
}

function aboutOf(change: Change): string | undefined {
  return ['refused', 'event', 'orphaned'].includes(change.kind) ? subjectOf(change) : undefined;
}
