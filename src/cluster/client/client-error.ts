// Errors of a Go client for requests that it never sent. They are no Status, so none of the checks for NotFound, Conflict or
// Invalid holds for them.
// kubernetes/apimachinery v0.35.3 pkg/api/meta/errors.go (NoKindMatchError), kubernetes/client-go v0.35.3 rest/request.go
// (requestPreflightCheck).

import type {GroupVersionKind} from '../object.ts';

export interface ClientError {
  readonly ok: false;
  readonly refused: 'no-match' | 'no-namespace';
  readonly message: string;
  /** A ClientError has neither; so that `response.code === 404` can be asked of every answer. */
  readonly code?: undefined;
  readonly reason?: undefined;
}

/** No kind of that name in that version. */
export function noMatch({apiVersion, kind}: GroupVersionKind): ClientError {
  return {ok: false, refused: 'no-match', message: `no matches for kind "${kind}" in version "${apiVersion}"`};
}

export function noNamespace(message: string): ClientError {
  return {ok: false, refused: 'no-namespace', message};
}
