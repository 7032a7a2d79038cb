// Others can make an answer of Crossplane larger than a message: five objects of a megabyte with the labels of an XR that asks for
// them. The reconcile that gets the answer fails. The next one asks no such question, so an edit arrives all the same.

import {describe, expect, it} from 'vitest';
import {stringify} from 'yaml';
import type {JsonObject} from '../../src/cluster/json.ts';
import {compositeId} from '../../src/lifecycle/facts/naming.ts';
import {composite, composition, order} from '../bench/shop-story.ts';
import {inFolder, names, resultOf, xr} from '../bench/sizes.ts';

const shop = {...composite('Shop'), namespace: '', name: 'orders'};
const labels = {'tether.fn.crossplane.io/composite': compositeId(shop), 'tether.fn.crossplane.io/resource': 'a'};
/** One object that all share, so that a file of the scenario has it once. */
const data = {text: 'x'.repeat(2 ** 20 - 4096)};
const namespaces = names('team', 2).map((name) => ({apiVersion: 'v1', kind: 'Namespace', metadata: {name}}));

const forgedConfigs = names('forged', 5).map((name) => {
  return {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name, namespace: 'team-1', labels}, data};
});

/** An XR of ConfigMaps of these names with that text in each, in a namespace of its own. */
function configs(wanted: readonly string[], text: string, rules: JsonObject): JsonObject {
  const base = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {namespace: 'team-0'}, data: {text}};
  const {spec, ...made} = composition('Shop', 'shops', wanted, base, rules) as JsonObject & {readonly spec: Spec};
  const [templates, tether] = spec.pipeline;
  const resources = templates.input.resources.map((one) => {
    return {...one, base: {...base, metadata: {...base.metadata, name: one.name}}};
  });
  const named = {...templates, input: {...templates.input, resources}};
  return {apply: [{...made, spec: {...spec, pipeline: [named, tether]}}]};
}

interface Spec {
  readonly pipeline: readonly [
    JsonObject & {readonly input: JsonObject & {readonly resources: readonly {readonly name: string}[]}},
    JsonObject,
  ];
}

const deleted = (objects: readonly JsonObject[]) =>
  objects.map(({kind, metadata}) => {
    const {name, namespace} = metadata as {readonly name: string; readonly namespace: string};
    return {delete: {kind, name, namespace} as JsonObject};
  });

describe('an answer that others made too large', () => {
  const run = (steps: readonly JsonObject[]) => {
    const result = inFolder([{apply: namespaces}, ...steps], resultOf, stringify);
    const status = result.objects.find(({kind}) => kind === 'Shop')?.status;
    const conditions = (status?.['conditions'] ?? []) as readonly {readonly [key: string]: string}[];
    const of = (type: string) => conditions.find((one) => one['type'] === type);
    const texts = result.objects.flatMap(({metadata, ...rest}) => {
      const isComposed = metadata.ownerReferences?.some(({kind}) => kind === 'Shop');
      return isComposed && 'data' in rest ? [(rest.data as {readonly text: string}).text] : [];
    });
    return {
      synced: of('Synced')?.['status'],
      said: of('Tethered')?.['message'] ?? '',
      texts,
      reconciles: result.reconciles,
    };
  };
  const notAsked = /^(?!.*not asked again)/;

  it('of a lookup of lost resources stops no edit, and what is looked for is made once it is gone', () => {
    const rules = {restore: {lookup: true}};
    const frozen = [
      configs(['a'], 'before', rules),
      xr('Shop'),
      {wait: '2m'},
      {apply: forgedConfigs},
      configs(['a', 'b'], 'after', rules),
      {wait: '10m'},
    ];
    const meanwhile = run(frozen);
    expect(meanwhile).toMatchObject({synced: 'True', texts: ['after']});
    expect(meanwhile.said).toContain('the answer to the lookup of lost resources has no room');
    expect(meanwhile.said).toContain('1 question is not asked again in generation');
    expect(meanwhile.reconciles).toBeLessThan(40);
    const edited = {apply: [{...order('Shop'), spec: {size: 'large'}}]};
    const end = run([...frozen, ...deleted(forgedConfigs), edited, {wait: '10m'}]);
    expect(end).toMatchObject({synced: 'True', texts: ['after', 'after'], said: expect.stringMatching(notAsked)});
  });

  it('about single objects in the place of new ones stops no edit, and two are looked at in each reconcile', () => {
    const taken = names('b', 5).map((name) => ({...forgedConfigs[0], metadata: {name, namespace: 'team-0'}}));
    const end = run([
      configs(['a'], 'before', {}),
      xr('Shop'),
      {wait: '2m'},
      {apply: taken},
      configs(['a', ...names('b', 5)], 'after', {}),
      {wait: '10m'},
    ]);
    expect(end).toMatchObject({synced: 'True', texts: new Array(6).fill('after')});
    expect(end.reconciles).toBeLessThan(50);
  });

  it('of an exchange stops no edit, and the exchange stays where it is', () => {
    const resources = [{name: 'a', apiVersion: 'v1', kind: 'ConfigMap'}];
    const give = [{to: {...composite('Database'), name: 'orders'}, resources}];
    const ofOther = {...labels, 'tether.fn.crossplane.io/composite': compositeId({...shop, kind: 'Database'})};
    const forged = forgedConfigs.map((one) => ({...one, metadata: {...one.metadata, labels: ofOther}}));
    const end = run([
      configs(['a', 'b'], 'before', {}),
      xr('Shop'),
      {wait: '2m'},
      {apply: forged},
      configs(['b'], 'after', {give}),
      {wait: '10m'},
    ]);
    expect(end).toMatchObject({
      synced: 'True',
      texts: ['before', 'after'],
      said: expect.stringContaining('is not asked again'),
    });
    expect(end.reconciles).toBeLessThan(80);
  });
});
