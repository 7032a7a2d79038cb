import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
  covers,
  decodeFields,
  difference,
  differenceBelow,
  encodeFields,
  type FieldSet,
  fieldSetOf,
  intersection,
  pathsOf,
  printPath,
  shared,
  union,
} from '../../../src/cluster/api/field-set.ts';

const elements = ['f:a', 'f:b', 'v:"x"', 'k:{"port":80}'];
const path = fc.array(fc.constantFrom(...elements), {minLength: 1, maxLength: 3});
const paths = fc.array(path, {maxLength: 8});

/** The same set as plain text members, which ordinary set operations are right about by definition. */
function membersOf(set: FieldSet): ReadonlySet<string> {
  return new Set(pathsOf(set).map((steps) => steps.join(' ')));
}

const made = (from: readonly (readonly string[])[]) => fieldSetOf(...from);

describe('a set of fields', () => {
  test('is what its members say: union, intersection and difference are those of plain sets', () => {
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const [a, b] = [made(left), made(right)];
        const [x, y] = [membersOf(a), membersOf(b)];
        expect(membersOf(union(a, b))).toEqual(new Set([...x, ...y]));
        expect(membersOf(intersection(a, b))).toEqual(new Set([...x].filter((member) => y.has(member))));
        expect(membersOf(difference(a, b))).toEqual(new Set([...x].filter((member) => !y.has(member))));
        expect(covers(a, b)).toBe([...y].every((member) => x.has(member)));
      }),
    );
  });

  test('takes what is below a member along only when asked to', () => {
    const set = made([['f:a'], ['f:a', 'f:b'], ['f:b']]);
    expect([...membersOf(difference(set, made([['f:a']])))]).toEqual(['f:b', 'f:a f:b']);
    expect([...membersOf(differenceBelow(set, made([['f:a']])))]).toEqual(['f:b']);
  });

  test('survives being written as FieldsV1 and read again', () => {
    fc.assert(
      fc.property(paths, (from) => {
        const set = made(from);
        const copy = JSON.parse(JSON.stringify(encodeFields(set)));
        const read = decodeFields(copy);
        expect(read === undefined ? undefined : membersOf(read)).toEqual(membersOf(set));
      }),
    );
  });

  test('is written as Kubernetes writes it: a dot where a parent is owned besides its children', () => {
    const set = made([
      ['f:spec', 'f:tags'],
      ['f:spec', 'f:tags', 'v:"t1"'],
      ['f:spec', 'f:size'],
    ]);
    expect(encodeFields(set)).toEqual({'f:spec': {'f:tags': {'.': {}, 'v:"t1"': {}}, 'f:size': {}}});
  });

  test.each([
    {name: 'NoPrefix', fields: {spec: {}}},
    {name: 'UnknownPrefix', fields: {'x:spec': {}}},
    {name: 'KeysThatAreNoJson', fields: {'k:{port}': {}}},
    {name: 'NoObject', fields: {'f:spec': 'all'}},
  ])('is not read from what is no FieldsV1: $name', ({fields}) => {
    expect(decodeFields(fields)).toBeUndefined();
  });

  test('compares map list keys whatever order they were written in', () => {
    const read = decodeFields({'k:{"protocol":"TCP","port":80}': {}});
    expect(read).toEqual(made([['k:{"port":80,"protocol":"TCP"}']]));
  });

  test('is printed as messages print paths', () => {
    const steps = ['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}', 'f:name'];
    expect(printPath(steps)).toBe('.spec.ports[port=80,protocol="TCP"].name');
    expect(printPath(['f:spec', 'f:tags', 'v:"t1"'])).toBe('.spec.tags[="t1"]');
    expect(printPath(['i:3'])).toBe('[3]');
  });
});

describe('a shared set', () => {
  test('is one value for all sets of the same fields in the same order, and never another set', () => {
    fc.assert(
      fc.property(fc.array(paths, {minLength: 2, maxLength: 6}), (several) => {
        for (const one of several) {
          for (const other of several) {
            const text = (set: FieldSet) => JSON.stringify(encodeFields(set));
            const [left, right] = [shared(made(one)), shared(made(other))];
            expect(text(left)).toBe(text(made(one)));
            expect(left === right).toBe(text(left) === text(right));
          }
        }
      }),
    );
  });
});
