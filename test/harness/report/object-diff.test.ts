import {describe, expect, test} from 'vitest';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {objectDiff} from '../../../src/harness/report/object-diff.ts';

const vpc: KubeObject = {
  apiVersion: 'ec2.example.org/v1',
  kind: 'VPC',
  metadata: {name: 'a', resourceVersion: '1', labels: {tier: 'one'}},
  spec: {forProvider: {region: 'here', tags: {a: '1', b: '2', c: '3'}}},
  status: {ready: false},
};

describe('the diff of two versions', () => {
  test('shows what changed, some lines around it, and the keys it is under', () => {
    const after = {...vpc, spec: {forProvider: {region: 'here', tags: {a: '1', b: '2', c: '4'}}}};
    expect(objectDiff(vpc, after)).toEqual([
      '@spec.forProvider.tags',
      '       a: "1"',
      '       b: "2"',
      '-      c: "3"',
      '+      c: "4"',
      ' status:',
      '   ready: false',
    ]);
  });

  test('leaves out what changes with every write', () => {
    const entry = {manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {}} as const;
    const after = {...vpc, metadata: {...vpc.metadata, resourceVersion: '2', managedFields: [entry]}};
    expect(objectDiff(vpc, after)).toEqual([]);
  });

  test('of a new object is the object', () => {
    const lines = objectDiff(undefined, vpc);
    expect(lines).toContain('+kind: VPC');
    expect(lines.every((line) => line.startsWith('+'))).toBe(true);
  });

  test('finds a list item put in front of others', () => {
    const owner = (name: string) => ({apiVersion: 'v1', kind: 'App', name, uid: name});
    const before = {...vpc, metadata: {...vpc.metadata, ownerReferences: [owner('b')]}};
    const after = {...vpc, metadata: {...vpc.metadata, ownerReferences: [owner('a'), owner('b')]}};
    const changed = objectDiff(before, after).filter((line) => /^[+-]/.test(line));
    expect(changed).toHaveLength(4);
    expect(changed.every((line) => line.startsWith('+'))).toBe(true);
  });

  test('applied to the old lines gives the new ones', () => {
    const after = {...vpc, metadata: {name: 'a', finalizers: ['f']}, status: {ready: true, more: [1, 2]}};
    const lines = objectDiff(vpc, after);
    const kept = (sign: string): readonly string[] =>
      lines.filter((line) => line.startsWith(sign) || line.startsWith(' ')).map((line) => line.slice(1));
    expect(kept('-')).toContain('  ready: false');
    expect(kept('+')).toEqual(expect.arrayContaining(['  finalizers:', '  ready: true', '  - 2']));
    expect(kept('+')).not.toContain('    tier: one');
  });
});
