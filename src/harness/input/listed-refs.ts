import {at, isList, isObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';

/** A reference to a composed resource; what it leaves out is ''. */
export interface ListedRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** A namespaced XR composes in its own namespace and leaves it out. */
  readonly namespace: string | undefined;
}

/** The list of an XR, in either of its two places; none for an object that is no XR. */
export function listedRefs({spec}: Pick<KubeObject, 'spec'>): readonly ListedRef[] {
  const lists = [spec?.['resourceRefs'], at(spec, ['crossplane', 'resourceRefs'])].filter(isList);
  return lists
    .flat()
    .filter(isObject)
    .map((ref) => {
      const said = (key: string) => (typeof ref[key] === 'string' ? ref[key] : undefined);
      const [apiVersion = '', kind = '', name = ''] = ['apiVersion', 'kind', 'name'].map(said);
      return {apiVersion, kind, name, namespace: said('namespace')};
    });
}
