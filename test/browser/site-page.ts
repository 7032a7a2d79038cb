import assert from 'node:assert/strict';
import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
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

  test('the search finds a page, by keyboard', async () => {
    await onPage('/reference/operations/', 1280, 'light', async (tab) => {
      for (let press = 0; press < 12; press++) {
        if (await tab.evaluate(`document.activeElement.id === 'query'`)) break;
        await tab.press('Tab');
      }
      await tab.send('Input.insertText', {text: 'external name'});
      for (let turn = 0; turn < 200; turn++) {
        if (await tab.evaluate(`document.querySelectorAll('#results a').length > 2`)) break;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      assert.match(await tab.evaluate(`document.getElementById('results').textContent`), /external name/i);
    });
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
