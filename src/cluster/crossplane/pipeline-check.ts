// The reconciler of CompositionRevisions: checks that every function of the pipeline can compose.
// crossplane/crossplane 2d040d2da internal/controller/apiextensions/revision/reconciler.go, internal/xfn/capabilities.go. A
// function that is not installed is no error here, only when it is called.

import {at, equal, type JsonObject} from '../json.ts';
import {done, type Reconcile} from '../kernel/call.ts';
import {isDeleting, type KubeObject} from '../object.ts';
import {kindRevision, labelPackage} from '../vocabulary.ts';
import {listCached, updateStatus} from './client.ts';
import {isActive} from './composite/function-call.ts';
import {type Mark, reconcileSuccess} from './conditions.ts';
import {record, retryAfter, wrap} from './failure.ts';
import {functionApiVersion} from './kinds/crossplane-kinds.ts';
import type {Profile} from './profile.ts';
import {ending, markedNow, reconciles} from './reconciler.ts';

export function reconcilePipelineCheck(profile: Profile): (key: string) => Reconcile {
  return reconciles(kindRevision, 'CompositionRevision', function* (revision) {
    if (isDeleting(revision)) return done;
    const functions = yield* listCached(functionRevisionKind(profile));
    if (!functions.ok) return retryAfter(wrap('cannot list FunctionRevisions', functions.failure));
    const missing = missingCapability('composition', functionsOf(revision), functions.value);
    const checked = missing ?? 'All functions have required composition capability';
    yield* record(revision, missing === undefined ? 'Normal' : 'Warning', 'CheckCapabilities', checked);
    const next = yield* markedNow(revision, [reconcileSuccess, verdict(missing)], profile);
    if (equal(next.status, revision.status)) return done;
    return ending(yield* updateStatus(next), 'cannot update CompositionRevision status');
  });
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

function verdict(missing: string | undefined): Mark {
  if (missing === undefined) return {type: 'ValidPipeline', status: 'True', reason: 'ValidPipeline'};
  return {type: 'ValidPipeline', status: 'False', reason: 'MissingCapabilities', message: missing};
}
