// An edited manifest, as the action of `kubectl apply`: fields that its author set before, and the file no longer has, go.
// Definitions and Compositions belong to their author alone, so their spec is replaced. For any other object the author's fields
// are in its last-applied annotation, or else in the managed fields of managers that are no controllers.

import {equal, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import {groupKindOf, type KubeObject, refOf} from '../../cluster/object.ts';
import type {StepAction} from '../control-plane/operator/action.ts';

/** `before` is the object as the control plane has it; undefined where it has none of this name. */
export function editing(after: KubeObject, before: KubeObject | undefined): StepAction {
  if (before === undefined) return {kind: 'apply', objects: [after]};
  return {kind: 'patch', target: targetOf(after, before), type: 'merge', status: false, body: patchOf(after, before)};
}

/** The action that `kubectl replace` would be: all that the file leaves out goes, but for the status of its kind. */
export function replacing(after: KubeObject, before: KubeObject): StepAction {
  const {labels = {}, annotations = {}, finalizers = [], ownerReferences = []} = after.metadata;
  const kept = Object.entries({labels, annotations, finalizers, ownerReferences}) as [string, Json][];
  const gone = Object.keys(contentOf(before)).filter((key) => !Object.hasOwn(after, key));
  const body: Json[] = [
    ...kept.map(([key, value]) => ({op: 'add', path: `/metadata/${key}`, value})),
    ...Object.entries(contentOf(after)).map(([key, value]) => ({op: 'add', path: `/${key}`, value})),
    ...gone.map((key) => ({op: 'remove', path: `/${key}`})),
  ];
  return {kind: 'patch', target: targetOf(after, before), type: 'json', status: false, body};
}

/** In the version of the file: missing fields get the defaults of that version. A file may leave out the namespace. */
function targetOf(after: KubeObject, before: KubeObject) {
  return refOf({...after, metadata: before.metadata});
}

/** True if both have the same names: a file may leave out its namespace. */
export function isSameObject(one: KubeObject, other: KubeObject): boolean {
  const [left, right] = [one.metadata, other.metadata];
  const sameNamespace = left.namespace === right.namespace || left.namespace === undefined;
  return groupKindOf(one) === groupKindOf(other) && left.name === right.name && sameNamespace;
}

const whole: readonly string[] = ['Composition', 'CompositeResourceDefinition'];

function patchOf(after: KubeObject, before: KubeObject): JsonObject {
  const {labels, annotations} = after.metadata;
  const said = authored(before);
  const wanted: JsonObject = {
    metadata: {...(labels === undefined ? {} : {labels}), ...(annotations === undefined ? {} : {annotations})},
    ...contentOf(after),
  };
  return merging(wanted, before, said) ?? {};
}

/** Its spec, or the field of the kind for people's content: `data` of an EnvironmentConfig, `rules` of a role. */
function contentOf(object: JsonObject): JsonObject {
  const {apiVersion: _, kind: __, metadata: ___, status: ____, ...content} = object;
  return content;
}

/** A merge patch from `before` to the wanted object, without fields that its author set before and no longer has. */
function merging(wanted: JsonObject, before: JsonObject, said: JsonObject): JsonObject | undefined {
  const patch: {[key: string]: Json} = {};
  for (const [key, value] of Object.entries(wanted)) {
    const old = before[key];
    const [inner, saidInner] = [isObject(old) ? old : {}, said[key]];
    if (isObject(value)) {
      const changes = merging(value, inner, isObject(saidInner) ? saidInner : {});
      if (changes !== undefined || !isObject(old)) patch[key] = changes ?? {};
    } else if (!equal(old, value)) patch[key] = value;
  }
  for (const key of Object.keys(said)) if (!Object.hasOwn(wanted, key) && Object.hasOwn(before, key)) patch[key] = null;
  return Object.keys(patch).length === 0 ? undefined : patch;
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

function authored(object: KubeObject): JsonObject {
  if (whole.includes(object.kind)) return object.spec === undefined ? {} : {spec: object.spec};
  const text = object.metadata.annotations?.[lastApplied];
  const said = text === undefined ? undefined : parsed(text);
  if (said !== undefined) {
    const {metadata} = said;
    const {labels = {}, annotations = {}} = isObject(metadata) ? metadata : {};
    return {metadata: {labels, annotations}, ...contentOf(said)};
  }
  const entries = (object.metadata.managedFields ?? []).filter(
    ({manager, subresource}) => subresource === undefined && !/crossplane|provider|controller/.test(manager),
  );
  return entries.map(({fieldsV1}) => contentOf(named(fieldsV1))).reduce<JsonObject>(joined, {});
}

/** The fields of a set as an object: its leaves are null. */
function named(fields: JsonObject): JsonObject {
  const names = Object.entries(fields).filter(([key]) => key.startsWith('f:'));
  return Object.fromEntries(
    names.map(([key, inner]) => [key.slice(2), isObject(inner) && Object.keys(inner).length > 0 ? named(inner) : null]),
  );
}

function joined(one: JsonObject, other: JsonObject): JsonObject {
  const both = {...one};
  for (const [key, value] of Object.entries(other)) {
    const known = both[key];
    both[key] = isObject(known) && isObject(value) ? joined(known, value) : value;
  }
  return both;
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
