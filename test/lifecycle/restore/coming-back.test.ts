import {describe, expect, it} from 'vitest';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import {asObject, type JsonObject} from '../../../src/lifecycle/words/json.ts';
import type {ResourceView} from '../../../src/lifecycle/words/snapshot.ts';
import {
  desired,
  emitted,
  type Given,
  manager,
  type ObservedOptions,
  observed,
  planOf,
  table,
  usage,
  view,
  xr,
} from '../given.ts';

const mark = 'tether.fn.crossplane.io/restore';
const marked = {[mark]: 'in-progress'};
const managed = {managementPolicies: ['*']};
const ready = {conditions: [{type: 'Ready', status: 'True'}]};
const failing = {conditions: [{type: 'Synced', status: 'False', reason: 'ReconcileError'}]};
const creating = {conditions: [{type: 'Ready', status: 'False', reason: 'Creating'}]};
const held = 'hold (restore-in-progress)';

const back = (name: string, options: ObservedOptions = {}) =>
  observed(name, {spec: managed, annotations: marked, ...options});
const restored = (name: string, options: ObservedOptions = {}) =>
  observed(name, {spec: managed, controller: 'nobody', ...options});

/** Only the network is desired; the cluster leaves. */
function story(network: [string, ResourceView], cluster = observed('cluster'), given: Given = {}) {
  return {observed: [network, cluster], desired: [desired('network')], ...given};
}

function cluster(given: Given): string | undefined {
  return table(given)['cluster'];
}

function isMarked(given: Given, resourceName: string): boolean {
  const edit = planOf(given).edits.get(resourceName);
  if (edit === undefined || edit.kind === 'drop') return false;
  const annotations = edit.kind === 'amend' ? edit.overlay.metadata.annotations : annotationsOf(edit.object);
  return ![undefined, 'over'].includes(annotations[mark] as string | undefined);
}

function annotationsOf(body: JsonObject): JsonObject {
  return ((body['metadata'] as JsonObject)['annotations'] ?? {}) as JsonObject;
}

function annotated(annotations: JsonObject): ResourceView {
  return view({...xr.json(), metadata: {...(xr.json()['metadata'] as JsonObject), annotations}});
}

function withEntries(options: ObservedOptions, managedFields: readonly JsonObject[]): [string, ResourceView] {
  const [name, seen] = observed('network', options);
  const object = seen.json();
  return [name, view({...object, metadata: {...(object['metadata'] as JsonObject), managedFields}})];
}

const applied = {manager, operation: 'Apply', fieldsV1: {}};
const wroteStatus = {manager: 'provider', operation: 'Update', subresource: 'status', fieldsV1: {}};
const byKubectl = {manager: 'kubectl', operation: 'Update', fieldsV1: {}};
const made = {'crossplane.io/external-create-succeeded': '2026-01-01T00:00:00Z'};

describe('what leaves is held until what came back is Ready again', () => {
  it('from its adoption on', () => {
    const given = story(restored('network'), restored('cluster'));
    expect(table(given)).toEqual({network: 'adopt (without-controller)', cluster: 'hold (without-controller)'});
    expect([isMarked(given, 'network'), isMarked(given, 'cluster')]).toEqual([true, true]);
  });

  it('whatever else it says first', () => {
    for (const status of [undefined, {}, failing, creating]) {
      const given = story(back('network', status === undefined ? {} : {status}));
      expect(cluster(given)).toBe(held);
      expect([isMarked(given, 'network'), isMarked(given, 'cluster')]).toEqual([true, true]);
    }
  });

  it('and then for one more reconcile, which ends the marks', () => {
    const last = story(back('network', {status: ready}), observed('cluster', {annotations: marked}));
    expect(cluster(last)).toBe(held);
    expect([isMarked(last, 'network'), isMarked(last, 'cluster')]).toEqual([false, false]);
    expect(cluster(story(observed('network', {spec: managed, status: ready})))).toBe('release');
  });

  it('also if an apply that is rejected for good leaves the mark of another on', () => {
    expect(cluster(story(back('network', {status: ready})))).toBe('release');
  });

  it('and of several until the last one', () => {
    const given = {
      observed: [back('network', {status: ready}), back('zone', {status: creating}), observed('cluster')],
      desired: [desired('network'), desired('zone')],
    };
    expect(cluster(given)).toBe(held);
    expect([isMarked(given, 'network'), isMarked(given, 'zone')]).toEqual([true, true]);
  });

  it('also until what leaves itself is Ready: another may be composed by its status', () => {
    expect(cluster(story(observed('network', {status: ready}), back('cluster')))).toBe(held);
  });

  it('but for the Usage of an order that the input turns round: with both, nothing could be deleted', () => {
    const turned = (input: JsonObject) =>
      table({
        observed: [back('network'), observed('cluster'), usage('old', {of: 'network', by: 'cluster'})],
        desired: [desired('network'), desired('cluster')],
        input,
      })['old'];
    expect(turned({usages: [{of: 'cluster', by: 'network'}]})).toBe('release');
    expect(turned({order: [{sequence: [{resources: ['cluster']}, {resources: ['network']}]}]})).toBe('release');
    expect(turned({})).toBe(held);
  });

  it('even if a tool takes a mark off, as long as one is left', () => {
    const lost = observed('zone', {spec: managed, annotations: made, status: creating});
    const desiredToo = [desired('network'), desired('zone')];
    const given = (network: ObservedOptions) => ({
      observed: [back('network', network), lost, observed('cluster', {annotations: marked})],
      desired: desiredToo,
    });
    const awaited = planOf(given({status: creating})).decisions.get('cluster');
    expect(awaited).toMatchObject({awaited: [{resourceName: 'network'}, {resourceName: 'zone'}]});
    expect(isMarked(given({status: creating}), 'zone')).toBe(true);
  });

  it('a rejected adoption holds it no longer than until that one is Ready', () => {
    const waits = observed('cluster', {annotations: {'tether.fn.crossplane.io/phase': 'pending-deletion'}});
    expect(cluster(story(restored('network'), waits))).toBe(held);
    expect(cluster(story(restored('network', {status: ready}), waits))).toBe('release');
  });

  it('a retained resource needs nobody to wait', () => {
    const input = {removal: {policies: [{match: {}, policy: 'Retain' as const}]}};
    expect(cluster(story(back('network'), undefined, {input}))).toBe('retain');
  });

  it('unless a person says that this very object may go: a name alone may come from the backup', () => {
    const confirmed = (word: string) => ({xr: annotated({'tether.fn.crossplane.io/confirm-removal': word})});
    const uid = String(observed('cluster')[1].field(['metadata', 'uid']));
    expect(cluster(story(back('network'), undefined, confirmed(`cluster@${uid}`)))).toBe('release');
    expect(cluster(story(back('network'), undefined, confirmed('cluster')))).toBe(held);
  });
});

