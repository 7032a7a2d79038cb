import {beforeAll, describe, expect, test} from 'vitest';
import {conditionOf, type KubeObject} from '../../../src/cluster/object.ts';
import {lostKinds} from '../../../src/harness/rehearse/composed.ts';
import {planText} from '../../../src/harness/rehearse/plan-text.ts';
import {rehearse} from '../../../src/harness/rehearse/rehearse.ts';
import {readSource} from '../../../src/harness/source/read-source.ts';
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

function rehearsed(all: readonly KubeObject[]) {
  const restore = {tool: 'velero', onto: 'empty', options: {}, stopped: [], ...lostKinds(all)} as const;
  const functions = {places: {}, without: [], builtins: known};
  return rehearse({objects: all, asOfMs: 0}, {crossplane: 'main', deeds: [], restore, functions, title: 'manifests'});
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

  test('says of an XR that cannot be composed that it is not ready, though no step did that', async () => {
    const lacking = objects.filter(({metadata}) => !metadata.name.startsWith('instances'));
    const rehearsal = await rehearsed(lacking);
    const text = planText(rehearsal, 200);
    expect(text).toMatch(
      /Not ready before the first step, and not after the last:\n {2}- XDatabase\/orders: Synced=False/,
    );
  });
});
