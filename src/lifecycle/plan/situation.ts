// Everything the decisions of one plan are made of, worked out once from the snapshot and the input: a value for each
// part, which the part itself makes and reads.

import {oldNames} from '../external-names/external-names.ts';
import {requirementsInPlace} from '../external-names/in-place.ts';
import {
  type Memory,
  memoryOf,
  memoryProblem,
  memoryRequirements,
  oldObjectRequirements,
} from '../external-names/memory.ts';
import type {Seals} from '../external-names/seal.ts';
import {isUsage} from '../facts/edges.ts';
import {isDisposable} from '../facts/external-policies.ts';
import {memoryName, nameBefore, withNames} from '../facts/naming.ts';
import {claimOf, isDeleting, ownersOf} from '../facts/ownership.ts';
import type {Input, InvalidInput, UsageNaming} from '../input/input.ts';
import {unmatchedPatterns} from '../input/pattern-work.ts';
import type {Scene} from '../input/scene.ts';
import {usageApiIn} from '../input/usage-api.ts';
import {type Exchanges, exchangesOf} from '../moves/between-xrs/exchanges.ts';
import {type Handovers, handoversOf} from '../moves/handover/handover.ts';
import {handedOverNames, type Move, movesIn} from '../moves/handover/moves.ts';
import type {Body, Given, Part} from '../moves/objects.ts';
import {type Orders, ordersOf} from '../order/order.ts';
import {referencesOf} from '../order/references.ts';
import {type Asked, type Questions, questionsOf} from '../questions/asking.ts';
import {type Answers, answersIn, requirementOf} from '../questions/registry.ts';
import {heldByPolicy, isConfirmed, isOrphanWanted, overBudget, staysByPolicy} from '../removal/policies.ts';
import {isKeptByUsage, type Removal, removalOf, requirementsOfBy} from '../removal/removal.ts';
import {type ComingBack, comingBack} from '../restore/coming-back.ts';
import {leftBehindRequirements, trustedBy} from '../restore/left-behind.ts';
import {
  answersOf,
  type Found,
  firstNames,
  foundOrphans,
  freeNames,
  isLooking,
  lookupRequirements,
  lostUsages,
} from '../restore/lookup.ts';
import {fullMeter} from '../templates/cel/functions.ts';
import {composeTemplates, type Templates, withTemplates} from '../templates/templates.ts';
import {additionsTo} from '../usages/additions.ts';
import {type Former, formerRequirements} from '../usages/former.ts';
import {checkingUsages} from '../usages/in-use.ts';
import {type Moving, protectionOf} from '../usages/protect.ts';
import {makingOf, strayRequirements} from '../usages/usages.ts';
import type {Decision} from '../words/decision.ts';
import type {ResourceSelector} from '../words/edit.ts';
import {type JsonObject, sortedNames} from '../words/json.ts';
import {isSameKind, type Kind, kindOf} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';

/** The facts before any question: the input with its templates, moves and orders. */
interface Basis extends Scene {
  readonly kind: 'situation';
  readonly memory: Memory;
  readonly orders: Orders;
  readonly templates: Templates;
  readonly moved: Moved;
  /** Patterns that are too much work, so their selection is unknown. */
  readonly unmatched: readonly InvalidInput[];
}

/** All facts. The snapshot has the answers of Crossplane and those of a person. */
export interface Situation extends Basis {
  readonly comingBack: ComingBack;
  /** Objects that this function adds to desired by itself, by resource name: Usages, and the memory of names. */
  readonly generated: ReadonlyMap<string, JsonObject>;
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
  readonly lookups: ReadonlyMap<string, ResourceSelector>;
  /** Questions about what is in the place of what is to be made, by resource name: of the first now, as many as have room. */
  readonly places: ReadonlyMap<string, ResourceSelector>;
  readonly answers: Answers;
  readonly orphans: readonly Found[];
}

const none: ReadonlyMap<string, ResourceSelector> = new Map();

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
  const claim = claimOf(request.xr);
  const templates = composeTemplates(request, sources, claim, meter);
  if (templates.kind !== 'templates') return templates;
  const complete = withTemplates(request, sources, templates);
  const unmatched = unmatchedPatterns(complete, input);
  const ruled = {snapshot: complete, input, claim};
  const owners = ownersOf(request.observed, claim, trustedBy({...ruled, snapshot: request}));
  const moves = movesIn(ruled);
  const names = [handedOverNames(moves), oldNames(complete, input, seals), freeNames(complete, input)];
  const snapshot = withNames(complete, names);
  const scene = {snapshot, input, claim, owners, api: usageApiIn(snapshot, input), naming};
  const given = {...scene, unresolved: templates.unresolved, protection: protectionOf(scene), meter};
  const moved = movedOf(moves, given);
  if (moved.kind !== 'moved') return moved;
  const staysInMove = (name: string) => moved.decisions.has(name) && !moved.releasing.has(name);
  const orders = ordersOf(given, references, (name) => staysByPolicy(name, scene) || staysInMove(name));
  if (orders.kind !== 'orders') return orders;
  const problem = memoryProblem(snapshot, input);
  if (problem !== undefined) return problem;
  const memory = memoryOf(scene, seals);
  return situate({kind: 'situation', ...scene, memory, orders, templates, moved, unmatched});
}

