import {describe, expect, it} from 'vitest';
import type {Input} from '../../../../src/lifecycle/input/input.ts';
import {plan} from '../../../../src/lifecycle/plan/plan.ts';
import {at, type JsonObject, type Path} from '../../../../src/lifecycle/words/json.ts';
import {
  confirmation,
  desired,
  desiredUsage,
  emitted,
  type Given,
  type ObservedOptions,
  observed,
  obstacleWords,
  planOf,
  snapshot,
  table,
  usage,
  view,
  xr,
  xrUid,
} from '../../given.ts';

const aside = 'tether-handover-of-db';
const externalName = 'crossplane.io/external-name';
const named = {[externalName]: 'vpc-1'};
const synced = {conditions: [{type: 'Synced', status: 'True'}]};
const toOther: Input = {handover: [{from: {resources: ['db']}, to: {kind: 'Other'}}]};
const toData: Input = {handover: [{from: {resources: ['db']}, to: {resource: 'data'}}]};
const letGo = {deletionPolicy: 'Orphan', managementPolicies: ['*']};

/** The old object as it is before the move, and while it is set aside. */
const old = (options: ObservedOptions = {}) =>
  observed('db', {
    annotations: named,
    spec: {deletionPolicy: 'Delete', managementPolicies: ['*']},
    status: synced,
    ...options,
  });
const setAside = (options: ObservedOptions = {}) =>
  observed(aside, {
    name: 'net-db',
    annotations: {...named, 'tether.fn.crossplane.io/handover-to': 'db'},
    spec: letGo,
    ...options,
  });
/** The new object, as it was made for the old one. */
const fresh = (options: ObservedOptions = {}) =>
  observed('db', {
    kind: 'Other',
    spec: {managementPolicies: ['Observe']},
    status: synced,
    ...options,
    annotations: {...named, 'tether.fn.crossplane.io/handover-from': aside, ...options.annotations},
  });

function stoppedBy(given: Given, resourceName: string): string | undefined {
  const decision = planOf(given).decisions.get(resourceName);
  if (decision?.kind === 'refuse' && decision.reason === 'cannot-hand-over') return obstacleWords(decision.obstacle);
  return decision?.kind === 'move' ? obstacleWords(decision.stopped) : undefined;
}

function annotationsOf(body: JsonObject) {
  return at(body, ['metadata', 'annotations']) as JsonObject;
}

