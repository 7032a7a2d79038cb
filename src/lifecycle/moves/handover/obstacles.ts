// The obstacle of a Usage that protects the old object and would not protect the new one. Usages of the input's pairs follow by
// themselves. Those of `protect` follow if its rules select the successor. A Usage of the pipeline with a selector has to name the new
// kind in the same edit: naming the old kind, it would keep the old object for good. A Usage from outside the XR never follows.
//
// This is looked for before a move begins. A later Usage holds the old object, which has let go by then, and the condition names it.
// Left out: Usages with a resourceRef. Functions write them for observed objects (function-sequencer), and then they follow.

import {type Edge, edgesOf} from '../../facts/edges.ts';
import {isLabelledInUse} from '../../facts/marks.ts';
import {isSetAside} from '../../facts/naming.ts';
import {roomForSchemas} from '../../facts/room.ts';
import {matches} from '../../input/selector.ts';
import {schemaName} from '../../questions/registry.ts';
import {isConfirmed} from '../../removal/policies.ts';
import {sortedMap, text} from '../../words/json.ts';
import type {Obstacle} from '../../words/obstacles.ts';
import {isSameKind, type Kind, kindIn} from '../../words/references.ts';
import type {DesiredView, Snapshot} from '../../words/snapshot.ts';
import type {Given} from '../objects.ts';
import type {Move} from './moves.ts';

/** The obstacle of each move of one plan; Usages are read for the first move that needs them. */
export function protectionIn({snapshot, input, protection}: Given): (move: Move) => Obstacle | undefined {
  let edges: ReadonlyMap<string, readonly Edge[]> | undefined;
  return ({at, to, kind, old, wanted}) => {
    if (isConfirmed(at, snapshot)) return undefined;
    const usage = protection.usageOf(at);
    const successors = [...(wanted === undefined ? [] : [wanted]), ...(kind === 'rename' ? [old] : [])];
    const isSelected = () =>
      input.protect?.resources?.some(({match}) => successors.some((view) => matches(match, to, view)));
    // The edit ends every protection, and a renamed object stays.
    const isEnded = kind === 'rename' && (input.protect?.resources ?? []).length === 0;
    if (usage !== undefined && !isEnded && !isSelected()) return {kind: 'unprotected', usage};
    if (kind === 'rename') return undefined;
    edges ??= Map.groupBy(edgesOf(snapshot), ({of}) => of.resourceName);
    const protecting = edges.get(at) ?? [];
    const staying = protecting.map(({usage}) => usage).filter((usage) => selects(snapshot.desired.get(usage), old));
    if (staying.length > 0) return {kind: 'protected', usages: staying};
    return isLabelledInUse(old) && protecting.length === 0 ? {kind: 'protected', usages: []} : undefined;
  };
}

/** True if the pipeline still desires a Usage that selects this kind. */
function selects(usage: DesiredView | undefined, old: Kind): boolean {
  const of = (...path: readonly string[]) => text(usage?.field(['spec', 'of', ...path]));
  const isSelected = usage !== undefined && of('resourceRef', 'name') === '';
  return isSelected && isSameKind({apiVersion: of('apiVersion'), kind: of('kind')}, old);
}

// The questions about the new kind of a move. If the kind is not served, Crossplane writes a reference that it cannot read, and runs
// no function for the XR until the kind is there. A kind without managementPolicies cannot only observe, so its apply fails.
//
// The kind's schema shows both, if Crossplane answers such questions (v2.2 on). On older versions a move begins without an answer. If
// the next request has no room for another schema (facts/room.ts), the move waits: once the kind is observed, it is not asked about.
//
// Left out: the scope of the kind, which no schema has.

const policies = ['spec', 'managementPolicies'];

/** The new kinds of moves that begin by a rule, without those of observed objects, by requirement name; dry runs last. */
export function newKinds(moves: readonly Move[], {observed, schemas}: Snapshot): ReadonlyMap<string, Kind> {
  if (schemas === undefined) return new Map();
  const kinds = new Map<string, Kind>();
  const real = new Set<string>();
  for (const {kind, at, old, wanted, allowed} of moves) {
    if (kind !== 'replace' || isSetAside(at, old) || wanted === undefined || allowed === undefined) continue;
    const name = schemaName(wanted);
    kinds.set(name, kindIn(wanted));
    if (!allowed.rule.dryRun) real.add(name);
  }
  for (const view of kinds.size === 0 ? [] : observed.values()) kinds.delete(schemaName(view));
  return new Map([...sortedMap([...kinds])].sort(([a], [b]) => Number(real.has(b)) - Number(real.has(a))));
}

/** The obstacle of the kind. A kind with an observed object has none. */
export function kindProblem(wanted: Kind, kinds: ReadonlyMap<string, Kind>, snapshot: Snapshot): Obstacle | undefined {
  if (![...kinds.values()].some((kind) => isSameKind(kind, wanted))) return undefined;
  const schema = snapshot.schemas?.get(schemaName(wanted));
  if (schema === undefined) return {kind: 'unanswered', lacksRoom: roomForSchemas(snapshot) === 0};
  if (!schema.isServed) return {kind: 'not-served'};
  return schema.declares(policies) ? undefined : {kind: 'no-policies', whose: 'new'};
}
