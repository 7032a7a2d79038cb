import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {tether} from '../cli/tether.ts';

// Public bug reports: each has a story that names it and its version, and ends on every version as the story says.

const folder = 'examples/field';
const reports = readdirSync(folder).filter((file) => /^[a-z-]+-\d+\.yaml$/.test(file));
const index = readFileSync(`${folder}/README.md`, 'utf8');

test('there are ten reports or more', () => {
  expect(reports.length).toBeGreaterThanOrEqual(10);
});

describe.each(reports)('%s', (file) => {
  const [, repository, number] = /^(.*)-(\d+)\.yaml$/.exec(file) ?? [];

  test('names its report and the version that it was made for, and is in the index', () => {
    const head = readFileSync(`${folder}/${file}`, 'utf8').split('\nname:')[0];
    expect(head).toMatch(new RegExp(`# ${repository}/${repository}#${number}, reported for .*\\d\\.\\d`));
    expect(index).toContain(`https://github.com/${repository}/${repository}/issues/${number}`);
  });

  test('ends as it says, and shows something', () => {
    const {code, out} = tether(['test', `${folder}/${file}`]);
    expect(out).not.toMatch(/ok, but|^FAILED/m);
    expect(code).toBe(0);
  });
});
