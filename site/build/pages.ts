// The pages of the site: README.md, CHANGELOG.md, CONTRIBUTING.md and every page of docs, as they are in the repository.
//
// docs/README.md lists the pages in groups, and that list is the menu. Links between pages lead to pages of the site, links to
// other files lead to the repository.

import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {dirname, join, normalize, relative} from 'node:path';

export interface Page {
  /** Below the site's folder, without an ending: `index`, `how-to/scale`. */
  readonly path: string;
  readonly title: string;
  /** The heading of docs/README.md that lists the page; none for a page that only another page links. */
  readonly group: string | undefined;
  readonly markdown: string;
}

export interface MenuGroup {
  readonly title: string;
  readonly entries: readonly {readonly label: string; readonly path: string}[];
}

const repository = 'https://github.com/crossplane-contrib/function-tether/blob/main';
const contents = 'docs/README.md';

export function pagesOf(root: string): readonly Page[] {
  const sources = sourcesIn(root);
  const known = new Map(sources.map((source) => [source, pathOf(source)]));
  const menu = menuOf(root);
  return sources.map((source): Page => {
    const text = readFileSync(join(root, source), 'utf8');
    const title = /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? source;
    const path = pathOf(source);
    const group = menu.find(({entries}) => entries.some((entry) => entry.path === path))?.title;
    return {path, title, group, markdown: withLinks(text, source, known, root)};
  });
}

/** The groups of docs/README.md with the pages that each lists. */
export function menuOf(root: string): readonly MenuGroup[] {
  const [, ...sections] = readFileSync(join(root, contents), 'utf8').split(/^## /m);
  return sections.map((section): MenuGroup => {
    const [title = ''] = section.split('\n');
    const links = [...section.matchAll(/^- \[([^\]]+)\]\(([^)#]+)\)/gm)];
    const entries = links.map(([, label = '', target = '']) => ({
      label,
      path: pathOf(normalize(join(dirname(contents), target))),
    }));
    return {title, entries};
  });
}

/** From one page to another, or to a file of the site: nothing depends on where the site lies. */
export function linkTo(path: string, from: string): string {
  const upwards = '../'.repeat(depthOf(from));
  return path === 'index' ? upwards || './' : `${upwards}${path}/`;
}

export function depthOf(path: string): number {
  return path === 'index' ? 0 : path.split('/').length;
}

function sourcesIn(root: string): readonly string[] {
  const docs = readdirSync(join(root, 'docs'), {recursive: true, encoding: 'utf8'}).filter((name) =>
    name.endsWith('.md'),
  );
  return ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...docs.map((name) => join('docs', name)).sort()];
}

function pathOf(source: string): string {
  if (source === 'README.md') return 'index';
  if (source === contents) return 'docs';
  return source
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .toLowerCase();
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
