// The Crossplane process: its static controllers, and those its engine started, which its memory lists.
// crossplane/crossplane 2d040d2da cmd/crossplane/core/core.go, internal/controller/apiextensions/apiextensions.go.
// Not modelled: leader election, packages but those of packages/ (and of Functions, which the harness installs).

import {type Controller, informerKey, type Process} from '../kernel/process.ts';
import {memo} from '../memo.ts';
import type {GroupVersionKind} from '../object.ts';
import {kindActivationPolicy, kindManagedDefinition} from '../vocabulary.ts';
import {reconcileActivationPolicy} from './activation-policy.ts';
import {reconcileClaim} from './claim/claim.ts';
import {reconcileComposite} from './composite/composite.ts';
import {reconcileDefinition} from './definition.ts';
import {collectorRoutine} from './engine/engine.ts';
import {emptyMemory, informerStarted, type Memory, type RunningController} from './engine/engine-state.ts';
import {collectWatches} from './engine/watch-collector.ts';
import {backoffComposite, claimTimeoutMs, controllerOf} from './intervals.ts';
import {reconcileManagedDefinition} from './managed-definition.ts';
import {reconcileOffered} from './offered.ts';
import {operationControllers, operationWatches} from './operations/operations.ts';
import {reconcileWatched} from './operations/watched.ts';
import {packageControllers, packageWatches} from './packages/packages.ts';
import type {ProviderPackages} from './packages/provider-package.ts';
import {reconcilePipelineCheck} from './pipeline-check.ts';
import type {Profile} from './profile.ts';
import {reconcileRevisions} from './revisions.ts';
import {usageControllers, usageRoutines, usageWatches} from './usage.ts';
import {controllerNames, engineWatches, staticWatches} from './watches.ts';
import {schemaOf, XrFields} from './xr.ts';

export interface CrossplaneOptions {
  readonly profile: Profile;
  /** Realtime compositions; the version's default where absent. */
  readonly realtime?: boolean;
  /** Started with --enable-operations, where the version has them. */
  readonly operations?: boolean;
  /** The packages that Providers may name. Without this field, Crossplane here does not handle Providers. */
  readonly packages?: ProviderPackages;
}

export const processCrossplane = 'crossplane';

export function crossplane(options: CrossplaneOptions): Process<Memory> {
  const {profile, packages} = options;
  const realtime = options.realtime ?? profile.realtimeByDefault;
  const operations = options.operations === true && profile.operations === 'behind-flag';
  const fixedControllers = [
    ...staticControllers(profile, realtime),
    ...usageControllers(profile.usages),
    ...(operations ? operationControllers(profile) : []),
    ...(packages === undefined ? [] : packageControllers(packages, profile)),
  ];
  const fixedWatches = [
    ...staticWatches(profile),
    ...usageWatches<Memory>(profile.usages),
    ...(operations ? operationWatches<Memory>() : []),
    ...(packages === undefined ? [] : packageWatches<Memory>(profile)),
  ];
  return {
    name: processCrossplane,
    workQueue: profile.workQueue,
    hasClient: true,
    // A world without them is as it was before Crossplane had them.
    isQuiet: ({kind}) => kind === kindManagedDefinition.kind || kind === kindActivationPolicy.kind,
    start: () => emptyMemory,
    controllers: madeOf(
      (memory) => [memory.controllers, memory.controllers],
      (memory) => [
        ...fixedControllers,
        ...Object.values(memory.controllers).map((controller) => engineController(controller, profile, realtime)),
      ],
    ),
    watches: madeOf(
      (memory) => [memory.controllers, memory.informers],
      (memory) => [...fixedWatches, ...engineWatches(memory, profile)],
    ),
    informers: madeOf(
      (memory) => [memory.informers, memory.informers],
      (memory) => Object.values(memory.informers),
    ),
    informerStarted: (memory, kind: GroupVersionKind) =>
      fixedWatches.some((watch) => informerKey(watch) === informerKey(kind)) ? memory : informerStarted(memory, kind),
    routines: {[collectorRoutine]: collectWatches(profile), ...usageRoutines},
  };
}

function staticControllers(profile: Profile, realtime: boolean): readonly Controller[] {
  const {defined, offered, revisions, revision, managed, activation} = controllerNames;
  const {revisionConditions, managedDefinitions} = profile;
  return [
    controllerOf(defined, reconcileDefinition({profile, realtime})),
    controllerOf(offered, reconcileOffered(profile)),
    controllerOf(revisions, reconcileRevisions()),
    ...(revisionConditions === 'none' ? [] : [controllerOf(revision, reconcilePipelineCheck(profile))]),
    ...(managedDefinitions === 'none' ? [] : [controllerOf(managed, reconcileManagedDefinition())]),
    ...(managedDefinitions === 'none' ? [] : [controllerOf(activation, reconcileActivationPolicy())]),
  ];
}

function engineController(controller: RunningController, profile: Profile, realtime: boolean): Controller {
  const {name} = controller;
  if (controller.type === 'watched') return controllerOf(name, reconcileWatched(controller.objects));
  const {xrd} = controller;
  if (controller.type === 'claim') {
    return controllerOf(name, reconcileClaim({profile, xrd}), {timeoutMs: claimTimeoutMs});
  }
  const fields = new XrFields(schemaOf(xrd.scope));
  const reconcile = reconcileComposite({profile, realtime, controller, fields});
  return controllerOf(name, reconcile, {backoff: backoffComposite});
}

// The kernel asks after every change of memory, and compares by identity. The parts of most answers did not change, so the answer
// is kept with them.
function madeOf<T>(parts: (memory: Memory) => readonly [object, object], make: (memory: Memory) => T) {
  const known = memo<object, {readonly second: object; readonly value: T}>();
  return (memory: Memory): T => {
    const [first, second] = parts(memory);
    const last = known.get(first);
    if (last?.second === second) return last.value;
    const value = make(memory);
    known.set(first, {second, value});
    return value;
  };
}
