// Conceals the secrets of an object in every report: a plan is pasted into pull requests, a page is a build's artifact.
// Concealed are: fields with `format: password` in the kind's schema; the values of a Secret, also of one that a resource
// carries as a manifest or as text; labels and annotations of a Secret but Crossplane's own, because tools copy its values
// there; kubectl's copy of any object; the environment of a process; fields with a secret name (secret-names.ts); text that looks
// like a secret (concealed-text.ts); and values of Secrets elsewhere (secret-values.ts). Left out: a secret under a plain name that looks
// like any other word and is in no Secret.

import {parseAllDocuments, stringify} from 'yaml';
import {equal, isList, isObject, type Json, type JsonObject} from '../../../cluster/json.ts';
import {groupOf, type KubeObject} from '../../../cluster/object.ts';
import {concealedPlaceholder, concealedSentence, concealedText, withoutShapes} from './concealed-text.ts';
import {isEnvironment, isSecretName} from './secret-names.ts';
import {withoutValuesOf} from './secret-values.ts';

/** Takes what is secret out of objects and of parts of them. */
export interface Concealer {
  /** The same with nothing secret in it, however deep. */
  readonly value: (value: Json) => Json;
  readonly object: (object: KubeObject) => KubeObject;
  /** The value at a path, as `spec.env[0].value`, of an object of this kind. */
  readonly at: (of: Pick<KubeObject, 'apiVersion' | 'kind'>, path: string, value: Json) => Json;
}

/** The schemas of kinds, by group and kind. */
type Schemas = ReadonlyMap<string, Json>;

const contents: readonly string[] = ['data', 'stringData'];
/** Fields that name another one, as `optionName` or `ParameterKey`, and those that have what is named. */
const naming = /(name|key|path|file)$/i;
const isNamedValue = /^(content|contents|data|text)$|value$/i;
const isContent = /(binary|content|data|json|payload|string|text|value)(wo)?$/i;
const copies = 'kubectl.kubernetes.io/last-applied-configuration';

/** One that knows the kinds whose definitions are among these objects. */
export function concealerOf(objects: readonly KubeObject[]): Concealer {
  const schemas = schemasOf(objects);
  const known = new WeakMap<KubeObject, KubeObject>();
  const withoutValues = withoutValuesOf(objects);
  const value = (one: Json): Json => withoutValues(concealedWith(one, schemas, undefined));
  const object = (one: KubeObject): KubeObject => {
    const before = known.get(one);
    if (before !== undefined) return before;
    const now = value(one) as KubeObject;
    known.set(one, now);
    return now;
  };
  const at: Concealer['at'] = ({apiVersion, kind}, path, one) => {
    const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
    const whole = keys.reduceRight((inner: Json, key): Json => ({[key]: inner}), one);
    const shown = value(isObject(whole) ? {...whole, apiVersion, kind} : whole);
    return keys.reduce((inner: Json, key): Json => (isObject(inner) ? (inner[key] ?? null) : inner), shown);
  };
  return {value, object, at};
}

const withoutSchemas = concealerOf([]);

/** Where no definition is at hand. */
export function concealed(value: Json): Json {
  return withoutSchemas.value(value);
}

export function concealedAt(path: string, value: Json): Json {
  return withoutSchemas.at({apiVersion: '', kind: ''}, path, value);
}

function schemasOf(objects: readonly KubeObject[]): Schemas {
  const schemas = new Map<string, Json>();
  for (const {kind, spec} of objects) {
    if (kind !== 'CustomResourceDefinition' && kind !== 'CompositeResourceDefinition') continue;
    const versions = spec?.['versions'];
    for (const version of isList(versions) ? versions : []) {
      const schema = field(field(version, 'schema'), 'openAPIV3Schema');
      const key = keyOf(spec?.['group'], field(spec?.['names'], 'kind'));
      if (schema !== undefined && JSON.stringify(schema).includes('"password"')) schemas.set(key, schema);
    }
  }
  return schemas;
}

