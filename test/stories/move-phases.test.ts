// Every phase of each move as an engineer sees it: what `tether explain` says, the XR's condition, events, and metrics, all of
// the same call. The stories are the examples; where a phase says nothing by an event, its condition says it. Other rows come
// between as reconciles of two XRs, or of an XR and its provider, fall together; those of the table come whatever they do.

import {describe, expect, test} from 'vitest';
import {explain} from '../../src/function/explain.ts';
import {Metrics} from '../../src/function/metrics.ts';
import {runWithReport} from '../../src/function/run.ts';
import {summaryOf} from '../../src/function/run-summary.ts';
import {readScenario} from '../../src/harness/scenario/read-scenario.ts';
import {type Reason, reasons} from '../../src/lifecycle/words/reasons.ts';
import {decodeResponse} from '../../src/wire/response-decode.ts';
import {askedOfTether} from './asked-of-tether.ts';
import {type Phase, phases} from './move-phases.ts';
import {registry} from './registry.ts';

/** Events that say what the condition says. The others say what is over. */
const beginning = ['HandingOverResource', 'RefusingResource'];

describe.each(Object.entries(phases))('examples/%s', (file, expected) => {
  const path = new URL(`../../examples/${file}`, import.meta.url).pathname;
  const requests = askedOfTether(readScenario(path, registry), 'main', 1);

  test('says every phase by explain, condition, events and metrics', () => {
    expect(phasesIn(requests)).toEqual(expect.arrayContaining([...expected]));
  });

  test('says the same in all four places at every call', () => {
    for (const request of requests) {
      const {condition, resources} = explain(request);
      const {results, conditions, metrics} = answerTo(request);
      expect(conditions).toEqual([{type: 'Tethered', ...condition, target: 'composite'}]);
      const sentences = resources.map(({sentence}) => sentence);
      for (const {decision, sentence} of resources)
        if (decision === 'move') expect(condition?.message).toContain(sentence);
      for (const {message, reason = ''} of results)
        if (beginning.includes(reason)) expect(sentences).toContain(message);
      expect(metrics).toEqual(countsOf(resources));
    }
  });
});

test('the stories have every phase that there is', () => {
  const said = new Set(Object.values(phases).flatMap((rows) => rows.flatMap(({counted}) => Object.keys(counted))));
  const steps = Object.entries<Reason>(reasons).filter(([, {of}]) => of.some((kind) => kind === 'move'));
  for (const [reason] of steps) expect(said).toContain(`move ${reason}`);
});

/** One row for each condition that an XR had, at the first call that has it; where nothing moves there is nothing to say. */
function phasesIn(requests: readonly Uint8Array[]): readonly Phase[] {
  const rows = new Map<string, Phase>();
  for (const request of requests) {
    const {xr, condition} = explain(request);
    const {results, metrics} = answerTo(request);
    const says = withoutNames(`${condition?.reason}: ${condition?.message}`);
    const events = results.map(({reason = ''}) => reason);
    const key = `${xr.kind} ${says}`;
    if (!rows.has(key)) rows.set(key, {xr: xr.kind, says, events, counted: Object.fromEntries(metrics)});
  }
  return [...rows.values()].filter(({says, events}) => !says.startsWith('Tethered') || events.length > 0);
}

function withoutNames(text: string): string {
  return text.replaceAll(/"[a-z]+-[0-9a-f]{12}"/g, '"..."');
}

function answerTo(request: Uint8Array) {
  const {response, report} = runWithReport(request);
  const metrics = new Metrics({threads: () => ({running: 1, replaced: 0})});
  metrics.ran(summaryOf(report));
  const lines = metrics.render().matchAll(/^tether_decisions_total\{decision="(.*)",reason="(.*)"\} (\d+)$/gm);
  const counts = [...lines].map(
    ([, decision, reason, count]) => [`${decision} ${reason}`.trim(), Number(count)] as const,
  );
  return {...decodeResponse(response), metrics: new Map(counts)};
}

function countsOf(resources: ReturnType<typeof explain>['resources']): ReadonlyMap<string, number> {
  const all = Map.groupBy(resources, ({decision, reason}) => `${decision} ${reason}`.trim());
  return new Map([...all].map(([name, list]) => [name, list.length]));
}
