// The questions about the new kind of a move. If the kind is not served, Crossplane writes a reference that it cannot read, and runs
// no function for the XR until the kind is there. A kind without managementPolicies cannot only observe, so its apply fails.
//
// The kind's schema shows both, if Crossplane answers such questions (v2.2 on). On older versions a move begins without an answer. If
// the next request has no room for another schema (facts/room.ts), the move waits: once the kind is observed, it is not asked about.
//
// Left out: the scope of the kind, which no schema has.

import {isSetAside} from '../../facts/set-aside.ts';
import {schemaName} from '../../questions/registry.ts';
import {sortedMap} from '../../words/json.ts';
import type {Obstacle} from '../../words/obstacles.ts';
import {isSameKind, type Kind, kindIn} from '../../words/references.ts';
import type {Snapshot} from '../../words/snapshot.ts';
import type {Move} from './moves.ts';

const policies = ['spec', 'managementPolicies'];

/** The new kinds of moves that begin by a rule, without those of observed objects, by requirement name; dry runs last. */
export function newKinds(moves: readonly Move[], {observed, schemas}: Snapshot): ReadonlyMap<string, Kind> {
  if (schemas === undefined) return new Map();
  const kinds = new Map<string, Kind>();
  const real = new Set<string>();
  for (const {kind, at, wanted, allowed} of moves) {
    if (kind !== 'replace' || isSetAside(at) || wanted === undefined || allowed === undefined) continue;
    const name = schemaName(wanted);
    kinds.set(name, kindIn(wanted));
    if (!allowed.rule.dryRun) real.add(name);
  }
  for (const view of kinds.size === 0 ? [] : observed.values()) kinds.delete(schemaName(view));
  return new Map([...sortedMap([...kinds])].sort(([a], [b]) => Number(real.has(b)) - Number(real.has(a))));
}

/** The obstacle of the kind. A kind with an observed object has none. */
export function kindProblem(wanted: Kind, kinds: ReadonlyMap<string, Kind>, {schemas}: Snapshot): Obstacle | undefined {
  if (![...kinds.values()].some((kind) => isSameKind(kind, wanted))) return undefined;
  const schema = schemas?.get(schemaName(wanted));
  if (schema === undefined) return {kind: 'unanswered'};
  if (!schema.isServed) return {kind: 'not-served'};
  return schema.declares(policies) ? undefined : {kind: 'no-policies', whose: 'new'};
}
