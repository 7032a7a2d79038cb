// Makes examples/audit/backup.tar.gz: `node test/harness/audit/example-backup.ts`. The control plane of
// examples/restore-orphan/every-version, with three databases, is run until it rests and saved as Velero saves it; then
// what happens in the field is done to it by hand. The same bytes every time.

import {writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';
import {pluralOf} from '../../../src/cluster/api/kinds.ts';
import {groupOf, type KubeObject} from '../../../src/cluster/object.ts';
import {openWorld} from '../../../src/harness/library/harness.ts';
import {tarOf} from '../input/source/tar-file.ts';

const root = new URL('../../../', import.meta.url);
const story = fileURLToPath(new URL('examples/restore-orphan/every-version/', root));
export const backupFile = fileURLToPath(new URL('examples/audit/backup.tar.gz', root));

export async function exampleBackup(): Promise<Buffer> {
  const objects = damagedState(await stateAtRest());
  const files = [...objects, staleUsage].map((object) => ({path: pathOf(object), content: JSON.stringify(object)}));
  const sorted = files.toSorted((left, right) => (left.path < right.path ? -1 : 1));
  const backup = gzipSync(tarOf([{path: 'metadata/version', content: '1.1.0\n'}, ...sorted]), {level: 9});
  // The system that compressed it.
  backup[9] = 255;
  return backup;
}

/** The control plane with three databases, once nothing changes any more. */
async function stateAtRest(): Promise<readonly KubeObject[]> {
  const fixtures = ['crds.yaml', 'definition.yaml', 'composition.yaml', 'functions.yaml'].map((file) => story + file);
  const functions = {'function-templates': {builtin: 'function-static'}, 'function-tether': {builtin: 'passing'}};
  const references = [{field: 'dbSubnetGroupName', kind: 'SubnetGroup'}];
  await using world = await openWorld({
    crossplane: 'main',
    functions,
    fixtures,
    provider: {kind: 'managed', references},
  });
  for (const name of ['orders', 'invoices', 'reports']) {
    const spec = {parameters: {region: 'eu-central-1', storageGB: 100}};
    await world.apply({apiVersion: 'platform.example.org/v1alpha1', kind: 'XDatabase', metadata: {name}, spec});
  }
  await world.run(10 * 60_000);
  return world.objects().filter(({kind}) => kind !== 'Event');
}

/** What nobody noticed in the field. */
function damagedState(objects: readonly KubeObject[]): readonly KubeObject[] {
  const replica = objects.find((object) => whichOf(object) === 'orders replica');
  return objects.map((object) => damaged(object, replica?.metadata.name ?? ''));
}

function whichOf({metadata}: KubeObject): string {
  return `${metadata.labels?.['crossplane.io/composite']} ${metadata.annotations?.['crossplane.io/composition-resource-name']}`;
}

function damaged(object: KubeObject, forgotten: string): KubeObject {
  const {annotations = {}, ownerReferences: _, ...metadata} = object.metadata;
  const which = whichOf(object);
  if (object.kind === 'XDatabase' && metadata.name === 'orders') {
    // It came back from a backup when its Composition had no replica, and forgot it.
    const crossplane = object.spec?.['crossplane'] as {readonly resourceRefs?: readonly object[]} | undefined;
    const [where, refs] =
      crossplane?.resourceRefs === undefined
        ? ['legacy', object.spec?.['resourceRefs']]
        : ['v2', crossplane.resourceRefs];
    const left = (refs as readonly {readonly name: string}[]).filter(({name}) => name !== forgotten);
    const spec =
      where === 'v2'
        ? {...object.spec, crossplane: {...crossplane, resourceRefs: left}}
        : {...object.spec, resourceRefs: left};
    return {...object, spec} as KubeObject;
  }
  if (which === 'orders replica') return {...object, metadata: {...metadata, annotations}};
  if (which === 'invoices primary') {
    const {'crossplane.io/external-name': _name, ...rest} = annotations;
    return {...object, metadata: {...object.metadata, annotations: rest}};
  }
  if (which === 'reports replica') {
    const pending = {'crossplane.io/external-create-pending': '2026-01-01T00:00:10Z'};
    const {'crossplane.io/external-create-succeeded': _time, ...rest} = annotations;
    return {...object, metadata: {...object.metadata, annotations: {...rest, ...pending}}};
  }
  return object;
}

const staleUsage: KubeObject = {
  apiVersion: 'protection.crossplane.io/v1beta1',
  kind: 'ClusterUsage',
  metadata: {
    name: 'orders-before-billing',
    uid: '00000000-0000-4000-8000-00000000c0de',
    creationTimestamp: '2026-01-01T00:30:00Z',
    finalizers: ['usage.apiextensions.crossplane.io'],
  },
  spec: {
    of: {apiVersion: 'platform.example.org/v1alpha1', kind: 'XDatabase', resourceRef: {name: 'orders'}},
    by: {apiVersion: 'platform.example.org/v1alpha1', kind: 'XDatabase', resourceRef: {name: 'billing'}},
  },
};

function pathOf({apiVersion, kind, metadata}: KubeObject): string {
  const group = groupOf(apiVersion);
  const resource = group === '' ? pluralOf(kind) : `${pluralOf(kind)}.${group}`;
  const place = metadata.namespace === undefined ? 'cluster' : `namespaces/${metadata.namespace}`;
  return `resources/${resource}/${place}/${metadata.name}.json`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(backupFile, await exampleBackup());
