// Requests of the managed reconciler to the client of the cloud. Clients return the managed resource with their changes: in memory
// only, the reconciler decides which it writes.

import type {ExternalReply, ExternalRequest} from '../cloud/cloud-protocol.ts';
import type {Call} from '../kernel/call.ts';
import {cloud, note, type Step} from '../kernel/call.ts';
import type {KubeObject} from '../object.ts';

export type ConnectionDetails = {readonly [key: string]: string};

export type Observed =
  | {
      readonly ok: true;
      readonly managed: KubeObject;
      readonly exists: boolean;
      readonly upToDate: boolean;
      /** The client filled something into spec or annotations that is worth writing. */
      readonly lateInitialized: boolean;
      readonly connection: ConnectionDetails;
    }
  | {readonly ok: false; readonly managed: KubeObject; readonly error: string};

/** The cloud has no such resource. */
export function absent(managed: KubeObject): Observed {
  return {ok: true, managed, exists: false, upToDate: false, lateInitialized: false, connection: noDetails};
}

export type Attempt =
  | {readonly ok: true; readonly managed: KubeObject; readonly connection: ConnectionDetails}
  | {readonly ok: false; readonly managed: KubeObject; readonly error: string};

export interface ExternalClient {
  /** Prepares for the reconcile of this object. */
  readonly connect: (managed: KubeObject) => Step<void>;
  readonly observe: (managed: KubeObject) => Step<Observed>;
  readonly create: (managed: KubeObject) => Step<Attempt>;
  readonly update: (managed: KubeObject) => Step<Attempt>;
  readonly delete: (managed: KubeObject) => Step<Attempt>;
  /** The object's finalizer is about to go: what is kept about it in memory goes too. */
  readonly forget: (managed: KubeObject) => Step<void>;
}

/** Places where a provider may be killed, in the order a reconcile comes by them; the last two are the goroutine's. */
export const crashPointNames = [
  'observe',
  'observe-namechange',
  'pre-create',
  'post-create',
  'pre-critical',
  'pre-critical-late',
  'post-critical',
  'post-delete',
  'async-ended',
  'async-callback-done',
] as const;

export type CrashPointName = (typeof crashPointNames)[number];

/** Marks that the process is at a place where it may be killed. */
export function crashPoint(point: CrashPointName): Step<void> {
  return note({type: 'Log', reason: 'crash-point', message: point});
}

export function* ask(request: ExternalRequest): Generator<Call, ExternalReply, unknown> {
  return yield* cloud<ExternalReply>(request);
}

/** How clients put a refusal of the cloud into words. */
export function refusal({code, error}: ExternalReply): string {
  return code === 404 ? 'not found' : `cloud answered ${code}: ${error ?? 'no reason given'}`;
}

export const noDetails: ConnectionDetails = {};
