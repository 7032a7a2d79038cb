// The cloud's side: what is alive there, against the managed resources that should own it.

import {aliveExternals, countersAt} from '../../../cluster/cloud/cloud-ledger.ts';
import type {External} from '../../../cluster/cloud/ledger-state.ts';
import {at} from '../../../cluster/json.ts';
import type {World} from '../../../cluster/kernel/world.ts';
import {type KubeObject, shortName} from '../../../cluster/object.ts';
import {inClusterId} from '../../../cluster/provider/in-cluster.ts';
import {annotationExternalName} from '../../../cluster/vocabulary.ts';

export interface ExternalCounts {
  readonly alive: number;
  /** How often the cloud created and deleted, ever. */
  readonly creates: number;
  readonly deletes: number;
}

/** The external resources that are alive; none without a cloud. */
export function externalsIn({cloud, nowMs}: Pick<World, 'cloud' | 'nowMs'>): readonly External[] {
  return cloud === undefined ? [] : aliveExternals(cloud, nowMs);
}

/** The cloud's own counters; all zero without a cloud. */
export function externalCounts({cloud, nowMs}: Pick<World, 'cloud' | 'nowMs'>): ExternalCounts {
  if (cloud === undefined) return {alive: 0, creates: 0, deletes: 0};
  const {creates, deletes} = countersAt(cloud, nowMs);
  return {alive: externalsIn({cloud, nowMs}).length, creates, deletes};
}

/** Managed resources, as `type/name`, for which more than one external resource is alive. */
export function doubledExternals(externals: readonly External[]): readonly string[] {
  const seen = new Set<string>();
  return externals.flatMap(({type, owner}) => {
    if (owner === undefined) return [];
    const key = `${type}/${owner}`;
    if (seen.has(key)) return [key];
    seen.add(key);
    return [];
  });
}

/** External resources without a managed resource. They cost money unseen. */
export function leftBehind(externals: readonly External[], objects: readonly KubeObject[]): readonly External[] {
  const there = new Set(objects.map(shortName));
  const led = new Set(objects.flatMap((object) => [leadsTo(object), at(object.status, ['atProvider', 'id'])]));
  return externals.filter(({type, owner, id}) => owner !== undefined && !there.has(`${type}/${owner}`) && !led.has(id));
}

/** Objects that lead to another external resource than when they were saved. */
export function renamedExternals(saved: readonly KubeObject[], objects: readonly KubeObject[]): readonly KubeObject[] {
  const names = new Map(saved.map((object) => [addressOf(object), leadsTo(object)]));
  return objects.filter((object) => {
    const before = names.get(addressOf(object));
    const now = leadsTo(object);
    return before !== undefined && now !== undefined && now !== before;
  });
}

/** The name by which a managed resource has its external resource: a place in a cluster, or the external name. */
export function leadsTo(object: KubeObject): string | undefined {
  return externalNameOf(object) === undefined ? undefined : (inClusterId(object) ?? externalNameOf(object));
}

export function externalNameOf({metadata}: KubeObject): string | undefined {
  return metadata.annotations?.[annotationExternalName];
}

export function addressOf({kind, metadata: {namespace, name}}: KubeObject): string {
  return `${kind} ${namespace ?? ''}/${name}`;
}
