// The kinds of a source: from CustomResourceDefinitions first, then from CompositeResourceDefinitions, and last from objects and
// the folders of an archive.

import {pluralOf} from '../../../cluster/api/kinds.ts';
import {writtenScope} from '../../../cluster/crossplane/xrd.ts';
import {versionsOf} from '../../../cluster/defined-kinds.ts';
import {at, isList, isObject, type Json} from '../../../cluster/json.ts';
import {groupOf, type KubeObject, versionOf} from '../../../cluster/object.ts';
import type {SourceKind} from './source.ts';

/** A kind as found in the folders of an archive. */
export interface FoundKind {
  readonly plural: string;
  readonly group: string;
  /** Left out where only the folder's own file was there. */
  readonly kind?: string;
  readonly categories: readonly string[];
}

export function kindsOf(objects: readonly KubeObject[], found: readonly FoundKind[] = []): readonly SourceKind[] {
  const kinds = new Map<string, SourceKind>();
  const add = (found: SourceKind): void => {
    const key = `${found.kind}.${found.group}`;
    const known = kinds.get(key);
    if (known === undefined) kinds.set(key, found);
    else if (known.knownBy === 'objects' && !known.versions.includes(found.versions[0] ?? '')) {
      kinds.set(key, {...known, versions: [...known.versions, ...found.versions]});
    }
  };
  for (const object of objects)
    if (object.kind === 'CustomResourceDefinition') for (const one of ofCrd(object)) add(one);
  for (const object of objects)
    if (object.kind === 'CompositeResourceDefinition') for (const one of ofXrd(object)) add(one);
  for (const object of objects) add(ofObject(object));
  const folders = new Map(found.map((folder) => [`${folder.kind ?? ''}.${folder.group}`, folder]));
  return [...kinds.entries()].map(([key, known]) => {
    const folder = folders.get(key);
    if (folder === undefined || known.knownBy === 'crd') return known;
    const categories = known.categories.length > 0 ? known.categories : folder.categories;
    return {...known, plural: folder.plural, categories};
  });
}

function ofCrd(crd: KubeObject): readonly SourceKind[] {
  const {spec} = crd;
  const names = at(spec, ['names']);
  if (!isObject(names) || typeof names['kind'] !== 'string') return [];
  const {kind, plural, categories = []} = names;
  const versions = versionsIn(crd, 'storage');
  return [
    {
      group: String(spec?.['group']),
      kind,
      plural: String(plural),
      versions,
      namespaced: spec?.['scope'] === 'Namespaced',
      categories: isList(categories) ? categories.map(String) : [],
      knownBy: 'crd',
    },
  ];
}

function ofXrd(xrd: KubeObject): readonly SourceKind[] {
  const {spec} = xrd;
  const versions = versionsIn(xrd, 'referenceable');
  const group = String(spec?.['group']);
  const named = (names: Json | undefined, namespaced: boolean, category: string): readonly SourceKind[] => {
    if (!isObject(names) || typeof names['kind'] !== 'string') return [];
    const {kind, plural} = names;
    return [{group, kind, plural: String(plural), versions, namespaced, categories: [category], knownBy: 'xrd'}];
  };
  return [
    ...named(spec?.['names'], writtenScope(xrd) === 'Namespaced', 'composite'),
    ...named(spec?.['claimNames'], true, 'claim'),
  ];
}

function ofObject({apiVersion, kind, metadata}: KubeObject): SourceKind {
  const group = groupOf(apiVersion);
  const version = versionOf(apiVersion);
  const namespaced = metadata.namespace !== undefined;
  return {group, kind, plural: pluralOf(kind), versions: [version], namespaced, categories: [], knownBy: 'objects'};
}

/** The names of those that are served, with the one that has the flag first. */
function versionsIn(definition: KubeObject, first: string): readonly string[] {
  const served = versionsOf(definition).filter((version) => version['served'] !== false || version[first] === true);
  return served
    .toSorted((left, right) => Number(right[first] === true) - Number(left[first] === true))
    .map((version) => String(version['name']));
}
