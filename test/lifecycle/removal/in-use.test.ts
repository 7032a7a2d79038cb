import {describe, expect, it} from 'vitest';
import type {JsonObject} from '../../../src/lifecycle/json.ts';
import type {ResourceView} from '../../../src/lifecycle/snapshot.ts';
import {desired, type Given, id, observed, planOf, table, usage, view, xr} from '../given.ts';

const labelled = observed('db', {labels: {'crossplane.io/in-use': 'true'}});
const of = {apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing', resourceRef: {name: 'net-db'}};

function foreign(apiVersion: string, kind: string, spec: object, namespace?: string): ResourceView {
  const metadata = {name: 'theirs', ...(namespace === undefined ? {} : {namespace})};
  return view({apiVersion, kind, metadata, spec: {of: spec as typeof of, reason: 'theirs'}});
}

const protection = 'protection.crossplane.io/v1beta1';
const none = {'all-usages': [], 'all-cluster-usages': [], 'all-legacy-usages': []};
const given: Given = {observed: [labelled], schemas: {}};

describe('the in-use label on what the Composition drops', () => {
  it('has all Usages asked for, where the question always has an answer', () => {
    expect([...planOf(given).requirements]).toMatchObject([
      ['all-cluster-usages', {kind: 'ClusterUsage', namespace: '', match: {kind: 'labels', labels: {}}}],
      ['all-legacy-usages', {apiVersion: 'apiextensions.crossplane.io/v1alpha1', kind: 'Usage'}],
      ['all-usages', {apiVersion: protection, kind: 'Usage', namespace: ''}],
    ]);
    expect(planOf({observed: [labelled]}).requirements.size).toBe(0);
  });

  it.each<[string, readonly string[]]>([
    ['1.16', ['all-legacy-usages apiextensions.crossplane.io/v1alpha1']],
    ['1.20', ['all-legacy-usages apiextensions.crossplane.io/v1alpha1']],
    [
      '2.1',
      [
        `all-cluster-usages ${protection}`,
        'all-legacy-usages apiextensions.crossplane.io/v1alpha1',
        `all-usages ${protection}`,
      ],
    ],
  ])('has those asked for that Crossplane %s serves, if the input names it', (crossplane, want) => {
    const {requirements} = planOf({observed: [labelled], input: {crossplane}});
    expect([...requirements].map(([name, {apiVersion}]) => `${name} ${apiVersion}`)).toEqual(want);
    const answered = Object.fromEntries([...requirements.keys()].map((name) => [name, []]));
    expect(table({observed: [labelled], input: {crossplane}, required: answered})).toEqual({db: 'release'});
  });

  it.each<[string, Given]>([
    ['stays', {observed: [labelled], desired: [desired('db')], schemas: {}}],
    ['has no label', {observed: [observed('db')], schemas: {}}],
  ])('and none are asked for where it %s', (_what, other) => {
    expect(planOf(other).requirements.size).toBe(0);
  });

  it('is untrue where no Usage names the object', () => {
    expect(table({...given, required: none})).toEqual({db: 'release'});
    const others = [foreign(protection, 'ClusterUsage', {...of, resourceRef: {name: 'net-app'}})];
    expect(table({...given, required: {...none, 'all-cluster-usages': others}})).toEqual({db: 'release'});
  });

  it('is believed where the question cannot be asked', () => {
    expect(table({observed: [labelled], required: none})).toEqual({db: 'hold (in-use)'});
  });

  it.each(Object.keys(none))('is believed as long as %s is not answered', (requirement) => {
    const answers = Object.entries(none).filter(([name]) => name !== requirement);
    expect(table({...given, required: Object.fromEntries(answers)})).toEqual({db: 'hold (in-use)'});
  });

  it.each<[string, ResourceView]>([
    ['all-cluster-usages', foreign(protection, 'ClusterUsage', of)],
    ['all-legacy-usages', foreign('apiextensions.crossplane.io/v1alpha1', 'Usage', of)],
    ['all-cluster-usages', foreign(protection, 'ClusterUsage', {...of, apiVersion: 'ec2.example.org/v1'})],
  ])('is true where one of %s names the object', (requirement, one) => {
    expect(table({...given, required: {...none, [requirement]: [one]}})).toEqual({db: 'hold (in-use)'});
  });

  it.each<[string, ResourceView, string]>([
    ['its own namespace', foreign(protection, 'Usage', of, 'team'), 'hold (in-use)'],
    ['another namespace', foreign(protection, 'Usage', of, 'others'), 'release'],
    [
      'another namespace, and names it there',
      foreign(protection, 'Usage', {...of, resourceRef: {name: 'net-db', namespace: 'team'}}, 'others'),
      'hold (in-use)',
    ],
  ])('of a namespaced object, with a Usage in %s: as the webhook finds it', (_what, one, want) => {
    const namespaced = observed('db', {labels: {'crossplane.io/in-use': 'true'}, namespace: 'team'});
    const answered = {observed: [namespaced], schemas: {}, required: {...none, 'all-usages': [one]}};
    expect(table(answered)).toEqual({db: want});
  });

  it('can be denied by a person where nobody knows of a Usage, and not where one names the object', () => {
    const said = {'tether.fn.crossplane.io/confirm-removal': 'db'};
    const {metadata, ...rest} = xr.json() as {metadata: JsonObject};
    const confirmed = {...given, xr: view({...rest, metadata: {...metadata, annotations: said}})};
    expect(table(confirmed)).toEqual({db: 'release'});
    const answers = (...all: readonly ResourceView[]) => ({
      ...confirmed,
      required: {...none, 'all-cluster-usages': all},
    });
    expect(table(answers())).toEqual({db: 'release'});
    expect(table(answers(foreign(protection, 'ClusterUsage', of)))).toEqual({db: 'hold (in-use)'});
  });

  it('says nothing about the Usages of this XR, which leave first', () => {
    const own = usage('u', {of: 'db', by: 'app'});
    const both = {observed: [labelled, observed('app'), own], desired: [desired('app')], schemas: {}};
    expect(table({...both, required: none})).toMatchObject({db: 'hold (usage-leaves-first)', u: 'release'});
  });

  it('has a Usage of nobody come back that this XR composed and knows no more', () => {
    const lost = (label: string) => {
      const [, one] = usage('u', {of: 'db', by: 'app'});
      const {ownerReferences: _, ...metadata} = one.json()['metadata'] as JsonObject;
      const labels = {'tether.fn.crossplane.io/composite': label};
      return view({...one.json(), metadata: {...metadata, managedFields: [], labels}});
    };
    const tableOf = (label: string) => table({...given, required: {...none, 'all-cluster-usages': [lost(label)]}});
    expect(tableOf(id)).toEqual({db: 'hold (in-use)', u: 'hold (found-by-label)'});
    expect(tableOf('another')).toEqual({db: 'hold (in-use)'});
    // Its resource name is another one's by now, as under the names of function-sequencer, which do not say the objects'.
    const [, other] = usage('u', {of: 'db', by: 'app'});
    const metadata = {...(other.json()['metadata'] as JsonObject), name: 'other'};
    const second: [string, ResourceView] = ['u', view({...other.json(), metadata})];
    const observing = [...(given.observed ?? []), observed('app'), second];
    const beside = {...given, observed: observing, desired: [desired('app')]};
    const {db: _, ...others} = table({...beside, required: {...none, 'all-cluster-usages': [lost(id)]}});
    expect(others).toEqual({app: 'keep', u: 'release', 'u-1ca35959c074': 'hold (found-by-label)'});
  });
});
