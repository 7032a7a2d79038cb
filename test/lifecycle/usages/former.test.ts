import {describe, expect, it} from 'vitest';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import type {JsonObject} from '../../../src/lifecycle/words/json.ts';
import {desired, emitted, type Given, id, observed, planOf, table, usage, view, xr} from '../given.ts';

// An XR was deleted, and one of its name is there again, while a Usage of the one before waits for its `by`.

const input: Input = {usages: [{of: 'db', by: 'app'}]};
const both = {
  observed: [observed('db'), observed('app')],
  desired: [desired('db', {name: 'net-db'}), desired('app', {name: 'net-app'})],
  input,
};
const usageName = [...planOf(both).decisions.keys()].find((name) => name.includes('-uses-')) ?? '';

const unsynced = {conditions: [{type: 'Synced', status: 'False', observedGeneration: 1}]};
const withStatus = (status: JsonObject) => view({...xr.json(), status});

/** The Usage of the pair, as the XR of before made it. */
function former({uid = 'uid-before', name = 'net', isGoing = true, object = usageName, version = 'v1'} = {}) {
  const made = emitted(planOf(both), usageName);
  const owner = {apiVersion: `platform.example.org/${version}`, kind: 'XNetwork', name, uid, controller: true};
  const going = isGoing ? {deletionTimestamp: '2026-01-01T00:00:00Z'} : {};
  const metadata = {...(made['metadata'] as JsonObject), name: object, ownerReferences: [owner], ...going};
  return view({...made, metadata});
}

const stuck = (usages: readonly ReturnType<typeof former>[], more: Given = {}): Given => ({
  ...both,
  xr: withStatus(unsynced),
  required: {'former-ClusterUsage': usages},
  ...more,
});

