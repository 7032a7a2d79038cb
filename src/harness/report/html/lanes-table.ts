// The swim-lanes: a table with a row per lane and a column per variant. Bars, marks and step bands are placed in per
// cent, so the page fits any width.

import {timeText} from '../../control-plane/record/condense.ts';
import type {Instant} from '../../control-plane/record/history.ts';
import {durationText} from '../../input/duration.ts';
import {listed} from '../../input/listed.ts';
import type {Chart, ChartGroup, ChartRow, Panel} from '../lanes/chart.ts';
import type {Lane, LaneSpan, Mark, Moment} from '../lanes/lane.ts';
import type {TimeAxis} from '../lanes/time-axis.ts';
import {element, type Html} from './element.ts';
import {markGlyphs} from './mark-glyphs.ts';

export function lanesHtml({panels, groups}: Chart, chart: number): Html {
  let row = 0;
  const bodies = groups.map((group) => {
    const body = groupHtml(group, panels, row);
    row += group.rows.length;
    return body;
  });
  return element(
    'div',
    {class: 'scroll'},
    element(
      'table',
      {class: 'lanes', 'data-chart': chart, role: 'grid', 'aria-label': 'objects over virtual time'},
      element('thead', {}, titlesHtml(panels), axisHtml(panels, chart)),
      ...bodies,
    ),
  );
}

function titlesHtml(panels: readonly Panel[]): Html {
  const titles = panels.map(({run}) => element('th', {scope: 'col', class: 'title'}, run.variant || run.scenario));
  return element('tr', {}, element('td', {class: 'corner'}), ...titles);
}

function axisHtml(panels: readonly Panel[], chart: number): Html {
  const cells = panels.map(({run, axis}) => {
    const failed = new Set(run.failures.map(({stepNumber}) => stepNumber));
    const steps = axis.steps.map(({name, atMs, from, to}, step) =>
      element(
        'a',
        {
          class: failed.has(step + 1) ? 'step failed' : 'step',
          href: `#chart-${chart}-step-${step + 1}`,
          style: `left:${percent(from)};width:${percent(to - from)}`,
          title: `${step + 1}. ${name} (${timeText(atMs)})${failed.has(step + 1) ? ', failed' : ''}`,
        },
        element('b', {}, `${step + 1}${failed.has(step + 1) ? '✕' : ''}`),
        roomFor(nameRoom, panels.length)({from, to}) ? ` ${name}` : '',
      ),
    );
    const times = axis.steps
      .filter(roomFor(timeTextRoom, panels.length))
      .map(({atMs, from, to}) =>
        element('span', {class: 'time', style: `left:${percent(from)};width:${percent(to - from)}`}, timeText(atMs)),
      );
    return element('td', {class: 'axis'}, ...steps, ...times);
  });
  return element('tr', {}, element('th', {scope: 'row', class: 'corner'}, 'step, virtual time'), ...cells);
}

function groupHtml({title, note, rows}: ChartGroup, panels: readonly Panel[], firstRow: number): Html {
  const head = element(
    'tr',
    {class: rows.some(({isFateful}) => isFateful) ? 'group' : 'group calm'},
    element('th', {scope: 'colgroup'}, title, ' ', element('small', {}, note)),
    ...panels.map((panel) => element('td', {class: 'track', 'aria-hidden': 'true'}, ...bandsHtml(panel))),
  );
  return element(
    'tbody',
    {},
    head,
    ...rows.map((row, index) => rowHtml(row, panels, firstRow + index, row.detail !== rows[index - 1]?.detail)),
  );
}

function rowHtml(
  {label, detail, fullName, lanes, isFateful}: ChartRow,
  panels: readonly Panel[],
  row: number,
  opensKind: boolean,
): Html {
  const look = [opensKind ? 'opens-kind' : '', isFateful ? '' : 'calm'].filter((one) => one !== '').join(' ');
  return element(
    'tr',
    {class: look === '' ? undefined : look},
    element(
      'th',
      {scope: 'row', title: fullName},
      // Cut from the left, because the names of one XR begin alike.
      element('span', {class: 'label'}, element('bdi', {}, label)),
      detail === '' ? '' : element('small', {}, ` ${detail}`),
    ),
    ...panels.map((panel, index) => trackHtml(lanes[index], panel, row, index, panels.length)),
  );
}

