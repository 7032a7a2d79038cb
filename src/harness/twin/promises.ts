// Checks the explicit rules of an input after each step of the world. A run without the function has no such rules, so a broken rule
// is always worse. A rule counts only if an earlier step of the story has it, too: it takes a reconcile to be carried out. A selector
// has to select the object both as observed and as desired.

import type {Json, JsonObject} from '../../cluster/json.ts';
import type {Desire} from '../../cluster/kernel/call.ts';
import type {TraceEntry, World} from '../../cluster/kernel/world.ts';
import {conditionOf, controllerOf, groupKindOf, isDeleting, type KubeObject} from '../../cluster/object.ts';
import {objectsIn} from '../explore/evidence.ts';
import {actors} from '../scenario/step-form.ts';
import {annotationConfirmRemoval} from '../worlds/tether-marks.ts';
import {
  desires,
  isInCycle,
  isUsage,
  namesIn,
  ordersIn,
  pairsIn,
  partIn,
  policyIn,
  protectionsIn,
  rulesIn,
  selects,
  wantedIn,
} from './input-words.ts';
import {type Broken, type Changes, type Intent, lists, type Made, placeOf} from './intent.ts';

const ownerGc = 'kube-controller-manager';

type ApiEntry = TraceEntry & {readonly kind: 'api'};

/** The desire of an XR's pipeline before the last step of the story, and now. */
interface Standing {
  readonly before: Desire;
  readonly now: Desire;
}

export function brokenBy(
  entries: readonly ApiEntry[],
  changes: Changes,
  intent: Intent,
  world: World,
): readonly Broken[] {
  const broken = entries.flatMap((entry) => {
    if (entry.request.verb === 'delete' && entry.response.ok) return ofDeletes(entry, intent, world);
    return entry.actor === 'crossplane' ? ofCreates(entry, intent, world) : [];
  });
  if (changes.gone.length + changes.born.length === 0) return broken;
  return [...broken, ...ofDestroyed(changes, intent), ...ofBorn(changes, intent, world)];
}

function standing(xr: string | undefined, {books, move}: Intent, until = move - 1): Standing | undefined {
  const epochs = books.epochs.get(xr ?? '') ?? [];
  const before = epochs.findLast((one) => one.move <= until)?.desire;
  const now = epochs.at(-1)?.desire;
  return before === undefined || now === undefined ? undefined : {before, now};
}

/** As it was when the world last rested, and now. */
function standingAtRest(xr: string | undefined, intent: Intent): Standing | undefined {
  return standing(xr, intent, Math.min(intent.rested, intent.move - 1));
}

/** True if the selector selects the object both as observed and as desired. */
function selectsSurely(selector: Json | undefined, key: string, object: KubeObject, {before, now}: Standing): boolean {
  const desired = (now.desired.resources.get(key) ?? before.desired.resources.get(key))?.object as
    | KubeObject
    | undefined;
  if (desired === undefined) return false;
  return [object, desired].every((one) => selects(selector, {key, objects: [one]}));
}

function ofDeletes({actor, events, run}: ApiEntry, intent: Intent, world: World): readonly Broken[] {
  const isPerson = actors.some((one) => one === actor);
  if (actor === ownerGc) return events.flatMap(({object}) => withXr(object, intent, world));
  if (!isPerson && actor !== 'crossplane') return [];
  return events.flatMap(({object}): readonly Broken[] => {
    const made = intent.of(object);
    if (isPerson && made !== undefined && isProtectedXr(made, intent, world))
      return [{grade: 'lost', made, text: 'the input of this XR protects it, and it could be deleted'}];
    // Nothing protects a resource in the moment in which it is made.
    const stands = isPerson ? standingAtRest(made?.xr, intent) : standing(made?.xr, intent);
    if (made?.key === undefined || stands === undefined || !canBeLost(made, object, intent)) return [];
    const {key} = made;
    const inputs = [stands.before.input, stands.now.input];
    // A Usage names what the XR lists: an object that it lost sight of is not among them.
    if (isPerson && !isListedBy(object, world)) return [];
    const isProtected = inputs.every((input) =>
      protectionsIn(input).selectors.some((one) => selectsSurely(one, key, object, stands)),
    );
    if (isPerson && isProtected) return [{grade: 'lost', made, text: 'it is protected, and could be deleted'}];
    const users = usersOf(made, object, stands, intent, world).filter((one) => isListedBy(one, world));
    // If the pipeline drops it and keeps its user, the pipeline wants it gone first.
    const user = users.find((one) =>
      isPerson ? canProtect(object, one) : !desires(stands.now, intent.of(one) ?? made),
    );
    if (user !== undefined)
      return [{grade: 'lost', made, text: `it was deleted before what uses it: ${user.metadata.name}`}];
    if (isPerson || desires(stands.now, made)) return [];
    const xr = objectsIn(world).find(({metadata}) => metadata.uid === controllerOf(object)?.uid);
    if (xr === undefined || isDeleting(xr)) return [];
    const policy = policyFor(made, object, stands);
    if (policy === 'Retain' || (policy === 'Confirm' && !isConfirmed(xr, key)))
      return [{grade: 'lost', made, text: `its removal policy is ${policy}, and it was deleted`}];
    return overBudget(made, inputs, run, intent);
  });
}

