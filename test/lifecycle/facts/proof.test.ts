import {describe, expect, it} from 'vitest';
import {composedFieldManager, compositeId} from '../../../src/lifecycle/facts/naming.ts';
import {claimOf, proofOf} from '../../../src/lifecycle/facts/ownership.ts';
import type {JsonObject} from '../../../src/lifecycle/words/json.ts';
import {id, manager, planOf, view, xr} from '../given.ts';

const another = view({apiVersion: 'platform.example.org/v1', kind: 'XSite', metadata: {name: 'net'}});
const labelled = (value: string) => ({'tether.fn.crossplane.io/composite': value});
const applied = (by: string) => ({manager: by, operation: 'Apply', fieldsV1: {}});

function thing(metadata: JsonObject) {
  return view({apiVersion: 'ec2.example.org/v1', kind: 'Thing', metadata: {name: 'net-db', ...metadata}});
}

describe('an object without a controller reference is proven to be this XR’s', () => {
  it.each<[string, JsonObject, string]>([
    ['our label', {labels: labelled(id)}, 'label'],
    ['Crossplane’s apply for this XR', {managedFields: [applied(manager)]}, 'field-manager'],
    ['both', {labels: labelled(id), managedFields: [applied(manager)]}, 'field-manager'],
    ['our label, whoever wrote it since', {labels: labelled(id), managedFields: [applied('kubectl')]}, 'label'],
    ['nothing', {}, 'none'],
    [
      'names that anybody can say',
      {labels: {'crossplane.io/composite': 'net'}, annotations: {'crossplane.io/composition-resource-name': 'db'}},
      'none',
    ],
    ['an update under our manager’s name', {managedFields: [{...applied(manager), operation: 'Update'}]}, 'none'],
    ['an apply of its status', {managedFields: [{...applied(manager), subresource: 'status'}]}, 'none'],
    ['the label of another XR', {labels: labelled(compositeId(another))}, 'none'],
    ['the apply of another XR', {managedFields: [applied(composedFieldManager(another))]}, 'none'],
    [
      'our apply under the label of another XR',
      {labels: labelled(compositeId(another)), managedFields: [applied(manager)]},
      'none',
    ],
    [
      'our label after an apply of another XR',
      {labels: labelled(id), managedFields: [applied(composedFieldManager(another))]},
      'none',
    ],
    ['applies of both', {managedFields: [applied(manager), applied(composedFieldManager(another))]}, 'none'],
  ])('%s', (_name, metadata, want) => {
    expect(proofOf(thing(metadata), claimOf(xr))).toBe(want);
  });

  it('not outside of the namespace of a namespaced XR, whose manager has no namespace in it', () => {
    const shop = view({apiVersion: 'platform.example.org/v1', kind: 'Shop', metadata: {name: 'net', namespace: 'a'}});
    const claim = claimOf(shop);
    const metadata = {managedFields: [applied(claim.manager)]};
    expect(proofOf(thing({...metadata, namespace: 'a'}), claim)).toBe('field-manager');
    expect(proofOf(thing({...metadata, namespace: 'b'}), claim)).toBe('none');
    expect(proofOf(thing(metadata), claim)).toBe('none');
  });
});

describe('what is not proven', () => {
  const listed = thing({annotations: {'crossplane.io/composition-resource-name': 'db'}, uid: 'uid-of-another'});
  const result = planOf({observed: [['db', listed]]});

  it('is left to Crossplane: nothing of it is put into desired', () => {
    expect(result.edits.size).toBe(0);
    expect(result.condition).toEqual({status: 'False', reason: 'Refusing', resources: ['db']});
  });

  it('is told, with the label that would prove it', () => {
    expect(result.transitions).toEqual([{kind: 'leaving-alone', resourceName: 'db'}]);
    expect(result.decisions.get('db')).toMatchObject({id, object: {kind: 'Thing', name: 'net-db'}});
  });
});
