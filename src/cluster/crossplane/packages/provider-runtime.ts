// The runtime of a provider: a Deployment of the active revision, which is deleted as soon as the revision is inactive.
// crossplane/crossplane 2d040d2da internal/controller/pkg/runtime/{reconciler,runtime,runtime_provider,watch}.go; before v2
// (v1.16.1, v1.20.11 internal/controller/pkg/revision/runtime_provider.go) the revision's own reconciler does the same.
//
// Not modelled: Service, ServiceAccount and TLS Secrets, DeploymentRuntimeConfigs, and the write of the Deployment before
// server-side apply (after v2.3.4): no other client writes it here. provider/provider-pods.ts has the pods.

import {done, type Outcome, type Reconcile, type Step} from '../../kernel/call.ts';
import {asController, conditionOf, controllerOf, isDeleting, type KubeObject, refOf} from '../../object.ts';
import {
  isPaused,
  kindDeployment,
  kindManagedDefinition,
  kindProviderRevision,
  labelPackage,
  managerRuntime,
} from '../../vocabulary.ts';
import {apply, listCached, remove} from '../client.ts';
import type {Mark} from '../conditions.ts';
import {
  failed,
  failedWith,
  isConflict,
  type Result,
  record,
  requeue,
  retryAfter,
  success,
  wrap,
  wrapped,
} from '../failure.ts';
import type {Profile} from '../profile.ts';
import {ending, reconciles, writeMarks} from '../reconciler.ts';
import {awaitingActivation, healthy, runtimeActive, unhealthy} from './package-health.ts';
import {startsSafely} from './provider-package.ts';

/** Where Crossplane and what it runs are. */
export const namespaceCrossplane = 'crossplane-system';

/** The name of the container that runs a package. */
const containerRuntime = 'package-runtime';

export function reconcileProviderRuntime(profile: Profile): (key: string) => Reconcile {
  return reconciles(kindProviderRevision, 'package revision', function* (revision) {
    if (isDeleting(revision) || isPaused(revision)) return done;
    if (revision.spec?.['desiredState'] === 'Inactive') {
      return ending(yield* stopProvider(revision), 'failed to run deactivation hook');
    }
    if (conditionOf(revision, 'RevisionHealthy')?.status !== 'True') {
      return yield* endWithConditions(
        revision,
        [unhealthy('runtime', 'Package revision is not healthy yet', profile)],
        profile,
      );
    }
    const kinds = yield* ownKinds(revision);
    if (!kinds.ok) return retryAfter(kinds.failure);
    return yield* run(revision, kinds.value, profile);
  });
}

function* run(revision: KubeObject, kinds: readonly KubeObject[], profile: Profile): Step<Outcome> {
  const control = revision.spec?.['desiredState'] === 'Active';
  const runs = control ? yield* runProvider(revision, kinds, profile) : success(undefined);
  if (!runs.ok) {
    if (isConflict(runs.failure)) return requeue;
    const failure = wrap('post establish runtime hook failed for package', runs.failure);
    yield* endWithConditions(revision, [unhealthy('runtime', failure.message, profile)], profile);
    yield* record(revision, 'Warning', 'SyncPackage', failure.message);
    return retryAfter(failure);
  }
  if (conditionOf(revision, 'RuntimeHealthy')?.status !== 'True') {
    yield* record(revision, 'Normal', 'SyncPackage', 'Successfully configured package revision');
  }
  const activity = isAwaiting(revision, kinds, profile) ? awaitingActivation : runtimeActive;
  const marks = profile.idleProviders === 'run' ? [] : [activity];
  return yield* endWithConditions(revision, [healthy('runtime', profile), ...marks], profile);
}

/** Creates the Deployment; success once its pods run. */
export function* runProvider(revision: KubeObject, kinds: readonly KubeObject[], profile: Profile): Step<Result<void>> {
  const replicas = isAwaiting(revision, kinds, profile) ? 0 : 1;
  const applied = yield* apply(deploymentOf(revision, replicas), managerRuntime);
  if (!applied.ok) return wrapped('cannot apply provider package deployment', applied);
  const available = conditionOf(applied.value, 'Available');
  if (available === undefined) return failed('provider package deployment has no condition of type "Available" yet');
  return success(undefined);
}

/** Deletes the Deployment, which bears the revision's name and so is of no other. */
export function* stopProvider(revision: KubeObject): Step<Result<void>> {
  const failure = yield* remove(refOf(deploymentOf(revision, 0)));
  if (failure === undefined) return success(undefined);
  return failedWith(wrap('cannot delete provider package deployment', failure));
}

/** A pod that ran once runs on, whatever becomes of the kinds. */
function isAwaiting(revision: KubeObject, kinds: readonly KubeObject[], {idleProviders}: Profile): boolean {
  if (idleProviders === 'run' || conditionOf(revision, 'RuntimeActive')?.reason === runtimeActive.reason) return false;
  return kinds.length > 0 && kinds.every(({spec}) => spec?.['state'] !== 'Active');
}

/** The definitions that the revision controls, where its provider starts safely. */
function* ownKinds(revision: KubeObject): Step<Result<readonly KubeObject[]>> {
  const capabilities = (revision.status?.['capabilities'] ?? []) as readonly string[];
  if (!startsSafely(capabilities)) return success([]);
  const listed = yield* listCached(kindManagedDefinition);
  if (!listed.ok)
    return wrapped(
      'cannot list ManagedResourceDefinitions to determine whether the provider runtime can start',
      listed,
    );
  return success(listed.value.filter((mrd) => controllerOf(mrd)?.uid === revision.metadata.uid));
}

function deploymentOf(revision: KubeObject, replicas: number): KubeObject {
  const {name} = revision.metadata;
  const labels = {
    'pkg.crossplane.io/revision': name,
    'pkg.crossplane.io/provider': revision.metadata.labels?.[labelPackage] ?? '',
  };
  const containers = [{name: containerRuntime, image: String(revision.spec?.['image'])}];
  return {
    ...kindDeployment,
    metadata: {name, namespace: namespaceCrossplane, ownerReferences: [asController(revision)]},
    spec: {replicas, selector: {matchLabels: labels}, template: {metadata: {labels}, spec: {containers}}},
  };
}

function* endWithConditions(revision: KubeObject, marks: readonly Mark[], profile: Profile): Step<Outcome> {
  return ending(yield* writeMarks(revision, marks, profile), 'cannot update package revision status');
}
