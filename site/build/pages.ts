// The pages of the site: README first, then every page of docs/, as they are in the repository. Links between pages lead
// to pages, links to anything else of the repository lead there.

import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {dirname, join, normalize, relative} from 'node:path';

export interface Page {
  /** Below the site's folder, without an ending: `index`, `operations`, `stories/s0-usage-left-behind`. */
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
}

const repository = 'https://github.com/crossplane-contrib/function-tether/blob/main';
/** How the pages stand in the menu; others come after these, by name. */
const order = [
  'index',
  'first-ten-minutes',
  'input',
  'operations',
  'security',
  'never-worse',
  'scenarios',
  'architecture',
];

export function pagesOf(root: string): readonly Page[] {
  const docs = readdirSync(join(root, 'docs'), {recursive: true, encoding: 'utf8'}).filter((name) =>
    name.endsWith('.md'),
  );
  const sources = ['README.md', 'CHANGELOG.md', ...docs.map((name) => join('docs', name))];
  const known = new Map(sources.map((source) => [source, pathOf(source)]));
  const pages = sources.map((source): Page => {
    const text = readFileSync(join(root, source), 'utf8');
    const title = /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? source;
    return {path: pathOf(source), title, markdown: withLinks(text, source, known, root)};
  });
  return pages.toSorted((one, other) => rank(one) - rank(other) || (one.path < other.path ? -1 : 1));
}

/** From one page to another, or to a file of the site: nothing depends on where the site lies. */
export function linkTo(path: string, from: string): string {
  const upwards = '../'.repeat(depthOf(from));
  return path === 'index' ? upwards || './' : `${upwards}${path}/`;
}

export function depthOf(path: string): number {
  return path === 'index' ? 0 : path.split('/').length;
}

function pathOf(source: string): string {
  if (source === 'README.md') return 'index';
  return source
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .toLowerCase();
}

function rank({path}: Page): number {
  const place = order.indexOf(path);
  return place >= 0 ? place : order.length + depthOf(path);
}

function withLinks(text: string, source: string, known: ReadonlyMap<string, string>, root: string): string {
  const from = pathOf(source);
  const pictures = text.replaceAll(/(src|srcset)="docs\//g, `$1="${'../'.repeat(depthOf(from))}`);
  return pictures.replaceAll(
    /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
    (whole, image: string, label: string, target: string) => {
      if (/^(https?:|mailto:|#)/.test(target)) return whole;
      const [file = '', anchor] = target.split('#');
      const here = normalize(join(dirname(source), file)).replace(/\/$/, '');
      if (image !== '') return `![${label}](${'../'.repeat(depthOf(from))}${relative('docs', here)})`;
      const page = known.get(here) ?? known.get(join(here, 'README.md'));
      const end = anchor === undefined ? '' : `#${anchor}`;
      if (page !== undefined) return `[${label}](${linkTo(page, from)}${end})`;
      if (!existsSync(join(root, here))) throw new Error(`${source}: a link leads to ${target}, which is not there`);
      const tree = statSync(join(root, here)).isDirectory() ? repository.replace('/blob/', '/tree/') : repository;
      return `[${label}](${tree}/${here}${end})`;
    },
  );
}