describe('a Usage of an XR of this name that is gone', () => {
  it('is asked for by our label while the XR is not Synced or not Tethered, and not otherwise', () => {
    const asked = (status: JsonObject, given: Given = {...both, schemas: {}}) =>
      [...planOf({...given, xr: withStatus(status)}).requirements.keys()].filter((name) => name.startsWith('former-'));
    const refusing = {conditions: [{type: 'Tethered', status: 'False', reason: 'Refusing'}]};
    expect(asked(unsynced)).toEqual(['former-ClusterUsage']);
    expect(asked(refusing)).toEqual(['former-ClusterUsage']);
    const isSynced = {type: 'Synced', status: 'True'};
    const waiting = {type: 'Tethered', status: 'False', reason: 'Waiting'};
    expect(asked({conditions: [isSynced, waiting]})).toEqual(['former-ClusterUsage']);
    expect(asked({conditions: [isSynced, {...waiting, reason: 'Restoring'}]})).toEqual(['former-ClusterUsage']);
    expect(asked({})).toEqual([]);
    expect(asked({conditions: [isSynced, {type: 'Tethered', status: 'True', reason: 'Tethered'}]})).toEqual([]);
    expect(asked(unsynced, {...both, schemas: {}, input: {}})).toEqual([]);
    const lookup = {...input, restore: {lookup: true}};
    expect(asked({}, {...both, schemas: {}, input: lookup})).toEqual(['former-ClusterUsage']);
    expect(planOf({...both, schemas: {}, xr: withStatus(unsynced)}).requirements.get('former-ClusterUsage')).toEqual({
      apiVersion: 'protection.crossplane.io/v1beta1',
      kind: 'ClusterUsage',
      namespace: '',
      match: {kind: 'labels', labels: {'tether.fn.crossplane.io/composite': id}},
    });
  });

  it('is not asked for if the answer and the Usages that are made now would fill the request after the next', () => {
    const asked = (count: number) => {
      const side = Array.from({length: count}, (_, index) => index);
      const pairs = side.flatMap((of) => side.map((by) => ({of: `of-${of}`, by: `by-${by}`})));
      const resources = side.flatMap((index) => [`of-${index}`, `by-${index}`]);
      const given = {
        observed: resources.map((name) => observed(name)),
        desired: resources.map((name) => desired(name)),
        input: {usages: pairs},
        schemas: {},
        xr: withStatus(unsynced),
      };
      const {requirements, edits} = planOf(given);
      const made = [...edits.keys()].filter((name) => name.includes('-uses-')).length;
      return [made, [...requirements.keys()].filter((name) => name.startsWith('former-'))];
    };
    expect(asked(10)).toEqual([100, ['former-ClusterUsage']]);
    // Crossplane asks the same once more before the next call, with all of them observed: the function could not take it back.
    expect(asked(22)).toEqual([484, []]);
  });

  it('is asked for in the namespaces of what the XR composes, and in no other: there anybody could write the label', () => {
    const refs = [{apiVersion: 'v1', kind: 'ConfigMap', namespace: 'listed', name: 'c'}];
    const status = {conditions: [{type: 'Synced', status: 'False'}]};
    const listing = view({...xr.json(), spec: {crossplane: {resourceRefs: refs}}, status});
    const composed = {observed: [observed('db', {namespace: 'team'})], desired: [desired('app', {namespace: 'shop'})]};
    const {requirements} = planOf({...composed, input, schemas: {}, xr: listing});
    const ofUsages = [...requirements].filter(([name]) => name.startsWith('former-'));
    expect(ofUsages.map(([name, {kind, namespace}]) => [name, kind, namespace])).toEqual([
      ['former-ClusterUsage', 'ClusterUsage', ''],
      ['former-Usage-in-listed', 'Usage', 'listed'],
      ['former-Usage-in-shop', 'Usage', 'shop'],
      ['former-Usage-in-team', 'Usage', 'team'],
    ]);
  });

  it('is asked for, too, where what the input orders or protects is there no more: its Usage may be', () => {
    const asked = (given: Input) =>
      [...planOf({desired: [], input: given, schemas: {}, xr: withStatus(unsynced)}).requirements.keys()].length;
    expect(asked({usages: [{of: 'db', by: 'app', optional: true}]})).toBe(1);
    expect(asked({order: [{sequence: [{resources: ['db']}, {resources: ['app']}]}]})).toBe(1);
    expect(asked({protect: {resources: [{match: {resources: ['db']}}]}})).toBe(1);
    expect(asked({removal: {budget: {resources: 1}}})).toBe(0);
  });

  it('is asked for by an XR that came back without its status, and lists Usages', () => {
    const asked = (kind: string, status: JsonObject = {}) => {
      const resourceRefs = [{apiVersion: 'protection.crossplane.io/v1beta1', kind, name: 'usage'}];
      const back = view({...xr.json(), spec: {crossplane: {resourceRefs}}, status});
      return [...planOf({...both, schemas: {}, xr: back}).requirements.keys()].filter((one) =>
        one.startsWith('former-'),
      );
    };
    expect(asked('Usage')).toEqual(['former-ClusterUsage']);
    expect(asked('ClusterUsage')).toEqual(['former-ClusterUsage']);
    const responsive = {conditions: [{type: 'Responsive', status: 'True'}]};
    expect(asked('Usage', responsive)).toEqual(['former-ClusterUsage']);
    expect(asked('ConfigMap')).toEqual([]);
    expect(asked('Usage', {conditions: [{type: 'Synced', status: 'True'}]})).toEqual([]);
  });

  it('is asked for by an XR that Velero brought back, where one of that API is observed, too, which shows that it is served', () => {
    const labels = {'velero.io/restore-name': 'monday'};
    const {metadata, ...rest} = xr.json() as {metadata: JsonObject};
    const back = view({
      ...rest,
      metadata: {...metadata, labels},
      status: {conditions: [{type: 'Synced', status: 'True'}]},
    });
    const asked = (given: Given) =>
      [...planOf({...given, xr: back}).requirements.keys()].filter((name) => name.startsWith('former-'));
    expect(asked(both)).toEqual([]);
    const seen = usage(usageName, {of: 'db', by: 'app'});
    expect(asked({...both, observed: [...both.observed, seen]})).toEqual(['former-ClusterUsage']);
    expect(asked({...both, input: {...input, crossplane: '1.20'}})).toEqual(['former-Usage']);
    const legacy = view({...seen[1].json(), apiVersion: 'apiextensions.crossplane.io/v1beta1', kind: 'Usage'});
    expect(asked({...both, observed: [...both.observed, [usageName, legacy]]})).toEqual([]);
  });

  it('is asked for always before Crossplane 1.17, which shows no condition, so that no XR says what was refused', () => {
    const asked = (crossplane: string) => {
      const synced = withStatus({conditions: [{type: 'Synced', status: 'True'}]});
      const {requirements} = planOf({...both, input: {...input, crossplane}, xr: synced});
      return [...requirements.keys()].filter((name) => name.startsWith('former-'));
    };
    expect(asked('1.16')).toEqual(['former-Usage']);
    expect(asked('1.17')).toEqual([]);
    expect(asked('2.1')).toEqual([]);
  });

  it('is nothing lost where it is made under its own name anyway', () => {
    const made = emitted(planOf(both), usageName);
    const annotations = {'crossplane.io/composition-resource-name': usageName};
    const lost = view({...made, metadata: {...(made['metadata'] as JsonObject), annotations}});
    expect(table(stuck([lost], {schemas: {}}))).toEqual({app: 'keep', db: 'keep', [usageName]: 'create'});
  });

  it('is asked for only of a Crossplane that is known to serve them: an answer that fails would stop the XR', () => {
    const asked = (given: Given) =>
      [...planOf({...given, xr: withStatus(unsynced)}).requirements.keys()].filter((name) =>
        name.startsWith('former-'),
      );
    expect(asked(both)).toEqual([]);
    expect(asked({...both, input: {...input, crossplane: '2.1'}})).toEqual(['former-ClusterUsage']);
    expect(asked({...both, input: {...input, crossplane: '1.20'}})).toEqual(['former-Usage']);
    const old = planOf({...both, input: {...input, crossplane: '1.20'}, xr: withStatus(unsynced)});
    expect(old.requirements.get('former-Usage')?.apiVersion).toBe('apiextensions.crossplane.io/v1alpha1');
  });

  it('is not applied over, which would be refused in every reconcile, and that is told', () => {
    const plan = planOf(stuck([former()]));
    expect(plan.decisions.has(usageName)).toBe(false);
    expect(plan.refusedPairs).toMatchObject([{path: 'usages[0]', reason: 'former-usage'}]);
    expect(plan.condition.reason).toBe('Refusing');
  });

  it('nor is one that protects for a reason', () => {
    const protect = {...both, input: {protect: {resources: [{match: {resources: ['db']}}], xr: 'Never' as const}}};
    const [name = ''] = [...planOf(protect).decisions.keys()].filter((one) => one.startsWith('protect-'));
    expect(planOf(stuck([former({object: name})], protect)).refusedPairs).toMatchObject([{reason: 'former-usage'}]);
  });

  it('keeps the order as far as it is observed', () => {
    expect(table(stuck([former()], {desired: []}))).toMatchObject({db: 'hold (still-used-by)', app: 'release'});
  });

  it('has its by gone before there is another one of that name', () => {
    const lost = {observed: [observed('db')]};
    expect(table(stuck([former()], lost))).toMatchObject({app: 'wait (former-usage)', db: 'keep'});
    expect(table(stuck([former({isGoing: false})], lost))).toMatchObject({app: 'wait (former-usage)'});
    expect(table(stuck([former({isGoing: false, version: 'v0'})], lost))).toMatchObject({app: 'create'});
    expect(table(stuck([], lost))).toMatchObject({app: 'create'});
    const other = {...lost, desired: [desired('db'), desired('app', {name: 'another'})]};
    expect(table(stuck([former()], other))).toMatchObject({app: 'create'});
  });

  it('is one of the same kind and name of XR, with another UID', () => {
    for (const none of [former({uid: 'xr-uid-after-restore'}), former({name: 'other'})]) {
      expect(table(stuck([none]))).toMatchObject({[usageName]: 'create'});
      expect(table(stuck([none], {observed: [observed('db')]}))).toMatchObject({app: 'create'});
    }
  });
});
