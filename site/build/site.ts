// The site: `npm run site` into dist/site. Static pages by Eleventy, a search index by Pagefind, the reports of all stories,
// the playground. Every link is relative, so it may lie anywhere.

import {cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import Eleventy from '@11ty/eleventy';
import * as pagefind from 'pagefind';
import {readColours} from '../../src/harness/report/html/assets.ts';
import type {StoryTexts} from '../playground/workspace.ts';
import {collectStories} from './collect-stories.ts';
import {amend, sectionsOf} from './markdown.ts';
import {depthOf, linkTo, menuOf, type Page, pagesOf} from './pages.ts';
import {buildPlayground} from './playground.ts';
import {storyTable, writeStoryReports} from './story-reports.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Builds the site and returns the number of its pages. `stories` are those with a report. The old site stays until the new one is
 * whole: a build that fails or is stopped leaves it as it was.
 */
export async function buildSite(folder: string, stories = collectStories(join(root, 'examples'))): Promise<number> {
  const target = folder.replace(/\/$/, '');
  const [next, old] = [`${target}.next`, `${target}.old`];
  // A build that was killed between its two renames left no site, and the old one here.
  if (!existsSync(target) && existsSync(old)) renameSync(old, target);
  for (const leftover of [next, old]) rmSync(leftover, {recursive: true, force: true});
  mkdirSync(next, {recursive: true});
  const count = await writeSite(next, stories);
  if (existsSync(target)) renameSync(target, old);
  renameSync(next, target);
  rmSync(old, {recursive: true, force: true});
  return count;
}

async function writeSite(folder: string, stories: readonly StoryTexts[]): Promise<number> {
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
  const schemas = readdirSync(join(root, 'docs')).filter((name) => /\.schema\.json$|^schema-catalog\.json$/.test(name));
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
        const sections = sectionsOf(markdown);
        const group = page.group ?? '';
        const data = {layout: 'layout.njk', permalink, title, menu, sections, group, up, templateEngineOverride: 'md'};
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
