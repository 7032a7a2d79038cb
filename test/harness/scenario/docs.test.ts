import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {builtins} from '../../../src/harness/functions/builtin.ts';
import {passThrough} from '../../../src/harness/functions/passing.ts';
import {parseYaml} from '../../../src/harness/input/yaml.ts';
import {expectation} from '../../../src/harness/scenario/expectation-form.ts';
import {parseScenario} from '../../../src/harness/scenario/parse-scenario.ts';

// The page on scenarios says what the reader does: its example parses, and it names every field the reader knows.

const page = readFileSync(new URL('../../../docs/reference/scenarios.md', import.meta.url), 'utf8');
const example = /```yaml\n(name: [\s\S]*?)```/.exec(page)?.[1] ?? '';
const manifests = {folder: '.', objects: () => []};

test('the example on the page is a scenario', () => {
  const [cursor] = parseYaml(example, 'scenarios.md');
  if (cursor === undefined) throw new Error('the page has no example');
  const scenario = parseScenario(cursor, manifests, {...builtins, passing: passThrough});
  expect(scenario).toMatchObject({name: 'bucket-comes-back', crossplane: ['main', '1.19']});
  expect(scenario.variants.map(({expect: list}) => list.length)).toEqual([2, 3]);
});

describe('the page names every field', () => {
  const known = (text: string, read: (cursor: never) => unknown): readonly string[] => {
    const [cursor] = parseYaml(text, 'x');
    try {
      read(cursor as never);
    } catch (error) {
      return /known are (.*)$/.exec((error as Error).message)?.[1]?.split(', ') ?? [];
    }
    throw new Error('an unknown field was taken');
  };
  const fields = known('frobnicate: 1', (cursor) => parseScenario(cursor, manifests));
  const actions = known('name: a\nsteps: [{frobnicate: 1}]', (cursor) => parseScenario(cursor, manifests));
  const provider = known('name: a\nsteps: [{wait: 1s}]\nprovider: {frobnicate: 1}', (cursor) =>
    parseScenario(cursor, manifests),
  );

  test.each([...fields, ...actions, ...provider])('%s', (field) => {
    expect(page).toContain(`\`${field}`);
  });

  test('and every expectation', () => {
    const [cursor] = parseYaml('{}', 'x');
    const words =
      /one of (.*), got/.exec(String(errorOf(() => expectation.read(cursor as never))))?.[1]?.split(', ') ?? [];
    expect(words.length).toBeGreaterThan(5);
    for (const word of words) expect(page).toContain(`{${word}: `);
  });
});

function errorOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
