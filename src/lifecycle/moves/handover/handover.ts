// Hand-overs: a composed resource moves to another resource name or kind, and its external resource is neither deleted nor created.
// Every step waits until the one before is observed. So the present step is found from observed state alone. README.md beside this
// file has the table of the steps and their obstacles.

import {guarded} from '../../facts/apply-guard.ts';
import {type Edge, edgesOf} from '../../facts/edges.ts';
import {canOrphan, externalAnnotation, externalNameOf, namesakeIn} from '../../facts/external-policies.ts';
import {holdBody} from '../../facts/hold-body.ts';
import {isLabelledInUse, observedPhase, withMarks} from '../../facts/marks.ts';
import {withAnnotations, withoutAnnotations} from '../../facts/metadata.ts';
import {annotationTo, isSetAside, isSetAsideName, nameBefore, setAsideName} from '../../facts/naming.ts';
import {type Claim, canList, isDeleting} from '../../facts/ownership.ts';
import {statusOf} from '../../facts/ready.ts';
import {roomForSchemas, roomForTwins} from '../../facts/room.ts';
import type {Input, InvalidInput} from '../../input/input.ts';
import {matches} from '../../input/selector.ts';
import {schemaName} from '../../questions/registry.ts';
import {isConfirmed} from '../../removal/policies.ts';
import {type Decision, heldUntilGone, type MoveWithin} from '../../words/decision.ts';
import {sortedMap, text} from '../../words/json.ts';
import type {Moving, Obstacle} from '../../words/obstacles.ts';
import {isSameKind, isSameObject, type Kind, kindIn, type ObjectRef, placedRef, refTo} from '../../words/references.ts';
import type {DesiredView, ResourceView, Snapshot} from '../../words/snapshot.ts';
import {annotationFrom, comesFrom, goesTo, lastinglyMarked} from '../annotations.ts';
import {
  anotherResource,
  type Body,
  type Given,
  goingSecret,
  hasItsPolicies,
  hasLetGo,
  keysOf,
  letGoBody,
  newBody,
  newNameOf,
  onlyObserves,
  type Part,
  readyAs,
  sharedSecret,
  standingBody,
  synced,
  unnamed,
  unresolvedIn,
} from '../objects.ts';
import {isToKind, isUnderWay, type Move, otherTarget, ruleFor, setAsideEarlier, wantedName} from './moves.ts';

export interface Handovers {
  readonly kind: 'handovers';
  readonly parts: readonly Part[];
  /** Objects that are set aside and get their resource names back soon, by that name: their successor is gone or leaves. */
  readonly returning: ReadonlyMap<string, ResourceView>;
  /** Kinds that are asked about before a move to them begins, by requirement name. */
  readonly kinds: ReadonlyMap<string, Kind>;
  /** The former resource names of moves under way, sorted. */
  readonly moving: readonly string[];
  /** The former resource names of moved resources whose rule is still there, by the new one. */
  readonly origins: ReadonlyMap<string, string>;
}

export function handoversOf(moves: readonly Move[], given: Given): Handovers | InvalidInput {
  const parts: Part[] = [];
  const releasing = new Set<string>();
  const returning = new Map<string, ResourceView>();
  const moving: string[] = [];
  const begun = moves.flatMap((move) => (move.kind === 'replace' && hasBegun(move) ? [move.fresh] : []));
  let left = moves.length === 0 ? 0 : roomForTwins(given.snapshot, begun);
  const takesRoom = () => left-- > 0;
  const targets = Map.groupBy(
    moves.flatMap((move) => targetsOf(move, given)),
    ({name}) => name,
  );
  const protection = protectionIn(given);
  const kinds = newKinds(moves, given.snapshot);
  for (const move of moves) {
    const rivals = (targets.get(move.to) ?? []).filter((other) => other.move !== move).map((other) => other.move.from);
    const {kind, old, wanted} = move;
    const isNamed =
      kind === 'rename' && wanted !== undefined && isSameObject(placedRef(wanted, given.snapshot.xr), old);
    const step = stepOf(
      {...move, wanted: given.snapshot.desired.get(wantedName(move))},
      {rivals, protection, kinds, takesRoom, isNamed},
      given,
    );
    if (step.kind === 'invalid-input') return step;
    parts.push(...step.parts);
    for (const part of step.parts) {
      if (part.leaves) releasing.add(part.name);
      // Refused, it is not seen under its new resource name either, and a template leaves out what it composed by that.
      const isRefused = part.decision?.kind === 'refuse' && move.to !== move.from;
      if ((part.decision?.kind === 'move' || isRefused) && part.name === move.at) moving.push(move.from);
    }
    if (releasing.has(move.at)) moving.push(move.from);
    const isFree = [move.from, move.to].every((name) => !given.snapshot.observed.has(name) || releasing.has(name));
    if (move.kind === 'back' && isFree && !isDeleting(move.old)) returning.set(move.from, move.old);
  }
  return {
    kind: 'handovers',
    parts: [...parts, ...leftAlone(given)],
    returning,
    kinds: new Map([...kinds].slice(0, roomForSchemas(given.snapshot))),
    moving: moving.sort(),
    origins: originsIn(given),
  };
}

