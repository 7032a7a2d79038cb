import type {Json, JsonObject} from '../../src/cluster/json.ts';
import {equal, isList, isObject} from '../../src/cluster/json.ts';
import type {KubeObject} from '../../src/cluster/object.ts';
import {shownValue} from '../../src/harness/input/input-error.ts';
import type {RecordedEnd, StepResult} from './recording.ts';

// The comparison rules of control-plane recordings. Compared at the end of every step whose recording does not say
// `quiet: false`: the set of objects without CustomResourceDefinitions, and of each object labels (without the
// composition hash), annotations, finalizers and owner references as sets, whether it is deleting, spec, status without
// conditions, and conditions as type -> status/reason; of the step the HTTP codes.
// Not compared: uids, generateName, timing, and order inside one reconcile (so resourceRefs are a set: their order is
// the order of names that are random); unless asked for, generations, messages and managed fields.

/** `strict` compares generations, observed generations, messages and, where they were recorded, managed fields, too. */
export type Depth = 'plain' | 'strict';

/** One line per difference; empty where the steps agree. */
export function differencesOfSteps(
  expected: readonly RecordedEnd[],
  actual: readonly RecordedEnd[],
  depth: Depth = 'plain',
): string[] {
  const found = expected.flatMap((step, index) => {
    const other = actual[index];
    const place = `step ${step.index} "${step.label}"`;
    if (other === undefined) return [`${place}: expected the step, got nothing`];
    return differencesOfStep(step, other, depth).map((difference) => `${place}: ${difference}`);
  });
  const extra = actual.length - expected.length;
  return extra > 0 ? [...found, `expected ${expected.length} steps, got ${extra} more`] : found;
}

function differencesOfStep(expected: RecordedEnd, actual: RecordedEnd, depth: Depth): string[] {
  const codes = differenceOf('results', codesOf(expected.results), codesOf(actual.results));
  if (expected.quiet === false) return codes;
  return [...codes, ...differencesOfObjects(expected.snapshot, actual.snapshot, depth)];
}

function codesOf(results: readonly StepResult[] | undefined): Json {
  return (results ?? []).map((result) => result.code ?? 'could not be sent');
}

function differencesOfObjects(expected: readonly KubeObject[], actual: readonly KubeObject[], depth: Depth): string[] {
  const want = comparables(expected, depth);
  const got = comparables(actual, depth);
  const hasManagers = expected.some(({metadata}) => metadata.managedFields !== undefined);
  const keys = [...new Set([...want.keys(), ...got.keys()])].sort();
  return keys.flatMap((key) => {
    const left = want.get(key);
    const right = got.get(key);
    if (right === undefined) return [`${key}: expected the object, got none`];
    if (left === undefined) return [`${key}: expected no such object, got one`];
    return differenceOf(
      key,
      depth === 'plain' || hasManagers ? left : {...left, managers: right['managers'] ?? null},
      right,
    );
  });
}

/** function-deletion-protection ends the name of a Usage with a hash of the name that it protects, which may be drawn by chance. */
function withoutNameHashes(objects: readonly KubeObject[]): readonly KubeObject[] {
  const text = JSON.stringify(objects);
  if (!text.includes('-fn-protection')) return objects;
  return JSON.parse(text.replaceAll(/>-[0-9a-f]{6}-fn-protection/g, '>-<hash>-fn-protection'));
}

function comparables(objects: readonly KubeObject[], depth: Depth): Map<string, JsonObject> {
  const alive = new Set(objects.map((object) => object.metadata.uid));
  const compared = withoutNameHashes(objects.filter((object) => object.kind !== 'CustomResourceDefinition'));
  // Numbers of uids follow the order in which a run showed them, which is chance.
  const named = new Map(
    [...objects, ...compared].map(({kind, metadata}) => [metadata.uid, `${kind} ${metadata.name}`]),
  );
  const nameOf = (uid: string) => named.get(uid) ?? 'who is gone';
  return new Map(
    compared.map((object) => [
      addressOf(object),
      {...comparable(object, alive), ...(depth === 'strict' ? strictly(object, nameOf) : {})},
    ]),
  );
}

