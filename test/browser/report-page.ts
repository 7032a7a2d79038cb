import assert from 'node:assert/strict';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, describe, test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {readPageAssets} from '../../src/harness/report/html/assets.ts';
import {htmlReport} from '../../src/harness/report/html/page.ts';
import {exampleRun, hostile, rewritten} from '../harness/report/example-run.ts';
import {chromiumPath, type Tab, withTab} from './chromium.ts';

// The report page in a real Chromium, from the disk: `npm run test:browser`. CHROMIUM names the browser; without one this
// fails with a sentence. What needs no browser is in test/harness/report/html and runs with `npm test`.

const folder = mkdtempSync(join(tmpdir(), 'tether-page-'));
const without = {...exampleRun('main'), variant: 'without'};
const deleted = {...exampleRun('1.19'), crossplane: 'main' as const, variant: 'deleted'};
const size = {width: 1440, height: 900};

function saved(name: string, runs: Parameters<typeof htmlReport>[0]): string {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, htmlReport(runs, readPageAssets()));
  return pathToFileURL(file).href;
}

const selected = `document.querySelector('td.selected')`;
const detail = `document.getElementById('detail')`;
const rowNumber = (label: string): string =>
  `Number([...document.querySelectorAll('table.lanes tbody tr')].find((row) => row.firstChild.textContent.startsWith(${JSON.stringify(label)})).querySelector('td').dataset.row)`;

async function inPage(url: string, use: (tab: Tab) => Promise<void>): Promise<void> {
  await withTab(size, async (tab) => {
    await tab.open(url);
    await use(tab);
    assert.deepEqual(tab.complaints, []);
    assert.deepEqual(
      tab.requested.filter((address) => address !== url),
      [],
      'the page asked for something else',
    );
  });
}

