import {describe, expect, it} from 'vitest';
import {desired, type Given, observed, planOf, table, usage, view, xr} from '../given.ts';

const gone = (value: string) => {
  const object = xr.json();
  const annotations = {'tether.fn.crossplane.io/gone': value};
  return view({...object, metadata: {...(object['metadata'] as object), annotations}});
};
const asked = (given: Given) => [...planOf(given).requirements.keys()];
const schemas = (given: Given) => [...planOf(given).schemas.keys()];
const person = (given: Given) => {
  const decision = planOf(given).decisions.get('u');
  return decision?.kind === 'hold' && decision.reason === 'by-still-exists' ? decision.person : decision?.kind;
};
const [, app] = observed('app');
const kind = 'kind-Thing.ec2.example.org/v1beta1';

// Nothing of the kind of `by` is observed: both ends are outside, as after a restore.
const alone: Given = {observed: [usage('u', {of: 'db', by: 'app'})]};
const held = {u: 'hold (by-still-exists)'};

describe('a `by` that is no longer observed', () => {
  it('is asked for at once where an object of its kind is observed', () => {
    const given = {observed: [observed('db'), usage('u', {of: 'db', by: 'app'})], schemas: {}};
    expect([asked(given), schemas(given)]).toEqual([['by-of-u'], []]);
  });

  it('is asked for once its kind has a schema, where this Crossplane knows schemas', () => {
    expect([asked({...alone, schemas: {}}), schemas({...alone, schemas: {}})]).toEqual([[], [kind]]);
    const served = {...alone, schemas: {[kind]: true}};
    expect([asked(served), schemas(served)]).toEqual([['by-of-u'], [kind]]);
    expect(table(served)).toEqual(held);
    expect(table({...served, required: {'by-of-u': []}})).toEqual({u: 'release'});
  });

  it('is not asked for where its kind is not served, counts as there, and a person is told', () => {
    const unserved = {...alone, schemas: {[kind]: false}};
    expect([asked(unserved), schemas(unserved)]).toEqual([[], [kind]]);
    expect(table(unserved)).toEqual(held);
    expect(person(unserved)).toBe('has-to-say');
    expect(person({...unserved, xr: gone('u')})).toBe('release');
  });

  it('is asked for in any case by a Crossplane that knows no schemas', () => {
    expect([asked(alone), schemas(alone)]).toEqual([['by-of-u'], []]);
  });

  it.each([
    ['a few, though there are more', 0, 4],
    ['one, where the request has half a megabyte left for it', 3.1, 1],
    ['none, where it has not', 3.2, 0],
  ])('has the schemas of as many kinds asked for as have room: %s', (_, megabytes, count) => {
    const usages = [...'abcdef'].map((name) => {
      const [, made] = usage(name, {of: 'db', by: name});
      const by = {apiVersion: 'ec2.example.org/v1beta1', kind: `Kind${name}`, resourceRef: {name}};
      const {spec, ...rest} = made.json();
      return [name, view({...rest, spec: {...(spec as object), by}})] as [string, typeof made];
    });
    const given = {observed: usages, schemas: {}, bytes: megabytes * 2 ** 20};
    expect([schemas(given).length, asked(given)]).toEqual([count, []]);
    const told = planOf(given).decisions.get('f');
    expect(told).toMatchObject({reason: 'by-still-exists', person: 'no-room'});
    // What a person calls gone is gone, and the rest waits.
    const confirmed = {...given, xr: gone('f')};
    expect(table(confirmed)).toMatchObject({e: 'hold (by-still-exists)', f: 'release'});
  });
});

describe('a lost resource is looked for', () => {
  const missing: Given = {desired: [desired('db')], input: {restore: {lookup: true}}};

  it('once its kind has a schema, where this Crossplane knows schemas', () => {
    const first = {...missing, schemas: {}};
    expect([asked(first), schemas(first), table(first)]).toEqual([[], [kind], {db: 'wait (lookup-pending)'}]);
    const served = {...missing, schemas: {[kind]: true}};
    expect([asked(served), schemas(served)]).toEqual([['lost-Thing.ec2.example.org'], [kind]]);
  });

  it('not where its kind is not served: such a question would stop the XR, and Crossplane creates as it can', () => {
    const unserved = {...missing, schemas: {[kind]: false}};
    expect([asked(unserved), table(unserved)]).toEqual([[], {db: 'create'}]);
  });

  it('first whether a kind is served that only the input names, where there are many', () => {
    const many = [...'abcde'].map((name) => desired(name, {kind: `Kind${name}`}));
    const input = {restore: {lookup: true, kinds: [{apiVersion: 'z.example.org/v1', kind: 'Removed'}]}};
    const given = {desired: many, input, schemas: {}};
    expect(schemas(given)).toContain('kind-Removed.z.example.org/v1');
    expect(asked(given)).not.toContain('lost-Removed.z.example.org');
  });

  it('in any case by a Crossplane that knows no schemas', () => {
    expect([asked(missing), schemas(missing)]).toEqual([['lost-Thing.ec2.example.org'], []]);
  });
});

