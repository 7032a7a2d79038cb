// What a rehearsal never prints: what a Secret holds, also one that a resource carries as a manifest or that a function composes
// from what an XR says; a Secret's labels and annotations but Crossplane's own, for tools copy what it holds there;
// kubectl's copy of any object; and fields whose name says that they are secret. A plan is pasted into pull requests.

import {isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';

const instead = '(not shown)';
const contents: readonly string[] = ['data', 'stringData'];
const copies = 'kubectl.kubernetes.io/last-applied-configuration';

/** The same with nothing secret in it, however deep. */
export function concealed(value: Json): Json {
  if (isList(value)) return value.map(concealed);
  if (!isObject(value)) return value;
  const isSecret = value['kind'] === 'Secret';
  const named = isText(value['name']) && isSecretName(String(value['name']));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]): [string, Json] => {
      if (isSecret && contents.includes(key)) return [key, emptied(inner)];
      if (isSecret && key === 'metadata') return [key, concealedMetadata(inner)];
      // `{name: DB_PASSWORD, value: ...}`, as containers and Helm charts have it.
      const isValue = isSecretName(key) || key === copies || (named && key === 'value');
      return [key, isValue ? withoutText(inner) : concealed(inner)];
    }),
  );
}

export function concealedObject(object: KubeObject): KubeObject {
  return concealed(object) as KubeObject;
}

/** Who composed the Secret and under which name is what a plan is about. */
function concealedMetadata(metadata: Json): Json {
  if (!isObject(metadata)) return instead;
  const keptOf = (map: Json | undefined): JsonObject =>
    Object.fromEntries(
      Object.entries(isObject(map) ? map : {}).map(([key, inner]) => [key, isCrossplanes(key) ? inner : instead]),
    );
  return Object.fromEntries(
    Object.entries(metadata).map(([key, inner]): [string, Json] => [key, maps.includes(key) ? keptOf(inner) : inner]),
  );
}

const maps: readonly string[] = ['labels', 'annotations'];

function isCrossplanes(key: string): boolean {
  return /^([a-z0-9-]+\.)*crossplane\.io\//.test(key);
}

function emptied(inner: Json): Json {
  if (!isObject(inner)) return instead;
  return Object.fromEntries(Object.keys(inner).map((key) => [key, instead])) satisfies JsonObject;
}

/** A list of texts is as secret as each of them; an object may be a reference. */
function withoutText(inner: Json): Json {
  if (isText(inner)) return instead;
  return isList(inner) ? inner.map(withoutText) : concealed(inner);
}

function isText(value: Json | undefined): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** A reference to a Secret is none. */
function isSecretName(name: string): boolean {
  return /(password|passwd|passphrase|secret|token|credential|private_?key|api_?key|access_?key|secret_?key)s?$/i.test(
    name,
  );
}
