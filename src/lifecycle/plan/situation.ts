// Everything the decisions of one plan are made of, worked out once from the snapshot and the input: a value for each
// part, which the part itself makes and reads.

import {requirementsInPlace} from '../external-names/in-place.ts';
import {type Memory, memoryOf, memoryProblem, memoryRequirements} from '../external-names/name-memory.ts';
import {withOldNames} from '../external-names/name-plan.ts';
import {oldObjectRequirements} from '../external-names/remembered.ts';
import type {Seals} from '../external-names/seal.ts';
import {kindOf} from '../facts/naming.ts';
import {type Owners, ownersOf} from '../facts/ownership.ts';
import {type Claim, claimOf} from '../facts/proof.ts';
import {memoryName, nameBefore} from '../facts/set-aside.ts';
import type {Input, InvalidInput, UsageNaming} from '../input/input.ts';
import {unmatchedPatterns} from '../input/pattern-work.ts';
import {type Exchanges, exchangesOf} from '../moves/between-xrs/exchange.ts';
import {type Handovers, handoversOf} from '../moves/handover/handover.ts';
import {movesIn, withHandedOverNames} from '../moves/handover/moves.ts';
import {type Orders, ordersOf} from '../order/order.ts';
import {orderProblem} from '../order/problem.ts';
import {referencesOf} from '../order/references.ts';
import {holdingOrders} from '../order/when.ts';
import {type Questions, questionsOf} from '../questions/asking.ts';
import {
  isConfirmed,
  isHeldWithoutEnd,
  isOrphanWanted,
  overBudget,
  replacedNames,
  staysByPolicy,
} from '../removal/policies.ts';
import {isKeptByUsage, mayRelease, type Removal, removalOf, requirementsOfBy} from '../removal/removal.ts';
import {type Answers, answersIn} from '../restore/answers.ts';
import {type ComingBack, comingBack} from '../restore/coming-back.ts';
import {leftBehindRequirements, trustedBy} from '../restore/left-behind.ts';
import {answersOf, type Found, foundOrphans, isLooking, lookupRequirements, lostUsages} from '../restore/lookup.ts';
import {withStableNames} from '../restore/stable-names.ts';
import {fullMeter} from '../templates/cel/functions.ts';
import {sourcesOf} from '../templates/sources.ts';
import {composeTemplates, type Templates, withTemplates} from '../templates/templates.ts';
import {additionsTo} from '../usages/additions.ts';
import {type Former, formerRequirements, formerUsages} from '../usages/former.ts';
import {checkingUsages} from '../usages/in-use.ts';
import {usageNames} from '../usages/names.ts';
import type {Moving} from '../usages/protect.ts';
import {protectionOf} from '../usages/protection.ts';
import {strayRequirements} from '../usages/stray.ts';
import {type UsageApi, usageApiIn} from '../usages/usage-api.ts';
import type {DeclaredUsages} from '../usages/usages.ts';
import type {Decision} from '../words/decision.ts';
import type {Requirement} from '../words/edit.ts';
import {type JsonObject, sortedNames} from '../words/json.ts';
import type {Kind} from '../words/references.ts';
import type {Snapshot} from '../words/snapshot.ts';

export interface Situation {
  readonly kind: 'situation';
  readonly snapshot: Snapshot;
  readonly input: Input;
  readonly claim: Claim;
  readonly api: UsageApi;
  readonly owners: Owners;
  readonly comingBack: ComingBack;
  readonly orders: Orders;
  readonly templates: Templates;
  readonly handovers: Handovers;
  readonly exchanges: Exchanges;
  /** Objects that this function adds to desired by itself, by resource name: Usages, and the memory of names. */
  readonly generated: ReadonlyMap<string, JsonObject>;
  /** Pairs and protections for which there is no Usage. */
  readonly refused: DeclaredUsages['refused'];
  readonly former: Former;
  readonly removal: Removal;
  /** Resource names of plain objects that an object of another kind replaces. */
  readonly replaced: ReadonlySet<string>;
  /** The decision for everything that leaves, if more leaves than the budget allows. */
  readonly overBudget: Decision | undefined;
  readonly questions: Questions;
  /** True if lost resources are looked for. */
  readonly isLooking: boolean;
  /** Questions about lost resources that have room, by requirement name. */
  readonly lookups: ReadonlyMap<string, Requirement>;
  /** Questions about what is in the place of what is to be made, by requirement name. */
  readonly places: ReadonlyMap<string, Requirement>;
  readonly answers: Answers;
  readonly orphans: readonly Found[];
  readonly memory: Memory;
  /** Patterns that are too much work, so their selection is unknown. */
  readonly unmatched: readonly InvalidInput[];
  /** Every `when` of an order that is neither true nor false, and is taken as true. */
  readonly undecided: readonly InvalidInput[];
}

const none: ReadonlyMap<string, Requirement> = new Map();

