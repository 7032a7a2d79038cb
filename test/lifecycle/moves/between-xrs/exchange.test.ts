import {describe, expect, test} from 'vitest';
import type {Input} from '../../../../src/lifecycle/input/input.ts';
import {schemaName} from '../../../../src/lifecycle/questions/registry.ts';
import type {Move} from '../../../../src/lifecycle/words/decision.ts';
import type {JsonObject} from '../../../../src/lifecycle/words/json.ts';
import type {ResourceView} from '../../../../src/lifecycle/words/snapshot.ts';
import {
  confirmation,
  desired,
  emitted,
  type Given,
  observed,
  obstacleWords,
  marked as ours,
  planOf,
  table,
  view,
  xrUid,
} from '../../given.ts';
import {
  annotation,
  counterpart,
  full,
  giveInput,
  inOrder,
  letGo,
  type Mine,
  mark,
  mine,
  observing,
  otherXr,
  type Theirs,
  takeInput,
  theirs,
} from './given.ts';

/** The answers of Crossplane, by what was asked. */
function answers(given: Given, object: ResourceView | undefined, xr: ResourceView | undefined = otherXr) {
  const required: {[name: string]: readonly ResourceView[]} = {};
  planOf(given).requirements.forEach((requirement, name) => {
    const found = requirement.match.kind === 'name' ? xr : object;
    required[name] = found === undefined ? [] : [found];
  });
  return {...given, required};
}

/** The decision on "db", with what stops it. */
function stateOf({decisions}: ReturnType<typeof planOf>) {
  const decision = decisions.get('db');
  return {...decision, stopped: obstacleWords((decision as Partial<Move> | undefined)?.stopped)};
}

const wanted = [desired('db', {spec: {...full, forProvider: {size: 1}}})];

test('an offered object that nothing desires is not written over what another writer changed meanwhile', () => {
  const owned = {'f:spec': {'f:managementPolicies': {}}};
  const of = (given: Given) => emitted(planOf(answers(given, undefined)), 'db')?.['metadata'];
  const dropped = {observed: [mine({owned, resourceVersion: '7'})], input: giveInput};
  expect(of(dropped)).toMatchObject({resourceVersion: '7'});
  expect(of({...dropped, desired: wanted})).not.toHaveProperty('resourceVersion');
});

test.each([
  ['without an external name', {name: '', spec: {deletionPolicy: 'Orphan', managementPolicies: ['*']}}],
  ['before its provider knows that it exists', {spec: {managementPolicies: ['Observe', 'Create', 'Update']}}],
])('an object that its author keeps from deletion is not told to let go: %s', (_when, options) => {
  const given = {observed: [mine({...options, marked: mark('giving', 'store')})], desired: wanted, input: giveInput};
  expect(stateOf(planOf(answers(given, undefined)))).toMatchObject({reason: 'offering'});
});

describe('what a restore brought back without its controller in the middle of an exchange', () => {
  const owned = {
    'f:metadata': {'f:annotations': {[`f:${annotation}`]: {}}},
    'f:spec': {'f:deletionPolicy': {}, 'f:managementPolicies': {}},
  };
  const back = (spec: JsonObject, input: Input, annotations: JsonObject): Given => ({
    observed: [observed('db', {controller: 'nobody', spec, annotations, status: inOrder, owned})],
    desired: wanted,
    input,
  });

  test.each([
    ['observing', observing, takeInput],
    ['taken', full, takeInput],
    ['giving', letGo, giveInput],
  ])('is adopted as it is: %s', (stage, spec, input) => {
    const given = back(spec, input, mark(stage, 'store'));
    expect(table(given)['db']).toBe('adopt (without-controller)');
    expect(emitted(planOf(given), 'db')).toMatchObject({spec, metadata: {annotations: mark(stage, 'store')}});
    expect(planOf(given).edits.get('db')).toMatchObject({ready: stage === 'observing' ? 'false' : 'true'});
  });

  test('is adopted as it is desired where it was in none', () => {
    const given = back(observing, takeInput, {});
    expect(table(given)['db']).toBe('adopt (without-controller)');
    expect(planOf(given).edits.get('db')).toMatchObject({kind: 'amend'});
  });
});

