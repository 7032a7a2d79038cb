// The site: `npm run site` into dist/site. Static pages by Eleventy, a search index by Pagefind, the reports of all stories,
// the playground. Every link is relative, so it may lie anywhere.

import {cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import Eleventy from '@11ty/eleventy';
import * as pagefind from 'pagefind';
import {readColours} from '../../src/harness/report/html/assets.ts';
import {collectStories} from './collect-stories.ts';
import {amend} from './markdown.ts';
import {depthOf, linkTo, menuOf, type Page, pagesOf} from './pages.ts';
import {buildPlayground} from './playground.ts';
import {storyTable, writeStoryReports} from './story-reports.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** `stories` are those whose reports are written; answers how many pages there are. */
export async function buildSite(folder: string, stories = collectStories(join(root, 'examples'))): Promise<number> {
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  await buildPlayground(join(folder, 'playground'));
  const reports = writeStoryReports(stories, join(folder, 'reports'));
  const table: Page = {
    path: 'all-stories',
    title: 'Stories',
    group: undefined,
    markdown: storyTable(reports, '../reports/', '../playground/'),
  };
  const pages = [...pagesOf(root), table];
  await writePages(pages, folder);
  const schemas = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.schema.json'));
  for (const name of schemas) cpSync(join(root, 'docs', name), join(folder, name));
  const pictures = join(root, 'docs', 'pictures');
  if (existsSync(pictures)) cpSync(pictures, join(folder, 'pictures'), {recursive: true});
  const pageFiles = join(root, 'site', 'pages');
  for (const name of ['search.js', 'icon.svg']) cpSync(join(pageFiles, name), join(folder, name));
  writeFileSync(join(folder, 'site.css'), `${readColours()}\n${readFileSync(join(pageFiles, 'site.css'), 'utf8')}`);
  // Pages are served as they are: nothing of theirs begins with an underscore on purpose.
  writeFileSync(join(folder, '.nojekyll'), '');
  await writeIndex(folder);
  return pages.length + reports.length + 1;
}

async function writePages(pages: readonly Page[], folder: string): Promise<void> {
  const groups = menuOf(root);
  const eleventy = new Eleventy(join(root, 'site', 'pages'), folder, {
    quietMode: true,
    configPath: false,
    config: (config) => {
      config.amendLibrary('md', amend as (library: never) => void);
      config.setUseGitIgnore(false);
      for (const page of pages) {
        const {path, title, markdown} = page;
        const menu = groups.map((group) => ({
          title: group.title,
          entries: group.entries.map((entry) => ({
            label: entry.label,
            href: linkTo(entry.path, path),
            isHere: entry.path === path,
          })),
        }));
        const permalink = path === 'index' ? 'index.html' : `${path}/index.html`;
        const up = '../'.repeat(depthOf(path));
        const data = {layout: 'layout.njk', permalink, title, menu, up, templateEngineOverride: 'md'};
        config.addTemplate(`${path}.md`, markdown, data);
      }
    },
  });
  await eleventy.write();
}

async function writeIndex(folder: string): Promise<void> {
  const {index, errors} = await pagefind.createIndex({});
  if (index === undefined) throw new Error(errors.join('; '));
  await index.addDirectory({path: folder, glob: '**/index.html'});
  await index.writeFiles({outputPath: join(folder, 'pagefind')});
  await pagefind.close();
}
