// Whether anything explains a harm: a decision by its name (explained.ts), in the life of the XR that it was of (lives.ts), or a part of
// the input. Everything else is a violation, whatever the function thinks of it.

import {at, type JsonObject} from '../../cluster/json.ts';
import {conditionOf, controllerOf} from '../../cluster/object.ts';
import {asksInVain, ofVainQuestion} from './asked-in-vain.ts';
import {asksForUsages} from './asks-for-usages.ts';
import {isKeptBySomebody, isLetGoByHand} from './by-hand.ts';
import {isAskedTooSoon} from './denied.ts';
import {type Ending, innerXrsOf, isServed, placesOn, standsStill} from './ending.ts';
import {
  explained,
  givenAway,
  heldAsAsked,
  isWrittenBy,
  letGoForAnother,
  lettingGo,
  moved,
  parts,
  wentWithMover,
  wentWithXr,
} from './explained.ts';
import type {Harm, HarmKind} from './harm.ts';
import {isRemadeForUsage, isStale} from './late-restore.ts';
import {saysNotServed} from './ledger.ts';
import {
  decisionsOfAllLives,
  decisionsOfEndedLives,
  type Explain,
  inputIn,
  keptInAllLives,
  lastDecisions,
  movesOfAllLives,
  movesOfEndedLives,
  movesOfThisLife,
  type Named,
  nameOf,
  refusalsOfAllLives,
  uidOf,
  waitsOfAllLives,
} from './lives.ts';
import {wasLetGoSince, wentByHand} from './moved-on.ts';
import {areAllNamed} from './named-in.ts';
import {isOfTemplates} from './of-templates.ts';
import {isTakenOver, isTakerDone, isWithAnother, observesInVain, takersOf} from './taken-on.ts';
import {isUnheard, ofUnheard, ofWentUnheard, saysAgain, wentUnheard} from './unheard.ts';
import {isUsedAt} from './usage-ends.ts';

/** The harms that nothing explains. */
export function unexplained(harms: readonly Harm[], ending: Ending, explain: Explain | undefined): readonly Harm[] {
  const named = new Map<string, readonly Named[]>();
  const decisionsOf = (xr: string, decide: typeof lastDecisions): readonly Named[] => {
    const key = `${decide.name} ${xr}`;
    const known = named.get(key);
    if (known !== undefined) return known;
    const decided = explain === undefined ? [] : decide(ending.asked.get(xr)?.requests ?? [], explain);
    named.set(key, decided);
    return decided;
  };
  const left = harms.filter((harm) => !isExplained(harm, ending, decisionsOf));
  const asked = harms.filter((harm) => harm.kind === 'replaced' && !left.includes(harm));
  return left.filter((harm) => !isOfReplaced(harm, asked));
}

/** Whether its XR is one that was replaced as asked: what the one of before composed comes back with nobody to own it. */
function isOfReplaced({kind, xr}: Harm, asked: readonly Harm[]): boolean {
  return kind === 'unowned' && asked.some(({place}) => place === xr);
}

/** Whether the resource has what it took over still, as after a restore: an external resource that was made elsewhere. */
function hasWhatMoved({xr, resourceName}: Harm, {living, run}: Ending): boolean {
  return [...living.values()].flat().some(({made, object}) => {
    const leadsTo = run.ledger.externals.get(run.ledger.idOf(object))?.place ?? made.place;
    return xr !== undefined && made.xr === xr && made.resourceName === resourceName && leadsTo !== made.place;
  });
}

/** Whether it is not the XR's that was asked about last, which has another UID by now, as beside one that a restore brought back. */
function isOfAnotherLife({place, xr = ''}: Harm, {living, asked}: Ending): boolean {
  const last = asked.get(xr)?.requests.at(-1);
  const found = living.get(place) ?? [];
  return last !== undefined && found.length > 0 && found.every(({object}) => controllerOf(object)?.uid !== uidOf(last));
}

/** Whether Crossplane was once given an answer of before, which had not these names yet. */
function isAnsweredAsBefore({run}: Ending): boolean {
  return run.happened.some(({fault}) => fault === 'function-stale-response');
}

