// The harms that are permitted, in one table: those that the input asks for, and those of docs/background/never-worse.md that random
// stories meet often. A row counts only if the world shows its fact at rest. Reads no decision, condition or event of the function.

import {at, type Json} from '../../cluster/json.ts';
import {
  addressOf,
  conditionOf,
  controllerOf,
  groupKindOf,
  isTrue,
  type KubeObject,
  type ResourceRef,
} from '../../cluster/object.ts';
import {isCreateIncomplete} from '../../cluster/provider/annotations.ts';
import {annotationExternalName, isPaused} from '../../cluster/vocabulary.ts';
import {leadsTo} from '../control-plane/oracle/externals.ts';
import {type Ending, type Found, upwards, wants} from './ending.ts';
import {covers, detailsOf, isLeft, isPolicy, secretOf, unreadyIn, type Verdict} from './grades.ts';
import {
  contradicts,
  desires,
  isConfirmed,
  isDesiredNow,
  isInForce,
  isMove,
  isOverBudget,
  isUsage,
  pairsIn,
  policyIn,
  protectsRequired,
  rulesOf,
  selects,
} from './input-words.ts';
import {type Epoch, isActor, isPlaceOf, lists, type Made, madeIn} from './intent.ts';
import {isProtected, isProtectedXr, policyOf, shapeOf, shapesIn, usersOf, type View, viewOf} from './view.ts';

interface AtRest extends View {
  readonly ending: Ending;
}

interface Asked extends AtRest {
  readonly verdict: Verdict;
  /** The thing, or an XR that it belongs to. */
  readonly made: Made;
}

interface Row {
  /** `default`: asked for by nothing. */
  readonly part: string;
  readonly of: readonly (Verdict['grade'] | NonNullable<Verdict['how']>)[];
  /** The fact that the world has to show. */
  readonly fact: string;
  readonly holds: (asked: Asked) => boolean;
}

