// The input's orders, spelled out for the resources that are there: who waits for whom to be created, and which pairs
// deletion keeps in order. A step that selects nothing is passed over, so that a gap in a sequence breaks nothing
// (function-sequencer leaves the ends of the gap unordered: reference/peers A.1).

import {edgesOf, isUsage} from '../facts/edges.ts';
import {isSetAside, memoryName} from '../facts/naming.ts';
import {hasReadyTrue, isConfig} from '../facts/ready.ts';
import type {Input, InvalidInput} from '../input/input.ts';
import type {Scene} from '../input/scene.ts';
import {matches, type Selector} from '../input/selector.ts';
import type {UsageApi} from '../input/usage-api.ts';
import {show} from '../input/validate.ts';
import type {Meter} from '../templates/cel/functions.ts';
import {type Sources, sourcesOf, whenVariables} from '../templates/templates.ts';
import {evaluateBoolean, expectedBoolean} from '../templates/value.ts';
import type {Follows, Layer, Ordered} from '../usages/additions.ts';
import {inexpressibleReason, type Pair, type PlacedPair, pairOf} from '../usages/usages.ts';
import {memoized} from '../words/memo.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';
import {contradictions, cycleProblem, type Rank} from './cycles.ts';
import type {References} from './references.ts';

type Order = NonNullable<Input['order']>[number];

// More than any request has room for as Usages (facts/room.ts). Of what is beyond, the Usages that are there stay, and the rest is
// kept in order as far as the XR sees both.
const pairsMax = 2000;
/** The limit of pairs that are searched for a cycle: an editor of the XR decides how many resources there are. */
const ranksMax = 250_000;

export interface Orders extends Ordered {
  readonly kind: 'orders';
  /** For deletion: `of` leaves although `by`, which uses it, stays. */
  readonly overruled: readonly Rank[];
  /** For deletion: left out, because by labels that no step desires each of two would go before the other. */
  readonly contradicted: readonly Rank[];
  /** The resources that wait to be created, with those they wait for; sorted. */
  readonly awaited: ReadonlyMap<string, readonly string[]>;
  /** The resources that wait to be created for a step that selects nothing: the first such order and step, counted from 1. */
  readonly gaps: ReadonlyMap<string, Gap>;
  /** The pairs that would wait if an order held that does not hold now. */
  readonly skipped: readonly Rank[];
  /** Every `when` that is neither true nor false: its order holds. */
  readonly undecided: readonly InvalidInput[];
}

interface Gap {
  readonly order: number;
  readonly step: number;
}

/** An order as it is for the resources at hand. */
interface Spelled {
  readonly path: string;
  readonly order: Order;
  readonly holds: boolean;
  /** The selection of each step; `steps` leaves out empty ones. */
  readonly selected: readonly (readonly string[])[];
  readonly steps: readonly (readonly string[])[];
}

/**
 * The orders, or the first thing that makes no sense: a `when`, an order without ends, a cycle. `stays`: whether a resource stays
 * although no step desires it.
 */
