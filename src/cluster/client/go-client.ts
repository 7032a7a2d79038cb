// The checks of a process's Go client before it sends a request.
// kubernetes/client-go v0.35.3 rest/request.go (requestPreflightCheck; the same in v0.29.1, the client of v1.16),
// kubernetes-sigs/controller-runtime v0.23.1 pkg/client/unstructured_client.go.
//
// A PATCH, a list and a DELETE of a collection are sent without a namespace: the API server has no such path and answers 404 to the
// first and the last.

import type {ApiRequest} from '../api/request.ts';
import {type ClientError, noNamespace} from './client-error.ts';
import type {KindScope} from './rest-mapper.ts';

/** Why the client will not send the request; undefined where it does. */
export function preflight(request: ApiRequest, scope: KindScope): ClientError | undefined {
  if (scope === 'Cluster') return undefined;
  switch (request.verb) {
    case 'create':
      if (hasNamespace(request.object.metadata)) return undefined;
      return noNamespace('an empty namespace may not be set during creation');
    case 'get':
    case 'delete':
      return hasNamespace(request.ref) ? undefined : unnamed();
    case 'update':
      return hasNamespace(request.object.metadata) ? undefined : unnamed();
    case 'patch':
    case 'list':
    case 'delete-collection':
      return undefined;
  }
}

function unnamed(): ClientError {
  return noNamespace('an empty namespace may not be set when a resource name is provided');
}

function hasNamespace({namespace}: {readonly namespace?: string}): boolean {
  return namespace !== undefined && namespace !== '';
}
