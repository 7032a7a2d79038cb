import {expect, test} from 'vitest';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {foundReferences} from '../../../src/harness/control-plane/standing/references.ts';

function managed(kind: string, name: string, forProvider = {}, group = 'ec2.e.org'): KubeObject {
  return {apiVersion: `${group}/v1`, kind, metadata: {name}, spec: {forProvider}};
}

test('a resolved reference tells the kind that its field leads to', () => {
  const objects = [managed('Network', 'n'), managed('Subnet', 's', {homeRef: {name: 'n'}, peerRefs: [{name: 's'}]})];
  expect(foundReferences(objects)).toEqual([
    {field: 'home', kind: 'Network'},
    {field: 'peer', kind: 'Subnet'},
    {field: 'peers', kind: 'Subnet'},
  ]);
});

test('of two objects of one name the one of the same group is meant, and a name of two kinds tells nothing', () => {
  const subnet = managed('Subnet', 's', {homeRef: {name: 'n'}});
  expect(foundReferences([managed('Network', 'n'), managed('Vault', 'n', {}, 'kms.e.org'), subnet])).toHaveLength(1);
  expect(foundReferences([managed('Network', 'n'), managed('Gateway', 'n'), subnet])).toEqual([]);
});