/**
 * A renamed object carries its former resource name for as long as its rule is there. A Composition that is rolled back loses the
 * rule and the new resource name at once, and then the object has to go back. So has an object that was created under the new name:
 * it carries the former name from its first apply on, if the rule has exactly one.
 */
function originsIn({snapshot, input}: Given): ReadonlyMap<string, string> {
  const origins = new Map<string, string>();
  for (const {
    from: {resources = []},
    to,
  } of input.handover ?? []) {
    const view = to.resource === undefined ? undefined : snapshot.observed.get(to.resource);
    const [only = ''] = resources.length === 1 ? resources : [];
    const from = (view === undefined ? '' : nameBefore(comesFrom(view))) || only;
    if (to.resource !== undefined && from !== '') origins.set(to.resource, from);
  }
  return origins;
}

interface Step {
  readonly kind: 'step';
  readonly parts: readonly Part[];
}

/** The facts of the rest of the XR for a move: rivals for its resource name, protection of the old object, kinds that are asked about. */
interface Others {
  readonly rivals: readonly string[];
  readonly protection: (move: Move) => Obstacle | undefined;
  readonly kinds: ReadonlyMap<string, Kind>;
  /** Takes room for a new object; false if there is not enough. */
  readonly takesRoom: () => boolean;
  /** True if the pipeline itself names the old object, so that Crossplane adopts it in any case. */
  readonly isNamed: boolean;
}

function stepOf(move: Move, others: Others, given: Given): Step | InvalidInput {
  const {snapshot} = given;
  const owner = given.owners.byName.get(move.at)?.kind;
  // It is adopted first, or is not this XR's. Its successor waits for that. Left out under its old name, it would be deleted before
  // Crossplane adopts it under the new one.
  if (owner !== 'ours' && !(owner === 'unproven' && others.isNamed)) {
    // Without a rule Crossplane adopts it or not, as without this function.
    if (move.kind === 'rename' && move.allowed === undefined && owner !== 'unadopted') return step();
    const decision = handOver(move, 'observing', {kind: 'unproven'});
    return step(...waiting(move, given), ...standingPart(move, decision, given));
  }
  // It is in another move, which decides about it. Its successor waits for that.
  if (isUnderWay(move, snapshot)) return step(...waiting(move, given));
  const isAside = isSetAside(move.at, move.old);
  if (!isAside && isDeleting(move.old)) {
    return step(...waiting(move, given, {kind: 'wait', reason: 'still-deleting', object: refTo(move.old)}));
  }
  if (!isAside && setAsideEarlier(snapshot).has(move.at)) {
    const {parts} = refusal(move, {kind: 'two-steps'}, given);
    return step(...parts, {name: setAsideName(move.at), decision: waitFor(move)});
  }
  const other = forkOf(move, given);
  if (other !== undefined) {
    const {parts} = refusal(move, {kind: 'rivals', other}, given);
    return step(...parts, {name: other, decision: waitFor(move)});
  }
  switch (move.kind) {
    case 'rename':
      return rename(move, others, given);
    case 'replace':
      return isAside ? replace(move, given) : beginReplacing(move, others, given);
    case 'back':
      return turnBack(move, given);
  }
}

