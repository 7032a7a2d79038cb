import {describe, expect, test} from 'vitest';
import {audit} from '../../../src/harness/audit/audit.ts';
import {classNames} from '../../../src/harness/audit/finding.ts';
import {readSource} from '../../../src/harness/source/read-source.ts';
import {sourceFolder} from '../source/folder.ts';
import {planted} from './plant.ts';

const folder = sourceFolder();

async function found(objects: readonly object[]): Promise<readonly string[]> {
  const file = folder.write('state.json', JSON.stringify({apiVersion: 'v1', kind: 'List', items: objects}));
  return audit(await readSource(file))
    .findings.map(({fault, object}) => `${fault.class} ${object.kind} ${object.name}`)
    .sort();
}

describe.each([1, 2, 3])('a dump of 3,000 objects with 6 faults of every class, seed %i', (seed) => {
  const {objects, expected} = planted(seed, 3000, 6);

  test('has every fault found, and nothing else', async () => {
    expect(objects.length).toBeGreaterThan(3000);
    expect(new Set(expected.map((one) => one.split(' ')[0])).size).toBe(classNames.length);
    expect(await found(objects)).toEqual(expected);
  });
});

test('a sound control plane has nothing found, however many decoys it has', async () => {
  expect(await found(planted(4, 2000, 0).objects)).toEqual([]);
});
