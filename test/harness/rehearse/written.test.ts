import {beforeAll, describe, expect, test} from 'vitest';
import {conditionOf, type KubeObject} from '../../../src/cluster/object.ts';
import {readSource} from '../../../src/harness/input/source/read-source.ts';
import {lostKinds} from '../../../src/harness/rehearse/composed.ts';
import {movedFunctions} from '../../../src/harness/rehearse/moved-functions.ts';
import {planText} from '../../../src/harness/rehearse/plan-text.ts';
import type {Change} from '../../../src/harness/rehearse/rehearsal-steps.ts';
import {rehearse} from '../../../src/harness/rehearse/rehearse.ts';
import {known} from './lived.ts';

// Manifests as people wrote them: no uid, no status, no time. What they define comes to be before the first step.

const written = ['CompositeResourceDefinition', 'Composition', 'Function', 'XDatabase'];
let objects: readonly KubeObject[];

beforeAll(async () => {
  const source = await readSource('examples/rehearse/backup.tar.gz');
  const crds = source.objects.filter(
    ({kind, metadata}) => kind === 'CustomResourceDefinition' && metadata.name.endsWith('rds.aws.upbound.io'),
  );
  objects = [...crds, ...source.objects.filter(({kind}) => written.includes(kind))].map(bare);
});

function bare({apiVersion, kind, metadata: {name, labels}, spec = {}}: KubeObject): KubeObject {
  const {resourceRefs: _, ...said} = spec;
  const version = kind === 'CompositeResourceDefinition' ? 'apiextensions.crossplane.io/v1' : apiVersion;
  const metadata = {name, ...(labels === undefined ? {} : {labels})};
  return {apiVersion: version, kind, metadata, spec: kind === 'XDatabase' ? said : spec};
}

function rehearsed(all: readonly KubeObject[], changes: readonly Change[] = []) {
  const restore = {tool: 'velero', onto: 'empty', options: {}, stopped: [], ...lostKinds(all)} as const;
  const functions = {places: {}, without: [], builtins: known};
  return rehearse({objects: all, asOfMs: 0}, {crossplane: 'main', changes, restore, functions, title: 'manifests'});
}

describe('a source of written manifests', () => {
  test('becomes a control plane whose XR is composed, in its own time', async () => {
    const {before, plan} = await rehearsed(objects);
    const xr = before.objects.find(({kind}) => kind === 'XDatabase');
    expect(xr && conditionOf(xr, 'Ready')?.status).toBe('True');
    expect(xr?.metadata.creationTimestamp).toMatch(/^20/);
    expect(before.externals).toHaveLength(3);
    expect(plan.stuck).toEqual([]);
  });

  test('loses what it composed before the restore, and nothing of the platform', async () => {
    expect(lostKinds(objects).lost).toEqual(['XDatabase']);
    const {plan, result} = await rehearsed(objects, [{kind: 'restore'}]);
    expect(result.failures).toEqual([]);
    expect(
      plan.xrs.flatMap(({changes}) => changes.map(({before, after}) => before?.metadata.uid === after?.metadata.uid)),
    ).toEqual([false, false, false]);
    expect(plan.orphans).toEqual([]);
  });

  test('says whose controllers are not modelled, whether the source has their definition or not', async () => {
    const certificate = (name: string, group: string): KubeObject => {
      return {apiVersion: `${group}/v1`, kind: 'Certificate', metadata: {name}, spec: {}, status: {}};
    };
    const crd: KubeObject = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {name: 'certificates.known.io'},
      spec: {
        group: 'known.io',
        scope: 'Cluster',
        names: {kind: 'Certificate', plural: 'certificates', singular: 'certificate', listKind: 'CertificateList'},
        versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}],
      },
    };
    const more = [crd, certificate('a', 'known.io'), certificate('b', 'known.io'), certificate('c', 'unknown.io')];
    const {notes} = await rehearsed([...objects, ...more]);
    expect(notes.filter((note) => note.includes('controllers'))).toEqual([
      'not modelled: the controllers of Certificate.known.io (2), Certificate.unknown.io (1); these objects can be read, and no controller acts on them',
    ]);
  });

  test('says of an XR that cannot be composed that it is not ready, though no step did that', async () => {
    const lacking = objects.filter(({metadata}) => !metadata.name.startsWith('instances'));
    const rehearsal = await rehearsed(lacking);
    const text = planText(rehearsal, 200);
    expect(text).toMatch(
      /Not ready before the first step, and not after the last:\n {2}- XDatabase\/orders: Synced=False/,
    );
  });
});

test('a function that a step moves is named, where a pipeline calls it and its package is another', () => {
  const at = (name: string, reference: string) => ({
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Function',
    metadata: {name},
    spec: {package: reference},
  });
  const before = [at('a', 'r/a:v1'), at('b', 'r/b:v1'), at('c', 'r/c:v1')];
  const moved = movedFunctions(
    before,
    [{kind: 'apply', objects: [at('a', 'r/a:v2'), at('b', 'r/b:v1'), at('c', 'r/c:v2')], actions: []}],
    ['a', 'b'],
  );
  expect(moved).toEqual([{name: 'a', from: 'r/a:v1', to: 'r/a:v2', waits: false, annotations: {}}]);
});

describe('a definition whose versions are converted', () => {
  const converted = (object: KubeObject): KubeObject => {
    if (object.kind !== 'CompositeResourceDefinition') return object;
    const [version] = (object.spec?.['versions'] ?? []) as readonly object[];
    const versions = [version, {...version, name: 'v1beta1', referenceable: false}] as never;
    const webhook = {clientConfig: {url: 'https://converter.example.org'}, conversionReviewVersions: ['v1']};
    return {...object, spec: {...object.spec, versions, conversion: {strategy: 'Webhook', webhook}}};
  };
  const unmodelled =
    'not modelled: conversion webhook of "xdatabases.platform.example.org", whose versions are taken for the same shape';
  const notesOf = async (all: readonly KubeObject[], changes: readonly Change[]) =>
    (await rehearsed(all, changes)).notes.filter((note) => note.includes('conversion'));

  test('is named, whether the source has it or a step brings it', async () => {
    expect(await notesOf(objects.map(converted), [])).toEqual([unmodelled]);
    const edited = objects.map(converted).filter(({kind}) => kind === 'CompositeResourceDefinition');
    expect(await notesOf(objects, [{kind: 'apply', objects: edited, actions: []}])).toEqual([unmodelled]);
    expect(await notesOf(objects, [])).toEqual([]);
  });
});
