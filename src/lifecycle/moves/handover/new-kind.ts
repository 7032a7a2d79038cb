// What is asked about the kind that something is about to become. Of a kind that is not served Crossplane writes down a
// reference that it cannot read, and runs no function for the XR any more until the kind is there; and a kind without
// managementPolicies cannot only observe, so its apply fails. Both are known from the kind's schema, where Crossplane answers
// such questions (v2.2 on). Older ones, and kinds beyond the first few of one edit, begin without an answer.
//
// Left out: whether the kind is namespaced, which no schema says.

import {isSetAside} from '../../facts/set-aside.ts';
import {schemaName, schemasMax} from '../../removal/questions.ts';
import {sortedMap} from '../../words/json.ts';
import type {Obstacle} from '../../words/obstacles.ts';
import {isSameKind, type Kind} from '../../words/references.ts';
import type {Snapshot} from '../../words/snapshot.ts';
import type {Move} from './moves.ts';

const policies = ['spec', 'managementPolicies'];

/** The kinds that moves are about to begin to and that are not known by an object, by requirement name. Sorted. */
export function newKinds(moves: readonly Move[], {observed, schemas}: Snapshot): ReadonlyMap<string, Kind> {
  const kinds = new Map<string, Kind>();
  if (schemas === undefined) return kinds;
  for (const {kind, at, wanted} of moves) {
    if (kind !== 'replace' || isSetAside(at) || wanted === undefined) continue;
    const {apiVersion, kind: name} = wanted;
    kinds.set(schemaName(wanted), {apiVersion, kind: name});
  }
  for (const view of kinds.size === 0 ? [] : observed.values()) kinds.delete(schemaName(view));
  return new Map([...sortedMap([...kinds])].slice(0, schemasMax));
}

/** What speaks against the kind; of one that is not asked about nothing does. */
export function kindProblem(wanted: Kind, asked: ReadonlyMap<string, Kind>, {schemas}: Snapshot): Obstacle | undefined {
  if (![...asked.values()].some((kind) => isSameKind(kind, wanted))) return undefined;
  const schema = schemas?.get(schemaName(wanted));
  if (schema === undefined) return {kind: 'kind-unanswered'};
  if (!schema.isServed) return {kind: 'not-served'};
  return schema.declares(policies) ? undefined : {kind: 'cannot-observe'};
}
