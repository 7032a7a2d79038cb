import {groupKindOf, type KubeObject} from '../../cluster/object.ts';

/** What stays when an object is lost and restored: `Kind.group namespace/name`. */
export function addressOf(object: KubeObject): string {
  const {namespace, name} = object.metadata;
  return `${groupKindOf(object)} ${namespace ?? ''}/${name}`;
}
