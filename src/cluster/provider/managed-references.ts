// Resolves references of spec.forProvider to the external-names of other managed resources, read from the cache, and writes the
// changes by server-side apply. A value that is set stays unless its policy is Always.
// Source: crossplane/crossplane-runtime 4e7ed235 pkg/reference/reference.go:190-440, pkg/reconciler/managed/api.go:232-263.
//
// Not modelled: extracting anything but the external-name, and references across namespaces.

import {isList, isObject, type Json, type JsonObject} from '../json.ts';
import {api, cached, type Step, shuffled} from '../kernel/call.ts';
import {haveSameController, type KubeObject, type ResourceRef, refOf} from '../object.ts';
import {externalNameOf} from './annotations.ts';
import {type ReferenceField, referenceKeys} from './managed-kind.ts';
import {isConflict, type ManagedRun} from './managed-writes.ts';

const resolverManager = 'managed.crossplane.io/api-simple-reference-resolver';

export type Resolved =
  | {readonly ok: true; readonly managed: KubeObject}
  | {readonly ok: false; readonly managed: KubeObject; readonly conflict: boolean; readonly error: string};

type Found =
  | {readonly ok: true; readonly values: readonly string[]; readonly names: readonly string[]}
  | {readonly ok: false; readonly error: string};

/** The object with every reference resolved, written where that changed it. */
export function* resolveReferences(run: ManagedRun, managed: KubeObject): Step<Resolved> {
  let changes: JsonObject = {};
  for (const field of run.kind.references) {
    const resolved = yield* resolveField(managed, field);
    if (!resolved.ok) {
      const error = `cannot resolve references: mg.Spec.ForProvider.${field.field}: ${resolved.error}`;
      return {ok: false, managed, conflict: false, error};
    }
    changes = {...changes, ...resolved.changes};
  }
  if (Object.keys(changes).length === 0) return {ok: true, managed};
  return yield* write(managed, changes);
}

function* write(managed: KubeObject, changes: JsonObject): Step<Resolved> {
  const ref = refOf(managed);
  const {name, namespace} = ref;
  const metadata = namespace === undefined ? {name} : {name, namespace};
  const body = {apiVersion: managed.apiVersion, kind: managed.kind, metadata, spec: {forProvider: changes}};
  const response = yield* api({verb: 'patch', type: 'apply', ref, body, manager: resolverManager, force: true});
  if (response.ok) return {ok: true, managed: response.object ?? managed};
  return {
    ok: false,
    managed,
    conflict: isConflict(response),
    error: `cannot patch the managed resource via server-side apply: ${response.message}`,
  };
}

function* resolveField(
  managed: KubeObject,
  field: ReferenceField,
): Step<{ok: true; changes: JsonObject} | {ok: false; error: string}> {
  const forProvider = managed.spec?.['forProvider'];
  if (!isObject(forProvider)) return {ok: true, changes: {}};
  const [refKey, selectorKey] = referenceKeys(field);
  const selector = isObject(forProvider[selectorKey]) ? forProvider[selectorKey] : undefined;
  // A selector that is always resolved anew does not look at the references it chose before.
  const refs = selector !== undefined && isAlways(selector) ? [] : references(forProvider[refKey]);
  const always = selector !== undefined ? isAlways(selector) : refs.some(isAlways);
  if (isSet(forProvider[field.field]) && !always) return {ok: true, changes: {}};
  if (refs.length === 0 && selector === undefined) return {ok: true, changes: {}};
  const found = refs.length > 0 ? yield* follow(managed, field, refs) : yield* select(managed, field, selector ?? {});
  if (!found.ok) return isOptional(selector, refs) ? {ok: true, changes: {}} : found;
  return {ok: true, changes: changesOf(forProvider, field, found)};
}

function* follow(managed: KubeObject, {to}: ReferenceField, refs: readonly JsonObject[]): Step<Found> {
  const values: string[] = [];
  const names = refs.map((ref) => String(ref['name']));
  for (const name of names) {
    const read = yield* cached({verb: 'get', ref: referenceTo(managed, to, name)});
    if (!read.ok) return {ok: false, error: `cannot get referenced resource: ${read.message}`};
    if (read.object === undefined)
      return {ok: false, error: `cannot get referenced resource: ${to.kind} "${name}" not found`};
    values.push(externalNameOf(read.object));
  }
  return withValues(values, names);
}

function* select(managed: KubeObject, {to, many}: ReferenceField, selector: JsonObject): Step<Found> {
  const {namespace} = managed.metadata;
  const matchLabels = (selector['matchLabels'] ?? {}) as {readonly [key: string]: string};
  const scope = {apiVersion: to.apiVersion, kind: to.kind, selector: {matchLabels}};
  const read = yield* cached({verb: 'list', ...scope, ...(namespace === undefined ? {} : {namespace})});
  if (!read.ok) return {ok: false, error: `cannot list resources that match selector: ${read.message}`};
  const matches = read.items.filter(
    (item) => selector['matchControllerRef'] !== true || haveSameController(managed, item),
  );
  if (matches.length === 0) return {ok: false, error: 'no resources matched selector'};
  if (many === undefined) {
    // An informer lists in the order of a Go map: of several matches, any may be taken.
    const [first] = yield* shuffled(matches, 'which of the selected resources is referenced');
    return first === undefined
      ? {ok: false, error: 'no resources matched selector'}
      : withValues([externalNameOf(first)], [first.metadata.name]);
  }
  const sorted = [...matches].sort((left, right) => (externalNameOf(left) < externalNameOf(right) ? -1 : 1));
  return withValues(
    sorted.map(externalNameOf),
    sorted.map(({metadata}) => metadata.name),
  );
}

function withValues(values: readonly string[], names: readonly string[]): Found {
  if (values.some((value) => value === ''))
    return {ok: false, error: 'referenced field was empty (referenced resource may not yet be ready)'};
  return {ok: true, values, names};
}

function changesOf(forProvider: JsonObject, field: ReferenceField, found: Extract<Found, {ok: true}>): JsonObject {
  const [refKey] = referenceKeys(field);
  const [value = '', name = ''] = [found.values[0], found.names[0]];
  const before = references(forProvider[refKey]);
  const refs = found.names.map((refName) => before.find((ref) => ref['name'] === refName) ?? {name: refName});
  const next: JsonObject =
    field.many === undefined
      ? {[field.field]: value, [refKey]: refs[0] ?? {name}}
      : {[field.field]: found.values, [refKey]: refs};
  return Object.fromEntries(
    Object.entries(next).filter(([key, change]) => JSON.stringify(forProvider[key]) !== JSON.stringify(change)),
  );
}

function referenceTo(managed: KubeObject, to: ReferenceField['to'], name: string): ResourceRef {
  const {namespace} = managed.metadata;
  return namespace === undefined ? {...to, name} : {...to, namespace, name};
}

function references(value: Json | undefined): readonly JsonObject[] {
  if (isObject(value)) return [value];
  return isList(value) ? value.filter(isObject) : [];
}

function isSet(value: Json | undefined): boolean {
  return isList(value) ? value.length > 0 : value !== undefined && value !== null && value !== '';
}

function isAlways(holder: JsonObject): boolean {
  return isObject(holder['policy']) && holder['policy']['resolve'] === 'Always';
}

function isOptional(selector: JsonObject | undefined, refs: readonly JsonObject[]): boolean {
  const holder = refs[0] ?? selector;
  return isObject(holder?.['policy']) && holder['policy']['resolution'] === 'Optional';
}
