// Crossplane itself: when its process ran, and what its functions decided.

import type {CloudChange, Instant} from '../../control-plane/record/history.ts';
import {actorText} from '../../control-plane/record/words.ts';
import {type Decision, decisionTexts, isNotable} from './decisions.ts';
import {groupCloud, groupControl, type Lane, type LaneSpan, type Mark, type Moment} from './lane.ts';
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

// The cloud: how many external resources are alive, and what was created and deleted there.

export function cloudLanes(cloud: readonly CloudChange[], end: Instant): readonly Lane[] {
  if (cloud.length === 0) return [];
  const lane = (label: string, parts: Partial<Lane>): Lane => ({
    group: groupCloud,
    key: `cloud ${label}`,
    label,
    detail: '',
    fullName: `external resources, ${label}`,
    spans: [],
    moments: [],
    external: [],
    ...parts,
  });
  return [
    lane('alive', {spans: countSpans(cloud, end)}),
    lane('creates', {moments: cloud.filter(({what}) => what === 'create').map(cloudMoment)}),
    lane('deletes', {moments: cloud.filter(({what}) => what === 'delete').map(cloudMoment)}),
  ];
}

function cloudMoment({step, atMs, what, type, id, owner}: CloudChange): Moment {
  const of = owner === undefined ? '' : ` of ${type}/${owner}`;
  const mark = what === 'create' ? 'cloud-create' : 'cloud-delete';
  // A resource from before the first step is counted like the rest, and stands at its beginning.
  return {
    step: Math.max(0, step),
    atMs: Math.max(0, atMs),
    texts: [`cloud: ${what}d ${type} ${id}${of}`],
    mark,
  };
}

function countSpans(cloud: readonly CloudChange[], end: Instant): readonly LaneSpan[] {
  const spans: {from: Instant; to: Instant; count: number}[] = [];
  let count = 0;
  for (const {step, atMs, what} of cloud) {
    const now = {step: Math.max(0, step), atMs: Math.max(0, atMs)};
    count += what === 'create' ? 1 : -1;
    const last = spans.at(-1);
    if (last !== undefined) last.to = now;
    spans.push({from: now, to: end, count});
  }
  const highest = Math.max(1, ...spans.map((span) => span.count));
  return spans
    .filter(({from, to, count: alive}) => alive > 0 && (from.step !== to.step || from.atMs !== to.atMs))
    .map(({from, to, count: alive}) => ({look: 'count', from, to, text: String(alive), height: alive / highest}));
}
