import assert from 'node:assert/strict';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {after, before, describe, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {collectStories} from '../../site/build/collect-stories.ts';
import {seriousFindings} from './axe.ts';
import {type Tab, withTab} from './chromium.ts';
import {type Served, serveFolder} from './static-server.ts';

// The site as it is published, in a real Chromium: nothing leads nowhere, nothing serious against it, read without scripts.

const examples = fileURLToPath(new URL('../../examples', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tether-site-'));
/** By its address: its packages are installed for the browser tests alone, and the types of all else do without them. */
const siteModule = new URL('../../site/build/site.ts', import.meta.url).href;

interface SiteModule {
  buildSite(folder: string, stories: ReturnType<typeof collectStories>): Promise<number>;
}

let served: Served;

async function onPage(path: string, width: number, scheme: string, use: (tab: Tab) => Promise<void>): Promise<void> {
  await withTab({width, height: 900}, async (tab) => {
    await tab.send('Emulation.setDeviceMetricsOverride', {width, height: 900, deviceScaleFactor: 1, mobile: false});
    await tab.send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: scheme}]});
    await tab.open(`${served.address}${path}`);
    await use(tab);
    assert.deepEqual(tab.complaints, []);
    assert.deepEqual(
      tab.requested.filter((address) => !address.startsWith(served.address)),
      [],
      'the page asked somebody else',
    );
  });
}

