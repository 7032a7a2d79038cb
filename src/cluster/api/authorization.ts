// RBAC allows a process everything that no fault of the scenario forbids. A watch that goes on is not asked about again, so an
// informer that is synced stays so; a new one never is.
//
// kubernetes/apiserver v0.35.3 pkg/endpoints/handlers/responsewriters/errors.go (ForbiddenStatusError),
// pkg/endpoints/handlers/create.go (withAuthorization: an apply that creates needs `create`, too).

import {type GroupVersionKind, groupOf} from '../object.ts';
import {notAllowed} from './errors.ts';
import {type ApiError, type ApiRequest, kindAsked} from './request.ts';
import {existing, isError, scopeOf} from './scope.ts';
import type {ServerState} from './store.ts';

export const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const;
export type Verb = (typeof verbs)[number];

/** Rights that a process lacks. */
export interface Forbidden {
  readonly process: string;
  readonly verbs: readonly Verb[];
  /** Of all if none is named. */
  readonly kinds: readonly string[];
}

/** True if the process may not do it with objects of the kind. */
export function lacksRight(forbidden: readonly Forbidden[], process: string, verb: Verb, kind: string): boolean {
  return forbidden.some(
    (rule) =>
      rule.process === process && rule.verbs.includes(verb) && (rule.kinds.length === 0 || rule.kinds.includes(kind)),
  );
}

/** The 403 of a request that the process may not make; undefined if it may. */
export function refusal(
  server: ServerState,
  forbidden: readonly Forbidden[],
  process: string,
  request: ApiRequest,
): ApiError | undefined {
  if (forbidden.length === 0) return undefined;
  const {kind, name = '', namespace, subresource} = targetOf(request);
  const scope = scopeOf(server, kind);
  const verb = verbsOf(server, request).find((one) => lacksRight(forbidden, process, one, kind.kind));
  if (verb === undefined || isError(scope)) return undefined;
  const [plural = ''] = scope.kind.resource.split('.');
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const user = `system:serviceaccount:crossplane-system:${process}`;
  const group = groupOf(kind.apiVersion);
  const detail = `User "${user}" cannot ${verb} resource "${resource}" in API group "${group}" ${where}`;
  return notAllowed(scope.kind.resource, name, detail);
}

interface Target {
  readonly kind: GroupVersionKind;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly subresource?: string | undefined;
}

function targetOf(request: ApiRequest): Target {
  const kind = kindAsked(request);
  switch (request.verb) {
    case 'create':
      return {kind, namespace: request.object.metadata.namespace};
    case 'update':
      return {...request.object.metadata, kind, subresource: request.subresource};
    case 'get':
    case 'delete':
      return {...request.ref, kind};
    case 'patch':
      return {...request.ref, kind, subresource: request.subresource};
    case 'list':
    case 'delete-collection':
      return {kind, namespace: request.namespace};
  }
}

function verbsOf(server: ServerState, request: ApiRequest): readonly Verb[] {
  if (request.verb === 'delete-collection') return ['deletecollection'];
  if (request.verb !== 'patch' || request.type !== 'apply') return [request.verb];
  const {ref} = request;
  const scope = scopeOf(server, ref);
  const isNew = !isError(scope) && isError(existing(server, scope, ref.namespace, ref.name));
  return isNew ? ['patch', 'create'] : ['patch'];
}