/** Whether a restore brought it back as nobody's, beside the XR that came before it: nobody but its XR of before kept it. */
function isNobodys({place}: Harm, {living}: Ending): boolean {
  const found = living.get(place) ?? [];
  return found.length > 0 && found.every(({controller}) => controller === undefined);
}

/** What becomes of an XR that cannot be read, and of what it composes. */
const ofWhoIsUnread: readonly HarmKind[] = ['not-ready', 'gone', 'missing'];

/** Whether the XR cannot be read for a kind that is not served: a cache of it is never filled, or after a start there is none. */
function isOfUnservedKind({kind, place, text}: Harm, xr: string, ending: Ending): boolean {
  const says = (message: string) => saysNotServed(message) || message.includes('no matches for kind');
  if (kind === 'not-synced') return place === xr && says(text);
  return ofWhoIsUnread.includes(kind) && says(unsyncedMessage(xr, ending));
}

/** What becomes of an XR that waits for those it composes. */
const ofWhoComposes: readonly HarmKind[] = ['not-ready', 'deleting'];

function isExplained(
  harm: Harm,
  ending: Ending,
  decisionsOf: (xr: string, decide: typeof lastDecisions) => readonly Named[],
): boolean {
  const inner = ofWhoComposes.includes(harm.kind) ? innerXrsOf(harm.place, ending) : [];
  for (const xr of [harm.place, ...xrsOf(harm.place, harm.xr), ...inner]) {
    if (isOfPart(harm, xr, ending)) return true;
    if (harm.kind === 'gone' && harm.place === xr && isAskedTooSoon(xr, ending)) return true;
    if (isRemadeForUsage(harm, xr, ending)) return true;
    if (ofUnheard.includes(harm.kind) && isUnheard(xr, ending)) return true;
    if (ofWentUnheard.includes(harm.kind) && wentUnheard(xr, ending)) return true;
    if (ofVainQuestion.includes(harm.kind) && asksInVain(xr, ending)) return true;
    if (isOfTemplates(harm, xr, ending) || (harm.kind === 'restless' && saysAgain(xr, ending))) return true;
    const names = namesAt(harm, xr, ending);
    const isNamed = ({resourceName}: Named) => names.includes(resourceName);
    const isWhole = inner.includes(xr) || (harm.resourceName === undefined && xr === harm.place);
    const about = decisionsOf(xr, harm.isExternal ? decisionsOfAllLives : lastDecisions).filter(
      (one) => isWhole || one.resourceName === '' || isNamed(one),
    );
    if (about.some((one) => explained[nameOf(one)]?.includes(harm.kind) === true && isMeant(one, harm, xr, ending)))
      return true;
    if (
      xr === harm.place &&
      decisionsOf(xr, keptInAllLives).some(({resourceName}) => harm.older?.includes(resourceName))
    )
      return true;
    if (isOfLast(harm, xr, about, decisionsOf(xr, lastDecisions), ending)) return true;
    if (xr === harm.place && isOfMoves(harm, about)) return true;
    if (isOfUnservedKind(harm, xr, ending)) {
      // What the XR keeps, as asked or by a refusal, it lists; without the function it was let go before its kind's definition was removed.
      if ([...decisionsOf(xr, keptInAllLives), ...decisionsOf(xr, movesOfAllLives)].length > 0) return true;
    }
    if (isOfEarlier(harm, names, ending, (decide) => decisionsOf(xr, decide))) return true;
    const movesOf = hasWhatMoved(harm, ending) ? movesOfAllLives : movesOfThisLife;
    const moves = decisionsOf(xr, movesOf).filter(isNamed);
    if (moves.some((one) => moved[nameOf(one)]?.includes(harm.kind) === true)) return true;
    if (moves.some((one) => nameOf(one) === lettingGo) && isOfRemovedKind(harm, ending)) return true;
    if (isOfGivenAway(harm, moves, decisionsOf(xr, movesOfAllLives), ending)) return true;
    if (isOfTakers(harm, ending, (taker) => decisionsOf(taker, decisionsOfAllLives))) return true;
    if (harm.kind === 'destroyed' && moves.some((one) => nameOf(one) === lettingGo)) {
      if (wentByHand(harm, ending) || wasLetGoSince(harm, ending)) return true;
    }
    if (wentWithMover.includes(harm.kind)) {
      const over = decisionsOf(xr, movesOfEndedLives);
      if (over.some((one) => isNamed(one) && nameOf(one) === lettingGo)) return true;
    }
    const moversOf = decisionsOf(xr, movesOfAllLives).filter(isNamed);
    if (harm.kind === 'overwritten' && moversOf.some((one) => isWrittenBy(nameOf(one), harm))) return true;
    const endedLives = isInLastLife(xr, ending) ? decisionsOfEndedLives : decisionsOfAllLives;
    const ended = decisionsOf(xr, endedLives).filter(isNamed);
    // Two objects are no matter of what stays in the cloud.
    const isObject = harm.kind === 'doubled' && harm.isExternal !== true;
    if (!isObject && ended.some((one) => wentWithXr[nameOf(one)]?.includes(harm.kind) === true)) return true;
  }
  return false;
}