export function ordersOf(
  {snapshot, input, api, naming, meter}: Scene & {readonly meter: Meter},
  references: References,
  stays: (resourceName: string) => boolean,
): Orders | InvalidInput {
  const held = holdingOrders(input, sourcesOf(snapshot), meter, naming === 'function-sequencer');
  if (held.kind !== 'holding') return held;
  const orders = spelledOrders(snapshot, input, held.holding);
  const ofReferences = references.ranks.filter(({untilReady}) => untilReady);
  const spelled = deletionOf(orders, references, snapshot, api);
  // An order applies if both leave. If a resource is dropped while its user stays, it is meant to go first.
  const isOverruled = ({of, by}: Pair) => snapshot.desired.has(by) && !snapshot.desired.has(of) && !stays(of);
  const standing = spelled.deletion.filter((pair) => !isOverruled(pair));
  const contradicted = contradictedIn(standing, snapshot, input);
  const declared = [...declaredIn(input), ...standing.filter((pair) => !contradicted.has(pair))];
  const creating = orders.filter(({order}) => !order.deleteOnly);
  const holding = creating.filter(({holds}) => holds);
  const problem =
    formProblem(input) ?? cycleProblem(declared) ?? cycleProblem(sharedRanks(holding, ofReferences, snapshot));
  if (problem !== undefined) return problem;
  const earlier = earlierRanks(snapshot);
  const circular = new Set(earlier.length === 0 ? [] : contradictions(earlier, declared));
  const isAwaited = unreadiness(snapshot);
  const waits = (some: readonly Spelled[]) => some.flatMap((order) => waitsOf(order, isAwaited, snapshot));
  const waitingTemplates = ofReferences
    .filter(({of}) => isAwaited(of, false))
    .map(({path, of, by}): Waits => ({path, names: [by], of: [of]}));
  return {
    kind: 'orders',
    pairs: declared.filter((pair) => !circular.has(pair)),
    circular: [...circular],
    unspelled: spelled.unspelled,
    follows: followsIn(snapshot, input),
    overruled: spelled.deletion.filter(isOverruled),
    contradicted: [...contradicted],
    awaited: awaitedBy([...waitingTemplates, ...waits(holding)]),
    gaps: gapsIn(orders, snapshot),
    skipped: waits(creating.filter(({holds}) => !holds)).flatMap(skippedIn),
    undecided: held.undecided,
  };
}

function formProblem({order}: Input): InvalidInput | undefined {
  for (const [index, rule] of (order ?? []).entries()) {
    const path = `order[${index}]`;
    const ends = rule.of !== undefined && rule.by !== undefined;
    const neither = rule.of === undefined && rule.by === undefined;
    if (rule.sequence === undefined ? !ends : !neither) {
      return {kind: 'invalid-input', path, expected: 'either `sequence`, or both `of` and `by`', got: show(rule)};
    }
    if (rule.createOnly && rule.deleteOnly) {
      const expected = 'at most one of `createOnly` and `deleteOnly`';
      return {kind: 'invalid-input', path, expected, got: 'both'};
    }
  }
  return undefined;
}

/** The orders that Usages of earlier steps are: as observed, or as they are about to be made. */
function earlierRanks(snapshot: Snapshot): readonly Rank[] {
  const {observed, desired} = snapshot;
  const usages = [...desired]
    .filter(([, view]) => isUsage(view))
    .map(([name, view]) => [name, observed.get(name) ?? view] as const);
  const edges = usages.length === 0 ? [] : edgesOf({...snapshot, observed: new Map([...observed, ...usages])});
  return edges.flatMap(({usage, of, by}) =>
    desired.has(usage) && of.resourceName !== '' && by?.resourceName
      ? [{path: usage, of: of.resourceName, by: by.resourceName}]
      : [],
  );
}

function declaredIn({usages = []}: Input): readonly PlacedPair[] {
  return usages.map((pair, index) => ({...pair, path: `usages[${index}]`}));
}

function spelledOrders(snapshot: Snapshot, {order = []}: Input, holding: readonly boolean[]): readonly Spelled[] {
  let names: ReadonlySet<string> | undefined;
  const everyName = () => {
    names ??= new Set([...snapshot.observed.keys(), ...snapshot.desired.keys()]);
    return names;
  };
  return order.map((one, index) => {
    const selected = stepsOf(one).map((selector) => select(selector, snapshot, everyName));
    const steps = selected.filter((names) => names.length > 0);
    return {path: `order[${index}]`, order: one, holds: holding[index] ?? true, selected, steps};
  });
}

/** The pairs that deletion keeps in order, and the steps that have too many of them. */
function deletionOf(orders: readonly Spelled[], references: References, {observed}: Snapshot, api: UsageApi) {
  const deletion: PlacedPair[] = [...references.ranks];
  const unspelled: Layer[] = [];
  let count = 0;
  for (const {path, order, steps} of orders) {
    if (order.createOnly) continue;
    for (const [of, by] of linksOf(steps, observed, api)) {
      count += of.length * by.length;
      const spelled = count > pairsMax ? madePairs(of, by, observed) : pairs(of, by);
      if (count > pairsMax) unspelled.push({path, of, by, made: spelled.length});
      const replay = order.replayDeletion === undefined ? {} : {replayDeletion: order.replayDeletion};
      for (const pair of spelled) deletion.push({path, ...pair, ...replay});
    }
  }
  return {deletion, unspelled};
}