describe('a resource with another resource name', () => {
  const given: Given = {observed: [old()], desired: [desired('data')], input: toData};

  it('has both names until it is observed under the new one', () => {
    expect(table(given)).toEqual({data: 'move (offering)', db: 'move (offering)'});
    const result = planOf(given);
    for (const name of ['db', 'data']) expect(at(emitted(result, name), ['metadata', 'name'])).toBe('net-db');
    expect(at(emitted(result, 'db'), ['spec'])).toEqual(at(emitted(result, 'data'), ['spec']));
    expect(result.condition).toMatchObject({status: 'False', reason: 'HandingOver'});
    expect(result.ttlAtMostSeconds).toBe(10);
  });

  it('is written once more for nothing: under the new name it says from the first what it says there', () => {
    for (const input of [toData, {}]) {
      const wanted = desired('data', {name: 'net-db'});
      const body = emitted(planOf({observed: [old()], desired: [wanted], input}), 'data');
      const {labels, annotations} = body['metadata'] as {labels: JsonObject; annotations: JsonObject};
      const arrived = observed('data', {name: 'net-db', labels, annotations});
      const edit = planOf({observed: [arrived], desired: [wanted], input}).edits.get('data');
      expect(edit).toMatchObject({kind: 'amend', overlay: {metadata: {annotations, labels}}});
    }
  });

  it('is applied under its old name only as it was observed, and so never over what the new name applied', () => {
    const seen = {...given, observed: [old({owned: {}, resourceVersion: '7'})]};
    const versionAs = (name: string) => at(emitted(planOf(seen), name), ['metadata', 'resourceVersion']);
    expect([versionAs('db'), versionAs('data')]).toEqual(['7', undefined]);
  });

  it('is kept as it is desired once it is', () => {
    const moved = observed('data', {name: 'net-db'});
    expect(table({observed: [moved], desired: [desired('data')], input: toData})).toEqual({data: 'keep'});
  });

  it('goes back where it came from without a rule', () => {
    const moved = observed('data', {
      name: 'net-db',
      annotations: {'tether.fn.crossplane.io/handover-from': 'db'},
    });
    const back = {observed: [moved], desired: [desired('db')]};
    expect(table(back)).toEqual({data: 'move (offering)', db: 'move (offering)'});
    expect(at(emitted(planOf(back), 'db'), ['metadata', 'name'])).toBe('net-db');
  });

  it('says where it comes from for as long as its rule is there', () => {
    const moved = observed('data', {name: 'net-db', annotations: {'tether.fn.crossplane.io/handover-from': 'db'}});
    const edit = (input: Input) => planOf({observed: [moved], desired: [desired('data')], input}).edits.get('data');
    const says = {'tether.fn.crossplane.io/handover-from': 'db'};
    expect(edit(toData)).toMatchObject({overlay: {metadata: {annotations: says}}});
    expect(edit({})).not.toMatchObject({overlay: {metadata: {annotations: says}}});
  });

  it('says where it would go back to, also where it never had the old name', () => {
    const made = observed('data');
    const edit = (there: Given['observed'] & object) =>
      planOf({observed: there, desired: [desired('data')], input: toData}).edits.get('data');
    for (const there of [[], [made]])
      expect(edit(there)).toMatchObject({
        overlay: {metadata: {annotations: {'tether.fn.crossplane.io/handover-from': 'db'}}},
      });
    const several: Input = {handover: [{from: {resources: ['db', 'cache']}, to: {resource: 'data'}}]};
    const open = planOf({observed: [made], desired: [desired('data')], input: several}).edits.get('data');
    expect(open).not.toMatchObject({
      overlay: {metadata: {annotations: {'tether.fn.crossplane.io/handover-from': 'db'}}},
    });
  });

  it('goes on although its rule is gone', () => {
    const begun = old({annotations: {'tether.fn.crossplane.io/handover-to': 'data'}});
    expect(table({observed: [begun], desired: [desired('data')]})['data']).toBe('move (offering)');
  });

  const toLost: Input = {handover: [{from: {resources: ['db']}, to: {resource: 'daat'}}]};
  const kinds = [{apiVersion: 'a/v1', kind: 'B'}];
  it.each<[string, Input]>([
    ['from a name that is not there', {handover: [{from: {resources: ['bd']}, to: {resource: 'data'}}]}],
    ['from another kind', {handover: [{from: {kinds}, to: {resource: 'data'}}]}],
    ['to a name that no step desires', toLost],
  ])('stays where it is by a misspelled rule: %s', (_, input) => {
    const slip: Given = {...given, input};
    expect(table(slip)).toEqual({data: 'wait (not-moved)', db: 'refuse (cannot-hand-over)'});
    expect(stoppedBy(slip, 'db')).toBe('no-rule new');
    const [, next] = desired('data', {spec: old()[1].json()['spec'] as JsonObject});
    const metadata = {annotations: named};
    const namesake: Given['desired'] = [['data', {...next, ...view({...next.json(), metadata}), ready: 'unspecified'}]];
    expect(table({...slip, desired: namesake})).toEqual({data: 'move (offering)', db: 'move (offering)'});
    // Not if a person lets it go, if it has nothing outside, or if nothing is made in its place.
    expect(table({...slip, ...confirmation})['db']).toBe('release');
    expect(table({...slip, observed: [observed('db')]})['db']).toBe('release');
    expect(table({...slip, observed: [observed('data'), old()]})['db']).toBe('release');
    expect(table({...slip, desired: []})['db']).toBe('release');
    // Nor if another XR has what the rule is from.
    const to = {apiVersion: 'example.org/v1', kind: 'Other', name: 'other'};
    const isFromIt = input.handover?.[0]?.from.resources?.includes('bd') === true;
    const {db} = table({...slip, input: {...input, give: [{to, resources: [{name: 'bd'}]}]}});
    expect(db === 'refuse (cannot-hand-over)').toBe(!isFromIt);
  });

  it.each([
    ['daat', 'refuse (cannot-hand-over)'],
    ['dta', 'refuse (cannot-hand-over)'],
    ['dataa', 'refuse (cannot-hand-over)'],
    ['dada', 'refuse (cannot-hand-over)'],
    ['data1', 'refuse (cannot-hand-over)'],
    ['DATA', 'refuse (cannot-hand-over)'],
    ['da*', 'refuse (cannot-hand-over)'],
    ['db-new', 'refuse (cannot-hand-over)'],
    ['date-2', 'refuse (cannot-hand-over)'],
  ])('stays if it is to go to %s, which no step desires: %s', (resource, decision) => {
    const input: Input = {handover: [{from: {resources: ['db']}, to: {resource}}]};
    expect(table({...given, input})['db']).toBe(decision);
  });

  it('is deleted and made anew without a rule, as Crossplane does', () => {
    expect(table({...given, input: {}})).toEqual({data: 'create', db: 'release'});
  });

  it('stays where the rule is a dry run', () => {
    const dryRun: Input = {handover: [{from: {resources: ['db']}, to: {resource: 'data'}, dryRun: true}]};
    expect(table({...given, input: dryRun})).toEqual({
      data: 'wait (not-moved)',
      db: 'refuse (cannot-hand-over)',
    });
    expect(stoppedBy({...given, input: dryRun}, 'db')).toBe('dry-run');
  });

  it('is refused and not deleted where the rule means another kind than is desired', () => {
    const toKind = {from: {resources: ['db']}, to: {kind: 'Other'}};
    const wanted = {observed: [old()], desired: [desired('data', {kind: 'Other'})]};
    const refused = {data: 'wait (not-moved)', db: 'refuse (cannot-hand-over)'};
    expect(table({...wanted, input: {handover: [...(toData.handover ?? []), toKind]}})).toEqual(refused);
    const both: Input = {handover: [{from: {resources: ['db']}, to: {resource: 'data', kind: 'Other'}}]};
    expect(table({...wanted, input: both})['db']).toBe('move (letting-go)');
    expect(table({...wanted, desired: [desired('data')], input: both})).toEqual(refused);
    expect(stoppedBy({...wanted, desired: [desired('data')], input: both}, 'db')).toBe('no-rule new');
    // It moved there already, or another object is there: this one was dropped.
    expect(table({...wanted, observed: [old(), observed('data', {kind: 'Other'})], input: toData})['db']).toBe(
      'release',
    );
  });

  it('stays where two rules let it become two, neither of which is made anew', () => {
    const toKind = {from: {resources: ['db']}, to: {kind: 'Other'}};
    const both: Input = {handover: [toKind, ...(toData.handover ?? [])]};
    const two: Given = {observed: [old()], desired: [desired('db', {kind: 'Other'}), desired('data')], input: both};
    const refused = {data: 'wait (not-moved)', db: 'refuse (cannot-hand-over)'};
    expect(table(two)).toEqual(refused);
    expect(planOf(two).decisions.get('db')).toMatchObject({obstacle: {kind: 'rivals', other: 'data'}});
    // Neither the order of rules nor that the kind has none changes what is open.
    expect(table({...two, input: {handover: [...(toData.handover ?? []), toKind]}})).toEqual(refused);
    expect(table({...two, input: toData})).toEqual(refused);
    const names: Input = {handover: [...(toData.handover ?? []), {from: {}, to: {resource: 'cache'}}]};
    const twoNames = {...given, desired: [desired('data'), desired('cache')], input: names};
    expect(table(twoNames)).toEqual({...refused, cache: 'wait (not-moved)'});
    // Nobody else takes a name that it may get.
    const rival = {from: {resources: ['queue']}, to: {resource: 'data'}};
    const withRival = {
      ...two,
      observed: [old(), observed('queue')],
      input: {handover: [...(both.handover ?? []), rival]},
    };
    expect(stoppedBy(withRival, 'queue')).toBe('rivals for it');
    // One that has an object, or is not desired, is not open.
    expect(table({...two, observed: [old(), observed('data')]})['db']).toBe('move (letting-go)');
    expect(table({...two, desired: [desired('db', {kind: 'Other'})]})['db']).toBe('move (letting-go)');
    expect(table({...given, input: names})['db']).toBe('move (offering)');
  });

  it('waits with all that comes after it in a chain, whose end is not made anew', () => {
    const rule = (from: string, resource: string) => ({from: {resources: [from]}, to: {resource}});
    const input: Input = {handover: [rule('db', 'data'), rule('data', 'cache')]};
    const chain: Given = {
      observed: [old(), observed('data')],
      desired: [desired('data'), desired('cache')],
      input,
    };
    const stays = {db: 'refuse (cannot-hand-over)', data: 'keep', cache: 'wait (not-moved)'};
    expect(table(chain)).toEqual(stays);
    expect(planOf(chain).decisions.get('db')).toMatchObject({obstacle: {kind: 'target-taken', next: 'cache'}});
    const longer: Given = {
      observed: [old(), observed('data'), observed('cache')],
      desired: [...(chain.desired ?? []), desired('last')],
      input: {handover: [...(input.handover ?? []), rule('cache', 'last')]},
    };
    expect(table(longer)).toEqual({...stays, cache: 'keep', last: 'wait (not-moved)'});
    // Its end is there: nothing waits for the move, and a ring of rules has no end.
    const ring = {handover: [...(input.handover ?? []), rule('cache', 'data')]};
    expect(table({...longer, input: ring})['last']).toBe('create');
    expect(table({...chain, observed: [observed('data')]})['cache']).toBe('create');
  });

  it('stays where two would become one, where the name is taken, and where another object is desired', () => {
    const everything: Input = {handover: [{from: {}, to: {resource: 'data'}}]};
    const two = {observed: [old(), observed('cache')], desired: [desired('data')], input: everything};
    expect(stoppedBy(two, 'db')).toBe('rivals for it');
    expect(table(two)).toMatchObject({data: 'wait (not-moved)', cache: 'refuse (cannot-hand-over)'});
    expect(stoppedBy({...given, observed: [old(), observed('data')]}, 'db')).toBe('target-taken');
    expect(stoppedBy({...given, desired: [desired('data', {name: 'other'})]}, 'db')).toBe('named-otherwise');
  });

  it('is adopted before it moves, and not made anew meanwhile', () => {
    expect(table({...given, observed: [old({controller: 'nobody'})]})).toEqual({
      data: 'wait (not-moved)',
      db: 'hold (without-controller)',
    });
  });

  it('is waited for while it is being deleted', () => {
    expect(table({...given, observed: [old({deleting: true})]})['data']).toBe('wait (still-deleting)');
  });
});