/** Whether somebody asks for the Usage that something is held for, or did when an external resource was: the input, or an earlier step. */
function isMeant(decision: Named, {isExternal}: Harm, xr: string, {asked}: Ending): boolean {
  if (nameOf(decision) !== 'hold still-used-by') return true;
  const {requests = [], kinds = new Map()} = asked.get(xr) ?? {};
  const asking = isExternal ? requests : requests.slice(-1);
  return asking.some(asksForUsages) || [...kinds.values()].some((kind) => /^(Cluster)?Usage\./.test(kind));
}

/**
 * Under which names the XR may have decided about it: what it was made as and what it was called since, as after a move; or the XR's
 * own that it is composed by in turn.
 */
function namesAt({place, resourceName}: Harm, xr: string, {places, run}: Ending): readonly string[] {
  const inner = place.split(' > ').slice(0, xr.split(' > ').length + 1);
  const made = inner.join(' > ');
  if (made !== place && place.startsWith(`${xr} > `)) return [places.get(made)?.resourceName ?? []].flat();
  return [resourceName ?? [], ...run.ledger.resourceNamesAt(place)].flat();
}

/** Whether the XR is the one that was asked about last: as what a restore brings back it has another UID, and waits to be asked about. */
function isInLastLife(xr: string, {living, asked}: Ending): boolean {
  const last = asked.get(xr)?.requests.at(-1);
  const own = living.get(xr) ?? [];
  return own.length > 0 && (last === undefined || own.some(({object}) => object.metadata.uid === uidOf(last)));
}

/**
 * Whether it was let go for a move, and went with its kind's definition, which a person removed meanwhile: what it led to stays in the
 * cloud (docs/handover.md).
 */
function isOfRemovedKind({kind, place}: Harm, ending: Ending): boolean {
  const [ofKind = ''] = ending.places.get(place)?.address.split(' ') ?? [];
  return kind === 'left-behind' && (!isServed(ofKind, ending) || ending.run.ledger.wentWithKind(place));
}

/** Whether it is of an external resource that another XR has taken, and a decision of that one explains it. */
function isOfTakers(harm: Harm, ending: Ending, decided: (taker: string) => readonly Named[]): boolean {
  if (harm.isExternal !== true) return false;
  return takersOf(harm, ending).some(({xr, resourceName}) =>
    decided(xr).some((one) => one.resourceName === resourceName && explained[nameOf(one)]?.includes(harm.kind)),
  );
}

/** Whether it is of what another XR has, or had: gone with that one, or made here again once its rule was taken away. */
function isOfGivenAway(harm: Harm, moves: readonly Named[], all: readonly Named[], ending: Ending): boolean {
  // Also where that was before the old object was gone.
  const wasLetGo = moves.some((one) => nameOf(one) === letGoForAnother);
  if (harm.kind === 'recreated' && wasLetGo && isTakenOver(harm, ending)) return true;
  if (!wasGivenAway(harm, all)) return false;
  return harm.kind === 'recreated' || (givenAway.includes(harm.kind) && isTakerDone(ending));
}

/** Whether it was another XR's once: where its rule is taken away since, as after a restore, it is made here again. */
function wasGivenAway({resourceName}: Harm, moves: readonly Named[]): boolean {
  return moves.some((one) => one.resourceName === resourceName && nameOf(one) === 'wait given-away');
}

