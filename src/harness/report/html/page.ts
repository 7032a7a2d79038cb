// One self-contained page: no network, no file beside it, works from file://. The same runs give the same bytes.

import {createHash} from 'node:crypto';
import type {RunResult} from '../../scenario/run-result.ts';
import {runTitle} from '../console.ts';
import {type Chart, chartOf, type RecordedRun} from '../lanes/chart.ts';
import type {PageAssets} from './assets.ts';
import {bannerHtml, cardsHtml} from './banner.ts';
import {dataElement, element, type Html, rawElement} from './element.ts';
import {lanesHtml} from './lanes-table.ts';
import {markGlyphs} from './mark-glyphs.ts';
import {chartData, collectTexts} from './page-data.ts';
import {stepsHtml} from './steps.ts';

/** Throws where a run was not recorded. */
export function htmlReport(runs: readonly RunResult[], {style, script}: PageAssets): string {
  const recorded = runs.map(requireHistory);
  const charts = [...Map.groupBy(recorded, ({scenario, crossplane}) => `${scenario}\n${crossplane}`).values()].map(
    chartOf,
  );
  const texts = collectTexts();
  const data = charts.map((chart) => chartData(chart, texts));
  const title = titleOf(recorded);
  const body = [
    element('a', {class: 'skip', href: '#chart-0'}, 'Skip to the lanes'),
    element('header', {}, element('h1', {}, title), bannerHtml(recorded), overviewHtml(charts)),
    element('main', {}, ...charts.map(chartHtml)),
    element('aside', {id: 'detail', 'aria-label': 'the selected moment', 'aria-live': 'polite', hidden: true}),
    dataElement('data', {texts: texts.list(), charts: data}),
    rawElement('script', {type: 'module'}, script),
  ];
  const head = element(
    'head',
    {},
    element('meta', {charset: 'utf-8'}),
    element('meta', {'http-equiv': 'Content-Security-Policy', content: policyFor(script)}),
    element('meta', {name: 'viewport', content: 'width=device-width, initial-scale=1'}),
    element('meta', {name: 'color-scheme', content: 'light dark'}),
    element('title', {}, `${title}: tether test`),
    rawElement('style', {}, style),
  );
  return `<!doctype html>\n${element('html', {lang: 'en'}, head, '\n', element('body', {}, ...body)).html}\n`;
}

function requireHistory(run: RunResult): RecordedRun {
  if (run.history === undefined) throw new Error(`${runTitle(run)} was not recorded`);
  return {...run, history: run.history};
}

/** Only this page's own script runs, and nothing is loaded. */
function policyFor(script: string): string {
  const hash = createHash('sha256').update(script.replaceAll('</', '<\\/')).digest('base64');
  return `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
}

function titleOf(runs: readonly RecordedRun[]): string {
  return [...new Set(runs.map(({scenario}) => scenario))].join(', ') || 'no runs';
}

/** Links, where there is more than one chart to choose from. */
function overviewHtml(charts: readonly Chart[]): Html | string {
  if (charts.length < 2) return '';
  const items = charts.map(({panels}, index) => {
    const failed = panels.filter(({run}) => run.failures.length > 0).length;
    const word = failed === 0 ? 'as expected' : `${failed} failed`;
    const chip = element('span', {class: failed === 0 ? 'chip ok' : 'chip failed'}, word);
    return element('li', {}, element('a', {href: `#chart-${index}`}, chartTitle(charts[index])), ' ', chip);
  });
  return element('nav', {'aria-label': 'runs'}, element('ul', {class: 'overview'}, ...items));
}

function chartTitle(chart: Chart | undefined): string {
  const run = chart?.panels[0]?.run;
  return run === undefined ? '' : `${run.scenario} on Crossplane ${run.crossplane}`;
}

function chartHtml(chart: Chart, index: number): Html {
  const description = chart.panels[0]?.run.description ?? '';
  return element(
    'section',
    {id: `chart-${index}`, class: 'chart'},
    element('h2', {}, chartTitle(chart)),
    description === '' ? '' : element('p', {class: 'description'}, description),
    cardsHtml(chart.panels.map(({run}) => run)),
    controlsHtml(index),
    lanesHtml(chart, index),
    legendHtml(),
    stepsHtml(chart, index),
  );
}

// The legend of bars and marks, and the switch that leaves the calm rows out.

const bars: readonly (readonly [string, string])[] = [
  ['not-ready', 'not ready'],
  ['ready', 'ready'],
  ['unowned', 'no owner: lives, is listed, not adopted'],
  ['held', 'held by a function'],
  ['deleting', 'deleting'],
  ['orphaned', 'orphan'],
  ['present', 'there'],
];

/** The switch stands before the lanes that it changes. */
function controlsHtml(chart: number): Html {
  const id = `fateful-${chart}`;
  return element(
    'p',
    {class: 'controls'},
    element('input', {type: 'checkbox', id, class: 'fateful'}),
    ' ',
    element('label', {for: id}, 'only rows with something held, refused or lost'),
    element(
      'span',
      {class: 'hint'},
      'Point at a row, or focus it and use the arrow keys: each moment shows who did what and what changed. Enter pins, Escape closes.',
    ),
  );
}

/** The legend stands below the lanes: a reader looks at the lanes first. */
function legendHtml(): Html {
  const swatches = bars.map(([look, text]) =>
    element('li', {}, element('span', {class: `swatch bar ${look}`}), ` ${text}`),
  );
  const glyphs = Object.values(markGlyphs).map(({glyph, look, legend}) =>
    element('li', {}, element('span', {class: `mark ${look}`}, glyph), ` ${legend}`),
  );
  const external = element('li', {}, element('span', {class: 'swatch external'}), ' alive in the cloud');
  const double = element('li', {}, element('span', {class: 'swatch external double'}), ' a second one of the same');
  const pause = element('li', {}, element('span', {class: 'swatch pause'}), ' nothing happens for long');
  return element(
    'div',
    {class: 'legend'},
    element('ul', {'aria-label': 'legend'}, ...swatches, external, double, pause, ...glyphs),
  );
}