function trackHtml(lane: Lane | undefined, panel: Panel, row: number, index: number, count: number): Html {
  const attributes = {
    class: 'track',
    'data-row': row,
    'data-panel': index,
    tabindex: row === 0 && index === 0 ? 0 : -1,
  };
  const spoken = element('span', {class: 'spoken'}, lane === undefined ? 'nothing here' : spokenLane(lane));
  if (lane === undefined) return element('td', attributes, spoken, ...bandsHtml(panel));
  return element(
    'td',
    attributes,
    spoken,
    ...bandsHtml(panel),
    element(
      'span',
      {'aria-hidden': 'true'},
      ...lane.spans.map((span) => spanHtml(span, panel, count)),
      ...lane.external.map(({from, to, text, isDouble}) =>
        barHtml(isDouble ? 'external double' : 'external', text, {from, to}, panel),
      ),
      ...marksHtml(lane.moments, panel.axis),
    ),
  );
}

/** Where steps begin, and the stretches in which nothing happens. */
function bandsHtml({axis}: Panel): readonly Html[] {
  const steps = axis.steps
    .filter((_, step) => step % 2 === 1)
    .map(({from, to}) => element('i', {class: 'band', style: place(from, to)}));
  const pauses = axis.breaks.map(({from, to, text}) =>
    element('i', {class: 'pause', style: place(from, to), title: `nothing for ${text}`}),
  );
  return [...steps, ...pauses];
}

function spanHtml(span: LaneSpan, panel: Panel, count: number): Html {
  const title = span.text === '' ? 'there' : span.text;
  const from = panel.axis.at(span.from);
  const to = panel.axis.at(span.to);
  const height = span.height === undefined ? '' : `;height:${percent(span.height * 0.9)}`;
  return element(
    'span',
    {class: `bar ${span.look}`, style: `${place(from, to)}${height}`, title: `${title}, ${lasting(span)}`},
    roomFor(span.text.length * letterPx + 14, count)({from, to}) ? span.text : '',
  );
}

function barHtml(look: string, text: string, {from, to}: {from: Instant; to: Instant}, {axis}: Panel): Html {
  const style = place(axis.at(from), axis.at(to));
  return element('span', {class: look, style, title: `${text}, ${lasting({from, to})}`});
}

function lasting({from, to}: {readonly from: Instant; readonly to: Instant}): string {
  return `${timeText(from.atMs)} to ${timeText(to.atMs)} (${durationText(to.atMs - from.atMs)})`;
}

const letterPx = 6;
const timeTextRoom = 46;
const nameRoom = 60;
/** The narrowest page for which texts are fitted; on wider ones they have more room. */
const tracksPx = 1080;

/** True if a text of so many pixels fits between two parts of a track, of `count` tracks. */
function roomFor(px: number, count: number): (place: {readonly from: number; readonly to: number}) => boolean {
  return ({from, to}) => (to - from) * (tracksPx / count) >= px;
}

/** The lane in words, for who does not see it. */
function spokenLane({label, spans, moments}: Lane): string {
  const parts = spans.map(({text, from}) => `${text === '' ? 'there' : text} from ${timeText(from.atMs)}`);
  return `${label}: ${[...parts, `${moments.length} moments`].join(', ')}`;
}

// The marks of a lane: what happened at one moment, drawn over the bars.

/** Marks nearer than this part of the axis lie on each other. */
const closeMarks = 0.015;
const titledMax = 3;

/**
 * Marks of one kind that would lie on each other are one mark; of different kinds only the one that matters more is drawn, and
 * its title lists the others. Every moment stays within reach of pointer and keyboard.
 */
function marksHtml(moments: readonly Moment[], axis: TimeAxis): readonly Html[] {
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

function place(from: number, to: number): string {
  return `left:${percent(from)};width:${percent(Math.max(0, to - from))}`;
}

function percent(part: number): string {
  return `${Math.round(part * 10_000) / 100}%`;
}
