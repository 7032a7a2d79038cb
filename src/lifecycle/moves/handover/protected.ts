// The obstacle of a Usage that protects the old object and would not protect the new one. Usages of the input's pairs follow by
// themselves. Those of `protect` follow if its rules select the successor. A Usage of the pipeline with a selector has to name the new
// kind in the same edit: naming the old kind, it would keep the old object for good. A Usage from outside the XR never follows.
//
// This is looked for before a move begins. A later Usage holds the old object, which has let go by then, and the condition names it.
// Left out: Usages with a resourceRef. Functions write them for observed objects (function-sequencer), and then they follow.

import {type Edge, edgesOf} from '../../facts/edges.ts';
import {isLabelledInUse} from '../../facts/in-use-label.ts';
import {matches} from '../../input/selector.ts';
import {isConfirmed} from '../../removal/policies.ts';
import {text} from '../../words/json.ts';
import type {Obstacle} from '../../words/obstacles.ts';
import {isSameKind, type Kind} from '../../words/references.ts';
import type {DesiredView} from '../../words/snapshot.ts';
import type {Given} from '../given.ts';
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
    if (usage !== undefined && !isSelected()) return {kind: 'unprotected', usage};
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
