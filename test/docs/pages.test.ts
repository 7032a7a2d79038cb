import {existsSync, globSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {parseAllDocuments} from 'yaml';
import packageJson from '../../package.json' with {type: 'json'};
import {parseInput} from '../../src/lifecycle/input/parse.ts';
import type {Json} from '../../src/lifecycle/words/json.ts';

// Pages a newcomer reads: links lead somewhere, commands are there, inputs are inputs.

const root = new URL('../../', import.meta.url);
const pages = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], {
  cwd: fileURLToPath(root),
  exclude: (path) => path.includes('node_modules'),
}).sort();

describe.each(pages)('%s', (file) => {
  const page = readFileSync(new URL(file, root), 'utf8');

  test('has links that lead somewhere', () => {
    for (const [, target = ''] of page.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path = '', section] = target.split('#');
      const linked = path === '' ? new URL(file, root) : new URL(path, new URL(file, root));
      expect(existsSync(linked), target).toBe(true);
      if (section !== undefined && linked.pathname.endsWith('.md'))
        expect(sectionsOf(linked), target).toContain(section);
    }
  });

  test('names npm scripts that are there', () => {
    for (const [, script = ''] of page.matchAll(/npm run (?:--silent )?([\w:-]+)/g)) {
      expect(Object.keys(packageJson.scripts)).toContain(script);
    }
  });

  test('lists Usages of both groups: of Crossplane 2, kubectl takes bare `usages` for the old group alone', () => {
    for (const [, , kinds = ''] of page.matchAll(/kubectl (get|describe) ([\w.,]+)/g)) {
      expect(kinds.split(','), kinds).not.toContain('usages');
    }
  });

  test('shows inputs that the function takes', () => {
    for (const [, , block = ''] of page.matchAll(/^```(yaml|yml)\n([\s\S]*?)^```$/gm)) {
      for (const input of inputsIn(parseAllDocuments(block).map((document) => document.toJS() as unknown))) {
        expect(parseInput(input as Json)).toMatchObject({kind: 'input'});
      }
    }
  });
});

describe('docs/README.md', () => {
  const contents = readFileSync(new URL('docs/README.md', root), 'utf8');

  test('lists every page of docs but the reports for upstream, which have an index', () => {
    const listed = [...contents.matchAll(/^- \[[^\]]+\]\(([^)#]+)/gm)].map(([, target]) => `docs/${target}`);
    const ours = pages.filter((page) => /^docs\/.+\//.test(page) && !/upstream\/(?!README)/.test(page));
    expect(listed.filter((page) => !page.includes('..')).sort()).toEqual(ours);
  });
});

/** Names of the headings, as GitHub and the site make them. */
function sectionsOf(page: URL): readonly string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

function inputsIn(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return [];
  const {apiVersion, kind} = value as {apiVersion?: unknown; kind?: unknown};
  if (kind === 'Input' && apiVersion === 'tether.fn.crossplane.io/v1beta1') return [value];
  return Object.values(value).flatMap(inputsIn);
}
