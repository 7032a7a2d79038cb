// Finds objects the way people name them: by kind alone, by kind and name, by composition-resource-name.

import type {ApiResponse} from '../../cluster/api/request.ts';
import {type GroupVersionKind, groupKindOf, type KubeObject, type ResourceRef} from '../../cluster/object.ts';
import {annotationResourceName} from '../../cluster/vocabulary.ts';
import {text} from '../input/form.ts';
import {may, must} from '../input/map-form.ts';
import type {Session} from './session.ts';

export interface ServedKind extends GroupVersionKind {
  readonly namespaced: boolean;
}

/** Which object is meant. Without a name, every object of the kind. */
export interface Selector {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The composition-resource-name annotation. */
  readonly resource?: string;
}

export interface Catalogue {
  /** The served kinds of this name, in every group, each in its storage version. */
  kinds(kind: string, apiVersion?: string): readonly ServedKind[];
  /** The matching objects, by kind and then by name. */
  find(selector: Selector): readonly KubeObject[];
  /** The address of an object that may not exist: needs a name. */
  address(selector: Selector): ResourceRef | undefined;
  /** Every object of every served kind. */
  all(): readonly KubeObject[];
}

export const defaultNamespace = 'default';

/** `served` answers what the API server serves at the moment, each version of a kind for itself. */
export function catalogueOf(session: Session, served: () => readonly ServedKind[]): Catalogue {
  const kinds = (kind: string, apiVersion?: string): readonly ServedKind[] => {
    const named = served().filter((one) => one.kind === kind);
    return apiVersion === undefined ? preferred(named) : named.filter((one) => one.apiVersion === apiVersion);
  };
  const list = ({apiVersion, kind}: ServedKind): readonly KubeObject[] =>
    itemsOf(session.submit('reader', {verb: 'list', apiVersion, kind}));
  return {
    kinds,
    find: (selector) =>
      kinds(selector.kind, selector.apiVersion)
        .flatMap(list)
        .filter((object) => isSelected(object, selector)),
    address: (selector) => {
      const [kind] = kinds(selector.kind, selector.apiVersion);
      if (kind === undefined || selector.name === undefined) return undefined;
      const {apiVersion} = kind;
      const ref = {apiVersion, kind: selector.kind, name: selector.name};
      return kind.namespaced ? {...ref, namespace: selector.namespace ?? defaultNamespace} : ref;
    },
    all: () => preferred(served()).flatMap(list),
  };
}

/** One version of every kind: the one that `kubectl get` would show. */
function preferred(kinds: readonly ServedKind[]): readonly ServedKind[] {
  const best = new Map<string, ServedKind>();
  for (const kind of kinds) {
    const known = best.get(groupKindOf(kind));
    if (known === undefined || rank(kind.apiVersion) > rank(known.apiVersion)) best.set(groupKindOf(kind), kind);
  }
  return [...best.values()];
}

/** Kubernetes' order of versions: stable before beta before alpha, newer before older. */
function rank(apiVersion: string): number {
  const match = /(?:^|\/)v(\d+)(?:(alpha|beta)(\d+))?$/.exec(apiVersion);
  if (match === null) return -1;
  const [, major, stage, minor] = match;
  return (
    ['alpha', 'beta', undefined].indexOf(stage as 'alpha' | 'beta' | undefined) * 10_000 +
    Number(major) * 100 +
    Number(minor ?? 0)
  );
}

function itemsOf(response: ApiResponse): readonly KubeObject[] {
  return response.ok ? (response.items ?? []) : [];
}

export function isSelected({apiVersion, kind, metadata}: KubeObject, selector: Selector): boolean {
  if (kind !== selector.kind || (selector.apiVersion !== undefined && apiVersion !== selector.apiVersion)) return false;
  if (selector.name !== undefined && metadata.name !== selector.name) return false;
  if (selector.namespace !== undefined && metadata.namespace !== selector.namespace) return false;
  return selector.resource === undefined || metadata.annotations?.[annotationResourceName] === selector.resource;
}

/** The selector in words. */
export function selectorText({kind, name, resource, namespace}: Selector): string {
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  if (resource !== undefined) return `composed resource "${resource}" (${kind})${where}`;
  return name === undefined ? `${kind} objects${where}` : `${kind} "${name}"${where}`;
}

/** An object by kind and name, or by kind and composed resource name. */
export const selectorFields = {
  apiVersion: may(text, 'Of what is meant; any unless set.'),
  namespace: may(text, 'The namespace of the object.'),
  name: may(text, 'The name of the object.'),
  resource: may(text, 'The name of a composed resource in the pipeline.'),
  kind: must(text, 'The kind, such as VPC.'),
};
