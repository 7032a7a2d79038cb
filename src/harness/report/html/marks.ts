// The marks of a lane: what happened at one moment, drawn over the bars.

import {listed} from '../../input/listed.ts';
import type {Mark, Moment} from '../lanes/lane.ts';
import type {TimeAxis} from '../lanes/time-axis.ts';
import {element, type Html} from './element.ts';
import {markGlyphs} from './mark-glyphs.ts';

/** Marks nearer than this part of the axis lie on each other. */
const closeMarks = 0.015;
const titledMax = 3;

/**
 * Marks of one kind that would lie on each other are one mark; of different kinds only the one that matters more is drawn, and
 * its title lists the others. Every moment stays within reach of pointer and keyboard.
 */
export function marksHtml(moments: readonly Moment[], axis: TimeAxis): readonly Html[] {
  const clusters: Cluster[] = [];
  for (const {mark, texts, step, atMs} of moments) {
    if (mark === undefined) continue;
    const x = axis.at({step, atMs});
    const text = texts[0] ?? '';
    const near = clusters.findLast((cluster) => cluster.mark === mark && x - cluster.to < closeMarks);
    if (near === undefined) clusters.push({mark, from: x, to: x, texts: [text]});
    else {
      near.to = x;
      near.texts.push(text);
    }
  }
  return withoutCover(clusters).map(clusterHtml);
}

interface Cluster {
  readonly mark: Mark;
  from: number;
  to: number;
  readonly texts: string[];
}

function withoutCover(clusters: readonly Cluster[]): readonly Cluster[] {
  const drawn: Cluster[] = [];
  for (const cluster of clusters.toSorted(
    (one, other) => markGlyphs[other.mark].weight - markGlyphs[one.mark].weight,
  )) {
    const covering = drawn.find((other) => Math.abs(middleOf(other) - middleOf(cluster)) < closeMarks);
    if (covering === undefined) drawn.push(cluster);
    else covering.texts.push(...cluster.texts);
  }
  return drawn.sort((one, other) => one.from - other.from);
}

function clusterHtml(cluster: Cluster): Html {
  const {mark, texts} = cluster;
  const {glyph, look} = markGlyphs[mark];
  const count = texts.length > 1 && mark.startsWith('cloud') ? String(texts.length) : '';
  const title = listed(texts, titledMax, '; ');
  return element(
    'span',
    {class: `mark ${look}`, style: `left:${percent(middleOf(cluster))}`, title},
    `${glyph}${count}`,
  );
}

function middleOf({from, to}: Cluster): number {
  return (from + to) / 2;
}

// Places on a track, as inline style.

export function place(from: number, to: number): string {
  return `left:${percent(from)};width:${percent(Math.max(0, to - from))}`;
}

export function percent(part: number): string {
  return `${Math.round(part * 10_000) / 100}%`;
}
