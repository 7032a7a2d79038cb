// The input's orders, spelled out for the resources that are there: who waits for whom to be created, and which pairs
// deletion keeps in order. A step that selects nothing is passed over, so that a gap in a sequence breaks nothing
// (function-sequencer leaves the ends of the gap unordered: reference/peers A.1).

import type {Input, InvalidInput} from '../input/input.ts';
import {matches, type Selector} from '../input/selector.ts';
import {saysReady} from '../objects/ready.ts';
import {isSetAside} from '../objects/set-aside.ts';
import type {Snapshot} from '../snapshot.ts';
import {isUsage} from '../usages/edges.ts';
import type {Pair} from '../usages/usages.ts';
import {contradictions, type Rank} from './cycles.ts';
import type {References} from './references.ts';
import type {Holding} from './when.ts';

type Order = NonNullable<Input['order']>[number];

// A Usage is some 800 bytes of the response, and Crossplane takes no response of more than 4 MB (grpc-go's default).
const pairsMax = 2000;
/** On creation a pair is nothing in the cluster, but work in every call: who edits the XR may say how many resources there are. */
const ranksMax = 250_000;

export interface Orders {
  /** For creation: every step with every earlier step. */
  readonly creation: readonly Rank[];
  /** For deletion: every step with the last earlier step that selects something; the rest follows from those. */
  readonly deletion: readonly (Pair & {readonly path: string})[];
  /** For deletion: `before` leaves although `after`, which uses it, stays. */
  readonly overruled: readonly Rank[];
  /** For deletion: left out, because by labels that no step desires each of two would go before the other. */
  readonly contradicted: readonly Rank[];
  /** Who waits to be created, for whom; sorted. */
  readonly awaited: ReadonlyMap<string, readonly string[]>;
  /** Who waits to be created for a step that selects nothing: the first such order and step, counted from 1. */
  readonly gaps: ReadonlyMap<string, Gap>;
  /** Who would wait if an order that does not hold just now did. */
  readonly skipped: readonly Rank[];
  /** Why the deletion order is too large to be kept, and then it is not whole. */
  readonly excess: InvalidInput | undefined;
}

type Placed = Pair & {readonly path: string};

/** `asSaid`: `before` counts as ready where an earlier step says so, although it is not observed. */
type Waiting = Rank & {readonly asSaid?: boolean};

interface Gap {
  readonly order: number;
  readonly step: number;
}

/** `holding` tells of each order whether its `when` is true. */
export function ordersOf(snapshot: Snapshot, input: Input, holding: Holding, references: References): Orders {
  const creation: Waiting[] = references.ranks.filter(({untilReady}) => untilReady);
  const notHolding: Waiting[] = [];
  const deletion = references.ranks.map(({path, before, after}): Placed => ({path, of: before, by: after}));
  const gaps = new Map<string, Gap>();
  let pairCount = 0;
  let rankCount = 0;
  let excess: InvalidInput | undefined;
  let names: ReadonlySet<string> | undefined;
  const everyName = () => {
    names ??= new Set([...snapshot.observed.keys(), ...snapshot.desired.keys()]);
    return names;
  };
  for (const [index, order] of (input.order ?? []).entries()) {
    const path = `order[${index}]`;
    const selected = stepsOf(order).map((selector) => select(selector, snapshot, everyName));
    const steps = selected.filter((names) => names.length > 0);
    if (order.waitFor === 'Desired' && holding[index] && !order.deleteOnly) addGaps(index, selected, snapshot, gaps);
    if (!order.deleteOnly) {
      rankCount += countRanks(steps);
      const asSaid = order.waitFor === 'Desired';
      if (rankCount > ranksMax) excess ??= tooMany(path, tooManyRanks, rankCount, steps);
      else for (const rank of ranks(path, steps)) (holding[index] ? creation : notHolding).push({...rank, asSaid});
    }
    if (order.createOnly) continue;
    pairCount += countPairs(steps);
    if (pairCount > pairsMax) excess ??= tooMany(path, tooManyPairs, pairCount, steps);
    else for (const pair of pairs(steps, order.replayDeletion)) deletion.push({path, ...pair});
  }
  const isAwaited = unreadiness(snapshot);
  const skipped = notHolding.filter((rank) => isAwaited(rank) && !snapshot.observed.has(rank.after));
  // An order says who goes first when both go. What is dropped while its user stays is meant to go.
  const isOverruled = ({of, by}: Pair) => snapshot.desired.has(by) && !snapshot.desired.has(of);
  const standing = deletion.filter((pair) => !isOverruled(pair));
  const contradicted = contradictedIn(standing, snapshot, input);
  return {
    creation: creation.filter(({before, after}) => snapshot.desired.has(before) && snapshot.desired.has(after)),
    deletion: standing.filter((pair) => !contradicted.has(pair)),
    overruled: deletion.filter(isOverruled).map(rankOf),
    contradicted: [...contradicted].map(rankOf),
    awaited: awaitedBy(creation, isAwaited),
    gaps,
    skipped,
    excess,
  };
}

/**
 * Pairs of what no step desires any more, that order nothing: by its labels each of two would go before the other. Whoever
 * may write the objects may write those, and the XR does not stand still for it.
 */
