import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {expect, test} from 'vitest';
import {emptyFolder} from './folder.ts';
import {tether} from './tether.ts';

const story = readFileSync('examples/never-worse/confirmed-in-use.yaml', 'utf8')
  .replace('platform.yaml', resolve('examples/never-worse/platform.yaml'))
  .replace('../explore/definition.yaml', resolve('examples/explore/definition.yaml'));
const folder = emptyFolder();
folder.write('story.yaml', story);
folder.write('empty.yaml', story.replace('region: here', 'region: [here]'));

function verdictOn(file: string): string {
  return tether(['test', '--twin', 'function-tether', file, '--crossplane', 'main'], folder.path).out;
}

test('a story in which nothing is composed is no plain "never worse"', () => {
  expect(verdictOn('story.yaml')).toMatch(/^never worse {2}confirmed-in-use/m);
  expect(verdictOn('empty.yaml')).toMatch(/^never worse, but {2}[\s\S]*nothing was composed/m);
});
