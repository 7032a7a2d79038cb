// The reconciler of Compositions: one CompositionRevision for each content a Composition has had.
// crossplane/crossplane 2d040d2da internal/controller/apiextensions/composition/{reconciler,revision}.go.
//
// An edit back to older content makes no new revision but gives the old one the highest number. The hash here is over
// canonical JSON of labels, annotations and spec, upstream's over YAML: other digits, equal where upstream's are equal.

import {sha256} from '../../hash/sha256.ts';
import {isList, isObject, type Json, type JsonObject} from '../json.ts';
import {done, type Outcome, type Reconcile, type Step} from '../kernel/call.ts';
import {remembering} from '../memo.ts';
import {asController, controllerOf, isDeleting, type KubeObject} from '../object.ts';
import {kindComposition, kindRevision, labelCompositionHash, labelCompositionName} from '../vocabulary.ts';
import {create, listCached, update} from './client.ts';
import {latestRevision, revisionNumber} from './composite/select-composition.ts';
import {failed, type Result, record, retryAfter, success, wrap} from './failure.ts';
import {reconciles} from './reconciler.ts';

export function reconcileRevisions(): (key: string) => Reconcile {
  return reconciles(kindComposition, 'Composition', function* (composition) {
    if (isDeleting(composition)) return done;
    const selector = {matchLabels: {[labelCompositionName]: composition.metadata.name}};
    const revisions = yield* listCached({...kindRevision, selector});
    if (!revisions.ok) return retryAfter(wrap('cannot list CompositionRevisions', revisions.failure));
    return yield* ensureRevision(composition, revisions.value);
  });
}

function* ensureRevision(composition: KubeObject, revisions: readonly KubeObject[]): Step<Outcome> {
  const hash = compositionHash(composition);
  const latest = latestRevision(composition, revisions);
  const highest = latest === undefined ? 0 : revisionNumber(latest);
  let exists = false;
  for (const revision of revisions) {
    const owned = yield* adopt(revision, composition);
    if (!owned.ok) return retryAfter(wrap('cannot add owner reference to CompositionRevision', owned.failure));
    if (revision.metadata.labels?.[labelCompositionHash] !== hash.slice(0, 63)) continue;
    exists = true;
    if (revisionNumber(revision) === highest) continue;
    const renumbered = yield* update(withNumber(owned.value, highest + 1));
    if (!renumbered.ok) return retryAfter(wrap('cannot update CompositionRevision', renumbered.failure));
  }
  if (exists) return done;
  const created = yield* create(newRevision(composition, hash, highest + 1));
  if (!created.ok) return retryAfter(wrap('cannot create CompositionRevision', created.failure));
  yield* record(composition, 'Normal', 'CreateRevision', 'Created new revision');
  return done;
}

// A restore drops owner references; a revision without one is of no use to any XR until it is put back.
function* adopt(revision: KubeObject, composition: KubeObject): Step<Result<KubeObject>> {
  const controller = controllerOf(revision);
  if (controller?.uid === composition.metadata.uid) return success(revision);
  if (controller !== undefined) {
    const {kind, name, uid} = controller;
    return failed(`${revision.metadata.name} is already controlled by ${kind} ${name} (UID ${uid})`);
  }
  const ownerReferences = [...(revision.metadata.ownerReferences ?? []), asController(composition)];
  return yield* update({...revision, metadata: {...revision.metadata, ownerReferences}});
}

function withNumber(revision: KubeObject, number: number): KubeObject {
  return {...revision, spec: {...revision.spec, revision: number}};
}

function newRevision(composition: KubeObject, hash: string, number: number): KubeObject {
  const {name, labels, annotations} = composition.metadata;
  return {
    ...kindRevision,
    metadata: {
      name: `${name}-${hash.slice(0, 7)}`,
      labels: {[labelCompositionName]: name, [labelCompositionHash]: hash.slice(0, 63), ...labels},
      ...(annotations === undefined ? {} : {annotations}),
      ownerReferences: [asController(composition)],
    },
    spec: {...composition.spec, revision: number},
  };
}

/** 64 hexadecimal digits that change with labels, annotations or spec. */
export const compositionHash = remembering(({metadata, spec}: KubeObject): string =>
  sha256(canonical({labels: metadata.labels ?? {}, annotations: metadata.annotations ?? {}, spec: spec ?? {}})),
);

function canonical(value: Json): string {
  if (isList(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value as JsonObject).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`).join(',')}}`;
}