export const permissions: readonly Row[] = [
  {
    part: 'removal.policies',
    of: ['leaked'],
    fact: 'the first policy that selects it is Retain, or Confirm and the XR does not name it, and it is there, or a disaster took its object; or Orphan, and it has no policies, or was dropped while that was so and is gone',
    holds: isKeptByPolicy,
  },
  {
    part: 'removal.policies',
    of: ['doubled'],
    fact: 'each of its external resources but one has no object, and was there as it was dropped while its own policies, or the first policy that selects it, left it',
    holds: isMadeAfterOrphan,
  },
  {
    part: 'removal.budget',
    of: ['kept', 'denied'],
    fact: 'more of the XR are unwanted than the budget lets go',
    holds: ({rules, ending, own}) => {
      const all = own.filter(({made}) => !isUsage(made));
      const leaving = all.filter(({made, isGoing}) => isGoing || !wants(made, ending));
      return isOverBudget(rules.budget, leaving.length, all.length);
    },
  },
  {
    part: 'protect',
    of: ['kept', 'going', 'denied'],
    fact: 'a protection selects it, its XR, one of the XR that it is, or of the XR of the claim that it is and that is on its way out, of an XR that it defines, or what the step of an XR requires; or did so when its deletion was denied last',
    holds: (asked) =>
      isKept(asked.made, asked) ||
      isOfWaitingClaim(asked) ||
      definesProtected(asked) ||
      isKeptItself(asked.made.place, asked.ending, asked.ending.intent.books.denied.get(asked.made.address)),
  },
  {
    part: 'protect',
    of: ['doubled'],
    fact: 'an XR that it belongs to is protected and there without its owner, and was made anew beside it',
    holds: ({made, ending}) =>
      upwards(made, ending).some(({place}) => {
        const xrs = ending.found.get(place) ?? [];
        const isAlone = ({object}: Found) =>
          ending.all.every((one) => one.object.metadata.uid !== controllerOf(object)?.uid);
        return xrs.length > 1 && xrs.some(isAlone) && isKeptItself(place, ending);
      }),
  },
  {
    part: 'order, usages',
    of: ['kept', 'denied'],
    fact: 'what uses it is there and does not wait for it in turn, by the rules now, or by those as it was desired last, or before its deletion was denied',
    holds: (asked) =>
      [asked, viewBefore(asked)].some((view) => usersOf(asked, view).some((user) => !isUserOf(asked, user, view))),
  },
  {
    part: 'protect, removal',
    of: ['kept'],
    fact: 'it is a Namespace, and the XR has something in it',
    holds: ({made, own}) => {
      const names = own.flatMap((one) => (one.made.place === made.place ? [one.object.metadata.name] : []));
      return made.kind === 'Namespace' && own.some(({object}) => names.includes(object.metadata.namespace ?? ''));
    },
  },
  {
    part: 'order',
    of: ['missing'],
    fact: 'what is to come before it is not ready; or with waitFor: Desired selects nothing that is desired',
    holds: (asked) =>
      pairsIn(
        asked.rules.orders.filter((one) => isInForce(one, asked.desire?.xr) !== false),
        shapesIn(asked),
      ).some(([of, by]) => by === asked.made.key && !isReady(of, asked)) ||
      asked.rules.orders.some(
        ({of, by, isDesired}) =>
          isDesired && asked.desire && selects(by, shapeOf(asked, asked)) && !isDesiredNow(of, asked.desire),
      ),
  },
  {
    part: 'resources',
    of: ['missing', 'edit'],
    fact: 'a template that reads what is not there is not made, or stays as it is',
    holds: (asked) =>
      asked.rules.templates.some(
        ({name, base = null, include = null}) =>
          asked.made.key === name &&
          readsAbsent([base, include], asked) &&
          asked.own.some(({made}) => made.key === name) === (asked.verdict.how === 'edit'),
      ),
  },
  {
    part: 'resources',
    of: ['not-ready'],
    fact: 'a template reads what is not there, or the resource that it makes is not Ready',
    holds: (asked) =>
      asked.rules.templates.some(({base = null, include = null}) => readsAbsent([base, include], asked)) ||
      unreadyIn(asked.xr, asked.ending).some(({made}) => asked.ending.intent.isTemplate(made)),
  },
  {
    part: 'resources',
    of: ['doubled'],
    fact: 'a template makes it, and its XR was made anew, and no lookup finds it again',
    holds: ({made, ending: {intent}, rules, xr}) =>
      intent.isTemplate(made) &&
      !rules.looksUp &&
      [...intent.books.seen.values()].filter((one) => intent.of(one)?.place === xr).length > 1,
  },
  {
    part: 'handover',
    of: ['too-soon', 'edit'],
    fact: 'the object that its rule moves, or began to move, is there still, leads to the same external resource, and is Ready; of fields only the policies',
    holds: (asked) => isServedByTheOld(asked) && isOfPolicies(asked),
  },
  {
    part: 'handover',
    of: ['missing', 'kept'],
    fact: 'the old one is there, and its rule only says (dryRun) or would take it out of its protection, or what is kept is the old one and the new one is not there; or the new one is there and not Synced, or lacks a value of the Secret, and all that is dropped is kept',
    holds: (asked) =>
      movingIn(asked).some(
        ({old, to, isDry}) =>
          ((isDry || (isProtected({made: old.made}, asked) && !isProtected({made: to}, asked))) &&
            to.place === asked.made.place) ||
          (old.made.place === asked.made.place && (isDry || !asked.ending.found.has(to.place))) ||
          (asked.verdict.how === 'kept' && cannotEnd(old, to, asked)),
      ),
  },
  {
    part: 'give',
    of: ['missing', 'gone', 'kept', 'edit', 'external'],
    fact: 'its rule names it, or did when it was dropped, or did and an object of another XR leads to its external resource, too; or it is dropped while the steps desire what the other XR has by a rule; of fields only the policies; what stays in the cloud only if the other XR is there, and if something leads to it or its own XR is gone',
    holds: (asked) => isOfPolicies(asked) && (isGivenAway(asked) || isHalfGiven(asked)),
  },
  {
    part: 'give',
    of: ['kept', 'denied'],
    fact: 'its rule gives an object that the other XR names, too: neither can have it from the other, and it would go with its XR',
    holds: ({made, xr, rules, ending}) =>
      made.place === xr &&
      rules.gives.some(({name, there, other}) => isOneObject(name, there, [atRest(xr, ending), atRest(other, ending)])),
  },
  {
    part: 'take',
    of: ['missing', 'not-ready', 'edit'],
    fact: 'its rule names it, and the other XR does not give it, never had it, or has it still and cannot let it go, or not without a value of its Secret; or a disaster, a person or an edit took it, or its XR lost sight of it; of fields only the policies, also if the rule went before the old object',
    holds: (asked) => isOfPolicies(asked) && isNotGiven(asked),
  },
  {
    part: 'default',
    of: ['missing', 'kept'],
    fact: 'under its resource name, or one that a rule moves to it, an object of another kind lives, or is desired, or another resource name has its external name with other parameters or another group, and no rule moves it that can',
    holds: (asked) => (isOfTwoKinds(asked) || isNamesake(asked)) && !isToMove(asked),
  },
  {
    part: 'default',
    of: ['going', 'kept', 'external', 'not-ready'],
    fact: 'it, or a resource of it, waits for a person: its provider died in the middle of its create, or it is being deleted, and an actor paused it or gave it a finalizer',
    holds: ({made, ending}) =>
      ending.all.some(
        (one) =>
          [one.made.place, one.made.xr].includes(made.place) && (isCreateIncomplete(one.object) || isHeldByActor(one)),
      ),
  },
  {
    part: 'default',
    of: ['lost', 'doubled', 'leaked'],
    fact: 'its XR went in the middle of its reconcile, which applied it once more',
    holds: ({made, ending}) => upwards(made, ending).some(({place}) => ending.intent.books.remade.has(place)),
  },
  {
    part: 'default',
    of: ['missing', 'kept', 'edit', 'not-synced'],
    fact: 'the input contradicts itself: nothing is changed as long as the XR is there',
    holds: (asked) => asked.ending.found.has(asked.xr) && contradicts(asked.rules, shapesIn(asked)),
  },
];

