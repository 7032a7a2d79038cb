// `npm run ratchets` prints every measure beside its limit; exit code 1 if one is over. With --update the limits become
// today's values where those are lower. `--sentences AREA` lists sentences of more than 30 words.

import {readFileSync, writeFileSync} from 'node:fs';
import {parseArgs} from 'node:util';
import {markdownTable} from '../../src/command-line/tables.ts';
import {type Measures, structure} from './structure.ts';
import {longSentences, words} from './words.ts';

const file = new URL('limits.json', import.meta.url);
const {values} = parseArgs({options: {update: {type: 'boolean'}, sentences: {type: 'string'}}});

if (values.sentences === undefined) await printMeasures();
else for (const {path, sentence} of longSentences(values.sentences)) console.log(`${path}: ${sentence}`);

async function printMeasures(): Promise<void> {
  const limits = JSON.parse(readFileSync(file, 'utf8')) as Measures;
  const measures: Measures = {...(await structure()), ...words()};
  const rows = Object.entries(measures).map(([name, value]) => [name, value, limits[name] ?? '']);
  console.log(markdownTable(['measure', 'today', 'limit'], rows).join('\n'));
  if (values.update === true) {
    const lower = Object.entries(measures).map(([name, value]) => [name, Math.min(value, limits[name] ?? value)]);
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(lower), null, 2)}\n`);
  }
  const over = Object.entries(measures).filter(([name, value]) => value > (limits[name] ?? Number.POSITIVE_INFINITY));
  for (const [name, value] of over) console.error(`${name}: expected at most ${limits[name]}, got ${value}`);
  process.exitCode = over.length === 0 ? 0 : 1;
}
