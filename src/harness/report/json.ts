// Runs as one JSON document, for tools. Its shape is the form below, which the published schema is made of; here a result
// is put into it. Whole objects are left out: of each there is where it is, not what it holds.

import {refOf} from '../../cluster/object.ts';
import {profile} from '../control-plane/profile-names.ts';
import {objectOf} from '../control-plane/record/changes.ts';
import type {TimelineEntry} from '../control-plane/record/timeline.ts';
import {entryText} from '../control-plane/record/words.ts';
import {anything, count, flag, list, named, oneOf, type Read, text} from '../input/form.ts';
import {map, may, must} from '../input/map-form.ts';
import type {RunResult} from '../scenario/run-result.ts';

/** The version of the report's numbers and names; raised if one of them changes or goes. */
const reportVersion = 1;

/**
 * Runs as one JSON document, for tools, in the shape of the form below. Sentences are the timeline's; times are whole
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

// The shape of the JSON report: json.ts writes what fits the types, docs/test-report.schema.json is made of the same.

const ms = named('ms', count, 'Milliseconds of virtual time since the first step.');

const referenceFields = {apiVersion: must(text), kind: must(text), namespace: may(text), name: must(text)};
const reference = named('reference', map(referenceFields), 'An object.');

const composedFields = {...referenceFields, resourceName: must(text, 'Its name in the pipeline.')};
const composed = named('composed', map(composedFields), 'A composed resource.');

const touched = named(
  'touched',
  map({...composedFields, how: must(text, 'What is not as it was.')}),
  'A composed resource that is not as it was, and how.',
);

const failure = named(
  'failure',
  map({
    place: must(text, 'file:line:column of the step or expectation.'),
    step: must(text),
    stepNumber: may(count, 'From 1. Absent for what must hold at the end.'),
    message: must(text),
    difference: may(
      map({
        of: must(text, 'The object, in words.'),
        expected: must(anything, 'The fields that the expectation names.'),
        got: must(anything, 'The same fields of the object.'),
      }),
      'What an object has beside what it should have, if the expectation is about fields.',
    ),
    because: may(list(text), 'What the control plane itself says of why, uncut.'),
  }),
  'What did not come true.',
);

const entry = named(
  'entry',
  map({
    atMs: must(ms),
    step: must(count, 'The step in which it happened, from 1.'),
    actor: must(text, 'Who did it.'),
    kind: must(
      oneOf(
        'step',
        'created',
        'gone',
        'deleting',
        'orphaned',
        'adopted',
        'disowned',
        'condition',
        'forgotten',
        'listed',
        'named',
        'refused',
        'process',
        'event',
        'cloud',
      ),
    ),
    text: must(text, 'The sentence. `timeline` expectations look into it.'),
    object: may(reference),
    reconcile: may(
      count,
      'Which reconcile of its XR this was, from 1: of those that ran the pipeline, since Crossplane last started.',
    ),
  }),
  'One line of the timeline.',
);

const duplicate = map({xr: must(text), resourceName: must(text), objects: must(list(reference))});

const run = named(
  'run',
  map({
    scenario: must(text),
    description: must(text),
    crossplane: must(profile),
    variant: must(text, 'Empty for a scenario without variants.'),
    seed: must(count),
    ok: must(flag, 'Whether everything came true: there are no failures.'),
    failures: must(list(failure)),
    allowed: may(list(failure), 'The problems of steps with `mayFail`: no failures of the run.'),
    notRun: may(
      list(text),
      'The steps that did not run because one before them failed; then nothing is expected at the end. Absent where all ran.',
    ),
    hollow: may(
      list(text),
      'The gaps in the evidence of a run in which nothing failed: an XR that never synced, a function that was never called. A sentence each.',
    ),
    happened: may(flag, "Whether the scenario's bug happened. Absent for a scenario without one."),
    orphans: must(list(composed), 'What lives at the end, is listed by no XR and controlled by nothing that lives.'),
    duplicates: must(list(duplicate), 'Composed resources that live more than once.'),
    stuck: must(list(text), 'What will never move again, a sentence each.'),
    externals: must(
      map({alive: must(count), creates: must(count), deletes: must(count)}),
      'The cloud at the end: resources alive, and creates and deletes that it carried out.',
    ),
    sinceStart: may(
      map({startedMs: must(ms), untouched: must(list(text)), touched: must(list(touched))}),
      'What became of the composed resources since Crossplane last started. Absent where the story never started it.',
    ),
    reconciles: must(count, 'Reconciles of XRs since the first step.'),
    functionCalls: must(count),
    convergedMs: must(ms, 'From the last action to the last change after it.'),
    settledMs: must(ms, 'From the first step to the last change.'),
    lastedMs: must(ms, 'From the first step to the end.'),
    timeline: must(list(entry)),
  }),
  'One run of a scenario: one Crossplane version, one variant, one seed.',
);

export const report = map({
  version: must(count, 'Raised when a field changes its meaning or goes. New fields may come.'),
  passed: must(count, 'Runs in which everything came true.'),
  failed: must(count),
  runs: must(list(run)),
});

type Report = Read<typeof report>;
type ReportedRun = Report['runs'][number];
