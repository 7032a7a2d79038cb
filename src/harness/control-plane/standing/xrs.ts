import {groupKindsDefined} from '../../../cluster/defined-kinds.ts';
import {remembering} from '../../../cluster/memo.ts';
import {groupKindOf, type KubeObject} from '../../../cluster/object.ts';

/** True if the object is an XR or a claim, by the definitions among the objects. */
export function isXr(object: KubeObject, objects: readonly KubeObject[]): boolean {
  return xrKinds(objects).has(groupKindOf(object));
}

/** `Kind.group` of XRs and claims. */
export const xrKinds = remembering((objects: readonly KubeObject[]): ReadonlySet<string> => {
  const definitions = objects.filter(({kind}) => kind === 'CompositeResourceDefinition');
  return new Set(definitions.flatMap(groupKindsDefined));
});
