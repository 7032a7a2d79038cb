import type {Json, JsonObject} from '../../src/cluster/json.ts';
import {equal, isList, isObject} from '../../src/cluster/json.ts';
import type {KubeObject} from '../../src/cluster/object.ts';
import {shown} from '../../src/harness/input/input-error.ts';
import type {RecordedEnd, StepResult} from './recording.ts';

// The comparison rules of control-plane recordings. Compared at the end of every step whose recording does not say
// `quiet: false`: the set of objects without CustomResourceDefinitions, and of each object labels (without the
// composition hash), annotations, finalizers and owner references as sets, whether it is deleting, spec, status without
// conditions, and conditions as type -> status/reason; of the step the HTTP codes.
// Not compared: uids, generations, generateName, messages, timing, and order inside one reconcile (so resourceRefs are
// a set: their order is the order of names that are random).

/** One line per difference; empty where the steps agree. */
export function differencesOfSteps(expected: readonly RecordedEnd[], actual: readonly RecordedEnd[]): string[] {
  const found = expected.flatMap((step, index) => {
    const other = actual[index];
    const place = `step ${step.index} "${step.label}"`;
    if (other === undefined) return [`${place}: expected the step, got nothing`];
    return differencesOfStep(step, other).map((difference) => `${place}: ${difference}`);
  });
  const extra = actual.length - expected.length;
  return extra > 0 ? [...found, `expected ${expected.length} steps, got ${extra} more`] : found;
}

function differencesOfStep(expected: RecordedEnd, actual: RecordedEnd): string[] {
  const codes = differenceOf('results', codesOf(expected.results), codesOf(actual.results));
  if (expected.quiet === false) return codes;
  return [...codes, ...differencesOfObjects(expected.snapshot, actual.snapshot)];
}

function codesOf(results: readonly StepResult[] | undefined): Json {
  return (results ?? []).map((result) => result.code ?? 'could not be sent');
}

function differencesOfObjects(expected: readonly KubeObject[], actual: readonly KubeObject[]): string[] {
  const want = comparables(expected);
  const got = comparables(actual);
  const keys = [...new Set([...want.keys(), ...got.keys()])].sort();
  return keys.flatMap((key) => {
    const left = want.get(key);
    const right = got.get(key);
    if (right === undefined) return [`${key}: expected the object, got none`];
    if (left === undefined) return [`${key}: expected no such object, got one`];
    return differenceOf(key, left, right);
  });
}

function comparables(objects: readonly KubeObject[]): Map<string, JsonObject> {
  const alive = new Set(objects.map((object) => object.metadata.uid));
  const compared = objects.filter((object) => object.kind !== 'CustomResourceDefinition');
  return new Map(compared.map((object) => [addressOf(object), comparable(object, alive)]));
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
  return [`${place}: expected ${shown(expected)}, got ${shown(actual)}`];
}
