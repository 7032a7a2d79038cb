// An edited manifest, as the action that `kubectl apply` would be: what the file no longer says, and its author had said,
// goes. Definitions and Compositions are their author's alone, so their spec is replaced. What an author said of any other
// object is in its last-applied annotation, or else in the managed fields of whoever is no controller.

import {equal, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import {groupKindOf, type KubeObject} from '../../cluster/object.ts';
import type {StepAction} from '../operator/action.ts';

/** `before` is the object as the control plane has it; undefined where it has none of this name. */
export function editing(after: KubeObject, before: KubeObject | undefined): StepAction {
  if (before === undefined) return {kind: 'apply', objects: [after]};
  const {apiVersion, kind, metadata} = after;
  const {namespace} = before.metadata;
  // In the version of the file: what it leaves out is defaulted as that version says.
  const target = {apiVersion, kind, name: metadata.name, ...(namespace === undefined ? {} : {namespace})};
  const body = patchOf(after, before);
  return {kind: 'patch', target, type: 'merge', status: false, body};
}

/** Whether the two are the same object, as far as names go: a file may leave out its namespace. */
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

/** Its spec, or whatever else the kind has for what people say: `data` of an EnvironmentConfig, `rules` of a role. */
function contentOf(object: JsonObject): JsonObject {
  const {apiVersion: _, kind: __, metadata: ___, status: ____, ...content} = object;
  return content;
}

/** A merge patch that makes `before` say what is wanted, and no longer what was said and is not. */
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

/** What a set of fields names, as an object: its leaves are null. */
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
