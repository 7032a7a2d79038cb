// Snapshots in field words: a story says what matters to it, the rest is an ordinary XR with ordinary resources.

import type {Seals} from '../../src/lifecycle/external-names/seal.ts';
import {labelValue} from '../../src/lifecycle/facts/marks.ts';
import {composedFieldManager, compositeId} from '../../src/lifecycle/facts/naming.ts';
import type {Input} from '../../src/lifecycle/input/input.ts';
import {type Plan, plan} from '../../src/lifecycle/plan/plan.ts';
import {at, isBlank, type Json, type JsonObject} from '../../src/lifecycle/words/json.ts';
import type {ExchangeObstacle, Obstacle} from '../../src/lifecycle/words/obstacles.ts';
import type {DesiredView, KindSchema, Ready, ResourceView, Snapshot} from '../../src/lifecycle/words/snapshot.ts';

export const xrUid = 'xr-uid-after-restore';
const apiVersion = 'ec2.example.org/v1beta1';

export const xr = view({
  apiVersion: 'platform.example.org/v1',
  kind: 'XNetwork',
  metadata: {name: 'net', uid: xrUid},
});

/** The XR with the annotation that lets "db" go. */
export const confirmation = {
  xr: view({
    ...xr.json(),
    metadata: {name: 'net', uid: xrUid, annotations: {'tether.fn.crossplane.io/confirm-removal': 'db'}},
  }),
};

export const manager = composedFieldManager(xr);
export const id = compositeId(xr);

const ours = {apiVersion: 'platform.example.org/v1', kind: 'XNetwork', name: 'net', uid: xrUid, controller: true};

export interface ObservedOptions {
  readonly kind?: string;
  /** Object name; `net-<resource name>` unless set. */
  readonly name?: string;
  readonly namespace?: string;
  /** Whose controller reference: ours unless set. */
  readonly controller?: 'ours' | 'nobody' | 'stale';
  /** Marks on what nobody controls, which prove whose it is: our label, and Crossplane's. There unless set. */
  readonly proof?: 'none';
  readonly labels?: JsonObject;
  readonly annotations?: JsonObject;
  readonly deleting?: boolean;
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
  /** FieldsV1 of Crossplane's entry in managedFields; no managedFields unless set. */
  readonly owned?: JsonObject;
  /** Of that entry: this XR's unless set. */
  readonly manager?: string;
  /** Of the stored object; none unless set. */
  readonly resourceVersion?: string;
  /** The values of its connection Secret. */
  readonly details?: JsonObject;
}

/** A composed resource as Crossplane observes it. */
export function observed(resourceName: string, options: ObservedOptions = {}): [string, ResourceView] {
  const {kind = 'Thing', name = `net-${resourceName}`, controller = 'ours', owned, manager: by = manager} = options;
  const proof = controller === 'nobody' && options.proof === undefined ? marked(resourceName) : {};
  const references = {ours: [ours], nobody: [], stale: [{...ours, uid: 'xr-uid-before-restore'}]}[controller];
  const object: JsonObject = {
    apiVersion:
      kind === 'Thing' || options.spec?.['of'] === undefined ? apiVersion : 'protection.crossplane.io/v1beta1',
    kind,
    metadata: {
      name,
      ...(options.namespace === undefined ? {} : {namespace: options.namespace}),
      uid: `uid-of-${name}`,
      ...(options.resourceVersion === undefined ? {} : {resourceVersion: options.resourceVersion}),
      labels: {...(options.proof === 'none' ? {} : {'crossplane.io/composite': 'net'}), ...proof, ...options.labels},
      annotations: {'crossplane.io/composition-resource-name': resourceName, ...options.annotations},
      ownerReferences: references,
      ...(options.deleting ? {deletionTimestamp: '2026-01-01T00:00:00Z'} : {}),
      ...(owned === undefined ? {} : {managedFields: [{manager: by, operation: 'Apply', fieldsV1: owned}]}),
    },
    spec: options.spec ?? {},
    ...(options.status === undefined ? {} : {status: options.status}),
  };
  return [resourceName, view(object, options.details)];
}

/** A composed resource as an earlier step desires it. */
export function desired(
  resourceName: string,
  options: {
    kind?: string;
    name?: string;
    namespace?: string;
    labels?: JsonObject;
    spec?: JsonObject;
    ready?: Ready;
  } = {},
): [string, DesiredView] {
  const {kind = 'Thing', name, namespace, labels, spec = {}, ready = 'unspecified'} = options;
  const metadata = {
    ...(name === undefined ? {} : {name}),
    ...(namespace === undefined ? {} : {namespace}),
    ...(labels === undefined ? {} : {labels}),
  };
  return [resourceName, {...view({apiVersion, kind, metadata, spec}), ready}];
}

/** A Usage as an earlier step desires it, in whatever words. */
export function desiredUsage(resourceName: string): [string, DesiredView] {
  const body = {apiVersion: 'protection.crossplane.io/v1beta1', kind: 'ClusterUsage', metadata: {}, spec: {}};
  return [resourceName, {...view(body), ready: 'unspecified'}];
}

export interface UsageOptions {
  readonly apiVersion?: string;
  readonly kind?: string;
  /** Resource names; the objects are `net-<resource name>`. */
  readonly of: string;
  /** Thing unless set. */
  readonly ofKind?: string;
  readonly by?: string;
  readonly reason?: string;
  readonly namespace?: string;
  readonly owned?: JsonObject;
  readonly replays?: boolean;
  readonly otherManagers?: readonly JsonObject[];
  readonly annotations?: JsonObject;
  readonly labels?: JsonObject;
  /** It is being deleted, and has these finalizers. */
  readonly finalizers?: readonly string[];
}

