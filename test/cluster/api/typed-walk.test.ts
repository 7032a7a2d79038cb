import {expect, test} from 'vitest';
import type {ListType} from '../../../src/cluster/api/merge-type.ts';
import {itemElement} from '../../../src/cluster/api/typed-walk.ts';

test('the path element of an item follows the keys of its list, which a new schema may change', () => {
  const listBy = (...keys: readonly string[]): ListType => ({element: {}, atomic: false, keys});
  const port = {name: 'http', port: 80};
  expect(itemElement(listBy('name'), port)).toEqual({kind: 'element', element: 'k:{"name":"http"}'});
  expect(itemElement(listBy('port'), port)).toEqual({kind: 'element', element: 'k:{"port":80}'});
});