/** True if it is an XR whose own input protected it when the world last rested, and does so now. */
function isProtectedXr({place}: Made, intent: Intent, world: World): boolean {
  const stands = standingAtRest(place, intent);
  if (stands === undefined || intent.books.struck.has(place)) return false;
  const own = objectsIn(world).filter((one) => intent.of(one)?.xr === place && !isDeleting(one));
  return [stands.before.input, stands.now.input].every((input) => {
    const {selectors, xr} = protectionsIn(input);
    const isSelected = (one: KubeObject) =>
      selectors.some((selector) => selectsSurely(selector, intent.of(one)?.key ?? '', one, stands));
    return xr === 'Always' || (xr !== 'Never' && own.some(isSelected));
  });
}

/** Of an XR that a person deletes at rest, what is used by another resource goes last. */
function withXr(object: KubeObject, intent: Intent, world: World): readonly Broken[] {
  const {uid = ''} = controllerOf(object) ?? {};
  const made = intent.of(object);
  const deleter = intent.books.deletedBy.get(uid);
  const stands = standingAtRest(made?.xr, intent);
  if (made?.key === undefined || stands === undefined || !actors.some((one) => one === deleter)) return [];
  if (!canBeLost(made, object, intent)) return [];
  const user = usersOf(made, object, stands, intent, world).find(
    (one) => canProtect(object, one) && controllerOf(one)?.uid === uid,
  );
  return user === undefined
    ? []
    : [{grade: 'lost', made, text: `it was deleted with its XR before what uses it: ${user.metadata.name}`}];
}

/** Not what a disaster took. The old object of a move has let go, so nothing is lost with it, and a Usage is used by nothing. */
function canBeLost(made: Made, object: KubeObject, intent: Intent): boolean {
  return !intent.books.struck.has(made.place) && !isUsage(made) && intent.policyOf(object)?.mayDelete !== false;
}

/** True if a Usage may name both: none protects a cluster-scoped object for one in a namespace. */
function canProtect(of: KubeObject, by: KubeObject): boolean {
  return of.metadata.namespace !== undefined || by.metadata.namespace === undefined;
}

/** Objects that use it by an order of the input, and live. */
function usersOf(
  {xr, key = ''}: Made,
  object: KubeObject,
  stands: Standing,
  intent: Intent,
  world: World,
): readonly KubeObject[] {
  const inputs = [stands.before.input, stands.now.input];
  const own = objectsIn(world).filter((one) => intent.of(one)?.xr === xr);
  const shapes = own.map((one) => ({key: intent.of(one)?.key ?? '', objects: [one]}));
  // An order with a cycle is no order.
  if (inputs.some((input) => isInCycle(key, pairsIn(ordersIn(input), shapes)))) return [];
  return own.filter((other) => {
    const user = intent.of(other);
    if (user?.key === undefined || user.key === key || isDeleting(other)) return false;
    if (intent.books.struck.has(user.place)) return false;
    const userKey = user.key;
    return inputs.every((input) =>
      ordersIn(input).some(
        (order) =>
          order.delete &&
          selectsSurely(order.of, key, object, stands) &&
          selectsSurely(order.by, userKey, other, stands),
      ),
    );
  });
}

