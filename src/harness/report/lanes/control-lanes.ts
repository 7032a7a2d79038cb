// Crossplane itself: when its process ran, and what its functions decided.

import type {Instant} from '../../control-plane/record/history.ts';
import {actorText} from '../../control-plane/record/words.ts';
import {type Decision, decisionTexts, isNotable} from './decisions.ts';
import {groupControl, type Lane, type LaneSpan, type Mark, type Moment} from './lane.ts';
import type {PlacedEntries, PlacedEntry} from './placed-entries.ts';

/** Crossplane's process, and every other one that started or stopped in the story. */
export function processLanes({all}: PlacedEntries, end: Instant): readonly Lane[] {
  const changes = all.filter(({entry}) => entry.change.kind === 'process');
  const names = new Set(['crossplane', ...changes.map(({entry}) => entry.actor)]);
  return [...names].map((name) => {
    const own = changes.filter(({entry}) => entry.actor === name);
    return {
      group: groupControl,
      key: `process ${name}`,
      label: actorText(name),
      detail: 'process',
      fullName: `process ${name}`,
      spans: runningSpans(own, end),
      moments: own.map(processMoment),
      external: [],
    };
  });
}

function processMoment({step, atMs, entry, text}: PlacedEntry): Moment {
  const base = {step, atMs, texts: [text]};
  if (entry.change.kind !== 'process' || entry.change.change === 'started') return {...base, mark: 'created'};
  return {...base, mark: entry.change.change === 'died' ? 'failed' : 'gone'};
}

/** A process that runs before the story begins runs until it stops. */
function runningSpans(changes: readonly PlacedEntry[], end: Instant): readonly LaneSpan[] {
  const spans: LaneSpan[] = [];
  let since: Instant | undefined = {step: 0, atMs: 0};
  for (const {step, atMs, entry} of changes) {
    const isStart = entry.change.kind === 'process' && entry.change.change === 'started';
    if (isStart) since ??= {step, atMs};
    else if (since !== undefined) {
      spans.push({look: 'running', from: since, to: {step, atMs}, text: 'running'});
      since = undefined;
    }
  }
  return since === undefined ? spans : [...spans, {look: 'running', from: since, to: end, text: 'running'}];
}

/** A lane per function, in the order of the first call. */
export function functionLanes(decisions: readonly Decision[]): readonly Lane[] {
  return [...Map.groupBy(decisions, ({target}) => target)].map(([target, own]) => ({
    group: groupControl,
    key: `function ${target}`,
    label: target,
    detail: 'function',
    fullName: `function ${target}`,
    spans: [],
    moments: withoutRepeats(own).map(decisionMoment),
    external: [],
  }));
}

type Repeated = Decision & {readonly texts: readonly string[]};

/** A condition that the function also set before stands once. */
function withoutRepeats(decisions: readonly Decision[]): readonly Repeated[] {
  const said = new Map<string, string>();
  return decisions.map((decision) => {
    const conditions = decision.conditions.filter((text) => {
      const key = `${decision.run} ${text.slice(0, text.indexOf('='))}`;
      const isNew = said.get(key) !== text;
      said.set(key, text);
      return isNew;
    });
    return {...decision, texts: decisionTexts({...decision, conditions})};
  });
}

function decisionMoment(decision: Repeated): Moment {
  const {step, atMs, run, reconcile, texts, error} = decision;
  const mark: Mark = error !== undefined ? 'failed' : isNotable(decision) ? 'decided' : 'called';
  const xr = run.slice(run.indexOf('/') + 1);
  const title = `called in reconcile ${reconcile} of ${xr}`;
  return {step, atMs, texts: [title, ...(texts.length > 0 ? texts : ['changes nothing'])], mark};
}
