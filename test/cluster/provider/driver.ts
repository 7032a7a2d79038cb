import type {ApiError, ApiRequest, ApiResponse} from '../../../src/cluster/api/request.ts';
import type {ExternalReply, ExternalRequest, ExternalView} from '../../../src/cluster/cloud/cloud-protocol.ts';
import type {Call, Outcome} from '../../../src/cluster/kernel/call.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {annotationsOf} from '../../../src/cluster/provider/annotations.ts';
import {emptyMemory} from '../../../src/cluster/provider/operation-tracker.ts';

// Drives one reconcile by hand: every call is answered here and written down in short, so a test can pin the exact
// order of what the reconciler asks for.

export interface Script {
  /** What the informer's cache holds. */
  readonly cached?: KubeObject | undefined;
  /** What a second read of the cache finds. */
  readonly cachedLater?: KubeObject;
  /** The cloud's external resources by identifier. */
  readonly externals?: readonly ExternalView[];
  /** The answer to a create; by default the cloud makes ext-1. */
  readonly create?: ExternalReply;
  /** Errors for the nth write (from 1): the object's, then its status's, in one count. */
  readonly errors?: {readonly [nth: number]: ApiError};
  readonly memory?: unknown;
  /** What a read from the API server itself finds. */
  readonly stored?: KubeObject;
  readonly nowMs?: number;
}

export interface Driven<T> {
  readonly calls: readonly string[];
  readonly outcome: T;
  /** The last object written, with what the write carried. */
  readonly written: KubeObject | undefined;
  readonly statusWritten: KubeObject | undefined;
  readonly memory: unknown;
  readonly events: readonly string[];
}

export const conflict: ApiError = {ok: false, code: 409, reason: 'Conflict', message: 'the object has been modified'};
const notFound: ApiError = {ok: false, code: 404, reason: 'NotFound', message: 'not found'};
export const startMs = Date.UTC(2026, 0, 1);

export function drive<T = Outcome>(run: Generator<Call, T, unknown>, script: Script): Driven<T> {
  const calls: string[] = [];
  const events: string[] = [];
  let writes = 0;
  let reads = 0;
  let version = 1;
  let memory: unknown = script.memory ?? emptyMemory;
  let written: KubeObject | undefined;
  let statusWritten: KubeObject | undefined;

  function serve(request: ApiRequest): ApiResponse {
    calls.push(shown(request));
    const error = script.errors?.[++writes];
    if (error !== undefined) return error;
    if (request.verb === 'get' && script.stored === undefined) return notFound;
    if (request.verb === 'get') return {ok: true, code: 200, object: script.stored as KubeObject};
    if (request.verb !== 'update') return {ok: true, code: 200};
    const {object} = request;
    const isStatus = request.subresource === 'status';
    if (isStatus) statusWritten = object;
    else written = object;
    const metadata = {...object.metadata, resourceVersion: String(++version)};
    if (isStatus) return {ok: true, code: 200, object: {...object, metadata}};
    // The answer to a write of the object carries the status of the store, not the one that was sent.
    const {status: _, ...sent} = object;
    const stored = script.cached?.status;
    return {
      ok: true,
      code: 200,
      object: {...sent, metadata, ...(stored === undefined ? {} : {status: stored})} as KubeObject,
    };
  }

  function answer(call: Call): unknown {
    switch (call.to) {
      case 'cache': {
        calls.push('read cache');
        const object = ++reads > 1 ? (script.cachedLater ?? script.cached) : script.cached;
        return {ok: true, object, items: object === undefined ? [] : [object]};
      }
      case 'api':
        return serve(call.request);
      case 'cloud':
        return cloud(call.request as ExternalRequest, script, calls);
      case 'memory':
        memory = call.change(memory);
        return memory;
      case 'now':
        return script.nowMs ?? startMs;
      case 'spawn':
        calls.push(`spawn ${call.routine}`);
        return undefined;
      case 'sleep':
        calls.push('sleep');
        return undefined;
      case 'enqueue':
        calls.push(`enqueue ${call.key} after ${call.afterMs} ms`);
        return undefined;
      case 'note':
        if (call.note.type !== 'Log') events.push(call.note.reason);
        return undefined;
      default:
        throw new Error(`nobody answers a call to ${call.to}`);
    }
  }

  let step = run.next();
  while (!step.done) step = run.next(answer(step.value));
  return {calls, outcome: step.value, written, statusWritten, memory, events};
}

function cloud(request: ExternalRequest, script: Script, calls: string[]): ExternalReply {
  const id = request.op === 'create' ? (request.asked?.id ?? '') : request.id;
  calls.push(id === '' ? `cloud ${request.op}` : `cloud ${request.op} ${id}`);
  if (request.op === 'create')
    return script.create ?? {code: 201, external: external('ext-1', request.fields as {readonly size: string})};
  const found = script.externals?.find((each) => each.id === request.id);
  if (found === undefined) return {code: 404, error: 'not found'};
  return request.op === 'delete' ? {code: 200} : {code: 200, external: found};
}

export function external(id: string, fields: ExternalView['fields'] = {size: 'small'}): ExternalView {
  return {id, fields, attributes: {}, state: 'available'};
}

/** A write in short: what it brings of annotations, finalizers and conditions. */
function shown(request: ApiRequest): string {
  if (request.verb !== 'update') return request.verb;
  const {object, subresource} = request;
  if (subresource === 'status') {
    const conditions = (object.status?.['conditions'] ?? []) as readonly {
      status: string;
      type: string;
      reason: string;
    }[];
    return `PUT status ${conditions.map(({type, status, reason}) => `${type}=${status}/${reason}`).join(' ')}`.trim();
  }
  const annotations = Object.keys(annotationsOf(object)).map((key) => key.replace('crossplane.io/', ''));
  const finalizers = (object.metadata.finalizers ?? []).length;
  return `PUT object [${annotations.sort().join(' ')}] finalizers=${finalizers}`;
}
