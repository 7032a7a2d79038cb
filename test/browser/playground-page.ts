import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, describe, test} from 'node:test';
import {buildPlayground, bytesMax} from '../../site/build/playground.ts';
import {seriousFindings} from './axe.ts';
import {type Tab, withTab} from './chromium.ts';
import {type Served, serveFolder} from './static-server.ts';

// The playground in a real Chromium, by keyboard alone: choose, crash, edit, share, export. What needs no browser is in
// test/playground and runs with `npm test`.

const folder = mkdtempSync(join(tmpdir(), 'tether-playground-'));
const wide = {width: 1280, height: 900};
const narrow = {width: 640, height: 900};

let served: Served;

async function onPage(size: typeof wide, use: (tab: Tab) => Promise<void>, fragment = ''): Promise<void> {
  await withTab(size, async (tab) => {
    const {width, height} = size;
    await tab.send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: false});
    await tab.send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-reduced-motion', value: 'reduce'}]});
    await tab.open(`${served.address}/${fragment}`);
    await until(tab, `document.querySelectorAll('.card').length === 2`);
    await use(tab);
    assert.deepEqual(tab.complaints, []);
    const elsewhere = tab.requested.filter(
      (address) => !address.startsWith(served.address) && !/^(blob|data):/.test(address),
    );
    assert.deepEqual(elsewhere, [], 'the page asked somebody else');
  });
}

