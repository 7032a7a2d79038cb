import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Tab} from './chromium.ts';

// What a checker for accessibility finds on the page that is open.

const folder = fileURLToPath(new URL('../../site/node_modules', import.meta.url));
const source = readFileSync(join(folder, 'axe-core', 'axe.min.js'), 'utf8');

/** A line for each finding that is serious or worse: which rule, and where. */
export async function seriousFindings(tab: Tab): Promise<readonly string[]> {
  await tab.evaluate(`${source}\n;undefined`);
  return tab.evaluate<readonly string[]>(`axe.run(document, {resultTypes: ['violations']}).then(({violations}) =>
    violations
      .filter(({impact}) => impact === 'serious' || impact === 'critical')
      .map(({id, nodes}) => id + ': ' + nodes.slice(0, 5).map(({target, any}) => target.join(' ') + ' (' + (any[0]?.message ?? '') + ')').join('; ')))`);
}
