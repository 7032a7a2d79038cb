import {describe, expect, test} from 'vitest';
import type {KubeObject} from '../../../../src/cluster/object.ts';
import {chaptersOf} from '../../../../src/harness/control-plane/record/condense.ts';
import type {TimelineEntry} from '../../../../src/harness/control-plane/record/timeline.ts';
import type {Change} from '../../../../src/harness/control-plane/record/words.ts';

const xr: KubeObject = {apiVersion: 'example.org/v1', kind: 'App', metadata: {name: 'shop', uid: 'xr'}};

function bucket(name: string): KubeObject {
  const annotations = {'crossplane.io/composition-resource-name': name};
  return {apiVersion: 'example.org/v1', kind: 'Bucket', metadata: {name, uid: name, annotations}};
}

function says(object: KubeObject, status: string, reason: string, message?: string): Change {
  return {kind: 'condition', object, type: 'Ready', status, reason, ...(message === undefined ? {} : {message})};
}

function lines(...changes: readonly (readonly [number, Change])[]): readonly string[] {
  const step: TimelineEntry = {atMs: 0, actor: 'scenario', change: {kind: 'step', name: 'a step'}};
  const entries = changes.map(([atMs, change]) => ({atMs, actor: 'crossplane', change}));
  return chaptersOf([step, ...entries]).flatMap((chapter) => chapter.lines.map(({text}) => text));
}

describe('condensing', () => {
  test('keeps the last word on an XR the last, whatever else became ready in the same breath', () => {
    const told = lines(
      [0, says(bucket('a'), 'True', 'Available')],
      [10, says(xr, 'False', 'Creating')],
      [20, says(bucket('b'), 'True', 'Available')],
      [30, says(xr, 'True', 'Available')],
    );
    expect(told).toEqual([
      'Crossplane: 2 objects Ready=True Available: a (Bucket), b (Bucket)',
      'Crossplane: App/shop Ready=False Creating',
      'Crossplane: App/shop Ready=True Available',
    ]);
  });

  test('keeps the order of what happened to one composed resource', () => {
    const told = lines(
      [0, says(bucket('a'), 'True', 'Available')],
      [10, says(bucket('b'), 'False', 'Deleting')],
      [20, says(bucket('b'), 'True', 'Available')],
    );
    expect(told.at(-1)).toBe('Crossplane: b (Bucket) Ready=True Available');
  });

  test('gives no message to an object that did not say it', () => {
    const told = lines(
      [0, says(bucket('a'), 'False', 'Down', 'a burns')],
      [1, says(bucket('b'), 'False', 'Down', 'b is wet')],
    );
    expect(told).toEqual(['Crossplane: 2 objects Ready=False Down (as a (Bucket): a burns): a (Bucket), b (Bucket)']);
  });

  test('cuts the middle of a message and of a list', () => {
    const [long = ''] = lines([0, says(xr, 'False', 'Down', `begins ${'words and '.repeat(100)}ends here`)]);
    expect(long).toMatch(/^Crossplane: App\/shop Ready=False Down: begins words .* \.\.\. .* ends here$/);
    expect(long.length).toBeLessThan(650);
    const many = ['a', 'b', 'c', 'd', 'e'].map((name, index) => [index, says(bucket(name), 'True', 'Up')] as const);
    expect(lines(...many)).toEqual(['Crossplane: 5 objects Ready=True Up: a (Bucket), b (Bucket), 2 more, e (Bucket)']);
  });
});