/** What was decided last explains, of one harm each, if more is so. `all`: what was decided last of everything the XR has. */
const last: readonly {
  readonly kind: HarmKind;
  readonly decision: string;
  readonly isOf: (harm: Harm, xr: string, all: readonly Named[], ending: Ending) => boolean;
}[] = [
  {
    kind: 'kept',
    decision: 'hold usage-leaves-first',
    isOf: (_, xr, all, ending) => {
      const isHeld = (decision: string) => all.some((one) => nameOf(one) === decision);
      // Its Usage leaves once it has lost its `by`, which is to be applied.
      return heldAsAsked.some(isHeld) || (isHeld('hold relax-first') && standsStill(xr, ending));
    },
  },
  {
    kind: 'kept',
    decision: letGoForAnother,
    isOf: (harm, xr, _, ending) => !isWithAnother(harm, ending) || standsStill(xr, ending) || isBack(harm, ending),
  },
  {kind: 'overwritten', decision: letGoForAnother, isOf: (harm, _, __, ending) => isBack(harm, ending)},
  {kind: 'gone', decision: 'refuse kind-changed', isOf: isOfWantedKind},
  {kind: 'gone', decision: 'refuse cannot-hand-over', isOf: isOfWantedKind},
  {kind: 'restless', decision: 'hand-over renaming', isOf: (_, xr, __, ending) => isRefused(xr, ending)},
  // What it says in the object counts once that is applied, and Crossplane applies it before it is refused another one, or never comes to
  // it: by chance, each time.
  {kind: 'kept', decision: 'hold restore-in-progress', isOf: (_, xr, __, ending) => standsStill(xr, ending)},
  // Who takes the rule away in the middle has both objects stay as they are.
  {
    kind: 'overwritten',
    decision: 'hand-over observing',
    isOf: (_, xr, __, {asked}) => asked.get(xr)?.input['handover'] === undefined,
  },
  {
    kind: 'not-ready',
    decision: 'exchange observing',
    isOf: (_, xr, __, ending) => observesInVain(xr, ending) || ending.asked.get(xr)?.input['take'] === undefined,
  },
];

/** A backup brought it back. Let go because another XR has it, it stays, as the backup says, until that one says that it took it. */
function isBack({place}: Harm, {run}: Ending): boolean {
  return run.ledger.wasRestored(place);
}

/** What is refused is not made; what stays for it is of another kind. */
function isOfWantedKind({place, resourceName = ''}: Harm, xr: string, _: readonly Named[], {asked}: Ending): boolean {
  return place.includes(`(${asked.get(xr)?.kinds.get(resourceName) ?? 'none'}`);
}

function isOfLast(harm: Harm, xr: string, about: readonly Named[], all: readonly Named[], ending: Ending): boolean {
  const isSaid = (decision: string) => about.some((one) => nameOf(one) === decision);
  return last.some(({kind, decision, isOf}) => kind === harm.kind && isSaid(decision) && isOf(harm, xr, all, ending));
}

/** Whether the API server refuses what the XR composes: under which of the two names of one object is chance, and said each time. */
function isRefused(xr: string, ending: Ending): boolean {
  return unsyncedMessage(xr, ending).includes('cannot apply composed resource');
}

/** Why the XR is not Synced, '' where it is. */
function unsyncedMessage(xr: string, {living}: Ending): string {
  const object = living.get(xr)?.at(-1)?.object;
  const {status, message = ''} = (object && conditionOf(object, 'Synced')) ?? {};
  return status === 'False' ? message : '';
}

/** Both are there, or went with their XR, and what is there by now is the third. */
const ofWhoIsSeenLate: readonly HarmKind[] = ['doubled', 'recreated'];