/** Clicks on the first visible link of that text, and waits for its page. */
async function follow(tab: Tab, text: string): Promise<void> {
  const before = await tab.evaluate<string>('location.href');
  const isClicked = await tab.evaluate<boolean>(`(() => {
    const links = [...document.querySelectorAll('a')].filter((link) => link.offsetParent !== null);
    const link = links.find(({textContent}) => textContent.trim() === ${JSON.stringify(text)});
    link?.click();
    return link !== undefined;
  })()`);
  assert.ok(isClicked, `no link "${text}" on ${before}`);
  const isThere = `location.href !== ${JSON.stringify(before)} && document.readyState === 'complete'`;
  for (let turn = 0; turn < 100; turn++) {
    if (await tab.evaluate<boolean>(isThere).catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`the link "${text}" leads nowhere`);
}

describe('the site in Chromium', () => {
  before(async () => {
    // Of the reports two stand for all: there are no others in them.
    const {buildSite} = (await import(siteModule)) as SiteModule;
    await buildSite(folder, collectStories(examples).slice(0, 2));
    served = await serveFolder(folder);
  });
  after(() => {
    served.close();
    rmSync(folder, {recursive: true, force: true});
  });

  test('no link between its pages leads nowhere', () => {
    const pages = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter((name) =>
      name.endsWith('index.html'),
    );
    assert.ok(pages.length > 25, `${pages.length} pages`);
    const lost: string[] = [];
    for (const page of pages) {
      const text = readFileSync(join(folder, page), 'utf8');
      for (const [, target = ''] of text.matchAll(/(?:href|src|srcset)="([^"]+)"/g)) {
        if (/^(https?:|mailto:|data:)/.test(target)) continue;
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? join(folder, page) : join(folder, dirname(page), path);
        const whole = path === '' || !file.endsWith('/') ? file : join(file, 'index.html');
        if (!existsSync(whole)) lost.push(`${page}: ${target}`);
        else if (anchor !== undefined && anchor !== '' && whole.endsWith('.html')) {
          if (!readFileSync(whole, 'utf8').includes(`id="${anchor}"`)) lost.push(`${page}: ${target}`);
        }
      }
    }
    assert.deepEqual(lost, []);
  });

  for (const [path, width, scheme] of [
    ['/', 1280, 'light'],
    ['/', 640, 'dark'],
    ['/reference/input/', 640, 'light'],
    ['/all-stories/', 1280, 'dark'],
    ['/reports/restore-orphan-every-version.html', 640, 'light'],
    ['/reports/restore-orphan-every-version.html', 1280, 'dark'],
  ] as const) {
    test(`${path} has nothing serious against it at ${width}, ${scheme}, and fits its window`, async () => {
      await onPage(path, width, scheme, async (tab) => {
        assert.deepEqual(await seriousFindings(tab), []);
        assert.ok(
          await tab.evaluate('document.documentElement.scrollWidth <= window.innerWidth'),
          'wider than its window',
        );
      });
    });
  }

  for (const [words, path, section] of [
    ['restore stuck', '/runbooks/restore-half-done/', ''],
    ['Refusing', '/runbooks/xr-refusing/', ''],
    ['orphan', '/runbooks/restore-half-done/', ''],
    ['external name', '/how-to/keep-external-names/', '#'],
  ] as const) {
    test(`the search finds ${words}, by keyboard`, async () => {
      await onPage('/reference/operations/', 1280, 'light', async (tab) => {
        await tab.press('/');
        assert.equal(await tab.evaluate('document.activeElement.id'), 'query');
        await tab.send('Input.insertText', {text: words});
        const isFound = `document.querySelectorAll('#results > li > a').length > 2`;
        for (let turn = 0; turn < 200 && !(await tab.evaluate(isFound)); turn++) {
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        const found = await tab.evaluate<readonly string[]>(
          `[...document.querySelectorAll('#results > li > a')].map(({href}) => new URL(href).pathname)`,
        );
        assert.ok(found.slice(0, 3).includes(path), found.join(' '));
        const targets = await tab.evaluate<string>(
          `[...document.querySelectorAll('#results a')].map(({href}) => href).join(' ')`,
        );
        assert.ok(targets.includes(section));
        await tab.press('Escape');
        assert.equal(await tab.evaluate(`document.getElementById('results').hidden`), true);
      });
    });
  }

  test('the answer to a half-done restore is one click from home, at the top of a narrow window, too', async () => {
    await onPage('/', 640, 'light', async (tab) => {
      const [link, menu, main] = await tab.evaluate<readonly number[]>(
        `['main a[href="runbooks/restore-half-done/"]', '#menu', 'main'].map((name) => document.querySelector(name).getBoundingClientRect().top)`,
      );
      assert.ok(link !== undefined && menu !== undefined && main !== undefined && menu < main && main < link);
      assert.equal(await tab.evaluate(`document.getElementById('menu').open`), false);
    });
  });

  test('the menu has groups, with Install and Runbooks in the head of each page, and a page its own contents', async () => {
    await onPage('/how-to/restore-a-backup/', 1280, 'light', async (tab) => {
      const texts = (selector: string) =>
        tab.evaluate<readonly string[]>(
          `[...document.querySelectorAll('${selector}')].map(({textContent}) => textContent)`,
        );
      const groups = ['Start', 'How to', 'Runbooks', 'Reference', 'Background', 'Contributing'];
      assert.deepEqual(await texts('nav[aria-label="pages"] h2'), groups);
      assert.deepEqual((await texts('nav[aria-label="first steps"] a')).slice(0, 2), ['Install', 'Runbooks']);
      const headings = await texts('main h2');
      assert.ok(headings.length > 5);
      const sections = await texts('nav[aria-label="sections of this page"] a');
      assert.deepEqual(
        sections,
        headings.map((heading) => heading.replace(/ #$/, '')),
      );
      await tab.evaluate(`document.querySelector('nav[aria-label="sections of this page"] a:last-child').click()`);
      assert.notEqual(await tab.evaluate('location.hash'), '');
    });
  });

  // A reader who knows only the home page: the links to click on, and the words of the answer. Five seconds for a click,
  // and four words a second for all that stands above the answer.
  for (const [question, links, answer] of [
    ['my restore is half done, what now', ['My restore is half done'], 'Find the message in this table'],
    ['my XR refuses something', ['My XR refuses something'], 'If that owner is gone, remove the owner reference'],
    ['how do I let a held resource go', ['My XR holds a resource'], 'confirm-removal=NAME'],
    ['what does a reason mean', ['Flags, metrics, conditions, decisions', 'The condition Tethered'], 'HandingOver'],
    ['the pods are out of memory', ['Pods run out of memory'], 'Plan 256 MiB for a pod'],
    ['rotate the key', ['Rotate the key of remembered names'], 'Put the new key before the old one'],
    ['what holds a deletion', ['A deletion is stuck'], 'and a Usage names the object'],
    ['how do I install it', ['Install'], 'package: registry.example.org'],
    ['a network before its database', ['Order creation and deletion'], 'created from left to right'],
    ['test my own Composition', ['Test your Composition'], 'init FOLDER'],
    ['move a bucket to another XR', ['Move to another XR'], 'Both Compositions need a rule'],
    ['migrate from function-sequencer', ['Migrate from function-sequencer'], 'functionRef to function-tether'],
  ] as const) {
    test(`"${question}" is answered within three clicks and a minute`, async (context) => {
      await onPage('/', 1280, 'light', async (tab) => {
        for (const link of links) await follow(tab, link);
        const above = await tab.evaluate<number>(`(() => {
          const heading = document.querySelector('main').querySelector(location.hash || 'h1');
          const text = document.querySelector('main').innerText;
          const from = text.indexOf(heading.innerText);
          const to = text.indexOf(${JSON.stringify(answer)}, from);
          return to < 0 ? -1 : text.slice(from, to).split(/\\s+/).length;
        })()`);
        assert.ok(above >= 0, `the page lacks: ${answer}`);
        const seconds = links.length * 5 + Math.ceil(above / 4);
        context.diagnostic(`${links.length} clicks, ${seconds} s`);
        assert.ok(links.length <= 3 && seconds <= 60, `${links.length} clicks, ${seconds} s`);
      });
    });
  }

  test('no flag is broken over two lines', async () => {
    await onPage('/reference/operations/', 640, 'light', async (tab) => {
      const broken = `[...document.querySelectorAll('td code')].filter((code) => code.textContent.startsWith('--') && code.getClientRects().length > 1)`;
      assert.deepEqual(await tab.evaluate(`${broken}.map((code) => code.textContent)`), []);
      assert.ok((await tab.evaluate<number>(`document.querySelectorAll('code.flag').length`)) > 8);
    });
  });

  test('a build that fails leaves the old site as it was', async () => {
    const {buildSite} = (await import(siteModule)) as SiteModule;
    const before = readdirSync(folder, {recursive: true, encoding: 'utf8'}).sort();
    const broken = collectStories(examples)
      .slice(0, 1)
      .map((story) => ({...story, files: {}}));
    await assert.rejects(buildSite(folder, broken));
    assert.deepEqual(readdirSync(folder, {recursive: true, encoding: 'utf8'}).sort(), before);
  });

  test('a build that was killed between its two last steps gives the old site back', async () => {
    const {buildSite} = (await import(siteModule)) as SiteModule;
    const other = join(folder, '..', `${basename(folder)}-killed`);
    mkdirSync(`${other}.old`);
    writeFileSync(join(`${other}.old`, 'index.html'), 'the old site');
    const broken = collectStories(examples)
      .slice(0, 1)
      .map((story) => ({...story, files: {}}));
    await assert.rejects(buildSite(other, broken));
    assert.equal(readFileSync(join(other, 'index.html'), 'utf8'), 'the old site');
    for (const each of [other, `${other}.next`]) rmSync(each, {recursive: true, force: true});
  });

  test('is read without scripts, menu and all', async () => {
    await withTab({width: 1280, height: 900}, async (tab) => {
      await tab.send('Emulation.setScriptExecutionDisabled', {value: true});
      await tab.open(`${served.address}/reference/scenarios/`);
      await tab.send('Emulation.setScriptExecutionDisabled', {value: false});
      assert.ok((await tab.evaluate<number>(`document.querySelectorAll('nav[aria-label="pages"] a').length`)) > 20);
      assert.equal(await tab.evaluate(`document.getElementById('search').hidden`), true);
      assert.ok((await tab.evaluate<number>(`document.querySelector('main').innerText.length`)) > 2000);
    });
  });
});
