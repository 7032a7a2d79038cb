// Checks each moment of a run, after each step of the world: Crossplane writes nothing that no step ever desired, and the explicit
// rules of the input hold. A run without the function breaks none of these, so it is compared only where `isCompared`. A rule counts
// only if an earlier step of the story has it, too: it takes a reconcile to be carried out. A selector has to select the object both
// as observed and as desired.

import {usedOf, usedRef, usingOf, usingRef} from '../../cluster/crossplane/usage-object.ts';
import {at, equal, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import type {World} from '../../cluster/kernel/world.ts';
import {
  addressOf,
  conditionOf,
  controllerOf,
  groupKindOf,
  isDeleting,
  isTrue,
  type KubeObject,
} from '../../cluster/object.ts';
import {annotationResourceName, managerComposedPrefix} from '../../cluster/vocabulary.ts';
import {objectsIn} from '../explore/evidence.ts';
import {type Found, type Scene, sceneOf} from './ending.ts';
import {covers, fieldsOf, isLeft, isMark, isPolicy, unreadyIn} from './grades.ts';
import {
  addressIn,
  desires,
  isConfirmed,
  isDesiredNow,
  isInForce,
  isMove,
  isOverBudget,
  isUsage,
  protectsRequired,
  rulesOf,
  selects,
  wantedIn,
} from './input-words.ts';
import {
  type ApiEntry,
  type Broken,
  type Intent,
  isActor,
  leavesOf,
  lists,
  type Made,
  namespaceController,
  nowhere,
  ownerGc,
  writtenKey,
} from './intent.ts';
import {isProtected, isProtectedXr, type Moment, momentOf, policyOf, stands, usersOf} from './view.ts';

/** One object that a request wrote or deleted. */
interface Change extends Found {
  readonly before: KubeObject | undefined;
  readonly entry: ApiEntry;
}

interface Promised extends Pick<Broken, 'grade'> {
  readonly isCompared?: true;
  /** `deleted`: by the first to delete it. `made`, `written`: by Crossplane. */
  readonly at: 'deleted' | 'made' | 'written';
  /** The rule that the change breaks. */
  readonly broken: (change: Change, scene: Scene, world: World) => string | undefined;
}

const promises: readonly Promised[] = [
  {at: 'deleted', grade: 'lost', broken: brokenByDeletion},
  {at: 'deleted', grade: 'lost', broken: losesValue, isCompared: true},
  {at: 'deleted', grade: 'lost', broken: unprotects},
  {at: 'written', grade: 'stuck', broken: readyTooSoon, isCompared: true},
  {at: 'written', grade: 'overwritten', broken: appliedAgainst},
  {at: 'written', grade: 'overwritten', broken: movedThoughDry},
  {at: 'made', grade: 'doubled', broken: doubledBy},
  {at: 'made', grade: 'leaked', broken: madeTooSoon},
];

export function brokenBy(
  entries: readonly ApiEntry[],
  {born, gone}: ReturnType<Intent['look']>,
  intent: Intent,
  world: World,
): readonly Broken[] {
  if (entries.length === 0 && born.length === 0 && gone.length === 0) return [];
  const scene = sceneOf(world, intent);
  const {deletedBy, seen} = intent.books;
  return [
    ...entries.flatMap((entry) =>
      entry.events.flatMap(({type, object}) => {
        const {actor, request, response} = entry;
        const {uid = ''} = object.metadata;
        const made = intent.of(object);
        // Only who deletes it first is to blame: the API server deletes the objects of a definition that goes.
        const isDeleted = /^delete/.test(request.verb);
        const isBlamed = isDeleted ? response.ok && deletedBy.get(uid) === actor : actor === 'crossplane';
        if (made === undefined || !isBlamed) return [];
        const change = {made, object, isGoing: isDeleted, before: seen.get(uid), entry};
        const moments = isDeleted ? ['deleted'] : type === 'ADDED' ? ['written', 'made'] : ['written'];
        return promises.flatMap((one) =>
          moments.includes(one.at) ? wrong(one.grade, made, one.broken(change, scene, world), one.isCompared) : [],
        );
      }),
    ),
    ...gone.flatMap(({leaders}) => {
      // The input does not cause a deletion by a person or the owner GC.
      const leader = leaders.find(({deletedBy}) => deletedBy === 'crossplane');
      const moment = momentOf(leader?.made.xr, scene);
      return leader && moment ? wrong('lost', leader.made, destroyedAgainst(leader, moment)) : [];
    }),
    // One of a former life is made again under its name, beside no other.
    ...born.flatMap(({made, life}) => (life > 1 ? [] : wrong('doubled', made, madeBesideTaken(made, intent)))),
  ];
}

/** Only the input asks for it, unless it is to be compared. */
function wrong(grade: Broken['grade'], made: Made, text?: string, isCompared?: true): readonly Broken[] {
  return text === undefined ? [] : [{grade, made, text, ...(!isCompared && {isAsked: true})}];
}

/** The resource of an XR that Crossplane calls Ready, and that is not. In a move the old one serves. */
function readyTooSoon({object: xr, made: {place}, before}: Change, scene: Scene): string | undefined {
  const {intent, all} = scene;
  const isCalled = isTrue(xr, 'Ready') && isTrue(xr, 'Synced') && before !== undefined && !isTrue(before, 'Ready');
  if (!isCalled) return undefined;
  const isServed = (id?: string) =>
    id !== undefined && all.some(({object}) => isTrue(object, 'Ready') && intent.leadsTo(object) === id);
  const unready = unreadyIn(place, scene).find(
    ({made, object}) =>
      !intent.isTemplate(made) &&
      !isMoved(made, intent) &&
      !isTrue(object, 'Ready') &&
      !isServed(intent.leadsTo(object)),
  );
  const desired = intent.desireOf(place)?.desired.resources ?? new Map();
  const own = all.filter(({made}) => made.xr === place);
  // An object of the kind under another name may become it.
  const isThere = (key: string, kind: string) =>
    own.some(({made}) => made.key === key || (made.kind === kind && !desired.has(made.key ?? '')));
  const missing = [...desired].find(
    ([key, {object}]) =>
      !isThere(key, groupKindOf(object)) &&
      !isMoved({...nowhere, xr: place, key}, intent) &&
      !isServed(intent.leadsTo(object as KubeObject)),
  )?.[0];
  const first = unready?.made.key ?? missing;
  return first && `it was called Ready before "${first}" was`;
}

/** A field of a composed resource that Crossplane writes, or takes away, and that no step ever desired so of its kind; policies may change. */
function appliedAgainst({object, made, before, entry: {request}}: Change, {intent}: Scene): string | undefined {
  const isApplied = request.verb === 'patch' && request.type === 'apply' && request.subresource === undefined;
  const isComposed = isApplied && request.manager.startsWith(managerComposedPrefix);
  // What the function adds of itself, and what a later step composes, no earlier step desires.
  if (!isComposed || !intent.books.desired.has(made.place)) return undefined;
  const all = intent.everDesiredBeside(made).map(appliedOf);
  const body = appliedOf(request.body as unknown as KubeObject);
  // A Usage that leaves has to repeat no denied deletion, and on an old Crossplane has to wait for nothing.
  const isLeaving = isUsage(made) && intent.desiredFor(made) === undefined && !at(body, ['spec', 'replayDeletion']);
  const isRelaxed = ([part, field = '']: readonly string[]) =>
    isLeaving && part === 'spec' && ['by', 'reason', 'replayDeletion'].includes(field);
  const isFree = (path: readonly string[]) =>
    isMark(path) || isPolicy(path) || isRelaxed(path) || intent.books.written.has(writtenKey(object, path));
  // A value that it already had may stay for a while, as when it is adopted first.
  const isKept = (path: readonly string[], value: Json | undefined) => covers(at(before, path), value);
  const isDesired = (path: readonly string[], value: Json | undefined) =>
    all.some(
      (one) =>
        at(one, path) === null ||
        equal(at(one, path) ?? null, value ?? null) ||
        (at(one, path) !== undefined && isKept(path, value)),
    );
  const wanted = intent.desiredFor(made);
  const isSame = wanted !== undefined && groupKindOf(wanted) === made.kind;
  const leaves = [...leavesOf(body), ...(isSame ? leavesOf(appliedOf(wanted)) : [])];
  const wrong = leaves.find(
    ([path, value]) => !isObject(value) && !isFree(path) && !isDesired(path, at(body, path) ?? at(object, path)),
  );
  return wrong && `${wrong[0].join('.')} was written as no step desired it`;
}

/** Its fields, and its finalizers but for that which Kubernetes takes off itself. Others than Crossplane add some of their own. */
function appliedOf(object: KubeObject): JsonObject {
  const finalizers = (object.metadata?.finalizers ?? []).filter((one) => one !== 'foregroundDeletion');
  return {...fieldsOf(object), finalizers};
}

/** True of what became another resource of its XR, which no step desires any more, or was taken from another XR, by a dry run. */
function movedThoughDry({object, made, before}: Change, {intent, all}: Scene): string | undefined {
  const desire = intent.desireOf(made.xr);
  const {moves, takes} = rulesOf(desire);
  const dry = moves.filter(({isDry}) => isDry);
  const isFrom = (old: KubeObject) => {
    const key = old.metadata.annotations?.[annotationResourceName];
    // Crossplane lists it under its new resource name before it applies it.
    const wasListed = desire !== undefined && lists(desire.xr, old);
    if (key === undefined || isDeleting(old) || !wasListed || intent.of(old)?.xr !== made.xr) return false;
    const isDropped = desire !== undefined && !desires(desire, {key, kind: groupKindOf(old)});
    return isDropped && dry.some((rule) => isMove(rule, {key, object: old}, made));
  };
  const isFirst = () => intent.books.byUid.values().every((one) => one === made || one.place !== made.place);
  const isTaken = takes.some(({name, isDry}) => isDry && name === made.key && before === undefined && isFirst());
  const own = all.filter((one) => controllerOf(one.object)?.uid === controllerOf(object)?.uid);
  const isMoved = dry.length > 0 && (before === undefined ? own.map((one) => one.object) : [before]).some(isFrom);
  return isTaken || isMoved ? 'its rule is a dry run, and it was moved' : undefined;
}

/** True if an XR that lives protected it when the world last rested, and does so now, since its step requires it. */
function isRequired(object: KubeObject, until: number, scene: Scene): boolean {
  return scene.all.some(({made, object: xr, isGoing}) => {
    const moment = isGoing || !isTrue(xr, 'Synced') ? undefined : momentOf(made.place, scene, until);
    return moment !== undefined && [moment.before, moment.desire].every((one) => protectsRequired(one, object));
  });
}

/** The rule that a deletion breaks. The owner GC deletes for the person who deleted the XR, and a Namespace for Crossplane, which deleted that. */
function brokenByDeletion(change: Change, scene: Scene): string | undefined {
  const {made, object} = change;
  const {actor} = change.entry;
  const {intent} = scene;
  const {uid} = controllerOf(object) ?? {};
  const isGc = actor === ownerGc;
  const deleterOf = (one = '') => intent.books.deletedBy.get(one);
  const isPerson = isActor(isGc ? deleterOf(uid) : actor);
  const home = scene.all.find(
    ({object: {kind, metadata}}) => kind === 'Namespace' && metadata.name === object.metadata.namespace,
  );
  const isEmptied = actor === namespaceController && deleterOf(home?.object.metadata.uid) === 'crossplane';
  if (!isPerson && actor !== 'crossplane' && !isEmptied) return undefined;
  // Crossplane makes no Usage for sure once it cannot write what the XR composes.
  const xr = uid === undefined ? object : intent.xrOf(object);
  if (isPerson && xr !== undefined && conditionOf(xr, 'Synced')?.status === 'False') return undefined;
  // Nothing protects a resource in the moment in which it is made.
  const until = isPerson ? Math.min(intent.rested, intent.move - 1) : intent.move - 1;
  const asXr = isPerson && !isGc ? momentOf(made.place, scene, until) : undefined;
  if (asXr !== undefined && !intent.isStruck(made.place) && isProtectedXr(asXr))
    return 'the input of this XR protects it, and it could be deleted';
  if (isPerson && !isGc && isRequired(object, until, scene))
    return 'an XR requires and protects it, and it could be deleted';
  const moment = momentOf(made.xr, scene, until);
  // The old object of a move has let go, so nothing is lost with it. A person may not delete what its author leaves in the cloud.
  if (made.key === undefined || moment === undefined) return undefined;
  const isHere = isPerson && isLeft(made, scene) && !movesAway(change, moment);
  if (!isPerson && moment.rules.gives.some(({name, isDry}) => isDry && name === made.key))
    return 'its rule of give is a dry run, and it was let go';
  if (intent.policyOf(object)?.mayDelete === false && !isHere) return undefined;
  // A Usage names what the XR lists: an object that it lost sight of is not among them.
  if (isPerson && !isListedBy(object, intent)) return undefined;
  if (isPerson && !isGc && isProtected(change, moment)) return 'it is protected, and could be deleted';
  const user = usersOf(change, moment).find(({made: its, object: other}) => {
    // An XR that was made anew uses nothing of the one before it.
    if (uid !== undefined && controllerOf(other)?.uid !== uid) return false;
    // No Usage of a cluster-scoped object names one in a namespace.
    const canProtect = object.metadata.namespace !== undefined || other.metadata.namespace === undefined;
    // Crossplane does not list what it deletes any more. Only a Usage waits for that, until it is gone.
    const isDropped = intent.books.deletedBy.get(other.metadata.uid ?? '') === 'crossplane';
    if (!isListedBy(other, intent) && !(canProtect && isDropped)) return false;
    if (usersByUsage(addressOf(other), scene).has(addressOf(object))) return false;
    // If the pipeline drops it and keeps its user, of whatever kind, the pipeline wants it gone first.
    const isMeant = wantedIn(moment.desire).has(its.key ?? '');
    return isPerson ? canProtect && !(isMeant && !desires(moment.desire, made)) : !isMeant;
  });
  if (user !== undefined) return `it was deleted before what uses it: ${user.object.metadata.name}`;
  return isPerson || desires(moment.desire, made) ? undefined : dropped(change, moment);
}

/** True if a rule ever moved something to it, or gives or takes it. */
function isMoved({xr, key = '', kind}: Made, intent: Intent): boolean {
  const {moves, gives, takes} = intent.everRuled(xr);
  const isTo = ({to}: (typeof moves)[number]) =>
    to.resource === undefined ? kind.startsWith(`${to.kind}.`) : to.resource === key;
  return [...gives, ...takes].some(({name}) => name === key) || moves.some(isTo);
}

/** A resource that the input protects or has used, and whose only Usage Crossplane deletes: anyone may delete it for a while. */
function unprotects({object, made, entry}: Change, scene: Scene): string | undefined {
  const moment = isUsage(made) && entry.actor === 'crossplane' ? momentOf(made.xr, scene) : undefined;
  const xr = scene.intent.xrOf(object);
  if (moment === undefined || xr === undefined || isDeleting(xr) || scene.intent.books.desired.has(made.place))
    return undefined;
  const [of, by] = endsOf(object).map((end) => scene.all.find((one) => one.made.address === end && !one.isGoing));
  const isMeant = (one: Found) =>
    one.made.place === made.xr ||
    (desires(moment.desire, one.made) && !isMoved(one.made, scene.intent) && lists(xr, one.object));
  if (of === undefined || !isMeant(of) || (by && !isMeant(by)) || (endsOf(object).length > 1 && !by)) return undefined;
  const isOther = (one: Found) => isUsage(one.made) && !one.isGoing && equal(endsOf(one.object), endsOf(object));
  if (scene.all.some((one) => one.object.metadata.uid !== object.metadata.uid && isOther(one))) return undefined;
  const isRuled = by
    ? usersOf(of, moment).some((user) => user.made.place === by.made.place)
    : of.made.place === made.xr
      ? isProtectedXr({...moment, own: moment.own.filter((one) => lists(xr, one.object))})
      : isProtected(of, moment);
  return isRuled ? `the input keeps ${of.object.metadata.name}, and its Usage was deleted` : undefined;
}

/** The addresses of what a Usage is of, and of its user, if it has one. */
function endsOf(usage: KubeObject): readonly string[] {
  const by = usingOf(usage);
  return [addressIn(usedRef(usage, usedOf(usage))), ...(by ? [addressIn(usingRef(usage, by))] : [])];
}

/** The addresses of what uses the object, and of their users, by Usages that the steps desire. No order of the input is against them. */
function usersByUsage(address: string, {intent, all}: Scene): ReadonlySet<string> {
  const users = new Set([address]);
  const pairs = all.flatMap(({made, object: usage}) => {
    const [of, by] = isUsage(made) && intent.books.desired.has(made.place) ? endsOf(usage) : [];
    return of !== undefined && by !== undefined ? [[of, by] as const] : [];
  });
  for (const one of users) for (const [of, by] of pairs) if (of === one) users.add(by);
  return users;
}

/** A value in its Secret that no other holds, and that goes with it, while what leads to its external resource is wanted. */
function losesValue({object, made, entry}: Change, {intent, all}: Scene, world: World): string | undefined {
  const [id, xr] = [intent.leadsTo(object), intent.xrOf(object)];
  const isDropped = entry.actor === 'crossplane' && xr !== undefined && !isDeleting(xr);
  if (id === undefined || !isDropped || isConfirmed(xr, made.key)) return undefined;
  const {uid} = object.metadata;
  const isWanted = all.some(({made: other, object: one, isGoing}) => {
    const desire = intent.desireOf(other.xr);
    const isHeir = one.metadata.uid !== uid && !isGoing && intent.leadsTo(one) === id;
    return isHeir && desire !== undefined && desires(desire, other);
  });
  const secrets = objectsIn(world).filter(({kind}) => kind === 'Secret');
  const byOwner = Map.groupBy(secrets, (one) => controllerOf(one)?.uid === uid);
  const valuesOf = (isOwn: boolean) => (byOwner.get(isOwn) ?? []).flatMap(({data}) => Object.entries(data ?? {}));
  const held = new Set(valuesOf(false).map(([, value]) => value));
  const lost = valuesOf(true).find(([, value]) => !held.has(value));
  return isWanted && lost ? `no other Secret holds "${lost[0]}" of ${id}` : undefined;
}

/** The rule of `removal` that Crossplane breaks by deleting what the steps have dropped. */
function dropped(one: Found, moment: Moment): string | undefined {
  const {intent} = moment;
  // A restored object has no controller.
  const xr = intent.xrOf(one.object) ?? moment.desire.xr;
  // A policy is about what the steps or the input desired, and not about what the function adds of itself.
  if (isDeleting(xr) || !intent.books.desired.has(one.made.place)) return undefined;
  const policy = policyOf(one, moment);
  const isNamed = isConfirmed(xr, one.made.key, one.object.metadata.uid);
  if (policy === 'Retain' || (policy === 'Confirm' && !isNamed))
    return `its removal policy is ${policy}, and it was deleted`;
  if (isNamed) return undefined;
  const against = intent.leadsTo(one.object) === undefined ? undefined : destroyedAgainst(one, moment);
  if (against !== undefined) return against;
  const others = moment.own.filter(({made}) => made.key !== one.made.key && !isUsage(made));
  const leaving = others.filter((other) => isListedBy(other.object, intent) && leaves(other, xr, moment)).length + 1;
  const isOver = stands(moment, ({budget}) => isOverBudget(budget, leaving, others.length + 1));
  return isOver ? 'it was deleted while more than the budget are to leave' : undefined;
}

/** True if no step desires it, and nothing in the input may keep it. */
function leaves(other: Found, xr: KubeObject, {before: _, ...view}: Moment): boolean {
  const {made, object} = other;
  const {intent, wanted} = view;
  const {gives, moves} = view.rules;
  const id = intent.leadsTo(object);
  const shape = {key: made.key ?? '', objects: [object]};
  const mayStay =
    !intent.books.desired.has(made.place) ||
    isConfirmed(xr, made.key, object.metadata.uid) ||
    wanted.has(made.key ?? '') ||
    (id !== undefined && [...wanted.values()].some((one) => intent.leadsTo(one) === id)) ||
    ![undefined, 'Delete'].includes(policyOf(other, view) as string | undefined) ||
    isProtected(other, view) ||
    usersOf(other, view).length > 0 ||
    gives.some(({name}) => name === made.key) ||
    moves.some(({from}) => selects(from, shape));
  return !mayStay;
}

function doubledBy({made, object, entry: {run}}: Change, {intent, all}: Scene): string | undefined {
  const desire = intent.desireOf(made.xr);
  if (desire === undefined) return undefined;
  // Crossplane applies once more an object that goes in the middle of its reconcile.
  if (!desires(desire, made)) {
    const isAnew = intent.books.desired.has(made.place) && !intent.wentSince(run, made.place);
    return isAnew ? 'it was made anew, and no step desires it' : undefined;
  }
  // The labels name the XR: one of another name, as a nested one that is made anew, finds nothing.
  const name = intent.xrOf(object)?.metadata.name;
  const isAnother = (one: KubeObject) => intent.of(one)?.place === made.xr && one.metadata.name !== name;
  if (intent.books.seen.values().some(isAnother)) return undefined;
  const isThere = all.some((one) => intent.isKnownTo(run, one.object) && !one.isGoing && one.made.place === made.place);
  // A stable name finds only what was made under one.
  const hadIt = intent.books.epochs.get(made.xr ?? '')?.every((epoch) => rulesOf(epoch.desire).looksUp);
  return isThere && hadIt ? 'the input has it found again, and it was made anew beside the one there' : undefined;
}

function madeTooSoon({object, made}: Change, scene: Scene): string | undefined {
  const {intent} = scene;
  // Its reconcile began before a disaster took the XR, with what had come first.
  if (intent.books.deletedBy.get(controllerOf(object)?.uid ?? '') === 'disaster') return undefined;
  const {xr, key = '', kind} = made;
  const desire = intent.desireOf(xr);
  // A later step composes what it likes, and the ConfigMap of remembered names is in no order.
  const wanted = desire && wantedIn(desire).get(key);
  if (desire === undefined || wanted === undefined || groupKindOf(wanted) !== kind) return undefined;
  if (isMovedTo(made, object, scene)) return undefined;
  const orders = rulesOf(desire).orders.filter(
    (one) => isInForce(one, desire.xr) === true && selects(one.by, {key, objects: [object]}),
  );
  if (orders.some(({of, isDesired}) => isDesired && !isDesiredNow(of, desire)))
    return 'it was made before a step of its order selected what is desired';
  const first = [...desire.desired.resources].find(([name, one]) => {
    const shape = {key: name, objects: [one.object as KubeObject]};
    const isBefore = orders.some(({of, isDesired}) => !isDesired && selects(of, shape));
    return name !== key && isBefore && !hasBeen(name, xr, one.ready === 'true', scene);
  });
  return first && `it was made before "${first[0]}" was there and ready`;
}

/** True if a rule, or an external name, has another object of the XR become it: no order makes that wait, for it was there before. */
function isMovedTo(made: Made, fresh: KubeObject, {intent, all}: Scene): boolean {
  const {moves} = intent.everRuled(made.xr);
  const id = intent.leadsTo(fresh);
  return all.some(({made: {xr, key}, object}) => {
    const isOther = object.metadata.uid !== fresh.metadata.uid && xr === made.xr;
    const isSame = id !== undefined && intent.leadsTo(object) === id;
    return isOther && key !== undefined && (isSame || moves.some((rule) => isMove(rule, {key, object}, made)));
  });
}

/** Another kind under its resource name serves, too: it stays until a rule moves it. */
function hasBeen(key: string, xr: string | undefined, isReady: boolean, {intent, all}: Scene): boolean {
  return all.some(
    ({made, object}) =>
      made.xr === xr &&
      made.key === key &&
      (isReady || intent.policyOf(object) === undefined || isTrue(object, 'Ready')),
  );
}

/** The rule against which an external resource is destroyed once Crossplane deletes, or has deleted, its object, which is dropped. */
function destroyedAgainst({made, object}: Pick<Found, 'made' | 'object'>, moment: Moment): string | undefined {
  const {key} = made;
  if (key === undefined || desires(moment.desire, made)) return undefined;
  const text = 'and its external resource goes with it';
  if (policyOf({made, object}, moment) === 'Orphan') return `its removal policy is Orphan, ${text}`;
  if (movesAway({made, object}, moment)) return `its handover rule moves it, ${text}`;
  const isGiven = moment.rules.gives.some(({name, isDry}) => !isDry && name === key);
  return isGiven ? `it is to be given away, ${text}` : undefined;
}

/** True if a rule has it become what is wanted. */
function movesAway({made: {key = ''}, object}: Pick<Found, 'made' | 'object'>, {rules, wanted}: Moment): boolean {
  const all = [...wanted].map(([name, {apiVersion, kind}]) => ({key: name, kind: groupKindOf({apiVersion, kind})}));
  return rules.moves.some((rule) => !rule.isDry && all.some((to) => isMove(rule, {key, object}, to)));
}

function madeBesideTaken(made: Made, intent: Intent): string | undefined {
  const epochs = intent.books.epochs.get(made.xr ?? '') ?? [];
  const desire = epochs.at(-1)?.desire;
  if (desire === undefined || epochs[0]?.move === intent.move) return undefined;
  return desires(desire, made) && rulesOf(desire).takes.some(({name, isDry}) => !isDry && name === made.key)
    ? 'its rule takes it from another XR, and it was made anew'
    : undefined;
}

/** True if its controller has it among its references, or had it when it went. */
function isListedBy(object: KubeObject, intent: Intent): boolean {
  const xr = intent.xrOf(object);
  return xr !== undefined && lists(xr, object);
}
