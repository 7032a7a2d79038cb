import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {isList, isObject, type Json} from '../../../src/cluster/json.ts';
import {builtins} from '../../../src/harness/functions/builtin.ts';
import {type Cursor, items} from '../../../src/harness/input/cursor.ts';
import {InputError} from '../../../src/harness/input/input-error.ts';
import {asKubeObject} from '../../../src/harness/input/manifests/kube-object.ts';
import {parseYaml} from '../../../src/harness/input/yaml.ts';
import {scenarioForm} from '../../../src/harness/scenario/scenario-form.ts';
import {mistakes} from '../../mistakes/table.ts';
import {misfitsOf} from '../../package/json-schemas.ts';

// docs/scenario.schema.json and `tether test` are made of one description of the format. Here both are asked the same: of
// every scenario there is, of every deliberate mistake, and of scenarios that are changed at random.

const root = new URL('../../../', import.meta.url).pathname;
const misfits = misfitsOf('scenario.schema.json');

/** What a file says stands in the file: the schema cannot look there, and neither does this reader. */
const objects = (cursor: Cursor): readonly never[] => {
  if (isList(cursor.value)) return items(cursor).flatMap(objects);
  if (typeof cursor.value !== 'string') asKubeObject(cursor);
  return [];
};
const form = scenarioForm({folder: '', objects}, [...Object.keys(builtins), 'function-tether']);

/** The sentence with which the form refuses the value. */
function refusal(value: Json): string | undefined {
  try {
    form.read({value, path: [], placeOf: () => '', placeOfKey: () => ''});
    return undefined;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}

function documentOf(text: string): Json | undefined {
  try {
    return parseYaml(text, 'scenario.yaml')[0]?.value;
  } catch {
    return undefined;
  }
}

/** Every scenario below a folder: recordings and other tools' tests have steps, too, but neither a name. */
function scenariosBelow(folder: string): readonly (readonly [string, Json])[] {
  const files = readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'});
  return files
    .filter((file) => file.endsWith('.yaml') && !file.startsWith('recordings'))
    .map((file) => join(root, folder, file))
    .flatMap((file) => {
      const value = documentOf(readFileSync(file, 'utf8'));
      const isScenario = isObject(value) && value['name'] !== undefined && isList(value['steps']);
      return isScenario ? [[relative(root, file), value] as const] : [];
    });
}

const scenarios = ['examples', 'test'].flatMap(scenariosBelow);

test('there are scenarios to ask about', () => {
  expect(scenarios.length).toBeGreaterThan(80);
});

test.each(scenarios)('%s fits the schema', (_, value) => {
  expect([refusal(value), ...misfits(value)]).toEqual([undefined]);
});

const examples = scenarios.filter(([file]) => file.startsWith('examples/'));
test.each(examples)('%s names the schema, so that an editor finds it', (file) => {
  const [first = ''] = readFileSync(join(root, file), 'utf8').split('\n');
  const named = /^# yaml-language-server: \$schema=(\S+)$/.exec(first)?.[1] ?? '';
  expect(join(dirname(file), named)).toBe('docs/scenario.schema.json');
});

const shapes = mistakes.flatMap(({name, files}) => {
  const value = documentOf(files?.['scenario.yaml'] ?? '');
  return value === undefined || value === null ? [] : [{name, value, says: refusal(value)}];
});

describe('a mistake', () => {
  // To the schema an expression is any text.
  const isOfShape = ({name, says}: (typeof shapes)[number]) => says !== undefined && !name.startsWith('CEL ');
  const ofShape = shapes.filter(isOfShape);

  test('of shape is most of them', () => {
    expect(ofShape.length).toBeGreaterThan(40);
  });

  test.each(ofShape)('is refused by the schema, too: $name', ({value}) => {
    expect(misfits(value)).not.toEqual([]);
  });

  test.each(shapes.filter((one) => !isOfShape(one)))('beyond shape fits it: $name', ({value}) => {
    expect(misfits(value)).toEqual([]);
  });
});

describe('a scenario that is changed at random', () => {
  const places = (value: Json, path: readonly (string | number)[] = []): readonly (readonly (string | number)[])[] => {
    const nested = isList(value)
      ? value.map((one, index) => [one, index] as const)
      : isObject(value)
        ? Object.entries(value).map(([key, one]) => [one, key] as const)
        : [];
    return [path, ...nested.flatMap(([one, key]) => places(one, [...path, key]))];
  };
  /** The value with another one, or none, at the place. */
  const changed = (value: Json, [head, ...rest]: readonly (string | number)[], put: Json | undefined): Json => {
    if (head === undefined) return put ?? {};
    if (isList(value)) {
      const copy = value.flatMap((one, index) => {
        if (index !== head) return [one];
        return rest.length === 0 ? (put === undefined ? [] : [put]) : [changed(one, rest, put)];
      });
      return copy;
    }
    if (!isObject(value)) return value;
    const {[head]: old, ...others} = value;
    if (rest.length > 0) return {...others, [head]: changed(old ?? null, rest, put)};
    return put === undefined ? others : {...others, [head]: put};
  };
  const word = fc.constantFrom(
    'name',
    'expect',
    'wait',
    'kind',
    'apply',
    'absent',
    'exists',
    'is',
    'all',
    'end',
    'main',
    '5s',
    'x',
  );
  const other: fc.Arbitrary<Json | undefined> = fc.oneof(
    fc.constantFrom<Json | undefined>(undefined, null, true, false, 0, -1, 1.5, 3, [], {}, ''),
    word,
    fc.array(word, {maxLength: 2}),
    fc.dictionary(word, fc.constantFrom<Json>(1, true, 'x', {kind: 'A', name: 'b'}, []), {maxKeys: 2}),
  );
  /** At the place, or as another field beside it. */
  const edit = fc.record({
    scenario: fc.constantFrom(...scenarios.map(([, value]) => value)),
    place: fc.nat(),
    put: other,
    beside: fc.option(word, {nil: undefined}),
  });

  test('is refused by the schema where the reader refuses it, and taken where it takes it', () => {
    fc.assert(
      fc.property(edit, ({scenario, place, put, beside}) => {
        const all = places(scenario);
        const path = all[place % all.length] ?? [];
        const told = changed(scenario, beside === undefined ? path : [...path.slice(0, -1), beside], put);
        const [sentence, wrong] = [refusal(told), misfits(told)];
        if ((sentence === undefined) !== (wrong.length === 0)) {
          throw new Error(
            `at ${path.join('.')}: the reader says ${sentence ?? 'nothing'}, the schema ${wrong.join('; ') || 'nothing'}`,
          );
        }
      }),
      {numRuns: 2000},
    );
  });
});
