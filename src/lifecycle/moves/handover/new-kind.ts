// What is asked about the kind that something is about to become. Of a kind that is not served Crossplane writes down a
// reference that it cannot read, and runs no function for the XR any more until the kind is there; and a kind without
// managementPolicies cannot only observe, so its apply fails. Both are known from the kind's schema, where Crossplane answers
// such questions (v2.2 on). On older ones a move begins without an answer. Where the next request has no room for another schema
// (facts/room.ts), it waits: a kind that is observed by then is asked about no more.
//
// Left out: whether the kind is namespaced, which no schema says.

import {roomForSchemas} from '../../facts/room.ts';
import {isSetAside} from '../../facts/set-aside.ts';
import {schemaName} from '../../questions/registry.ts';
import {sortedMap} from '../../words/json.ts';
import type {Obstacle} from '../../words/obstacles.ts';
import {isSameKind, type Kind} from '../../words/references.ts';
import type {Snapshot} from '../../words/snapshot.ts';
import type {Move} from './moves.ts';

const policies = ['spec', 'managementPolicies'];

/** The kinds that rules have moves begin to and that are not known by an object, by requirement name; those of dry runs last. */
export function newKinds(moves: readonly Move[], {observed, schemas}: Snapshot): ReadonlyMap<string, Kind> {
  if (schemas === undefined) return new Map();
  const kinds = new Map<string, Kind>();
  const real = new Set<string>();
  for (const {kind, at, wanted, allowed} of moves) {
    if (kind !== 'replace' || isSetAside(at) || wanted === undefined || allowed === undefined) continue;
    const name = schemaName(wanted);
    kinds.set(name, {apiVersion: wanted.apiVersion, kind: wanted.kind});
    if (!allowed.rule.dryRun) real.add(name);
  }
  for (const view of kinds.size === 0 ? [] : observed.values()) kinds.delete(schemaName(view));
  return new Map([...sortedMap([...kinds])].sort(([a], [b]) => Number(real.has(b)) - Number(real.has(a))));
}

/** As many of them as have room in the next request. */
export function askedKinds(kinds: ReadonlyMap<string, Kind>, snapshot: Snapshot): ReadonlyMap<string, Kind> {
  return new Map([...kinds].slice(0, roomForSchemas(snapshot)));
}

/** What speaks against the kind; of one that an object is known of nothing does. */
export function kindProblem(wanted: Kind, kinds: ReadonlyMap<string, Kind>, {schemas}: Snapshot): Obstacle | undefined {
  if (![...kinds.values()].some((kind) => isSameKind(kind, wanted))) return undefined;
  const schema = schemas?.get(schemaName(wanted));
  if (schema === undefined) return {kind: 'kind-unanswered'};
  if (!schema.isServed) return {kind: 'not-served'};
  return schema.declares(policies) ? undefined : {kind: 'cannot-observe'};
}
