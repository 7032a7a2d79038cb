// Kinds the API server serves: built in, installed as data, or defined by a CustomResourceDefinition.
//
// All versions of a kind are one shape in the store (conversion None), which is how Crossplane defines its kinds and
// those of XRDs; where a webhook converts, the versions are made to be (below). Not modelled: short names and
// categories, the scale subresource.

import {equal, isList, isObject, type Json, type JsonObject} from '../json.ts';
import {remembering} from '../memo.ts';
import {groupOf, type KubeObject, versionOf} from '../object.ts';
import {type Structural, structuralOf} from '../schema/structural.ts';
import type {FieldError} from './errors.ts';
import type {Typing} from './field-ownership.ts';
import {type FieldSet, fieldSetOf, noFields} from './field-set.ts';
import {type Atom, resourceTypeOf} from './merge-type.ts';

export interface KindDefinition {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly versions: readonly KindVersion[];
  /** May a PUT leave out resourceVersion? False for custom resources. */
  readonly unconditionalUpdate?: boolean;
  /** The propagation of a DELETE without a policy. Without this field, dependents are deleted in the background. */
  readonly deletedAs?: 'Orphan';
  /** A PUT of what is not there creates it. */
  readonly createdByUpdate?: true;
  /** The empty body of an object, for kinds that are Go structs: its fields have no first owner. */
  readonly empty?: JsonObject;
  /** A generation is counted, true for custom resources; of some kinds a change of annotations counts, too. */
  readonly generation?: boolean | 'with-annotations';
  /** Few worlds have objects of it, so who watches it costs a world without them no step. */
  readonly rare?: true;
  /** Errors of a name, for kinds with rules of their own. */
  readonly names?: (name: string, isPrefix: boolean) => readonly string[];
  /** Its objects are Go structs to the server, which cannot read a value of another type at all. */
  readonly isStruct?: true;
  /** The object with what is filled in wherever a client leaves it out, where that is more than a default. */
  readonly filled?: (object: KubeObject) => KubeObject;
  /** The object with what the server adds on creation. */
  readonly born?: (object: KubeObject) => KubeObject;
  /** The object with what an update cannot take from it. */
  readonly kept?: (next: KubeObject, old: KubeObject) => KubeObject;
}

export interface KindVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  /** An OpenAPI v3 schema as in a CRD. Without one anything is accepted. */
  readonly schema?: JsonObject;
  /** Has the status subresource. */
  readonly status: boolean;
  /** Errors that the server finds in Go code; `old` is the object before an update. */
  readonly check?: (object: KubeObject, old: KubeObject | undefined) => readonly FieldError[];
}

/** A definition made ready: schemas read, types built. */
export interface Kind {
  readonly definition: KindDefinition;
  /** `Kind.group`, the key of the kind in a server. */
  readonly groupKind: string;
  /** `plural.group`, as errors print it. */
  readonly resource: string;
  readonly versions: ReadonlyMap<string, Version>;
  readonly storage: Version;
}

export interface Version {
  readonly kind: Kind;
  readonly apiVersion: string;
  readonly served: boolean;
  readonly status: boolean;
  readonly structural: Structural | undefined;
  readonly check: KindVersion['check'];
  readonly typing: Typing;
  readonly statusTyping: Typing;
}

export const kindOf = remembering(makeKind);

/** The kind a CustomResourceDefinition defines; undefined where its spec lacks what a kind needs. */
export function definitionOf({spec}: KubeObject): KindDefinition | undefined {
  return spec && definitionIn(spec);
}

const definitionIn = remembering(readDefinition);

function readDefinition(spec: JsonObject): KindDefinition | undefined {
  const names = spec['names'];
  const versions = spec['versions'];
  if (!isObject(names) || !isList(versions)) return undefined;
  const {kind, plural} = names;
  const group = spec['group'];
  if (typeof kind !== 'string' || typeof plural !== 'string' || typeof group !== 'string') return undefined;
  const namespaced = spec['scope'] === 'Namespaced';
  const read = versions.filter(isObject).map(readVersion);
  return {group, kind, plural, namespaced, versions: hasWebhook(spec) ? inOneShape(read) : read};
}

function hasWebhook({conversion}: JsonObject): boolean {
  return isObject(conversion) && conversion['strategy'] === 'Webhook';
}

function inOneShape(versions: readonly KindVersion[]): readonly KindVersion[] {
  const schema = schemaOfAll(versions.map((version) => version.schema));
  return versions.map(({schema: _, ...rest}) => (schema === undefined ? rest : {...rest, schema}));
}

function readVersion(version: JsonObject): KindVersion {
  const schema = isObject(version['schema']) ? version['schema']['openAPIV3Schema'] : undefined;
  const subresources: Json | undefined = version['subresources'];
  return {
    name: String(version['name']),
    served: version['served'] === true,
    storage: version['storage'] === true,
    ...(isObject(schema) ? {schema} : {}),
    status: isObject(subresources) && Object.hasOwn(subresources, 'status'),
  };
}

interface Draft {
  readonly definition: KindVersion;
  readonly apiVersion: string;
  readonly structural: Structural | undefined;
  readonly type: Atom;
}