function field(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) ? value[key] : undefined;
}

function keyOf(group: Json | undefined, kind: Json | undefined): string {
  return `${String(group)}/${String(kind)}`;
}

function concealedWith(value: Json, schemas: Schemas, schema: Json | undefined): Json {
  if (field(schema, 'format') === 'password') return hidden(value);
  if (typeof value === 'string') return concealedString(value, schemas);
  if (isList(value)) {
    return value.map((item, index) =>
      isSecretFlag(value[index - 1]) && typeof item === 'string'
        ? concealedPlaceholder
        : concealedWith(item, schemas, field(schema, 'items')),
    );
  }
  if (!isObject(value)) return value;
  const {apiVersion, kind} = value;
  const own = typeof apiVersion === 'string' ? schemas.get(keyOf(groupOf(apiVersion), kind)) : undefined;
  const isSecret = kind === 'Secret';
  const isOfSecret = typeof kind === 'string' && isSecretName(kind.replace(/(Version|V\d+)$/, ''));
  // `{name: DB_PASSWORD, value: ...}`, as containers and Helm charts have it; `{key: ..., sensitive: true}`, as Terraform has it;
  // `{path: /etc/token, content: ...}`, as cloud-init has it.
  const namesSecret = ([key, one]: readonly [string, Json]) =>
    naming.test(key) && isScalar(one) && isSecretName(String(one));
  const named = isSensitive(value) || Object.entries(value).some(namesSecret);
  const isPair = ['crt', 'cert', 'certificate'].some((key) => isScalar(value[key]));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]): [string, Json] => {
      if (isSecret && contents.includes(key)) return [key, emptied(inner)];
      if (isSecret && key === 'metadata') return [key, concealedMetadata(inner)];
      if (isOfSecret && key === 'spec') return [key, concealedWith(withoutContents(inner), schemas, undefined)];
      if (key === 'binaryData') return [key, emptied(inner)];
      const isNamed = (named && isNamedValue.test(key)) || (isPair && key === 'key');
      if (isSecretName(key) || key === copies || isNamed) return [key, withoutText(inner, schemas)];
      // Of a condition.
      if (key === 'message' && value['status'] !== undefined && typeof inner === 'string')
        return [key, concealedSentence(inner)];
      if (isEnvironment(key) && !isScalar(inner)) return [key, withoutValues(inner, schemas)];
      return [key, concealedWith(inner, schemas, schemaBelow(own ?? schema, key))];
    }),
  );
}

/** Of the kind of a provider that makes a secret, as `ActionsSecret` with `plaintextValue`. */
function withoutContents(inner: Json): Json {
  if (isList(inner)) return inner.map(withoutContents);
  if (!isObject(inner)) return inner;
  return Object.fromEntries(
    Object.entries(inner).map(([key, one]) => [
      key,
      isScalar(one) && isContent.test(key) ? concealedPlaceholder : withoutContents(one),
    ]),
  );
}

function isSensitive(value: JsonObject): boolean {
  const isMarked = ['sensitive', 'secret', 'secure', 'isSecret', 'masked'].some((key) => value[key] === true);
  return isMarked || value['type'] === 'SecureString';
}

function schemaBelow(schema: Json | undefined, key: string): Json | undefined {
  return field(field(schema, 'properties'), key) ?? field(schema, 'additionalProperties');
}

