// Random sequences of writes to one object of a random kind, in the form of the recordings of server-side apply.

import fc from 'fast-check';
import type {Json, JsonObject} from '../../src/wire/json.ts';
import {defined, maybe, objectOf} from './arbitrary.ts';
import {valueFor} from './schema-values.ts';

export interface Operation extends JsonObject {
  readonly op: string;
  /** The version that it speaks; the one of the sequence where absent. */
  readonly apiVersion?: string;
  readonly request: JsonObject & {
    readonly method: string;
    /** Below the namespace: `/typeds/NAME`. */
    readonly path: string;
    readonly contentType: string;
    readonly query: Query;
    readonly body: Json;
  };
}

type Query = {readonly [key: string]: string};

export interface Sequence {
  readonly kind: string;
  readonly plural: string;
  readonly apiVersion: string;
  readonly ops: readonly Operation[];
}

/** The name of every object: each sequence is told in a namespace of its own, which stands as "default". */
export const objectName = 'one';
const named = {name: objectName, namespace: 'default'};

const ssa = 'application/apply-patch+yaml';
const merge = 'application/merge-patch+json';
const json = 'application/json';

const managers = fc.constantFrom('m1', 'm2', 'm3');
const forces = fc.constantFrom<Query>({}, {}, {force: 'true'}, {force: 'false'});

const labelValues = fc.constantFrom('1', '2', 'no spaces please');
const owner = objectOf({
  apiVersion: fc.constant('example.org/v1'),
  kind: fc.constant('Owner'),
  name: fc.constantFrom('o', 'p'),
  uid: fc.constantFrom('u-1', 'u-2'),
  controller: maybe(fc.boolean()),
});
const metadata = objectOf({
  labels: maybe(fc.dictionary(fc.constantFrom('a', 'b', 'example.org/c'), labelValues, {maxKeys: 2})),
  annotations: maybe(fc.dictionary(fc.constantFrom('a', 'n'), fc.constantFrom('1', 'any thing'), {maxKeys: 2})),
  finalizers: maybe(fc.uniqueArray(fc.constantFrom('example.org/f', 'example.org/g'), {maxLength: 2}), 25),
  ownerReferences: maybe(fc.uniqueArray(owner, {maxLength: 2, selector: ({uid}) => uid}), 25),
});

/** What writes are made of, of one kind. */
interface Bodies {
  readonly plural: string;
  readonly spec: fc.Arbitrary<Json>;
  readonly status: fc.Arbitrary<Json>;
  /** A whole object. */
  readonly whole: fc.Arbitrary<JsonObject>;
  /** A whole object with its status alone. */
  readonly statusOnly: fc.Arbitrary<JsonObject>;
}

function bodiesOf({apiVersion, kind, plural, schema}: Version): Bodies {
  const properties = schema['properties'] as {readonly [key: string]: JsonObject};
  const spec = valueFor(properties['spec'] ?? {});
  const status = valueFor(properties['status'] ?? {});
  const head = {apiVersion, kind};
  const whole = objectOf({meta: maybe(metadata, 33), spec: maybe(spec, 90), status: maybe(status, 10)}).map(
    ({meta, ...rest}) => ({...head, metadata: {...(meta as JsonObject | undefined), ...named}, ...rest}),
  );
  const statusOnly = status.map((value) => ({...head, metadata: named, status: value}));
  return {plural, spec, status, whole, statusOnly};
}

interface Write {
  readonly op: string;
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly query?: fc.Arbitrary<Query>;
  readonly body: fc.Arbitrary<Json>;
}

function writeOf({op, method, path, contentType, query = fc.constant({}), body}: Write): fc.Arbitrary<Operation> {
  return fc.tuple(managers, query, body).map(([fieldManager, more, sent]) => ({
    op,
    request: {method, path, contentType, query: {fieldManager, ...more}, body: sent},
  }));
}

/** In the stored version, and in the others that are served. */
function operationsOf(kind: Kind): fc.Arbitrary<Operation> {
  const inOthers = kind.others.map((other) =>
    operationsIn(other).map((one) => ({...one, apiVersion: other.apiVersion})),
  );
  return fc.oneof(operationsIn(kind), ...inOthers);
}

