import {type KubeObject, refOf} from '../../cluster/object.ts';

/** Equal for one object, different for two: kind, namespace and name. */
export function addressOf(object: KubeObject): string {
  const {apiVersion, kind, namespace, name} = refOf(object);
  return JSON.stringify([apiVersion, kind, namespace ?? '', name]);
}