/** Another resource name that a rule gives the old object, too, before anything has begun. */
function forkOf({at, old, to}: Move, given: Given): string | undefined {
  return isSetAside(at, old) ? undefined : otherTarget(at, old, to, given);
}

/** Every resource name that the old object is to have. */
function targetsOf(move: Move, given: Given): readonly {readonly name: string; readonly move: Move}[] {
  const other = forkOf(move, given);
  return [move.to, ...(other === undefined ? [] : [other])].map((name) => ({name, move}));
}

function rename(move: Move, {rivals, protection}: Others, given: Given): Step {
  const {wanted, old, at: from, to, fresh, allowed, differs} = move;
  const {xr} = given.snapshot;
  if (wanted === undefined) return step();
  if (fresh !== undefined) return targetTaken(move, given);
  const elsewhere = xr.namespace === '' && wanted.namespace !== '' && wanted.namespace !== old.namespace;
  const obstacle =
    rivalry(rivals) ??
    unresolvedIn(to, given.unresolved) ??
    unless(allowed?.rule.dryRun !== true, {kind: 'dry-run'}) ??
    (differs === undefined ? undefined : ({kind: 'another-resource', field: differs, isNamesake: true} as const)) ??
    unless(wanted.name === old.name && !elsewhere, {kind: 'named-otherwise'}) ??
    protection(move);
  if (obstacle !== undefined) return refusal(move, obstacle, given);
  const body = sharedBody(move, to, given.claim);
  const decision = handOver(move, 'offering');
  return step(
    {name: from, decision, body: guardedBody(body, move)},
    {name: to, decision, body: arrivedBody(body, move, given.claim)},
  );
}

/** Before the first step: all knowable obstacles are looked for before the old object is changed. */
function beginReplacing(move: Move, {rivals, protection, kinds, takesRoom}: Others, given: Given): Step | InvalidInput {
  const {old, from, to, fresh, wanted, allowed} = move;
  if (allowed === undefined) return refusal(move, {kind: 'no-rule', isNew: true}, given);
  const named = nameFor(move, given);
  if (named.kind === 'invalid-input') return named;
  if (to !== from && fresh !== undefined) return targetTaken(move, given);
  const aside = setAsideName(from);
  const {observed, desired} = given.snapshot;
  const obstacle =
    rivalry(rivals) ??
    unless(!observed.has(aside) && !desired.has(aside), {kind: 'target-taken', aside}) ??
    unresolvedIn(to, given.unresolved) ??
    (named.kind === 'name' ? undefined : named) ??
    stillCreating(old) ??
    unless(canOrphan(old), {kind: 'no-policies', whose: 'old'}) ??
    unless(wanted === undefined || canList(given.snapshot.xr, wanted), {kind: 'not-listed'}) ??
    protection(move) ??
    (wanted && kindProblem(wanted, kinds, given.snapshot)) ??
    unless(!allowed.rule.dryRun, {kind: 'dry-run'}) ??
    // The last, because it takes the room.
    unless(hasBegun(move) || takesRoom(), {kind: 'unanswered', lacksRoom: true});
  if (obstacle !== undefined) return refusal(move, obstacle, given);
  const decision = handOver(move, 'letting-go');
  const body = (isGuarded: boolean) => letGoBody(from, old, {[annotationTo]: to}, given.claim, isGuarded);
  const parts = [from, aside].map((name) => ({name, decision, body: body(name === from)}));
  return step(...parts, ...waiting(move, given));
}

/** True if the old object lets go. Both objects are in the XR's requests from now on, until the old one is gone. */
function hasBegun({at, old, to}: Move): boolean {
  return isSetAside(at, old) || goesTo(old) === to;
}