/** What was decided earlier explains what is so still, of some harms, each by some decisions; of the whole XR, too, if it says so. */
const earlier: readonly {
  readonly isOf: (harm: Harm, ending: Ending) => boolean;
  readonly decisions: typeof lastDecisions;
  readonly ofAll?: true;
}[] = [
  {
    isOf: ({kind}, {run}) => ofWhoIsSeenLate.includes(kind) && isStale(run),
    decisions: waitsOfAllLives,
    ofAll: true,
  },
  // What a refusal keeps an answer of before it lets go.
  {
    isOf: (harm, ending) => ['gone', 'destroyed'].includes(harm.kind) && isAnsweredAsBefore(ending),
    decisions: refusalsOfAllLives,
  },
  // What a person does by a resource name finds an object that a refusal keeps, and none without the function.
  {isOf: isKeptBySomebody, decisions: refusalsOfAllLives},
  {isOf: isLetGoByHand, decisions: refusalsOfAllLives},
  {isOf: (harm, ending) => harm.kind === 'kept' && isOfAnotherLife(harm, ending), decisions: keptInAllLives},
  // What was kept as asked a backup has, and brings back beside what its XR has made by then.
  {
    isOf: ({kind, place}, {run}) => kind === 'doubled' && placesOn(place).some((one) => run.ledger.cameBackLate(one)),
    decisions: keptInAllLives,
  },
  {isOf: ({kind, isMissed}) => kind === 'overwritten' && isMissed === true, decisions: refusalsOfAllLives, ofAll: true},
];

function isOfEarlier(
  harm: Harm,
  names: readonly string[],
  ending: Ending,
  decided: (decisions: typeof lastDecisions) => readonly Named[],
): boolean {
  return earlier.some(({isOf, decisions, ofAll}) => {
    const isAbout = ({resourceName}: Named) =>
      harm.resourceName === undefined || names.includes(resourceName) || (ofAll === true && resourceName === '');
    return isOf(harm, ending) && decided(decisions).some(isAbout);
  });
}

/** Whether all that is not applied is under way to another name or kind: what the API server refuses of it was made anew otherwise. */
function isOfMoves({kind, text}: Harm, about: readonly Named[]): boolean {
  const isMoved = (name: string) => about.some((one) => one.resourceName === name && one.decision === 'hand-over');
  return kind === 'not-synced' && areAllNamed(text, 'Unsynced resources', isMoved);
}

/** Whether a part of the XR's input asked for it. What has a stable name keeps it, though the input wants none any more. */
function isOfPart(harm: Harm, xr: string, ending: Ending): boolean {
  const {input = {}, requests = []} = ending.asked.get(xr) ?? {};
  return Object.entries(parts).some(([part, kinds]) => {
    const isIn = (one: JsonObject) => at(one, part.split('.')) !== undefined;
    if (!kinds.includes(harm.kind)) return false;
    if (part === 'protect') return isIn(input) && isOfProtection(harm, xr, ending);
    if (!isIn(input) && !requests.some((request) => isIn(inputIn(request)))) return false;
    return (cameBack(xr, ending) || isAnsweredAsBefore(ending)) && isOfStableName(harm, ending);
  });
}

/** Two are there beside each other only where a Usage keeps one. */
function isOfProtection({kind, place}: Harm, xr: string, ending: Ending): boolean {
  return kind !== 'doubled' || isUsedAt(place, ending) || isUsedAt(xr, ending);
}

/** Whether something was restored, or the XR deleted and asked for again. */
function cameBack(xr: string, {run, asked}: Ending): boolean {
  const lives = new Set(asked.get(xr)?.requests.map(uidOf));
  return lives.size > 1 || run.story.moves.some(({action}) => action.kind === 'restore');
}

/**
 * The saved object is left out, and its external resource stays, beside the next one; what a saved XR had composed is nobody's. Its own
 * is not made before the one of before has left the name.
 */
function isOfStableName(harm: Harm, ending: Ending): boolean {
  switch (harm.kind) {
    case 'kept':
      return isNobodys(harm, ending);
    case 'doubled':
      return harm.isExternal === true || isAnsweredAsBefore(ending);
    case 'left-behind':
      return harm.isExternal === true;
    case 'gone':
      return ending.deleting.has(harm.place);
    default:
      return true;
  }
}

/** The XR, and those it is composed by: what becomes of an inner XR becomes of what it composes. */
function xrsOf(place: string, xr: string | undefined): readonly string[] {
  const all = placesOn(place).slice(0, -1).reverse();
  return xr === undefined || all.includes(xr) ? all : [xr, ...all];
}
