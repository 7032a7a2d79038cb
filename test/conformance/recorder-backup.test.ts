import {describe, expect, test} from 'vitest';
import type {KubeObject} from '../../src/cluster/object.ts';
import {parseYaml} from '../../src/harness/input/yaml.ts';
import {parseRecordedScenario, type RestoreOptions} from './recorded-scenario.ts';
import {chosen, restored} from './recorder-backup.ts';

function options(restore: string): RestoreOptions {
  const [scenario] = parseYaml(`name: a\nsteps:\n- restore: ${restore}\n`, 'x').map(parseRecordedScenario);
  const action = scenario?.steps[0]?.actions[0];
  if (action?.kind !== 'restore') throw new Error('the step restores nothing');
  return action;
}

const saved: KubeObject = {
  apiVersion: 'x/v1',
  kind: 'App',
  metadata: {
    name: 'shop',
    generateName: 'sh-',
    uid: 'u',
    resourceVersion: '7',
    generation: 2,
    creationTimestamp: 'then',
    deletionTimestamp: 'now',
    deletionGracePeriodSeconds: 0,
    labels: {a: 'b'},
    annotations: {note: 'mine'},
    finalizers: ['f'],
    ownerReferences: [{apiVersion: 'x/v1', kind: 'Claim', name: 'c', uid: 'o'}],
    managedFields: [],
  },
  spec: {
    size: 's',
    resourceRefs: [{name: 'a'}],
    crossplane: {resourceRefs: [{name: 'a'}], compositionRef: {name: 'c'}},
  },
  status: {ready: true},
};

describe('the recorder restores', () => {
  test('name, labels, annotations and spec, and nothing a server wrote', () => {
    expect(restored(saved, options('{}'))).toEqual({
      apiVersion: 'x/v1',
      kind: 'App',
      metadata: {name: 'shop', labels: {a: 'b'}, annotations: {note: 'mine'}},
      spec: saved.spec,
    });
  });

  test('what it is told to keep', () => {
    const kept = restored(saved, options('{ownerRefs: keep, finalizers: keep, keepGenerateName: true}'));
    expect(Object.keys(kept.metadata).sort()).toEqual([
      'annotations',
      'finalizers',
      'generateName',
      'labels',
      'name',
      'ownerReferences',
    ]);
  });

  test('without what it is told to strip, in both places', () => {
    expect(restored(saved, options('{stripResourceRefs: true}')).spec).toEqual({
      size: 's',
      crossplane: {compositionRef: {name: 'c'}},
    });
  });

  test('with annotations for all, or for some kinds', () => {
    const paused = {note: 'mine', paused: 'true'};
    expect(restored(saved, options('{annotate: {annotations: {paused: "true"}}}')).metadata.annotations).toEqual(
      paused,
    );
    expect(
      restored(saved, options('{annotate: {kinds: [App], annotations: {paused: "true"}}}')).metadata.annotations,
    ).toEqual(paused);
    expect(
      restored(saved, options('{annotate: {kinds: [Other], annotations: {paused: "true"}}}')).metadata.annotations,
    ).toEqual({
      note: 'mine',
    });
  });

  test('in the order of kinds it is given, and only what it is to', () => {
    const bucket = (name: string): KubeObject => ({
      apiVersion: 'x/v1',
      kind: 'Bucket',
      metadata: {name: `shop-${name}`, annotations: {'crossplane.io/composition-resource-name': name}},
    });
    const all = [saved, bucket('a'), bucket('b')];
    const names = (restore: string): readonly string[] =>
      chosen(all, options(restore)).map(({metadata}) => metadata.name);
    expect(names('{order: [Bucket, App]}')).toEqual(['shop-a', 'shop-b', 'shop']);
    expect(names('{order: [Bucket]}')).toEqual(['shop-a', 'shop-b']);
    expect(names('{exclude: [a]}')).toEqual(['shop', 'shop-b']);
    expect(names('{only: Bucket/b}')).toEqual(['shop-b']);
    expect(names('{only: [App]}')).toEqual(['shop']);
  });
});