function replace(move: Move, given: Given): Step | InvalidInput {
  const {old, at: aside, to, fresh, wanted} = move;
  const held = (decision: MoveWithin) => heldAside(move, decision, given);
  const reason = fresh === undefined ? 'letting-go' : onlyObserves(fresh) ? 'observing' : 'taking-over';
  const stop = (obstacle: Obstacle): Step => {
    const decision = handOver(move, reason, obstacle);
    return step(held(decision), ...standingPart(move, decision, given));
  };
  const {allowed, differs} = move;
  if (wanted === undefined) return step(...stop({kind: 'dropped'}).parts, ...waitingNamesakes(move, given));
  if (allowed === undefined) return stop({kind: 'no-rule'});
  if (allowed.rule.dryRun) return stop({kind: 'dry-run'});
  if (differs !== undefined) return stop({kind: 'another-resource', field: differs, isDesired: true});
  const open = unresolvedIn(to, given.unresolved);
  if (!canList(given.snapshot.xr, wanted)) return stop({kind: 'not-listed'});
  if (open !== undefined) return stop(open);
  const named = nameFor(move, given);
  if (named.kind === 'invalid-input') return named;
  if (named.kind !== 'name') return stop(named);
  if (fresh !== undefined && comesFrom(fresh) !== aside) return stop({kind: 'target-taken'});
  if (fresh !== undefined && !isSameKind(fresh, wanted)) return stop({kind: 'target-taken', isMoving: true});
  if (!hasLetGo(old)) {
    return step(held(handOver(move, 'letting-go')), {name: to, decision: waitFor(move)});
  }
  if (fresh !== undefined && isDeleting(fresh)) return stop({kind: 'deleting', whose: 'new'});
  if (fresh !== undefined && externalNameOf(fresh) !== named.name) {
    return stop({kind: 'another-resource', field: 'the external name'});
  }
  const {decision, isDone} = succession(move, wanted, given);
  const onlyObserving = decision.reason === 'observing';
  const phase = decision.stopped?.kind === 'another-resource' ? 'refused' : 'handing-over';
  const made = withAnnotations(newBody(wanted, fresh, named.name, given.claim, onlyObserving), {
    [annotationFrom]: aside,
  });
  const body = {body: withMarks(made, given.claim.id, to, phase), ready: readyAs(old)};
  const next: Part = {name: to, decision, body};
  return step(isDone ? {name: aside, leaves: 'within-xr'} : held(decision), next);
}

/** A third resource name with the external resource of a protected object waits: no Usage would protect it there at first. */
function waitingNamesakes(move: Move, {snapshot: {desired, observed}, protection}: Given): readonly Part[] {
  if (protection.usageOf(move.at) === undefined) return [];
  const others = [...desired].filter(([name, wanted]) => !observed.has(name) && namesakeIn(name, wanted, move.old)[0]);
  return others.map(([name]) => ({name, decision: waitFor(move)}));
}

/** The stage of the new object: it observes, it is proven to be the same resource, or it is Synced with its own policies. */
function succession(
  move: Move,
  wanted: DesiredView,
  given: Given,
): {readonly decision: MoveWithin; readonly isDone: boolean} {
  const {old, fresh, allowed} = move;
  if (fresh === undefined) return {decision: handOver(move, 'observing'), isDone: false};
  const isNamed = allowed?.rule.externalName !== undefined;
  const another = isNamed ? undefined : anotherResource(old, fresh);
  const said = synced(fresh);
  const stopped = another ?? (said === 'False' ? ({kind: 'not-synced'} as const) : undefined);
  const isProven = said === 'True' && another === undefined;
  if (another !== undefined || (!hasItsPolicies(fresh, wanted) && !isProven)) {
    return {decision: handOver(move, 'observing', stopped), isDone: false};
  }
  const goes = goingSecret(old, keysOf(fresh), isConfirmed(move.from, given.snapshot));
  if (hasItsPolicies(fresh, wanted)) {
    return {decision: handOver(move, 'taking-over', stopped ?? goes), isDone: isProven && goes === undefined};
  }
  const awaited = goes ?? (given.protection.awaits(move.to) ? ({kind: 'unprotected'} as const) : undefined);
  return {decision: handOver(move, awaited ? 'observing' : 'taking-over', awaited), isDone: false};
}