describe('the report page in Chromium', () => {
  let page = '';
  before(() => {
    chromiumPath();
    page = saved('page', [without, deleted]);
  });
  after(() => rmSync(folder, {recursive: true, force: true}));

  test('opens from the disk without a network, without a complaint, and shows its lanes', async () => {
    await inPage(page, async (tab) => {
      assert.equal(await tab.evaluate(`document.querySelector('.banner').textContent`), 'Both runs went as expected.');
      const bars = await tab.evaluate<readonly {readonly look: string; readonly width: number}[]>(
        `[...document.querySelectorAll('td[data-row] .bar')].map((bar) => ({look: bar.className, width: bar.getBoundingClientRect().width}))`,
      );
      assert.ok(bars.length > 10);
      assert.ok(bars.filter(({width}) => width > 1).length > bars.length * 0.8);
      const wide = await tab.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth');
      assert.ok(wide, 'the page is wider than its window');
    });
  });

  test('the keyboard reaches every lane, and each moment tells what changed', async () => {
    await inPage(page, async (tab) => {
      let presses = 0;
      do await tab.press('Tab');
      while (!(await tab.evaluate(`document.activeElement.matches('td[data-row]')`)) && ++presses < 40);
      assert.equal(await tab.evaluate(`${selected} === document.activeElement`), true);
      const wanted = await tab.evaluate<number>(rowNumber('b Bucket'));
      for (let row = 0; row < wanted; row++) await tab.press('ArrowDown');
      assert.equal(await tab.evaluate(`${selected}.dataset.row`), String(wanted));
      const texts: string[] = [];
      await tab.press('Home');
      for (let moment = 0; moment < 30; moment++) {
        texts.push(await tab.evaluate(`${detail}.textContent`));
        if ((await tab.evaluate(`${selected}.dataset.panel`)) === '1') break;
        await tab.press('ArrowRight');
      }
      const told = texts.join('\n');
      assert.match(told, /created b \(Bucket\)/);
      assert.match(told, /b \(Bucket\) is an orphan/);
      assert.match(told, /compared with what was lost/);
      assert.match(told, /-\s+ownerReferences:/);
      assert.match(texts.at(-1) ?? '', /^b: Bucket .*deleted, /);
      await tab.press('Escape');
      assert.equal(await tab.evaluate(`${detail}.hidden`), true);
    });
  });

  test('the pointer shows the moment under it, a click keeps it', async () => {
    await inPage(page, async (tab) => {
      const box = await tab.evaluate<{readonly x: number; readonly y: number; readonly width: number}>(
        `(() => { const cell = document.querySelector('td[data-panel="0"][data-row="' + ${rowNumber('b Bucket')} + '"]'); cell.scrollIntoView({block: 'center'}); return cell.getBoundingClientRect().toJSON(); })()`,
      );
      const move = (x: number, y: number) => tab.send('Input.dispatchMouseEvent', {type: 'mouseMoved', x, y});
      await move(box.x + 4, box.y + 10);
      assert.match(await tab.evaluate(`${detail}.textContent`), /created b/);
      const at = {x: box.x + box.width - 4, y: box.y + 10, button: 'left', clickCount: 1};
      await tab.send('Input.dispatchMouseEvent', {type: 'mousePressed', ...at});
      await tab.send('Input.dispatchMouseEvent', {type: 'mouseReleased', ...at});
      const pinned = await tab.evaluate<string>(`${detail}.textContent`);
      assert.match(pinned, /is an orphan/);
      await move(box.x + 4, box.y + 10);
      assert.equal(await tab.evaluate(`${detail}.textContent`), pinned);
    });
  });

  test('the switch leaves only the rows where something ended badly or began to', async () => {
    await inPage(page, async (tab) => {
      const shown = `[...document.querySelectorAll('tr:has(td[data-row])')].filter((row) => row.offsetParent !== null).map((row) => row.firstChild.textContent)`;
      const all = await tab.evaluate<readonly string[]>(shown);
      await tab.evaluate(`document.querySelector('.fateful').click()`);
      const some = await tab.evaluate<readonly string[]>(shown);
      assert.ok(all.includes('a Bucket') && !some.includes('a Bucket'));
      assert.ok(some.includes('b Bucket'));
    });
  });

  test('cuts labels from the left, so that they differ, and fits a window of 640', async () => {
    const long = rewritten(without, (text, key) =>
      key.endsWith('composition-resource-name') ? `${'a-long-name-'.repeat(8)}${text}` : text,
    );
    await inPage(saved('long', [long, deleted]), async (tab) => {
      const cut = await tab.evaluate<readonly boolean[]>(`[...document.querySelectorAll('.label')]
        .filter((label) => label.scrollWidth > label.clientWidth)
        .map((label) => {
          const box = label.getBoundingClientRect();
          const text = label.querySelector('bdi').firstChild;
          const last = document.createRange();
          last.setStart(text, text.length - 1);
          last.setEnd(text, text.length);
          return last.getBoundingClientRect().right <= box.right + 1 && last.getBoundingClientRect().left >= box.left;
        })`);
      assert.ok(cut.length > 1, `${cut.length} labels are cut`);
      assert.ok(cut.every(Boolean), 'the end of a label is hidden');
      await tab.send('Emulation.setDeviceMetricsOverride', {
        width: 640,
        height: 900,
        deviceScaleFactor: 1,
        mobile: false,
      });
      assert.ok(await tab.evaluate('document.documentElement.scrollWidth <= window.innerWidth'));
    });
  });

  test('is readable in light and in dark', async () => {
    await inPage(page, async (tab) => {
      for (const value of ['light', 'dark']) {
        await tab.send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value}]});
        for (const where of [
          'body',
          '.description',
          '.bar.ready',
          '.bar.orphaned',
          '.bar.deleting',
          '.bar.not-ready',
          '.lines .same',
          '.facts .bad',
          '.chip',
        ]) {
          const ratio = await tab.evaluate<number>(contrastOf(where));
          assert.ok(ratio >= 4.5, `${where} in ${value}: contrast ${ratio.toFixed(2)}, expected 4.5 or more`);
        }
      }
    });
  });

  test('prints on white paper, without what only a screen needs', async () => {
    await inPage(page, async (tab) => {
      const features = [{name: 'prefers-color-scheme', value: 'dark'}];
      await tab.send('Emulation.setEmulatedMedia', {media: 'print', features});
      assert.equal(await tab.evaluate(`getComputedStyle(document.body).backgroundColor`), 'rgb(255, 255, 255)');
      assert.equal(await tab.evaluate(`getComputedStyle(document.querySelector('.controls')).display`), 'none');
      const {data} = await tab.send<{readonly data: string}>('Page.printToPDF', {preferCSSPageSize: true});
      assert.equal(Buffer.from(data, 'base64').subarray(0, 5).toString(), '%PDF-');
    });
  });

  test('hostile names stay text, also in the details', async () => {
    const keep = new Set(['kind', 'verb', 'type', 'crossplane', 'what', 'status', 'actor', 'uid', 'change']);
    const poisoned = rewritten(without, (text, key) => (keep.has(key) ? text : `${text}${hostile}`));
    await inPage(saved('hostile', [poisoned]), async (tab) => {
      const rows = await tab.evaluate<number>(`document.querySelectorAll('td[data-row]').length`);
      await tab.evaluate(`document.querySelector('td[data-row="0"]').focus()`);
      for (let row = 0; row < rows; row++) await tab.press('ArrowDown');
      assert.ok((await tab.evaluate<string>(`${detail}.textContent`)).length > 0);
      assert.equal(await tab.evaluate('window.hacked'), undefined);
      assert.equal(await tab.evaluate(`document.querySelectorAll('img').length`), 0);
      assert.equal(await tab.evaluate(`document.querySelectorAll('script').length`), 2);
    });
  });
});

/** The contrast ratio of WCAG between an element's text and what lies behind it; a pattern counts as its first colour. */
function contrastOf(where: string): string {
  return `(() => {
    const element = document.querySelector(${JSON.stringify(where)});
    const numbers = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
    const backOf = (one) => {
      if (one === null) return [255, 255, 255];
      const style = getComputedStyle(one);
      const pattern = /rgb\\([^)]*\\)/.exec(style.backgroundImage);
      if (pattern !== null) return numbers(pattern[0]);
      const back = numbers(style.backgroundColor);
      return back.length === 3 ? back : backOf(one.parentElement);
    };
    const light = ([red, green, blue]) => {
      const part = (value) => { const c = value / 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
      return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
    };
    const [one, other] = [numbers(getComputedStyle(element).color), backOf(element)].map(light);
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  })()`;
}