describe('the side that gives', () => {
  const give = (my: Mine, object: ResourceView | undefined, more: Given = {}, xr?: ResourceView) =>
    answers({observed: [mine(my)], desired: wanted, input: giveInput, ...more}, object, xr);

  test('offers what it has and changes nothing else of it', () => {
    const plan = planOf(give({}, undefined));
    expect(stateOf(plan)).toMatchObject({kind: 'move', reason: 'offering', stopped: 'not-there object'});
    // Its XR may be deleted before the other one has the external resource.
    expect(emitted(plan, 'db')['spec']).toEqual({...full, deletionPolicy: 'Orphan', forProvider: {size: 1}});
  });

  test('offers it as it is until the other XR is there, and lets it live from then on', () => {
    const asWanted = {spec: {...full, forProvider: {size: 1}}};
    const absent: Given = {observed: [mine()], desired: wanted, input: giveInput};
    expect(emitted(planOf(absent), 'db')).toMatchObject(asWanted);
    const asked = answers(absent, undefined);
    const nothing = Object.fromEntries(Object.keys(asked.required).map((name) => [name, []]));
    expect(emitted(planOf({...absent, required: nothing}), 'db')).toMatchObject(asWanted);
    const offered = mine({spec: {...full, deletionPolicy: 'Orphan'}, marked: mark('offering', 'store')});
    const later = planOf({...absent, observed: [offered], required: nothing});
    expect(emitted(later, 'db')).toMatchObject({spec: {...asWanted.spec, deletionPolicy: 'Orphan'}});
  });

  test('has its own policies again where the object of the other XR leads elsewhere: that one takes nothing', () => {
    const offered = {spec: {...full, deletionPolicy: 'Orphan'}, marked: mark('offering', 'store')};
    const beside = (options: Theirs) => emitted(planOf(give(offered, theirs(options))), 'db')['spec'];
    expect(beside({name: 'db-2', id: 'db-2', marked: mark('taken', 'stranger')})).toMatchObject(full);
    expect(beside({name: 'db-2', id: 'db-1'})).toMatchObject({deletionPolicy: 'Orphan'});
    expect(beside({marked: mark('observing', 'stranger')})).toMatchObject({deletionPolicy: 'Orphan'});
  });

  test('lets go once the other object observes the same external resource, in order', () => {
    const plan = planOf(give({}, theirs({spec: observing, marked: mark('observing', 'net')})));
    expect(stateOf(plan)).toMatchObject({kind: 'move', reason: 'letting-go', stopped: undefined});
    expect(emitted(plan, 'db')['spec']).toMatchObject({deletionPolicy: 'Orphan'});
  });

  const marked = mark('observing', 'net');
  const notProven: readonly (readonly [string, Theirs, string])[] = [
    ['that does not name this XR', {}, 'other-rule takes'],
    ['that names another XR', {marked: mark('observing', 'stranger')}, 'other-rule takes'],
    ['with the labels and another controller', {marked, owner: 'uid-of-a-tenant'}, 'unproven'],
    ['that Crossplane never applied for that XR', {marked, manager: 'kubectl'}, 'unproven'],
    ['that its XR does not list, whatever owner and manager it says', {marked, objectName: 'planted'}, 'unproven'],
    ['with another external name', {marked, name: 'db-2'}, 'another-resource'],
    ['whose provider sees another id', {marked, id: 'db-2'}, 'another-resource'],
    ['that is not Synced', {marked, synced: 'False'}, 'not-synced'],
    ['that is being deleted', {marked, deleting: true}, 'deleting new'],
  ];
  for (const [what, options, stopped] of notProven)
    test(`lets nothing go to an object ${what}`, () => {
      const plan = planOf(give({}, theirs({spec: observing, ...options})));
      expect(stateOf(plan)).toMatchObject({kind: 'move', reason: 'offering', stopped});
    });

  test('lets nothing go while the other connection Secret lacks a value of its own, or its provider generated one', () => {
    const stopped = (my: Mine, keys: readonly string[] | undefined, more: Given = {}) =>
      stateOf(planOf(give(my, theirs({spec: observing, marked: mark('observing', 'net', keys)}), more))).stopped;
    const details = {endpoint: 'e', password: 'p'};
    for (const keys of [undefined, [], ['endpoint']]) expect(stopped({details}, keys)).toBe('secret lacking');
    expect(stopped({details}, ['endpoint', 'password', 'port'])).toBeUndefined();
    expect(stopped({details: {endpoint: ''}}, undefined)).toBeUndefined();
    const generating = {spec: {...full, forProvider: {autoGeneratePassword: true}}};
    expect(stopped(generating, [])).toBe('secret generated');
    expect([stopped(generating, [], confirmation), stopped({details}, [], confirmation)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('lets what protect keeps go only to what a Usage keeps, too', () => {
    const protect: Input = {protect: {resources: [{match: {resources: ['db']}}], xr: 'Never'}};
    const made = planOf({observed: [mine()], desired: wanted, input: protect});
    const [usage = '', edit] = [...made.edits].find(([name]) => name !== 'db') ?? [];
    const there: [string, ResourceView] = [usage, view(edit?.kind === 'put' ? edit.object : {})];
    const object = theirs({spec: observing, marked: mark('observing', 'net')});
    const beside = (other: ResourceView) =>
      stateOf(planOf(give({}, other, {observed: [mine(), there], input: {...giveInput, ...protect}})));
    expect(beside(object)).toMatchObject({reason: 'offering', stopped: 'unprotected usage'});
    const metadata = object.json()['metadata'] as JsonObject;
    const labels = {...(metadata['labels'] as JsonObject), 'crossplane.io/in-use': 'true'};
    const kept = view({...object.json(), metadata: {...metadata, labels}});
    expect(beside(kept)).toMatchObject({reason: 'letting-go', stopped: undefined});
  });

  test('lets go of what a backup of before brought back, where the other object has policies of its own, and keeps it', () => {
    const plan = planOf(give({}, theirs()));
    expect(stateOf(plan)).toMatchObject({kind: 'move', reason: 'letting-go', stopped: 'other-rule takes'});
    expect(emitted(plan, 'db')['spec']).toMatchObject({deletionPolicy: 'Orphan'});
    const later = planOf(give({spec: letGo, marked: mark('giving', 'store')}, theirs()));
    expect(stateOf(later)).toMatchObject({kind: 'move', reason: 'letting-go', stopped: 'other-rule takes'});
  });

  const notTaken: readonly (readonly [string, Theirs])[] = [
    ['that has let go itself', {spec: {deletionPolicy: 'Orphan'}}],
    ['that only observes', {spec: observing}],
    ['of another name', {name: 'db-2'}],
    ['of another id', {id: 'db-2'}],
    ['that is not Synced', {synced: 'False'}],
    ['that Crossplane never applied for that XR', {manager: 'kubectl'}],
  ];
  for (const [what, options] of notTaken)
    test(`lets nothing go to an object that says of nobody that it takes it, ${what}`, () => {
      expect(planOf(give({}, theirs(options))).decisions.get('db')).toMatchObject({reason: 'offering'});
    });

  test('waits with what it let go until the other object has its policies', () => {
    const my = {spec: letGo, marked: mark('giving', 'store')};
    const plan = planOf(give(my, theirs({spec: observing, marked: mark('observing', 'net')})));
    expect(stateOf(plan)).toMatchObject({kind: 'move', reason: 'letting-go', stopped: undefined});
  });

  test('keeps an object that a rule moves to another resource name here: applied while it goes, it would get its policies back', () => {
    const moved = [desired('db-moved', {name: 'net-db', spec: {...full, forProvider: {size: 1}}})];
    const marked = mark('giving', 'store');
    const input = {...giveInput, handover: [{from: {resources: ['db']}, to: {resource: 'db-moved'}}]};
    const observes = theirs({spec: observing, marked: mark('observing', 'net')});
    const before = planOf(give({marked}, observes, {desired: moved, input}));
    expect(stateOf(before)).toMatchObject({kind: 'move', reason: 'offering', stopped: 'rivals'});
    const taken = theirs({marked: mark('taken', 'net')});
    const after = planOf(give({spec: letGo, marked}, taken, {desired: moved, input}));
    expect(stateOf(after)).toMatchObject({kind: 'move', reason: 'letting-go', stopped: 'rivals'});
    expect(emitted(after, 'db')['spec']).toMatchObject({deletionPolicy: 'Orphan'});
    expect(after.decisions.get('db-moved')).toMatchObject({kind: 'wait'});
    const noRule = planOf(give({spec: letGo, marked}, taken, {desired: moved}));
    expect(noRule.decisions.get('db')).toEqual({kind: 'release'});
  });

  test('releases what it let go once the other object has its policies, although it is desired', () => {
    const plan = planOf(give({spec: letGo, marked: mark('giving', 'store')}, theirs({marked: mark('taken', 'net')})));
    expect(plan.decisions.get('db')).toEqual({kind: 'release'});
    expect(plan.edits.get('db')).toEqual({kind: 'drop'});
  });

  test('never gives policies back to what is being deleted', () => {
    const my = {spec: letGo, marked: mark('giving', 'store'), deleting: true};
    const plan = planOf(give(my, theirs({spec: observing, marked: mark('observing', 'net')})));
    expect(plan.edits.get('db')).toEqual({kind: 'drop'});
  });

  test('keeps what the other XR waits to take while a rule here has a name that is not there', () => {
    const naming = (name: string): Input => ({give: [{to: counterpart, resources: [{name, there: 'instance'}]}]});
    const misspelled = naming('ledger');
    const leaving: Given = {observed: [mine(), observed('app')], input: misspelled};
    const [asked = ''] = [...planOf(leaving).requirements.keys()];
    const held = 'hold (hand-over-in-progress)';
    expect(table(leaving)).toEqual({app: held, db: held});
    const saying = (message: string): Given => {
      const conditions = [{type: 'Tethered', status: 'False', message}];
      const xr = view({...otherXr.json(), status: {conditions}});
      return {...leaving, required: {[asked]: [xr]}};
    };
    const waiting = saying('waiting to create: input.take[0].resources[0] takes it from "db" of XNetwork "net" and');
    expect(table(waiting)).toEqual({app: 'release', db: held});
    expect(planOf(waiting).unknownNames).toMatchObject([{path: 'give[0].resources[0]', name: 'ledger'}]);
    // No reconcile saw the revision that was to rename it before it is given.
    const renamed = saying(
      'waiting to create: input.take[0].resources[0] takes it from "ledger" of XNetwork "net" and',
    );
    const handover = [{from: {resources: ['db']}, to: {resource: 'ledger'}}];
    expect(table(renamed)).toEqual({app: 'release', db: 'release'});
    expect(table({...renamed, input: {...misspelled, handover}})).toEqual({app: 'release', db: held});
    const dry = handover.map((rule) => ({...rule, dryRun: true}));
    expect(table({...renamed, input: {...misspelled, handover: dry}})).toEqual({app: 'release', db: 'release'});
    for (const fine of [
      saying('every composed resource is as the pipeline wants it'),
      {...leaving, required: {[asked]: []}},
    ]) {
      expect(table(fine)).toEqual({app: 'release', db: 'release'});
      // But for a slip it is the one that the rule names, and perhaps the other XR or its rule comes later.
      for (const name of ['bd', 'DB', 'd', 'd*']) {
        const slip: Given = {...leaving, input: naming(name), required: fine.required ?? {}};
        const [again = ''] = [...planOf({...slip, required: {}}).requirements.keys()];
        const answered = {...slip, required: {[again]: Object.values(fine.required ?? {}).flat()}};
        expect(table(answered)).toEqual({app: 'release', db: held});
        expect(planOf(answered).unknownNames).toMatchObject([{name}]);
      }
    }
    expect(table({...waiting, ...confirmation})['db']).toBe('release');
    const kind = schemaName(counterpart);
    const unserved = {...leaving, schemas: {[kind]: false}};
    expect(table(unserved)).toEqual({app: 'release', db: 'release'});
    expect([[...planOf(unserved).requirements], [...planOf(unserved).schemas.keys()]]).toEqual([[], [kind]]);
    expect(table({...leaving, schemas: {}})).toEqual({app: held, db: held});
  });

  test('makes nothing anew of what it gave away', () => {
    expect(table({desired: wanted, input: giveInput})).toEqual({db: 'wait (given-away)'});
    expect(planOf({desired: wanted, input: giveInput}).xrReady).toBeUndefined();
  });

  test('waits for nothing of what it gave away, as an old object that somebody keeps while it goes', () => {
    const found = (deleting: boolean): Given => {
      const [, old] = observed('db', {name: 'net-db', labels: ours('db'), deleting, controller: 'nobody'});
      const required = {'lost-Thing.ec2.example.org': [old]};
      return {desired: wanted, input: {...giveInput, restore: {lookup: true}}, required};
    };
    const plan = planOf(found(true));
    expect(plan.decisions.get('db')).toMatchObject({kind: 'wait', reason: 'given-away'});
    expect(plan.xrReady).toBeUndefined();
    expect(table(found(false))).toEqual({db: 'adopt (found-by-label)'});
  });

  test('takes back what it let go only when nothing there has policies', () => {
    const my = {spec: letGo, marked: mark('giving', 'store')};
    const back = (object: ResourceView) => table(give(my, object, {input: {}}));
    expect(back(theirs({marked: mark('taken', 'net')}))).toEqual({db: 'move (taking-back)'});
    expect(back(theirs({spec: observing, marked: mark('observing', 'net')}))).toEqual({db: 'keep'});
  });

  test('does not make the XR Ready while it waits for what it desires to be given back', () => {
    const my = {spec: letGo, marked: mark('giving', 'store')};
    const taker = theirs({marked: mark('taken', 'net')});
    const readyOf = (more: Given, there = taker) => planOf(give(my, there, {input: {}, ...more})).edits.get('db');
    expect(readyOf({})).toMatchObject({ready: 'false'});
    expect(readyOf({desired: []})).toMatchObject({ready: 'true'});
    const observes = theirs({spec: observing, marked: mark('observing', 'net')});
    expect(readyOf({input: giveInput}, observes)).toMatchObject({ready: 'true'});
  });

  test('takes back what it let go beside an object that the other XR lost sight of and that leads elsewhere', () => {
    const my = {spec: letGo, marked: mark('giving', 'store')};
    const beside = (options: Theirs) => table(give(my, theirs({objectName: 'shop-lost', ...options}), {input: {}}));
    expect(beside({name: 'db-2', id: 'db-2'})).toEqual({db: 'keep'});
    expect(beside({})).toEqual({db: 'move (taking-back)'});
    // A provider may write the name anew, and tells the same identity.
    expect(beside({name: 'eu/db-1'})).toEqual({db: 'move (taking-back)'});
  });

  describe('whose rule is taken away while no step desires it any more', () => {
    const dropped = (my: Mine, object: ResourceView | undefined, more: Given = {}) =>
      give(my, object, {input: {}, desired: [], ...more});
    const offered = {marked: mark('giving', 'store')};
    const observes = theirs({spec: observing, marked: mark('observing', 'net')});

    test('keeps what it offered, which the other object may observe by now', () => {
      const plan = planOf(dropped(offered, observes));
      expect(stateOf(plan)).toMatchObject({kind: 'move', reason: 'offering', stopped: 'dropped'});
      expect(JSON.stringify(emitted(plan, 'db')['metadata'])).toContain('handover-with');
      expect(stateOf(planOf(dropped(offered, undefined)))).toMatchObject({stopped: 'dropped'});
    });

    test('keeps what it let go where nothing there leads to it, and leaves it to what observes it', () => {
      const gone = {...offered, spec: letGo};
      expect(stateOf(planOf(dropped(gone, undefined)))).toMatchObject({reason: 'taking-back', stopped: 'dropped'});
      expect(table(dropped(gone, observes))).toEqual({db: 'release'});
    });

    test('releases it where a person named it, and what was never offered', () => {
      const metadata = {annotations: {'tether.fn.crossplane.io/confirm-removal': 'db'}, name: 'net', uid: xrUid};
      const xr = view({apiVersion: otherXr.apiVersion, kind: 'XNetwork', metadata});
      expect(table(dropped(offered, observes, {xr}))).toEqual({db: 'release'});
      expect(table(dropped({}, observes))).toEqual({db: 'release'});
    });

    test('keeps what is observed there though dryRun comes first', () => {
      const input: Input = {give: [{to: counterpart, resources: [{name: 'db', there: 'instance'}], dryRun: true}]};
      const owned = {'f:metadata': {'f:annotations': {'f:tether.fn.crossplane.io/handover-with': {}}}};
      const said = (object: ResourceView | undefined, my: Mine = {...offered, owned}) =>
        JSON.stringify(emitted(planOf(give(my, object, {input})), 'db'));
      expect(said(observes)).toContain('handover-with');
      expect(said(undefined)).not.toContain('handover-with');
      // Left out before Crossplane owns it, it would stay for good.
      expect(said(undefined, offered)).toContain('handover-with');
    });
  });

  test('only says what it would do with dryRun', () => {
    const input: Input = {give: [{to: counterpart, resources: [{name: 'db', there: 'instance'}], dryRun: true}]};
    const plan = planOf(give({}, theirs({spec: observing, marked: mark('observing', 'net')}), {input}));
    expect(stateOf(plan)).toMatchObject({reason: 'offering', stopped: 'dry-run'});
    expect(JSON.stringify(emitted(plan, 'db'))).not.toContain('handover-with');
  });
});

describe('what a template cannot say yet', () => {
  const base = {
    apiVersion: 'ec2.example.org/v1beta1',
    kind: 'Thing',
    spec: {...full, zone: '${resources.net.status.id}'},
  };
  const resources = [{name: 'db', base}];
  const owned = {'f:spec': {'f:deletionPolicy': {}}};
  const open = (input: Input, my: Mine, object: ResourceView, net: JsonObject = {}): Given => {
    const given = {observed: [mine({owned, ...my}), observed('net', {status: net})], desired: [desired('net')]};
    return answers({...given, input: {...input, resources}}, object);
  };

  test('is given as it is observed, and not with all that Kubernetes says of it', () => {
    const plan = planOf(open(giveInput, {}, theirs({spec: observing})));
    expect(stateOf(plan)).toMatchObject({kind: 'move', reason: 'offering', stopped: 'other-rule takes'});
    const {metadata, ...body} = emitted(plan, 'db');
    const spec = {deletionPolicy: 'Orphan'};
    expect(body).toEqual({apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing', spec});
    expect(Object.keys(metadata as JsonObject).sort()).toEqual(['annotations', 'labels', 'name']);
    expect(plan.edits.get('db')).toMatchObject({ready: 'true'});
  });

  test('does not take over before it is known, which the giver would take for the end', () => {
    const my = {spec: observing, marked: mark('observing', 'store')};
    const given = theirs({spec: letGo, marked: mark('giving', 'net')});
    const plan = planOf(open(takeInput, my, given));
    expect(stateOf(plan)).toMatchObject({kind: 'move', reason: 'observing', stopped: 'unresolved'});
    expect(plan.edits.get('db')).toMatchObject({ready: 'false'});
    expect(emitted(plan, 'db')).toMatchObject({spec: {managementPolicies: ['Observe']}});
    expect(JSON.stringify(emitted(plan, 'db'))).not.toMatch(/"\[\\"taken|uid|managedFields/);
    const said = planOf(open(takeInput, my, given, {id: 'a'}));
    expect(stateOf(said)).toMatchObject({reason: 'taking-over', stopped: undefined});
    expect(emitted(said, 'db')['spec']).toEqual({...full, zone: 'a'});
  });

  test('that has its policies stays as it is until the old object is gone', () => {
    const my = {marked: mark('taken', 'store')};
    const plan = planOf(open(takeInput, my, theirs({spec: letGo, marked: mark('giving', 'net')})));
    expect(stateOf(plan)).toMatchObject({reason: 'taking-over', stopped: undefined});
    expect(emitted(plan, 'db')['spec']).toEqual({deletionPolicy: 'Delete'});
  });
});

describe('the side that takes', () => {
  const offered = {marked: mark('giving', 'net')};
  const take = (object: ResourceView | undefined, more: Given = {}, xr?: ResourceView | undefined) =>
    answers({desired: wanted, input: takeInput, ...more}, object, xr);
  const taken = (my: Mine, object: ResourceView | undefined, more: Given = {}) =>
    take(object, {observed: [mine(my)], ...more});

  test.each([
    ['beside the old object', mark('observing', 'store'), theirs({marked: mark('giving', 'net'), spec: letGo})],
    ['alone, without its rule', mark('left', 'store'), undefined],
  ])('gets its policies once its Usage is there, where protect selects it: %s', (_, marked, object) => {
    const protect: Input = {protect: {resources: [{match: {resources: ['db']}}], xr: 'Never'}};
    const input = object === undefined ? protect : {...takeInput, ...protect};
    const given = taken({marked, spec: observing}, object, {input});
    expect(stateOf(planOf(given))).toMatchObject({reason: 'observing', stopped: 'unprotected'});
    const [usage = '', edit] = [...planOf(given).edits].find(([name]) => name !== 'db') ?? [];
    const body = edit?.kind === 'put' ? edit.object : {};
    const isThere = {...given, observed: [...(given.observed ?? []), [usage, view(body)] as [string, ResourceView]]};
    expect(planOf(isThere).decisions.get('db')).not.toMatchObject({reason: 'observing'});
  });

  const notGiven: readonly (readonly [string, Theirs | undefined, string])[] = [
    ['nothing there', undefined, 'not-there object'],
    ['an object that no rule gives', {}, 'other-rule gives'],
    ['an object that is given to another', {marked: mark('giving', 'stranger')}, 'other-rule gives'],
    ['an object that is taken back', {marked: mark('taking-back', 'net')}, 'other-rule gives'],
    ['an object of somebody who put the labels on', {...offered, owner: 'uid-of-a-tenant'}, 'unproven'],
    ['an object that Crossplane never applied for that XR', {...offered, manager: 'kubectl'}, 'unproven'],
    ['an object without a name', {...offered, name: ''}, 'no-external-name'],
    ['an object that is being deleted', {...offered, deleting: true}, 'deleting old'],
  ];
  for (const [what, options, stopped] of notGiven)
    test(`makes nothing of ${what}`, () => {
      const plan = planOf(take(options && theirs(options)));
      expect(stateOf(plan)).toMatchObject({kind: 'wait', reason: 'not-moved', stopped});
      expect(plan.edits.get('db')).toEqual({kind: 'drop'});
    });

  test('makes no second resource by a rule with a slip in its name', () => {
    const misspelled: Input = {take: [{from: counterpart, resources: [{name: 'bd'}]}]};
    const plan = planOf(take(undefined, {input: misspelled}));
    expect(stateOf(plan)).toMatchObject({kind: 'wait', reason: 'not-moved', stopped: 'not-there object'});
    expect(plan.unknownNames).toMatchObject([{path: 'take[0].resources[0]', name: 'bd'}]);
    const named: Input = {take: [{from: counterpart, resources: [{name: 'bd', there: 'instance'}]}]};
    expect(stateOf(planOf(take(theirs(offered), {input: named})))).toMatchObject({kind: 'wait', reason: 'not-moved'});
    // It has an object of its own, or a rule names it, or the names are far apart.
    expect(stateOf(planOf(taken({}, undefined, {input: misspelled})))).toEqual({kind: 'keep', stopped: undefined});
    const twice = {take: [{from: counterpart, resources: [{name: 'bd'}, {name: 'db', there: 'instance'}]}]};
    expect(stateOf(planOf(take(theirs(offered), {input: twice})))).toMatchObject({kind: 'move', reason: 'observing'});
    const other: Input = {take: [{from: counterpart, resources: [{name: 'web'}]}]};
    expect(table(take(undefined, {input: other}))).toEqual({db: 'create'});
  });

  test('names the keys of its connection Secret in its mark, and no value', () => {
    const marked = mark('observing', 'store');
    const seen = mine({spec: observing, marked, details: {password: 'secret', endpoint: 'e', port: ''}});
    const taking = take(theirs({...offered, marked: mark('giving', 'net')}), {observed: [seen], desired: wanted});
    const own = mine({details: {password: 'secret', endpoint: 'e', port: ''}});
    const offering = answers({observed: [own], desired: wanted, input: giveInput}, undefined);
    for (const given of [taking, offering]) {
      const metadata = emitted(planOf(given), 'db')['metadata'] as {annotations: {[key: string]: string}};
      const said = metadata.annotations[annotation] ?? '';
      expect(JSON.parse(said)).toMatchObject({keys: ['endpoint', 'password']});
      expect(said).not.toContain('"secret"');
    }
  });

  test('makes nothing that would publish the Secret of connection details of the old object', () => {
    const spec = {writeConnectionSecretToRef: {name: 'conn', namespace: 'default'}};
    const given = take(theirs({...offered, spec: {...full, ...spec}}), {desired: [desired('db', {spec})]});
    expect(stateOf(planOf(given))).toMatchObject({kind: 'wait', reason: 'not-moved', stopped: 'secret shared'});
    const other = {writeConnectionSecretToRef: {name: 'other', namespace: 'default'}};
    const another = take(theirs({...offered, spec: {...full, ...spec}}), {desired: [desired('db', {spec: other})]});
    expect(stateOf(planOf(another))).toMatchObject({kind: 'move', reason: 'observing'});
    // The details of the old object would go with it, if it has any.
    const none = (keys: readonly string[]) =>
      take(theirs({...offered, marked: mark('offering', 'net', keys), spec: {...full, ...spec}}), {
        desired: [desired('db')],
      });
    expect(stateOf(planOf(none(['password'])))).toMatchObject({reason: 'not-moved', stopped: 'secret none'});
    expect(stateOf(planOf(none([])))).toMatchObject({kind: 'move', reason: 'observing'});
  });

  test('makes nothing in a namespace on Crossplane v1, whose XRs cannot list it', () => {
    const inTeam: Given = {desired: [desired('db', {namespace: 'team'})]};
    const {apiVersion} = otherXr;
    const xr = (spec: JsonObject) =>
      view({apiVersion, kind: 'XNetwork', metadata: {name: 'net', uid: 'uid-of-net'}, spec});
    const given = (spec: JsonObject) => planOf(take(theirs(offered), {...inTeam, xr: xr(spec)}));
    expect(stateOf(given({resourceRefs: []}))).toMatchObject({kind: 'wait', stopped: 'not-listed'});
    expect(given({crossplane: {}}).decisions.get('db')).toMatchObject({kind: 'move', reason: 'observing'});
  });

  test('asks for the one object that is exchanged: all that the other XR has would make the request as large as that is', () => {
    const asked = [...planOf({desired: wanted, input: takeInput}).requirements.values()];
    const ofLabels = asked.filter(({match}) => match.kind === 'labels');
    expect(ofLabels).toHaveLength(1);
    expect(ofLabels[0]?.match).toMatchObject({labels: {'tether.fn.crossplane.io/resource': 'instance'}});
  });

  test('makes nothing anew where the other XR is gone, which a restore may bring back', () => {
    const given: Given = {desired: wanted, input: takeInput};
    const required = Object.fromEntries([...planOf(given).requirements.keys()].map((name) => [name, []]));
    expect(table({...given, required})).toEqual({db: 'wait (not-moved)'});
  });

  test('gives no policies to what only observes and is being deleted, which would take the external resource along', () => {
    const going = {spec: observing, marked: mark('observing', 'store'), deleting: true};
    for (const old of [theirs(offered), undefined])
      for (const input of [takeInput, {}]) {
        const plan = planOf(taken(going, old, {input}));
        expect(plan.decisions.get('db')).toMatchObject({kind: 'wait', reason: 'still-deleting'});
        expect(plan.edits.get('db')).toEqual({kind: 'drop'});
      }
  });

  test('neither renames nor replaces what is in an exchange', () => {
    const input: Input = {...takeInput, handover: [{from: {resources: ['db']}, to: {resource: 'data'}}]};
    const held = {spec: observing, marked: mark('observing', 'store')};
    const plan = planOf(taken(held, theirs(offered), {input, desired: [desired('data', {spec: full})]}));
    expect(plan.decisions.get('data')).toMatchObject({kind: 'wait', reason: 'not-moved'});
    expect(plan.edits.get('data')).toEqual({kind: 'drop'});
  });

  test('only observes what is given, under its external name', () => {
    const plan = planOf(take(theirs(offered)));
    expect(plan.decisions.get('db')).toMatchObject({kind: 'move', reason: 'observing'});
    const body = emitted(plan, 'db');
    expect(body['spec']).toMatchObject({managementPolicies: ['Observe'], forProvider: {size: 1}});
    expect(JSON.stringify(body['metadata'])).toContain('"crossplane.io/external-name":"db-1"');
  });

  test('goes on observing until the old object is seen to have let go', () => {
    const my = {spec: observing, marked: mark('observing', 'store')};
    expect(table(taken(my, theirs(offered)))).toEqual({db: 'move (observing)'});
    const plan = planOf(taken(my, theirs({...offered, spec: letGo})));
    expect(stateOf(plan)).toMatchObject({reason: 'taking-over', stopped: undefined});
    expect(emitted(plan, 'db')['spec']).toMatchObject({managementPolicies: ['*']});
  });

  test('does not make the XR Ready before it has its policies: who goes by that would delete the other XR', () => {
    const said = [desired('db', {spec: {...full, forProvider: {size: 1}}, ready: 'true'})];
    const readyOf = (given: Given) => planOf({...given, desired: said}).edits.get('db');
    const my = {spec: observing, marked: mark('observing', 'store')};
    expect(readyOf(take(theirs(offered)))).toMatchObject({ready: 'false'});
    expect(readyOf(taken(my, theirs(offered)))).toMatchObject({ready: 'false'});
    expect(readyOf(taken(my, theirs(offered), {input: {}}))).toMatchObject({ready: 'false'});
    expect(readyOf(taken({marked: mark('taken', 'store')}, theirs(offered)))).toMatchObject({ready: 'false'});
    expect(readyOf(taken(my, theirs({...offered, spec: letGo})))).toMatchObject({ready: 'true'});
    expect(readyOf(taken({...my, marked: mark('left', 'store')}, undefined))).toMatchObject({ready: 'true'});
  });

  test('keeps its policies where the other XR left an object behind that let go to it', () => {
    const my = {marked: mark('taken', 'store')};
    const withoutXr = (object: Theirs) => {
      const given = taken(my, theirs({...offered, ...object}));
      const required = Object.entries(given.required ?? {});
      const isXr = (view: ResourceView) => view.kind === otherXr.kind;
      return {
        ...given,
        required: Object.fromEntries(required.map(([name, found]) => [name, found.filter((one) => !isXr(one))])),
      };
    };
    const behind = (object: Theirs) => table(withoutXr(object));
    const left = planOf(withoutXr({spec: letGo}));
    expect([stateOf(left).stopped, left.ttlAtMostSeconds]).toEqual(['not-there listed', undefined]);
    expect(stateOf(planOf(withoutXr({spec: letGo, deleting: true}))).stopped).toBeUndefined();
    expect(behind({spec: letGo})).toEqual({db: 'move (taking-over)'});
    expect(behind({spec: full})).toEqual({db: 'move (giving-back)'});
    expect(behind({spec: letGo, marked: mark('taking-back', 'net')})).toEqual({db: 'move (giving-back)'});
    expect(behind({spec: letGo, marked: mark('giving', 'stranger')})).toEqual({db: 'move (giving-back)'});
  });

  test('leaves where the rules were turned around before it had policies, and is not made again', () => {
    const my = {spec: observing, marked: mark('observing', 'store')};
    const turned = (object: ResourceView, more: Given = {}) => taken(my, object, {input: giveInput, ...more});
    expect(table(turned(theirs()))).toEqual({db: 'release'});
    expect(table(turned(theirs({...offered, spec: letGo})))).toEqual({db: 'move (observing)'});
    expect(table(turned(theirs({deleting: true})))['db']).not.toBe('release');
    const inUse = taken({spec: full, marked: mark('taken', 'store')}, theirs(), {input: giveInput});
    expect(table(inUse)).toEqual({db: 'move (giving-back)'});
    expect(table(take(theirs(), {input: giveInput}))).toEqual({db: 'wait (given-away)'});
  });

  test('is given back at once where the rules were turned around the moment the old object is gone', () => {
    const input = {input: giveInput, desired: []};
    const back = (my: Mine, object?: ResourceView, more: Given = {}) => taken(my, object, {...input, ...more});
    const offers = {db: 'move (offering)'};
    const arrived = {marked: mark('taken', 'store')};
    expect(table(back(arrived))).toEqual(offers);
    expect(table(back({spec: observing, marked: mark('observing', 'store')}))).toEqual(offers);
    const dryRun: Input = {give: [{to: counterpart, resources: [{name: 'db', there: 'instance'}], dryRun: true}]};
    expect(table(back(arrived, undefined, {input: dryRun}))).toEqual(offers);
    const elsewhere: Input = {give: [{to: {...counterpart, name: 'other'}, resources: [{name: 'db'}]}]};
    expect(table(back(arrived, undefined, {input: elsewhere}))).toEqual(offers);
    // Nobody proved it to be the old one's, so it gets no policies by that.
    const observes = taken({spec: observing, marked: mark('observing', 'store')}, undefined, {input: giveInput});
    expect(emitted(planOf(observes), 'db')['spec']).toMatchObject({managementPolicies: ['Observe']});
  });

  test('stays where the rules were turned around while the old object goes: that one takes nothing back', () => {
    const goes = theirs({...offered, spec: letGo, deleting: true});
    const input = {input: giveInput, desired: []};
    const inUse = planOf(taken({marked: mark('taken', 'store')}, goes, input));
    expect(stateOf(inUse)).toMatchObject({reason: 'taking-over', stopped: undefined});
    expect(emitted(inUse, 'db')['spec']).toMatchObject({managementPolicies: ['*']});
    // Its XR lists what it released no more.
    const released = theirs({...offered, spec: letGo, deleting: true, objectName: 'released'});
    const asBefore = planOf(taken({marked: mark('taken', 'store')}, released, input));
    expect(stateOf(asBefore)).toMatchObject({reason: 'taking-over', stopped: undefined});
    const observes = planOf(taken({spec: observing, marked: mark('observing', 'store')}, goes, input));
    expect(stateOf(observes)).toMatchObject({reason: 'observing', stopped: undefined});
    expect(emitted(observes, 'db')['spec']).toMatchObject({managementPolicies: ['Observe']});
  });

  test('goes back to observing where the old object has its policies again', () => {
    const my = {marked: mark('taken', 'store')};
    expect(table(taken(my, theirs(offered)))).toEqual({db: 'move (giving-back)'});
    expect(table(taken(my, theirs({spec: letGo, marked: mark('taking-back', 'net')})))).toEqual({
      db: 'move (giving-back)',
    });
  });

  test('gets no policies by losing its rule while the old object is there', () => {
    const my = {spec: observing, marked: mark('observing', 'store')};
    const plan = planOf(taken(my, theirs({...offered, spec: letGo}), {input: {}}));
    expect(stateOf(plan)).toMatchObject({reason: 'observing', stopped: 'no-rule'});
    expect(emitted(plan, 'db')['spec']).toMatchObject({managementPolicies: ['Observe']});
  });

  test('that was dropped in the middle lets go before it leaves', () => {
    const my = {marked: mark('taken', 'store')};
    const dropped = planOf(taken(my, theirs({...offered, spec: letGo}), {desired: []}));
    expect(dropped.decisions.get('db')).toMatchObject({reason: 'giving-back'});
    expect(emitted(dropped, 'db')['spec']).toMatchObject({managementPolicies: ['Observe']});
    const observes = {spec: observing, marked: mark('observing', 'store')};
    expect(table(taken(observes, theirs({...offered, spec: letGo}), {desired: []}))).toEqual({db: 'release'});
  });

  test('that is dropped once it has its policies keeps them while the old object goes: nothing else leads to it then', () => {
    const my = {marked: mark('taken', 'store')};
    const goes = (spec: JsonObject) => theirs({...offered, spec, deleting: true});
    const dropped = planOf(taken(my, goes(letGo), {desired: []}));
    expect(stateOf(dropped)).toMatchObject({reason: 'taking-over', stopped: undefined});
    expect(emitted(dropped, 'db')['spec']).toMatchObject({managementPolicies: ['*']});
    expect(table(taken(my, undefined, {desired: []}))).toEqual({db: 'release'});
    expect(table(taken(my, goes(full), {desired: []}))).toEqual({db: 'move (giving-back)'});
    const observes = {spec: observing, marked: mark('observing', 'store')};
    expect(table(taken(observes, goes(letGo), {desired: []}))).toEqual({db: 'release'});
  });

  test('asks rarely as long as a stranger keeps the old object, with which its provider is done', () => {
    const taking = (finalizers: readonly string[]) => {
      const {metadata, ...rest} = theirs({...offered, spec: letGo, deleting: true}).json();
      const old = view({...rest, metadata: {...(metadata as JsonObject), finalizers}});
      return planOf(taken({marked: mark('taken', 'store')}, old, {desired: []}));
    };
    const kept = taking(['example.org/stranger']);
    expect(stateOf(kept)).toMatchObject({reason: 'taking-over', stopped: 'deleting old'});
    expect(kept.ttlAtMostSeconds).toBeUndefined();
    const going = taking(['example.org/stranger', 'finalizer.managedresource.crossplane.io']);
    expect([stateOf(going).stopped, going.ttlAtMostSeconds]).toEqual([undefined, 10]);
  });

  test('is an ordinary resource once the old object is gone, and asks before Crossplane 2.2 for nothing then', () => {
    expect(table(taken({marked: mark('taken', 'store')}, undefined))).toEqual({db: 'keep'});
    expect([...planOf({observed: [mine()], desired: wanted, input: takeInput}).requirements]).toEqual([]);
  });

  test('asks rarely as long as the other XR does not let go, and names a Secret that keeps it from that', () => {
    const offers = (keys: readonly string[], spec: JsonObject = full) =>
      theirs({spec, marked: mark('offering', 'net', keys)});
    const taking = (details: {readonly [key: string]: string}, old: ResourceView) =>
      planOf(taken({spec: observing, marked: mark('observing', 'store'), details}, old));
    expect(stateOf(taking({endpoint: 'e'}, offers(['endpoint', 'password']))).stopped).toBe('secret there');
    expect(taking({endpoint: 'e'}, offers(['endpoint', 'password'])).ttlAtMostSeconds).toBeUndefined();
    const generating = offers([], {...full, forProvider: {autoGeneratePassword: true}});
    expect(stateOf(taking({}, generating)).stopped).toBe('secret there');
    expect(stateOf(taking({endpoint: 'e', password: 'p'}, offers(['endpoint', 'password']))).stopped).toBeUndefined();
    expect(taking({}, offers([])).ttlAtMostSeconds).toBe(10);
    const withdrawn = taking({}, theirs({marked: mark('taking-back', 'net')}));
    expect([stateOf(withdrawn).stopped, withdrawn.ttlAtMostSeconds]).toEqual(['other-rule gives', undefined]);
  });

  describe('and has taken, where a backup brings the old object back', () => {
    const schemas = {[schemaName(counterpart)]: true};
    const again = (object: Theirs | undefined, my: Mine = {}, more: Given = {}) =>
      planOf(taken(my, object && theirs(object), {schemas, ...more}));
    const keeps = {kind: 'keep'};

    test('begins the exchange again, where the old object has its policies: both would delete what they lead to', () => {
      const plan = again(offered);
      expect(stateOf(plan)).toMatchObject({reason: 'giving-back', stopped: undefined});
      expect(emitted(plan, 'db')['spec']).toMatchObject({managementPolicies: ['Observe']});
      expect(JSON.stringify(emitted(plan, 'db')['metadata'])).toContain('observing');
    });

    test('says that it was taken, where the old object has let go and waits to hear that', () => {
      const plan = again({...offered, spec: letGo});
      expect(stateOf(plan)).toMatchObject({reason: 'taking-over', stopped: undefined});
      expect(emitted(plan, 'db')['spec']).toMatchObject({managementPolicies: ['*']});
    });

    test('lets nothing go to it that its Composition does not offer, that leads elsewhere or that goes', () => {
      const others: readonly (Theirs | undefined)[] = [
        undefined,
        {},
        {marked: mark('giving', 'stranger')},
        {marked: mark('taking-back', 'net')},
        {...offered, owner: 'uid-of-a-tenant'},
        {...offered, name: 'db-2'},
        {...offered, id: 'db-2'},
        {...offered, deleting: true},
      ];
      for (const other of others) expect(again(other).decisions.get('db')).toMatchObject(keeps);
      expect(again({...offered, name: '', id: ''}, {name: ''}).decisions.get('db')).toMatchObject(keeps);
    });

    test('stays as it is under a dry run, without its rule, and where its Composition has it observe', () => {
      const dryRun: Input = {take: [{from: counterpart, resources: [{name: 'db', there: 'instance'}], dryRun: true}]};
      expect(again(offered, {}, {input: dryRun}).decisions.get('db')).toMatchObject(keeps);
      expect(again(offered, {}, {input: {}}).decisions.get('db')).toMatchObject(keeps);
      expect(again(offered, {spec: observing}).decisions.get('db')).toMatchObject(keeps);
    });
  });

  test('that still observes where the old object is gone goes on, for another may have what it observes', () => {
    const my = {spec: observing, marked: mark('observing', 'store')};
    const plan = planOf(taken(my, undefined));
    expect(stateOf(plan)).toMatchObject({reason: 'observing', stopped: 'old-gone'});
    expect(emitted(plan, 'db')['spec']).toMatchObject({managementPolicies: ['Observe']});
    expect(JSON.stringify(emitted(plan, 'db')['metadata'])).toContain('left');
  });

  test('that is desired to only observe is like any other once the old object is gone', () => {
    const wanted = [desired('db', {spec: observing})];
    for (const stage of ['observing', 'left', 'taken'])
      expect(table(taken({spec: observing, marked: mark(stage, 'store')}, undefined, {desired: wanted}))).toEqual({
        db: 'keep',
      });
    // With the old object still there it has arrived nowhere yet.
    expect(
      table(taken({spec: observing, marked: mark('observing', 'store')}, theirs(offered), {desired: wanted})),
    ).toEqual({
      db: 'move (observing)',
    });
  });

  test('gets its policies when its rule is taken away after that was said, and not before', () => {
    const without = (stage: string) =>
      stateOf(planOf(taken({spec: observing, marked: mark(stage, 'store')}, undefined, {input: {}})));
    expect(without('left')).toMatchObject({kind: 'keep'});
    expect(without('observing')).toMatchObject({kind: 'move', reason: 'observing', stopped: 'no-rule'});
  });

  test('observes as before where the old object comes back', () => {
    const my = {spec: observing, marked: mark('left', 'store')};
    const plan = planOf(taken(my, theirs(offered), {input: {}}));
    expect(stateOf(plan)).toMatchObject({reason: 'observing', stopped: 'no-rule'});
    expect(JSON.stringify(emitted(plan, 'db')['metadata'])).not.toContain('left');
  });

  describe('by one of two steps of function-tether', () => {
    const my = {spec: observing, marked: mark('observing', 'store')};
    const passed = (input: Input, next: Input) => {
      const body = emitted(planOf(taken(my, theirs(offered), {input})), 'db');
      return planOf(taken(my, theirs(offered), {input: next, desired: [['db', {...view(body), ready: 'true'}]]}));
    };

    test('passes as the first takes it, where the second has no rule', () => {
      const plan = passed(takeInput, {});
      expect(stateOf(plan)).toMatchObject({kind: 'keep'});
      expect(plan.edits.get('db')).toBeUndefined();
    });

    test('observes as before, where the first has no rule', () => {
      const plan = passed({}, takeInput);
      expect(stateOf(plan)).toMatchObject({reason: 'observing', stopped: 'two-steps'});
      expect(emitted(plan, 'db')['spec']).toMatchObject({managementPolicies: ['Observe']});
    });
  });

  test('keeps its hands off while an unproven object with the labels is there', () => {
    const my = {spec: observing, marked: mark('observing', 'store')};
    expect(table(taken(my, theirs({owner: 'uid-of-a-tenant'})))).toEqual({db: 'move (observing)'});
  });

  describe('and an object that the other XR lost sight of, with the labels of the old one, which is gone', () => {
    const my = {marked: mark('taken', 'store')};
    const lost = (options: Theirs) => theirs({objectName: 'shop-lost', ...options});

    test('keeps its policies where that leads to another external resource', () => {
      expect(table(taken(my, lost({name: 'db-2', id: 'db-2'})))).toEqual({db: 'keep'});
      expect(table(taken(my, lost({name: 'db-2', id: ''})))).toEqual({db: 'keep'});
    });

    test('gives back where that leads to the same one, and waits while it leads nowhere yet', () => {
      expect(table(taken(my, lost({})))).toEqual({db: 'move (giving-back)'});
      expect(table(taken(my, lost({name: '', id: ''})))).toEqual({db: 'move (taking-over)'});
      expect(table(taken({...my, spec: observing}, lost({name: '', id: ''})))).toEqual({db: 'move (observing)'});
    });

    test('asks the rule what it leads to, where the rule says how names differ', () => {
      const externalName = 'self.metadata.annotations["crossplane.io/external-name"] + "-new"';
      const renames: Input = {
        take: [{from: counterpart, resources: [{name: 'db', there: 'instance', externalName}]}],
      };
      const renamed = {...my, name: 'db-1-new'};
      expect(table(taken(renamed, lost({name: 'db-2', id: 'db-2'}), {input: renames}))).toEqual({db: 'keep'});
      // No provider tells more than the name.
      const same = lost({name: 'db-1', id: ''});
      expect(table(taken(renamed, same, {input: renames}))).toEqual({db: 'move (giving-back)'});
    });

    test('keeps them, too, where the other XR has made another one for itself by then', () => {
      expect(table(taken(my, theirs({name: '', id: ''})))).toEqual({db: 'move (taking-over)'});
      expect(table(taken(my, theirs({name: 'db-2', id: 'db-2'})))).toEqual({db: 'keep'});
    });

    test('hears of it where it only observes: nobody let go to it', () => {
      const plan = planOf(taken({...my, spec: observing}, theirs({...offered, spec: letGo, name: 'db-2', id: 'db-2'})));
      expect(stateOf(plan)).toMatchObject({reason: 'observing', stopped: 'another-resource'});
    });
  });
});

describe('rules', () => {
  test('whose XR has no name are not about this XR', () => {
    const input: Input = {
      take: [{from: {...counterpart, name: '${xr.metadata.annotations["moves-from"]}'}, resources: [{name: 'db'}]}],
    };
    expect(table({desired: wanted, input})).toEqual({db: 'create'});
  });

  const itself = {apiVersion: 'platform.example.org/v1', kind: 'XNetwork', name: 'net'};
  test.each([
    ['this very XR', itself],
    ['what is made of fields and comes to this very XR', {...itself, name: '${xr.metadata.name}'}],
    ['what no object can be called', {...counterpart, name: '${xr.metadata.name}/..'}],
    ['a name longer than any', {...counterpart, name: 'a'.repeat(254)}],
  ])('that name %s are not about this XR, for one Composition serves many', (_, to) => {
    expect(table({desired: wanted, input: {give: [{to, resources: [{name: 'db'}]}]}})).toEqual({db: 'create'});
  });

  test('that name a resource twice are bad input where the input alone says so', () => {
    const db = {name: 'db'};
    const bad =
      (take: Input['take'] = []) =>
      () =>
        planOf({desired: wanted, input: {take}});
    const made = {...counterpart, name: '${xr.metadata.name + "-2"}'};
    expect(bad([{from: counterpart, resources: [db, db]}])).toThrow(
      'take[0].resources[1].name: expected a resource that no other rule names',
    );
    expect(bad([{from: made, resources: [db, db]}])).toThrow('take[0].resources[1].name');
    const others = [
      {from: counterpart, resources: [db]},
      {from: {...counterpart, name: 'other'}, resources: [db]},
    ];
    expect(bad(others)).toThrow('take[1].resources[0].name: expected a resource that no other rule names');
  });

  describe('of which two are about a resource for this XR alone, by names made of its fields', () => {
    const made = {...counterpart, name: '${xr.metadata.name + "-2"}'};
    const both: Input = {
      give: [
        {to: made, resources: [{name: 'db'}]},
        {to: counterpart, resources: [{name: 'db', there: 'instance'}]},
      ],
    };

    test('begin nothing, and stop nothing else', () => {
      const given = {observed: [mine()], desired: [...wanted, desired('other')], input: both};
      const plan = planOf(answers(given, undefined));
      expect(stateOf(plan)).toMatchObject({kind: 'move', reason: 'offering', stopped: 'rivals'});
      expect(plan.decisions.get('other')).toMatchObject({kind: 'create'});
      expect(JSON.stringify(emitted(plan, 'db'))).not.toContain(annotation);
    });

    test('make nothing on the side that takes, either', () => {
      const {give = []} = both;
      const input: Input = {take: give.map(({to, resources}) => ({from: to, resources}))};
      const plan = planOf(answers({desired: wanted, input}, theirs({marked: mark('giving', 'net')})));
      expect(stateOf(plan)).toMatchObject({kind: 'wait', reason: 'not-moved', stopped: 'rivals'});
    });

    test('let go on what has begun under one of them', () => {
      const my = {spec: letGo, marked: mark('giving', 'store')};
      const plan = planOf(answers({observed: [mine(my)], desired: wanted, input: both}, undefined));
      expect(stateOf(plan)).toMatchObject({reason: 'letting-go', stopped: 'not-there object'});
    });
  });
});

describe('a mark that no rule stands behind, as whoever may write the object can write one', () => {
  const said = ([owner, namespace, name]: readonly string[], kind: string, stage = 'giving') => {
    const xr = {apiVersion: 'platform.example.org/v1', kind: owner, namespace, name};
    return JSON.stringify({stage, xr, resource: 'instance', kind: {apiVersion: 'ec2.example.org/v1beta1', kind}});
  };
  const asks = (marks: readonly string[], more: Given = {}, spec = full) => {
    const observes = marks.map((one, index) =>
      observed(`r${index}`, {spec, annotations: {[annotation]: one}, status: inOrder, owned: {}}),
    );
    const wants = marks.map((_, index) => desired(`r${index}`));
    const {requirements, schemas} = planOf({observed: observes, desired: wants, ...more});
    return {asked: [...requirements.keys()], schemas: [...schemas.keys()]};
  };
  const shop = ['Store', '', 'shop'];

  test('has its kinds looked for before anything is asked of them, and no more than four', () => {
    const marks = ['A', 'B', 'C'].map((kind) => said([`X${kind}`, '', 'shop'], kind));
    const first = asks(marks, {schemas: {}});
    expect(first).toMatchObject({asked: [], schemas: {length: 4}});
    const answered = Object.fromEntries(first.schemas.map((name) => [name, true]));
    expect(asks(marks, {schemas: answered}).asked).toHaveLength(4);
    const unserved = Object.fromEntries(first.schemas.map((name) => [name, false]));
    expect(asks(marks, {schemas: unserved}).asked).toEqual([]);
  });

  test('asks nothing before Crossplane 2.2, where no schema tells, unless the object is as an exchange leaves it', () => {
    expect(asks([said(shop, 'Thing')]).asked).toEqual([]);
    expect(asks([said(shop, 'Thing', 'taken')]).asked).toEqual([]);
    expect(asks([said(shop, 'Thing')], {}, letGo).asked).toHaveLength(2);
    expect(asks([said(shop, 'Thing', 'observing')], {}, observing).asked).toHaveLength(2);
  });

  test('asks nothing of what no object can be called', () => {
    for (const xr of [
      ['Store', '', '../shop'],
      ['Store', 'kube/system', 'shop'],
      ['Store', '', 'Shop'],
    ])
      expect(asks([said(xr, 'Thing')], {}, letGo).asked).toEqual([]);
  });
});

test('a rule whose namespace is made of fields is about no XR where that is none', () => {
  const to = {...counterpart, namespace: '${xr.metadata.name}/x'};
  const input: Input = {give: [{to, resources: [{name: 'db', there: 'instance'}]}]};
  expect([...planOf({observed: [mine()], desired: wanted, input}).requirements.keys()]).toEqual([]);
});

describe('of more exchanges than the next request has room for', () => {
  const pairs = [...'abcdefghij'].map((given, index) => ({given, taken: `t${9 - index}`}));
  const resources = pairs.map(({given, taken}) => ({name: given, there: taken}));
  const give: Input = {give: [{to: counterpart, resources}]};
  const back = pairs.map(({given, taken}) => ({name: taken, there: given}));
  const take: Input = {take: [{from: counterpart, resources: back}]};
  const wanted = pairs.map(({taken}) => desired(taken));
  const schemas = {[schemaName({apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing'})]: true};
  /** Of which resources there, in the order of the pairs. */
  const asked = (given: Given) => {
    const matches = [...planOf({...given, schemas}).requirements.values()].map(({match}) => match);
    const names = matches.flatMap((match) => (match.kind === 'labels' ? Object.values(match.labels) : []));
    return pairs
      .filter(({given: one, taken}) => names.includes(one) || names.includes(taken))
      .map((pair) => pair.given);
  };
  const megabytes = (count: number) => count * 2 ** 20;

  test('both XRs ask about the same ones first', () => {
    const observedHere = pairs.map(({given}) => observed(given));
    expect(asked({observed: observedHere, input: give, bytes: megabytes(2.45)})).toEqual([...'abcd']);
    const room = 3.5 - 4.5 / 128;
    expect(asked({desired: wanted, input: take, bytes: megabytes(room)})).toEqual([...'abcd']);
    expect(asked({observed: observedHere, input: give, bytes: megabytes(3.5)})).toEqual([]);
  });

  test('those that are done come last', () => {
    const done = pairs.slice(0, 6).map(({taken}) => observed(taken));
    const given = {observed: done, desired: wanted, input: take};
    expect(asked({...given, bytes: megabytes(2.6)})).toEqual(['g', 'h']);
    expect(asked({...given, bytes: megabytes(1)})).toEqual([...'abcdefghij']);
  });
});