/** The old kind is desired again. The new object lets go and leaves, and the old one gets its resource name back. */
function turnBack(move: Move, given: Given): Step {
  const {old, at: aside, from, to, fresh, wanted} = move;
  const {claim} = given;
  if (wanted === undefined) return step();
  const held = (decision: MoveWithin) => heldAside(move, decision, given);
  const isTaken = to === from ? fresh && comesFrom(fresh) !== aside : given.snapshot.observed.has(from);
  // It is being deleted: with its policies back now, its provider would delete the external resource. Or another object, which stays,
  // has the old one's resource name by now.
  if (isDeleting(old) || isTaken) {
    const decision = isDeleting(old)
      ? handOver(move, 'taking-back', {kind: 'deleting', whose: 'old'})
      : handOver({...move, to: from}, 'taking-back', {kind: 'target-taken'});
    const stands = fresh === undefined ? [] : standingPart(move, decision, given);
    return step(held(decision), ...stands, ...waiting(move, given));
  }
  if (fresh !== undefined && comesFrom(fresh) === aside) {
    const decision = handOver(move, 'giving-back');
    const isGone = onlyObserves(fresh) || isDeleting(fresh);
    const leaving: Part = isGone
      ? {name: to, leaves: 'within-xr'}
      : {name: to, decision, body: {...standingBody(to, fresh, claim, true), ready: readyAs(old)}};
    return step(held(decision), leaving, ...waiting(move, given));
  }
  const isOtherwise = wanted.name !== '' && wanted.name !== old.name;
  const obstacle: Obstacle | undefined = isOtherwise ? {kind: 'named-otherwise'} : unresolvedIn(from, given.unresolved);
  if (obstacle !== undefined) {
    return step(held(handOver(move, 'taking-back', obstacle)), {name: from, decision: waitFor(move)});
  }
  const body = sharedBody(move, from, claim);
  const decision = handOver(move, 'taking-back');
  return step({name: aside, decision, body: guardedBody(body, move)}, {name: from, decision, body});
}

/** The object that is set aside, which still lets its external resource go. */
function heldAside({at, from, to, old}: Move, decision: MoveWithin, {claim}: Given): Part {
  return {name: at, decision, body: letGoBody(from, old, {[annotationTo]: to}, claim)};
}

function unless(holds: boolean, obstacle: Obstacle): Obstacle | undefined {
  return holds ? undefined : obstacle;
}

function rivalry(others: readonly string[]): Obstacle | undefined {
  return others.length > 0 ? {kind: 'rivals', others} : undefined;
}

/** The external name of the new object, or the obstacle to one. */
function nameFor(
  {old, wanted, allowed, from}: Move,
  given: Given,
): {readonly kind: 'name'; readonly name: string} | Obstacle | InvalidInput {
  const {snapshot} = given;
  const open = unnamed(old);
  if (open !== undefined) return open;
  const named = newNameOf(allowed?.rule.externalName, allowed?.path ?? '', old, given);
  if (named.kind !== 'name') return named;
  const said = wanted === undefined ? '' : externalNameOf(wanted);
  if (said !== '' && said !== named.name) return {kind: 'another-resource', field: 'external name', isDesired: true};
  const shared = wanted && sharedSecret(old, wanted, snapshot.xr);
  return shared ?? goingSecret(old, undefined, isConfirmed(from, snapshot)) ?? named;
}

/**
 * The obstacle while its provider has neither created nor found the external resource: once both objects only observe, none creates it.
 * Providers that name it after the object write that name before they look for it.
 */
function stillCreating(old: ResourceView): Obstacle | undefined {
  const isFound =
    ['Ready', 'Synced'].some((type) => statusOf(old, type) === 'True') ||
    externalAnnotation(old, 'create-succeeded') !== '';
  return isFound ? undefined : {kind: 'still-creating'};
}

/** The move does not begin: the old object stays as it is, and nothing is created under the new resource name. */
function refusal(move: Move, obstacle: Obstacle, given: Given): Step {
  const {at, old} = move;
  const body = withMarks(holdBody(old, given.claim.manager), given.claim.id, at, 'refused');
  const decision: Decision = {kind: 'refuse', reason: 'cannot-hand-over', obstacle, ...movingOf(move)};
  return step({name: at, decision, body: {body, ready: readyAs(old)}}, ...waiting(move, given));
}

/** Another object has the resource name. That object's successor waits, too. */
function targetTaken(move: Move, given: Given): Step {
  const end = chainEnd(move.to, given);
  if (end === undefined) return refusal(move, {kind: 'target-taken'}, given);
  const {next, name, from, object} = end;
  const refused = refusal(move, {kind: 'target-taken', next}, given);
  return step(...refused.parts, {name, decision: {kind: 'wait', reason: 'not-moved', from, object}});
}

