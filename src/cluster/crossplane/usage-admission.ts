// The webhook that denies deletes of used objects: called for objects with the in-use label, it denies while any Usage
// names the object as `of`, whether or not that Usage is ready, deleting, or its `by` exists.
// Source: crossplane/crossplane 2d040d2da internal/webhook/protection/usage/handler.go, cluster/webhookconfigurations/
// usage.yaml (failurePolicy Fail); v1.16.1 to v1.20.11 internal/usage/handler.go.
// Modelled: it first writes down the attempt on the object, so a denied delete changes it, and a delete that came with a
// resourceVersion fails on that instead of on the denial (recordings c-usage-xr-delete*, g-claim-usage-*).
// Not modelled: the lag of the webhook's own cache of Usages. Sound here: a Usage labels its object only after it was
// stored, so the cache is behind only for a second Usage of an object that another one already protects.

import type {ApiError, ApiRequest, WatchEvent} from '../api/request.ts';
import {type Admission, type ServerState, serve} from '../api/server.ts';
import {groupOf, type KubeObject, refOf} from '../object.ts';
import {annotationDeletionAttempt, labelInUse, managerCrossplane} from '../vocabulary.ts';
import type {UsageBehaviour} from './profile.ts';
import {usagesOf} from './usage-index.ts';
import {reasonOf, usingOf} from './usage-object.ts';

/** Denies deletes of used objects; with `isUp` false the call itself fails, which denies them too. */
export function usageAdmission(behaviour: UsageBehaviour, isUp: boolean): Admission {
  return {
    reviewDelete: (server, object, request, nowMs) => {
      if (object.metadata.labels?.[labelInUse] !== 'true') return {server, events: []};
      if (!isUp) return {server, events: [], denial: unreachable(behaviour)};
      const usages = [...usagesOf(object, behaviour, (kind) => listAll(server, kind, nowMs))];
      const [first] = usages;
      if (first === undefined) return {server, events: []};
      const recorded = recordAttempt(server, object, request.propagationPolicy ?? 'Background', nowMs);
      if (recorded.failure !== undefined) return {server, events: [], denial: recorded.failure};
      return {...recorded, denial: denial(inUse(usages.length, first, behaviour), behaviour)};
    },
  };
}

function listAll(server: ServerState, kind: {apiVersion: string; kind: string}, nowMs: number): readonly KubeObject[] {
  const {response} = serve(server, {verb: 'list', ...kind}, {nowMs});
  return response.ok ? (response.items ?? []) : [];
}

interface Recorded {
  readonly server: ServerState;
  readonly events: readonly WatchEvent[];
  readonly failure?: ApiError;
}

function recordAttempt(server: ServerState, object: KubeObject, policy: string, nowMs: number): Recorded {
  if (object.metadata.annotations?.[annotationDeletionAttempt] === policy) return {server, events: []};
  const request: ApiRequest = {
    verb: 'patch',
    type: 'merge',
    ref: refOf(object),
    body: {metadata: {annotations: {[annotationDeletionAttempt]: policy}}},
    manager: managerCrossplane,
  };
  const served = serve(server, request, {nowMs});
  const {response, events} = served;
  if (response.ok) return {server: served.server, events};
  return {server, events: [], failure: {...response, code: 500}};
}

function inUse(count: number, first: KubeObject, behaviour: UsageBehaviour): string {
  const {name, namespace} = first.metadata;
  const quoted = JSON.stringify(name);
  const id = namespace === undefined ? quoted : `${quoted} (in namespace ${JSON.stringify(namespace)})`;
  const usage = behaviour.denial === 'short' ? `Usage ${id}` : `${goType(first)} ${id}`;
  const usages = behaviour.denial === 'short' ? 'Usage(s)' : 'usage(s)';
  return `This resource is in-use by ${count} ${usages}, including the ${usage}${why(first)}.`;
}

function why(usage: KubeObject): string {
  const by = usingOf(usage);
  if (by !== undefined) return ` by resource ${by.kind}/${by.name ?? ''}`;
  const reason = reasonOf(usage);
  return reason === undefined ? '' : ` with reason: ${JSON.stringify(reason)}`;
}

// Go's %T names the package's last element and the type.
function goType({apiVersion, kind}: KubeObject): string {
  return `*${apiVersion.slice(groupOf(apiVersion).length + 1)}.${kind}`;
}

// controller-runtime puts the sentence into `reason`, kube-apiserver repeats it behind the webhook's name.
function denial(sentence: string, {webhook}: UsageBehaviour): ApiError {
  const message = `admission webhook ${JSON.stringify(webhook)} denied the request: ${sentence}`;
  return {ok: false, code: 409, reason: sentence, message};
}

function unreachable({webhook}: UsageBehaviour): ApiError {
  const name = JSON.stringify(webhook);
  const message = `Internal error occurred: failed calling webhook ${name}: failed to call webhook: connection refused`;
  return {ok: false, code: 500, reason: 'InternalError', message};
}
