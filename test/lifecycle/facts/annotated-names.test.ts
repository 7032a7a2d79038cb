import {describe, expect, it} from 'vitest';
import {annotatedNames} from '../../../src/lifecycle/facts/metadata.ts';
import {observed, table, view, xr} from '../given.ts';

const annotated = (annotations: {[key: string]: string}) => {
  const object = xr.json();
  return view({...object, metadata: {...(object['metadata'] as object), annotations}});
};
const confirming = (value: string) => annotated({'tether.fn.crossplane.io/confirm-removal': value});

describe('names in an annotation of the XR', () => {
  it.each([
    ['a, b', ['a', 'b']],
    ['', []],
    ['["a,b", "c"]', ['a,b', 'c']],
    ['["a,b"', []],
    ['{"a": 1}', ['{"a": 1}']],
    ['[1, "a"]', ['a']],
  ])('%s', (value, want) => {
    expect([...annotatedNames(confirming(value), 'confirm-removal')]).toEqual(want);
  });
});

it('they are read once, however many resources are asked about', () => {
  const annotation = 'confirm-removal';
  const one = confirming('a, b');
  expect(annotatedNames(one, annotation)).toBe(annotatedNames(one, annotation));
  expect([...annotatedNames(one, 'gone')]).toEqual([]);
  expect([...annotatedNames(confirming('c'), annotation)]).toEqual(['c']);
});

describe('confirm-removal', () => {
  const input = {removal: {policies: [{policy: 'Confirm' as const}]}};
  const names = ['a', 'b', 'a,b'];
  const leaving = (value: string) =>
    Object.entries(table({xr: confirming(value), observed: names.map((name) => observed(name)), input}))
      .filter(([, what]) => what === 'release')
      .map(([name]) => name);

  it('names `a,b` in a JSON list, and then neither a nor b', () => {
    expect(leaving('["a,b"]')).toEqual(['a,b']);
    expect(leaving('a,b')).toEqual(['a', 'b']);
  });

  it('names one object by its uid, and no later one of that resource name', () => {
    expect(leaving('a@uid-of-net-a')).toEqual(['a']);
    expect(leaving('a@uid-of-an-earlier-one')).toEqual([]);
  });
});
