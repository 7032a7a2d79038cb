// What speaks against a move to another kind because somebody protects the old object, and would not protect the new one.
// Usages that the input makes for pairs follow by themselves, those of `protect` as far as its rules select what is to be. One that the pipeline writes with a selector has to name the new kind in
// the same edit: going on to name the old one it would keep that for good. One from outside of the XR follows nobody.
//
// Asked before a move begins. What comes later holds the old object, which has let go by then, and says so. Left out: Usages
// with a resourceRef, because functions write those of what they observe (function-sequencer), and then they follow.

import {type Edge, edgesOf} from '../../facts/edges.ts';
import {isLabelledInUse} from '../../facts/in-use-label.ts';
import {matches} from '../../input/selector.ts';
import {isConfirmed} from '../../removal/policies.ts';
import {text} from '../../words/json.ts';
import type {Obstacle} from '../../words/obstacles.ts';
import {isSameKind, type Kind} from '../../words/references.ts';
import type {DesiredView} from '../../words/snapshot.ts';
import type {Given} from './given.ts';
import type {Move} from './moves.ts';

/** Answers for every move of one plan; Usages are read when the first one asks. */
export function protectionIn({snapshot, input, protection}: Given): (move: Move) => Obstacle | undefined {
  let edges: ReadonlyMap<string, readonly Edge[]> | undefined;
  return ({at, to, kind, old, wanted}) => {
    if (isConfirmed(at, snapshot)) return undefined;
    const usage = protection.usageOf(at);
    const successors = [...(wanted === undefined ? [] : [wanted]), ...(kind === 'rename' ? [old] : [])];
    const isSelected = () =>
      input.protect?.resources?.some(({match}) => successors.some((view) => matches(match, to, view)));
    if (usage !== undefined && !isSelected()) return {kind: 'loses-protection', usage};
    if (kind === 'rename') return undefined;
    edges ??= Map.groupBy(edgesOf(snapshot), ({of}) => of.resourceName);
    const protecting = edges.get(at) ?? [];
    const staying = protecting.map(({usage}) => usage).filter((usage) => selects(snapshot.desired.get(usage), old));
    if (staying.length > 0) return {kind: 'protected', usages: staying};
    return isLabelledInUse(old) && protecting.length === 0 ? {kind: 'protected', usages: []} : undefined;
  };
}

/** Whether the pipeline goes on to desire a Usage of this kind, whichever object it means. */
function selects(usage: DesiredView | undefined, old: Kind): boolean {
  const of = (...path: readonly string[]) => text(usage?.field(['spec', 'of', ...path]));
  const isSelected = usage !== undefined && of('resourceRef', 'name') === '';
  return isSelected && isSameKind({apiVersion: of('apiVersion'), kind: of('kind')}, old);
}