/** An observed Usage of another step, with explicit references, under this XR's control. */
export function usage(resourceName: string, options: UsageOptions): [string, ResourceView] {
  const of = {apiVersion, kind: options.ofKind ?? 'Thing', resourceRef: {name: `net-${options.of}`}};
  const by = {apiVersion, kind: 'Thing', resourceRef: {name: `net-${options.by}`}};
  const object: JsonObject = {
    apiVersion: options.apiVersion ?? 'protection.crossplane.io/v1beta1',
    kind: options.kind ?? (options.namespace === undefined ? 'ClusterUsage' : 'Usage'),
    metadata: {
      name: `net-${resourceName}`,
      ...(options.namespace === undefined ? {} : {namespace: options.namespace}),
      annotations: {'crossplane.io/composition-resource-name': resourceName, ...options.annotations},
      ...(options.labels === undefined ? {} : {labels: options.labels}),
      ...(options.finalizers && {deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: options.finalizers}),
      ownerReferences: [ours],
      managedFields: [
        {manager, operation: 'Apply', fieldsV1: options.owned ?? {'f:spec': {'f:of': {}, 'f:by': {}}}},
        ...(options.otherManagers ?? []),
      ],
    },
    spec: {
      of,
      ...(options.by === undefined ? {} : {by}),
      ...(options.reason === undefined ? {} : {reason: options.reason}),
      ...(options.replays ? {replayDeletion: true} : {}),
    },
  };
  return [resourceName, view(object)];
}

export interface Given {
  /** How large what is observed is; nothing unless set. */
  readonly bytes?: number;
  readonly others?: number;
  readonly xr?: ResourceView;
  readonly observed?: readonly [string, ResourceView][];
  readonly desired?: readonly [string, DesiredView][];
  /** Answers by requirement name. */
  readonly required?: {readonly [requirement: string]: readonly ResourceView[]};
  /** Answers about kinds by requirement name; this Crossplane gives none unless set. */
  readonly schemas?: {readonly [requirement: string]: boolean | KindSchema};
  readonly desiredXr?: ResourceView;
  readonly context?: JsonObject;
  readonly input?: Input;
  /** None unless set. */
  readonly seals?: Seals;
}

/** A word says whether the kind is served; then it has every field. */
function schemaOf(said: boolean | KindSchema): KindSchema {
  return typeof said === 'boolean' ? {isServed: said, declares: () => said} : said;
}

export function snapshot(given: Given): Snapshot {
  return {
    bytes: {observed: given.bytes ?? 0, desired: 0, others: given.others ?? 0},
    xr: given.xr ?? xr,
    observed: new Map(given.observed),
    desired: new Map(given.desired),
    required: new Map(Object.entries(given.required ?? {})),
    schemas:
      given.schemas === undefined
        ? undefined
        : new Map(Object.entries(given.schemas).map(([name, said]) => [name, schemaOf(said)])),
    desiredXr: given.desiredXr,
    context: (path) => at(given.context, path),
  };
}

/** The plan of an input that is not bad. */
export function planOf(given: Given): Plan {
  const result = plan(snapshot(given), given.input ?? {}, 'function-tether', given.seals);
  if (result.kind !== 'plan') throw new Error(`${result.path}: expected ${result.expected}, got ${result.got}`);
  return result;
}

/** The decisions as one line each: `hold (still-used-by)`. */
export function table(given: Given): {readonly [resourceName: string]: string} {
  const entries = [...planOf(given).decisions].map(([name, decision]): [string, string] => [
    name,
    'reason' in decision ? `${decision.kind} (${decision.reason})` : decision.kind,
  ]);
  return Object.fromEntries(entries);
}

/** The body emitted for a resource, which fails the test if none is. */
export function emitted(result: Plan, resourceName: string): JsonObject {
  const edit = result.edits.get(resourceName);
  if (edit?.kind !== 'put') throw new Error(`${resourceName} is not emitted but ${edit?.kind ?? 'untouched'}`);
  return edit.object;
}

/** The labels that mark an object as this XR's resource. */
export function marked(resourceName: string): JsonObject {
  return {
    'tether.fn.crossplane.io/composite': id,
    'tether.fn.crossplane.io/resource': labelValue(resourceName),
  };
}

/** A view over plain JSON, which answers what the edge's lazy view answers. */
export function view(object: JsonObject, details: JsonObject = {}): ResourceView {
  const metadataText = (key: string): string => (at(object, ['metadata', key]) as string | undefined) ?? '';
  return {
    apiVersion: object['apiVersion'] as string,
    kind: object['kind'] as string,
    name: metadataText('name'),
    namespace: metadataText('namespace'),
    uid: metadataText('uid'),
    field: (path): Json | undefined => at(object, path),
    isBlank: (path) => isBlank(at(object, path)),
    connectionDetails: new Map(
      Object.entries(details).map(([key, value]) => [key, new TextEncoder().encode(String(value))]),
    ),
    json: () => object,
  };
}

/** An obstacle in words: its kind, and what sets it apart from others of that kind. */
export function obstacleWords(obstacle: Obstacle | ExchangeObstacle | undefined): string | undefined {
  if (obstacle === undefined) return undefined;
  const {kind, what, does, whose, isNew, isMoving, usage, others, why} = obstacle as AnyFacts;
  const flags = [isNew && 'new', isMoving && 'moving', usage && 'usage', others && 'for it'];
  return [kind, what, does, whose, why, ...flags].filter(Boolean).join(' ');
}

type AnyFacts = {
  readonly [fact in 'kind' | 'what' | 'does' | 'whose' | 'isNew' | 'isMoving' | 'usage' | 'others' | 'why']?: unknown;
};