function contradictedIn(
  deletion: readonly Placed[],
  {desired}: Snapshot,
  {order = [], usages = []}: Input,
): ReadonlySet<Placed> {
  const byLabels = new Set(order.flatMap((one, index) => (hasLabels(one) ? [`order[${index}]`] : [])));
  const isLoose = ({path, of, by}: Placed) => byLabels.has(path) && !desired.has(of) && !desired.has(by);
  const loose = deletion.filter(isLoose).map((pair) => ({...rankOf(pair), pair}));
  const named = usages.map((pair) => rankOf({...pair, path: ''}));
  const firm = [...named, ...deletion.filter((pair) => !isLoose(pair)).map(rankOf)];
  return new Set(contradictions(firm, loose).map(({pair}) => pair));
}

function hasLabels(order: Order): boolean {
  return stepsOf(order).some(({labels}) => labels !== undefined);
}

function rankOf({path, of, by}: Placed): Rank {
  return {path, before: of, after: by};
}

/** What comes after a step without anything desired waits for it, as function-sequencer has it. */
function addGaps(
  index: number,
  selected: readonly (readonly string[])[],
  {desired}: Snapshot,
  gaps: Map<string, Gap>,
): void {
  const step = selected.findIndex((names) => !names.some((name) => desired.has(name)));
  if (step < 0) return;
  for (const name of selected.slice(step + 1).flat()) {
    if (!gaps.has(name)) gaps.set(name, {order: index + 1, step: step + 1});
  }
}

/** Whether `before` is one to wait for. What leaves is not: it may never be ready again. */
function unreadiness(snapshot: Snapshot): (rank: Waiting) => boolean {
  const unready = new Map<string, boolean>();
  return ({before: name, asSaid = false}) => {
    const {ready} = snapshot.desired.get(name) ?? {};
    if (asSaid && ready === 'true') return false;
    const known = unready.get(name) ?? (ready !== undefined && !isReady(name, snapshot));
    unready.set(name, known);
    return known;
  };
}

/** For every resource the resources that have to be ready before it is created, and are not; sorted. */
function awaitedBy(
  creation: readonly Waiting[],
  isAwaited: (rank: Waiting) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, Set<string>>();
  for (const rank of creation) {
    const {before, after} = rank;
    if (isAwaited(rank)) names.set(after, (names.get(after) ?? new Set()).add(before));
  }
  return new Map([...names].map(([after, before]) => [after, [...before].sort()]));
}

function stepsOf({sequence, of, by}: Order): readonly Selector[] {
  return sequence ?? [of, by].filter((selector) => selector !== undefined);
}

function ranks(path: string, steps: readonly (readonly string[])[]): Rank[] {
  return steps.flatMap((names, index) => {
    const earlier = steps.slice(0, index).flat();
    return names.flatMap((after) =>
      earlier.filter((before) => before !== after).map((before) => ({path, before, after})),
    );
  });
}

/** Every resource waits for those of all steps before its own. */
function countRanks(steps: readonly (readonly string[])[]): number {
  let earlier = 0;
  let count = 0;
  for (const {length} of steps) {
    count += length * earlier;
    earlier += length;
  }
  return count;
}

/** A pair for every two resources of neighbouring steps. */
function countPairs(steps: readonly (readonly string[])[]): number {
  return steps.slice(1).reduce((sum, users, index) => sum + users.length * (steps[index]?.length ?? 0), 0);
}

const tooManyPairs = `at most ${pairsMax} pairs to keep in order on deletion, each of them a Usage (say createOnly, or put a step of one resource between two large ones)`;
const tooManyRanks = `at most ${ranksMax} pairs of which one waits for the other (put a step of one resource between two large ones, and leave the first out)`;

function tooMany(path: string, expected: string, count: number, steps: readonly (readonly string[])[]): InvalidInput {
  const sizes = steps.map(({length}) => length).join(' x ');
  return {
    kind: 'invalid-input',
    path,
    expected,
    got: `${count} with this order, whose steps select ${sizes} resources`,
  };
}

function pairs(steps: readonly (readonly string[])[], replayDeletion: boolean | undefined): Pair[] {
  const replay = replayDeletion === undefined ? {} : {replayDeletion};
  return steps
    .slice(1)
    .flatMap((users, index) =>
      users.flatMap((by) => (steps[index] ?? []).filter((of) => of !== by).map((of) => ({of, by, ...replay}))),
    );
}

/** What the selector means among everything desired or observed, as it is desired where it is; sorted. */
function select(
  selector: Selector,
  {observed, desired}: Snapshot,
  everyName: () => ReadonlySet<string>,
): readonly string[] {
  // A selector that says names is about these alone, whatever else there is.
  const names = selector.resources === undefined ? everyName() : new Set(selector.resources);
  const selected: string[] = [];
  for (const name of names) {
    const view = desired.get(name) ?? observed.get(name);
    // Usages order others and are not ordered.
    if (view !== undefined && !isSetAside(name) && !isUsage(view) && matches(selector, name, view)) selected.push(name);
  }
  return selected.sort();
}

/** As the earlier steps say, or where they say nothing as the object's own condition says. */
function isReady(resourceName: string, {observed, desired}: Snapshot): boolean {
  const said = desired.get(resourceName)?.ready ?? 'unspecified';
  const view = observed.get(resourceName);
  if (view === undefined || said === 'false') return false;
  return said === 'true' || saysReady(view);
}