// A chain of moves in one edit: `a` is to become `b`, and the present object of `b` is to become `c`. Then `b` may mean either
// object, and the rule for `c` may be an old one that is done. So `b` stays, `a` waits for its name, and `c` is not created: once
// created, it would be in the way of `b` for good.

/** The end of a chain: the resource name without an object, and the object that a rule moves there. */
interface ChainEnd {
  /** The new resource name of the first object of the chain. */
  readonly next: string;
  readonly name: string;
  readonly from: string;
  readonly object: ObjectRef;
}

/** The end of the chain that the present object of the resource name begins; undefined if there is none. */
function chainEnd(resourceName: string, given: Given): ChainEnd | undefined {
  const {observed} = given.snapshot;
  const passed = new Set<string>();
  let from = resourceName;
  let next: string | undefined;
  for (let view = observed.get(from); view !== undefined && !passed.has(from); view = observed.get(from)) {
    passed.add(from);
    const name = nextName(from, view, given);
    if (name === undefined) return undefined;
    next ??= name;
    if (!observed.has(name)) return {next, name, from, object: refTo(view)};
    from = name;
  }
  return undefined;
}

function nextName(resourceName: string, view: ResourceView, {snapshot: {desired}, input}: Given): string | undefined {
  const allowed = ruleFor(input, resourceName, view, (to) => {
    const wanted = to.resource === undefined ? undefined : desired.get(to.resource);
    return to.resource !== resourceName && wanted !== undefined && isToKind(to, wanted, view);
  });
  return allowed?.rule.to.resource;
}

/** The new object stays as it is; one that is not there is not created. */
function standingPart(move: Move, decision: MoveWithin, {claim}: Given): readonly Part[] {
  const {old, fresh, to, wanted} = move;
  if (fresh === undefined) {
    return wanted === undefined || to === move.at ? [] : [{name: to, decision: waitFor(move)}];
  }
  // It is another resource, which was there before.
  if (comesFrom(fresh) !== move.at) return [];
  if (isDeleting(fresh)) return [{name: to, decision: heldUntilGone}];
  return [{name: to, decision, body: {...standingBody(to, fresh, claim), ready: readyAs(old)}}];
}

/** The successor waits; the object itself is decided as without a rule. */
function waiting(move: Move, {snapshot: {observed}}: Given, decision = waitFor(move)): readonly Part[] {
  const name = wantedName(move);
  return name === move.at || observed.has(name) ? [] : [{name, decision}];
}

function handOver(move: Move, reason: MoveWithin['reason'], stopped?: Obstacle): MoveWithin {
  return {kind: 'move', reason, ...movingOf(move), ...(stopped === undefined ? {} : {stopped})} as MoveWithin;
}

function movingOf({from, to, old, wanted}: Move): Moving {
  return {from, to, object: refTo(old), wanted: kindIn(wanted ?? old)};
}

function waitFor({from, old}: Move): Decision {
  return {kind: 'wait', reason: 'not-moved', from, object: refTo(old)};
}

function step(...parts: readonly Part[]): Step {
  return {kind: 'step', parts};
}

// One object under two resource names.
//
// Two resource names that desire one object have the same body. Crossplane applies both with one field manager, in the order of a Go
// map, and each apply removes the fields that only the other one sets (crossplane/crossplane 2d040d2da
// composite/composition_functions.go:689). The last apply would decide the object's resource name.
//
// So the apply of the present name is guarded (facts/apply-guard.ts). It comes first and changes nothing, or second and fails. Either
// way the object has its new resource name after one try.

/**
 * The one object under its old and its new resource name, or back under its old one, as it is: a function that generates a value keeps
 * one that it observes, and generates another while it observes nothing under the name.
 */
function sharedBody({old, at, kind}: Move, to: string, claim: Claim): Body {
  // Only the apply under the present name is guarded.
  const held = guarded(holdBody(old, claim.manager), undefined);
  const body = kind === 'rename' ? withAnnotations(held, {[annotationFrom]: at, [annotationTo]: to}) : held;
  return {body: withMarks(body, claim.id, to, 'handing-over'), ready: readyAs(old)};
}