function situate(basis: Basis): Situation {
  const {snapshot, input, memory, orders, templates, moved} = basis;
  const {releasing} = moved;
  const lasts = {...basis, snapshot: snapshotForUsages(basis)};
  const making = makingOf(basis, lasts.snapshot);
  const additions = additionsTo(lasts, orders, making, movingIn(lasts), checkingUsages(basis));
  const ofMemory = memory.configMap === undefined ? [] : [[memoryName, memory.configMap.body] as const];
  const generated = new Map([...additions.bodies, ...ofMemory]);
  const isMoving = (name: string) => moved.decisions.has(name);
  const leaving = removalOf(basis, additions, making, {generated, releasing}, isMoving);
  // Desired but not observed because of a move, or because its template waits for a value; or for an order.
  const isElsewhere = (name: string) => templates.unresolved.has(name) || isMoving(name);
  const later = new Set([...orders.awaited.keys(), ...orders.gaps.keys()]);
  const comesLater = (name: string) => isElsewhere(name) || later.has(name);
  const search = searchIn(basis, generated, isMoving, comesLater);
  const ofFormer = formerRequirements(basis, additions.pairs.length > 0, generated, search);
  const asked: Asked = {
    memory: memoryRequirements(snapshot, input.externalNames?.remember),
    remembered: oldObjectRequirements(memory.recalled, snapshot),
    formerUsages: ofFormer,
    by: requirementsOfBy(leaving),
    lost: search.lookups,
    place: search.firstPlaces,
    otherSide: moved.otherSide,
    strayOf: strayRequirements(basis),
    otherSideByMark: moved.otherSideByMark,
    leftBehind: leftBehindRequirements(snapshot),
  };
  const questions = questionsOf(snapshot, asked, moved.kinds);
  const answered = {...basis, snapshot: {...snapshot, required: questions.answers}};
  const answers = answersIn(answered.snapshot);
  const orphans = input.restore?.lookup ? foundOrphans(basis, search.lookups.keys(), answers) : [];
  const lost = [...lostUsages(basis, ofFormer.keys(), answers, generated, making.isOfFormer), ...orphans];
  const isFinding = orphans.some(({decision}) => decision.kind === 'hold');
  const coming = comingBack(basis, leaving.leaving, isElsewhere, later, isFinding);
  const removal = {...leaving, ...answered, leftOut: questions.leftOut, awaited: coming.awaited};
  const replaced = replacedBy(generated, basis, coming, isMoving);
  const isKept = (name: string) => isKeptByUsage(name, removal);
  return {
    ...answered,
    comingBack: coming,
    generated,
    former: making.former,
    removal,
    replaced,
    overBudget: overBudget(new Set([...leaving.leaving, ...replaced]), basis, isKept),
    questions,
    isLooking: search.isLooking,
    lookups: new Map([...search.lookups].filter(([name]) => !questions.leftOut.has(name))),
    places: search.firstPlaces.size === 0 ? none : search.places,
    answers,
    // Of any kind if the input looks for lost resources, and Usages.
    orphans: lost.filter(({resourceName}) => !generated.has(resourceName)),
  };
}

/** The resources that an object of another kind replaces now: none while a restore goes on. `stays`: those of a move. */
function replacedBy(
  generated: Situation['generated'],
  basis: Basis,
  {awaited, unadopted}: ComingBack,
  stays: (resourceName: string) => boolean,
): ReadonlySet<string> {
  if (awaited.length + unadopted.length > 0) return new Set();
  const {snapshot, owners, templates, claim} = basis;
  const isReplaced = (view: ResourceView, name: string) =>
    changedKind(name, view, snapshot, generated) !== undefined &&
    !(isDeleting(view) || isUsage(view) || stays(name) || templates.unresolved.has(name)) &&
    owners.byName.get(name)?.kind === 'ours' &&
    isDisposable(view, claim.manager) &&
    heldByPolicy(name, basis) === undefined;
  return new Set([...snapshot.observed].flatMap(([name, view]) => (isReplaced(view, name) ? [name] : [])));
}

