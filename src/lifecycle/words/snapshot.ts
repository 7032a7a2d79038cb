// One RunFunction request as the policy sees it. The edge builds it lazily over the request's bytes: a view decodes only the fields
// that are read. So the policy reads whole objects only if it has to emit them again.

import type {Json, JsonObject, Path} from './json.ts';

/** One object of the request. Absent strings are ''. Synchronous, pure: the same question has the same answer. */
export interface ResourceView {
  readonly apiVersion: string;
  readonly kind: string;
  /** metadata.name, '' while Crossplane has still to choose one. */
  readonly name: string;
  /** metadata.namespace, '' for cluster-scoped objects and for a desired resource without one. */
  readonly namespace: string;
  /** metadata.uid, '' for an object that the API server has not made. */
  readonly uid: string;
  /** The value at a path below the object's root, undefined where there is none. */
  field(path: Path): Json | undefined;
  /** True if the value at a path of keys is absent, null, false, '', {} or []. Cheap: nothing is decoded. */
  isBlank(path: readonly string[]): boolean;
  /** The values of its connection Secret, by key: of observed objects, and of the XR as the pipeline sets it. */
  readonly connectionDetails: ReadonlyMap<string, Uint8Array>;
  /** The whole object. Costly: ask only for objects that are emitted again. */
  json(): JsonObject;
}

/** READY_UNSPECIFIED, READY_TRUE, READY_FALSE. */
export type Ready = 'unspecified' | 'true' | 'false';

/** A composed resource as the earlier steps of the pipeline desire it. */
export interface DesiredView extends ResourceView {
  readonly ready: Ready;
}

/** The schema of a kind, from Crossplane. */
export interface KindSchema {
  readonly isServed: boolean;
  /** True if objects of the kind may have the field; an open schema allows any. */
  readonly declares: (path: Path) => boolean;
}

/**
 * Everything the policy may know. Keys of the maps are resource names, in any order: the core never depends on it.
 *
 * Loops over all resources are forEach() of the maps, because `for...of` makes an array for every entry, and with some
 * ten loops a call those are a third of all its garbage.
 */
export interface Snapshot {
  /** How large the request is, apart from the answers to this function's questions. `others`: input, context, other answers. */
  readonly bytes: {readonly observed: number; readonly desired: number; readonly others: number};
  /** The observed XR. Its `metadata.uid` distinguishes our controller reference from a stale one. */
  readonly xr: ResourceView;
  readonly observed: ReadonlyMap<string, ResourceView>;
  readonly desired: ReadonlyMap<string, DesiredView>;
  /**
   * Answers to the requirements of an earlier call, by requirement name. An absent key was never answered; an empty
   * list was looked for and does not exist.
   */
  readonly required: ReadonlyMap<string, readonly ResourceView[]>;
  /** Schemas of kinds that an earlier call asked for, by requirement name; undefined if this Crossplane does not answer that. */
  readonly schemas: ReadonlyMap<string, KindSchema> | undefined;
  /** The XR as the earlier steps desire it, undefined if none of them does. */
  readonly desiredXr: ResourceView | undefined;
  /** The value at a path of the pipeline's context, undefined where there is none. */
  readonly context: (path: Path) => Json | undefined;
}

export type Composition = Pick<Snapshot, 'xr' | 'observed' | 'desired'>;
