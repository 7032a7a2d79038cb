// The reconciler of Providers, the package manager: one revision for each package that a Provider named, and the current one is
// active. crossplane/crossplane 2d040d2da internal/controller/pkg/manager/reconciler.go; v1.16.1 to v2.3.4 the same file.
//
// A digest is that of the reference here. Whatever the activation policy, the previous revision is deactivated at once: under
// Manual nothing runs until a user activates the new one. If there are more revisions than the limit and one, the oldest goes. A
// Provider has no finalizer, so the owner GC deletes its revisions.
//
// Not modelled: the pull and its failure, packagePullPolicy Always, what a pause writes, ImageConfigs, other fields that are passed
// on to revisions.

import {sha256} from '../../../hash/sha256.ts';
import {done, type Outcome, type Reconcile, type Step} from '../../kernel/call.ts';
import {asController, conditionOf, controllerOf, isDeleting, type KubeObject, refOf} from '../../object.ts';
import {isPaused, kindProvider, kindProviderRevision, labelPackage} from '../../vocabulary.ts';
import {applyByPatch, getCached, listCached, remove} from '../client.ts';
import type {Mark} from '../conditions.ts';
import {failed, type Result, record, retryAfter, warnedOrConflict, wrap} from '../failure.ts';
import type {Profile} from '../profile.ts';
import {ending, reconciles, writeMarks} from '../reconciler.ts';
import {packageHealth} from './package-health.ts';

const active: Mark = {type: 'Installed', status: 'True', reason: 'ActivePackageRevision'};
const inactive: Mark = {
  type: 'Installed',
  status: 'False',
  reason: 'InactivePackageRevision',
  message: 'Package is inactive',
};

export function reconcileProvider(profile: Profile): (key: string) => Reconcile {
  return reconciles(kindProvider, 'package', function* (provider) {
    if (isPaused(provider) || (isDeleting(provider) && profile.deletedPackages === 'left')) return done;
    const selector = {matchLabels: {[labelPackage]: provider.metadata.name}};
    const listed = yield* listCached({...kindProviderRevision, selector});
    if (!listed.ok) return retryAfter(wrap('cannot list revisions for package', listed.failure));
    return yield* revise(provider, listed.value, profile);
  });
}

function* revise(provider: KubeObject, revisions: readonly KubeObject[], profile: Profile): Step<Outcome> {
  const name = revisionName(provider, profile);
  for (const revision of revisions) {
    if (revision.metadata.name === name || revision.spec?.['desiredState'] !== 'Active') continue;
    const resting = {...revision, spec: {...revision.spec, desiredState: 'Inactive'}};
    const applied = yield* applyControlled(resting, provider);
    if (!applied.ok)
      return yield* warnedOrConflict(
        provider,
        'TransitionRevision',
        wrap('cannot update inactive package revision', applied.failure),
      );
  }
  const known = revisions.find(({metadata}) => metadata.name === name);
  const collected = yield* collect(provider, revisions);
  if (collected !== undefined) return retryAfter(wrap('cannot garbage collect old package revision', collected));
  const health = packageHealth(known, profile);
  if (health.status === 'True' && conditionOf(provider, 'Healthy')?.status !== 'True') {
    yield* record(provider, 'Normal', 'InstallPackageRevision', 'Successfully installed package revision');
  }
  const applied = yield* applyControlled(currentRevision(name, provider, known, revisions), provider);
  if (!applied.ok)
    return yield* warnedOrConflict(
      provider,
      'InstallPackageRevision',
      wrap('cannot apply package revision', applied.failure),
    );
  const installed = applied.value.spec?.['desiredState'] === 'Active' ? active : inactive;
  const status = {...provider.status, currentRevision: name, currentIdentifier: packageOf(provider)};
  const written = yield* writeMarks({...provider, status}, [health, installed], profile);
  return ending(written, 'cannot update package status');
}

function revisionName(provider: KubeObject, {packageRevisions}: Profile): string {
  const {name, generation = 1} = provider.metadata;
  const digest = sha256(packageOf(provider));
  const id = packageRevisions === 'by-digest' ? digest : sha256(`${digest}|${generation}`);
  return `${name}-${id.slice(0, 12)}`;
}

function packageOf({spec}: KubeObject): string {
  return String(spec?.['package']);
}

/** Deletes the oldest revision where there are too many. */
function* collect({spec = {}}: KubeObject, revisions: readonly KubeObject[]) {
  const limit = Number(spec['revisionHistoryLimit'] ?? 0);
  const [oldest] = revisions.toSorted((left, right) => numberOf(left) - numberOf(right));
  if (limit === 0 || revisions.length <= limit + 1 || oldest === undefined) return undefined;
  return yield* remove(refOf(oldest));
}

/** The revision of now, with the highest number of all. */
function currentRevision(
  name: string,
  provider: KubeObject,
  known: KubeObject | undefined,
  revisions: readonly KubeObject[],
): KubeObject {
  const highest = Math.max(0, ...revisions.map(numberOf));
  const number = known === undefined || numberOf(known) < highest ? highest + 1 : numberOf(known);
  const isActive =
    known?.spec?.['desiredState'] === 'Active' || provider.spec?.['revisionActivationPolicy'] !== 'Manual';
  const desiredState = isActive ? 'Active' : (known?.spec?.['desiredState'] ?? '');
  const others = (known?.metadata.ownerReferences ?? []).filter(({uid}) => uid !== provider.metadata.uid);
  return {
    ...known,
    ...kindProviderRevision,
    metadata: {
      ...known?.metadata,
      name,
      labels: {[labelPackage]: provider.metadata.name},
      ownerReferences: [...others, asController(provider)],
    },
    spec: {...known?.spec, desiredState, image: packageOf(provider), revision: number},
  };
}

function numberOf({spec}: KubeObject): number {
  return Number(spec?.['revision'] ?? 0);
}

/** Refused where another Provider controls the revision. */
function* applyControlled(revision: KubeObject, provider: KubeObject): Step<Result<KubeObject>> {
  const current = yield* getCached(refOf(revision));
  const owner = current.ok && current.value !== undefined ? controllerOf(current.value) : undefined;
  if (owner !== undefined && owner.uid !== provider.metadata.uid) {
    return failed(`existing object is not controlled by UID "${provider.metadata.uid}"`);
  }
  return yield* applyByPatch(revision, 'cache-then-live');
}
