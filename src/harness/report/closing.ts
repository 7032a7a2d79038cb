// The result of a run in plain sentences: orphans, released resources, and resources that stayed as they were. Every sentence is
// read off the run.

import {objectOf} from '../control-plane/record/changes.ts';
import type {TimelineEntry} from '../control-plane/record/timeline.ts';
import {objectText, plural} from '../control-plane/record/words.ts';
import {durationText} from '../input/duration.ts';
import {counted} from '../input/listed.ts';
import type {RunResult} from '../scenario/run-result.ts';

export function closingText(result: RunResult): readonly string[] {
  return [
    ...notRunSentences(result),
    ...(result.hollow ?? []).map((sentence) => `All that was expected came true, but ${sentence}.`),
    ...orphanSentences(result),
    ...releaseSentences(result),
    ...untouchedSentences(result),
    externalSentence(result),
  ];
}

/** The problems that a step may have, and, if a step failed, the rest that it ended before. */
export function notRunSentences({notRun, failures, allowed = []}: RunResult): readonly string[] {
  return [
    ...allowed.map(({stepNumber, message}) => `Step ${stepNumber} failed, as it may: ${message}`),
    ...endedSentences(notRun, failures),
  ];
}

function endedSentences(notRun: RunResult['notRun'], failures: RunResult['failures']): readonly string[] {
  const last = failures.findLast(({stepNumber}) => stepNumber !== undefined);
  if (last === undefined || notRun === undefined) return [];
  const steps = notRun.length === 0 ? '' : `${counted(notRun.length, 'later step')} and `;
  return [
    `The story ended with step ${last.stepNumber}: ${steps}what must hold at the end ${notRun.length === 0 ? 'was' : 'were'} not looked at.`,
  ];
}

function orphanSentences({orphans}: RunResult): readonly string[] {
  if (orphans.length === 0)
    return ['No orphan: everything that lives is listed by an XR or owned by something that lives.'];
  const names = orphans.map(({object}) => objectText(object)).join(', ');
  const [them, live, they] = orphans.length === 1 ? ['it', 'lives', 'it'] : ['them', 'live', 'they'];
  return [
    `${orphans.length} orphan${plural(orphans)}: ${names}. ${they === 'it' ? 'It' : 'They'} ${live} on, no XR lists ${them}, no object owns ${them}, and so nothing will ever delete ${them}.`,
  ];
}

/** Composed resources that were adopted, then deleted, then gone after the last start of Crossplane. */
function releaseSentences({timeline, sinceStart}: RunResult): readonly string[] {
  if (sinceStart === undefined) return [];
  const entries = timeline.filter((entry) => entry.atMs >= sinceStart.startedMs);
  const gone = entries.filter((entry) => entry.change.kind === 'gone');
  return gone.flatMap((end) => {
    if (end.change.kind !== 'gone') return [];
    const uid = end.change.object.metadata.uid;
    const adopted = find(entries, 'adopted', uid);
    const released = find(entries, 'deleting', uid);
    if (released === undefined) return [];
    const first = adopted?.reconcile === undefined ? '' : `adopted in reconcile ${adopted.reconcile}, `;
    const second = released.reconcile === undefined ? 'deleted' : `released in reconcile ${released.reconcile}`;
    const after = durationText(end.atMs - released.atMs);
    return [`${objectText(end.change.object)} was ${first}${second}, and is gone ${after} later.`];
  });
}

function find(entries: readonly TimelineEntry[], kind: string, uid: string | undefined): TimelineEntry | undefined {
  return entries.find(({change}) => change.kind === kind && objectOf(change)?.metadata.uid === uid);
}

function untouchedSentences({sinceStart, orphans}: RunResult): readonly string[] {
  if (sinceStart === undefined) return [];
  const orphaned = new Set(orphans.map(({object}) => objectText(object)));
  const kept = sinceStart.untouched.filter((name) => !orphaned.has(name));
  if (kept.length === 0) return [];
  return [
    `${kept.length} other composed resource${plural(kept)} stayed as ${kept.length === 1 ? 'it was' : 'they were'}: same uid, external name and spec, and no delete was sent.`,
  ];
}

function externalSentence({externals}: RunResult): string {
  return `In the cloud: ${counted(externals.alive, 'resource')} alive, ${externals.creates} created and ${externals.deletes} deleted in all.`;
}
