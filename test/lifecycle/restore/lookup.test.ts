import {describe, expect, it} from 'vitest';
import {compositeId} from '../../../src/lifecycle/facts/naming.ts';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import {rowOf} from '../../../src/lifecycle/words/decision.ts';
import type {JsonObject} from '../../../src/lifecycle/words/json.ts';
import type {ResourceView} from '../../../src/lifecycle/words/snapshot.ts';
import {
  desired,
  emitted,
  type Given,
  id,
  marked,
  type ObservedOptions,
  observed,
  planOf,
  table,
  view,
  xr,
  xrUid,
} from '../given.ts';

const on: Input = {restore: {lookup: true}};
const things = 'lost-Thing.ec2.example.org';

/** A composed resource that the XR's resourceRefs lost, as the lookup finds it. */
function lost(resourceName: string, options: ObservedOptions = {}) {
  return observed(resourceName, {
    name: `net-old-${resourceName}`,
    controller: 'nobody',
    labels: marked(resourceName),
    ...options,
  })[1];
}

function metadataIn(given: Given) {
  return emitted(planOf(given), 'db')['metadata'];
}

describe('an XR that Velero brought back', () => {
  const metadata = {name: 'net', uid: xrUid, labels: {'velero.io/restore-name': 'monday'}};
  const xr = view({apiVersion: 'platform.example.org/v1', kind: 'XNetwork', metadata});
  const schemas = {'kind-Thing.ec2.example.org/v1beta1': true};
  const given = {xr, observed: [observed('other')], desired: [desired('db'), desired('other')], schemas};
  const told = (...found: ResourceView[]) => ({...given, required: {[things]: found}});

  it('looks for what it has yet to make, because what an order or a template lets wait comes back meanwhile', () => {
    expect(table(given)['db']).toBe('wait (lookup-pending)');
    expect(table(told(lost('db')))['db']).toBe('adopt (found-by-label)');
    const input: Input = {order: [{sequence: [{resources: ['other']}, {resources: ['db']}]}]};
    expect(table({...told(lost('db')), input})['db']).toBe('adopt (found-by-label)');
    expect(table({...told(), input})['db']).toBe('wait (creation-order)');
  });

  it('adopts what is in the middle of a move as it is, and gives it no policies', () => {
    const spec = {managementPolicies: ['Observe']};
    const owned = {'f:spec': {'f:managementPolicies': {}}};
    const found = (annotations: JsonObject) => told(lost('db', {spec, owned, annotations}));
    const wanted = (annotations: JsonObject) =>
      emitted(planOf({...found(annotations), desired: [desired('db', {spec: {managementPolicies: ['*']}})]}), 'db');
    for (const mark of [
      {'tether.fn.crossplane.io/handover-from': 'tether-handover-of-db'},
      {'tether.fn.crossplane.io/handover-with': '{"stage":"observing"}'},
    ]) {
      expect(table(found(mark))['db']).toBe('adopt (found-by-label)');
      expect(wanted(mark)).toMatchObject({metadata: {name: 'net-old-db'}, spec});
    }
  });

  it('adopts the same of two versions in whatever order the answers come', () => {
    const found = lost('db', {annotations: {'tether.fn.crossplane.io/handover-with': '{"stage":"observing"}'}});
    const older = view({...found.json(), apiVersion: 'ec2.example.org/v1alpha1'});
    const adopted = (required: Given['required']) => emitted(planOf({...told(), ...(required && {required})}), 'db');
    const one = adopted({[things]: [found], all: [older]});
    expect(adopted({all: [older], [things]: [found]})).toEqual(one);
  });

  it('waits for nothing that is found, and asks nothing where the answer could fail', () => {
    expect(table(told(lost('db', {controller: 'stale'})))['db']).toBe('create');
    const {schemas: _, ...older} = given;
    expect(table(older)['db']).toBe('create');
    expect(planOf(older).requirements.size).toBe(0);
  });
});

