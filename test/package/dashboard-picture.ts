// Draws docs/pictures/dashboard.svg: examples/monitoring/dashboard.json over the real metrics of a run, without Grafana.
//
// `node test/package/dashboard-picture.ts [SECONDS]`, with `prometheus` on PATH (Debian: prometheus). The image's program serves on this machine,
// scenarios of examples/ call it over gRPC again and again for so many seconds (default 120), and Prometheus scrapes it every second. Then
// each panel's own queries are asked of Prometheus, and their answers drawn: lines, the largest value, and the legend.

import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {freePort} from '../../src/harness/functions/function-pool.ts';
import {runScenarioFile} from '../../src/harness/library/harness.ts';
import {bundled, startProgram} from '../bench/program.ts';

interface Panel {
  readonly title: string;
  readonly gridPos: {readonly x: number; readonly y: number; readonly w: number; readonly h: number};
  readonly fieldConfig: {readonly defaults: {readonly unit: string}};
  readonly targets: readonly {readonly expr: string; readonly legendFormat: string}[];
}

interface Line {
  readonly name: string;
  readonly values: readonly (readonly [second: number, value: number])[];
}

const root = new URL('../../', import.meta.url).pathname;
const stories = [
  'restore-orphan/every-version/scenario.yaml',
  'never-worse/budget.yaml',
  'never-worse/kind-changed.yaml',
  'rename/scenario.yaml',
];
const namespace = 'crossplane-system';
const colours = ['#3b7dd8', '#d9822b', '#3c9d5b', '#b5548f', '#8a6fd1', '#c0453b', '#3a9ca6', '#8b8b2e', '#6b7785'];
const cell = {width: 32, height: 26};
const legendRows = 5;

const seconds = Number(process.argv[2] ?? 120);
const folder = mkdtempSync(join(tmpdir(), 'tether-dashboard-'));
const [port, metricsPort] = [await freePort(), await freePort()];
const {files, remove} = await bundled({tether: 'src/function/image.ts'});
const flags = ['--insecure', '--address=127.0.0.1:0', `--metrics-address=127.0.0.1:${metricsPort}`];
const server = await startProgram('tether', files.tether, flags);
const prometheus = startPrometheus();
try {
  const from = Date.now() / 1000;
  while (Date.now() / 1000 < from + seconds) {
    for (const story of stories) {
      await runScenarioFile(join(root, 'examples', story), {
        crossplane: 'main',
        functions: {'function-tether': {address: `127.0.0.1:${server.port}`}},
      });
    }
  }
  const {panels} = JSON.parse(readFileSync(join(root, 'examples/monitoring/dashboard.json'), 'utf8')) as {
    readonly panels: readonly Panel[];
  };
  const drawn: string[] = [];
  for (const panel of panels) drawn.push(panelSvg(panel, await linesOf(panel, from)));
  writeFileSync(join(root, 'docs/pictures/dashboard.svg'), picture(panels, drawn));
} finally {
  prometheus.kill();
  await server.stop();
  remove();
  rmSync(folder, {recursive: true, force: true, maxRetries: 5});
}

