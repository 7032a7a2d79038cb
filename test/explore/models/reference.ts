// What a search must find, computed the plain way: sets of strings, no reduction, no covering, other algorithms. Only for
// small models.
import type {Model} from '../../../src/explore/model.ts';

export interface ReferenceGraph<S> {
  /** Fingerprint to least depth, budgets disregarded once within them. */
  readonly depths: ReadonlyMap<string, number>;
  readonly quiescent: ReadonlySet<string>;
  /** Per state and amounts spent: what follows. */
  readonly nodes: ReadonlyMap<string, ReferenceNode<S>>;
}

interface ReferenceNode<S> {
  readonly state: S;
  readonly quiescent: boolean;
  /** Free steps by action key; spending steps under the empty key. */
  readonly steps: readonly {readonly key: string; readonly to: string}[];
}

const start = 'start';

/** Every state within the budgets and the boundary, breadth first. */
export function referenceGraph<S, A>(model: Model<S, A>, budgets: Readonly<Record<string, number>>): ReferenceGraph<S> {
  const depths = new Map<string, number>();
  const quiescent = new Set<string>();
  const nodes = new Map<string, ReferenceNode<S>>();
  const queue: {name: string; state: S; spent: Record<string, number>; depth: number}[] = [
    {name: start, state: model.initial(), spent: {}, depth: 0},
  ];
  const nameOf = (state: S, spent: Record<string, number>): string => {
    const isStart = model.fingerprint(state) === model.fingerprint(model.initial()) && Object.keys(spent).length === 0;
    return isStart ? start : `${model.fingerprint(state)} ${JSON.stringify(Object.entries(spent).sort())}`;
  };
  const known = new Set([start]);
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
    const {name, state, spent, depth} = item;
    const fingerprint = String(model.fingerprint(state));
    if (!depths.has(fingerprint)) depths.set(fingerprint, depth);
    const steps: {key: string; to: string}[] = [];
    let rests = true;
    for (const action of model.actions(state)) {
      const cost = model.cost?.(action, state);
      const next = model.next(state, action);
      if (cost === undefined && model.fingerprint(next) !== model.fingerprint(state)) rests = false;
      if (cost !== undefined && (spent[cost] ?? 0) >= (budgets[cost] ?? 0)) continue;
      if (model.withinBoundary?.(next) === false) {
        if (cost === undefined) steps.push({key: model.key(action), to: 'outside'});
        continue;
      }
      const after = cost === undefined ? spent : {...spent, [cost]: (spent[cost] ?? 0) + 1};
      const to = nameOf(next, after);
      steps.push({key: cost === undefined ? model.key(action) : '', to});
      if (known.has(to)) continue;
      known.add(to);
      queue.push({name: to, state: next, spent: after, depth: depth + 1});
    }
    if (rests) quiescent.add(fingerprint);
    nodes.set(name, {state, quiescent: rests, steps});
  }
  return {depths, quiescent, nodes};
}

/**
 * Whether some fair run avoids the condition, by a greatest fixpoint over states (Emerson and Lei, "Efficient model
 * checking in fragments of the propositional mu-calculus", 1986), not by components.
 */
export function someFairRunAvoids<S>(graph: ReferenceGraph<S>, condition: (state: S) => boolean): boolean {
  const misses = (name: string): boolean => {
    const node = graph.nodes.get(name);
    return node !== undefined && !condition(node.state);
  };
  if (!misses(start)) return false;
  const reached = new Set([start]);
  for (const name of reached) {
    for (const {to} of graph.nodes.get(name)?.steps ?? []) if (misses(to)) reached.add(to);
  }
  if ([...reached].some((name) => graph.nodes.get(name)?.quiescent === true)) return true;
  const keys = new Set([...reached].flatMap((name) => graph.nodes.get(name)?.steps.map((step) => step.key) ?? []));
  keys.delete('');
  let fair = reached;
  for (let size = -1; size !== fair.size; ) {
    size = fair.size;
    fair = new Set([...fair].filter((name) => staysFair(graph, fair, name, keys)));
  }
  return fair.size > 0;
}

function staysFair<S>(
  graph: ReferenceGraph<S>,
  within: ReadonlySet<string>,
  name: string,
  keys: ReadonlySet<string>,
): boolean {
  const free = (from: string): readonly {key: string; to: string}[] =>
    (graph.nodes.get(from)?.steps ?? []).filter(({key}) => key !== '');
  if (!free(name).some(({to}) => within.has(to))) return false;
  const reached = new Set([name]);
  for (const at of reached) for (const {to} of free(at)) if (within.has(to)) reached.add(to);
  return [...keys].every((key) =>
    [...reached].some((at) => {
      const step = free(at).find((candidate) => candidate.key === key);
      return step === undefined || within.has(step.to);
    }),
  );
}