/** Of the pairs of two groups those that have a Usage of ours. */
function madePairs(of: readonly string[], by: readonly string[], observed: Snapshot['observed']): readonly Pair[] {
  const [ofs, bys] = [new Set(of), new Set(by)];
  const made = [...observed.values()].filter(isUsage).map(pairOf);
  return made.filter((pair) => pair.of !== pair.by && ofs.has(pair.of) && bys.has(pair.by));
}

/** A resource in two steps of a sequence follows nothing in it. */
function followsIn({observed}: Snapshot, {order = []}: Input): Follows {
  const placesIn = (one: Order, name: string, view: ResourceView) =>
    stepsOf(one).flatMap((selector, step) => (matches(selector, name, view) ? [step] : []));
  return (by, view, of) => {
    const used = observed.get(of);
    return order.some((one) => {
      if (one.createOnly || view === undefined || used === undefined) return false;
      const [before = [], after = []] = [placesIn(one, of, used), placesIn(one, by, view)];
      return before.length === 1 && after.length === 1 && (before[0] as number) < (after[0] as number);
    });
  };
}

type Step = readonly string[];

/**
 * Every step with the one before it. A resource that uses nothing of that one, or that no Usage can name as the user of all of it,
 * is also paired with the last steps that are farther away. So is whatever comes later with what no Usage could pair with the step after.
 */
function linksOf(
  steps: readonly Step[],
  observed: Snapshot['observed'],
  api: UsageApi,
): readonly (readonly [of: Step, by: Step])[] {
  const links: [Step, Step][] = [];
  const placeOf = (name: string) => ({namespace: observed.get(name)?.namespace ?? ''});
  const canUse = (of: string, by: string) => inexpressibleReason(placeOf(of), placeOf(by), api) === undefined;
  // Whether a Usage can name two resources depends on their scopes alone.
  const byScope = (names: Step) => [...Map.groupBy(names, (name) => placeOf(name).namespace === '').values()];
  let [before, seenBefore, farther, missed]: readonly [Step, Step, Step, Step] = [[], [], [], []];
  for (const by of steps) {
    const seen = by.filter((name) => observed.has(name));
    const users = byScope(seen);
    const ofEachScope = byScope(seenBefore).map(([of = '']) => of);
    const apart = users.filter(
      ([user = '']) => ofEachScope.length === 0 || ofEachScope.some((of) => !canUse(of, user)),
    );
    links.push([before, by]);
    for (const all of users) {
      const others = apart.includes(all) ? farther : missed;
      links.push([others.filter((of) => canUse(of, all[0] ?? '')), all]);
    }
    const isMissed = (of: string) => users.some(([user = '']) => !canUse(of, user));
    missed = [...(users.length > 0 ? missed.filter(isMissed) : missed), ...seenBefore.filter(isMissed)];
    farther =
      apart.length > 0 || seenBefore.length === 0
        ? [...farther, ...seenBefore]
        : [...missed.filter((of) => !seenBefore.includes(of)), ...seenBefore];
    [before, seenBefore] = [by, seen];
  }
  return links.filter((link) => link.every((names) => names.length > 0));
}

type IsAwaited = (resourceName: string, asSaid: boolean) => boolean;

/** The waits of one step for another. All names of a step wait for the same ones, so no pair is made. */
interface Waits {
  readonly path: string;
  readonly names: readonly string[];
  /** Sorted. */
  readonly of: readonly string[];
}