describe('a resource that the input orphans', () => {
  const status = {conditions: [{type: 'Synced', status: 'True'}]};
  const xr = view({
    apiVersion: 'platform.example.org/v1',
    kind: 'XNetwork',
    metadata: {name: 'net', uid: xrUid},
    status,
  });
  const input: Input = {removal: {policies: [{match: {resources: ['db']}, policy: 'Orphan'}]}};
  const schemas = {'kind-Thing.ec2.example.org/v1beta1': true};
  const given = {xr, input, schemas, observed: [observed('other')], desired: [desired('db'), desired('other')]};
  const going = lost('db', {deleting: true});

  it('is made again once the one before is gone, which would get the policies that delete back', () => {
    expect(table(given)['db']).toBe('wait (lookup-pending)');
    expect(table({...given, required: {[things]: [going]}})['db']).toBe('wait (still-deleting)');
    expect(table({...given, required: {[things]: []}})['db']).toBe('create');
  });

  it('is not waited for where the input orphans another, nor looked for where the XR has made nothing yet', () => {
    const other: Input = {removal: {policies: [{match: {resources: ['other']}, policy: 'Orphan'}]}};
    expect(table({...given, input: other, required: {[things]: [going], 'place-of-db': []}})['db']).toBe('create');
    const fresh = view({apiVersion: 'platform.example.org/v1', kind: 'XNetwork', metadata: {name: 'net', uid: xrUid}});
    expect(planOf({...given, xr: fresh}).requirements.size).toBe(0);
  });
});

