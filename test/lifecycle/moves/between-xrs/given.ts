// An XNetwork "net" gives its `db` to a Store "shop", which has it as `instance`, and the other way around.

import {composedFieldManager, compositeId} from '../../../../src/lifecycle/facts/naming.ts';
import type {Input} from '../../../../src/lifecycle/input/input.ts';
import type {JsonObject} from '../../../../src/lifecycle/words/json.ts';
import type {ResourceView} from '../../../../src/lifecycle/words/snapshot.ts';
import {observed, view} from '../../given.ts';

export const otherXr = view({
  apiVersion: 'platform.example.org/v1',
  kind: 'Store',
  metadata: {name: 'shop', uid: 'uid-of-shop'},
  spec: {crossplane: {resourceRefs: [{apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing', name: 'shop-instance'}]}},
});
export const counterpart = {apiVersion: 'platform.example.org/v1', kind: 'Store', name: 'shop'};
export const giveInput: Input = {give: [{to: counterpart, resources: [{name: 'db', there: 'instance'}]}]};
export const takeInput: Input = {take: [{from: counterpart, resources: [{name: 'db', there: 'instance'}]}]};
export const annotation = 'tether.fn.crossplane.io/handover-with';
export const letGo = {deletionPolicy: 'Orphan', managementPolicies: ['Observe']};
export const full = {deletionPolicy: 'Delete', managementPolicies: ['*']};
export const observing = {deletionPolicy: 'Delete', managementPolicies: ['Observe']};
export const inOrder = {
  atProvider: {id: 'db-1'},
  conditions: ['Synced', 'Ready'].map((type) => ({type, status: 'True'})),
};

/** What an object says of the exchange; `who` is whom it names. */
export function mark(stage: string, who: 'store' | 'net' | 'stranger', keys?: readonly string[]): JsonObject {
  const named = {
    store: ['Store', '', 'shop', 'instance'],
    net: ['XNetwork', '', 'net', 'db'],
    stranger: ['Store', '', 'other', 'instance'],
  };
  const [kind = '', namespace = '', name = '', resource = ''] = named[who];
  const xr = {apiVersion: 'platform.example.org/v1', kind, namespace, name};
  const said = {stage, xr, resource, kind: {apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing'}, keys};
  return {[annotation]: JSON.stringify(said)};
}

export interface Mine {
  readonly marked?: JsonObject;
  readonly spec?: JsonObject;
  readonly deleting?: boolean;
  readonly name?: string;
  readonly owned?: JsonObject;
  readonly resourceVersion?: string;
  readonly details?: JsonObject;
}

export function mine({
  marked = {},
  spec = full,
  deleting = false,
  name = 'db-1',
  owned = {},
  resourceVersion = '',
  details = {},
}: Mine = {}): [string, ResourceView] {
  const annotations = {...(name === '' ? {} : {'crossplane.io/external-name': name}), ...marked};
  return observed('db', {spec, annotations, deleting, status: inOrder, owned, resourceVersion, details});
}

export interface Theirs extends Mine {
  readonly owner?: string;
  readonly manager?: string;
  readonly objectName?: string;
  readonly id?: string;
  readonly synced?: string;
}

export function theirs(options: Theirs = {}): ResourceView {
  const {
    marked = {},
    spec = full,
    deleting,
    owner = 'uid-of-shop',
    name = 'db-1',
    id = 'db-1',
    synced = 'True',
    objectName = 'shop-instance',
  } = options;
  return view({
    apiVersion: 'ec2.example.org/v1beta1',
    kind: 'Thing',
    metadata: {
      name: objectName,
      labels: {
        'tether.fn.crossplane.io/composite': compositeId({...counterpart, namespace: ''}),
        'tether.fn.crossplane.io/resource': 'instance',
      },
      annotations: {'crossplane.io/external-name': name, ...marked},
      ownerReferences: [{...counterpart, uid: owner, controller: true}],
      managedFields: [{manager: options.manager ?? composedFieldManager(otherXr), operation: 'Apply', fieldsV1: {}}],
      ...(deleting ? {deletionTimestamp: '2026-01-01T00:00:00Z'} : {}),
    },
    spec,
    status: {atProvider: {id}, conditions: [{type: 'Synced', status: synced}]},
  });
}