describe('the way out is told', () => {
  const leaving: Given = {observed: [observed('app'), usage('u', {of: 'db', by: 'app'})]};

  it('while `by` is still observed, before nothing can be told any more', () => {
    expect(person(leaving)).toBe('may-have-to-say');
  });

  it('not where another object of that kind stays, nor where this Crossplane knows schemas', () => {
    const other = {...leaving, observed: [...(leaving.observed ?? []), observed('x')], desired: [desired('x')]};
    expect(person(other)).toBeUndefined();
    expect(person({...leaving, schemas: {}})).toBeUndefined();
  });
});

describe('what a person calls gone', () => {
  it.each(['u', 'by-of-u', '["u"]'])('is not asked for and holds nothing: %s', (name) => {
    const told = {...alone, xr: gone(name)};
    expect(asked(told)).toEqual([]);
    expect(table(told)).toEqual({u: 'release'});
  });

  it('is asked for where the annotation names another', () => {
    expect(asked({...alone, xr: gone('other')})).toEqual(['by-of-u']);
  });

  it('is asked for all the same where its kind is known to be served', () => {
    const observedToo = {observed: [observed('db'), usage('u', {of: 'db', by: 'app'})], xr: gone('u')};
    expect(asked(observedToo)).toEqual(['by-of-u']);
    expect(table(observedToo)).toMatchObject({u: 'hold (by-still-exists)'});
    const served = {...alone, schemas: {[kind]: true}, xr: gone('u')};
    expect([asked(served), table(served)]).toEqual([['by-of-u'], held]);
    expect(table({...alone, schemas: {}, xr: gone('u')})).toEqual(held);
  });

  it('is there where it was answered or is observed', () => {
    const answered = {...alone, xr: gone('u'), required: {'by-of-u': [app]}};
    expect([asked(answered), table(answered)]).toEqual([['by-of-u'], held]);
    const leaving = {observed: [observed('app'), usage('u', {of: 'db', by: 'app'})], xr: gone('u')};
    expect(table(leaving)).toMatchObject(held);
  });

  it('changes no answer that is not about a lookup of ours', () => {
    const required = {pets: [observed('pet', {kind: 'Pet'})[1]]};
    const input = {
      protect: {required: [{match: {pattern: 'pets'}}]},
      resources: [
        {name: 'a', base: {apiVersion: 'v1', kind: 'ConfigMap', data: {n: '${required.pets[0].metadata.name}'}}},
      ],
    };
    const given = {desired: [], required, input};
    expect(table({...given, xr: gone('pets, a')})).toEqual(table(given));
    expect(Object.values(table(given))).toContain('create');
  });

  it('does not empty the memory of external names', () => {
    const input = {externalNames: {remember: {in: 'ConfigMap' as const, namespace: 'memory'}}};
    const given = {desired: [desired('db')], input, xr: gone('tether-external-names, remembered-db')};
    expect(asked(given)).toEqual(['tether-external-names']);
    expect(table(given)).toMatchObject({db: 'wait (lookup-pending)'});
  });
});

describe('a lost resource whose kind is no longer served', () => {
  it('is looked for no longer, and created', () => {
    const given: Given = {desired: [desired('db')], input: {restore: {lookup: true}}};
    expect(table(given)).toEqual({db: 'wait (lookup-pending)'});
    const told = {...given, xr: gone('lost-Thing.ec2.example.org')};
    expect(table(told)).toEqual({db: 'create'});
    expect(asked(told)).toEqual([]);
  });

  it('is looked for all the same where an object of its kind is observed', () => {
    const given: Given = {
      observed: [observed('a')],
      desired: [desired('a'), desired('db')],
      input: {restore: {lookup: true}},
      xr: gone('lost-Thing.ec2.example.org'),
    };
    expect(table(given)).toEqual({a: 'keep', db: 'wait (lookup-pending)'});
  });
});