/** The row that permits it. For a thing that is kept or does not end, also a row about the XR that composes it. */
export function permittedBy(verdict: Verdict, ending: Ending): Row | undefined {
  const {grade, how} = verdict;
  const isKept = how === 'kept' || how === 'going' || how === 'denied' || grade === 'leaked';
  const isOfXr = how === 'not-ready' || how === 'not-synced' || how === 'too-soon';
  for (let made: Made | undefined = verdict.made; made !== undefined; made = ending.places.get(made.xr ?? '')) {
    const asked = {...atRest(isOfXr ? made.place : (made.xr ?? made.place), ending), verdict, made};
    const row = permissions.find(
      ({of, holds}) => (of.includes(grade) || (how !== undefined && of.includes(how))) && holds(asked),
    );
    // If a thing is kept for its XR, the XR is the reason only if it is unwanted, too.
    const owner = ending.places.get(made.xr ?? '');
    if (row !== undefined || !isKept || owner === undefined || wants(owner, ending)) return row;
  }
  return undefined;
}

/** The places of a resource name, of whatever kinds. */
function placesAt(xr: string, key: string, {places}: Ending): readonly string[] {
  return [...places.keys()].filter((place) => isPlaceOf(place, xr, key));
}

function atRest(xr: string, ending: Ending): AtRest {
  return {...viewOf(xr, ending), ending};
}

function isReady(key: string, {own, desire}: Asked): boolean {
  const ready = desire?.desired.resources.get(key)?.ready;
  const its = own.filter(({made, isGoing}) => made.key === key && !isGoing);
  // An old object may be set aside while a rule moves it.
  return its.length > 0 && its.every(({object}) => ready === 'true' || conditionOf(object, 'Ready')?.status === 'True');
}

function isKeptByPolicy(asked: Asked): boolean {
  const {verdict, made, ending, xr} = asked;
  const living = ending.found.get(made.place) ?? [];
  const policy = policyOf({made}, asked);
  const cannotOrphan = living.length > 0 && living.every(({object}) => ending.intent.policyOf(object) === undefined);
  if (verdict.how === 'external' && living.length === 0 && orphanDrops(asked).length > 0) return true;
  if (policy === 'Orphan') return cannotOrphan;
  const isNamed = ending.found
    .get(xr)
    ?.some((one) => living.some(({object}) => isConfirmed(one.object, made.key, object.metadata.uid)));
  const isKept = (living.length > 0 && verdict.how !== 'external') || ending.intent.isStruck(made.place);
  return isKept && (policy === 'Retain' || (policy === 'Confirm' && !isNamed));
}

