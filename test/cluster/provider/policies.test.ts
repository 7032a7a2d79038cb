import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../../src/cluster/json.ts';
import {
  managementPoliciesOf,
  type Policy,
  policyOf,
  supportedSince1_16,
  supportedSince1_19,
  supportedSince1_20,
} from '../../../src/cluster/provider/policies.ts';
import {bucket} from './things.ts';

interface Case {
  readonly policies: readonly string[];
  readonly deletionPolicy?: string;
  readonly legacy?: boolean;
  readonly enabled?: boolean;
}

function policy({policies, deletionPolicy, legacy = true, enabled = true}: Case): Policy {
  const managed = bucket({policies, ...(deletionPolicy === undefined ? {} : {deletionPolicy})});
  return policyOf(managed, legacy, {enabled, supported: supportedSince1_20});
}

/** What a policy allows, in the words of the field. */
function allowed(options: Case): string {
  const {mayCreate, mayUpdate, mayLateInitialize, mayDelete} = policy(options);
  const words = {create: mayCreate, update: mayUpdate, 'late-init': mayLateInitialize, delete: mayDelete};
  return Object.entries(words)
    .filter(([, may]) => may)
    .map(([word]) => word)
    .join(' ');
}

const [observe, create, update, remove, lateInit] = [
  'Observe',
  'Create',
  'Update',
  'Delete',
  'LateInitialize',
] as const;

describe('what managementPolicies allow', () => {
  test.each([
    [['*'], 'create update late-init delete'],
    [[observe, create, update, remove, lateInit], 'create update late-init delete'],
    [[observe, create, update, remove], 'create update delete'],
    [[observe, create, update, lateInit], 'create update late-init'],
    [[observe, create, update], 'create update'],
    [[observe, create, remove, lateInit], 'create late-init delete'],
    [[observe, create, remove], 'create delete'],
    [[observe, create, lateInit], 'create late-init'],
    [[observe, create], 'create'],
    [[observe, remove], 'delete'],
    [[observe, update], 'update'],
    [[observe, update, lateInit], 'update late-init'],
    [[observe, lateInit], 'late-init'],
    [[observe], ''],
  ])('%j: %s', (policies, expected) => {
    expect(policy({policies}).invalid).toBeUndefined();
    expect(allowed({policies})).toBe(expected);
    expect(policy({policies}).onlyObserves).toBe(expected === '');
  });

  test('the order of actions does not matter', () => {
    expect(policy({policies: [create, observe]}).invalid).toBeUndefined();
  });

  test('an empty list pauses', () => {
    expect(policy({policies: []})).toMatchObject({paused: true, invalid: undefined});
  });

  test('a set that no provider supports is invalid and names itself', () => {
    expect(policy({policies: [create]}).invalid).toContain('[Create]');
    expect(policy({policies: ['*', observe]}).invalid).toContain('[* Observe]');
  });
});

describe('deletionPolicy Orphan', () => {
  const deletionPolicy = 'Orphan';

  test('keeps the external resource under the default policies', () => {
    expect(policy({policies: ['*'], deletionPolicy}).mayDelete).toBe(false);
  });

  test('loses to policies that say Delete in so many words, even to all five', () => {
    expect(policy({policies: [observe, create, update, remove, lateInit], deletionPolicy}).mayDelete).toBe(true);
    expect(policy({policies: [observe, remove], deletionPolicy}).mayDelete).toBe(true);
  });

  test('is not read from modern kinds', () => {
    expect(policy({policies: ['*'], deletionPolicy, legacy: false}).mayDelete).toBe(true);
  });

  test('decides alone where the feature flag is off', () => {
    expect(policy({policies: ['*'], deletionPolicy, enabled: false}).mayDelete).toBe(false);
    expect(policy({policies: ['*'], deletionPolicy: 'Delete', enabled: false}).mayDelete).toBe(true);
  });
});

test('deletionPolicy Delete does not bring back a Delete that the policies leave out', () => {
  expect(policy({policies: [observe, create], deletionPolicy: 'Delete'}).mayDelete).toBe(false);
});

describe('with the feature flag off', () => {
  test('only the default is valid, and it allows everything', () => {
    expect(policy({policies: [observe], enabled: false}).invalid).toContain('the feature is not enabled');
    expect(policy({policies: [], enabled: false})).toMatchObject({invalid: undefined, paused: false, mayCreate: true});
  });
});

test('v1.16 supports three sets fewer than v1.20, v1.19 two', () => {
  const invalidIn = (supported: readonly string[], policies: readonly string[]) =>
    policyOf(bucket({policies}), true, {enabled: true, supported}).invalid !== undefined;
  expect(invalidIn(supportedSince1_16, [observe, update])).toBe(true);
  expect(invalidIn(supportedSince1_19, [observe, update])).toBe(false);
  expect(invalidIn(supportedSince1_19, [observe, lateInit])).toBe(true);
  expect(invalidIn(supportedSince1_20, [observe, lateInit])).toBe(false);
});

describe('the policies of an Object of provider-kubernetes', () => {
  const ofObject = (version: string, spec: JsonObject) =>
    managementPoliciesOf({
      apiVersion: `kubernetes.crossplane.io/${version}`,
      kind: 'Object',
      metadata: {name: 'aws-auth'},
      spec,
    });

  test.each<[string, JsonObject, readonly string[]]>([
    ['without a word', {}, ['*']],
    ['with Default', {managementPolicy: 'Default'}, ['*']],
    ['with ObserveCreateUpdate', {managementPolicy: 'ObserveCreateUpdate'}, ['Observe', 'Create', 'Update']],
    ['with ObserveDelete', {managementPolicy: 'ObserveDelete'}, ['Observe', 'Delete']],
    ['with Observe', {managementPolicy: 'Observe'}, ['Observe']],
    [
      "with the other version's default beside it",
      {managementPolicy: 'Observe', managementPolicies: ['*']},
      ['Observe'],
    ],
    ['with a word that it does not know', {managementPolicy: 'Never'}, ['Never']],
  ])('of v1alpha1 %s', (_, spec, expected) => {
    expect(ofObject('v1alpha1', spec)).toEqual(expected);
  });

  test('of v1alpha2 are its list, whatever the default of v1alpha1 is', () => {
    expect(ofObject('v1alpha2', {managementPolicies: ['Observe'], managementPolicy: 'Default'})).toEqual(['Observe']);
    expect(ofObject('v1alpha2', {})).toBeUndefined();
  });
});
