// Strongly connected components by Tarjan's algorithm ("Depth-first search and linear graph algorithms", SIAM J.
// Comput. 1972), without recursion: explored graphs are deeper than a call stack.
import type {RunGraph} from './run-graph.ts';

/** The component number of each of the nodes, in the graph of the edges between them. */
export function findComponents(graph: RunGraph, nodes: readonly number[]): ReadonlyMap<number, number> {
  const visits = new Map<number, Visit>();
  for (const node of nodes) visits.set(node, {index: -1, low: -1, nextEdge: graph.start[node] as number, open: false});
  const componentOf = new Map<number, number>();
  const open: number[] = [];
  const path: number[] = [];
  let index = 0;
  let component = 0;

  const enter = (node: number, visit: Visit): void => {
    visit.index = index;
    visit.low = index++;
    visit.open = true;
    open.push(node);
    path.push(node);
  };
  const leave = (node: number, visit: Visit): void => {
    path.pop();
    const below = path.at(-1);
    const parent = below === undefined ? undefined : visits.get(below);
    if (parent !== undefined) parent.low = Math.min(parent.low, visit.low);
    if (visit.low !== visit.index) return;
    for (let member = open.pop(); member !== undefined; member = open.pop()) {
      (visits.get(member) as Visit).open = false;
      componentOf.set(member, component);
      if (member === node) break;
    }
    component++;
  };

  for (const root of nodes) {
    const start = visits.get(root) as Visit;
    if (start.index >= 0) continue;
    enter(root, start);
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const visit = visits.get(node) as Visit;
      if (visit.nextEdge === (graph.end[node] as number)) {
        leave(node, visit);
        continue;
      }
      const edge = visit.nextEdge++;
      const target = graph.target[edge] as number;
      const targetVisit = visits.get(target);
      if (targetVisit === undefined) continue;
      if (targetVisit.index < 0) enter(target, targetVisit);
      else if (targetVisit.open) visit.low = Math.min(visit.low, targetVisit.index);
    }
  }
  return componentOf;
}

interface Visit {
  index: number;
  low: number;
  nextEdge: number;
  open: boolean;
}