/** The kind that an earlier step or this function desires under the resource name, if it is not the observed object's. */
export function changedKind(
  resourceName: string,
  view: ResourceView,
  {desired}: Snapshot,
  generated: Situation['generated'],
): Kind | undefined {
  const added = generated.get(resourceName);
  const wanted = added === undefined ? desired.get(resourceName) : kindOf(added);
  return wanted === undefined || isSameKind(view, wanted) ? undefined : wanted;
}

/** The search for what is desired and not observed: by our labels, or else by name. A moving resource has its place already. */
function searchIn(
  basis: Basis,
  generated: Situation['generated'],
  isMoving: (resourceName: string) => boolean,
  comesLater: (resourceName: string) => boolean,
) {
  const {snapshot} = basis;
  const isWanted = isOrphanWanted(basis);
  const isSearched = isLooking(basis, isWanted);
  const lookups = isSearched ? lookupRequirements(basis, generated, comesLater) : none;
  const beside = answersOf(snapshot, lookups);
  const places = isSearched ? none : requirementsInPlace(basis, isMoving);
  const first = firstNames([...places.keys()].sort(), snapshot, generated, comesLater);
  const firstPlaces = new Map(
    first.map((name) => [requirementOf('place', name), places.get(name) as ResourceSelector]),
  );
  return {isLooking: isSearched, lookups, places, firstPlaces, ...beside};
}

/**
 * The resources that Usages are made for. A resource is left out if another object has replaced it or it is given to another XR,
 * and is about to leave: a Usage would keep it. A set-aside object that comes back in place of its successor is included.
 */
function snapshotForUsages({snapshot, moved: {returning, releasing}}: Basis): Snapshot {
  if (returning.size + releasing.size === 0) return snapshot;
  return {
    ...snapshot,
    observed: new Map([...[...snapshot.observed].filter(([name]) => !releasing.has(name)), ...returning]),
    desired: new Map([...snapshot.desired].filter(([name]) => releasing.get(name) !== 'to-other-xr')),
  };
}

/** What moves, whether the move gets on or not; but for what a person lets leave. Sorted. */
function movingIn({snapshot, moved: {decisions, contested}}: Basis): Moving {
  const isMoving = (name: string) => snapshot.observed.has(name) && !isConfirmed(nameBefore(name), snapshot);
  const names = sortedNames([...decisions.keys()].filter(isMoving));
  return {names, contested: names.filter((name) => contested.has(name))};
}

// All moves of one plan, within the XR and to or from another one, as one record: what becomes of each resource name.

/** By resource name. A move within the XR comes before one between XRs. */
interface Moved extends Omit<Handovers, 'kind' | 'parts'>, Omit<Exchanges, 'kind' | 'parts'> {
  readonly kind: 'moved';
  readonly decisions: ReadonlyMap<string, Decision>;
  /** The bodies of the decisions that put one. */
  readonly bodies: ReadonlyMap<string, Body>;
  /** Objects that leave now, and by which move. */
  readonly releasing: ReadonlyMap<string, NonNullable<Part['leaves']>>;
  /** Objects that another XR desires, too. */
  readonly contested: ReadonlySet<string>;
}

function movedOf(moves: readonly Move[], given: Given): Moved | InvalidInput {
  const within = handoversOf(moves, given);
  if (within.kind !== 'handovers') return within;
  const between = exchangesOf(given);
  if (between.kind !== 'exchanges') return between;
  const decisions = new Map<string, Decision>();
  const bodies = new Map<string, Body>();
  const releasing = new Map<string, NonNullable<Part['leaves']>>();
  for (const {name, decision, body, leaves} of [...between.parts, ...within.parts]) {
    if (decision !== undefined) decisions.set(name, decision);
    if (body !== undefined) bodies.set(name, body);
    if (leaves !== undefined) releasing.set(name, leaves);
  }
  const contested = new Set(between.parts.filter(({decision}) => isContested(decision)).map(({name}) => name));
  const moving = [...within.moving, ...between.parts.filter(({decision}) => isAway(decision)).map(({name}) => name)];
  return {...within, ...between, kind: 'moved', decisions, bodies, releasing, contested, moving: moving.sort()};
}

/** Desired, and with another XR: a template that reads it leaves out what it composed before. */
function isAway(decision: Decision | undefined): boolean {
  return decision?.kind === 'wait' && decision.reason === 'given-away';
}

function isContested(decision: Decision | undefined): boolean {
  return decision?.kind === 'move' && decision.stopped?.kind === 'same-object';
}
