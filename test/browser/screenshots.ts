import {writeFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';
import {withTab} from './chromium.ts';

// Pictures of a report page: `node test/browser/screenshots.ts PAGE OUT-PREFIX`. For looking at, not for comparing. What
// ends in `light` and `dark` alone is the picture of README.md, in docs/pictures: the lanes of what is composed and of the cloud.

const [page, prefix] = process.argv.slice(2);
if (page === undefined || prefix === undefined) {
  console.error('screenshots needs a page and a prefix: node test/browser/screenshots.ts PAGE OUT-PREFIX');
  process.exit(2);
}

/** Wide enough for the words in the bars, narrow enough to be read on the page of a repository. */
const pictureWidth = 1100;

await withTab({width: 1440, height: 1000}, async (tab) => {
  const shoot = async (name: string, whole: boolean): Promise<void> => {
    const {data} = await tab.send<{readonly data: string}>('Page.captureScreenshot', {captureBeyondViewport: whole});
    writeFileSync(`${prefix}-${name}.png`, Buffer.from(data, 'base64'));
  };
  const media = (scheme: string): Promise<unknown> =>
    tab.send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: scheme}]});
  await tab.open(pathToFileURL(page).href);
  for (const scheme of ['light', 'dark']) {
    await media(scheme);
    await tab.evaluate('window.scrollTo(0, 0)');
    await shoot(`${scheme}-top`, false);
    await tab.evaluate(`document.querySelector('table.lanes').scrollIntoView()`);
    await shoot(`${scheme}-lanes`, false);
  }
  await tab.send('Emulation.setDeviceMetricsOverride', {
    width: pictureWidth,
    height: 900,
    deviceScaleFactor: 1.5,
    mobile: false,
  });
  for (const scheme of ['light', 'dark']) {
    await media(scheme);
    await tab.evaluate('window.scrollTo(0, 0)');
    const clip = await tab.evaluate<object>(`(() => {
      for (const group of document.querySelectorAll('.lanes tbody'))
        group.hidden = /^(Crossplane|Platform)/.test(group.textContent);
      const {x, y, width, height} = document.querySelector('.scroll').getBoundingClientRect();
      return {x, y, width, height, scale: 1};
    })()`);
    const {data} = await tab.send<{readonly data: string}>('Page.captureScreenshot', {
      captureBeyondViewport: true,
      clip,
    });
    writeFileSync(`${prefix}-${scheme}.png`, Buffer.from(data, 'base64'));
  }
  await tab.evaluate(`for (const group of document.querySelectorAll('.lanes tbody')) group.hidden = false`);
  await tab.send('Emulation.clearDeviceMetricsOverride');
  await media('light');
  await tab.evaluate(`document.querySelector('td.track[data-row="0"]').focus()`);
  for (let press = 0; press < 4; press++) await tab.press('ArrowDown');
  for (let press = 0; press < 4; press++) await tab.press('ArrowRight');
  await shoot('detail', false);
  await tab.press('Escape');
  await tab.evaluate(`document.querySelector('.steps').scrollIntoView()`);
  await shoot('steps', false);
  const {data} = await tab.send<{readonly data: string}>('Page.printToPDF', {
    preferCSSPageSize: true,
    printBackground: true,
  });
  writeFileSync(`${prefix}.pdf`, Buffer.from(data, 'base64'));
});
