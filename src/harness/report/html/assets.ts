// The page's style and script are plain files beside this one, so that editors, the formatter and the browser's own
// tools know them for what they are.

import {readFileSync} from 'node:fs';

export interface PageAssets {
  readonly style: string;
  readonly script: string;
}

export function readPageAssets(): PageAssets {
  return {style: `${readColours()}\n${read('report-page.css')}`, script: read('report-page.js')};
}

/** The colours of every page of the project, light and dark. */
export function readColours(): string {
  return read('colours.css');
}

function read(name: string): string {
  return readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
}
