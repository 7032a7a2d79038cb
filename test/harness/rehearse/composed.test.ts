import {expect, test} from 'vitest';
import {composedManager} from '../../../src/cluster/crossplane/object-names.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {managerComposedPrefix} from '../../../src/cluster/vocabulary.ts';
import {composedBy} from '../../../src/harness/rehearse/composed.ts';
import {consequencesOf} from '../../../src/harness/rehearse/consequences.ts';

// Two kinds of XR, and an XR of each with the same name: the label on what they compose tells the name alone.

const group = 'platform.example.org';
const kinds = ['Network', 'Cluster'];
const definitions = kinds.map(
  (kind): KubeObject => ({
    apiVersion: 'apiextensions.crossplane.io/v2',
    kind: 'CompositeResourceDefinition',
    metadata: {name: `${kind}.${group}`},
    spec: {group, names: {kind}},
  }),
);
const xrs = kinds.map((kind): KubeObject => ({apiVersion: `${group}/v1`, kind, metadata: {name: 'shop', uid: kind}}));

function vpcOf(xr: string | undefined, name: string): KubeObject {
  const manager = composedManager(managerComposedPrefix, {apiVersion: `${group}/v1`, kind: String(xr), name: 'shop'});
  const entry = {manager, operation: 'Apply', apiVersion: 'c.e.org/v1', fieldsType: 'FieldsV1', fieldsV1: {}} as const;
  return {
    apiVersion: 'c.e.org/v1',
    kind: 'Vpc',
    metadata: {
      name,
      labels: {'crossplane.io/composite': 'shop'},
      annotations: {'crossplane.io/composition-resource-name': 'vpc', 'crossplane.io/external-name': name},
      ...(xr === undefined ? {} : {managedFields: [entry]}),
    },
    status: {atProvider: {id: name}},
  };
}

const namesOf = (objects: readonly KubeObject[]) =>
  [...composedBy(objects)].map(([address, {resources}]) => [address, resources.map(({metadata}) => metadata.name)]);

test('what nobody owns is of the XR that wrote it, whichever comes last', () => {
  const objects = [...definitions, ...xrs, vpcOf('Network', 'a'), vpcOf('Cluster', 'b')];
  const expected = [
    [`Network.${group} /shop`, ['a']],
    [`Cluster.${group} /shop`, ['b']],
  ];
  expect(namesOf(objects)).toEqual(expected);
  expect(namesOf(objects.toReversed()).toReversed()).toEqual(expected);
});

test('what nobody owns and nothing tells apart is of neither; with one XR of the name it is of that', () => {
  expect(namesOf([...definitions, ...xrs, vpcOf(undefined, 'a')]).map(([, names]) => names)).toEqual([[], []]);
  expect(namesOf([...definitions, ...xrs.slice(0, 1), vpcOf(undefined, 'a')])[0]?.[1]).toEqual(['a']);
});

test('what is deleted and created again under its name is destroyed and created', () => {
  const external = (createdAtMs: number) => ({type: 'Vpc', id: 'a', createdAtMs}) as never;
  const moment = (createdAtMs: number) => ({objects: [vpcOf('Network', 'a')], externals: [external(createdAtMs)]});
  const {destroyed, created, leftBehind} = consequencesOf(moment(1), moment(2));
  expect([destroyed.length, created.length, leftBehind.length]).toEqual([1, 1, 0]);
  expect(consequencesOf(moment(1), moment(1))).toMatchObject({destroyed: [], created: []});
});

test('a resource that is made again doubles that of its own XR, not that of another XR of the name', () => {
  const externals = ['a', 'b', 'c'].map((id) => ({type: 'Vpc', id})) as never[];
  const before = {
    objects: [...definitions, ...xrs, vpcOf('Network', 'a'), vpcOf('Cluster', 'b')],
    externals: externals.slice(0, 2),
  };
  const after = {objects: [...definitions, ...xrs, vpcOf('Network', 'c'), vpcOf('Cluster', 'b')], externals};
  expect(consequencesOf(before, after).doubled.map(({first, second}) => [first.id, second.id])).toEqual([['a', 'c']]);
});
