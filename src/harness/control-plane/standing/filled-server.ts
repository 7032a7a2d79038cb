// An API server that has the objects of a source in its store, as they are: nothing is defaulted or validated again, and no
// resource version changes. Lists and writes go on above the highest that was given out.

import {definitionOf} from '../../../cluster/api/kinds.ts';
import {installKind, serve} from '../../../cluster/api/server.ts';
import {keyOf, newUid, type ServerState} from '../../../cluster/api/store.ts';
import {groupKindOf, type KubeObject} from '../../../cluster/object.ts';
import {put, tableOf} from '../../../cluster/table.ts';
import {timestamp} from '../../../cluster/timestamp.ts';
import {isCrd} from './source-kinds.ts';

/** `open` defines kinds without being an object itself. */
export function filledServer(
  fresh: ServerState,
  open: readonly KubeObject[],
  objects: readonly KubeObject[],
  nowMs: number,
): ServerState {
  const definitions = [...open, ...objects.filter(isCrd)].flatMap((crd) => definitionOf(crd) ?? []);
  const issued = countedFrom(objects);
  const revision = objects.reduce((highest, {metadata}) => Math.max(highest, revisionOf(metadata)), fresh.revision);
  const isWritten = ({metadata, status}: KubeObject) => metadata.uid === undefined && status === undefined;
  let server: ServerState = {...definitions.reduce(installKind, fresh), issued, revision};
  server = withObjects(
    server,
    objects.filter((object) => !isWritten(object)),
    nowMs,
  );
  server = withObjects(server, missingNamespaces(server, objects), nowMs);
  for (const object of inOrder(objects.filter(isWritten))) {
    const served = serve(server, {verb: 'create', object, manager: 'kubectl'}, {nowMs});
    // An object that the schema refuses may exist all the same: schemas change, and old objects stay.
    server = served.response.ok ? served.server : withObjects(server, [object], nowMs);
  }
  return withRenderedOwned(server);
}

const [crdKind, xrdKind] = [
  'CustomResourceDefinition.apiextensions.k8s.io',
  'CompositeResourceDefinition.apiextensions.crossplane.io',
];

/** A definition that was created just now got its uid after what it defines was rendered: Crossplane must find its own. */
function withRenderedOwned(server: ServerState): ServerState {
  const [crds, xrds] = [server.objects.get(crdKind), server.objects.get(xrdKind)];
  if (crds === undefined || xrds === undefined) return server;
  const entries = [...crds].map(([key, crd]) => {
    const owners = crd.metadata.ownerReferences ?? [];
    if (owners.every(({uid}) => uid !== '')) return [key, crd] as const;
    const ownerReferences = owners.map((owner) => ({...owner, uid: xrds.get(owner.name)?.metadata.uid ?? owner.uid}));
    return [key, {...crd, metadata: {...crd.metadata, ownerReferences}}] as const;
  });
  return {...server, objects: put(server.objects, crdKind, tableOf(new Map(entries)))};
}

function withObjects(before: ServerState, objects: readonly KubeObject[], nowMs: number): ServerState {
  let server = before;
  for (const [groupKind, some] of Map.groupBy(objects, groupKindOf)) {
    const entries = new Map(server.objects.get(groupKind) ?? []);
    for (const object of some) {
      const {server: next, object: stored} = identified(server, object, nowMs);
      server = next;
      entries.set(keyOf(stored.metadata.namespace, stored.metadata.name), stored);
    }
    server = {...server, objects: put(server.objects, groupKind, tableOf(entries))};
  }
  return server;
}

/** The object with what every stored object has, in the version its kind is stored in. */
function identified(
  server: ServerState,
  object: KubeObject,
  nowMs: number,
): {readonly server: ServerState; readonly object: KubeObject} {
  const apiVersion = server.kinds.get(groupKindOf(object))?.storage.apiVersion ?? object.apiVersion;
  const issued = object.metadata.uid === undefined ? newUid(server) : {server, value: object.metadata.uid};
  const isVersioned = revisionOf(object.metadata) > 0;
  const revision = issued.server.revision + (isVersioned ? 0 : 1);
  const metadata = {
    creationTimestamp: timestamp(nowMs),
    ...object.metadata,
    uid: issued.value,
    resourceVersion: isVersioned ? String(object.metadata.resourceVersion) : String(revision),
  };
  return {server: {...issued.server, revision}, object: {...object, apiVersion, metadata}};
}

function revisionOf({resourceVersion}: KubeObject['metadata']): number {
  const revision = Number(resourceVersion);
  return Number.isSafeInteger(revision) ? revision : 0;
}

function missingNamespaces(server: ServerState, objects: readonly KubeObject[]): readonly KubeObject[] {
  const there = server.objects.get('Namespace');
  const given = new Set(objects.filter(({kind}) => kind === 'Namespace').map(({metadata}) => metadata.name));
  const names = new Set(objects.flatMap(({metadata}) => metadata.namespace ?? []));
  return [...names]
    .filter((name) => there?.has(name) !== true && !given.has(name))
    .map((name) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {name},
      spec: {finalizers: ['kubernetes']},
      status: {phase: 'Active'},
    }));
}

/** Definitions come before objects of their kinds. */
function inOrder(objects: readonly KubeObject[]): readonly KubeObject[] {
  const first = ['Namespace', 'CustomResourceDefinition', 'CompositeResourceDefinition', 'Composition'];
  const rank = ({kind}: KubeObject): number => (first.includes(kind) ? first.indexOf(kind) : first.length);
  return objects.toSorted((left, right) => rank(left) - rank(right));
}

/** Uids follow from a count: one that begins elsewhere for every source does not give out a uid that is there already. */
function countedFrom(objects: readonly KubeObject[]): number {
  let hash = objects.length;
  for (const {metadata} of objects) {
    for (const character of metadata.uid ?? '') hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  }
  return hash >>> 2;
}