/** Waits for what a page comes to by itself. */
async function until(tab: Tab, condition: string, seconds = 60): Promise<void> {
  for (let turn = 0; turn < seconds * 10; turn++) {
    if (await tab.evaluate<boolean>(condition)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(`expected ${condition} within ${seconds} s`);
}

/** Goes with Tab to what the selector names, as somebody without a mouse does. */
async function tabTo(tab: Tab, selector: string): Promise<void> {
  for (let press = 0; press < 80; press++) {
    if (await tab.evaluate<boolean>(`document.activeElement?.matches(${JSON.stringify(selector)}) === true`)) return;
    await tab.press('Tab');
  }
  assert.fail(`the keyboard does not reach ${selector}`);
}

async function pressOn(tab: Tab, selector: string): Promise<void> {
  await tabTo(tab, selector);
  await tab.press('Enter');
}

/** Chooses a story or a version, and waits until it has run. */
async function choose(tab: Tab, list: string, value: string): Promise<void> {
  const element = `document.getElementById('${list}')`;
  await tab.evaluate(`${element}.value = '${value}'; ${element}.dispatchEvent(new Event('change'))`);
  await until(tab, `${element}.value === '${value}' && document.querySelectorAll('.card').length === 2`);
}

/** From the top again: Tab goes on from there. */
const fromTop = `document.activeElement?.blur(); window.getSelection()?.removeAllRanges(); document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')`;

const cards = `[...document.querySelectorAll('.card')].map((card) => card.innerText.replaceAll(/\\s+/g, ' '))`;
const hasStep = (name: string): string => `document.querySelector('#lanes a[title*="${name}"]') !== null`;
const text = (id: string): string => `document.getElementById('${id}').textContent`;

describe('the playground in Chromium', () => {
  before(async () => {
    const built = await buildPlayground(folder);
    const whole = built.reduce((sum, {compressed}) => sum + compressed, 0);
    assert.ok(whole < bytesMax, `${whole} bytes`);
    served = await serveFolder(folder);
  });
  after(() => {
    served.close();
    rmSync(folder, {recursive: true, force: true});
  });

  test('by keyboard: choose a version, go to the end, put a crash there, undo it', async () => {
    await onPage(wide, async (tab) => {
      await tabTo(tab, '#crossplane');
      for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp']) await tab.press(key);
      await until(tab, `document.getElementById('crossplane').value === '1.19'`);
      await tab.press('End');
      await until(tab, `document.getElementById('crossplane').value === 'main'`);
      await pressOn(tab, '#last');
      const [without, withTether] = await tab.evaluate<readonly string[]>(cards);
      assert.match(without ?? '', /1 orphan .*3 alive/);
      assert.match(withTether ?? '', /0 orphans .*2 alive/);
      await tab.evaluate(fromTop);
      await pressOn(tab, '#back');
      await pressOn(tab, '#put-crash');
      await until(tab, hasStep('Crossplane crashes'));
      assert.match(await tab.evaluate(text('status')), /put into the story/);
      assert.equal(
        await tab.evaluate(`document.querySelector('[data-file="scenario.yaml"]').textContent`),
        'scenario.yaml (changed)',
      );
      await tab.evaluate(fromTop);
      await pressOn(tab, '#undo');
      await until(tab, `!(${hasStep('Crossplane crashes')})`);
    });
  });

  test('a process that does not run cannot be crashed, and the stories have groups and titles', async () => {
    await onPage(wide, async (tab) => {
      const stopped = `[...document.querySelectorAll('#lanes a')].find(({title}) => title.includes('everything is lost'))`;
      await tab.evaluate(`(() => {
        const moment = document.getElementById('moment');
        moment.value = String(Math.round(Number.parseFloat(${stopped}.style.left) * 10) + 2);
        moment.dispatchEvent(new Event('input'));
      })()`);
      assert.equal(await tab.evaluate(`document.getElementById('put-crash').disabled`), true);
      assert.equal(await tab.evaluate(`document.getElementById('put-provider').disabled`), false);
      await pressOn(tab, '#last');
      assert.equal(await tab.evaluate(`document.getElementById('put-crash').disabled`), false);
      assert.ok((await tab.evaluate<number>(`document.querySelectorAll('#story optgroup').length`)) > 6);
      assert.match(await tab.evaluate(`document.querySelector('#story option').textContent`), /^A database comes back/);
    });
  });

  for (const [harm, id, version, reason] of [
    ['a destroyed database', 'split-xr/scenario.yaml', 'main', /1 destroyed/],
    ['a doubled resource', 'lost-external-name/scenario.yaml', 'main', /1 doubled/],
    ['a stuck deletion', 'usage-left-behind/scenario.yaml', '1.16', /[1-9] stuck/],
  ] as const) {
    test(`${harm} is red, and its card gives the reason`, async () => {
      await onPage(wide, async (tab) => {
        await choose(tab, 'story', id);
        await choose(tab, 'crossplane', version);
        await pressOn(tab, '#last');
        const [without, withTether] = await tab.evaluate<readonly string[]>(cards);
        assert.match(without ?? '', reason);
        assert.doesNotMatch(withTether ?? '', /destroyed|doubled|[1-9] stuck/);
        assert.deepEqual(
          await tab.evaluate(`[...document.querySelectorAll('.card')].map((card) => card.matches('.failed'))`),
          [true, false],
        );
      });
    });
  }

  test('every story is in a group with a title', async () => {
    await onPage(wide, async (tab) => {
      const labels = await tab.evaluate<readonly string[]>(
        `[...document.querySelectorAll('#story optgroup')].map(({label}) => label)`,
      );
      assert.deepEqual(
        labels.filter((label) => !/^[A-Z]/.test(label)),
        [],
      );
      assert.equal(await tab.evaluate(`document.querySelectorAll('#story > option').length`), 0);
    });
  });

  test('an edit that a later step overwrites is reported', async () => {
    await onPage(wide, async (tab) => {
      await pressOn(tab, '[data-file="composition.yaml"]');
      await tabTo(tab, '.cm-content');
      await tab.send('Input.insertText', {text: '# edited\n'});
      await until(tab, `${text('status')}.includes('over composition.yaml: change that file, too')`);
    });
  });

  test('in a narrow window the halves of a row stand below each other, with the whole label', async () => {
    await onPage(narrow, async (tab) => {
      const halves = `[...document.querySelectorAll('td[data-row="3"]')].map((cell) => cell.getBoundingClientRect())`;
      const boxes = await tab.evaluate<
        readonly {readonly top: number; readonly bottom: number; readonly left: number}[]
      >(`${halves}.map(({top, bottom, left}) => ({top, bottom, left}))`);
      const [one, other] = boxes;
      assert.ok(one !== undefined && other !== undefined && one.bottom <= other.top && one.left === other.left);
      assert.ok(await tab.evaluate('document.documentElement.scrollWidth <= window.innerWidth'));
      assert.ok(
        await tab.evaluate(
          `(({scrollWidth, clientWidth}) => scrollWidth <= clientWidth)(document.querySelector('.scroll'))`,
        ),
      );
    });
  });

  test('plays: lanes come from behind the curtain as time goes on, and pause stops it', async () => {
    await onPage(wide, async (tab) => {
      const place = `Number.parseFloat(document.getElementById('lanes').style.getPropertyValue('--now'))`;
      assert.equal(await tab.evaluate(place), 0);
      await pressOn(tab, '#play');
      await until(tab, `${place} > 4`);
      await tab.press('Enter');
      const stopped = await tab.evaluate<number>(place);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      assert.equal(await tab.evaluate(place), stopped);
      assert.equal(await tab.evaluate(text('play')), 'Play');
    });
  });

  test('a moment of a lane, chosen with the arrow keys, is where the story stops', async () => {
    await onPage(wide, async (tab) => {
      await tabTo(tab, 'td[data-row]');
      for (let press = 0; press < 6; press++) await tab.press('ArrowDown');
      for (let press = 0; press < 3; press++) await tab.press('ArrowRight');
      await tab.press('Enter');
      assert.ok((await tab.evaluate<number>(`Number(document.getElementById('moment').value)`)) > 10);
      await tab.press('Escape');
      assert.equal(await tab.evaluate(`document.getElementById('detail').hidden`), true);
    });
  });

  test('a hand edit at a moment becomes a step of the story', async () => {
    await onPage(wide, async (tab) => {
      await pressOn(tab, '#last');
      await pressOn(tab, '#put-edit');
      await until(tab, `document.getElementById('edit').open`);
      await pressOn(tab, '#edit-apply');
      await until(tab, hasStep('a person edits'));
    });
  });

  test('an edit in the editor is run; a mistake is said with its place; completion knows the input', async () => {
    await onPage(wide, async (tab) => {
      await pressOn(tab, '[data-file="composition-without-replica.yaml"]');
      await until(tab, `document.activeElement.matches('[data-file]')`);
      await tabTo(tab, '.cm-content');
      await tab.send('Input.dispatchKeyEvent', {
        type: 'rawKeyDown',
        key: 'End',
        code: 'End',
        windowsVirtualKeyCode: 35,
        modifiers: 2,
      });
      await tab.send('Input.insertText', {
        text: '\n        removal: {policies: [{match: {resources: [replica]}, policy: Orphn}]}',
      });
      await pressOn(tab, '#last');
      await tab.evaluate(fromTop);
      await tabTo(tab, '#last');
      await tab.press('Enter');
      await until(tab, `${text('tabs')}.includes('(changed)')`);
      await until(tab, `${text('problem')}.includes('cannot use input.removal.policies[0].policy')`);
      assert.match(await tab.evaluate(text('problem')), /^composition-without-replica\.yaml:\d+:\d+: .*got "Orphn"$/);
      await tabTo(tab, '[data-file="scenario.yaml"]');
      await tab.press('Enter');
      await tabTo(tab, '.cm-content');
      await tab.send('Input.insertText', {text: 'nonsense: 1\n'});
      await until(tab, `${text('problem')}.includes('unknown field "nonsense"')`);
      assert.match(await tab.evaluate(text('problem')), /^scenario\.yaml:1:1: /);
      await tab.press('Enter');
      await tab.send('Input.insertText', {text: 'expl'});
      await until(tab, `document.querySelector('.cm-tooltip-autocomplete')?.textContent.includes('explore') === true`);
    });
  });

  test('a link holds the whole story', async () => {
    let fragment = '';
    await onPage(wide, async (tab) => {
      await pressOn(tab, '#last');
      await pressOn(tab, '#put-provider');
      await until(tab, `${text('tabs')}.includes('(changed)')`);
      await tab.evaluate(fromTop);
      await pressOn(tab, '#share');
      await until(tab, `location.hash.length > 20`);
      fragment = await tab.evaluate<string>('location.hash');
    });
    await onPage(
      wide,
      async (tab) => {
        assert.ok(await tab.evaluate(hasStep('the provider restarts')));
      },
      fragment,
    );
  });

  test('what is exported is told by `tether test` to the same counts', async () => {
    await onPage(wide, async (tab) => {
      await tab.send('Browser.setDownloadBehavior', {behavior: 'allow', downloadPath: folder, eventsEnabled: true});
      await pressOn(tab, '#last');
      const shown = await tab.evaluate<readonly string[]>(cards);
      await tab.evaluate(fromTop);
      await pressOn(tab, '#export');
      await until(tab, `${text('status')}.startsWith('Saved')`);
      assert.match(await tab.evaluate(text('status')), /npx function-tether test \S+\.yaml/);
      assert.doesNotMatch(await tab.evaluate(text('status')), /npx tether/);
      const file = await downloaded();
      const {status, stdout, stderr} = spawnSync(process.execPath, ['src/main.ts', 'test', file], {encoding: 'utf8'});
      assert.equal(status, 0, stderr);
      assert.match(shown[0] ?? '', /1 orphan 3 alive in the cloud 3 creates 0 deletes/);
      assert.match(stdout, /1 orphan, 3 external resources alive \(3 creates, 0 deletes\)/);
      assert.match(stdout, /0 orphans, 2 external resources alive \(3 creates, 1 delete\)/);
      assert.match(readFileSync(file, 'utf8'), /^# yaml-language-server/);
    });
  });

  test('a worker finds the smallest bad story while the page stays at hand', async () => {
    await onPage(wide, async (tab) => {
      await pressOn(tab, '#explore');
      await until(tab, `!document.getElementById('found').hidden`, 240);
      assert.match(await tab.evaluate(text('found-lines')), /replica \(Instance\) is an orphan/);
      await pressOn(tab, '#found-load');
      await until(tab, `${text('tabs')}.includes('(changed)')`);
      await tab.evaluate(fromTop);
      await pressOn(tab, '#last');
      assert.match((await tab.evaluate<readonly string[]>(cards))[0] ?? '', /1 orphan/);
    });
  });

  for (const [name, size] of Object.entries({wide, narrow})) {
    for (const scheme of ['light', 'dark']) {
      test(`has nothing serious against it, ${name} and ${scheme}, and fits its window`, async () => {
        await onPage(size, async (tab) => {
          const features = [
            {name: 'prefers-color-scheme', value: scheme},
            {name: 'prefers-reduced-motion', value: 'reduce'},
          ];
          await tab.send('Emulation.setEmulatedMedia', {features});
          await pressOn(tab, '#last');
          assert.deepEqual(await seriousFindings(tab), []);
          assert.ok(
            await tab.evaluate('document.documentElement.scrollWidth <= window.innerWidth'),
            'wider than its window',
          );
        });
      });
    }
  }
});

async function downloaded(): Promise<string> {
  for (let turn = 0; turn < 100; turn++) {
    const name = readdirSync(folder).find((file) => file.endsWith('.yaml'));
    if (name !== undefined) return join(folder, name);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return assert.fail('nothing was downloaded');
}
