import type {ApiResponse} from '../../cluster/api/request.ts';
import type {GroupVersionKind, KubeObject, ResourceRef} from '../../cluster/object.ts';
import {refOf} from '../../cluster/object.ts';
import type {Session} from './session.ts';

// Finds objects the way people name them: by kind alone, by kind and name, by composition-resource-name.

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
  readonly crn?: string;
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
const annotationResource = 'crossplane.io/composition-resource-name';

/** `served` answers what the API server serves at the moment. */
export function catalogueOf(session: Session, served: () => readonly ServedKind[]): Catalogue {
  const kinds = (kind: string, apiVersion?: string): readonly ServedKind[] =>
    served().filter((one) => one.kind === kind && (apiVersion === undefined || one.apiVersion === apiVersion));
  const list = ({apiVersion, kind}: ServedKind): readonly KubeObject[] =>
    itemsOf(session.submit('reader', {verb: 'list', apiVersion, kind}));
  return {
    kinds,
    find: (selector) =>
      kinds(selector.kind, selector.apiVersion)
        .flatMap(list)
        .filter((object) => matches(object, selector)),
    address: (selector) => {
      const [kind] = kinds(selector.kind, selector.apiVersion);
      if (kind === undefined || selector.name === undefined) return undefined;
      const {apiVersion} = kind;
      const ref = {apiVersion, kind: selector.kind, name: selector.name};
      return kind.namespaced ? {...ref, namespace: selector.namespace ?? defaultNamespace} : ref;
    },
    all: () => served().flatMap(list),
  };
}

function itemsOf(response: ApiResponse): readonly KubeObject[] {
  return response.ok ? (response.items ?? []) : [];
}

function matches(object: KubeObject, {namespace, name, crn}: Selector): boolean {
  const {metadata} = object;
  if (name !== undefined && metadata.name !== name) return false;
  if (namespace !== undefined && metadata.namespace !== namespace) return false;
  return crn === undefined || metadata.annotations?.[annotationResource] === crn;
}

/** `Kind/name`, as reports name an object. */
export function shortName(object: KubeObject | ResourceRef): string {
  const ref = 'metadata' in object ? refOf(object as KubeObject) : (object as ResourceRef);
  return `${ref.kind}/${ref.name}`;
}
