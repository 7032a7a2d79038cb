// The preconditions of an XR that is about to compose. crossplane/crossplane 2d040d2da
// internal/controller/apiextensions/composite/reconciler.go (Reconcile, up to Compose), api.go (Configurators).

import {at, equal} from '../../json.ts';
import type {Outcome, Step} from '../../kernel/call.ts';
import {conditionOf, type KubeObject} from '../../object.ts';
import {finalizerComposite, labelComposite} from '../../vocabulary.ts';
import {addFinalizer, update} from '../client.ts';
import {type Failure, failed, type Result, success, wrapped} from '../failure.ts';
import {fail} from '../reconciler.ts';
import type {Composing} from './compose.ts';
import {fetchRevision, type Selected, selectComposition, selectRevisionSelector} from './select-composition.ts';

export type Prepared = ({readonly ok: true} & Selected) | {readonly ok: false; readonly outcome: Outcome};

// Finalizer, Composition, revision, and the label its composed resources are named after: up to four updates.
/** The XR with finalizer, Composition, revision and label, or how the reconcile ends. */
export function* prepare(xr: KubeObject, how: Composing): Step<Prepared> {
  const selecting = {xrdName: how.controller.xrd.name, fields: how.fields, profile: how.profile};
  const refuse = function* (about: KubeObject, reason: string, context: string, result: {failure: Failure}) {
    return {ok: false as const, outcome: yield* fail(about, reason, context, result, how)};
  };
  const finalized = yield* addFinalizer(xr, finalizerComposite);
  if (!finalized.ok) {
    return yield* refuse(xr, 'InitializeCompositeResource', 'cannot add composite resource finalizer', finalized);
  }
  const before = finalized.value;
  const composition = yield* selectComposition(before, selecting);
  if (!composition.ok) return yield* refuse(before, 'SelectComposition', 'cannot select Composition', composition);
  const defaulted = yield* selectRevisionSelector(composition.value, selecting);
  if (!defaulted.ok) {
    return yield* refuse(composition.value, 'SelectComposition', 'cannot select CompositionRevision', defaulted);
  }
  const fetched = yield* fetchRevision(defaulted.value, selecting);
  if (!fetched.ok) return yield* refuse(defaulted.value, 'ComposeResources', 'cannot fetch Composition', fetched);
  const {xr: selected, revision} = fetched.value;
  const valid = checkPipeline(revision, how);
  if (!valid.ok) return yield* refuse(selected, 'ComposeResources', '', valid);
  const configured = yield* configure(selected, revision, how);
  if (!configured.ok) {
    return yield* refuse(selected, 'ComposeResources', 'cannot configure composite resource', configured);
  }
  return {ok: true, xr: configured.value, revision};
}

// The revision controller sets this condition a moment after the revision exists, and the XR is often there first.
function checkPipeline(revision: KubeObject, {profile}: Composing): Result<void> {
  if (profile.revisionConditions === 'none') return success(undefined);
  const condition = conditionOf(revision, 'ValidPipeline');
  if (condition?.status === 'True') return success(undefined);
  const why = condition?.message ?? 'pipeline status unknown';
  const {name} = revision.metadata;
  return failed(`selected CompositionRevision ${name} does not have a valid function pipeline: ${why}`);
}

// Upstream means to compare the Composition's type for legacy XRs alone, but its type assertion holds for every XR.
/** Gives the XR the label its composed resources are named after, and legacy ones their connection secret. */
export function* configure(xr: KubeObject, revision: KubeObject, {fields}: Composing): Step<Result<KubeObject>> {
  let current = xr;
  if ((xr.metadata.labels?.[labelComposite] ?? '') === '') {
    const labels = {...xr.metadata.labels, [labelComposite]: xr.metadata.name};
    const labelled = yield* update({...xr, metadata: {...xr.metadata, labels}});
    if (!labelled.ok) return wrapped('cannot update composite resource', labelled);
    current = labelled.value;
  }
  const {apiVersion, kind} = current;
  const ref = at(revision.spec, ['compositeTypeRef']);
  if (!equal(ref, {apiVersion, kind})) {
    return failed('referenced composition is not compatible with this composite resource');
  }
  const namespace = revision.spec?.['writeConnectionSecretsToNamespace'];
  if (namespace === undefined) return success(current);
  // A modern XR has no connection secret to set, so it is written as it is, every time.
  if (fields.schema === 'modern') return wrapped('cannot update composite resource', yield* update(current));
  if (current.spec?.['writeConnectionSecretToRef'] !== undefined) return success(current);
  const secret = {name: current.metadata.uid ?? '', namespace};
  const written = yield* update({...current, spec: {...current.spec, writeConnectionSecretToRef: secret}});
  return wrapped('cannot update composite resource', written);
}
