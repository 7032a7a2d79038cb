// The controllers of packages, where a story has providers as packages, and what wakes them. crossplane/crossplane
// 2d040d2da internal/controller/pkg/{manager,revision,runtime}/reconciler.go (Setup), runtime/watch.go; before v2
// (v1.16.1 revision/reconciler.go) the revision's own reconciler hears of the Deployment.

import type {WatchEvent} from '../../api/request.ts';
import type {Controller, EventContext, Watch} from '../../kernel/process.ts';
import {controllerOf, type GroupVersionKind, type KubeObject} from '../../object.ts';
import {backoffDefault} from '../intervals.ts';
import type {Profile} from '../profile.ts';
import {kindDeployment, kindManagedDefinition, kindProvider, kindProviderRevision} from '../vocabulary.ts';
import {reconcileProvider} from './provider.ts';
import type {ProviderPackages} from './provider-package.ts';
import {reconcileProviderRevision} from './provider-revision.ts';
import {reconcileProviderRuntime} from './provider-runtime.ts';

const manager = 'packages/provider.pkg.crossplane.io';
const revision = 'packages/providerrevision.pkg.crossplane.io';
const runtime = 'package-runtime/providerrevision.pkg.crossplane.io';
const timeoutMs = 180_000;

export function packageControllers(packages: ProviderPackages, profile: Profile): readonly Controller[] {
  const controller = (name: string, reconcile: Controller['reconcile']): Controller => {
    return {name, reconcile, backoff: backoffDefault, timeoutMs};
  };
  return [
    controller(manager, reconcileProvider(profile)),
    controller(revision, reconcileProviderRevision(packages, profile)),
    ...(profile.packageHealth === 'two' ? [controller(runtime, reconcileProviderRuntime(profile))] : []),
  ];
}

/** Keys of an event's object, and of what it was before. */
type Maps = (object: KubeObject, event: WatchEvent, before: KubeObject | undefined) => readonly string[];

export function packageWatches<M>({packageHealth, idleProviders}: Profile): readonly Watch<M>[] {
  const watch = (controller: string, id: string, kind: GroupVersionKind, maps: Maps): Watch<M> => {
    const handle = (event: WatchEvent, {before}: EventContext<M>) => {
      const objects = event.type === 'MODIFIED' && before !== undefined ? [before, event.object] : [event.object];
      const keys = new Set(objects.flatMap((object) => maps(object, event, before)));
      return {keys: [...keys].map((key) => ({key}))};
    };
    return {controller, id, ...kind, handle};
  };
  const runs = packageHealth === 'two' ? runtime : revision;
  return [
    watch(manager, 'packages', kindProvider, self),
    watch(manager, 'revisions', kindProviderRevision, ownedBy(kindProvider.kind)),
    watch(revision, 'revisions', kindProviderRevision, self),
    ...(packageHealth === 'two' ? [watch(runtime, 'revisions', kindProviderRevision, self)] : []),
    watch(runs, 'deployments', kindDeployment, ownedBy(kindProviderRevision.kind)),
    ...(idleProviders === 'run' ? [] : [watch(runtime, 'definitions', kindManagedDefinition, activated)]),
  ];
}

function self({metadata}: KubeObject): readonly string[] {
  return [metadata.name];
}

function ownedBy(kind: string): Maps {
  return (object) => ownerNames(object, kind);
}

function ownerNames(object: KubeObject, kind: string): readonly string[] {
  const owner = controllerOf(object);
  return owner?.kind === kind ? [owner.name] : [];
}

/** The revision of a kind that becomes active, or is so when it is seen first. */
function activated(object: KubeObject, {type}: WatchEvent, before: KubeObject | undefined): readonly string[] {
  const isActive = object.spec?.['state'] === 'Active';
  if (type === 'DELETED' || !isActive || before?.spec?.['state'] === 'Active') return [];
  return ownerNames(object, kindProviderRevision.kind);
}
