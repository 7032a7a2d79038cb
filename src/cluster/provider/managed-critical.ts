import type {ApiError} from '../api/request.ts';
import {cached, type Step, sleep} from '../kernel/call.ts';
import {type KubeObject, refOf} from '../object.ts';
import {annotationsOf, withAnnotations} from './annotations.ts';
import {crashPoint} from './external-client.ts';
import {isConflict, type ManagedRun, updateObject, type Written} from './managed-writes.ts';

// UpdateCriticalAnnotations: the one write that is tried again, because losing it loses an external resource. Five PUTs
// 10 ms apart, whatever the error; after a conflict the object is read again from the cache, which may be just as old,
// and the annotations are put over it. Source: crossplane/crossplane-runtime 4e7ed235 pkg/reconciler/managed/api.go:283-301,
// kubernetes/client-go util/retry/util.go:32 (DefaultRetry). Not modelled: the 10 % jitter of the pause.

const attempts = 5;
const pauseMs = 10;

/** Writes the object's annotations. Answers the object as the API server knows it, or the last error after five tries. */
export function* updateCriticalAnnotations(run: ManagedRun, managed: KubeObject): Step<Written> {
  yield* crashPoint('pre-critical');
  yield* crashPoint('pre-critical-late');
  const annotations = annotationsOf(managed);
  let current = managed;
  let last: ApiError | undefined;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (attempt > 1) yield* sleep(pauseMs);
    const written = yield* updateObject(run, current);
    if (written.ok) {
      yield* crashPoint('post-critical');
      return written;
    }
    last = written.error;
    if (!isConflict(written.error)) continue;
    const read = yield* cached({verb: 'get', ref: refOf(managed)});
    if (read.ok && read.object !== undefined) current = withAnnotations(read.object, annotations);
    else last = notFound(managed);
  }
  return {ok: false, managed: current, error: last ?? notFound(managed)};
}

function notFound({metadata: {name}}: KubeObject): ApiError {
  return {ok: false, code: 404, reason: 'NotFound', message: `"${name}" not found`};
}