/** A plan is about the composer of a Secret and the name it gave. */
function concealedMetadata(metadata: Json): Json {
  if (!isObject(metadata)) return concealedPlaceholder;
  const keptOf = (map: Json | undefined): JsonObject =>
    Object.fromEntries(
      Object.entries(isObject(map) ? map : {}).map(([key, inner]) => [
        key,
        isCrossplanes(key) ? inner : concealedPlaceholder,
      ]),
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
  if (!isObject(inner)) return concealedPlaceholder;
  return Object.fromEntries(Object.keys(inner).map((key) => [key, concealedPlaceholder])) satisfies JsonObject;
}

/** All of it, whatever it is. */
function hidden(inner: Json): Json {
  if (isObject(inner)) return emptied(inner);
  return inner === null ? null : concealedPlaceholder;
}

/** Under a secret name: a list of texts is as secret as each of them; what refers to a secret is none. */
function withoutText(inner: Json, schemas: Schemas): Json {
  if (isScalar(inner)) return concealedPlaceholder;
  if (isList(inner)) return inner.map((item) => withoutText(item, schemas));
  if (!isObject(inner) || isReference(inner)) return concealedWith(inner, schemas, undefined);
  return Object.fromEntries(Object.entries(inner).map(([key, value]) => [key, withoutText(value, schemas)]));
}

const ofReferences: readonly string[] = [
  ...['name', 'namespace', 'key', 'kind', 'apiVersion', 'group', 'uid', 'optional'],
  ...['source', 'type', 'fs', 'env', 'path', 'policy', 'resolve', 'resolution', 'matchControllerRef'],
];

/** It names where a secret is, or it has only other maps in it. */
function isReference(value: JsonObject): boolean {
  const keys = Object.keys(value).filter((key) => !isObject(value[key]) && !isList(value[key]));
  const names = ['name', 'source', 'policy'].some((key) => typeof value[key] === 'string');
  return names && keys.every((key) => ofReferences.includes(key));
}

/** The environment of a process: names stay, values go. */
function withoutValues(inner: Json, schemas: Schemas): Json {
  if (isList(inner)) {
    return inner.map((item) => {
      if (!isObject(item)) return hidden(item);
      const kept = concealedWith(item, schemas, undefined) as JsonObject;
      return kept['value'] === undefined ? withoutValues(kept, schemas) : {...kept, value: hidden(kept['value'])};
    });
  }
  if (!isObject(inner)) return inner;
  const isRef = ['name', 'valueFrom'].some((key) => inner[key] !== undefined);
  if (isRef) return concealedWith(inner, schemas, undefined);
  return Object.fromEntries(
    Object.entries(inner).map(([key, value]) => [
      key,
      isScalar(value) ? concealedPlaceholder : withoutValues(value, schemas),
    ]),
  );
}

function isScalar(value: Json | undefined): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** Text that is YAML or JSON, as Helm values and manifests are, stays readable. */
function concealedString(text: string, schemas: Schemas): Json {
  const documents = structured(text);
  if (documents === undefined) return concealedText(text);
  const shown = documents.map((one) => concealedWith(one, schemas, undefined));
  if (equal(documents as Json, shown)) return concealedText(text);
  // A sentence with a colon is a map, too, with the rest of it as a key.
  return withoutShapes(
    /^\s*[{[]/.test(text) ? JSON.stringify(shown[0]) : shown.map((one) => stringify(one)).join('---\n'),
  );
}

/** The maps and lists that a text is; undefined where it is none. */
function structured(text: string): readonly Json[] | undefined {
  if (!/^\s*[{[]/.test(text) && !/:\s/.test(text)) return undefined;
  try {
    const documents = parseAllDocuments(text, {logLevel: 'silent'});
    if (!Array.isArray(documents) || documents.some(({errors, contents: top}) => errors.length > 0 || top === null)) {
      return undefined;
    }
    const values = documents.map((one) => JSON.parse(JSON.stringify(one.toJS({maxAliasCount: 20}))) as Json);
    return values.every((one) => isObject(one) || isList(one)) ? values : undefined;
  } catch {
    return undefined;
  }
}

/** True for an argument such as `--token`, whose value is the next item of its list. */
function isSecretFlag(item: Json | undefined): boolean {
  return typeof item === 'string' && /^--?[\w-]+$/.test(item) && isSecretName(item.replace(/^-+/, ''));
}