describe('a desired resource that is not observed', () => {
  it('is created at once where no lookup is asked for', () => {
    expect(table({desired: [desired('db')]})).toEqual({db: 'create'});
    expect(planOf({desired: [desired('db')]}).requirements.size).toBe(0);
  });

  it('waits until the lookup is answered, left out of desired', () => {
    const given = {desired: [desired('db')], input: on};
    expect(table(given)).toEqual({db: 'wait (lookup-pending)'});
    expect(planOf(given).edits.get('db')).toEqual({kind: 'drop'});
  });

  it('is looked for by kind and by the XR identity, which survives a new UID', () => {
    const {requirements} = planOf({desired: [desired('db'), desired('app')], input: on});
    expect([...requirements]).toEqual([
      [
        things,
        {
          apiVersion: 'ec2.example.org/v1beta1',
          kind: 'Thing',
          namespace: '',
          match: {kind: 'labels', labels: {'tether.fn.crossplane.io/composite': id}},
        },
      ],
    ]);
  });

  it('is looked for in the namespace of a namespaced XR', () => {
    const xr = view({apiVersion: 'p.example.org/v1', kind: 'Network', metadata: {name: 'net', namespace: 'team'}});
    const {requirements} = planOf({xr, desired: [desired('db')], input: on});
    expect(requirements.get(things)).toMatchObject({namespace: 'team'});
  });

  it('is asked for the same whatever was answered', () => {
    const given = {desired: [desired('db')], input: on};
    expect(planOf({...given, required: {[things]: [lost('db')]}}).requirements).toEqual(planOf(given).requirements);
  });

  it('is not what a tool brought back without its resource name: listed and not applied it would stop the XR', () => {
    const nameless = lost('db', {annotations: {'crossplane.io/composition-resource-name': ''}});
    expect(table({desired: [desired('db')], input: on, required: {[things]: [nameless]}})).toEqual({db: 'create'});
  });

  it('is created when nothing was lost', () => {
    expect(table({desired: [desired('db')], input: on, required: {[things]: []}})).toEqual({db: 'create'});
  });

  it('takes the lost object back under its name', () => {
    const given = {desired: [desired('db')], input: on, required: {[things]: [lost('db'), lost('other')]}};
    expect(table(given)).toMatchObject({db: 'adopt (found-by-label)'});
    expect(metadataIn(given)).toMatchObject({name: 'net-old-db'});
  });

  it('adopts the lost object as it is: a template that keeps what it observes generates another value before it has seen it', () => {
    const [spec, owned] = [{password: 'only copy'}, {'f:spec': {'f:password': {}}}];
    const generated = desired('db', {spec: {password: 'new', size: 2}});
    const given = {desired: [generated], input: on, required: {[things]: [lost('db', {spec, owned})]}};
    expect(emitted(planOf(given), 'db')['spec']).toEqual({password: 'only copy'});
    const seen = {desired: [generated], input: on, observed: [observed('db', {spec, owned})]};
    expect(planOf(seen).edits.get('db')?.kind).toBe('amend');
  });

  it('is pinned in the namespace that it is desired in', () => {
    const given = {
      desired: [desired('db', {namespace: 'team'})],
      input: on,
      required: {[things]: [lost('db', {namespace: 'team'})]},
    };
    expect(metadataIn(given)).toMatchObject({name: 'net-old-db', namespace: 'team'});
  });

  const confirmations: readonly (readonly [string, Parameters<typeof desired>[1], ObservedOptions, string])[] = [
    ['another namespace than the desired one', {namespace: 'team'}, {namespace: 'of-a-tenant'}, 'create'],
    ['a namespace where none is desired', {}, {namespace: 'of-a-tenant'}, 'create'],
    ['no namespace where one is desired', {namespace: 'team'}, {}, 'create'],
    ['another name than the desired one', {name: 'ledger'}, {}, 'create'],
    ['the desired name', {name: 'ledger'}, {name: 'ledger'}, 'adopt (found-by-label)'],
    ['a name that Crossplane does not make up', {}, {name: 'theirs'}, 'create'],
    ['a name that its author once gave it', {}, {name: 'ledger', owned: {'f:spec': {}}}, 'adopt (found-by-label)'],
    [
      'another name that its author once gave it',
      {name: 'ledger'},
      {name: 'books', owned: {'f:spec': {}}},
      'adopt (found-by-label)',
    ],
    [
      'the field manager of another XR',
      {},
      {manager: 'apiextensions.crossplane.io/composed/other', owned: {}},
      'create',
    ],
  ];
  it.each(confirmations)(
    'confirms what is desired and redirects nothing: an object with %s',
    (_what, wanted, found, want) => {
      const given = {desired: [desired('db', wanted)], input: on, required: {[things]: [lost('db', found)]}};
      expect(table(given)).toMatchObject({db: want});
    },
  );

  it('is not found under an older name if another one has the desired name', () => {
    const [older, named] = ['books', 'ledger'].map((name) => lost('db', {name, owned: {'f:spec': {}}}));
    const given = {desired: [desired('db', {name: 'ledger'})], input: on, required: {[things]: [older, named]}};
    expect(planOf(given as Given).decisions.get('db')).toMatchObject({object: {name: 'ledger'}});
  });

  it('is found under the names that Crossplane makes up, cut short and with the prefix of a claim', () => {
    const metadata = {name: `net-${'x'.repeat(60)}`, uid: 'u', labels: {'crossplane.io/composite': 'claimed'}};
    const long = view({apiVersion: 'platform.example.org/v1', kind: 'XNetwork', metadata});
    const labels = {'tether.fn.crossplane.io/composite': compositeId(long), 'tether.fn.crossplane.io/resource': 'db'};
    for (const name of [`${metadata.name.slice(0, 50)}-0123456789ab`, 'claimed-0123456789ab']) {
      const [, found] = observed('db', {name, controller: 'nobody', labels});
      const given = {xr: long, desired: [desired('db')], input: on, required: {[things]: [found]}};
      expect(table(given)).toEqual({db: 'adopt (found-by-label)'});
    }
  });

  it.each<[string, ObservedOptions, string]>([
    ['another UID controls', {controller: 'stale'}, 'wait (stale-controller)'],
    ['is being deleted', {deleting: true}, 'wait (still-deleting)'],
    ['is another resource', {labels: marked('other')}, 'create'],
    ['is of another kind', {kind: 'OtherThing'}, 'create'],
    ['already has our controller reference', {controller: 'ours'}, 'adopt (found-by-label)'],
  ])('where the object found %s: %s', (_what, options, want) => {
    const given = {desired: [desired('db')], input: on, required: {[things]: [lost('db', options)]}};
    expect(table(given)).toMatchObject({db: want});
    // Nothing of this XR changes when that object goes or changes hands.
    expect(planOf(given).ttlAtMostSeconds).toBe(want === 'create' ? undefined : 10);
  });

  it('waits for a person where two objects claim to be it', () => {
    const two = [lost('db', {name: 'net-z'}), lost('db', {name: 'net-a'})];
    const given = {desired: [desired('db')], input: on, required: {[things]: two}};
    expect(table(given)).toEqual({db: 'wait (ambiguous-lookup)'});
    expect(planOf(given).decisions.get('db')).toMatchObject({objects: [{name: 'net-a'}, {name: 'net-z'}]});
  });

  it('does not take an object that is observed under another resource name', () => {
    const [, other] = observed('other', {labels: marked('db')});
    const given = {
      observed: [['other', other] as [string, typeof other]],
      desired: [desired('db'), desired('other')],
      input: on,
      required: {[things]: [other]},
    };
    expect(table(given)).toEqual({db: 'create', other: 'keep'});
  });
});

