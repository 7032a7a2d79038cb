// Types for server-side apply: an atom defines how a value of each shape (scalar, list, map) is merged and owned.
// kubernetes-sigs/structured-merge-diff 15d0754 schema/elements.go; kubernetes/kube-openapi d427ff9 pkg/schemaconv/openapi.go turns
// a CRD's schema into them.

import type {Json} from '../json.ts';
import type {Structural} from '../schema/structural.ts';

export type Scalar = 'numeric' | 'string' | 'boolean' | 'untyped';

export interface ListType {
  readonly element: Atom;
  /** Atomic lists are owned whole; the others item by item: by `keys`, or by value where there are no keys. */
  readonly atomic: boolean;
  readonly keys: readonly string[];
}

export interface MapType {
  readonly fields: ReadonlyMap<string, {readonly type: Atom; readonly default: Json | undefined}>;
  /** The type of keys that are no fields; undefined where there may be none. */
  readonly element: Atom | undefined;
  readonly atomic: boolean;
}

/** The shapes a value may have. A value of another shape is an error. */
export interface Atom {
  readonly scalar?: Scalar;
  readonly list?: ListType;
  readonly map?: MapType;
}

const noFields: MapType['fields'] = new Map();

/** Anything, owned whole. */
const untyped: Atom = knot((self) => ({
  scalar: 'untyped',
  list: {element: self, atomic: true, keys: []},
  map: {fields: noFields, element: self, atomic: true},
}));

/** Anything, of which maps are owned key by key and lists whole: what x-kubernetes-preserve-unknown-fields means. */
export const deduced: Atom = knot((self) => ({
  scalar: 'untyped',
  list: {element: untyped, atomic: true, keys: []},
  map: {fields: noFields, element: self, atomic: false},
}));

const text: Atom = {scalar: 'string'};
const number: Atom = {scalar: 'numeric'};
const flag: Atom = {scalar: 'boolean'};
/** Scalars of any type, and strings of a format such as date-time. */
const anyScalar: Atom = {scalar: 'untyped'};

const texts: Atom = {map: {fields: noFields, element: text, atomic: false}};

/** The key of a list has the default of its Go type: a reference without uid is one with an empty uid. */
const ownerReference: Atom = struct(
  {apiVersion: text, kind: text, name: text, uid: text, controller: flag, blockOwnerDeletion: flag},
  true,
  {uid: ''},
);

const managedFieldsEntry = struct({
  apiVersion: text,
  fieldsType: text,
  fieldsV1: deduced,
  manager: text,
  operation: text,
  subresource: text,
  time: anyScalar,
});

const objectMetaType: Atom = struct({
  annotations: texts,
  creationTimestamp: anyScalar,
  deletionGracePeriodSeconds: number,
  deletionTimestamp: anyScalar,
  finalizers: {list: {element: text, atomic: false, keys: []}},
  generateName: text,
  generation: number,
  labels: texts,
  managedFields: {list: {element: managedFieldsEntry, atomic: true, keys: []}},
  name: text,
  namespace: text,
  ownerReferences: {list: {element: ownerReference, atomic: false, keys: ['uid']}},
  resourceVersion: text,
  selfLink: text,
  uid: text,
});

/** The type of a whole custom resource with this schema; without one, everything but metadata is deduced. */
export function resourceTypeOf(structural: Structural | undefined): Atom {
  const body = structural === undefined ? deduced : atomOf(structural, false);
  if (body.map === undefined) return body;
  const fields = new Map(body.map.fields);
  for (const [name, type] of metaTypes) fields.set(name, {type, default: undefined});
  return {map: {...body.map, fields}};
}

const metaTypes: readonly (readonly [string, Atom])[] = [
  ['apiVersion', text],
  ['kind', text],
  ['metadata', objectMetaType],
];

/** `preserve` passes x-kubernetes-preserve-unknown-fields down: what lies below may hold unknown fields as well. */
function atomOf(structural: Structural, preserve: boolean): Atom {
  const keep = preserve || structural.preserveUnknownFields;
  switch (structural.type) {
    case '':
      return {scalar: 'untyped', list: listOf(structural, keep), map: mapOf(structural, keep)};
    case 'object':
      return {map: mapOf(structural, keep)};
    case 'array':
      return {list: listOf(structural, keep)};
    case 'integer':
    case 'number':
      return number;
    case 'boolean':
      return flag;
    default:
      return structural.format === '' || structural.format === 'byte' ? text : anyScalar;
  }
}

function mapOf(structural: Structural, preserve: boolean): MapType {
  const fields = new Map(
    [...structural.properties].map(([name, property]) => [
      name,
      {type: atomOf(property, preserve), default: property.default},
    ]),
  );
  if (structural.embeddedResource) for (const [name, type] of metaTypes) fields.set(name, {type, default: undefined});
  return {fields, element: elementOf(structural, preserve, fields.size), atomic: structural.mapAtomic};
}

function elementOf(structural: Structural, preserve: boolean, fields: number): Atom | undefined {
  const additional = structural.additionalProperties;
  if (typeof additional === 'object') return atomOf(additional, preserve);
  if (additional !== undefined) return additional ? deduced : undefined;
  // OpenAPI: an object with neither properties nor additionalProperties is free-form.
  return preserve || fields === 0 ? deduced : undefined;
}

function listOf(structural: Structural, preserve: boolean): ListType {
  const element = structural.items === undefined ? untyped : atomOf(structural.items, preserve);
  const {listType} = structural;
  return {
    element,
    atomic: listType !== 'map' && listType !== 'set',
    keys: listType === 'map' ? structural.listMapKeys : [],
  };
}

function struct(
  types: {readonly [name: string]: Atom},
  atomic = false,
  defaults: {readonly [name: string]: Json} = {},
): Atom {
  const fields = new Map(Object.entries(types).map(([name, type]) => [name, {type, default: defaults[name]}]));
  return {map: {fields, element: undefined, atomic}};
}

/** A type that contains itself. */
function knot(tie: (self: Atom) => Atom): Atom {
  const self = {};
  return Object.assign(self, tie(self));
}
