import {describe, expect, test} from 'vitest';
import {asCount, asOneOf, asString, onlyFields, required} from '../../../src/harness/input/cursor.ts';
import {parseYaml} from '../../../src/harness/input/yaml.ts';
import {readYamlFile} from '../../../src/harness/input/yaml-file.ts';

const first = (text: string) => {
  const [cursor] = parseYaml(text, 'story.yaml');
  if (cursor === undefined) throw new Error('the test wrote no document');
  return cursor;
};

describe('bad input gives one sentence with its place', () => {
  const cases: readonly (readonly [string, () => unknown, string])[] = [
    [
      'a wrong field',
      () => onlyFields(first('name: a\nstepps: []\n'), ['name', 'steps']),
      'story.yaml:2:1: unknown field "stepps" in the document: did you mean "steps"?',
    ],
    [
      'a field nobody knows',
      () => onlyFields(first('name: a\nfrobnicate: 1\n'), ['name', 'steps']),
      'story.yaml:2:1: unknown field "frobnicate" in the document: known are name, steps',
    ],
    [
      'a wrong type',
      () => asString(required(first('steps:\n- name: 7\n'), 'steps')),
      'story.yaml:2:1: steps must be a string, got [{"name":7}]',
    ],
    ['a missing field', () => required(first('a: 1'), 'name'), 'story.yaml:1:1: the document must have a field "name"'],
    [
      'a word that is none of the words',
      () => asOneOf(required(first('policy: background'), 'policy'), ['Background', 'Foreground']),
      'story.yaml:1:9: policy must be one of Background, Foreground, got "background"',
    ],
    [
      'a fraction',
      () => asCount(required(first('size: 1.5'), 'size')),
      'story.yaml:1:7: size must be a whole number, got 1.5',
    ],
    [
      'a missing file',
      () => readYamlFile('/does/not/exist.yaml', 'exist.yaml'),
      'cannot read file "exist.yaml": no such file',
    ],
  ];
  test.each(cases)('%s', (_name, read, sentence) => {
    expect(read).toThrow(sentence);
  });

  test('invalid YAML', () => {
    expect(() => first('a: [1\nb: 2')).toThrow(/^story\.yaml:\d+:\d+: invalid YAML: \S.*[^.]$/);
  });

  test('a bomb of aliases', () => {
    const bomb = `a: &a [1,1,1,1,1,1,1,1,1]\nb: &b [${'*a,'.repeat(9)}]\nc: &c [${'*b,'.repeat(9)}]\nd: [${'*c,'.repeat(9)}]`;
    expect(() => first(bomb)).toThrow(/invalid YAML/);
  });
});

test('empty documents are no documents', () => {
  expect(parseYaml('---\n---\na: 1\n---\n', 'story.yaml').map(({value}) => value)).toEqual([{a: 1}]);
});

describe('a text that is read again', () => {
  test('has the same values, and its places in the file of that name', () => {
    const text = '---\n---\na: {b: 1}\n';
    const [one] = parseYaml(text, 'one.yaml');
    const [other] = parseYaml(text, 'other.yaml');
    expect(other?.value).toEqual({a: {b: 1}});
    expect(other?.value).toBe(one?.value);
    expect([one, other].map((cursor) => cursor?.placeOf(['a', 'b']))).toEqual(['one.yaml:3:8', 'other.yaml:3:8']);
  });

  test('has the same mistakes', () => {
    const twice = 'a: 1\na: 2\n';
    const heard: string[] = [];
    for (const file of ['one.yaml', 'other.yaml']) parseYaml(twice, file, (place) => heard.push(place));
    expect(heard).toEqual(['one.yaml:2:1', 'other.yaml:2:1']);
    expect(() => parseYaml(twice, 'last.yaml')).toThrow('last.yaml:2:1: invalid YAML');
  });
});