describe('what is awaited', () => {
  it('is Ready at whatever date', () => {
    const old = {conditions: [{type: 'Ready', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z'}]};
    expect(cluster(story(back('network', {status: old})))).toBe('release');
  });

  it('is no kind that never says Ready', () => {
    for (const options of [
      {kind: 'ConfigMap', spec: {}},
      {kind: 'ProviderConfig', spec: {credentials: {}}},
    ]) {
      expect(cluster(story(back('network', options)))).toBe('release');
      expect(isMarked(story(back('network', options)), 'network')).toBe(false);
    }
    const asUsage = usage('network', {of: 'x', by: 'y', annotations: marked});
    expect(cluster(story(asUsage))).toBe('release');
  });

  it('is a kind of Kubernetes that was Available once', () => {
    const entry = (type: string) => ({
      ...wroteStatus,
      fieldsV1: {'f:status': {'f:conditions': {[`k:{"type":"${type}"}`]: {}}}},
    });
    const options = {kind: 'Deployment', annotations: marked};
    expect(cluster(story(withEntries(options, [entry('Available')])))).toBe(held);
    const progressing = {conditions: [{type: 'Progressing', status: 'True'}]};
    expect(cluster(story(withEntries({...options, status: progressing}, [entry('Progressing')])))).toBe('release');
    const status = {conditions: [{type: 'Available', status: 'True'}]};
    expect(cluster(story(withEntries({...options, status}, [entry('Available')])))).toBe('release');
  });

  it('is of a kind that is never Ready, until it has a status again', () => {
    const entries = [{manager: 'controller', operation: 'Update', fieldsV1: {'f:status': {'f:ingress': {}}}}];
    const told = (status: JsonObject, kind = 'Service') =>
      cluster(story(withEntries({kind, annotations: marked, status}, entries)));
    expect(told({})).toBe(held);
    expect(told({loadBalancer: {}})).toBe(held);
    expect(told({loadBalancer: {ingress: []}})).toBe('release');
    expect(told({}, 'ProviderConfig')).toBe('release');
    expect(cluster(story(withEntries({kind: 'Service', annotations: marked}, [])))).toBe('release');
  });

  it('is of a kind whose status the API server begins', () => {
    const entries = [{manager: 'controller', operation: 'Update', fieldsV1: {'f:status': {'f:replicas': {}}}}];
    const told = (apiVersion: string, status: JsonObject) => {
      const [name, seen] = withEntries({annotations: marked, status}, entries);
      return cluster(story([name, view({...seen.json(), apiVersion})]));
    };
    expect(told('apps/v1', {replicas: 0, availableReplicas: 0})).toBe(held);
    expect(told('v1', {phase: 'Pending'})).toBe(held);
    expect(told('apps/v1', {replicas: 0, observedGeneration: 1})).toBe('release');
    expect(told('v1', {phase: 'Bound'})).toBe('release');
    // Of a kind with a CustomResourceDefinition its controller writes a zero, and defaults are others: of Flux, and of the Gateway API.
    expect(told('example.org/v1', {replicas: 0})).toBe('release');
    expect(told('example.org/v1', {observedGeneration: -1})).toBe(held);
    const pending = [{type: 'Accepted', status: 'Unknown', reason: 'Pending'}];
    expect(told('example.org/v1', {conditions: pending})).toBe(held);
    expect(told('example.org/v1', {conditions: [...pending, {type: 'Programmed', status: 'True'}]})).toBe('release');
    expect(told('example.org/v1', {conditions: pending, addresses: ['10.0.0.1']})).toBe('release');
  });

  it('is of any kind that had a status, although a tool has taken its managedFields off', () => {
    const had = {...marked, 'tether.fn.crossplane.io/status': 'seen'};
    const told = (options: ObservedOptions) => cluster(story(observed('network', options)));
    expect(told({controller: 'nobody', annotations: had})).toBe(held);
    expect(told({annotations: had})).toBe(held);
    // Crossplane has applied it since.
    expect(told({annotations: had, owned: {'f:spec': {}}})).toBe(held);
    expect(told({annotations: had, status: creating})).toBe(held);
    expect(told({annotations: had, status: {health: 'good'}})).toBe('release');
    expect(told({annotations: had, status: ready})).toBe('release');
    expect(told({annotations: marked})).toBe('release');
    const seen = {'tether.fn.crossplane.io/status': 'seen'};
    expect(told({annotations: seen})).toBe(held);
    expect(told({annotations: seen, owned: {'f:spec': {}}})).toBe('release');
    const noted = (options: ObservedOptions) => {
      const edit = planOf({observed: [observed('network', options)], desired: [desired('network')]}).edits.get(
        'network',
      );
      return edit?.kind === 'amend' ? edit.overlay.metadata.annotations['tether.fn.crossplane.io/status'] : undefined;
    };
    expect(noted({status: {health: 'good'}})).toBe('seen');
    expect(noted({annotations: had})).toBe('seen');
    expect(noted({status: {health: {}}})).toBeUndefined();
    expect(noted({spec: managed, status: ready})).toBeUndefined();
    expect(noted({kind: 'ProviderConfig', status: {users: 2}})).toBeUndefined();
    // Of one that can be Ready, another condition proves nothing.
    expect(noted({status: ready})).toBe('ready');
    expect(noted({annotations: {...marked, 'tether.fn.crossplane.io/status': 'ready'}})).toBe('ready');
    const hadReady = {...marked, 'tether.fn.crossplane.io/status': 'ready'};
    expect(told({annotations: hadReady, status: {conditions: [{type: 'Reconciling', status: 'True'}]}})).toBe(held);
    expect(told({annotations: hadReady, status: ready})).toBe('release');
  });

  it('is an XR, until it is Ready and has come back itself', () => {
    const inner = (...conditions: JsonObject[]) =>
      back('network', {spec: {crossplane: {}}, ...(conditions.length === 0 ? {} : {status: {conditions}})});
    expect(cluster(story(inner()))).toBe(held);
    expect(cluster(story(inner({type: 'Synced', status: 'True'})))).toBe(held);
    const isReady = {type: 'Ready', status: 'True'};
    const restoring = story(inner(isReady, {type: 'Tethered', status: 'False', reason: 'Restoring'}));
    expect(cluster(restoring)).toBe(held);
    expect(planOf(restoring).decisions.get('cluster')).toMatchObject({
      awaited: [{cause: 'unready', type: 'Tethered', status: 'False', why: 'Restoring'}],
    });
    const failing = story(inner(isReady, {type: 'Tethered', status: 'Unknown', reason: 'FatalError'}));
    expect(planOf(failing).decisions.get('cluster')).toMatchObject({
      awaited: [{cause: 'unready', type: 'Tethered', status: 'Unknown', why: 'FatalError'}],
    });
    expect(cluster(story(inner(isReady, {type: 'Tethered', status: 'False', reason: 'Holding'})))).toBe('release');
  });

  it('has lost its status', () => {
    const options = {spec: managed, annotations: made};
    expect(cluster(story(withEntries(options, [applied, wroteStatus])))).toBe(held);
    expect(isMarked(story(withEntries(options, [applied, wroteStatus])), 'network')).toBe(true);
    expect(cluster(story(withEntries({...options, status: failing}, [applied, wroteStatus])))).toBe('release');
  });

  it('or was put there by another hand', () => {
    expect(cluster(story(withEntries({spec: managed, annotations: made}, [byKubectl])))).toBe(held);
    expect(cluster(story(withEntries({spec: managed}, [byKubectl])))).toBe('release');
  });

  const later = '2030-01-01T00:00:00Z';
  const readyXr = {
    xr: view({...xr.json(), status: {conditions: [{type: 'Ready', status: 'True', lastTransitionTime: later}]}}),
  };

  it('or has none, and the XR is Ready', () => {
    const network = withEntries({spec: managed, annotations: made}, [applied]);
    expect(cluster(story(network, undefined, readyXr))).toBe(held);
    const isNew = withEntries({spec: managed}, [applied]);
    expect(cluster(story(isNew, undefined, readyXr))).toBe('release');
  });

  it('but not if it is new: the pipeline itself calls it ready, or the XR was Ready when it was created', () => {
    const network = withEntries({spec: managed, annotations: made}, [applied]);
    expect(cluster(story(network, undefined, readyXr))).toBe(held);
    const called = desired('network', {ready: 'true'});
    expect(cluster({...story(network, undefined, readyXr), desired: [called]})).toBe('release');
    const object = network[1].json();
    const at = (creationTimestamp: string): [string, ResourceView] => {
      const metadata = {...(object['metadata'] as JsonObject), creationTimestamp};
      return ['network', view({...object, metadata})];
    };
    expect(cluster(story(at('2030-01-01T00:00:01Z'), undefined, readyXr))).toBe('release');
    // Dates have no parts of a second, and some providers are Ready at once.
    expect(cluster(story(at(later), undefined, readyXr))).toBe(held);
  });

  it('is no new XR whose pipeline has set a status', () => {
    const ofPipeline = {...wroteStatus, manager: 'apiextensions.crossplane.io/composite', operation: 'Apply'};
    const inner = {spec: {crossplane: {}}};
    expect(cluster(story(withEntries(inner, [applied, ofPipeline])))).toBe('release');
    expect(cluster(story(withEntries(inner, [applied, ofPipeline, wroteStatus])))).toBe(held);
  });

  it('has not just been made by Crossplane', () => {
    expect(cluster(story(withEntries({spec: managed, annotations: made}, [applied])))).toBe('release');
  });

  it('is being deleted only if it is wanted again', () => {
    const gone = {...story(back('network', {deleting: true})), desired: []};
    expect(cluster(gone)).toBe('release');
    const {decisions, edits} = planOf(story(back('network', {deleting: true})));
    expect(decisions.get('cluster')).toMatchObject({awaited: [{cause: 'deleting', resourceName: 'network'}]});
    const edit = edits.get('cluster');
    expect(edit?.kind === 'put' && annotationsOf(edit.object)[mark]).toBe('in-progress ["network"]');
  });
});

describe('what is desired and not there', () => {
  const given = (refs: readonly JsonObject[], controller: 'ours' | 'nobody'): Given => ({
    xr: view({...xr.json(), spec: {crossplane: {resourceRefs: refs}}}),
    observed: [back('cluster', {controller, status: ready})],
    desired: [desired('network')],
  });
  const thing = (name: string) => ({apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing', name});

  it('is awaited as well: it may not have been brought back', () => {
    expect(cluster(given([], 'ours'))).toBe(held);
  });

  it('and gets the mark if the XR had one of its kind, or has lost its list', () => {
    expect(isMarked(given([thing('net-network'), thing('net-cluster')], 'nobody'), 'network')).toBe(true);
    expect(isMarked(given([], 'nobody'), 'network')).toBe(true);
  });

  it('also if it is made only later, which the mark on the others remembers', () => {
    const {edits} = planOf(given([thing('net-network'), thing('net-cluster')], 'nobody'));
    const edit = edits.get('cluster');
    const remembering = edit?.kind === 'put' ? annotationsOf(edit.object) : {};
    expect(remembering[mark]).toBe('in-progress ["network"]');
    const later = back('cluster', {annotations: {[mark]: String(remembering[mark])}, status: ready});
    const isLater = {observed: [later], desired: [desired('network')]};
    expect(isMarked(isLater, 'network')).toBe(true);
    for (const other of ['in-progress', 'in-progress {"network":1}', 'in-progress [', '["network"]']) {
      expect(
        isMarked({...isLater, observed: [back('cluster', {annotations: {[mark]: other}, status: ready})]}, 'network'),
      ).toBe(false);
    }
  });

  it.each<[string, JsonObject, string]>([
    ['not if its order has never let it be made, which may never come', {}, 'release'],
    ['if its order lets it be made later, and it was there before', {[mark]: 'in-progress ["network"]'}, held],
    [
      'if more were lost than the mark names',
      {[mark]: `in-progress ${JSON.stringify(Array.from({length: 20}, (_, n) => `n${n}`))}`},
      held,
    ],
  ])('is awaited %s', (_, annotations, decision) => {
    const zone = back('zone', {status: ready, annotations: {...marked, ...annotations} as Record<string, string>});
    const waiting: Given = {
      ...given([thing('net-zone'), thing('net-cluster')], 'ours'),
      observed: [zone, observed('cluster')],
      desired: [desired('zone', {ready: 'false'}), desired('network')],
    };
    const sequence = [{resources: ['zone']}, {resources: ['network']}];
    expect(table({...waiting, input: {order: [{sequence}]}})).toMatchObject({
      network: 'wait (creation-order)',
      cluster: decision,
    });
    const desiring = [{resources: ['none'], optional: true}, {resources: ['network']}];
    expect(cluster({...waiting, input: {order: [{sequence: desiring, waitFor: 'Desired'}]}})).toBe(decision);
  });

  it('but not if it is new: it may need what leaves to be gone', () => {
    expect(isMarked(given([thing('net-cluster')], 'nobody'), 'network')).toBe(false);
    expect(isMarked(given([thing('net-network'), thing('net-cluster')], 'ours'), 'network')).toBe(false);
  });
});

it('awaits what may have been made in the place of others, as a lookup finds what no step desires', () => {
  const [, found] = observed('cluster', {controller: 'nobody', name: 'net-old-cluster', status: ready});
  const kinds = [{apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing'}];
  const given: Given = {
    observed: [observed('network', {spec: managed})],
    desired: [desired('network')],
    input: {restore: {lookup: true, kinds}},
  };
  const finding = {...given, required: {'lost-Thing.ec2.example.org': [found]}};
  expect(table(finding)).toEqual({network: 'keep', cluster: 'hold (found-by-label)'});
  expect([isMarked(given, 'network'), isMarked(finding, 'network')]).toEqual([false, true]);
});

describe('an object that is lost alone', () => {
  const refs = ['net-network', 'net-cluster'].map((name) => ({
    apiVersion: 'ec2.example.org/v1beta1',
    kind: 'Thing',
    name,
  }));
  const given = (status: JsonObject, resourceRefs: readonly JsonObject[] = refs): Given => ({
    xr: view({...xr.json(), spec: {crossplane: {resourceRefs}}, status}),
    observed: [observed('cluster', {status: ready})],
    desired: [desired('network')],
  });

  it('holds what leaves: the XR was Ready, so all that it lists was there', () => {
    expect(cluster(given(ready))).toBe(held);
    // It has the mark from the start, for a template may leave others out later, until it is Ready.
    expect(isMarked(given(ready), 'network')).toBe(true);
    expect(isMarked({...given(ready), observed: []}, 'network')).toBe(true);
  });

  it('holds what leaves if the XR is Synced: all that it lists was applied', () => {
    const synced = {type: 'Synced', status: 'True'};
    expect(cluster(given({conditions: [...creating.conditions, synced]}))).toBe(held);
  });

  it('holds nothing if it was never made, or is new', () => {
    expect(cluster(given(creating))).toBe('release');
    expect(cluster(given({conditions: [...creating.conditions, ...failing.conditions]}))).toBe('release');
    expect(cluster(given(ready, refs.slice(1)))).toBe('release');
    expect(isMarked({...given(ready, []), observed: []}, 'network')).toBe(false);
  });
});

describe("the XR's own status", () => {
  const given = (there: JsonObject, wanted: JsonObject): Given => ({
    ...story(back('network', {status: ready}), observed('cluster', {annotations: marked})),
    xr: view({...xr.json(), status: there}),
    desiredXr: view({...xr.json(), status: wanted}),
  });
  const awaitedBy = (one: Given) =>
    (planOf(one).decisions.get('cluster') as unknown as {awaited: readonly unknown[]}).awaited;
  const awaited = (there: JsonObject, wanted: JsonObject) => ({awaited: awaitedBy(given(there, wanted))});

  it('has what the pipeline relays through it, before the restore is over', () => {
    expect(awaited({}, {ids: {network: 'n-1'}}).awaited).toEqual([
      {cause: 'own-field', field: 'status.ids.network', isThere: false},
    ]);
    expect(awaited({ids: ['a']}, {ids: ['a', 'b']}).awaited).toEqual([
      {cause: 'own-field', field: 'status.ids', isThere: false},
    ]);
    expect(isMarked(given({}, {id: 'n-1'}), 'network')).toBe(true);
  });

  it('and the XR is not Ready before that', () => {
    expect(planOf(given({}, {id: 'n-1'})).xrReady).toBe('false');
    expect(planOf(given({id: 'n-1'}, {id: 'n-1'})).xrReady).toBeUndefined();
  });

  it('with the value that the pipeline sets, in lists too; but another value makes no XR unready', () => {
    const there = {count: 0, many: ['a', {at: 'b', by: 'c'}]};
    const other = (field: string) => [{cause: 'own-field', field, isThere: true}];
    expect(awaited(there, {count: 2}).awaited).toEqual(other('status.count'));
    expect(awaited(there, {many: ['a', {at: 'd'}]}).awaited).toEqual(other('status.many.at'));
    expect(awaited(there, {many: ['a', {at: 'b'}]}).awaited).toEqual([]);
    expect(planOf(given(there, {count: 2})).xrReady).toBeUndefined();
  });

  it('without a restore, too, if it lacks a field: its status alone was emptied', () => {
    const network = observed('network', {spec: managed, status: ready});
    const without = (there: JsonObject, leaving = observed('cluster')) => ({
      ...given(there, {id: 'n-1'}),
      ...story(network, leaving),
    });
    expect(cluster(without({}))).toBe(held);
    const phase = {annotations: {'tether.fn.crossplane.io/phase': 'pending-deletion'}};
    const heldBefore = observed('cluster', phase);
    // Crossplane writes the status last in a reconcile, and none if it is refused something before.
    const synced = {conditions: [{type: 'Synced', status: 'True'}]};
    expect(cluster(without({}, heldBefore))).toBe(held);
    expect(cluster(without(synced))).toBe(held);
    expect(cluster(without(synced, heldBefore))).toBe('release');
    // What stays for good leaves in every reconcile.
    for (const policy of ['Retain', 'Orphan'] as const) {
      const input: Input = {removal: {policies: [{match: {resources: ['app']}, policy}]}};
      const {annotations} = asObject(emitted(planOf({observed: [observed('app')], input}), 'app')['metadata']);
      const kept = observed('app', {annotations: annotations as Record<string, string>});
      expect(cluster({...without(synced), observed: [network, heldBefore, kept], input})).toBe('release');
    }
    expect(cluster(without({id: 'n-2'}))).toBe('release');
    // It waits again if the field before it has brought something back; a field that is only another one hides none.
    const back = observed('network', {...phase, spec: managed, status: ready});
    expect(cluster({...without(synced, heldBefore), observed: [back, heldBefore]})).toBe(held);
    const both = {...without({count: 1}), desiredXr: view({...xr.json(), status: {count: 2, id: 'n-1'}})};
    expect(awaitedBy(both)).toEqual([{cause: 'own-field', field: 'status.id', isThere: false}]);
    const young = planOf({...without({}), observed: [network]});
    expect([young.condition.reason, young.xrReady]).toEqual(['Tethered', undefined]);
  });

  it('without conditions and empty objects', () => {
    const there = {id: 'n-1', many: ['a', 'b']};
    expect(awaited(there, {id: 'n-1', many: ['a'], more: {}, none: null, conditions: [{}]}).awaited).toEqual([]);
  });

  it('and not with a field that the pipeline empties, which stays as long as the restore goes on', () => {
    expect(awaited({id: 'n-1'}, {id: ''}).awaited).toEqual([]);
  });
});

describe('an XR with the mark, which the XR that composes it puts there', () => {
  const inner = observed('inner', {spec: {crossplane: {}}, status: ready});
  const given = story(observed('network', {spec: managed, status: ready}), undefined, {xr: annotated(marked)});

  it('waits for that one, and does not say Restoring, for which that one would wait', () => {
    const {decisions, condition} = planOf(given);
    expect(decisions.get('cluster')).toMatchObject({reason: 'restore-in-progress', awaited: [{cause: 'composer'}]});
    expect(condition.reason).toBe('Holding');
  });

  it('hands the mark on, and so does one that waits itself', () => {
    const composing = {observed: [inner], desired: [desired('inner')]};
    expect(isMarked({...composing, xr: annotated(marked)}, 'inner')).toBe(true);
    expect(isMarked(composing, 'inner')).toBe(false);
    const waiting = {observed: [inner, back('network')], desired: [desired('inner'), desired('network')]};
    expect(isMarked(waiting, 'inner')).toBe(true);
  });
});

describe('connection details', () => {
  const publishing = {...managed, writeConnectionSecretToRef: {name: 'network'}};
  const seen = (options: ObservedOptions, details: JsonObject = {}): [string, ResourceView] => {
    const [name, one] = observed('network', {spec: publishing, status: ready, ...options});
    return [name, view(one.json(), details)];
  };

  it('are awaited of what names a Secret for them', () => {
    expect(cluster(story(seen({annotations: marked})))).toBe(held);
    expect(cluster(story(seen({annotations: marked}, {password: ''})))).toBe(held);
    const last = story(seen({annotations: marked}, {password: 'x'}), observed('cluster'));
    expect(cluster(last)).toBe('release');
    const {decisions} = planOf(story(seen({annotations: marked})));
    expect(decisions.get('cluster')).toMatchObject({awaited: [{cause: 'no-connection', resourceName: 'network'}]});
  });

  it('are awaited without a mark if it existed before, and Crossplane did not make it', () => {
    expect(cluster(story(seen({annotations: made})))).toBe(held);
    expect(cluster(story(seen({annotations: made, owned: {}})))).toBe('release');
    expect(cluster(story(seen({})))).toBe('release');
  });

  it('are not awaited of an object in its first life: its provider publishes none', () => {
    const made = (createdAt: string) => {
      const [name, one] = seen({annotations: {...marked, 'crossplane.io/external-create-succeeded': createdAt}});
      const {metadata, ...rest} = one.json() as {metadata: JsonObject};
      const since = {...metadata, creationTimestamp: '2026-01-02T00:00:00Z'};
      return cluster(story([name, view({...rest, metadata: since})]));
    };
    expect(made('2026-01-02T00:00:05Z')).toBe('release');
    expect(made('2026-01-01T00:00:05Z')).toBe(held);
  });

  const detailsMark = 'tether.fn.crossplane.io/connection-details';
  const created = 'crossplane.io/external-create-succeeded';
  const atRest = {conditions: [...ready.conditions, {type: 'Synced', status: 'True'}]};
  const since = (one: ResourceView, time: string) => {
    const {metadata, ...rest} = one.json() as {metadata: JsonObject};
    return {...rest, metadata: {...metadata, creationTimestamp: time}};
  };

  it('are not awaited of an object that was Ready without any, if its XR came back, too', () => {
    const owing = (details: string, ofXr: string) => {
      const annotations = {...marked, [created]: '2026-01-02T00:00:05Z', [detailsMark]: details};
      return cluster(story(seen({annotations}), observed('cluster'), {xr: view(since(xr, ofXr))}));
    };
    expect(owing('none', '2026-01-03T00:00:00Z')).toBe('release');
    expect(owing('none', '2026-01-02T00:00:00Z')).toBe(held);
    expect(owing('published', '2026-01-03T00:00:00Z')).toBe(held);
    expect(owing('anything', '2026-01-03T00:00:00Z')).toBe(held);
  });

  it('leave a mark if an object in its first life is Ready without any, and another for good once it has some', () => {
    const markAfter = (
      {
        before,
        status = atRest,
        at = '2026-01-02T00:00:05Z',
        ofXr = ready,
      }: {
        readonly before?: string;
        readonly status?: JsonObject;
        readonly at?: string;
        readonly ofXr?: JsonObject;
      },
      details: JsonObject = {},
    ) => {
      const annotations = {[created]: at, ...(before !== undefined && {[detailsMark]: before})};
      const [name, one] = seen({annotations, status});
      const network = view(since(one, '2026-01-02T00:00:00Z'), details);
      const given = {
        observed: [[name, network]],
        desired: [desired('network')],
        xr: view({...xr.json(), status: ofXr}),
      };
      const edit = planOf(given as unknown as Given).edits.get('network');
      return edit?.kind === 'amend' ? edit.overlay.metadata.annotations[detailsMark] : undefined;
    };
    expect(markAfter({})).toBe('none');
    expect(markAfter({}, {password: 'x'})).toBe('published');
    expect(markAfter({status: ready})).toBeUndefined();
    expect(markAfter({status: {conditions: [{type: 'Synced', status: 'True'}]}})).toBeUndefined();
    expect(markAfter({ofXr: creating})).toBeUndefined();
    expect(markAfter({at: '2026-01-01T00:00:00Z'})).toBeUndefined();
    expect(markAfter({before: 'none', at: '2026-01-01T00:00:00Z', status: {}, ofXr: creating})).toBe('none');
    expect(markAfter({before: 'none'}, {password: 'x'})).toBe('published');
    expect(markAfter({before: 'published'})).toBe('published');
  });

  it('are not awaited of what leaves itself', () => {
    const given = story(seen({annotations: marked}));
    expect(planOf({...given, desired: []}).decisions.get('network')).toMatchObject({kind: 'hold', awaited: []});
  });

  it('are awaited of the XR, if the pipeline sets them and its Secret has none', () => {
    const plain = xr.json();
    const spec = plain['spec'] as JsonObject;
    const naming = {...plain, spec: {...spec, writeConnectionSecretToRef: {name: 'xr'}}};
    const network = seen({annotations: marked}, {password: 'x'});
    const given = {...story(network), desiredXr: view({...naming}, {password: 'x'})};
    expect(cluster({...given, xr: view(naming)})).toBe(held);
    expect(cluster({...given, xr: view(naming, {password: 'x'})})).toBe('release');
    expect(cluster({...given, xr: xr})).toBe('release');
    const ofCrossplane2 = {...naming, spec: {...naming.spec, crossplane: {}}};
    expect(cluster({...given, xr: view(ofCrossplane2)})).toBe('release');
    expect(cluster({...given, desiredXr: view(naming), xr: view(naming)})).toBe('release');
    expect(cluster({...given, desiredXr: view(naming, {password: ''}), xr: view(naming)})).toBe('release');
  });
});

describe('all marks go with the object', () => {
  const marks = {
    ...marked,
    'tether.fn.crossplane.io/connection-details': 'none',
    'tether.fn.crossplane.io/status': 'seen',
  };
  const naming = {writeConnectionSecretToRef: {name: 'net'}};

  it('to another resource name', () => {
    const [, seen] = observed('network', {annotations: marks, spec: naming});
    const input = {handover: [{from: {resources: ['network']}, to: {resource: 'net'}}]};
    const renamed = planOf({observed: [['network', seen]], desired: [desired('net')], input});
    expect(emitted(renamed, 'net')).toMatchObject({metadata: {name: seen.name, annotations: marks}});
  });

  it('but not to a namesake in another namespace', () => {
    const seen = observed('network', {annotations: marks, spec: naming, name: 'net', namespace: 'blue'});
    const both = [
      desired('network', {name: 'net', namespace: 'blue'}),
      desired('net', {name: 'net', namespace: 'green'}),
    ];
    const edit = planOf({observed: [seen], desired: both}).edits.get('net');
    expect(
      edit?.kind === 'amend' && Object.keys(edit.overlay.metadata.annotations).filter((key) => key in marks),
    ).toEqual([]);
  });

  it('to the resource name of one that is set aside', () => {
    const annotations = {
      ...marked,
      'tether.fn.crossplane.io/connection-details': 'none',
      'crossplane.io/external-name': 'n-1',
      'crossplane.io/external-create-succeeded': '2026-01-01T00:00:00Z',
    };
    const seen = observed('network', {annotations, spec: {...naming, ...managed}});
    const input = {handover: [{from: {resources: ['network']}, to: {kind: 'Wire'}}]};
    const schemas = {'kind-Wire.ec2.example.org/v1beta1': true};
    const moving = planOf({observed: [seen], desired: [desired('network', {kind: 'Wire'})], input, schemas});
    const {[mark]: restore, 'tether.fn.crossplane.io/connection-details': details} = annotations;
    for (const name of ['network', 'tether-handover-of-network']) {
      expect(emitted(moving, name)).toMatchObject({
        metadata: {annotations: {[mark]: restore, 'tether.fn.crossplane.io/connection-details': details}},
      });
    }
  });

  it('to an object that the lookup found', () => {
    const seen = observed('network', {annotations: marks, controller: 'nobody', spec: naming});
    const required = {'lost-Thing.ec2.example.org': [seen[1]]};
    const kinds = [{apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing'}];
    const input = {restore: {lookup: true, kinds}};
    const adopted = planOf({desired: [desired('network')], input, required});
    expect(emitted(adopted, 'network')).toMatchObject({metadata: {annotations: marks}});
    expect(emitted(planOf({input, required}), 'network')).toMatchObject({metadata: {annotations: marks}});
  });
});

it('waits for the finalizer of a provider that a tool took off', () => {
  const named = {...marked, 'crossplane.io/external-name': 'net-1'};
  const given = story(back('network', {annotations: named, status: ready}));
  expect(planOf(given).decisions.get('cluster')).toMatchObject({
    awaited: [{cause: 'no-finalizer', resourceName: 'network'}],
  });
  const publishing = {...managed, writeConnectionSecretToRef: {name: 'network'}};
  const publishes = story(back('network', {annotations: named, status: ready, spec: publishing}));
  expect(planOf(publishes).decisions.get('cluster')).toMatchObject({awaited: [{cause: 'no-finalizer'}]});
  const isXr = {...managed, compositionRef: {name: 'inner'}};
  expect(cluster(story(back('network', {annotations: named, status: ready, spec: isXr})))).toBe('release');
});

describe('the condition', () => {
  it('of an XR within another one is Restoring although it holds nothing', () => {
    const inner = annotated({'crossplane.io/composition-resource-name': 'site'});
    const given = {observed: [back('network')], desired: [desired('network')]};
    expect(planOf({...given, xr: inner}).condition).toEqual({
      status: 'False',
      reason: 'Restoring',
      resources: [],
    });
    // The other XR goes by the reason: a refusal must not hide the restore.
    const input = {usages: [{of: 'network', by: 'note'}]};
    const note = observed('note', {namespace: 'team'});
    const refusing = {
      ...given,
      observed: [...given.observed, note],
      desired: [...given.desired, desired('note')],
      input,
    };
    expect(planOf({...refusing, xr: inner}).refusedPairs).toMatchObject([{reason: 'of-cluster-by-namespaced'}]);
    expect(planOf({...refusing, xr: inner}).condition.reason).toBe('Restoring');
    expect(planOf(given).condition.status).toBe('True');
    const xrWithMark = annotated({'crossplane.io/composition-resource-name': 'site', ...marked});
    const waitsForComposer = {observed: [observed('network')], desired: [desired('network')], xr: xrWithMark};
    expect(planOf(waitsForComposer).condition.status).toBe('True');
  });

  it('names whom it waits for, and why', () => {
    const pending = {'crossplane.io/external-create-pending': '2026-01-02T00:00:00Z', ...made};
    const given = {
      observed: [
        back('a', {annotations: {...marked, 'crossplane.io/paused': 'true'}}),
        back('b', {annotations: {...marked, ...pending}}),
        back('c'),
        back('d', {status: failing}),
        observed('cluster'),
      ],
      desired: ['a', 'b', 'c', 'd', 'new'].map((name) => desired(name)),
    };
    const {condition, decisions} = planOf(given);
    expect(condition).toEqual({status: 'False', reason: 'Restoring', resources: ['cluster']});
    expect(decisions.get('cluster')).toEqual({
      kind: 'hold',
      reason: 'restore-in-progress',
      awaited: [
        {cause: 'paused', resourceName: 'a'},
        {cause: 'create-pending', resourceName: 'b'},
        {cause: 'silent', resourceName: 'c'},
        {cause: 'unready', resourceName: 'd', type: 'Synced', status: 'False', why: 'ReconcileError'},
        {cause: 'missing', resourceName: 'new'},
      ],
    });
  });

  it('is True while nothing is held', () => {
    const given = {observed: [back('network')], desired: [desired('network')]};
    expect(planOf(given).condition.status).toBe('True');
    expect(isMarked(given, 'network')).toBe(true);
  });

  it('has nobody look again every ten seconds, but for the last step', () => {
    expect(planOf(story(back('network'))).ttlAtMostSeconds).toBeUndefined();
    const last = story(back('network', {status: ready}), observed('cluster', {annotations: marked}));
    expect(planOf(last).ttlAtMostSeconds).toBe(10);
  });
});

it('a held object has only the marks that it is given', () => {
  const owned = {'f:metadata': {'f:annotations': {[`f:${mark}`]: {}}}};
  const waiting = observed('cluster', {annotations: marked, owned});
  expect(annotationsOf(emitted(planOf(story(back('network'), waiting)), 'cluster'))).toHaveProperty([mark]);
  // A tool that restored managedFields meanwhile owns the mark by now, and leaving it out would leave it on.
  const last = planOf(story(back('network', {status: ready}), waiting));
  expect(annotationsOf(emitted(last, 'cluster'))[mark]).toBe('over');
  const over = observed('cluster', {annotations: {[mark]: 'over'}, owned});
  const after = planOf(story(back('network', {status: creating}), over));
  expect(annotationsOf(emitted(after, 'cluster'))[mark]).toBe('in-progress');
  const another = planOf(story(observed('network', {status: ready, annotations: {[mark]: 'over'}}), over));
  expect(another.decisions.get('cluster')).toEqual({kind: 'release'});
  expect(JSON.stringify(another.edits.get('network'))).not.toContain(mark);
});