/** The policy of the input for it; undefined if the last step of the story changed the policy. */
function policyFor({key = ''}: Made, object: KubeObject, {before, now}: Standing): unknown {
  const desired = before.desired.resources.get(key)?.object as KubeObject | undefined;
  const shape = {key, objects: [object, ...(desired === undefined ? [] : [desired])]};
  const policy = policyIn(now.input, shape);
  return policyIn(before.input, shape) === policy ? policy : undefined;
}

/** True if the annotation of the XR may name it. */
function isConfirmed({metadata}: KubeObject, key: string): boolean {
  return metadata.annotations?.[annotationConfirmRemoval]?.includes(key) === true;
}

/** One reconcile that deletes more than the budget. */
function overBudget(made: Made, inputs: readonly JsonObject[], run: string, {books}: Intent): readonly Broken[] {
  const count = (books.deletes.get(run) ?? 0) + 1;
  books.deletes.set(run, count);
  const isOver = inputs.every((input) => {
    const {resources} = partIn(partIn(input, 'removal'), 'budget') ?? {};
    return typeof resources === 'number' && count > resources;
  });
  return isOver ? [{grade: 'lost', made, text: 'more than the budget were deleted in one reconcile'}] : [];
}

function ofCreates({events}: ApiEntry, intent: Intent, world: World): readonly Broken[] {
  return events.flatMap(({type, object}): readonly Broken[] => {
    const made = type === 'ADDED' ? intent.of(object) : undefined;
    const desire = intent.books.epochs.get(made?.xr ?? '')?.at(-1)?.desire;
    if (made?.key === undefined || desire === undefined) return [];
    const {key, xr = ''} = made;
    // An XR that is composed itself has another name once it is made anew, and is another XR.
    const isInner = intent.books.byUid.values().some((one) => one.place === xr && one.xr !== undefined);
    // A later step composes what it likes, and the ConfigMap of remembered names is in no order.
    const wanted = wantedIn(desire).get(key);
    if (wanted === undefined || groupKindOf(wanted) !== made.kind) return [];
    const isLookedUp = partIn(desire.input, 'restore')?.['lookup'] === true && !isInner;
    if (isLookedUp && hasAnother(object, made, intent, world))
      return [{grade: 'doubled', made, text: 'the input has it looked up, and it was made anew beside the one there'}];
    const orders = ordersIn(desire.input).filter((order) => order.create && !order.isDesired && !order.isConditional);
    const firsts = [...desire.desired.resources].filter(([name, one]) => {
      const first = one.object as KubeObject;
      const isBefore = orders.some(
        ({of, by}) => selects(of, {key: name, objects: [first]}) && selects(by, {key, objects: [object]}),
      );
      return name !== key && isBefore && !hasBeen(name, xr, one.ready === 'true', intent, world);
    });
    const [first] = firsts;
    return first === undefined
      ? []
      : [{grade: 'leaked', made, text: `it was made before "${first[0]}" was there and ready`}];
  });
}

/** True if another object of that place is there. */
function hasAnother({metadata}: KubeObject, {place}: Made, intent: Intent, world: World): boolean {
  return objectsIn(world).some(
    (one) => one.metadata.uid !== metadata.uid && !isDeleting(one) && intent.of(one)?.place === place,
  );
}

/** Another kind under its resource name serves, too: it stays until a rule moves it. */
function hasBeen(key: string, xr: string, isReady: boolean, intent: Intent, world: World): boolean {
  return objectsIn(world).some((object) => {
    const made = intent.of(object);
    if (made?.xr !== xr || made.key !== key) return false;
    return isReady || intent.policyOf(object) === undefined || conditionOf(object, 'Ready')?.status === 'True';
  });
}