/** Every step that something would be created of, with all that is not ready of the steps before it. */
function waitsOf({path, order, steps}: Spelled, isAwaited: IsAwaited, {observed}: Snapshot): Waits[] {
  const asSaid = order.waitFor === 'Desired';
  const earlier: string[] = [];
  return steps.flatMap((all) => {
    const names = all.filter((name) => !observed.has(name));
    const of = names.length === 0 || earlier.length === 0 ? [] : [...new Set(earlier)].sort();
    earlier.push(...all.filter((name) => isAwaited(name, asSaid)));
    return of.length === 0 ? [] : [{path, names, of}];
  });
}

/** One for each resource: the first that it would wait for. */
function skippedIn({path, names, of}: Waits): readonly Rank[] {
  return names.flatMap((by) => {
    const first = of.find((name) => name !== by);
    return first === undefined ? [] : [{path, of: first, by}];
  });
}

/** A cycle goes from one order into another, or twice through one, and so through names in two steps. */
function sharedRanks(orders: readonly Spelled[], references: readonly Rank[], {desired}: Snapshot): readonly Rank[] {
  const counts = new Map<string, number>();
  const count = (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const {steps} of orders) for (const name of steps.flat()) count(name);
  for (const {of, by} of references) for (const name of [of, by]) count(name);
  const isShared = (name: string) => desired.has(name) && (counts.get(name) ?? 0) > 1;
  const ranks = references.filter(({of, by}) => isShared(of) && isShared(by));
  for (const {path, steps} of orders) {
    const shared = steps.map((names) => names.filter(isShared)).filter((names) => names.length > 0);
    if (countPairs(shared) + ranks.length > ranksMax) continue;
    for (const [index, by] of shared.slice(1).entries()) {
      for (const pair of pairs(shared[index] ?? [], by)) ranks.push({path, ...pair});
    }
  }
  return ranks;
}

/**
 * Pairs that no step desires any more and that order nothing: by its labels each of the two would go before the other. Any writer
 * of the objects may set those labels, so the XR does not stop for it.
 */
function contradictedIn(deletion: readonly PlacedPair[], {desired}: Snapshot, input: Input): ReadonlySet<PlacedPair> {
  const {order = []} = input;
  const byLabels = new Set(
    order.flatMap((one, index) => (stepsOf(one).some(({labels}) => labels !== undefined) ? [`order[${index}]`] : [])),
  );
  const isLoose = ({path, of, by}: PlacedPair) => byLabels.has(path) && !desired.has(of) && !desired.has(by);
  const firm = [...declaredIn(input), ...deletion.filter((pair) => !isLoose(pair))];
  return new Set(contradictions(firm, deletion.filter(isLoose)));
}

/** Steps after one without desired resources wait for it, as function-sequencer has it. */
function gapsIn(orders: readonly Spelled[], {desired}: Snapshot): ReadonlyMap<string, Gap> {
  const gaps = new Map<string, Gap>();
  for (const [index, {order, holds, selected}] of orders.entries()) {
    if (order.waitFor !== 'Desired' || !holds || order.deleteOnly) continue;
    const step = selected.findIndex((names) => !names.some((name) => desired.has(name)));
    for (const name of step < 0 ? [] : selected.slice(step + 1).flat()) {
      if (!gaps.has(name)) gaps.set(name, {order: index + 1, step: step + 1});
    }
  }
  return gaps;
}

/**
 * True for a resource to wait for. One that leaves is not: it may never be ready again. `asSaid`: an earlier step's readiness counts,
 * even if the resource is not observed.
 */
function unreadiness(snapshot: Snapshot): IsAwaited {
  const isUnready = memoized((name: string) => snapshot.desired.has(name) && !isReady(name, snapshot));
  return (name, asSaid) => {
    const {ready} = snapshot.desired.get(name) ?? {};
    if (asSaid && ready === 'true') return false;
    const view = snapshot.observed.get(name);
    // A config never gets a condition, and most steps leave it unspecified: its users would wait for ever.
    if (!asSaid && ready === 'unspecified' && view !== undefined && isConfig(view)) return false;
    return isUnready(name);
  };
}

