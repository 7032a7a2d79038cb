import type {CloudChange, Instant} from '../../control-plane/record/history.ts';
import {groupCloud, type Lane, type LaneSpan, type Moment} from './lane.ts';

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