function addressOf(object: KubeObject): string {
  const {namespace, name} = object.metadata;
  return `${object.kind}.${object.apiVersion} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

function comparable(object: KubeObject, alive: ReadonlySet<string | undefined>): JsonObject {
  const {labels, annotations, finalizers, ownerReferences, deletionTimestamp} = object.metadata;
  const {conditions, ...status} = object.status ?? {};
  const {'crossplane.io/composition-hash': _, ...comparedLabels} = labels ?? {};
  const owners = (ownerReferences ?? []).map((owner) =>
    [
      owner.controller === true ? 'controller' : 'owner',
      owner.kind,
      owner.name,
      alive.has(owner.uid) ? 'live' : 'dangling',
    ].join(' '),
  );
  return {
    labels: comparedLabels,
    annotations: annotations ?? {},
    finalizers: [...(finalizers ?? [])].sort(),
    owners: owners.sort(),
    deleting: deletionTimestamp !== undefined,
    spec: withSetsSorted(object.spec ?? {}),
    status,
    conditions: conditionsOf(conditions),
  };
}

/** A manager that names none is called as its program: the recorder's copy of Crossplane had a name of its own. */
const programs: {readonly [manager: string]: string} = {'crossplane-core': 'crossplane'};

/** What only a strict comparison looks at. */
function strictly({metadata, status}: KubeObject, nameOf: (uid: string) => string): JsonObject {
  const list = isList(status?.['conditions']) ? status['conditions'].filter(isObject) : [];
  // An open breaker lets an event through now and then. Which one, and what it is when it is looked at, is chance: the
  // message names the source of the event that cost the last token, and Ready is as of the last event let through.
  const isOpen = list.some(({reason}) => reason === 'WatchCircuitOpen');
  const told = (isOpen ? [] : list).map(({type, message, observedGeneration}) => [
    String(type),
    {message: message ?? null, observedGeneration: observedGeneration ?? null},
  ]);
  // The recorder's provider writes its conditions anew when it first sees a restored object, ours where they differ.
  const isRestored = (metadata.managedFields ?? []).some(
    ({manager, subresource}) => manager === 'velero-server' && subresource === 'status',
  );
  const tracked = (metadata.managedFields ?? []).filter(({subresource}) => !isRestored || subresource !== 'status');
  const managers = tracked.map((entry) => {
    const {manager, operation, subresource = '', apiVersion, fieldsV1} = entry;
    return [
      `${programs[manager] ?? manager} ${operation} ${subresource}`.trim(),
      {apiVersion, fieldsV1: ownersNamed(fieldsV1 ?? null, nameOf)},
    ] as const;
  });
  return {
    generation: metadata.generation ?? null,
    told: Object.fromEntries(told) as JsonObject,
    managers: Object.fromEntries(managers) as JsonObject,
  };
}

/** Owned owner references are keyed by the owner's uid. */
function ownersNamed(fields: Json, nameOf: (uid: string) => string): Json {
  if (!isObject(fields)) return fields;
  const entries = Object.entries(fields).map(([key, below]) => {
    const uid = /^k:\{"uid":"(.*)"\}$/.exec(key)?.[1];
    return [uid === undefined ? key : `owner ${nameOf(uid)}`, ownersNamed(below, nameOf)] as const;
  });
  return Object.fromEntries(entries);
}

function conditionsOf(conditions: Json | undefined): JsonObject {
  const list = isList(conditions) ? conditions.filter(isObject) : [];
  return Object.fromEntries(list.map((item) => [String(item['type']), `${item['status']}/${item['reason']}`]));
}

/** The spec with resourceRefs (of legacy and of current XRs) in one order. */
function withSetsSorted(spec: JsonObject): JsonObject {
  const {resourceRefs, crossplane} = spec;
  return {
    ...spec,
    ...(isList(resourceRefs) ? {resourceRefs: sorted(resourceRefs)} : {}),
    ...(isObject(crossplane) ? {crossplane: withSetsSorted(crossplane)} : {}),
  };
}

function sorted(list: readonly Json[]): readonly Json[] {
  const key = (item: Json): string =>
    JSON.stringify(isObject(item) ? [item['apiVersion'], item['kind'], item['namespace'], item['name']] : item);
  return [...list].sort((left, right) => (key(left) < key(right) ? -1 : 1));
}

/** The places where two values differ, deepest first difference of each branch. */
function differenceOf(place: string, expected: Json | undefined, actual: Json | undefined): string[] {
  if (equal(expected, actual)) return [];
  if (isObject(expected) && isObject(actual)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].sort();
    return keys.flatMap((key) => differenceOf(`${place}.${key}`, expected[key], actual[key]));
  }
  if (isList(expected) && isList(actual) && expected.length === actual.length) {
    return expected.flatMap((item, index) => differenceOf(`${place}[${index}]`, item, actual[index]));
  }
  return [`${place}: expected ${shownValue(expected)}, got ${shownValue(actual)}`];
}
