// Manifests that leave out their namespace, as kubectl takes them: an object of a namespaced kind is in `default`.

import {coreKinds} from '../../cluster/api/core-kinds.ts';
import {scopeOf} from '../../cluster/crossplane/xrd.ts';
import {groupKindDefined} from '../../cluster/defined-kinds.ts';
import {at} from '../../cluster/json.ts';
import {groupKindOf, type KubeObject} from '../../cluster/object.ts';

/** The objects, each of a namespaced kind in a namespace. `definitions` are objects with what defines their kinds among them. */
export function inDefaultNamespace(
  objects: readonly KubeObject[],
  definitions: readonly KubeObject[],
): readonly KubeObject[] {
  if (objects.every(({metadata}) => metadata.namespace !== undefined)) return objects;
  const namespaced = namespacedKinds(definitions);
  return objects.map((object) => {
    if (object.metadata.namespace !== undefined || !namespaced.has(groupKindOf(object))) return object;
    return {...object, metadata: {...object.metadata, namespace: 'default'}};
  });
}

function namespacedKinds(definitions: readonly KubeObject[]): ReadonlySet<string> {
  const own = coreKinds
    .filter((one) => one.namespaced)
    .map(({group, kind}) => groupKindOf({apiVersion: `${group === '' ? '' : `${group}/`}v1`, kind}));
  const defined = definitions.flatMap((object) => {
    if (object.kind === 'CustomResourceDefinition') {
      return object.spec?.['scope'] === 'Namespaced' ? [groupKindDefined(object)] : [];
    }
    if (object.kind !== 'CompositeResourceDefinition') return [];
    const group = String(object.spec?.['group']);
    const claim = at(object.spec, ['claimNames', 'kind']);
    return [
      // Without a scope the v2 API defines namespaced XRs, the v1 API legacy ones.
      ...(isNamespaced(object) ? [groupKindDefined(object)] : []),
      ...(typeof claim === 'string' ? [`${claim}.${group}`] : []),
    ];
  });
  return new Set([...own, ...defined]);
}

function isNamespaced(definition: KubeObject): boolean {
  const isUnsaid = definition.spec?.['scope'] === undefined;
  return scopeOf(definition) === 'Namespaced' || (isUnsaid && definition.apiVersion.endsWith('/v2'));
}