/** For every resource the resources that have to be ready before it is created, and are not; sorted. */
function awaitedBy(waits: readonly Waits[]): ReadonlyMap<string, readonly string[]> {
  const awaited = new Map<string, readonly string[]>();
  for (const {names, of} of waits) {
    for (const name of names) {
      const others = of.includes(name) ? of.filter((other) => other !== name) : of;
      const known = awaited.get(name) ?? [];
      const all =
        known.length === 0 || others.length === 0 ? [...known, ...others] : [...new Set([...known, ...others])].sort();
      if (all.length > 0) awaited.set(name, known.length === 0 ? others : all);
    }
  }
  return awaited;
}

function stepsOf({sequence, of, by}: Order): readonly Selector[] {
  return sequence ?? [of, by].filter((selector) => selector !== undefined);
}

/** A pair for every two resources of neighbouring steps. */
function countPairs(steps: readonly (readonly string[])[]): number {
  return steps.slice(1).reduce((sum, users, index) => sum + users.length * (steps[index]?.length ?? 0), 0);
}

function pairs(of: readonly string[], by: readonly string[]): readonly Pair[] {
  return by.flatMap((user) => of.filter((used) => used !== user).map((used) => ({of: used, by: user})));
}

/** The selected names among everything desired or observed; a desired body wins over the observed one. Sorted. */
function select(
  selector: Selector,
  {observed, desired}: Snapshot,
  everyName: () => ReadonlySet<string>,
): readonly string[] {
  // A selector with names matches only these, however many others there are.
  const names = selector.resources === undefined ? everyName() : new Set(selector.resources);
  const selected: string[] = [];
  for (const name of names) {
    const view = desired.get(name) ?? observed.get(name);
    if (view !== undefined && isOrdered(name, view) && matches(selector, name, view)) selected.push(name);
  }
  return selected.sort();
}

/** Usages order others, and the ConfigMap of remembered names stays for as long as a name is in it. */
function isOrdered(resourceName: string, view: ResourceView): boolean {
  const isMemory = resourceName === memoryName && view.kind === 'ConfigMap';
  return !isSetAside(resourceName, view) && !isUsage(view) && !isMemory;
}

/** The readiness that an earlier step set, or else that of the object's own condition. */
function isReady(resourceName: string, {observed, desired}: Snapshot): boolean {
  const said = desired.get(resourceName)?.ready ?? 'unspecified';
  const view = observed.get(resourceName);
  if (view === undefined || said === 'false') return false;
  return said === 'true' || hasReadyTrue(view);
}

// Decides which of the input's orders hold: those whose `when` is true. An order that does not hold makes nothing wait. Its
// deletion order still applies to existing resources, because a Usage that comes and goes with a condition orders nothing
// (function-sequencer does the same).
//
// If a `when` is neither true nor false, its order holds: a resource waits, and no XR stops for a missing value or one that others
// write. An input of function-sequencer is refused, as there.

/** Whether each order holds, by its index, or the first mistake. `undecided`: values that are neither true nor false; their orders hold. */
function holdingOrders(
  {order = []}: Input,
  sources: Sources,
  meter: Meter,
  isStrict: boolean,
):
  | {readonly kind: 'holding'; readonly holding: readonly boolean[]; readonly undecided: readonly InvalidInput[]}
  | InvalidInput {
  const holding: boolean[] = [];
  const undecided: InvalidInput[] = [];
  for (const [index, {when}] of order.entries()) {
    const path = `order[${index}].when`;
    const answer =
      when === undefined
        ? ({kind: 'value', value: true} as const)
        : evaluateBoolean(when, path, {variables: whenVariables, sources, meter});
    if (answer.kind === 'invalid-input') return answer;
    holding.push(answer.kind === 'unresolved' || answer.value === true);
    if (answer.kind !== 'unresolved') continue;
    const {cause} = answer;
    const got = cause.kind === 'missing' ? `${cause.field}, which is not there: ask has() first` : cause.got;
    const problem: InvalidInput = {kind: 'invalid-input', path, expected: expectedBoolean, got};
    if (isStrict) return problem;
    undecided.push(problem);
  }
  return {kind: 'holding', holding, undecided};
}
