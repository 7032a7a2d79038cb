// Kinds that nothing here models and no fixture defines: a ProviderConfig whose provider is not given, a Pod. Their objects are
// there to be read, by functions above all; no controller acts on them. A definition of each kind is put before the fixtures,
// with a schema that takes anything.

import {coreKinds} from '../../../cluster/api/core-kinds.ts';
import {crossplaneKinds} from '../../../cluster/crossplane/kinds/crossplane-kinds.ts';
import {profiles} from '../../../cluster/crossplane/profiles.ts';
import {groupKindsDefined, isDefinition} from '../../../cluster/defined-kinds.ts';
import {type GroupVersionKind, groupKindOf, groupOf, type KubeObject} from '../../../cluster/object.ts';
import {nearest} from '../cursor.ts';
import {InputError} from '../input-error.ts';
import type {Manifests} from './manifest-reader.ts';
import {openCrd} from './open-kind.ts';
import {judgesWrites, writeNotes} from './unmodelled-writes.ts';

/** The kinds of a provider's package, and Providers themselves. */
export interface PackagedKinds {
  readonly definitions: readonly KubeObject[];
}

/** With a note for each kind that is not modelled. `applied` are objects of steps: of these only Crossplane's own kinds are taken without a definition. */
export function withPlainKinds(
  fixtures: readonly KubeObject[],
  applied: readonly KubeObject[] = [],
  packaged?: PackagedKinds,
): Manifests {
  const own = packaged === undefined ? [] : ['Provider.pkg.crossplane.io', 'ProviderRevision.pkg.crossplane.io'];
  const defining = [...fixtures, ...applied, ...(packaged?.definitions ?? [])];
  const known = new Set([...modelled, ...own, ...defining.filter(isDefinition).flatMap(groupKindsDefined)]);
  const seen = [...fixtures, ...applied.filter(isCrossplanes)];
  const idle = seen.filter((object) => uncontrolled.has(groupKindOf(object)) && !own.includes(groupKindOf(object)));
  const unknown = seen.filter((object) => !known.has(groupKindOf(object)));
  const plain = [...Map.groupBy(unknown, groupKindOf).values()].map((objects) => openedFor(objects, known));
  return {
    objects: [...plain.map(({crd}) => crd), ...fixtures],
    notes: [
      ...plain.filter(({object}) => !judgesWrites(object)).map(({note}) => note),
      ...[...Map.groupBy(idle, groupKindOf).values()].map((objects) =>
        noteOf(objects, ', whose controllers are not there'),
      ),
      ...writeNotes(defining),
    ],
  };
}

function openedFor(objects: readonly KubeObject[], known: ReadonlySet<string>) {
  const [first] = objects as readonly [KubeObject, ...KubeObject[]];
  const {apiVersion, kind} = first;
  refuseMisspelled(first, known);
  const namespaced = objects.some(({metadata}) => metadata.namespace !== undefined);
  const note = noteOf(objects, ', which no CustomResourceDefinition in `fixtures` defines');
  return {object: first, crd: openCrd({apiVersion, kind, namespaced}), note};
}

function noteOf(objects: readonly KubeObject[], why: string): string {
  const [{apiVersion, kind}] = objects as readonly [KubeObject, ...KubeObject[]];
  const names = objects.map(({metadata}) => `"${metadata.name}"`).join(', ');
  const which = objects.length > 3 ? `${objects.length} objects` : names;
  return `not modelled: ${kind} (${apiVersion})${why}; ${which} can be read, and no controller acts on ${objects.length === 1 ? 'it' : 'them'}`;
}

/** A kind that is nearly one of its group is no other kind, but a slip. */
function refuseMisspelled({apiVersion, kind, metadata}: KubeObject, known: ReadonlySet<string>): void {
  const group = groupOf(apiVersion);
  const siblings = [...known].filter((one) => groupOfKind(one) === group).map((one) => one.split('.')[0] ?? '');
  const near = nearest(kind, siblings);
  if (near === undefined) return;
  throw new InputError(`unknown kind "${kind}" of "${metadata.name}" (${apiVersion}): did you mean "${near}"?`);
}

function groupOfKind(groupKind: string): string {
  return groupKind.split('.').slice(1).join('.');
}

/** Kinds that Crossplane brings and whose controllers are not modelled: nothing follows from their objects. */
export const uncontrolled: ReadonlySet<string> = new Set(
  Object.values(profiles).flatMap((profile) =>
    profile.idleKinds.map((one) => {
      const [apiVersion = '', kind = ''] = one.split(' ');
      return groupKindOf({apiVersion, kind});
    }),
  ),
);

/** The kinds of every version of Crossplane or Kubernetes here. */
const modelled: readonly string[] = [...coreKinds, ...Object.values(profiles).flatMap(crossplaneKinds)].map(
  ({group, kind}) => (group === '' ? kind : `${kind}.${group}`),
);

export function isModelled(kind: GroupVersionKind): boolean {
  return modelled.includes(groupKindOf(kind));
}

function isCrossplanes({apiVersion, kind}: KubeObject): boolean {
  return /(^|\.)crossplane\.io$/.test(groupOf(apiVersion)) || /ProviderConfig$/.test(kind);
}
