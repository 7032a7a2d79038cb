// A kind of managed resource and how its spec and status map to the cloud's fields: spec.forProvider is what is wanted
// (references and selectors left out), status.atProvider what was seen.
//
// Not modelled: spec.initProvider, sensitive fields, and fields that differ in shape between spec and cloud. Sound here
// because they change what is written to the cloud, never whether something is created, named or deleted.

import type {ExternalView} from '../cloud/cloud-protocol.ts';
import {available, creating} from '../crossplane/conditions.ts';
import {equal, isObject, type JsonObject} from '../json.ts';
import type {GroupVersionKind, KubeObject} from '../object.ts';
import type {ConditionDraft} from './conditions.ts';
import type {ConfigKind, KnownSecrets} from './provider-config.ts';
import type {RuntimeVersion} from './runtime-version.ts';

/**
 * The source of the external name. `author`: the annotation from before the create, else the cloud. `object`: the annotation, else
 * the object's name. `cloud`: always the cloud, as IdentifierFromProvider does.
 */
export type NameGiver = 'author' | 'object' | 'cloud';

export interface ManagedKind extends GroupVersionKind {
  /** The cloud's type of the external resource: several kinds may share one type, and so its external resources. */
  readonly type: string;
  /** The format of the external name; `{id}` stands for the cloud's identifier. */
  readonly nameFormat: string;
  /** Fields of status.atProvider that its provider computes; `{id}` stands for the cloud's identifier. */
  readonly shows: {readonly [field: string]: string};
  /** `sync`: a hand-written client that waits for the cloud. `async`: upjet's no-fork clients. */
  readonly client: 'sync' | 'async';
  /** A legacy kind has spec.deletionPolicy; a modern (namespaced) one has not. */
  readonly legacy: boolean;
  readonly namedBy: NameGiver;
  /** The provider declares external names of this kind deterministic (WithDeterministicExternalName). */
  readonly deterministicExternalName: boolean;
  /** Ready only once the cloud shows the resource as available; upjet kinds are Ready as soon as they are seen. */
  readonly waitsForState: boolean;
  readonly references: readonly ReferenceField[];
  /** Values of the connection Secret by key; `{id}` stands for the cloud's identifier. */
  readonly publishes: {readonly [key: string]: string};
  /** Those that the provider knows only after its create, such as an initial password. */
  readonly publishesOnce: {readonly [key: string]: string};
}

/** A field of spec.forProvider that can be given as `${field}Ref` or `${field}Selector`. */
export interface ReferenceField {
  readonly field: string;
  readonly to: GroupVersionKind;
  /** A list of values: `${field}` is filled from `${refs}`. */
  readonly many?: {readonly refs: string; readonly selector: string};
}

/** How a provider is run: flags of its process, the same for all its kinds. */
export interface ProviderSettings {
  /** The field manager of its writes: its user agent. */
  readonly manager: string;
  readonly pollMs: number;
  readonly minPollMs: number;
  readonly creationGraceMs: number;
  /** The feature flag of management policies. */
  readonly managementPolicies: boolean;
  readonly runtime: RuntimeVersion;
  /** The kinds of its configs; none where the story has no config of it. */
  readonly configs: readonly ConfigKind[];
  readonly secrets: KnownSecrets;
  /** How long the process hangs between a create and writing down what became of it: a busy machine. */
  readonly criticalPauseMs: number;
}

/** A legacy, synchronous kind that keeps the names that authors give; override what differs. */
export function managedKind(kind: GroupVersionKind & Partial<ManagedKind>): ManagedKind {
  return {
    type: kind.kind,
    nameFormat: '{id}',
    shows: {},
    publishes: {},
    publishesOnce: {},
    client: 'sync',
    legacy: true,
    namedBy: 'author',
    deterministicExternalName: false,
    waitsForState: false,
    references: [],
    ...kind,
  };
}

/** The fields that the managed resource wants the external resource to have. */
export function desiredFields(kind: ManagedKind, managed: KubeObject): JsonObject {
  const forProvider = managed.spec?.['forProvider'];
  if (!isObject(forProvider)) return {};
  const local = new Set(kind.references.flatMap(referenceKeys));
  return Object.fromEntries(Object.entries(forProvider).filter(([key]) => !local.has(key)));
}

/** Where the reference and the selector of a field are kept. */
export function referenceKeys({field, many}: ReferenceField): readonly [string, string] {
  return many === undefined ? [`${field}Ref`, `${field}Selector`] : [many.refs, many.selector];
}

/** True if the external resource has every wanted field as wanted. */
export function isUpToDate(kind: ManagedKind, managed: KubeObject, external: ExternalView): boolean {
  return Object.entries(desiredFields(kind, managed)).every(([key, value]) => equal(value, external.fields[key]));
}

/** The object with spec.forProvider filled where the cloud knows more; the same object where it does not. */
export function lateInitialized(managed: KubeObject, external: ExternalView): KubeObject {
  const forProvider = managed.spec?.['forProvider'];
  const wanted = isObject(forProvider) ? forProvider : {};
  const missing = Object.entries(external.fields).filter(([key]) => !Object.hasOwn(wanted, key));
  if (missing.length === 0) return managed;
  return {...managed, spec: {...managed.spec, forProvider: {...wanted, ...Object.fromEntries(missing)}}};
}

/** The condition Ready that follows from what the cloud shows. */
export function readiness({waitsForState}: ManagedKind, {state}: ExternalView): ConditionDraft {
  return waitsForState && state !== 'available' ? creating : available;
}

/** The object with status.atProvider as the cloud shows the resource. */
export function withObservation({shows}: ManagedKind, managed: KubeObject, external: ExternalView): KubeObject {
  const {id, fields, state, attributes, shown} = external;
  const computed = Object.entries(shows).map(([field, format]) => [field, format.replaceAll('{id}', id)]);
  const atProvider = shown ?? {id, ...fields, state, ...attributes, ...Object.fromEntries(computed)};
  return equal(managed.status?.['atProvider'], atProvider)
    ? managed
    : {...managed, status: {...managed.status, atProvider}};
}
