// Requests to the API server and their responses. One request is one step of the simulated world.

import type {Json} from '../json.ts';
import type {GroupVersionKind, KubeObject, ResourceRef} from '../object.ts';

export type PropagationPolicy = 'Background' | 'Foreground' | 'Orphan';

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export type Subresource = 'status';

export interface LabelSelector {
  readonly matchLabels: {readonly [key: string]: string};
}

export interface ListScope extends GroupVersionKind {
  /** Absent: every namespace. */
  readonly namespace?: string;
  readonly selector?: LabelSelector;
}

export type ApiRequest =
  | {readonly verb: 'get'; readonly ref: ResourceRef}
  | ({readonly verb: 'list'} & ListScope)
  | ({readonly verb: 'create'; readonly object: KubeObject; readonly manager: string} & Tried)
  | ({
      readonly verb: 'update';
      readonly object: KubeObject;
      readonly manager: string;
      readonly subresource?: Subresource;
    } & Tried)
  | {
      readonly verb: 'patch';
      readonly type: 'apply' | 'merge' | 'json';
      readonly ref: ResourceRef;
      readonly body: Json;
      readonly manager: string;
      /** Only for `apply`: take over fields that others own. */
      readonly force?: boolean;
      readonly subresource?: Subresource;
    }
  | {
      readonly verb: 'delete';
      readonly ref: ResourceRef;
      readonly propagationPolicy?: PropagationPolicy;
      readonly preconditions?: Preconditions;
    }
  | ({
      readonly verb: 'delete-collection';
      readonly propagationPolicy?: PropagationPolicy;
      /** The API server's own work on its storage, which passes no admission webhook. */
      readonly isInternal?: true;
    } & ListScope);

/** The kind a request is about. */
export function kindAsked(request: ApiRequest): GroupVersionKind {
  switch (request.verb) {
    case 'create':
    case 'update':
      return request.object;
    case 'get':
    case 'patch':
    case 'delete':
      return request.ref;
    case 'list':
    case 'delete-collection':
      return request;
  }
}

interface Tried {
  /** Answered like any other, and nothing is stored (dryRun=All). */
  readonly dryRun?: true;
}

interface ApiSuccess {
  readonly ok: true;
  readonly code: 200 | 201;
  /** The object after the request; for a delete that removed it, its last state. */
  readonly object?: KubeObject;
  /** Only for `list`. */
  readonly items?: readonly KubeObject[];
}

/** Kubernetes' Status: `reason` is the machine-readable word (a webhook may put a sentence there). */
export interface ApiError {
  readonly ok: false;
  readonly code: 400 | 403 | 404 | 405 | 409 | 410 | 415 | 422 | 500 | 503;
  readonly reason: string;
  readonly message: string;
  readonly causes?: readonly {readonly reason: string; readonly message: string; readonly field: string}[];
}

export type ApiResponse = ApiSuccess | ApiError;

/** A change as watchers of the kind see it, in the order of `revision`. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
  /** The store's revision after the change; equals the object's resourceVersion. */
  readonly revision: number;
}

/** True if the object carries every label of the selector. No selector matches every object. */
export function matches(object: KubeObject, selector: LabelSelector | undefined): boolean {
  if (selector === undefined) return true;
  const labels = object.metadata.labels ?? {};
  return Object.entries(selector.matchLabels).every(
    ([key, value]) => Object.hasOwn(labels, key) && labels[key] === value,
  );
}