describe('a resource of another kind', () => {
  const wanted = desired('db', {kind: 'Other', spec: {size: 1}});
  const begin: Given = {observed: [old()], desired: [wanted], input: toOther};
  const observing: Given = {...begin, observed: [setAside(), fresh()]};

  it('first lets go and is set aside', () => {
    expect(table(begin)).toEqual({db: 'move (letting-go)', [aside]: 'move (letting-go)'});
    const result = planOf(begin);
    expect(emitted(result, 'db')).toEqual(emitted(result, aside));
    expect(emitted(result, aside)).toMatchObject({kind: 'Thing', spec: {deletionPolicy: 'Orphan'}});
  });

  it('stays where an earlier step of function-tether would move it, or goes back', () => {
    const [, toMove] = desired(aside, {name: 'net-db'});
    const metadata = {name: 'net-db', annotations: {'tether.fn.crossplane.io/handover-to': 'db'}};
    const field = (path: Path) => at({metadata}, path) ?? toMove.field(path);
    const earlier: Given['desired'] = [desired('db'), [aside, {...toMove, field}]];
    const refused = {db: 'refuse (cannot-hand-over)', [aside]: 'wait (not-moved)'};
    const two: Given = {observed: [old()], desired: earlier, input: {}};
    expect(table(two)).toEqual(refused);
    expect(stoppedBy(two, 'db')).toBe('two-steps');
    expect(emitted(planOf(two), 'db')['spec']).not.toMatchObject({deletionPolicy: 'Orphan'});
    expect(table({...two, input: toOther})).toEqual(refused);
    expect(table({...two, observed: [setAside()]})[aside]).toBe('move (taking-back)');
  });

  it('is none, if the pipeline itself has a resource of such a name', () => {
    const both = {observed: [old(), observed(aside, {spec: old()[1].json()['spec'] as JsonObject})]};
    const wants = [desired('db'), desired(aside)];
    expect(table({...both, desired: wants})).toEqual({db: 'keep', [aside]: 'keep'});
    expect(table({observed: [old()], desired: wants})).toEqual({db: 'keep', [aside]: 'create'});
    expect(table({...both, desired: [desired('db')]})).toEqual({db: 'keep', [aside]: 'release'});
    // Nor may the old object of a move then have that name.
    const moved: Given = {...both, desired: [wanted, desired(aside)], input: toOther};
    expect(table(moved)).toEqual({db: 'refuse (cannot-hand-over)', [aside]: 'keep'});
    expect(stoppedBy(moved, 'db')).toBe('target-taken');
    const protect: Input = {protect: {resources: [{match: {resources: [aside]}}]}};
    expect(Object.values(table({...both, desired: wants, input: protect}))).toContain('create');
  });

  it('that knows managementPolicies alone is told to observe', () => {
    const modern = {...begin, observed: [old({spec: {managementPolicies: ['*']}})]};
    expect(emitted(planOf(modern), aside)['spec']).toEqual({managementPolicies: ['Observe']});
  });

  it('in a namespace is refused on Crossplane v1, whose XRs cannot list it', () => {
    const inTeam = {...begin, desired: [desired('db', {kind: 'Other', namespace: 'team'})]};
    const {apiVersion, kind} = xr;
    const metadata = {name: 'net', uid: xrUid};
    const of = (more: JsonObject) => ({...inTeam, xr: view({apiVersion, kind, metadata, ...more})});
    const condition = {type: 'Synced', status: 'True'};
    const inV1 = of({spec: {resourceRefs: [{name: 'net-db'}]}, status: {conditions: [condition]}});
    const claimedInV2 = of({status: {conditions: [{...condition, observedGeneration: 1}]}});
    expect(stoppedBy(inV1, 'db')).toBe('not-listed');
    expect(stoppedBy({...inV1, observed: [setAside()]}, aside)).toBe('not-listed');
    expect(table(claimedInV2)['db']).toBe('move (letting-go)');
    expect(table(of({spec: {crossplane: {}}}))['db']).toBe('move (letting-go)');
  });

  it('comes under the old name, observing the same external resource', () => {
    const next = {...begin, observed: [setAside()]};
    expect(table(next)).toEqual({db: 'move (observing)', [aside]: 'move (observing)'});
    const body = emitted(planOf(next), 'db');
    expect(body).toMatchObject({kind: 'Other', spec: {size: 1, managementPolicies: ['Observe']}});
    expect(at(body, ['metadata', 'name'])).toBe('net-db');
    expect(annotationsOf(body)[externalName]).toBe('vpc-1');
  });

  it('is not made while the old one would still delete', () => {
    const early = {...begin, observed: [setAside({spec: {deletionPolicy: 'Delete', managementPolicies: ['*']}})]};
    expect(table(early)).toEqual({db: 'wait (not-moved)', [aside]: 'move (letting-go)'});
  });

  it('goes on observing until its provider is in order', () => {
    const unsaid = {...begin, observed: [setAside(), fresh({status: {}})]};
    expect(emitted(planOf(unsaid), 'db')['spec']).toMatchObject({managementPolicies: ['Observe']});
    expect(stoppedBy(unsaid, 'db')).toBeUndefined();
    const failing = {conditions: [{type: 'Synced', status: 'False'}]};
    expect(stoppedBy({...begin, observed: [setAside(), fresh({status: failing})]}, 'db')).toBe('not-synced');
  });

  it('has its policies once it is proven to be the same', () => {
    expect(table(observing)).toEqual({db: 'move (taking-over)', [aside]: 'move (taking-over)'});
    const owned = {'f:spec': {'f:managementPolicies': {}}};
    expect(emitted(planOf({...begin, observed: [setAside(), fresh({owned})]}), 'db')['spec']).toEqual({size: 1});
  });

  it('has its policies one reconcile later after a restore without managedFields', () => {
    const spec = {size: 1, managementPolicies: ['Observe']};
    const annotations = {'tether.fn.crossplane.io/policies': 'managementPolicies,size'};
    for (const body of [{}, {owned: {'f:spec': {'f:size': {}}}}]) {
      const back = fresh({...body, annotations});
      expect(emitted(planOf({...begin, observed: [setAside(), back]}), 'db')['spec']).toEqual(spec);
    }
  });

  it('is another resource where their ids differ', () => {
    const status = (arn: string) => ({...synced, atProvider: {arn}});
    const differing = [setAside({status: status('here')}), fresh({status: status('there')})];
    expect(stoppedBy({...begin, observed: differing}, 'db')).toBe('another-resource');
    expect(emitted(planOf({...begin, observed: differing}), 'db')['spec']).toMatchObject({
      managementPolicies: ['Observe'],
    });
  });

  it('replaces the old one once it is in order with its policies', () => {
    const full = fresh({spec: {managementPolicies: ['*']}});
    const last = {...begin, observed: [setAside(), full]};
    expect(table(last)).toEqual({db: 'move (taking-over)', [aside]: 'release'});
    const done = {...begin, observed: [full]};
    expect(table(done)).toEqual({db: 'keep'});
  });

  it('counts Synced of a newer generation only', () => {
    const status = {conditions: [{type: 'Synced', status: 'True', observedGeneration: 1}]};
    const [name, view] = fresh({spec: {managementPolicies: ['*']}, status});
    const older = {
      ...view,
      field: (path: readonly (string | number)[]) => (path.at(-1) === 'generation' ? 2 : view.field(path)),
    };
    expect(table({...begin, observed: [setAside(), [name, older]]})[aside]).toBe('move (taking-over)');
  });

  it('holds what is dropped meanwhile', () => {
    const others = {...begin, observed: [setAside(), observed('subnet')]};
    expect(table(others)['subnet']).toBe('hold (hand-over-in-progress)');
  });

  it('ends under its old name if an edit gives the new object another one, which it gets then', () => {
    const handover = [...(toOther.handover ?? []), ...(toData.handover ?? [])];
    const next = {desired: [desired('data', {kind: 'Other', spec: {size: 1}})], input: {handover}};
    const waits = {data: 'wait (not-moved)'};
    const taken = fresh({spec: {managementPolicies: ['*'], size: 1}});
    expect(table({...observing, ...next})).toEqual({...waits, db: 'move (taking-over)', [aside]: 'move (taking-over)'});
    expect(table({...next, observed: [setAside(), taken]})).toMatchObject({...waits, [aside]: 'release'});
    expect(table({...next, observed: [taken]})).toEqual({data: 'move (offering)', db: 'move (offering)'});
  });

  it('stops without its rule, in a dry run, and where it was dropped, with both as they are', () => {
    const dryRun: Input = {handover: [{from: {resources: ['db']}, to: {kind: 'Other'}, dryRun: true}]};
    expect(stoppedBy({...observing, input: {}}, 'db')).toBe('no-rule');
    expect(stoppedBy({...observing, input: dryRun}, 'db')).toBe('dry-run');
    expect(stoppedBy({...observing, desired: []}, aside)).toBe('dropped');
    expect(table({...observing, desired: []})['db']).toBe('move (observing)');
    expect(table({...begin, observed: [setAside()], input: {}})['db']).toBe('wait (not-moved)');
  });

  it('is refused where the old one cannot let go, or nobody knows what it stands for', () => {
    expect(stoppedBy({...begin, observed: [old({spec: {}})]}, 'db')).toBe('no-policies old');
    expect(stoppedBy({...begin, observed: [old({annotations: {}})]}, 'db')).toBe('no-external-name');
    const creating = {...named, 'crossplane.io/external-create-pending': '2026-01-01T00:00:00Z'};
    expect(stoppedBy({...begin, observed: [old({annotations: creating})]}, 'db')).toBe('still-creating');
    // Its provider named it after the object, and has not looked for it yet.
    const failing = {conditions: [{type: 'Synced', status: 'False'}]};
    for (const status of [{}, failing])
      expect(stoppedBy({...begin, observed: [old({status})]}, 'db')).toBe('still-creating');
    const succeeded = {...named, 'crossplane.io/external-create-succeeded': '2026-01-01T00:00:00Z'};
    const seen = old({annotations: succeeded, status: failing});
    expect(table({...begin, observed: [seen]})['db']).toBe('move (letting-go)');
  });

  it('is refused where both would publish one Secret of connection details, which has one owner', () => {
    const writes = (name: string, namespace = 'default') => ({writeConnectionSecretToRef: {name, namespace}});
    const policies = {deletionPolicy: 'Delete', managementPolicies: ['*']};
    const given = (spec: JsonObject): Given => ({
      ...begin,
      observed: [old({spec: {...policies, ...writes('conn')}})],
      desired: [desired('db', {kind: 'Other', spec})],
    });
    expect(stoppedBy(given(writes('conn')), 'db')).toBe('secret shared');
    for (const spec of [writes('conn', 'team'), writes('other'), {}])
      expect(table(given(spec))['db']).toBe('move (letting-go)');
  });

  it.each([
    ['observing', {}],
    ['taking-over', {spec: {managementPolicies: ['*']}}],
  ])('keeps the old one while the new connection Secret lacks a value, %s', (reason, has) => {
    const kept = setAside({details: {password: 'p', endpoint: 'e', port: ''}});
    const given = (details: JsonObject, more: Given = {}): Given => ({
      ...begin,
      observed: [kept, fresh({...has, details})],
      ...more,
    });
    for (const details of [{}, {endpoint: 'e'}, {endpoint: 'e', password: ''}]) {
      expect(stoppedBy(given(details), 'db')).toBe('secret lacking');
      expect(table(given(details))).toEqual({db: `move (${reason})`, [aside]: `move (${reason})`});
    }
    const ended = {db: expect.stringContaining('taking-over'), [aside]: expect.not.stringContaining('observing')};
    expect(table(given({endpoint: 'other', password: 'p'}))).toEqual(ended);
    expect(table(given({}, confirmation))).toEqual(ended);
  });

  it('is refused where a provider generated a Secret that goes with the old object, until that is confirmed', () => {
    const given = (forProvider: JsonObject, more: Given = {}): Given => ({
      ...begin,
      observed: [old({spec: {deletionPolicy: 'Delete', managementPolicies: ['*'], forProvider}})],
      ...more,
    });
    for (const field of ['autoGeneratePassword', 'autogeneratePassword', 'autoGenerateAuthToken'])
      expect(stoppedBy(given({[field]: true}), 'db')).toBe('secret generated');
    for (const begun of [given({autoGeneratePassword: false}), given({autoGeneratePassword: true}, confirmation)])
      expect(table(begun)['db']).toBe('move (letting-go)');
  });

  it('is refused where the new kind is not served, or could not only observe, and begins once that is known', () => {
    const name = 'kind-Other.ec2.example.org/v1beta1';
    const modern = {...begin, schemas: {}};
    expect([...planOf(modern).schemas.keys()]).toEqual([name]);
    expect(stoppedBy(modern, 'db')).toBe('unanswered');
    expect(stoppedBy({...begin, schemas: {[name]: false}}, 'db')).toBe('not-served');
    const plain = {isServed: true, declares: (path: readonly unknown[]) => path.at(-1) !== 'managementPolicies'};
    expect(stoppedBy({...begin, schemas: {[name]: plain}}, 'db')).toBe('no-policies new');
    expect(table({...begin, schemas: {[name]: true}})['db']).toBe('move (letting-go)');
    // One that is there tells that its kind is served, and a move that has begun asks nothing any more.
    const known = {
      ...modern,
      observed: [old(), observed('other', {kind: 'Other'})],
      desired: [wanted, desired('other')],
    };
    expect(table(known)['db']).toBe('move (letting-go)');
    expect([...planOf({...modern, observed: [setAside()]}).schemas.keys()]).toEqual([]);
  });

  it('asks about as many kinds as have room, those of a dry run last, and leaves what is beyond as it is', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const all = {
      observed: names.map((name) =>
        observed(name, {annotations: named, spec: {deletionPolicy: 'Delete'}, status: synced}),
      ),
      desired: names.map((name) => desired(name, {kind: `Other${name}`})),
      input: {handover: names.map((name) => ({from: {resources: [name]}, to: {kind: `Other${name}`}}))},
      schemas: {},
    };
    const kindOf = (name: string) => `kind-Other${name}.ec2.example.org/v1beta1`;
    expect([...planOf(all).schemas.keys()]).toEqual(['a', 'b', 'c', 'd'].map(kindOf));
    expect(table(all)).toMatchObject({a: 'refuse (cannot-hand-over)', e: 'refuse (cannot-hand-over)'});
    expect(stoppedBy(all, 'e')).toBe('unanswered');
    const handover = all.input.handover.map((rule, at) => (at === 0 ? {...rule, dryRun: true} : rule));
    expect([...planOf({...all, input: {handover}}).schemas.keys()]).toEqual(['b', 'c', 'd', 'e'].map(kindOf));
    const large = {...all, bytes: 3.2 * 2 ** 20};
    expect([...planOf(large).schemas.keys()]).toEqual([]);
    expect(planOf(large).decisions.get('a')).toMatchObject({obstacle: {kind: 'unanswered', lacksRoom: true}});
    expect(planOf(all).decisions.get('a')).toMatchObject({obstacle: {kind: 'unanswered', lacksRoom: false}});
    const served = Object.fromEntries(['b', 'c', 'd'].map((name) => [kindOf(name), false]));
    expect(table({...all, schemas: {...served, [kindOf('a')]: true}})).toMatchObject({a: 'move (letting-go)'});
  });

  it('has the external name that the rule makes of the old one', () => {
    const rule = (externalName: string): Input => ({
      handover: [{from: {resources: ['db']}, to: {kind: 'Other'}, externalName}],
    });
    const name = "'eu/' + self.metadata.annotations['crossplane.io/external-name']";
    const made = planOf({...begin, observed: [setAside()], input: rule(name)});
    expect(annotationsOf(emitted(made, 'db'))[externalName]).toBe('eu/vpc-1');
    for (const none of ['self.status.arn', 'int(self.metadata.name) > 1 ? "a" : "b"', "''"])
      expect(stoppedBy({...begin, input: rule(none)}, 'db')).toBe('unresolved');
    expect(plan(snapshot({...begin, input: rule('self.')}), rule('self.'))).toMatchObject({
      kind: 'invalid-input',
      path: 'handover[0].externalName',
    });
  });

  it('turns back: the new one lets go, leaves, and the old one has its name again', () => {
    const back = [desired('db')];
    const full = fresh({spec: {managementPolicies: ['*']}});
    const giving = {...observing, observed: [setAside(), full], desired: back, input: {}};
    expect(table(giving)).toEqual({db: 'move (giving-back)', [aside]: 'move (giving-back)'});
    expect(emitted(planOf(giving), 'db')).toMatchObject({kind: 'Other', spec: {managementPolicies: ['Observe']}});
    const leaving = {...giving, observed: [setAside(), fresh()]};
    expect(table(leaving)).toEqual({db: 'wait (not-moved)', [aside]: 'move (giving-back)'});
    expect(planOf(leaving).edits.get('db')).toEqual({kind: 'drop'});
    const putting = {...giving, observed: [setAside()]};
    expect(table(putting)).toEqual({db: 'move (taking-back)', [aside]: 'move (taking-back)'});
    expect(emitted(planOf(putting), 'db')).toEqual(emitted(planOf(putting), aside));
    // A template may generate another value for what it does not observe under its name yet.
    const held = setAside({spec: {...letGo, size: 1}, owned: {'f:spec': {'f:size': {}}}});
    const generated = {...putting, observed: [held], desired: [desired('db', {spec: {size: 2}})]};
    expect(emitted(planOf(generated), 'db')['spec']).toEqual({size: 1});
    const returned = observed('db', {spec: {...letGo, size: 1}});
    expect(planOf({...generated, observed: [returned]}).edits.get('db')?.kind).toBe('amend');
  });

  it('holds a new object that is being deleted: left out, it would be made again in the next reconcile', () => {
    const owned = {'f:spec': {'f:managementPolicies': {}}};
    const going = {...begin, observed: [setAside(), fresh({deleting: true, owned})]};
    expect(table(going)).toEqual({db: 'hold (still-deleting)', [aside]: 'move (observing)'});
    expect(stoppedBy(going, aside)).toBe('deleting new');
    expect(emitted(planOf(going), 'db')['spec']).toMatchObject({managementPolicies: ['Observe']});
  });

  it('does not turn back while the old one is being deleted, which given its policies back would destroy', () => {
    const back = {...begin, desired: [desired('db')], input: {}};
    const full = fresh({spec: {managementPolicies: ['*']}});
    const going = {...back, observed: [setAside({deleting: true}), full]};
    expect(stoppedBy(going, aside)).toBe('deleting old');
    expect(emitted(planOf(going), aside)['spec']).toMatchObject({deletionPolicy: 'Orphan'});
    expect(emitted(planOf(going), 'db')).toMatchObject({kind: 'Other'});
    const alone = {...back, observed: [setAside({deleting: true})]};
    expect(table(alone)['db']).toBe('wait (not-moved)');
    expect(emitted(planOf(alone), aside)['spec']).toMatchObject({deletionPolicy: 'Orphan'});
  });

  it.each([
    ['of another kind', {kind: 'Third'}, 'refuse (kind-changed)'],
    ['of its kind', {}, 'keep'],
  ])('does not turn back over an object %s that has its resource name by now, which stays', (_of, other, decision) => {
    const taken = observed('db', {name: 'net-other', ...other});
    const marked = {...named, 'tether.fn.crossplane.io/handover-from': aside};
    const data = observed('data', {kind: 'Other', annotations: marked, status: synced});
    const away = setAside({annotations: {...named, 'tether.fn.crossplane.io/handover-to': 'data'}});
    const back = {observed: [away, taken, data], desired: [desired('db')], input: {}};
    expect(table(back)).toEqual({data: 'move (taking-back)', db: decision, [aside]: 'move (taking-back)'});
    expect(stoppedBy(back, aside)).toBe('target-taken');
    expect(table({...back, observed: [away, taken]})).toEqual({db: decision, [aside]: 'move (taking-back)'});
  });

  it('does not turn back to what a template cannot say yet', () => {
    const base = {apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing', spec: {zone: '${resources.net.status.id}'}};
    const input: Input = {resources: [{name: 'db', base}]};
    const open: Given = {observed: [setAside(), observed('net')], desired: [desired('net')], input};
    expect(table(open)).toMatchObject({db: 'wait (not-moved)', [aside]: 'move (taking-back)'});
    expect(stoppedBy(open, aside)).toBe('unresolved');
    expect(emitted(planOf(open), aside)['spec']).toMatchObject({deletionPolicy: 'Orphan'});
    expect(JSON.stringify([...planOf(open).edits])).not.toContain('${');
    const said: Given = {...open, observed: [setAside(), observed('net', {status: {id: 'a'}})]};
    expect(stoppedBy(said, aside)).toBeUndefined();
    expect(emitted(planOf(said), 'db')).toEqual(emitted(planOf(said), aside));
  });

  it('turns back although restore.stableNames names what is made anew otherwise', () => {
    const back: Given = {observed: [setAside()], desired: [desired('db')], input: {restore: {stableNames: true}}};
    expect(table(back)).toEqual({db: 'move (taking-back)', [aside]: 'move (taking-back)'});
  });

  it('that got another name, too, is not deleted for want of a rule to go back', () => {
    const came = {'tether.fn.crossplane.io/handover-from': 'db'};
    const moved = observed('data', {
      kind: 'Other',
      annotations: {...named, ...came},
      spec: {managementPolicies: ['*']},
    });
    const back = {observed: [moved], desired: [desired('db')]};
    expect(table(back)).toEqual({data: 'refuse (cannot-hand-over)', db: 'wait (not-moved)'});
    expect(stoppedBy(back, 'data')).toBe('no-rule new');
    // While it is there it says so, also right after the old one is released.
    const input: Input = {handover: [{from: {resources: ['db']}, to: {resource: 'data', kind: 'Other'}}]};
    const ended = observed('data', {
      kind: 'Other',
      annotations: {...named, 'tether.fn.crossplane.io/handover-from': aside},
      spec: {managementPolicies: ['*']},
    });
    const edit = planOf({observed: [ended], desired: [desired('data', {kind: 'Other'})], input}).edits.get('data');
    expect(edit).toMatchObject({overlay: {metadata: {annotations: came}}});
    expect(stoppedBy({observed: [ended], desired: [desired('db')]}, 'data')).toBe('no-rule new');
  });

  it('gives no policies to a new object that goes, or that nobody proved, once the old one is gone', () => {
    const left = (options: ObservedOptions, input = toOther) => ({...begin, observed: [fresh(options)], input});
    expect(table(left({}))).toEqual({db: 'keep'});
    expect(table(left({deleting: true}))).toEqual({db: 'hold (still-deleting)'});
    expect(table(left({deleting: true}, {}))).toEqual({db: 'hold (still-deleting)'});
    const owned = {'f:spec': {'f:managementPolicies': {}}};
    expect(emitted(planOf(left({deleting: true, owned})), 'db')['spec']).toEqual({managementPolicies: ['Observe']});
    expect(stoppedBy(left({status: {}}), 'db')).toBe('old-gone');
    expect(emitted(planOf(left({status: {}})), 'db')).toMatchObject({kind: 'Other'});
    expect(table(left({status: {}}, {}))).toEqual({db: 'keep'});
    const another = {annotations: {'tether.fn.crossplane.io/phase': 'refused'}};
    expect(stoppedBy(left(another), 'db')).toBe('old-gone');
  });

  it('marks a new object that is another resource, so that nothing forgets it', () => {
    const atProvider = (arn: string) => ({...synced, atProvider: {arn}});
    const other = {
      ...begin,
      observed: [setAside({status: atProvider('arn:here')}), fresh({status: atProvider('arn:there')})],
    };
    expect(stoppedBy(other, 'db')).toBe('another-resource');
    expect(annotationsOf(emitted(planOf(other), 'db'))['tether.fn.crossplane.io/phase']).toBe('refused');
  });

  // By resource names on either side of the one that it is set aside as.
  for (const name of ['db', 'vpc'])
    it(`moves nothing on that is in the middle of a move: ${name}`, () => {
      const place = `tether-handover-of-${name}`;
      const inTheMiddle = [
        observed(place, {annotations: {...named, 'tether.fn.crossplane.io/handover-to': name}, spec: letGo}),
        observed(name, {
          kind: 'Other',
          annotations: {...named, 'tether.fn.crossplane.io/handover-from': place},
          spec: {managementPolicies: ['Observe']},
        }),
      ];
      const rule = (to: {readonly resource?: string; readonly kind?: string}): Input => ({
        handover: [{from: {resources: [name]}, to}],
      });
      const toNew = {
        observed: inTheMiddle,
        desired: [desired('data', {kind: 'Other'})],
        input: rule({resource: 'data'}),
      };
      expect(table(toNew)).toMatchObject({data: 'wait (not-moved)', [name]: 'move (observing)'});
      const toThird = {observed: inTheMiddle, desired: [desired(name, {kind: 'Third'})], input: rule({kind: 'Third'})};
      expect(stoppedBy(toThird, place)).toBe('target-taken moving');
      expect(emitted(planOf(toThird), name)).toMatchObject({kind: 'Other'});
      expect(at(emitted(planOf(toThird), place), ['kind'])).toBe('Thing');
    });

  it('takes nobody else for the new one, whatever is written on it', () => {
    const marked = observed('cache', {
      kind: 'Other',
      annotations: {'tether.fn.crossplane.io/handover-from': aside},
    });
    const back = {
      ...begin,
      observed: [setAside(), marked],
      desired: [desired('db'), desired('cache', {kind: 'Other'})],
    };
    expect(table(back)).toMatchObject({cache: 'keep', db: 'move (taking-back)'});
  });

  it('does not come back over another object that has its name by now', () => {
    const taken = {...begin, observed: [setAside(), old({name: 'another'})], desired: [desired('db')]};
    expect(stoppedBy(taken, aside)).toBe('target-taken');
    expect(table(taken)['db']).toBe('keep');
  });
});

