import {refOf} from '../../cluster/object.ts';
import type {RunResult} from '../scenario/run-scenario.ts';
import {entryText} from './words.ts';

/** Runs as one JSON document, for tools. Sentences are the timeline's; times are milliseconds of virtual time. */
export function jsonReport(results: readonly RunResult[]): string {
  return `${JSON.stringify({runs: results.map(runJson)}, undefined, 2)}\n`;
}

function runJson(result: RunResult): object {
  const {scenario, crossplane, variant, seed, failures, reconciles, functionCalls, settledMs, lastedMs} = result;
  const {alive, creates, deletes} = result.externals;
  return {
    scenario,
    crossplane,
    ...(variant === '' ? {} : {variant}),
    seed,
    ok: failures.length === 0,
    failures,
    orphans: result.orphans.map(({object, resourceName}) => ({...refOf(object), resourceName})),
    duplicates: result.duplicates.map(({xr, resourceName, objects}) => ({
      xr,
      resourceName,
      objects: objects.map(refOf),
    })),
    externals: {alive, creates, deletes},
    reconciles,
    functionCalls,
    settledMs,
    lastedMs,
    timeline: result.timeline.map((entry) => ({atMs: entry.atMs, actor: entry.actor, text: entryText(entry)})),
  };
}