/** When nothing desired it, and its own policies, or the first policy of the input at that time that selects it, left what is outside. */
function orphanDrops(asked: Asked): readonly Epoch[] {
  const {made, ending, xr} = asked;
  return (ending.intent.books.epochs.get(xr) ?? []).filter(
    ({desire}) =>
      !desires(desire, made) &&
      (isLeft(made, ending) || policyIn(rulesOf(desire), shapeOf({made}, asked)) === 'Orphan'),
  );
}

function isMadeAfterOrphan(asked: Asked): boolean {
  const {made, ending} = asked;
  const drops = orphanDrops(asked);
  const kept = (ending.alive.get(made.place) ?? []).filter(
    ({external, leaders}) => leaders.length > 0 || drops.every(({atMs}) => atMs < external.bornMs),
  );
  return kept.length < 2;
}

/** An XR with the rules as it was before it dropped the resource, or before a person was denied its deletion. */
function viewBefore({verdict, made, xr, ending}: Asked): View {
  const {denied, epochs} = ending.intent.books;
  const last = epochs.get(xr)?.findLast(({desire}) => desires(desire, made))?.move ?? -1;
  return viewOf(xr, ending, verdict.how === 'denied' ? (denied.get(made.address) ?? 0) - 1 : last);
}

/** True if a protection of its XR selects it, or if it is an XR that is protected itself, or the step of an XR requires it so. */
function isKept(made: Made, {ending, ...view}: AtRest): boolean {
  const isSelected = made.place !== view.xr && isProtected({made}, view);
  return isSelected || isKeptItself(made.place, ending);
}

function isUserOf({made}: Asked, user: Found, view: View): boolean {
  return usersOf(user, view).some((other) => other.made.place === made.place);
}

function isKeptOrUsed(made: Made, view: AtRest): boolean {
  return isKept(made, view) || usersOf({made}, view).length > 0;
}

/** True if it is a claim on its way out, whose XR is protected. */
function isOfWaitingClaim({verdict, made, ending}: Asked): boolean {
  const {apiVersion, kind, name} = (at(ending.found.get(made.place)?.[0]?.object.spec, ['resourceRef']) ??
    {}) as Partial<ResourceRef>;
  if (verdict.how !== 'going' || !apiVersion || !kind || !name) return false;
  return isProtectedXr(viewOf(addressOf({apiVersion, kind, metadata: {name}}), ending));
}

/** True if it is the definition of an XR that is protected. */
function definesProtected({made, ending}: Asked): boolean {
  const spec = ending.found.get(made.place)?.[0]?.object.spec;
  const kind = `${String(at(spec, ['names', 'kind']))}.${String(at(spec, ['group']))} `;
  const xrs = ending.intent.books.epochs.keys().filter((xr) => xr.startsWith(kind));
  return xrs.some((xr) => isProtectedXr(viewOf(xr, ending)));
}

/** True if it is an XR that is protected, or if one protects it that requires it: its Usage stays if the XR was deleted alone. */
function isKeptItself(place: string, ending: Ending, until?: number): boolean {
  const [{object} = {object: undefined}] = ending.found.get(place) ?? [];
  if (isProtectedXr(viewOf(place, ending, until))) return true;
  return [...ending.intent.books.epochs.keys()].some((xr) => {
    const isThere = until !== undefined || ending.found.has(xr) || ending.intent.books.orphaned.has(xr);
    const desire = isThere ? ending.intent.desireOf(xr, until) : undefined;
    return object !== undefined && desire !== undefined && protectsRequired(desire, object);
  });
}

/** True if it reads an absent field of another resource, or of the XR. */
function readsAbsent(read: Json, {own, desire}: View): boolean {
  const reads = [...JSON.stringify(read).matchAll(/\b(?:resources(?:\.|\[')([\w-]+)(?:'\])?|xr)\.([\w.]+)/g)];
  return reads.some(([, key, path = '']) => {
    const object = key === undefined ? desire?.xr : own.find(({made}) => made.key === key)?.object;
    return at(object, path.split('.')) === undefined;
  });
}

