// What the page shows of the runs: a card each, the lanes up to this moment, and the steps in words. The markup of lanes
// and steps is the report's own.

import {timeText} from '../../src/harness/control-plane/record/condense.ts';
import {lanesHtml} from '../../src/harness/report/html/lanes-table.ts';
import {controlsHtml, legendHtml} from '../../src/harness/report/html/page.ts';
import {chartData, collectTexts} from '../../src/harness/report/html/page-data.ts';
import {attach} from '../../src/harness/report/html/report-page.js';
import {stepsHtml} from '../../src/harness/report/html/steps.ts';
import type {Chart, ChartRow} from '../../src/harness/report/lanes/chart.ts';
import type {Target} from './intervene.ts';
import {countsAt, instantAt} from './moments.ts';

/** The element of the page with that id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found as T;
}

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  look: string,
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (look !== '') made.className = look;
  made.append(...content);
  return made;
}

export interface Pinned {
  readonly row: number;
  readonly panel: number;
  /** In per mille of the axis. */
  readonly x: number;
}

/** The whole chart; `showMoment` draws the curtain over it. */
export function showChart(chart: Chart, onPin: (pinned: Pinned) => void): void {
  const texts = collectTexts();
  const data = chartData(chart, texts);
  const whole = make('div', '');
  whole.innerHTML = controlsHtml(0).html + lanesHtml(chart, 0).html;
  byId('lanes').replaceChildren(whole);
  byId('legend').innerHTML = legendHtml().html;
  byId('steps').innerHTML = stepsHtml(chart, 0).html;
  byId('detail').hidden = true;
  attach(whole, {texts: texts.list(), charts: [data]}, byId('detail'), onPin);
}

/** The moment at `x` (0 to 1): the curtain, the time of each run, and the counts on the cards. */
export function showMoment(chart: Chart, x: number): void {
  byId('lanes').style.setProperty('--now', `${x * 100}%`);
  byId<HTMLInputElement>('moment').value = String(Math.round(x * 1000));
  const times = chart.panels.map((panel) => {
    const {step, atMs} = instantAt(panel, x);
    return {text: timeText(atMs), name: `${step + 1}. ${panel.axis.steps[step]?.name ?? ''}`};
  });
  const [first] = times;
  const isSame = times.every(({text}) => text === first?.text);
  const said = `${first?.name ?? ''}, ${isSame ? first?.text : times.map(({text}) => text).join(' and ')}`;
  byId('now').textContent = said;
  byId('moment').setAttribute('aria-valuetext', said);
  byId('cards').replaceChildren(...chart.panels.map((_, panel) => cardAt(chart, panel, x)));
}

function cardAt(chart: Chart, index: number, x: number): HTMLElement {
  const panel = chart.panels[index];
  if (panel === undefined) throw new Error('no such panel');
  const {orphans, doubled, destroyed, alive, creates, deletes} = countsAt(chart, index, instantAt(panel, x));
  const stuck = x >= 1 ? panel.run.stuck : [];
  const fact = (count: number, what: string, isBad = false): HTMLElement =>
    make(
      'li',
      isBad ? 'bad' : '',
      make('b', '', String(count)),
      ` ${what}${count === 1 || !/^(orphan|create|delete)$/.test(what) ? '' : 's'}`,
    );
  const facts = [
    fact(orphans, 'orphan', orphans > 0),
    ...(destroyed === 0 ? [] : [fact(destroyed, 'destroyed', true)]),
    ...(doubled === 0 ? [] : [fact(doubled, 'doubled', true)]),
    ...(stuck.length === 0 ? [] : [fact(stuck.length, 'stuck', true)]),
    fact(alive, 'alive in the cloud'),
    fact(creates, 'create'),
    fact(deletes, 'delete'),
  ];
  const isBad = orphans + doubled + destroyed + stuck.length > 0;
  const title = make('h3', '', panel.run.variant || panel.run.scenario);
  const parts: Node[] = [title, make('ul', 'facts', ...facts)];
  if (x >= 1) {
    const {failures} = panel.run;
    if (stuck.length > 0) parts.push(make('p', 'small', `Stuck for ever: ${stuck.join('; ')}`));
    const [failure] = failures;
    if (failure !== undefined) parts.push(make('p', 'small', `Not as the story was written: ${failure.message}`));
  }
  return make('article', isBad ? 'card failed' : 'card', ...parts);
}

export interface Living {
  readonly title: string;
  readonly target: Target;
}

/** What lives at `x` and has a person who could edit it: XRs and composed resources. */
export function livingAt(chart: Chart, x: number): readonly Living[] {
  return chart.groups
    .filter(({rank}) => rank === 1 || rank === 2)
    .flatMap(({rows}) => rows.filter((row) => livesAt(chart, row, x)).flatMap(targetOf));
}

function livesAt({panels}: Chart, {lanes}: ChartRow, x: number): boolean {
  return lanes.some((lane, index) =>
    lane?.spans.some(({from, to}) => {
      const axis = panels[index]?.axis;
      return axis !== undefined && axis.at(from) <= x && axis.at(to) >= x;
    }),
  );
}

/** A row's object, as a scenario names it: composed resources by their name in the pipeline. */
function targetOf({label, fullName}: ChartRow): readonly Living[] {
  const match = /^(\S+) (?:(\S+)\/)?(\S+) \(\S+\)$/.exec(fullName);
  const [, kind, namespace, name] = match ?? [];
  if (kind === undefined || name === undefined) return [];
  const which = name === label ? {name, ...(namespace === undefined ? {} : {namespace})} : {resource: label};
  return [{title: `${kind} ${label}`, target: {kind, ...which}}];
}
