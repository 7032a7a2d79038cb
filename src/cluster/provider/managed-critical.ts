// UpdateCriticalAnnotations: the one write that is tried again, because losing it loses an external resource. Five tries
// 10 ms apart, whatever the error; after a conflict the object is read again from the cache, which may be just as old,
// and the annotations are put over it. Source: crossplane/crossplane-runtime 4e7ed235 pkg/reconciler/managed/api.go:283-301
// and 5fbe2616 (#850) of the same, kubernetes/client-go util/retry/util.go:32 (DefaultRetry).
// Not modelled: the 10 % jitter of the pause.

import type {ApiError} from '../api/request.ts';
import {api, cached, type Step, sleep} from '../kernel/call.ts';
import {type KubeObject, refOf} from '../object.ts';
import {
  annotationCreateFailed,
  annotationCreatePending,
  annotationCreateSucceeded,
  annotationExternalName,
} from '../vocabulary.ts';
import {annotationsOf, withAnnotations} from './annotations.ts';
import {crashPoint} from './external-client.ts';
import {isConflict, type ManagedRun, updateObject, type Written} from './managed-writes.ts';

const attempts = 5;
const pauseMs = 10;
/** #850 names the field manager of the reference resolver. */
const patchManager = 'managed.crossplane.io/api-simple-reference-resolver';
const criticalAnnotations = [
  annotationCreateFailed,
  annotationCreatePending,
  annotationCreateSucceeded,
  annotationExternalName,
];

/** Writes the object's annotations. Answers the object as the API server knows it, or the last error after five tries. */
export function* updateCriticalAnnotations(run: ManagedRun, managed: KubeObject): Step<Written> {
  yield* crashPoint('pre-critical');
  const {criticalPauseMs} = run.settings;
  if (criticalPauseMs > 0) yield* sleep(criticalPauseMs);
  yield* crashPoint('pre-critical-late');
  const annotations = annotationsOf(managed);
  let current = managed;
  let last: ApiError | undefined;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (attempt > 1) yield* sleep(pauseMs);
    const written = yield* write(run, current, annotations);
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

function write(run: ManagedRun, managed: KubeObject, annotations: Annotations): Step<Written> {
  const {criticalAnnotations: how} = run.settings.runtime;
  return how === 'put'
    ? updateObject(run, managed)
    : patchAnnotations(managed, annotations, how === 'forced-merge-patch');
}

type Annotations = {readonly [key: string]: string};

/** The answer becomes the object to go on with: a status that was only in memory is lost. */
function* patchAnnotations(managed: KubeObject, annotations: Annotations, force: boolean): Step<Written> {
  const critical = Object.entries(annotations).filter(([key]) => criticalAnnotations.includes(key));
  if (critical.length === 0) return {ok: true, managed};
  const body = {metadata: {annotations: Object.fromEntries(critical)}};
  const request = {verb: 'patch', type: 'merge', ref: refOf(managed), body, manager: patchManager} as const;
  const response = yield* api(force ? {...request, force} : request);
  return response.ok ? {ok: true, managed: response.object ?? managed} : {ok: false, managed, error: response};
}

function notFound({metadata: {name}}: KubeObject): ApiError {
  return {ok: false, code: 404, reason: 'NotFound', message: `"${name}" not found`};
}