/** All that the decisions depend on, or the first thing in the input that does not fit. `naming`: whose names the Usages have. */
export function situationOf(
  request: Snapshot,
  input: Input,
  naming: UsageNaming,
  seals: Seals,
): Situation | InvalidInput {
  const meter = fullMeter();
  const {resources: sources = []} = input;
  const references = referencesOf(sources);
  if (references.kind !== 'references') return references;
  const templates = composeTemplates(request, sources, meter);
  if (templates.kind !== 'templates') return templates;
  const complete = withTemplates(request, sources, templates);
  const unmatched = unmatchedPatterns(complete, input);
  const claim = claimOf(request.xr);
  const owners = ownersOf(request.observed, claim, trustedBy(request, input, claim));
  const moves = movesIn(complete, input, claim);
  const snapshot = withStableNames(withOldNames(withHandedOverNames(complete, moves), input, seals), input);
  const {unresolved} = templates;
  const api = usageApiIn(snapshot, input);
  const protection = protectionOf(snapshot, input, api, claim, naming);
  const given = {snapshot, input, claim, owners, unresolved, protection, meter};
  const handovers = handoversOf(moves, given);
  if (handovers.kind !== 'handovers') return handovers;
  const exchanges = exchangesOf(given);
  if (exchanges.kind !== 'exchanges') return exchanges;
  const asked = holdingOrders(input, sourcesOf(snapshot), meter, naming === 'function-sequencer');
  if (asked.kind !== 'holding') return asked;
  const stays = (name: string) => staysByPolicy(name, snapshot, input);
  const orders = ordersOf(snapshot, input, api, asked.holding, references, stays);
  const problem = orderProblem(input, orders) ?? memoryProblem(snapshot, input);
  if (problem !== undefined) return problem;
  const parts = {api, owners, orders, templates, handovers, exchanges, unmatched, undecided: asked.undecided};
  return situate({snapshot, input, claim, ...parts}, naming, seals);
}

type Parts = Pick<
  Situation,
  | 'snapshot'
  | 'input'
  | 'claim'
  | 'api'
  | 'owners'
  | 'orders'
  | 'templates'
  | 'handovers'
  | 'exchanges'
  | 'unmatched'
  | 'undecided'
>;

function situate(parts: Parts, naming: UsageNaming, seals: Seals): Situation {
  const {snapshot, input, claim, api, owners, orders, templates, handovers, exchanges} = parts;
  const memory = memoryOf(snapshot, input, owners, seals);
  const nameUsage = usageNames(naming, snapshot, api);
  const lasts = snapshotForUsages(snapshot, handovers, exchanges);
  const former = formerUsages(snapshot, claim, api);
  const moving = movingIn(lasts, handovers, exchanges);
  const checks = checkingUsages(snapshot, api);
  const additions = additionsTo(lasts, input, orders, api, nameUsage, owners, former, claim, moving, checks);
  const ofMemory = memory.configMap === undefined ? [] : [[memoryName, memory.configMap.body] as const];
  const generated = new Map([...additions.bodies, ...ofMemory]);
  const isMoving = (name: string) => handovers.decisions.has(name) || exchanges.decisions.has(name);
  const releasing = new Set([...handovers.releasing, ...exchanges.releasing]);
  const leaving = removalOf(snapshot, claim, additions, generated, isMoving, releasing, api, nameUsage);
  // Desired but not observed because of a move, or because its template waits for a value; or for an order.
  const isElsewhere = (name: string) => templates.unresolved.has(name) || isMoving(name);
  const coming = comingBack(snapshot, owners, leaving.leaving, isElsewhere);
  const looks = isLooking(snapshot, input, claim, isOrphanWanted(snapshot, input));
  const isHeld = (name: string) => isHeldWithoutEnd(name, snapshot, input, leaving.isStrayOf, coming.awaited);
  const comesLater = (name: string) => isElsewhere(name) || orders.awaited.has(name) || orders.gaps.has(name);
  // By our labels, or else by name: a moving resource has its place already.
  const lookups = looks ? lookupRequirements(snapshot, input, claim, generated, comesLater) : none;
  const places = looks ? none : requirementsInPlace(snapshot, input, isMoving);
  const hasPairs = additions.pairs.length > 0;
  const ofFormer = formerRequirements(
    snapshot,
    input,
    claim,
    api,
    hasPairs,
    looks,
    answersOf(snapshot, lookups),
    generated,
  );
  const asking = {memory, leaving, lookups, places, handovers, exchanges, ofFormer};
  const questions = questionsIn(snapshot, input, api, asking);
  const {leftOut, required} = questions;
  const removal = {...leaving, snapshot: {...snapshot, required}, leftOut, isHeld};
  const answers = answersIn(removal.snapshot);
  const replaced = replacedBy(generated, {snapshot, input, claim, owners, templates, comingBack: coming}, isMoving);
  const isKept = (name: string) => isKeptByUsage(mayRelease(name, removal));
  return {
    kind: 'situation',
    ...parts,
    comingBack: coming,
    generated,
    refused: additions.refused,
    former,
    removal,
    replaced,
    overBudget: overBudget(new Set([...leaving.leaving, ...replaced]), snapshot, input, isKept),
    questions,
    isLooking: looks,
    lookups: new Map([...lookups].filter(([name]) => !questions.leftOut.has(name))),
    places,
    answers,
    orphans: orphansAmong(answers, asking, snapshot, input, claim, generated),
    memory,
  };
}

