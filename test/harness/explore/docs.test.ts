import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {budgetKinds} from '../../../src/harness/explore/explore-action.ts';
import {required} from '../../../src/harness/input/cursor.ts';
import {parseYaml} from '../../../src/harness/input/yaml.ts';
import {explore} from '../../../src/harness/scenario/scenario-form.ts';

// The page on exploring says what the reader does: its example parses, and it names every budget and field.

const page = readFileSync(new URL('../../../docs/reference/explore.md', import.meta.url), 'utf8');

test('the example on the page is read', () => {
  const [cursor] = parseYaml(/```yaml\n(explore:[\s\S]*?)```/.exec(page)?.[1] ?? '', 'explore.md');
  if (cursor === undefined) throw new Error('the page has no example');
  const setting = explore.read(required(cursor, 'explore'));
  expect(setting).toMatchObject({moves: 'in-order', minutes: 30, without: ['person']});
  expect(setting.properties.map(({expectation}) => expectation)).toEqual(['always', 'sometimes', 'eventually']);
});

describe('the page names', () => {
  test.each(budgetKinds)('the budget %s', (kind) => {
    expect(page).toContain(`| \`${kind}\``);
  });

  test.each(['moves', 'budgets', 'minutes', 'without', 'always', 'sometimes', 'eventually'])(
    'the field %s',
    (field) => {
      expect(page).toContain(`\`${field}\``);
    },
  );
});
