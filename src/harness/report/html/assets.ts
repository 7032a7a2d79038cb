// The page's style and script are plain files beside this one, so that editors, the formatter and the browser's own
// tools know them for what they are.

import {readFileSync} from 'node:fs';

export interface PageAssets {
  readonly style: string;
  readonly script: string;
}

export function readPageAssets(): PageAssets {
  return {style: read('report-page.css'), script: read('report-page.js')};
}

function read(name: string): string {
  return readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
}