interface Moving {
  readonly old: Found;
  /** The resource name, the kind and the place that it gets. */
  readonly to: Made;
  readonly isDry: boolean;
}

/** The moves of the rules: an object that is there, and the wanted one that it becomes. */
function movingIn({own, wanted, xr, rules}: View, moves = rules.moves): readonly Moving[] {
  return own
    .filter(({isGoing}) => !isGoing)
    .flatMap((old) =>
      [...wanted].flatMap(([key, object]) => {
        const to = madeIn(xr, key, groupKindOf(object));
        return moves
          .filter((rule) => isMove(rule, {key: old.made.key ?? '', object: old.object}, to))
          .map(({isDry}) => ({old, to, isDry}));
      }),
    );
}

/** True if the new object is there, and is not Synced or has not published a value in the Secret of the old one. */
function cannotEnd(old: Found, to: Made, {ending}: Asked): boolean {
  const [fresh] = ending.found.get(to.place) ?? [];
  if (fresh === undefined) return false;
  return lacksDetails(fresh.object, old.object, ending) || conditionOf(fresh.object, 'Synced')?.status !== 'True';
}

/** True if it, or each unready resource of the XR, has another object beside it, from which a rule moves its external resource. */
function isServedByTheOld(asked: Asked): boolean {
  const {made, xr, ending, own} = asked;
  const {intent} = ending;
  const moving = movingIn(asked, intent.everRuled(xr).moves).filter(
    ({old}) => conditionOf(old.object, 'Ready')?.status === 'True',
  );
  const served = made.place === xr ? unreadyIn(xr, ending) : own.filter((one) => one.made.place === made.place);
  return served.every((one) =>
    moving.some(
      ({old, to}) =>
        to.place === one.made.place &&
        intent.leadsTo(old.object) !== undefined &&
        leadsTo(old.object) === leadsTo(one.object),
    ),
  );
}

/** True unless it is a field, and no policy. */
function isOfPolicies({verdict: {how, field = []}}: Asked): boolean {
  return how !== 'edit' || isPolicy(field);
}

/**
 * True if a rule of `give` names it, or if it is dropped and the rule names another resource, which is desired and the other XR has. Its
 * external resource may stay if the rule is no dry run and the other XR is there, but not as long as its own XR lives and nothing leads
 * there.
 */
function isGivenAway({verdict: {how}, made, rules, wanted, own, xr, ending}: Asked): boolean {
  const isLed = !ending.found.has(xr) || ending.alive.get(made.place)?.every(({leaders}) => leaders.length > 0);
  return rules.gives.some(({name, there, other, isDry}) => {
    const isHere = !wanted.has(name) || own.some((one) => one.made.key === name);
    const wasTaken = (place: string) => ending.found.has(place) || ending.intent.isStruck(place);
    const isAway = !isDry && !isHere && placesAt(other, there, ending).some(wasTaken);
    const mayStay = how === 'kept' || (!isDry && (how !== 'external' || (ending.found.has(other) && isLed === true)));
    return name === made.key ? mayStay : how === 'kept' && isAway;
  });
}

/** True if a former rule gave it, and no step desires it since, or an object of another XR leads to its external resource. */
function isHalfGiven({made, ending: {intent, found, all}}: Asked): boolean {
  const epochs = intent.books.epochs.get(made.xr ?? '') ?? [];
  const wantedLast = epochs.findLastIndex(({desire}) => desires(desire, made));
  const isGiven = ({desire}: Epoch) => rulesOf(desire).gives.some(({name, isDry}) => name === made.key && !isDry);
  if (found.has(made.place) && epochs.slice(Math.max(0, wantedLast)).some(isGiven)) return true;
  const ids = (found.get(made.place) ?? []).flatMap(({object}) => intent.leadsTo(object) ?? []);
  const isOther = (one: Found) => one.made.xr !== made.xr && ids.includes(intent.leadsTo(one.object) ?? '');
  return intent.everRuled(made.xr).gives.some(({name}) => name === made.key) && all.some(isOther);
}

/**
 * True if a rule of `take` names it, and the other XR has no rule of `give` for it, or has its object still and cannot let it go; or if
 * the rule went before the old object, whose external resource it only observes.
 */
