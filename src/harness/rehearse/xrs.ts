import {groupKindsDefined} from '../../cluster/defined-kinds.ts';
import {memo} from '../../cluster/memo.ts';
import {groupKindOf, type KubeObject} from '../../cluster/object.ts';

const kinds = memo<readonly KubeObject[], ReadonlySet<string>>();

/** Whether the object is an XR or a claim, by the definitions among the objects. */
export function isXr(object: KubeObject, objects: readonly KubeObject[]): boolean {
  return xrKinds(objects).has(groupKindOf(object));
}

/** `Kind.group` of XRs and claims. */
export function xrKinds(objects: readonly KubeObject[]): ReadonlySet<string> {
  const known = kinds.get(objects);
  if (known !== undefined) return known;
  const definitions = objects.filter(({kind}) => kind === 'CompositeResourceDefinition');
  const found = new Set(definitions.flatMap(groupKindsDefined));
  kinds.set(objects, found);
  return found;
}