function operationsIn(kind: Version): fc.Arbitrary<Operation> {
  const {plural, spec, status, whole, statusOnly} = bodiesOf(kind);
  const path = `/${plural}/${objectName}`;
  const statusPath = `${path}/status`;
  const part = objectOf({metadata: maybe(metadata, 30), spec: maybe(spec, 80), status: maybe(status, 10)});
  const statusPart = status.map((value) => ({status: value}));
  const patch = {method: 'PATCH', path} as const;
  return fc.oneof(
    {weight: 8, arbitrary: writeOf({...patch, op: 'apply', contentType: ssa, query: forces, body: whole})},
    {weight: 3, arbitrary: writeOf({...patch, op: 'mergePatch', contentType: merge, body: part})},
    {weight: 2, arbitrary: writeOf({op: 'put', method: 'PUT', path, contentType: json, body: replacing(whole)})},
    {weight: 2, arbitrary: writeOf({op: 'create', method: 'POST', path: `/${plural}`, contentType: json, body: whole})},
    {
      weight: 2,
      arbitrary: writeOf({
        ...patch,
        op: 'jsonPatch',
        contentType: 'application/json-patch+json',
        body: jsonPatches(spec),
      }),
    },
    {
      weight: 2,
      arbitrary: writeOf({
        ...patch,
        op: 'statusApply',
        path: statusPath,
        contentType: ssa,
        query: forces,
        body: statusOnly,
      }),
    },
    {
      weight: 1,
      arbitrary: writeOf({...patch, op: 'statusMerge', path: statusPath, contentType: merge, body: statusPart}),
    },
    {weight: 1, arbitrary: deletes(path)},
  );
}

/** As who read the object and writes it back. */
function replacing(whole: fc.Arbitrary<JsonObject>): fc.Arbitrary<Json> {
  const live = {
    resourceVersion: '${rv}',
    uid: '${uid}',
    managedFields: '${managedFields}',
    creationTimestamp: '${creationTimestamp}',
  };
  return whole.map((one) => ({...one, metadata: {...(one['metadata'] as JsonObject), ...live}}));
}

function jsonPatches(spec: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const one = fc.oneof(
    spec.map((value): Json => ({op: 'add', path: '/spec', value})),
    spec.map((value): Json => ({op: 'replace', path: '/spec', value})),
    fc.constantFrom<Json>(
      {op: 'remove', path: '/spec/owner'},
      {op: 'add', path: '/metadata/labels', value: {j: 'p'}},
      {op: 'test', path: '/kind', value: 'Other'},
      {op: 'remove', path: '/metadata/finalizers'},
    ),
  );
  return fc.array(one, {minLength: 1, maxLength: 2});
}

function deletes(path: string): fc.Arbitrary<Operation> {
  const policy = fc.constantFrom('Background', 'Foreground', 'Orphan', undefined);
  const uid = fc.constantFrom('${uid}', '${oldUid}', 'nobody', undefined, undefined);
  return fc.tuple(policy, uid).map(([propagationPolicy, wanted]) => {
    const preconditions = wanted === undefined ? undefined : {uid: wanted};
    const body = defined({kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy, preconditions});
    return {op: 'delete', request: {method: 'DELETE', path, contentType: json, query: {}, body}};
  });
}

interface Version {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly schema: JsonObject;
}

/** In its stored version. */
interface Kind extends Version {
  readonly others: readonly Version[];
}

/** Sequences for the kinds that the CustomResourceDefinitions bring. */
export function sequencesFor(crds: readonly JsonObject[]): fc.Arbitrary<Sequence> {
  return fc.oneof(
    ...crds.map(kindOf).map((kind) => {
      const {apiVersion, plural} = kind;
      const ops = fc.array(operationsOf(kind), {minLength: 1, maxLength: 6});
      return ops.map((list) => ({kind: kind.kind, plural, apiVersion, ops: list}));
    }),
  );
}

function kindOf({spec}: JsonObject): Kind {
  const {group, names, versions} = spec as {
    readonly group: string;
    readonly names: {readonly kind: string; readonly plural: string};
    readonly versions: readonly (JsonObject & {readonly schema: {readonly openAPIV3Schema: JsonObject}})[];
  };
  const asVersion = (version: (typeof versions)[number]): Version => ({
    apiVersion: `${group}/${String(version['name'])}`,
    kind: names.kind,
    plural: names.plural,
    schema: version.schema.openAPIV3Schema,
  });
  const [stored] = versions.filter((version) => version['storage'] === true).map(asVersion);
  if (stored === undefined) throw new Error(`${names.kind} has no version that is stored`);
  const others = versions.filter((version) => version['storage'] !== true && version['served'] === true).map(asVersion);
  return {...stored, others};
}
