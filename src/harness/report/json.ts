// Runs as one JSON document, for tools. Its shape is in json-form.ts, which the published schema is made of; here a result
// is put into it. Whole objects are left out: of each there is where it is, not what it holds.

import {refOf} from '../../cluster/object.ts';
import {objectOf} from '../control-plane/record/changes.ts';
import type {TimelineEntry} from '../control-plane/record/timeline.ts';
import {entryText} from '../control-plane/record/words.ts';
import type {RunResult} from '../scenario/run-result.ts';
import type {Report, ReportedRun} from './json-form.ts';

/** The version of the report's numbers and names; raised if one of them changes or goes. */
const reportVersion = 1;

/**
 * Runs as one JSON document, for tools, in the shape of json-form.ts. Sentences are the timeline's; times are whole
 * milliseconds of virtual time since the first step.
 */
export function jsonReport(results: readonly RunResult[]): string {
  const failed = results.filter(({failures}) => failures.length > 0).length;
  const runs = results.map(runJson);
  const report: Report = {version: reportVersion, passed: results.length - failed, failed, runs};
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

function runJson(result: RunResult): ReportedRun {
  const {scenario, description, crossplane, variant, seed, failures, happened, stuck, sinceStart} = result;
  const {reconciles, functionCalls, convergedMs, settledMs, lastedMs} = result;
  const {alive, creates, deletes} = result.externals;
  return {
    scenario,
    description,
    crossplane,
    variant,
    seed,
    ok: failures.length === 0,
    failures,
    ...(result.notRun === undefined ? {} : {notRun: result.notRun}),
    ...(result.allowed === undefined ? {} : {allowed: result.allowed}),
    ...(result.hollow === undefined ? {} : {hollow: result.hollow}),
    ...(happened === undefined ? {} : {happened}),
    orphans: result.orphans.map(({object, resourceName}) => ({...refOf(object), resourceName})),
    duplicates: result.duplicates.map(({xr, resourceName, objects}) => ({
      xr,
      resourceName,
      objects: objects.map(refOf),
    })),
    stuck,
    externals: {alive, creates, deletes},
    ...(sinceStart === undefined ? {} : {sinceStart: sinceStartJson(sinceStart)}),
    reconciles,
    functionCalls,
    convergedMs: Math.round(convergedMs),
    settledMs: Math.round(settledMs),
    lastedMs: Math.round(lastedMs),
    timeline: timelineJson(result.timeline),
  };
}

function sinceStartJson({
  startedMs,
  untouched,
  touched,
}: NonNullable<RunResult['sinceStart']>): NonNullable<ReportedRun['sinceStart']> {
  return {
    startedMs: Math.round(startedMs),
    untouched,
    touched: touched.map(({object, resourceName, how}) => ({...refOf(object), resourceName, how})),
  };
}

function timelineJson(timeline: readonly TimelineEntry[]): ReportedRun['timeline'] {
  let step = 0;
  return timeline.map((entry) => {
    const {atMs, actor, change, reconcile} = entry;
    if (change.kind === 'step') step++;
    const about = objectOf(change);
    const object = about === undefined ? {} : {object: refOf(about)};
    const number = reconcile === undefined ? {} : {reconcile};
    return {atMs: Math.round(atMs), step, actor, kind: change.kind, text: entryText(entry), ...object, ...number};
  });
}