describe('a resource that others use, or that is protected', () => {
  const wanted = desired('db', {kind: 'Other', spec: {size: 1}});
  const full = fresh({spec: {managementPolicies: ['*']}});
  const app = observed('app');
  const pair = {usages: [{of: 'db', by: 'app'}]};
  const usedBefore = usage('old-usage', {
    of: 'db',
    by: 'app',
    annotations: {'tether.fn.crossplane.io/of': 'db', 'tether.fn.crossplane.io/by': 'app'},
  });
  const last: Given = {
    observed: [setAside(), full, app, usedBefore],
    desired: [wanted, desired('app')],
    input: toOther,
  };

  it('leaves its old Usage behind although who used it stays, or is held until the move is over', () => {
    expect(table(last)).toMatchObject({[aside]: 'hold (usage-leaves-first)', 'old-usage': 'release'});
    const dropped = {...last, desired: [wanted]};
    expect(table(dropped)).toMatchObject({
      app: 'hold (hand-over-in-progress)',
      'old-usage': 'release',
      [aside]: 'hold (usage-leaves-first)',
    });
    expect(table({...last, observed: [setAside(), full, app]})).toMatchObject({[aside]: 'release'});
  });

  it('has the label checked that two Usages left behind when they went at once', () => {
    const reconciled = view({...xr.json(), status: synced});
    const labelled = setAside({
      labels: {'crossplane.io/in-use': 'true'},
      annotations: {
        ...named,
        'tether.fn.crossplane.io/handover-to': 'db',
        'tether.fn.crossplane.io/in-use': 'seen uid-of-net-db',
      },
    });
    const given = {...last, xr: reconciled, schemas: {}, observed: [labelled, full, app]};
    expect(table(given)).toMatchObject({[aside]: 'hold (in-use)'});
    expect([...planOf(given).edits.keys()]).toContainEqual(expect.stringMatching(/^check-net-db-/));
  });

  it('keeps its old Usage until the new object has a Usage of its own, and until the move is over', () => {
    const declared = {...last, input: {...toOther, ...pair}};
    expect(table(declared)['old-usage']).toBe('hold (usage-arrives-first)');
    const early = {...last, observed: [setAside(), fresh(), app, usedBefore], input: {...toOther, ...pair}};
    expect(table(early)['old-usage']).toMatch(/^hold/);
  });

  it('takes its by out of the old Usage on a Crossplane that would wait for it', () => {
    expect(table({...last, input: {...toOther, crossplane: '1.16'}})['old-usage']).toBe('hold (relax-first)');
  });

  it('goes back to the Usage and the protection of the old object', () => {
    const protect = {protect: {resources: [{match: {resources: ['db']}}]}};
    const back: Given = {observed: [setAside(), fresh(), app], desired: [desired('db'), desired('app')]};
    const usages = (input: Input) =>
      [...planOf({...back, input}).edits.values()].flatMap((edit) =>
        edit.kind === 'put' && at(edit.object, ['spec', 'of']) !== undefined
          ? [at(edit.object, ['spec', 'of', 'kind'])]
          : [],
      );
    for (const input of [pair, protect]) {
      expect(usages(input)).toContain('Thing');
      expect(usages(input)).not.toContain('Other');
      expect(planOf({...back, input}).edits.get('db')).toEqual({kind: 'drop'});
    }
  });

  it('is not kept from going back by a pair that no Usage can express', () => {
    const inTeam = observed('app', {namespace: 'team'});
    const back = {observed: [setAside(), fresh(), inTeam], desired: [desired('db'), desired('app')], input: pair};
    expect(planOf(back).edits.get('db')).toEqual({kind: 'drop'});
  });

  it('does not begin to move while the pipeline goes on to protect the old kind by a selector', () => {
    const [, protecting] = usage('guard', {of: 'db', reason: 'precious'});
    const begin = (of: JsonObject, input: Input = toOther): Given => ({
      observed: [old(), ['guard', protecting]],
      desired: [wanted, ['guard', {...desiredUsage('guard')[1], ...usageView({of})}]],
      input,
    });
    const thing = {apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing'};
    expect(stoppedBy(begin({...thing, resourceSelector: {}}), 'db')).toBe('protected');
    expect(table(begin({...thing, kind: 'Other', resourceSelector: {}}))['db']).toBe('move (letting-go)');
    // Functions write those of what they observe, and follow.
    expect(table(begin({...thing, resourceRef: {name: 'net-db'}}))['db']).toBe('move (letting-go)');
  });

  it('does not begin to move while a Usage from outside protects the old object, unless a person says so', () => {
    const labelled = {observed: [old({labels: {'crossplane.io/in-use': 'true'}})], desired: [wanted], input: toOther};
    expect(stoppedBy(labelled, 'db')).toBe('protected');
    const metadata = {name: 'net', uid: xrUid, annotations: {'tether.fn.crossplane.io/confirm-removal': 'db'}};
    const confirmed = view({apiVersion: xr.apiVersion, kind: xr.kind, metadata});
    expect(table({...labelled, xr: confirmed})['db']).toBe('move (letting-go)');
    const own = usage('guard', {of: 'db', reason: 'precious'});
    expect(table({...labelled, observed: [...labelled.observed, own]})['db']).toBe('move (letting-go)');
  });
});

function usageView(spec: JsonObject) {
  return view({apiVersion: 'protection.crossplane.io/v1beta1', kind: 'ClusterUsage', metadata: {}, spec});
}