function makeKind(definition: KindDefinition): Kind {
  const {group, kind, plural} = definition;
  const drafts = definition.versions.map((version): Draft => {
    const structural = version.schema === undefined ? undefined : structuralOf(version.schema);
    const apiVersion = group === '' ? version.name : `${group}/${version.name}`;
    return {definition: version, apiVersion, structural, type: resourceTypeOf(structural)};
  });
  const versions = new Map<string, Version>();
  const storage = drafts.find((draft) => draft.definition.storage) ?? drafts[0];
  if (storage === undefined) throw new Error(`cannot install kind ${kind}: it has no versions`);
  const made = {
    definition,
    groupKind: group === '' ? kind : `${kind}.${group}`,
    resource: group === '' ? plural : `${plural}.${group}`,
    versions,
    get storage(): Version {
      return versions.get(storage.apiVersion) as Version;
    },
  };
  const types = new Map(drafts.map(({apiVersion, type}) => [apiVersion, type]));
  const typeOf = (apiVersion: string) => types.get(apiVersion);
  const statusTyping = {typeOf, resetFields: resets(drafts, specField)};
  for (const draft of drafts) {
    const {apiVersion, structural} = draft;
    const {served, status, check} = draft.definition;
    // The main resource resets status in the terms of its own version only.
    const typing = {typeOf, resetFields: resets([draft], statusField)};
    versions.set(apiVersion, {kind: made, apiVersion, served, status, structural, check, typing, statusTyping});
  }
  return made;
}

const statusField = fieldSetOf(['f:status']);
/**
 * kubernetes/apiextensions-apiserver v0.34.4 pkg/registry/customresource/status_strategy.go GetResetFields. So labels that
 * come along with a status are owned by who sent them, and are not stored. Later versions (1aa2717a5) reset metadata too.
 */
const specField = fieldSetOf(['f:spec']);

function resets(drafts: readonly Draft[], fields: FieldSet): (apiVersion: string) => FieldSet {
  const withStatus = new Set(drafts.filter(({definition}) => definition.status).map(({apiVersion}) => apiVersion));
  return (apiVersion) => (withStatus.has(apiVersion) ? fields : noFields);
}

// One schema for all versions of a kind whose CustomResourceDefinition has a webhook convert between them. The webhook is the
// provider's: it loses nothing (a list of one item becomes the item itself, for example), but its code is not known here. So an
// object is kept as it was written, and read so in every version. Fields that all versions shape alike are held to their schema,
// fields of different shapes to none. A field of one version exists in all.
//
// Left out: defaults, lists by key and required fields that the versions do not share, every rule about what they shape
// differently; a field that a conversion renames.

const rules = 'x-kubernetes-validations';
const open: JsonObject = {'x-kubernetes-preserve-unknown-fields': true};

/** The schema that holds what any of them holds; undefined where one of the versions has none. */
function schemaOfAll(schemas: readonly (JsonObject | undefined)[]): JsonObject | undefined {
  const given = schemas.filter((schema) => schema !== undefined);
  return given.length === schemas.length && given.length > 0 ? given.reduce(both) : undefined;
}

function both(one: JsonObject, other: JsonObject): JsonObject {
  if (equal(one, other)) return one;
  if (one['type'] !== other['type']) return open;
  const {properties, items, additionalProperties} = one;
  const shared = Object.keys(one).filter((key) => key !== rules && equal(one[key], other[key]));
  return {
    ...Object.fromEntries(shared.map((key) => [key, one[key] as Json])),
    ...required(one, other),
    ...(isObject(properties) && isObject(other['properties'])
      ? {properties: members(properties, other['properties'])}
      : {}),
    ...inner('items', items, other['items']),
    ...inner('additionalProperties', additionalProperties, other['additionalProperties']),
  };
}

function members(one: JsonObject, other: JsonObject): JsonObject {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(names.map((name) => [name, ofMember(one[name], other[name])]));
}

function ofMember(one: Json | undefined, other: Json | undefined): Json {
  if (isObject(one) && isObject(other)) return both(one, other);
  return one ?? other ?? open;
}

function inner(key: string, one: Json | undefined, other: Json | undefined): JsonObject {
  return isObject(one) && isObject(other) ? {[key]: both(one, other)} : {};
}

function required({required: one}: JsonObject, {required: other}: JsonObject): JsonObject {
  if (!isList(one) || !isList(other)) return {};
  const shared = one.filter((name) => other.includes(name));
  return shared.length === 0 ? {} : {required: shared};
}

// Kinds as Kubernetes' code generators write them: one version, and a plural that follows from the name.

/** The fields in which a kind differs. By default it has a status and no namespace. */
export type OneVersion = Omit<Partial<KindDefinition>, 'group' | 'kind' | 'plural' | 'versions'> &
  Partial<Pick<KindVersion, 'status' | 'check'>>;

/** `apiVersion` is `v1` for the core group, `apps/v1` for another. */
export function oneVersionKind(
  apiVersion: string,
  kind: string,
  schema: JsonObject,
  {namespaced = false, status = true, check, ...more}: OneVersion = {},
): KindDefinition {
  const checked = check === undefined ? {} : {check};
  const version = {name: versionOf(apiVersion), served: true, storage: true, status, schema, ...checked};
  return {group: groupOf(apiVersion), kind, plural: pluralOf(kind), namespaced, ...more, versions: [version]};
}

/** k8s.io/gengo v2 namer/plural_namer.go. */
export function pluralOf(kind: string): string {
  const word = kind.toLowerCase();
  if (/(s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return `${word}s`;
}