function isNotGiven({verdict, made, own, ending, xr, rules, wanted}: Asked): boolean {
  const takers = ending.found.get(xr)?.map(({object}) => addressOf(object)) ?? [];
  const {intent} = ending;
  const taking = ending.found.get(xr)?.[0]?.object;
  const isSeen = ({object}: Found) => taking === undefined || lists(taking, object);
  return intent.everRuled(xr).takes.some(({name, there, other, isDry}) => {
    const fresh = own.find((one) => one.made.key === name && !one.isGoing && isSeen(one))?.object;
    if (made.place === xr ? fresh !== undefined && isTrue(fresh, 'Ready') : made.key !== name) return false;
    const kind = wanted.has(name) ? groupKindOf(wanted.get(name) as KubeObject) : '';
    const old = placesAt(other, there, ending).filter((place) => place.endsWith(`${kind})`));
    const isRuled = rules.takes.some((one) => one.name === name && one.there === there && one.other === other);
    if (!isRuled) return verdict.how === 'edit' && old.some((place) => ending.found.has(place));
    const sides = [atRest(other, ending), atRest(xr, ending)] as const;
    const wasMade = intent.books.byUid.values().some(({place}) => old.includes(place));
    const isGiven = sides[0].rules.gives.some((one) => one.name === there && !one.isDry && takers.includes(one.other));
    const isLost = [xr, other, ...old, ...placesAt(xr, name, ending)].some(
      (place) => intent.isStruck(place) || intent.books.endedMs.has(place),
    );
    const isUnseen = placesAt(xr, name, ending).some((place) => ending.found.get(place)?.every(isSeen) === false);
    // Once nothing else leads there, the new one has its own policies.
    const id = fresh && intent.leadsTo(fresh);
    const isAlone =
      ending.all.every((one) => one.made.xr === xr || intent.leadsTo(one.object) !== id) &&
      !old.some((place) => ending.found.has(place));
    if (verdict.how === 'edit' && isAlone && !isLost) return false;
    const taken = intent.books.byUid.values().find((one) => one.xr === xr && one.key === name);
    const epochs = taken === undefined ? [] : (intent.books.epochs.get(xr) ?? []);
    const was = epochs.map(({desire}) => desires(desire, taken as Made));
    const isDropped = was.includes(true) && was.lastIndexOf(false) > was.indexOf(true);
    const isStopped = isHeldBack(there, name, sides) || isOneObject(there, name, sides);
    return isDry || !isGiven || !wasMade || isLost || isUnseen || isDropped || isStopped;
  });
}

/** True if the taking XR desires the very object that the giving one has. */
function isOneObject(key: string, name: string, [giving, taking]: readonly [AtRest, AtRest]): boolean {
  const body = taking.wanted.get(name);
  const namespace = body?.metadata?.namespace ?? taking.ending.found.get(taking.xr)?.[0]?.object.metadata.namespace;
  return giving.own.some(
    ({made, object}) =>
      made.key === key &&
      body !== undefined &&
      groupKindOf(object) === groupKindOf(body) &&
      object.metadata.name === body.metadata?.name &&
      (object.metadata.namespace ?? namespace) === namespace,
  );
}

function isSynced(xr: KubeObject): boolean {
  return conditionOf(xr, 'Synced')?.status === 'True' && !isPaused(xr);
}

/**
 * True if an exchange cannot end: the input of one XR contradicts itself, or the old object is there and cannot go. It or an XR waits
 * for something else, or the giving XR keeps it, or has another rule move it.
 */
function isHeldBack(key: string, name: string, [giving, taking]: readonly [AtRest, AtRest]): boolean {
  if ([giving, taking].some((side) => contradicts(side.rules, shapesIn(side)))) return true;
  const xrs = [giving, taking].flatMap(({ending, xr}) => ending.found.get(xr) ?? []);
  const isHindered = !xrs.every(({object}) => isSynced(object));
  const shapes = shapesIn(giving).filter((shape) => shape.key === key);
  const isMoved = giving.rules.moves.some(({from}) => shapes.some((shape) => selects(from, shape)));
  return giving.own.some((one) => {
    const isFound = giving.ending.intent.leadsTo(one.object) !== undefined;
    const isReady = isFound && conditionOf(one.object, 'Ready')?.status === 'True';
    const isKept = isKeptOrUsed(one.made, giving) || cannotFollow(one.object, name, taking);
    return one.made.key === key && (isHindered || !isReady || isKept || isMoved);
  });
}

