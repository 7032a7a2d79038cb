// The controllers of packages, where a story has providers as packages, and what wakes them. crossplane/crossplane
// 2d040d2da internal/controller/pkg/{manager,revision,runtime}/reconciler.go (Setup), runtime/watch.go; before v2
// (v1.16.1 revision/reconciler.go) the revision's own reconciler hears of the Deployment.

import type {WatchEvent} from '../../api/request.ts';
import type {Controller, EventContext, Watch} from '../../kernel/process.ts';
import type {GroupVersionKind, KubeObject} from '../../object.ts';
import {kindDeployment, kindManagedDefinition, kindProvider, kindProviderRevision} from '../../vocabulary.ts';
import {controlledBy, itself, type Maps, unique, wakes} from '../event-keys.ts';
import {controllerOf} from '../intervals.ts';
import type {Profile} from '../profile.ts';
import {reconcileProvider} from './provider.ts';
import type {ProviderPackages} from './provider-package.ts';
import {reconcileProviderRevision} from './provider-revision.ts';
import {reconcileProviderRuntime} from './provider-runtime.ts';

const manager = 'packages/provider.pkg.crossplane.io';
const revision = 'packages/providerrevision.pkg.crossplane.io';
const runtime = 'package-runtime/providerrevision.pkg.crossplane.io';
const timeoutMs = 180_000;

export function packageControllers(packages: ProviderPackages, profile: Profile): readonly Controller[] {
  return [
    controllerOf(manager, reconcileProvider(profile), {timeoutMs}),
    controllerOf(revision, reconcileProviderRevision(packages, profile), {timeoutMs}),
    ...(profile.packageHealth === 'two' ? [controllerOf(runtime, reconcileProviderRuntime(profile), {timeoutMs})] : []),
  ];
}

export function packageWatches<M>({packageHealth, idleProviders}: Profile): readonly Watch<M>[] {
  const watch = (controller: string, id: string, kind: GroupVersionKind, maps: Maps<M>): Watch<M> => {
    return {controller, id, ...kind, handle: wakes(maps)};
  };
  const runs = packageHealth === 'two' ? runtime : revision;
  return [
    watch(manager, 'packages', kindProvider, itself),
    watch(manager, 'revisions', kindProviderRevision, controlledBy(kindProvider.kind)),
    watch(revision, 'revisions', kindProviderRevision, itself),
    ...(packageHealth === 'two' ? [watch(runtime, 'revisions', kindProviderRevision, itself)] : []),
    watch(runs, 'deployments', kindDeployment, controlledBy(kindProviderRevision.kind)),
    ...(idleProviders === 'run'
      ? []
      : [{controller: runtime, id: 'definitions', ...kindManagedDefinition, handle: wakesActivated}]),
  ];
}

/** The revision of a kind that becomes active, or is so when it is seen first. */
function wakesActivated<M>(event: WatchEvent, context: EventContext<M>) {
  const isActive = ({spec}: KubeObject) => spec?.['state'] === 'Active';
  const was = context.before !== undefined && isActive(context.before);
  if (event.type === 'DELETED' || was || !isActive(event.object)) return {keys: []};
  return {keys: unique(controlledBy(kindProviderRevision.kind)(event.object))};
}
