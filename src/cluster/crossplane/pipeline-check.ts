// The reconciler of CompositionRevisions: says whether every function of the pipeline can compose.
// crossplane/crossplane 2d040d2da internal/controller/apiextensions/revision/reconciler.go, internal/xfn/capabilities.go.
// A function that is not installed is not missed here; it is when it is called.

import {at, equal, type JsonObject} from '../json.ts';
import {done, now, type Reconcile, type Step} from '../kernel/call.ts';
import {isDeleting, type KubeObject} from '../object.ts';
import {getCached, listCached, updateStatus} from './client.ts';
import {isActive} from './composite/function-call.ts';
import {type Mark, marked, reconcileSuccess} from './conditions.ts';
import {record, retryAfter, wrap} from './failure.ts';
import {functionApiVersion} from './kinds/function-kinds.ts';
import type {Profile} from './profile.ts';
import {kindRevision, labelPackage} from './vocabulary.ts';

export function reconcilePipelineCheck(profile: Profile): (key: string) => Reconcile {
  return function* (key) {
    const read = yield* getCached({...kindRevision, name: key});
    if (!read.ok) return retryAfter(wrap('cannot get CompositionRevision', read.failure));
    const revision = read.value;
    if (revision === undefined || isDeleting(revision)) return done;
    const functions = yield* listCached(functionRevisionKind(profile));
    if (!functions.ok) return retryAfter(wrap('cannot list FunctionRevisions', functions.failure));
    const missing = missingCapability('composition', functionsOf(revision), functions.value);
    const checked = missing ?? 'All functions have required composition capability';
    yield* record(revision, missing === undefined ? 'Normal' : 'Warning', 'CheckCapabilities', checked);
    const next = yield* withVerdict(revision, missing, profile);
    if (equal(next.status, revision.status)) return done;
    const updated = yield* updateStatus(next);
    return updated.ok ? done : retryAfter(wrap('cannot update CompositionRevision status', updated.failure));
  };
}

export function functionRevisionKind(profile: Profile) {
  return {apiVersion: functionApiVersion(profile), kind: 'FunctionRevision'} as const;
}

/** Names of the functions in the pipeline of a Composition, a revision or an Operation. */
export function functionsOf(revision: KubeObject): readonly string[] {
  const steps = (revision.spec?.['pipeline'] ?? []) as readonly JsonObject[];
  return steps.map((step) => String(at(step, ['functionRef', 'name'])));
}

/** The first function that cannot do what is asked of it, in a sentence. */
export function missingCapability(
  wanted: 'composition' | 'operation',
  functions: readonly string[],
  functionRevisions: readonly KubeObject[],
): string | undefined {
  const names = new Set(functions);
  for (const candidate of functionRevisions.filter(isActive)) {
    const name = candidate.metadata.labels?.[labelPackage] ?? '';
    if (!names.has(name)) continue;
    const capabilities = (candidate.status?.['capabilities'] ?? []) as readonly string[];
    if (capabilities.some((capability) => capability.toLowerCase() === wanted)) continue;
    const active = candidate.metadata.name;
    return `function "${name}" (active revision "${active}") is missing required capabilities: ${wanted}`;
  }
  return undefined;
}

function* withVerdict(revision: KubeObject, missing: string | undefined, profile: Profile): Step<KubeObject> {
  const verdict: Mark =
    missing === undefined
      ? {type: 'ValidPipeline', status: 'True', reason: 'ValidPipeline'}
      : {type: 'ValidPipeline', status: 'False', reason: 'MissingCapabilities', message: missing};
  const how = {nowMs: yield* now(), observedGeneration: profile.observedGeneration};
  return marked(revision, [reconcileSuccess, verdict], how);
}