/**
 * The body of one object under the resource name that it is to have. It is the body that it keeps there, so that no second write is
 * needed: each write makes Crossplane reconcile the XR, and many at once open its circuit breaker.
 */
function arrivedBody({body, ready}: Body, {to, allowed}: Move, {id}: Claim): Body {
  const isLeft = allowed === undefined ? [annotationFrom, annotationTo] : [annotationTo];
  return {body: withMarks(withoutAnnotations(body, isLeft), id, to, 'adopted'), ready};
}

/** The body of one object under its present resource name, which must not win over the new one. */
function guardedBody({body, ready}: Body, {old}: Move): Body {
  return {body: guarded(body, old), ready};
}

// A new object that still only observes, without its old object: a person deleted that, a backup does not have it, or a cache
// does not show it yet. It can no longer be proven that both lead to one external resource.
//
// So the new object gets its policies only once it is Synced, and only if it was not marked as another resource while the old object
// was there. While it is being deleted it gets none: its provider would delete the external resource with it. A person who knows
// better takes the rule away.

/** The objects that must not have their policies now. */
function leftAlone(given: Given): readonly Part[] {
  const {snapshot, owners, claim} = given;
  const {observed, desired} = snapshot;
  const left: Part[] = [];
  lastinglyMarked(observed).forEach((view, name) => {
    const wanted = desired.get(name);
    const isAlone = isSetAsideName(comesFrom(view)) && !observed.has(comesFrom(view));
    if (!isAlone || wanted === undefined || hasItsPolicies(view, wanted)) return;
    if (owners.byName.get(name)?.kind !== 'ours') return;
    const decision = decisionAlone(view, name, wanted, given);
    const body = decision?.kind === 'move' ? standingBody(name, view, claim) : undefined;
    if (decision !== undefined) left.push({name, decision, body});
  });
  return left;
}

function decisionAlone(
  view: ResourceView,
  name: string,
  wanted: DesiredView,
  {input, protection}: Given,
): Decision | undefined {
  if (isDeleting(view)) return heldUntilGone;
  const isAnother = observedPhase(view) === 'refused';
  const hasProof = !isRuled(name, view, input) || (synced(view) === 'True' && !isAnother);
  if (hasProof && !protection.awaits(name)) return undefined;
  return {
    kind: 'move',
    reason: 'observing',
    from: nameBefore(comesFrom(view)),
    to: name,
    object: refTo(view),
    wanted: kindIn(wanted),
    stopped: hasProof ? {kind: 'unprotected'} : {kind: 'old-gone', isAnother},
  };
}

/** True if a rule still moves an object to this resource name and kind. */
function isRuled(name: string, view: ResourceView, {handover = []}: Input): boolean {
  return handover.some(({to}) => (to.resource ?? name) === name && isToKind(to, view, view));
}

// The obstacle of a Usage that protects the old object and would not protect the new one. Usages of the input's pairs follow by
// themselves. Those of `protect` follow if its rules select the successor. A Usage of the pipeline with a selector has to name the new
// kind in the same edit: naming the old kind, it would keep the old object for good. A Usage from outside the XR never follows.
//
// This is looked for before a move begins. A later Usage holds the old object, which has let go by then, and the condition names it.
// Left out: Usages with a resourceRef. Functions write them for observed objects (function-sequencer), and then they follow.

/** The obstacle of each move of one plan; Usages are read for the first move that needs them. */
function protectionIn({snapshot, input, protection}: Given): (move: Move) => Obstacle | undefined {
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
function newKinds(moves: readonly Move[], {observed, schemas}: Snapshot): ReadonlyMap<string, Kind> {
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
function kindProblem(wanted: Kind, kinds: ReadonlyMap<string, Kind>, snapshot: Snapshot): Obstacle | undefined {
  if (!kinds.has(schemaName(wanted))) return undefined;
  const schema = snapshot.schemas?.get(schemaName(wanted));
  if (schema === undefined) return {kind: 'unanswered', lacksRoom: roomForSchemas(snapshot) === 0};
  if (!schema.isServed) return {kind: 'not-served'};
  return schema.declares(policies) ? undefined : {kind: 'no-policies', whose: 'new'};
}
