// The objects of a source as the simulated control plane takes them: as they are, but for what another Crossplane would
// compute otherwise. Where a function listens is decided by the rehearsal, and a CompositionRevision is known by a hash
// whose digits are our own (see cluster/crossplane/revisions.ts); without another hash every Composition would get a new
// revision at once.

import {compositionHash} from '../../../cluster/crossplane/revisions.ts';
import {without} from '../../../cluster/json.ts';
import {
  addressOf,
  groupKindOf,
  type KubeObject,
  type OwnerReference,
  type ResourceRef,
  refAddress,
} from '../../../cluster/object.ts';
import {labelCompositionHash, labelCompositionName, labelPackage} from '../../../cluster/vocabulary.ts';

/** The object as the simulated Crossplane would have written it. */
export function asSimulated(object: KubeObject): KubeObject {
  switch (groupKindOf(object)) {
    case 'FunctionRevision.pkg.crossplane.io':
      return reached(object);
    case 'CompositionRevision.apiextensions.crossplane.io':
      return hashed(object);
    default:
      return object;
  }
}

/** The name of the Function that a FunctionRevision is of. */
export function functionOf({metadata}: KubeObject): string | undefined {
  const owner = metadata.ownerReferences?.find(({kind}) => kind === 'Function');
  return owner?.name ?? metadata.labels?.[labelPackage];
}

function reached(revision: KubeObject): KubeObject {
  const name = functionOf(revision);
  if (name === undefined) return revision;
  const labels = {...revision.metadata.labels, [labelPackage]: name};
  const capabilities = revision.status?.['capabilities'] ?? ['composition'];
  const status = {...revision.status, endpoint: name, capabilities};
  return {...revision, metadata: {...revision.metadata, labels}, status};
}

function hashed(revision: KubeObject): KubeObject {
  const {labels = {}, annotations = {}} = revision.metadata;
  const copied = [labelCompositionName, labelCompositionHash].reduce(without, labels);
  const spec = without(revision.spec ?? {}, 'revision');
  const content = {...revision, metadata: {...revision.metadata, labels: copied, annotations}, spec} as KubeObject;
  const hash = compositionHash(content).slice(0, 63);
  return {...revision, metadata: {...revision.metadata, labels: {...labels, [labelCompositionHash]: hash}}};
}

/**
 * Objects that others name as their owners and that the source does not have. On a cluster they exist: else the owner GC had
 * deleted the others long ago. Paused, so that no controller acts on an object of which only the name is known.
 */
export function standIns(objects: readonly KubeObject[]): readonly KubeObject[] {
  const uids = new Set(objects.map(({metadata}) => metadata.uid));
  const addresses = new Set(objects.map(addressOf));
  const missing = new Map<string, KubeObject>();
  for (const {metadata} of objects) {
    for (const owner of metadata.ownerReferences ?? []) {
      if (uids.has(owner.uid) || missing.has(owner.uid)) continue;
      const places = [undefined, metadata.namespace].map((namespace) => refAddress(placed(owner, namespace)));
      // Another object of the same name took its place: the story of a stale owner.
      if (!places.some((place) => addresses.has(place))) missing.set(owner.uid, standIn(owner, metadata.namespace));
    }
  }
  return [...missing.values()];
}

function placed({apiVersion, kind, name}: OwnerReference, namespace: string | undefined): ResourceRef {
  return namespace === undefined ? {apiVersion, kind, name} : {apiVersion, kind, namespace, name};
}

function standIn(owner: OwnerReference, namespace: string | undefined): KubeObject {
  const {apiVersion, kind, ...place} = placed(owner, namespace);
  return {apiVersion, kind, metadata: {...place, uid: owner.uid, annotations: {'crossplane.io/paused': 'true'}}};
}
