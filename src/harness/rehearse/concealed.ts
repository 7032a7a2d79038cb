// What a rehearsal never prints: contents of Secrets, also of those that a resource carries as a manifest or that a function
// composes from what an XR says, and fields whose name says that they are secret. A plan is pasted into pull requests.

import {isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';

const instead = '(not shown)';
const contents: readonly string[] = ['data', 'stringData'];
const copies = 'kubectl.kubernetes.io/last-applied-configuration';

/** The same with no content of a Secret in it, however deep. */
export function concealed(value: Json): Json {
  if (isList(value)) return value.map(concealed);
  if (!isObject(value)) return value;
  const isSecret = value['kind'] === 'Secret';
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]): [string, Json] => {
      if (isSecret && contents.includes(key)) return [key, emptied(inner)];
      // A copy of the object as text, which may be one of a Secret or carry one.
      if (key === copies && String(inner).includes('"Secret"')) return [key, instead];
      return [key, isText(inner) && isSecretName(key) ? instead : concealed(inner)];
    }),
  );
}

export function concealedObject(object: KubeObject): KubeObject {
  return concealed(object) as KubeObject;
}

/** Whether the value of the field may be read by whoever reads the plan. `field` is a path, as `spec.a.b`. */
export function isConcealed(object: KubeObject, field: string): boolean {
  const parts = field.split(/[.[\]]+/);
  if (isSecretName(parts.at(-1) ?? '')) return true;
  return parts.some((part) => contents.includes(part)) && JSON.stringify(object).includes('"kind":"Secret"');
}

function emptied(inner: Json): Json {
  if (!isObject(inner)) return instead;
  return Object.fromEntries(Object.keys(inner).map((key) => [key, instead])) satisfies JsonObject;
}

function isText(value: Json): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** A reference to a Secret is none. */
function isSecretName(name: string): boolean {
  return /(password|passwd|passphrase|secret|token|credentials?|private_?key|api_?key|access_?key)$/i.test(name);
}
