import {expect, test} from 'vitest';
import {connectByConfig, noSecrets} from '../../../src/cluster/provider/provider-config.ts';

// A managed resource connects by saying which config it uses; what the API server answers decides whether it may.

const config = {
  apiVersion: 'cloud.example.org/v1',
  kind: 'ProviderConfig',
  namespaced: false,
  usage: {apiVersion: 'cloud.example.org/v1', kind: 'ProviderConfigUsage'},
  legacy: true,
};
const managed = {
  apiVersion: 'db.cloud.example.org/v1',
  kind: 'Cluster',
  metadata: {name: 'main', uid: 'u-1'},
  spec: {providerConfigRef: {name: 'prod'}},
};

/** How the connection ends if the API server answers so, one after the other. */
function connected(...answers: readonly object[]): string | undefined {
  const steps = connectByConfig({configs: [config], secrets: noSecrets, manager: 'provider'}, managed);
  let step = steps.next();
  for (const answer of answers) step = steps.next(answer as never);
  expect(step.done).toBe(true);
  return step.value as string | undefined;
}

const none = {ok: true, object: undefined};
const there = {ok: true, object: {...config, metadata: {name: 'prod'}}};
const refused = (reason: string) => ({ok: false, code: 409, reason, message: `"u-1" ${reason}`});

test('it connects once its usage is written', () => {
  expect(connected(none, {ok: true}, there)).toBeUndefined();
});

test('a usage that exists and that its cache does not show yet is an error, as any refusal is', () => {
  const sentence = 'cannot apply ProviderConfigUsage: cannot create object: "u-1" AlreadyExists';
  expect(connected(none, refused('AlreadyExists'))).toBe(sentence);
});

test('so is a usage that another object controls', () => {
  const owner = {apiVersion: 'v1', kind: 'Other', name: 'o', uid: 'u-2', controller: true};
  const foreign = {...config.usage, metadata: {name: 'u-1', ownerReferences: [owner]}};
  expect(connected({ok: true, object: foreign})).toBe(
    'cannot apply ProviderConfigUsage: existing object is not controlled by UID "u-1"',
  );
});