/** The resources that an object of another kind replaces now: none while a restore goes on. `stays`: those of a move. */
function replacedBy(
  generated: Situation['generated'],
  {
    snapshot,
    input,
    claim,
    ...at
  }: Pick<Situation, 'snapshot' | 'input' | 'claim' | 'owners' | 'templates' | 'comingBack'>,
  stays: (resourceName: string) => boolean,
): ReadonlySet<string> {
  const {awaited, unadopted} = at.comingBack;
  if (awaited.length + unadopted.length > 0) return new Set();
  const isOurs = (name: string) => at.owners.byName.get(name)?.kind === 'ours';
  const staysAsItIs = (name: string) => stays(name) || at.templates.unresolved.has(name) || !isOurs(name);
  return replacedNames(snapshot, input, claim, (name) => wantedKind(name, snapshot, generated), staysAsItIs);
}

/** The kind that is desired under the resource name, by an earlier step or by this function. */
export function wantedKind(
  resourceName: string,
  {desired}: Snapshot,
  generated: Situation['generated'],
): Kind | undefined {
  const added = generated.get(resourceName);
  return added === undefined ? desired.get(resourceName) : kindOf(added);
}

/** Objects that are neither observed nor desired: of any kind if the input looks for lost resources, and Usages. */
function orphansAmong(
  answers: Answers,
  {lookups, ofFormer}: Asking,
  snapshot: Snapshot,
  {restore}: Input,
  claim: Claim,
  generated: ReadonlyMap<string, JsonObject>,
): readonly Found[] {
  const ofUsages = ofFormer.map(([name]) => name);
  const found = restore?.lookup ? foundOrphans(snapshot, lookups.keys(), claim, answers) : [];
  const lost = [...lostUsages(snapshot, ofUsages, claim, answers, generated), ...found];
  return lost.filter(({resourceName}) => !generated.has(resourceName));
}

/** The parts of a plan that ask Crossplane something before the next call. */
interface Asking extends Pick<Situation, 'memory' | 'handovers' | 'exchanges'> {
  readonly leaving: Pick<Removal, 'edges' | 'leaving'>;
  readonly lookups: ReadonlyMap<string, Requirement>;
  readonly places: ReadonlyMap<string, Requirement>;
  readonly ofFormer: readonly (readonly [string, Requirement])[];
}

function questionsIn(snapshot: Snapshot, input: Input, api: UsageApi, asking: Asking): Questions {
  const {memory, leaving, lookups, places, handovers, exchanges, ofFormer} = asking;
  const all = {
    memory: memoryRequirements(snapshot, input.externalNames?.remember),
    remembered: oldObjectRequirements(memory.recalled, snapshot),
    formerUsages: ofFormer,
    by: requirementsOfBy(leaving),
    lost: lookups,
    place: places,
    otherSide: exchanges.requirements,
    strayOf: strayRequirements(snapshot, api),
    otherSideByMark: exchanges.ofMarks,
    leftBehind: leftBehindRequirements(snapshot),
  };
  return questionsOf(snapshot, all, handovers.kinds);
}

/**
 * The resources that Usages are made for. A resource is left out if another object has replaced it or it is given to another XR,
 * and is about to leave: a Usage would keep it. A set-aside object that comes back in place of its successor is included.
 */
function snapshotForUsages(snapshot: Snapshot, handovers: Handovers, exchanges: Exchanges): Snapshot {
  const {returning} = handovers;
  if (returning.size + handovers.releasing.size + exchanges.releasing.size === 0) return snapshot;
  const isLeft = (name: string) => handovers.releasing.has(name) || exchanges.releasing.has(name);
  return {
    ...snapshot,
    observed: new Map([...[...snapshot.observed].filter(([name]) => !isLeft(name)), ...returning]),
    desired: new Map([...snapshot.desired].filter(([name]) => !exchanges.releasing.has(name))),
  };
}

/** What moves, whether the move gets on or not; but for what a person lets leave. Sorted. */
function movingIn(snapshot: Snapshot, handovers: Handovers, exchanges: Exchanges): Moving {
  const all = [...handovers.decisions.keys(), ...exchanges.decisions.keys()];
  const isMoving = (name: string) => snapshot.observed.has(name) && !isConfirmed(nameBefore(name), snapshot);
  const names = sortedNames(all.filter(isMoving));
  // Another XR desires the same object.
  const isContested = (name: string) => {
    const decision = exchanges.decisions.get(name);
    return decision?.kind === 'move' && decision.stopped?.kind === 'same-object';
  };
  return {names, contested: names.filter(isContested)};
}
