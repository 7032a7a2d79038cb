import type {KubeObject} from '../object.ts';
import type {ApiError, ApiRequest, ApiResponse, WatchEvent} from './request.ts';

// CONTRACT, to be filled in by the API server's engineer: keep these signatures.

/** The store and its kinds. Immutable: `serve` answers a new state that shares what did not change. */
export interface ServerState {
  readonly revision: number;
}

/** A validating admission webhook for deletes, called before preconditions are checked, as kube-apiserver does. */
export interface Admission {
  readonly reviewDelete: (
    server: ServerState,
    object: KubeObject,
    request: ApiRequest & {readonly verb: 'delete' | 'delete-collection'},
    nowMs: number,
  ) => {readonly server: ServerState; readonly events: readonly WatchEvent[]; readonly denial?: ApiError};
}

export interface ServeContext {
  readonly nowMs: number;
  readonly admission?: Admission;
}

export interface Served {
  readonly server: ServerState;
  readonly response: ApiResponse;
  /** In revision order; the kernel hands them to the informers of their kind. */
  readonly events: readonly WatchEvent[];
}

export function emptyServer(): ServerState {
  return {revision: 0};
}

export function serve(server: ServerState, request: ApiRequest, context: ServeContext): Served {
  throw new Error(`cannot serve ${request.verb} at ${context.nowMs}: revision ${server.revision}`);
}