describe('a lost resource that is no longer desired', () => {
  const input: Input = {restore: {lookup: true, kinds: [{apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing'}]}};

  it('is held under its name, so that the XR adopts and then deletes it', () => {
    const given = {input, required: {[things]: [lost('db')]}};
    expect(table(given)).toEqual({db: 'hold (found-by-label)'});
    expect(emitted(planOf(given), 'db')['metadata']).toMatchObject({name: 'net-old-db'});
  });

  it('is adopted under its resource name before its object gets another one', () => {
    const given = {desired: [desired('next', {name: 'net-old-db'})], input, required: {[things]: [lost('db')]}};
    expect(table(given)).toEqual({db: 'hold (found-by-label)', next: 'wait (not-moved)'});
    const stale = {...given, required: {[things]: [lost('db', {controller: 'stale'})]}};
    expect(table(stale)).toEqual({db: 'refuse (stale-controller)', next: 'create'});
  });

  it('is held with others in sorted order', () => {
    const two = [lost('z'), lost('a')];
    expect([...planOf({input, required: {[things]: two}}).decisions.keys()]).toEqual(['a', 'z']);
  });

  it('is looked for although nothing is missing', () => {
    expect([...planOf({input}).requirements.keys()]).toEqual([things]);
  });

  it.each<[string, ObservedOptions, JsonObject]>([
    ['is left alone where it is being deleted', {deleting: true}, {}],
    ['is reported where another UID controls it', {controller: 'stale'}, {db: 'refuse (stale-controller)'}],
  ])('%s', (_what, options, want) => {
    const given = {input, required: {[things]: [lost('db', options)]}};
    expect(table(given)).toEqual(want);
    expect(planOf(given).edits.size).toBe(0);
  });

  it('is left to Crossplane in a namespace, where a cluster-scoped XR is not known to have composed it', () => {
    const planted = {input, required: {[things]: [lost('db', {namespace: 'of-a-tenant'})]}};
    expect(table(planted)).toEqual({db: 'refuse (unproven)'});
    expect(planOf(planted).edits.size).toBe(0);
    const applied = lost('db', {namespace: 'team', owned: {'f:spec': {}}});
    expect(table({input, required: {[things]: [applied]}})).toEqual({db: 'hold (found-by-label)'});
  });

  it('is left alone where its resource name is observed as another object: that is a duplicate, not a loss', () => {
    const given = {observed: [observed('db')], desired: [desired('db')], input, required: {[things]: [lost('db')]}};
    expect(table(given)).toEqual({db: 'keep'});
  });

  it('comes back one by one where there are two of a name', () => {
    const two = [lost('db', {name: 'net-z'}), lost('db', {name: 'net-a'})];
    expect(planOf({input, required: {[things]: two}}).decisions.get('db')).toMatchObject({object: {name: 'net-a'}});
    expect(planOf({input, required: {[things]: two.reverse()}}).decisions.get('db')).toMatchObject({
      object: {name: 'net-a'},
    });
  });
});

it('looks at each found object a few times, however many resources are missing', () => {
  const names = Array.from({length: 60}, (_, index) => `s${index}`);
  let read = 0;
  const found = names.map((name) => {
    const object = lost(name);
    const field: typeof object.field = (path) => {
      read++;
      return object.field(path);
    };
    return {...object, field};
  });
  const given = {desired: names.map((name) => desired(name)), input: on, required: {[things]: found}};
  expect(Object.values(table(given))).toEqual(names.map(() => 'adopt (found-by-label)'));
  expect(read).toBeLessThan(names.length * 40);
});

describe('a lookup whose answer the next request has no room for', () => {
  const observing = Array.from({length: 10}, (_, index) => observed(`r${index}`));
  const given = (bytes: number, input: Input = {restore: {lookup: true}}): Given => ({
    bytes,
    observed: observing,
    desired: [...observing.map(([name]) => desired(name)), desired('more')],
    input,
    schemas: {},
  });

  it('is asked for each resource that is missing, and finds it', () => {
    expect([...planOf(given(1.5 * 2 ** 20)).requirements.keys()]).toEqual(['lost-Thing.ec2.example.org']);
    const one = given(2 * 2 ** 20);
    const labels = {...marked('more'), 'tether.fn.crossplane.io/composite': id};
    expect([...planOf(one).requirements]).toMatchObject([['lost-of/more', {match: {kind: 'labels', labels}}]]);
    expect(table(one)).toMatchObject({r0: 'keep', r9: 'keep', more: 'wait (lookup-pending)'});
    expect(table({...one, required: {'lost-of/more': []}})['more']).toBe('create');
    expect(table({...one, required: {'lost-of/more': [lost('more')]}})['more']).toBe('adopt (found-by-label)');
  });

  it('is answered by a person for a kind that cannot be looked up', () => {
    const {metadata, ...rest} = xr.json() as {metadata: JsonObject};
    const annotations = {'tether.fn.crossplane.io/gone': 'lost-Thing.ec2.example.org'};
    const {schemas: _, ...older} = given(3.65 * 2 ** 20);
    const one: Given = {...older, observed: [], desired: [desired('more'), desired('other')]};
    const waiting = 'wait (lookup-pending)';
    expect(table(one)).toEqual({more: waiting, other: waiting});
    const confirmed = {...one, xr: view({...rest, metadata: {...metadata, annotations}})};
    expect(table(confirmed)).toEqual({more: 'create', other: 'create'});
  });

  const many = (count: number) => Array.from({length: count}, (_, index) => `new-${1000 + index}`);
  const wanting = (names: readonly string[]): Given => ({...given(0), desired: names.map((name) => desired(name))});

  it('is asked for in waves of what is created now, and the next one follows', () => {
    expect([...planOf(wanting(many(500))).requirements.keys()]).toEqual(['lost-Thing.ec2.example.org']);
    const first = [...planOf(wanting(many(900))).requirements.keys()];
    expect(first).toEqual(many(first.length).map((name) => `lost-of/${name}`));
    expect(first.length).toBeGreaterThan(200);
    const answered = {...wanting(many(900)), required: Object.fromEntries(first.map((name) => [name, []]))};
    expect([...planOf(answered).requirements.keys()]).toEqual(first);
    const decided = Object.values(table(answered)).slice(0, 900);
    expect(decided.filter((one) => one === 'create')).toHaveLength(first.length);
    expect(decided.filter((one) => one === 'wait (lookup-pending)')).toHaveLength(900 - first.length);
    const waiting = [...planOf(answered).decisions].filter(([, {kind}]) => kind === 'wait');
    expect(waiting.map(([name, decision]) => rowOf(decision).sentence(name, decision)).at(-1)).toContain(
      'those that the pipeline dropped are not looked for',
    );
  });

  it('is asked first for what an order creates first', () => {
    const input: Input = {
      restore: {lookup: true},
      order: [{sequence: [{resources: ['z']}, {pattern: 'new-.*'}]}],
    };
    const asked = planOf({...wanting([...many(900), 'z']), input}).requirements;
    expect([...asked.keys()]).toContain('lost-of/z');
  });

  it('goes on by a few while providers write no status, and stops if the message itself has no room', () => {
    const fresh = Array.from({length: 900}, (_, index) => observed(`r${index}`, {status: {}}));
    const names = [...fresh.map(([name]) => name), ...many(50)];
    const one = (bytes: number): Given => ({...given(bytes), observed: fresh, desired: names.map((n) => desired(n))});
    expect(planOf(one(2 * 2 ** 20)).requirements.size).toBe(10);
    expect(planOf(one(3.74 * 2 ** 20)).requirements.size).toBe(0);
    const {decisions} = planOf(one(3.74 * 2 ** 20));
    expect(decisions.get('r0')).toMatchObject({kind: 'keep'});
    expect(decisions.get('new-1000')).toEqual({kind: 'wait', reason: 'lookup-pending', room: 'none'});
  });

  it('keeps nothing from being made where the input asks for no lookup', () => {
    const labels = {'velero.io/restore-name': 'r'};
    const {metadata, ...rest} = xr.json() as {metadata: JsonObject};
    const restored = view({...rest, metadata: {...metadata, labels}});
    const asks = (bytes: number) => planOf({...given(bytes, {}), xr: restored});
    expect([...asks(1.5 * 2 ** 20).requirements.keys()]).toEqual(['lost-Thing.ec2.example.org']);
    expect([...asks(2 * 2 ** 20).requirements.keys()]).toEqual(['lost-of/more']);
    expect(asks(3.8 * 2 ** 20).requirements.size).toBe(0);
    expect(asks(3.8 * 2 ** 20).decisions.get('more')).toEqual({kind: 'create'});
  });
});
