import {describe, expect, it} from 'vitest';
import {annotatedNames} from '../../src/lifecycle/annotated-names.ts';
import {desired, type Given, observed, planOf, table, usage, view, xr} from './given.ts';

const annotated = (annotations: {[key: string]: string}) => {
  const object = xr.json();
  return view({...object, metadata: {...(object['metadata'] as object), annotations}});
};
const confirming = (value: string) => annotated({'tether.fn.crossplane.io/confirm-removal': value});
const gone = (value: string) => annotated({'tether.fn.crossplane.io/gone': value});

describe('names in an annotation of the XR', () => {
  it.each([
    ['a, b', ['a', 'b']],
    ['', []],
    ['["a,b", "c"]', ['a,b', 'c']],
    ['["a,b"', []],
    ['{"a": 1}', ['{"a": 1}']],
    ['[1, "a"]', ['a']],
  ])('%s', (value, want) => {
    expect([...annotatedNames(confirming(value), 'tether.fn.crossplane.io/confirm-removal')]).toEqual(want);
  });
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

describe('a `by` whose kind is no longer served', () => {
  const given: Given = {observed: [observed('db'), usage('u', {of: 'db', by: 'app'})]};

  it('is asked for, and holds what it uses', () => {
    expect([...planOf(given).requirements.keys()]).toEqual(['by-of-u']);
    expect(table(given)).toMatchObject({u: 'hold (by-still-exists)'});
  });

  it.each(['u', 'by-of-u'])('is not asked for and holds nothing once the annotation names %s', (name) => {
    const told = {...given, xr: gone(name)};
    expect([...planOf(told).requirements.keys()]).toEqual([]);
    expect(table(told)).toEqual({db: 'hold (usage-leaves-first)', u: 'release'});
  });

  it('is asked for where the annotation names another', () => {
    expect([...planOf({...given, xr: gone('other')}).requirements.keys()]).toEqual(['by-of-u']);
  });
});

describe('a lost resource whose kind is no longer served', () => {
  it('is looked for no longer, and created', () => {
    const given: Given = {desired: [desired('db')], input: {restore: {lookup: true}}};
    expect(table(given)).toEqual({db: 'wait (lookup-pending)'});
    const told = {...given, xr: gone('lost-Thing.ec2.example.org')};
    expect(table(told)).toEqual({db: 'create'});
    expect([...planOf(told).requirements.keys()]).toEqual([]);
  });
});
