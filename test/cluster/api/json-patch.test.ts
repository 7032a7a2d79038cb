import {describe, expect, test} from 'vitest';
import {jsonPatch, mergePatch} from '../../../src/cluster/api/json-patch.ts';

describe('a merge patch', () => {
  // The examples of RFC 7386, appendix A.
  test.each([
    [{a: 'b'}, {a: 'c'}, {a: 'c'}],
    [{a: 'b'}, {b: 'c'}, {a: 'b', b: 'c'}],
    [{a: 'b'}, {a: null}, {}],
    [{a: 'b', b: 'c'}, {a: null}, {b: 'c'}],
    [{a: ['b']}, {a: 'c'}, {a: 'c'}],
    [{a: 'c'}, {a: ['b']}, {a: ['b']}],
    [{a: {b: 'c'}}, {a: {b: 'd', c: null}}, {a: {b: 'd'}}],
    [{a: [{b: 'c'}]}, {a: [1]}, {a: [1]}],
    [{e: null}, {a: 1}, {e: null, a: 1}],
    [[1, 2], {a: 'b', c: null}, {a: 'b'}],
    [{}, {a: {bb: {ccc: null}}}, {a: {bb: {}}}],
  ])('turns %j by %j into %j', (target, patch, want) => {
    expect(mergePatch(target, patch)).toEqual(want);
  });

  test('drops nulls in the objects of a new list, but not where the list takes the place of an object', () => {
    const patch = {l: [{a: null, b: 1}, null]};
    expect(mergePatch({}, patch)).toEqual({l: [{b: 1}, null]});
    expect(mergePatch({l: [1]}, patch)).toEqual({l: [{b: 1}, null]});
    expect(mergePatch({l: {x: 1}}, patch)).toEqual(patch);
  });

  test('shares what it does not change', () => {
    const target = {a: {b: 1}, c: {d: 2}};
    expect(mergePatch(target, {a: {b: 1}})).toBe(target);
  });
});

describe('a JSON patch', () => {
  const target = {o: {a: 1, 'x/y': 2}, l: ['a', 'b', 'c']};
  test.each([
    {name: 'Add', patch: [{op: 'add', path: '/o/b', value: 2}], want: {o: {a: 1, 'x/y': 2, b: 2}}},
    {name: 'AddInAList', patch: [{op: 'add', path: '/l/1', value: 'n'}], want: {l: ['a', 'n', 'b', 'c']}},
    {name: 'AddAtTheEnd', patch: [{op: 'add', path: '/l/-', value: 'n'}], want: {l: ['a', 'b', 'c', 'n']}},
    {name: 'Remove', patch: [{op: 'remove', path: '/l/0'}], want: {l: ['b', 'c']}},
    {name: 'RemoveFromTheEnd', patch: [{op: 'remove', path: '/l/-1'}], want: {l: ['a', 'b']}},
    {name: 'RemoveEscaped', patch: [{op: 'remove', path: '/o/x~1y'}], want: {o: {a: 1}}},
    {name: 'Replace', patch: [{op: 'replace', path: '/l/2', value: 'n'}], want: {l: ['a', 'b', 'n']}},
    {
      name: 'ReplaceWhatIsMissingInAnObject',
      patch: [{op: 'replace', path: '/o/n', value: 3}],
      want: {o: {a: 1, 'x/y': 2, n: 3}},
    },
    {name: 'Move', patch: [{op: 'move', from: '/l/0', path: '/o/a'}], want: {o: {a: 'a', 'x/y': 2}, l: ['b', 'c']}},
    {name: 'Copy', patch: [{op: 'copy', from: '/l/0', path: '/o/a'}], want: {o: {a: 'a', 'x/y': 2}}},
    {
      name: 'TestThatHolds',
      patch: [
        {op: 'test', path: '/o/a', value: 1},
        {op: 'remove', path: '/o/a'},
      ],
      want: {o: {'x/y': 2}},
    },
    {
      name: 'CopyWhatIsMissing',
      patch: [{op: 'copy', from: '/o/none', path: '/o/n'}],
      want: {o: {a: 1, 'x/y': 2, n: null}},
    },
    {name: 'AddWithoutAValue', patch: [{op: 'add', path: '/l/0'}], want: {l: [null, 'a', 'b', 'c']}},
    {name: 'NothingBeforeTheSlashCounts', patch: [{op: 'replace', path: 'any/l', value: 1}], want: {l: 1}},
    {name: 'IndexWithASign', patch: [{op: 'remove', path: '/l/+1'}], want: {l: ['a', 'c']}},
    {name: 'TestForNothing', patch: [{op: 'test', path: '/o/none', value: null}], want: {}},
  ])('$name', ({patch, want}) => {
    expect(jsonPatch(target, patch)).toEqual({...target, ...want});
  });

  test.each([
    {name: 'TestThatFails', patch: [{op: 'test', path: '/o/a', value: 2}]},
    {name: 'RemoveWhatIsMissing', patch: [{op: 'remove', path: '/o/none'}]},
    {name: 'AddBelowNothing', patch: [{op: 'add', path: '/none/a', value: 1}]},
    {name: 'ReplaceBelowNothing', patch: [{op: 'replace', path: '/none/a', value: 1}]},
    {name: 'BeyondTheEnd', patch: [{op: 'add', path: '/l/4', value: 'n'}]},
    {name: 'ReplaceBeyondTheEnd', patch: [{op: 'replace', path: '/l/3', value: 'n'}]},
    {name: 'NoIndex', patch: [{op: 'remove', path: '/l/x'}]},
    {name: 'NoPath', patch: [{op: 'remove', path: 'o'}]},
    {name: 'MoveWhatIsMissing', patch: [{op: 'move', from: '/o/none', path: '/o/n'}]},
    {name: 'AddTheWhole', patch: [{op: 'add', path: '', value: {}}]},
    {name: 'ReplaceTheWholeByAScalar', patch: [{op: 'replace', path: '', value: 1}]},
    {name: 'TestBelowNull', patch: [{op: 'test', path: '/o/none/x', value: null}]},
    {name: 'NoOperation', patch: [{op: 'invent', path: '/o'}]},
    {
      name: 'LaterOperationFails',
      patch: [
        {op: 'remove', path: '/o/a'},
        {op: 'remove', path: '/o/a'},
      ],
    },
  ])('cannot be carried out: $name', ({patch}) => {
    expect(jsonPatch(target, patch)).toBeUndefined();
  });
});