function ofDestroyed({gone}: Changes, intent: Intent): readonly Broken[] {
  return gone.flatMap(({leaders}): readonly Broken[] => {
    // The input does not cause a deletion by a person or the owner GC.
    const leader = leaders.find(({object}) => intent.books.deletedBy.get(object.metadata.uid ?? '') === 'crossplane');
    const stands = standing(leader?.made.xr, intent);
    if (leader?.made.key === undefined || stands === undefined || desires(stands.now, leader.made)) return [];
    const {made, object} = leader;
    if (policyFor(made, object, stands) === 'Orphan')
      return [{grade: 'lost', made, text: 'its removal policy is Orphan, and its external resource was destroyed'}];
    const target = targetsOf(stands.now.input).find(({from, to}) => {
      const key = to.resource ?? made.key ?? '';
      const wanted = stands.now.desired.resources.get(key)?.object as KubeObject | undefined;
      return wanted !== undefined && isKindOf(to, wanted) && selects(from, {key: made.key ?? '', objects: [object]});
    });
    if (target !== undefined)
      return [{grade: 'lost', made, text: 'its handover rule moves it, and its external resource was destroyed'}];
    return namesIn(rulesIn(stands.now.input, 'give')).includes(made.key ?? '')
      ? [{grade: 'lost', made, text: 'it is to be given away, and its external resource was destroyed'}]
      : [];
  });
}

interface Target {
  readonly from: Json | undefined;
  readonly to: {readonly resource?: string; readonly apiVersion?: string; readonly kind?: string};
}

function targetsOf(input: JsonObject): readonly Target[] {
  return rulesIn(input, 'handover').map(({from, to}) => ({from, to: (to ?? {}) as Target['to']}));
}

function isKindOf({apiVersion, kind}: Target['to'], wanted: KubeObject): boolean {
  const [group] = (apiVersion ?? wanted.apiVersion).split('/');
  return (kind ?? wanted.kind) === wanted.kind && wanted.apiVersion.split('/')[0] === group;
}

function ofBorn({born}: Changes, intent: Intent, world: World): readonly Broken[] {
  return born.flatMap(({made, id}): readonly Broken[] => {
    const stands = standing(made.xr, intent);
    if (stands === undefined || made.key === undefined) return [];
    const {input} = stands.now;
    // Its provider makes anew a resource that was destroyed in the cloud.
    const isAnew = intent.books.destroyed
      .values()
      .some(({leaders}) => leaders.some((one) => one.made.place === made.place));
    if (isAnew) return [];
    if (namesIn(rulesIn(input, 'take')).includes(made.key))
      return [{grade: 'doubled', made, text: 'its rule takes it from another XR, and it was made anew'}];
    const uids = new Set(objectsIn(world).map(({metadata}) => metadata.uid));
    const olds = objectsIn(world).filter((other) => {
      const old = intent.of(other);
      const leadsTo = intent.leadsTo(other);
      // A rule selects observed objects: not one that a backup tool brings back and that the XR does not control, and not one that a
      // person took out of the references of the XR.
      const isListed = !intent.books.relisted.has(made.xr ?? '') || isListedBy(other, world);
      const isObserved = uids.has(controllerOf(other)?.uid) && isListed;
      const isOther = leadsTo !== undefined && leadsTo !== id;
      // Two that were desired beside each other have each an object of its own.
      const isTwo = old !== undefined && desires(stands.before, made) && desires(stands.before, old);
      const isLeft = old?.xr === made.xr && !isTwo && !desires(stands.now, old as Made);
      return isLeft && isObserved && !isDeleting(other) && isOther;
    });
    const isMoved = targetsOf(input).some(
      ({from, to}) =>
        (to.resource ?? made.key) === made.key &&
        olds.some((old) => {
          const {key = '', kind = ''} = intent.of(old) ?? {};
          const isSource = to.resource === undefined ? kind !== made.kind && key === made.key : key !== made.key;
          return (
            isSource &&
            placeOf(made.xr ?? '', key, kind) !== made.place &&
            selects(from, {key, objects: [old]}) &&
            isKindOf(to, {
              ...old,
              apiVersion: `${made.kind.split('.').slice(1).join('.')}/v1`,
              kind: made.kind.split('.')[0] ?? '',
            })
          );
        }),
    );
    return isMoved
      ? [{grade: 'doubled', made, text: 'its handover rule moves an object here, and it was made anew'}]
      : [];
  });
}

/** True if its controller has it among its references. */
function isListedBy(object: KubeObject, world: World): boolean {
  const xr = objectsIn(world).find((one) => one.metadata.uid === controllerOf(object)?.uid);
  return xr !== undefined && lists(xr, object);
}