/** True if the new one is there and not Synced, or a value of the old Secret goes: it names no Secret, or is there and has not published it. */
function cannotFollow(old: KubeObject, name: string, {own, wanted, ending}: AtRest): boolean {
  const there = own.find(({made}) => made.key === name)?.object;
  const fresh = there ?? wanted.get(name);
  if (fresh === undefined || (there === undefined && secretOf(fresh) !== undefined)) return false;
  return lacksDetails(fresh, old, ending) || (there !== undefined && !isSynced(there));
}

/** True if it has not published a value that the old one has. */
function lacksDetails(fresh: KubeObject, old: KubeObject, ending: Ending): boolean {
  const published = detailsOf(fresh, ending) ?? {};
  return Object.keys(detailsOf(old, ending) ?? {}).some((key) => published[key] === undefined);
}

/** True if it is being deleted, and an actor paused it or gave it a finalizer. */
function isHeldByActor({object: {metadata}, isGoing}: Found): boolean {
  const held = [['f:finalizers'], ['f:annotations', 'f:crossplane.io/paused']];
  return (metadata.managedFields ?? []).some(
    ({manager, fieldsV1}) =>
      isGoing && isActor(manager) && held.some((path) => at(fieldsV1, ['f:metadata', ...path]) !== undefined),
  );
}

/** True if a rule moves it, or what it becomes, and nothing holds that back. */
function isToMove(asked: Asked): boolean {
  const {made, ending, wanted, xr} = asked;
  const {intent} = ending;
  const isAtRest = ending.found.get(xr)?.every(({object, isGoing}) => !isGoing && isSynced(object)) === true;
  return movingIn(asked).some(({old, to, isDry}) => {
    const id = intent.leadsTo(old.object);
    const name = {[annotationExternalName]: old.object.metadata.annotations?.[annotationExternalName] ?? ''};
    const {metadata, ...body} = wanted.get(to.key ?? '') as KubeObject;
    const becomes = {...body, metadata: {name: '', annotations: {...name, ...metadata?.annotations}}};
    const isAllowed =
      to.kind === old.made.kind ||
      asked.rules.moves.some(
        (rule) => (rule.to.apiVersion ?? rule.to.kind) && isMove(rule, {...old, key: old.made.key ?? ''}, to),
      );
    const isMeant = !isDry && isAllowed && [old.made.place, to.place].includes(made.place);
    const isReady = conditionOf(old.object, 'Ready')?.status === 'True';
    return (
      isMeant &&
      isAtRest &&
      isReady &&
      !isKeptOrUsed(old.made, asked) &&
      id !== undefined &&
      intent.leadsTo(becomes) === id
    );
  });
}

/** True if it is unwanted, and its author gave its external name to another resource with other fields, or if it is that resource. */
function isNamesake({made, own, wanted, ending: {intent}}: Asked): boolean {
  const isOther = (old: KubeObject, one: KubeObject) =>
    old.apiVersion !== one.apiVersion || !covers(old.spec?.['forProvider'], one.spec?.['forProvider']);
  return own.some(({made: {key: from = ''}, object}) => {
    const id = wanted.has(from) ? undefined : intent.leadsTo(object);
    const isHeir = (one: KubeObject) => intent.leadsTo(one) === id && isOther(object, one);
    return id !== undefined && [...wanted].some(([key, one]) => [from, key].includes(made.key ?? '') && isHeir(one));
  });
}

/** True if its resource name, or one that a rule moves to it, has two kinds. */
function isOfTwoKinds({made: {kind, key = ''}, own, wanted, rules}: Asked): boolean {
  const isRenamed = ({made, object}: Found) =>
    rules.moves.some(({from, to}) => to.resource === key && selects(from, {key: made.key ?? '', objects: [object]}));
  const all = own.filter((one) => (one.made.key === key || isRenamed(one)) && !one.isGoing);
  const living = all.map(({object}) => object);
  return [...living, wanted.get(key)].some((one) => one !== undefined && groupKindOf(one) !== kind);
}
