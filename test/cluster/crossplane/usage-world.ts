import {usageKinds} from '../../../src/cluster/crossplane/kinds/crossplane-kinds.ts';
import type {UsageBehaviour} from '../../../src/cluster/crossplane/profile.ts';
import {profiles} from '../../../src/cluster/crossplane/profiles.ts';
import {usageControllers, usageRoutines, usageWatches} from '../../../src/cluster/crossplane/usage.ts';
import {usageAdmission} from '../../../src/cluster/crossplane/usage-admission.ts';
import type {JsonObject} from '../../../src/cluster/json.ts';
import type {Process} from '../../../src/cluster/kernel/process.ts';
import type {KubeObject, ResourceRef} from '../../../src/cluster/object.ts';
import {kindNamed, type SmallWorld, smallWorld} from '../small-world.ts';

// A world with the Usage controllers and their webhook, and two kinds to use: Part (cluster-scoped) and Local.

export const processName = 'crossplane';
export const labelInUse = 'crossplane.io/in-use';

export function usageWorld(
  behaviour: UsageBehaviour = profiles.main.usages,
  workQueue = profiles.main.workQueue,
): SmallWorld {
  const process: Process<undefined> = {
    name: processName,
    workQueue,
    hasClient: true,
    start: () => undefined,
    controllers: () => usageControllers(behaviour),
    watches: () => usageWatches<undefined>(behaviour),
    routines: usageRoutines,
  };
  return smallWorld({
    processes: [process as unknown as Process<never>],
    kinds: [...usageKinds(behaviour), kindNamed('Part'), kindNamed('Local', true)],
    admission: (world) => usageAdmission(behaviour, world.processes.has(processName)),
  });
}

export function clusterUsage(name: string, spec: JsonObject, metadata: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'protection.crossplane.io/v1beta1',
    kind: 'ClusterUsage',
    metadata: {name, ...metadata},
    spec,
  } as unknown as KubeObject;
}

export function namespacedUsage(name: string, spec: JsonObject, namespace = 'default'): KubeObject {
  return {
    apiVersion: 'protection.crossplane.io/v1beta1',
    kind: 'Usage',
    metadata: {name, namespace},
    spec,
  } as unknown as KubeObject;
}

export function legacyUsage(name: string, spec: JsonObject, version: string, metadata: JsonObject = {}): KubeObject {
  return {
    apiVersion: `apiextensions.crossplane.io/${version}`,
    kind: 'Usage',
    metadata: {name, ...metadata},
    spec,
  } as unknown as KubeObject;
}

export function usageRef(usage: KubeObject): ResourceRef {
  const {apiVersion, kind, metadata} = usage;
  const ref = {apiVersion, kind, name: metadata.name};
  return metadata.namespace === undefined ? ref : {...ref, namespace: metadata.namespace};
}

/** One end of a Usage, by name. */
export function named(kind: string, name: string, rest: JsonObject = {}): JsonObject {
  return {apiVersion: 'example.org/v1', kind, resourceRef: {name, ...rest}};
}

/** One end of a Usage, by selector. */
export function selected(kind: string, selector: JsonObject): JsonObject {
  return {apiVersion: 'example.org/v1', kind, resourceSelector: selector};
}
