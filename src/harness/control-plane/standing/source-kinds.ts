// The kinds of a source: those of its CustomResourceDefinitions, those that its XRDs define, and for objects of any other kind
// an open one, so that they exist and can be read. Crossplane's and Kubernetes' own kinds are left to the simulated ones.

import type {Profile} from '../../../cluster/crossplane/profile.ts';
import {claimCrd, xrCrd} from '../../../cluster/crossplane/xr-crd.ts';
import {offersClaim} from '../../../cluster/crossplane/xrd.ts';
import {groupKindDefined} from '../../../cluster/defined-kinds.ts';
import {at, type JsonObject} from '../../../cluster/json.ts';
import {groupKindOf, isDeleting, type KubeObject, versionOf} from '../../../cluster/object.ts';
import {listed} from '../../input/listed.ts';
import {openCrd} from '../../input/manifests/open-kind.ts';
import {uncontrolled} from '../../input/manifests/plain-kinds.ts';
import {judgesWrites, writeNotes} from '../../input/manifests/unmodelled-writes.ts';
import {configKindsOf} from '../provider-configs.ts';
import {xrKinds} from './xrs.ts';

export interface SourceKinds {
  /** CustomResourceDefinitions that are objects of the world. */
  readonly crds: readonly KubeObject[];
  /** Definitions of kinds that no object of the world defines. */
  readonly open: readonly KubeObject[];
  /** A sentence for each thing about kinds that is not modelled. */
  readonly notes: readonly string[];
}

/** `modelled` are the kinds the simulated control plane brings, as `Kind.group`. */
export function kindsOf(objects: readonly KubeObject[], modelled: ReadonlySet<string>, profile: Profile): SourceKinds {
  const given = objects.filter((object) => isCrd(object) && !modelled.has(groupKindDefined(object)));
  const known = new Set([...modelled, ...given.map(groupKindDefined)]);
  const rendered = objects
    .filter((object) => isXrd(object) && !isDeleting(object))
    .flatMap((xrd) => {
      const crds = [xrCrd(xrd, profile), ...(offersClaim(xrd) ? [claimCrd(xrd, profile)] : [])];
      return crds.filter((crd) => !known.has(groupKindDefined(crd)));
    });
  for (const crd of rendered) known.add(groupKindDefined(crd));
  const unknown = Map.groupBy(
    objects.filter((object) => !known.has(groupKindOf(object))),
    groupKindOf,
  );
  const managed = new Set([...unknown].filter(([, some]) => some.some(isManaged)).map(([name]) => name));
  const open = [...unknown].map(([name, some]) => openedFor(some, managed.has(name)));
  const idle = new Set([...uncontrolled, ...given.filter(isNobodys(objects)).map(groupKindDefined)]);
  const isIdle = (object: KubeObject) => idle.has(groupKindOf(object));
  const plain = Map.groupBy(
    objects.filter(
      (object) => (isIdle(object) || (!known.has(groupKindOf(object)) && !isCrd(object))) && !judgesWrites(object),
    ),
    groupKindOf,
  );
  for (const name of managed) plain.delete(name);
  for (const {apiVersion, kind, usage} of configKindsOf(given, objects)) {
    plain.delete(groupKindOf({apiVersion, kind}));
    plain.delete(groupKindOf(usage));
  }
  return {
    crds: [...given, ...rendered.map(established)],
    open,
    notes: [
      ...[...unknown].filter(([name]) => managed.has(name)).map(([name, some]) => schemaLess(name, some.length)),
      ...writeNotes([...objects.filter((object) => !isCrd(object) && !isXrd(object)), ...given, ...rendered]),
      ...(plain.size === 0 ? [] : [plainNote([...plain].map(([name, some]) => `${name} (${some.length})`))]),
    ],
  };
}

export function isCrd({kind}: KubeObject): boolean {
  return kind === 'CustomResourceDefinition';
}

function isXrd({kind}: KubeObject): boolean {
  return kind === 'CompositeResourceDefinition';
}

/** Managed resources have one field for their provider, whatever definition they come from. */
function isManaged({spec}: KubeObject): boolean {
  return spec?.['forProvider'] !== undefined;
}

/** True if neither a provider nor Crossplane acts on the kind of the CustomResourceDefinition. */
function isNobodys(objects: readonly KubeObject[]): (crd: KubeObject) => boolean {
  const composed = xrKinds(objects);
  return (crd) => {
    const categories = at(crd.spec, ['names', 'categories']);
    return !composed.has(groupKindDefined(crd)) && !(Array.isArray(categories) && categories.includes('managed'));
  };
}

function openedFor(objects: readonly KubeObject[], managed: boolean): KubeObject {
  const [first] = objects as readonly [KubeObject, ...KubeObject[]];
  const {apiVersion, kind} = first;
  const versions = objects.map((object) => versionOf(object.apiVersion));
  const namespaced = objects.some(({metadata}) => metadata.namespace !== undefined);
  const policies = {type: 'array', items: {type: 'string'}, default: ['*']};
  const spec: JsonObject = managed ? {properties: {managementPolicies: policies}} : {};
  return openCrd({apiVersion, kind, versions, namespaced, spec, categories: managed ? ['managed'] : []});
}

function schemaLess(name: string, count: number): string {
  return `not modelled: the schema of ${name}, whose CustomResourceDefinition the source does not have; ${count === 1 ? 'its object' : `its ${count} objects`} can have any field`;
}

const plainMax = 8;

function plainNote(names: readonly string[]): string {
  return `not modelled: the controllers of ${listed(names, plainMax, ', ', 'more kinds')}; these objects can be read, and no controller acts on them`;
}

function established(crd: KubeObject): KubeObject {
  const condition = (type: string, reason: string) => ({type, status: 'True', reason, message: ''});
  const conditions = [condition('NamesAccepted', 'NoConflicts'), condition('Established', 'InitialNamesAccepted')];
  return {...crd, status: {...crd.status, acceptedNames: crd.spec?.['names'] ?? {}, conditions}};
}
