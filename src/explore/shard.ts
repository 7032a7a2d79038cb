// A search in parts that know nothing of each other, and their results put together. Each shard explores everything
// before the cut, in the same order as all others, and then only what follows from the states that fall to it; every state
// behind the cut lies on a path through one of those, so the shards together see all states and no others. Those before
// the cut are counted once; one behind it may be reached from several, so counts are an upper bound.

import {type Incompleteness, outcomeOf, type PropertyReport, type SearchResult, verdictOf} from './result.ts';

/** The result of a whole search from its shards, in any order. If one is missing the result is incomplete. */
export function mergeShards(shards: readonly SearchResult[]): SearchResult {
  const [first] = shards;
  if (first === undefined) throw new Error('cannot merge shards: expected at least one result, got none');
  const reasons: Incompleteness[] = isWhole(shards) ? [] : ['shard'];
  for (const {outcome} of shards) {
    if (outcome.kind === 'incomplete') reasons.push(...outcome.reasons.filter((reason) => reason !== 'shard'));
  }
  const outcome = outcomeOf(reasons);
  const complete = outcome.kind === 'complete';
  return {
    outcome,
    properties: first.properties.map((_, index) => mergeReports(shards, index, complete)),
    uniqueStates: sum(shards, (shard) => shard.uniqueStates) - sharedTwice(shards),
    transitions: sum(shards, (shard) => shard.transitions),
    quiescentStates: sum(shards, (shard) => shard.quiescentStates),
    beyondBoundary: sum(shards, (shard) => shard.beyondBoundary),
    depth: Math.max(...shards.map((shard) => shard.depth)),
    frontier: sum(shards, (shard) => shard.frontier),
  };
}

function isWhole(shards: readonly SearchResult[]): boolean {
  const count = shards[0]?.shard?.count ?? 0;
  const indices = new Set(shards.map((result) => result.shard?.index));
  const cut = JSON.stringify(shards[0]?.shard?.cut);
  const alike = shards.every(({shard}) => shard?.count === count && JSON.stringify(shard.cut) === cut);
  return alike && indices.size === count && shards.length === count;
}

/** States before the cut, as often as they are counted too often. */
function sharedTwice([first, ...others]: readonly SearchResult[]): number {
  return others.length * (first?.shard?.sharedStates ?? 0);
}

function mergeReports(shards: readonly SearchResult[], index: number, complete: boolean): PropertyReport {
  const reports = shards.map((shard) => shard.properties[index]).filter((report) => report !== undefined);
  const [first] = reports;
  if (first === undefined) throw new Error(`cannot merge shards: property ${index} is missing from all of them`);
  const statesChecked = reports.reduce((total, report) => total + report.statesChecked, 0);
  const {name, expectation} = first;
  // The shortest discovery, of equal ones the first shard's.
  const [discovery] = reports
    .flatMap((report) => (report.discovery === undefined ? [] : [report.discovery]))
    .sort((a, b) => a.path.length - b.path.length);
  const discovered = discovery !== undefined;
  // A cycle may run through several shards, so without a failure they decide nothing about an `eventually`.
  const silent = expectation === 'eventually' && !discovered;
  const verdict = silent ? 'unknown' : verdictOf(expectation, {discovered, statesChecked, complete});
  return {name, expectation, verdict, statesChecked, ...(discovery === undefined ? {} : {discovery})};
}

function sum(shards: readonly SearchResult[], of: (shard: SearchResult) => number): number {
  return shards.reduce((total, shard) => total + of(shard), 0);
}