function startPrometheus() {
  const labels = {namespace, pod: 'function-tether-0'};
  const target = {targets: [`127.0.0.1:${metricsPort}`], labels};
  const config = {
    global: {scrape_interval: '1s'},
    scrape_configs: [{job_name: 'function-tether', static_configs: [target]}],
  };
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const options = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`];
  const child = spawn('prometheus', [...options, `--web.listen-address=127.0.0.1:${port}`], {stdio: 'ignore'});
  child.on('error', ({message}) => {
    console.error(`cannot start prometheus: ${message}`);
    process.exit(1);
  });
  return child;
}

async function linesOf({targets}: Panel, from: number): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const {expr, legendFormat} of targets) {
    const query = expr
      .replaceAll('$namespace', namespace)
      .replaceAll('$__rate_interval', '15s')
      .replaceAll('$__range', `${seconds}s`);
    const until = String(from + seconds);
    const asked = new URLSearchParams({query, start: String(from), end: until, step: String(seconds / 120)});
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query_range?${asked}`);
    const {data, error} = (await answer.json()) as {
      readonly error?: string;
      readonly data?: {
        readonly result: readonly {
          readonly metric: {readonly [label: string]: string};
          readonly values: readonly (readonly [number, string])[];
        }[];
      };
    };
    if (data === undefined) throw new Error(`Prometheus refuses ${query}: ${error}`);
    for (const {metric, values} of data.result) {
      const name = legendFormat.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => metric[label] ?? '');
      const finite = values.map(([at, value]) => [at - from, Number(value)] as const);
      lines.push({name, values: finite.filter(([, value]) => Number.isFinite(value))});
    }
  }
  return lines.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function panelSvg({title, gridPos, fieldConfig}: Panel, lines: readonly Line[]): string {
  const [x, y] = [gridPos.x * cell.width + 8, gridPos.y * cell.height + 8];
  const [width, height] = [gridPos.w * cell.width - 16, gridPos.h * cell.height - 16];
  const max = Math.max(...lines.flatMap(({values}) => values.map(([, value]) => value)), 0);
  const plot = {left: 10, top: 42, width: width - 20, height: height - 58 - Math.ceil(legendRows / 2) * 15};
  const across = (second: number) => (plot.left + (second / seconds) * plot.width).toFixed(1);
  const up = (value: number) => (plot.top + plot.height - (max === 0 ? 0 : value / max) * plot.height).toFixed(1);
  const shown = lines.toSorted((one, other) => peak(other) - peak(one)).slice(0, colours.length);
  const curves = shown.map(
    ({values}, index) =>
      `<polyline class="line" stroke="${colours[index]}" points="${values.map(([at, value]) => `${across(at)},${up(value)}`).join(' ')}"/>`,
  );
  const legend = shown.slice(0, 6).map(({name}, index) => {
    const [left, top] = [12 + (index % 2) * (width / 2), plot.top + plot.height + 20 + Math.floor(index / 2) * 15];
    return `<rect x="${left}" y="${top - 8}" width="8" height="8" fill="${colours[index]}"/><text x="${left + 13}" y="${top}" class="small">${escaped(name)}</text>`;
  });
  const none = lines.length === 0 ? `<text x="${width / 2}" y="${height / 2}" class="small middle">none</text>` : '';
  const most = lines.length === 0 ? '' : `at most ${valueText(max, fieldConfig.defaults.unit)}`;
  return `<g transform="translate(${x} ${y})"><rect class="panel" width="${width}" height="${height}" rx="4"/><text x="10" y="19" class="title">${escaped(title)}</text><text x="10" y="34" class="small">${most}</text><path class="axis" d="M${plot.left} ${plot.top + plot.height}h${plot.width}"/>${curves.join('')}${legend.join('')}${none}</g>`;
}

function peak({values}: Line): number {
  return Math.max(...values.map(([, value]) => value), 0);
}

function valueText(value: number, unit: string): string {
  switch (unit) {
    case 's':
      return `${(value * 1000).toFixed(1)} ms`;
    case 'bytes':
      return `${(value / 2 ** 20).toFixed(0)} MiB`;
    case 'reqps':
    case 'ops':
      return `${value.toFixed(1)} a second`;
    default:
      return value.toFixed(0);
  }
}

function picture(panels: readonly Panel[], drawn: readonly string[]): string {
  const height = Math.max(...panels.map(({gridPos: {y, h}}) => (y + h) * cell.height)) + 8;
  const style =
    '.panel{fill:#fff;stroke:#d5dae0}.title{font:600 12px sans-serif;fill:#1d2733}.small{font:11px sans-serif;fill:#566473}.middle{text-anchor:middle}.axis{stroke:#c3cad2}.line{fill:none;stroke-width:1.5}@media (prefers-color-scheme:dark){.panel{fill:#181d23;stroke:#333c46}.title{fill:#e6ebf0}.small{fill:#a5b1bd}.axis{stroke:#46515c}}';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${24 * cell.width} ${height}" role="img"><title>The dashboard of function-tether</title><style>${style}</style>\n${drawn.join('\n')}\n</svg>\n`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
