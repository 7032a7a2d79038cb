// Which decision, by name, explains which difference: because the input asked for it, or because the function refuses
// what it cannot do without harm and says so. Everything else is a violation, whatever the function thinks of it.

import {annotationResourceName} from '../../cluster/crossplane/vocabulary.ts';
import {at, type JsonObject} from '../../cluster/json.ts';
import {conditionOf, controllerOf, isDeleting, type KubeObject} from '../../cluster/object.ts';
import {decodeRequest} from '../../wire/request-decode.ts';
import {decodeStruct} from '../../wire/struct-decode.ts';
import {asksInVain, ofVainQuestion} from './asked-in-vain.ts';
import {isAskedTooSoon} from './denied.ts';
import {type Ending, foundIn} from './ending.ts';
import type {Harm, HarmKind} from './harm.ts';
import {isRemadeForUsage, isStale} from './late-restore.ts';
import {saysNotServed} from './ledger.ts';
import {wentByHand} from './moved-on.ts';
import {namesIn} from './named-in.ts';
import {isOfTemplates} from './of-templates.ts';
import {standsStill} from './stood-still.ts';
import {isTakerDone, isWithAnother, observesNothing} from './taken-on.ts';
import {isUnheard, ofUnheard, saysAgain} from './unheard.ts';
import {isUsedAt} from './usage-ends.ts';

/** What the function under test decided about one resource of one request, in its own words. */
export interface Named {
  readonly resourceName: string;
  readonly decision: string;
  readonly reason: string;
}

/** Answers the decisions of a request. Known to who knows the function; without it nothing is explained by a decision. */
export type Explain = (request: Uint8Array) => readonly Named[];

const stays: readonly HarmKind[] = ['kept', 'overwritten', 'left-behind', 'doubled', 'deleting'];
const waits: readonly HarmKind[] = ['missing', 'not-ready', 'gone'];

const heldAsAsked = ['hold over-budget', 'hold awaiting-approval'];

const refusedInput = 'refuse invalid-input';

const explained: {readonly [name: string]: readonly HarmKind[]} = {
  // The removal part: what it keeps, stays as it was.
  retain: stays,
  'hold awaiting-approval': stays,
  'hold over-budget': stays,
  'refuse cannot-orphan': stays,
  'hold orphan-first': stays,
  // The protect, order and usages parts, and Usages that the Composition has of its own.
  'hold protected': stays,
  'hold still-used-by': stays,
  // Templates and orders of creation.
  'hold unresolved': stays,
  // What a restore brought back meanwhile waits for its owner, too, where nobody may look for it.
  'wait creation-order': [...waits, 'unowned'],
  // An order that waits for what the Composition composes no more: nobody else waits, and the condition names the step.
  'wait nothing-selected': [...waits, 'unowned'],
  'wait unresolved': waits,
  // Refusals that protect what is there: another kind or another name under a key.
  'hold kind-changed': [...stays, 'missing', 'recreated'],
  'hold renamed': [...stays, 'missing', 'gone', 'recreated'],
  'refuse kind-changed': [...stays, 'missing'],
  'refuse renamed': [...stays, 'missing', 'gone', 'destroyed'],
  'refuse stale-controller': [...stays, ...waits],
  'wait stale-controller': waits,
  // The Usage that it waits for was asked for.
  'wait former-usage': waits,
  'wait ambiguous-lookup': waits,
  // What another XR has not given is not taken, and what this one gave away is not made here again; neither is made anew.
  'wait not-given': waits,
  // The object it had here goes, unless somebody's finalizer keeps it.
  'wait given-away': [...waits, 'deleting'],
  // A rule of a move: what it does not allow yet, or only says, stays, and what comes after it waits.
  'refuse cannot-hand-over': [...stays, 'missing'],
  'wait handed-over-later': waits,
  // What else is dropped stays until the move is over.
  'hold hand-over-in-progress': stays,
  // It is to be the other XR's: neither let go before that one can take it, nor made here once more of another kind.
  'exchange offering': ['kept', 'missing', 'left-behind'],
  // The step's input is no input: nothing is changed, and one sentence says where. What a restore brought back waits for
  // its owner, too: an object that nobody owns is nobody's to take, and the owner GC leaves it alone.
  [refusedInput]: [...stays, ...waits, 'not-synced', 'elsewhere', 'recreated', 'destroyed', 'unowned'],
};

/** The first step of what goes on as an object of another kind. */
const lettingGo = 'hand-over setting-aside';

/** Its policies are to let go, also where a person wrote them: it stays until the other XR is to have what it leads to. */
const letGoForAnother = 'exchange letting-go';

/**
 * Moves that a rule of the input asks for, of each resource that was under way in this life of the XR. Nothing that is
 * destroyed or made twice in the cloud is explained by one, but what a person destroyed who deleted the new object.
 */
const moved: {readonly [name: string]: readonly HarmKind[]} = {
  'hand-over renaming': ['kept', 'missing'],
  // What it is to be of next waits until this move is over.
  [lettingGo]: ['gone', 'missing'],
  // Dropped in the middle, it goes once the move is over, which it may never be.
  'hand-over observing': ['redirected', 'kept', 'missing'],
  [letGoForAnother]: ['gone'],
  'exchange observing': ['redirected'],
  // Once the rule is taken away, it is made here again.
  'wait given-away': ['recreated'],
  // No move, but over by the end, too: it went with the XR of before, of which nothing is taken over.
  'wait stale-controller': ['recreated'],
};

/** Which fields they overwrite: its policies, and what its provider reads off the external resource that it has from now on. */
function isWrittenBy(move: string, {field = '', isAdded = false}: Harm): boolean {
  const isPolicy = field === 'spec.deletionPolicy' || field === 'spec.managementPolicies';
  switch (move) {
    case lettingGo:
    case letGoForAnother:
      return isPolicy;
    case 'hand-over observing':
    case 'exchange observing':
      return isPolicy || (isAdded && field.startsWith('spec.forProvider.'));
    default:
      return false;
  }
}

/** What was given to another XR is that one's: it went with it, or once that one wanted it no more. */
const givenAway: readonly HarmKind[] = ['gone', 'destroyed'];

/**
 * What a refusal kept in an XR that was lost since went with that XR, as all that it owns; without the function it had been
 * forgotten by then, and lives on. The XR of now never saw it. What a move has let go and not taken over yet nobody deletes with
 * the XR: it stays in the cloud (docs/handover.md).
 */
const wentWithXr: {readonly [name: string]: readonly HarmKind[]} = {
  'refuse kind-changed': ['gone', 'destroyed'],
  'hold kind-changed': ['gone', 'destroyed'],
  [lettingGo]: ['left-behind', 'doubled'],
  'hand-over observing': ['left-behind', 'doubled'],
};

/** What an XR has of a move goes with that XR; without the function it had been forgotten by then, and lives on. */
const wentWithMover: readonly HarmKind[] = ['gone', 'destroyed', 'recreated'];

/** Parts of the input that ask for a difference in every resource they select. */
const parts: {readonly [part: string]: readonly HarmKind[]} = {
  // A Usage without `by` denies every deletion of what it protects, of the XR, too.
  // Where the XR is made again, as after a restore, there is another one beside it.
  protect: ['kept', 'deleting', 'left-behind', 'doubled'],
  // The saved object is left out by the tool, for its name is taken: that is what a stable name is. What a saved XR had composed
  // is nobody's then.
  'restore.stableNames': ['replaced', 'kept', 'doubled', 'left-behind'],
};

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

/**
 * What was decided last of each life of an XR, and all that was orphaned: an external resource that was kept then is there
 * still, whatever became of its object and of its XR.
 */
function decisionsOfAllLives(requests: readonly Uint8Array[], explain: Explain): readonly Named[] {
  const lives = Map.groupBy(requests, uidOf);
  const orphaned = requests.flatMap((request) => explain(request).filter(({reason}) => reason === 'orphan-first'));
  return [...[...lives.values()].flatMap((life) => lastDecisions(life, explain)), ...orphaned];
}

/**
 * What was decided last about each resource. What an XR was made to forget while the input had it held is decided nothing
 * about any more: there the decision before counts. What was let go once its provider was asked to leave the external
 * resource alone was orphaned: only who asked for that by a policy has such a decision. What was decided for an XR that was
 * lost since explains nothing of the one that came back in its place.
 */
function lastDecisions(requests: readonly Uint8Array[], explain: Explain): readonly Named[] {
  const named = new Map<string, Named>();
  const last = requests.at(-1);
  for (const request of requests.toReversed()) {
    if (last !== undefined && uidOf(request) !== uidOf(last)) break;
    for (const one of explain(request)) {
      if (nameOf(one) === refusedInput && wasTaken(request, requests, explain)) continue;
      const later = named.get(one.resourceName);
      const isOrphaned = later?.decision === 'release' && one.reason === 'orphan-first';
      if (later === undefined || isOrphaned) named.set(one.resourceName, one);
    }
  }
  return [...named.values()];
}

/**
 * Whether what the Composition and the XR say was an input before, in this life: then what others wrote made it none. An XR
 * that was made to forget all that it composed is as one that is new.
 */
function wasTaken(request: Uint8Array, requests: readonly Uint8Array[], explain: Explain): boolean {
  if (decodeRequest(request).observed.resources.size === 0) return false;
  const [uid, said] = [uidOf(request), wordsOf(request)];
  return requests.some(
    (other) =>
      uidOf(other) === uid && wordsOf(other) === said && explain(other).every((one) => nameOf(one) !== refusedInput),
  );
}

/** What the earlier steps desire, the step's input and the XR's spec but for what Crossplane writes there, as text. */
function wordsOf(request: Uint8Array): string {
  const {observed, desired, input} = decodeRequest(request);
  const resources = [...desired.resources.keys()].sort().map((name) => [name, desired.resources.get(name)?.json()]);
  const spec = (observed.composite?.field(['spec']) ?? {}) as JsonObject;
  const {crossplane: _, resourceRefs: __, compositionRef: ___, compositionRevisionRef: ____, ...own} = spec;
  return JSON.stringify([resources, input === undefined ? {} : decodeStruct(input), own]);
}

/** What was said of moves in the life that is there: what has moved is a resource like any other afterwards. */
function movesOfThisLife(requests: readonly Uint8Array[], explain: Explain): readonly Named[] {
  const last = requests.at(-1);
  const life = requests.filter((request) => last !== undefined && uidOf(request) === uidOf(last));
  return movesOfAllLives(life, explain);
}

function movesOfAllLives(requests: readonly Uint8Array[], explain: Explain): readonly Named[] {
  return requests.flatMap((request) => explain(request).filter((one) => moved[nameOf(one)] !== undefined));
}

/** Whether the resource has what it took over still, as after a restore: an external resource that was made elsewhere. */
function hasWhatMoved({xr, resourceName}: Harm, {living, run}: Ending): boolean {
  return [...living.values()].flat().some(({made, object}) => {
    const leadsTo = run.ledger.externals.get(run.ledger.idOf(object))?.place ?? made.place;
    return xr !== undefined && made.xr === xr && made.resourceName === resourceName && leadsTo !== made.place;
  });
}

/** What was decided last of each life of the XR that is over, but for what was decided again in the one that is not. */
function decisionsOfEndedLives(requests: readonly Uint8Array[], explain: Explain): readonly Named[] {
  const lives = [...Map.groupBy(requests, uidOf).values()];
  const last = lives.pop() ?? [];
  const ended = lives.flatMap((life) => lastDecisions(life, explain));
  if (!ended.some((one) => wentWithXr[nameOf(one)] !== undefined)) return [];
  const again = last.flatMap((request) => explain(request).filter((one) => wentWithXr[nameOf(one)] !== undefined));
  return ended.filter(({resourceName}) => !again.some((one) => one.resourceName === resourceName));
}

/** What was said of moves in lives of the XR that are over, but for what began to move again in the one that is not. */
function movesOfEndedLives(requests: readonly Uint8Array[], explain: Explain): readonly Named[] {
  const uid = requests.at(-1) && uidOf(requests.at(-1) as Uint8Array);
  const again = movesOfThisLife(requests, explain);
  const ended = movesOfAllLives(
    requests.filter((request) => uidOf(request) !== uid),
    explain,
  );
  return ended.filter(({resourceName}) => !again.some((one) => one.resourceName === resourceName));
}

/** What was decided to stay as it was, as asked: what the API server refuses to change of it was made anew otherwise. */
function keptInAllLives(requests: readonly Uint8Array[], explain: Explain): readonly Named[] {
  return requests.flatMap((request) => explain(request).filter((one) => explained[nameOf(one)]?.includes('kept')));
}

/**
 * What was asked to be made later. Up to 1.20 Crossplane makes up names by chance: an XR that it sees as it was is given what it has
 * already once more in every reconcile, and what comes later may come just then.
 */
function waitsOfAllLives(requests: readonly Uint8Array[], explain: Explain): readonly Named[] {
  return requests.flatMap((request) => explain(request).filter(({decision}) => decision === 'wait'));
}

/** What was refused: who changes it meanwhile finds nothing, and changes nothing. */
function refusalsOfAllLives(requests: readonly Uint8Array[], explain: Explain): readonly Named[] {
  return requests.flatMap((request) => explain(request).filter(({decision}) => decision === 'refuse'));
}

/** Whether a finalizer keeps it that no controller of the world has, a person's; or what is deleted with it, before it, is kept so. */
function isKeptBySomebody({kind, place}: Harm, ending: Ending): boolean {
  const found = kind === 'deleting' ? (ending.deleting.get(place) ?? []) : [];
  return found.length > 0 && found.every(({object}) => hasFinalizerOfSomebody(object, ending));
}

/** Whether a person asked that the external resources of such objects stay. */
function isLetGoByHand({kind, resourceName}: Harm, {run}: Ending): boolean {
  if (kind !== 'left-behind') return false;
  return run.story.moves.some(({action}) => {
    if (action.kind !== 'patch' || action.target.resource !== resourceName) return false;
    return ['deletionPolicy', 'managementPolicies'].some((policy) => at(action.body, ['spec', policy]) !== undefined);
  });
}

function hasFinalizerOfSomebody({metadata: {finalizers = [], uid: owner}}: KubeObject, ending: Ending): boolean {
  if (finalizers.some(isSomebodys)) return true;
  const left = foundIn(ending).filter(({object}) => object.metadata.ownerReferences?.some(({uid}) => uid === owner));
  return left.length > 0 && left.every(({object}) => isDeleting(object) && hasFinalizerOfSomebody(object, ending));
}

/** Controllers of Crossplane name theirs after it, and Kubernetes its own by a word. */
function isSomebodys(finalizer: string): boolean {
  return finalizer.includes('/') && !finalizer.endsWith('crossplane.io');
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

function uidOf(request: Uint8Array): unknown {
  return decodeRequest(request).observed.composite?.field(['metadata', 'uid']);
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
    if (ofVainQuestion.includes(harm.kind) && asksInVain(xr, ending)) return true;
    if (isOfTemplates(harm, xr, ending) || (harm.kind === 'restless' && saysAgain(xr, ending))) return true;
    const names = namesAt(harm, xr, ending);
    const isNamed = ({resourceName}: Named) => names.includes(resourceName);
    const isWhole = inner.includes(xr) || (harm.resourceName === undefined && xr === harm.place);
    const about = decisionsOf(xr, harm.isExternal ? decisionsOfAllLives : lastDecisions).filter(
      (one) => isWhole || one.resourceName === '' || isNamed(one),
    );
    if (about.some((one) => explained[nameOf(one)]?.includes(harm.kind) === true)) return true;
    if (
      xr === harm.place &&
      decisionsOf(xr, keptInAllLives).some(({resourceName}) => harm.older?.includes(resourceName))
    )
      return true;
    if (isOfLast(harm, xr, about, decisionsOf(xr, lastDecisions), ending)) return true;
    if (xr === harm.place && isOfMoves(harm, about)) return true;
    if (xr === harm.place && harm.kind === 'not-synced' && saysNotServed(harm.text)) {
      // What the XR keeps, as asked or by a refusal, it lists; without the function it was let go before its kind's definition was removed.
      if ([...decisionsOf(xr, keptInAllLives), ...decisionsOf(xr, movesOfAllLives)].length > 0) return true;
    }
    if (isOfEarlier(harm, ending, (decide) => decisionsOf(xr, decide))) return true;
    const movesOf = hasWhatMoved(harm, ending) ? movesOfAllLives : movesOfThisLife;
    const moves = decisionsOf(xr, movesOf).filter(isNamed);
    if (moves.some((one) => moved[nameOf(one)]?.includes(harm.kind) === true)) return true;
    if (moves.some((one) => nameOf(one) === lettingGo) && isOfRemovedKind(harm, ending)) return true;
    if (wasGivenAway(harm, decisionsOf(xr, movesOfAllLives))) {
      if (harm.kind === 'recreated' || (givenAway.includes(harm.kind) && isTakerDone(ending))) return true;
    }
    if (harm.kind === 'destroyed' && moves.some((one) => nameOf(one) === lettingGo) && wentByHand(harm, ending))
      return true;
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

/**
 * Under which names the XR may have decided about it: what it was made as and what it is by now; or the XR's own that it is composed
 * by in turn.
 */
function namesAt({place, resourceName}: Harm, xr: string, {places, living}: Ending): readonly string[] {
  const inner = place.split(' > ').slice(0, xr.split(' > ').length + 1);
  const made = inner.join(' > ');
  if (made !== place && place.startsWith(`${xr} > `)) return [places.get(made)?.resourceName ?? []].flat();
  const now = (living.get(place) ?? []).map(({object}) => object.metadata.annotations?.[annotationResourceName] ?? []);
  return [resourceName ?? [], ...now].flat();
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
function isOfRemovedKind({kind, place}: Harm, {places, run}: Ending): boolean {
  const [ofKind = ''] = places.get(place)?.address.split(' ') ?? [];
  return kind === 'left-behind' && !run.world.server.kinds.has(ofKind);
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
    isOf: (_, __, all) => all.some((one) => heldAsAsked.includes(nameOf(one))),
  },
  {
    kind: 'kept',
    decision: letGoForAnother,
    isOf: (harm, xr, _, ending) => !isWithAnother(harm, ending) || standsStill(xr, ending),
  },
  {kind: 'restless', decision: 'hand-over renaming', isOf: (_, xr, __, ending) => isRefused(xr, ending)},
  // What it says in the object counts once that is applied, and Crossplane applies it before it is refused another one, or never comes to
  // it: by chance, each time.
  {kind: 'kept', decision: 'hold restore-in-progress', isOf: (_, xr, __, ending) => standsStill(xr, ending)},
  {kind: 'not-ready', decision: 'exchange observing', isOf: (_, xr, __, ending) => observesNothing(xr, ending)},
];

function isOfLast(harm: Harm, xr: string, about: readonly Named[], all: readonly Named[], ending: Ending): boolean {
  const isSaid = (decision: string) => about.some((one) => nameOf(one) === decision);
  return last.some(({kind, decision, isOf}) => kind === harm.kind && isSaid(decision) && isOf(harm, xr, all, ending));
}

/** Whether the API server refuses what the XR composes: under which of the two names of one object is chance, and said each time. */
function isRefused(xr: string, {living}: Ending): boolean {
  const object = living.get(xr)?.at(-1)?.object;
  const {status, message = ''} = (object && conditionOf(object, 'Synced')) ?? {};
  return status === 'False' && message.includes('cannot apply composed resource');
}

/** What was decided earlier explains what is so still, of some harms, each by some decisions; of the whole XR, too, if it says so. */
const earlier: readonly {
  readonly isOf: (harm: Harm, ending: Ending) => boolean;
  readonly decisions: typeof lastDecisions;
  readonly ofAll?: true;
}[] = [
  {
    isOf: ({kind}, {run}) => kind === 'doubled' && isStale(run),
    decisions: waitsOfAllLives,
  },
  // What a person does by a resource name finds an object that a refusal keeps, and none without the function.
  {isOf: isKeptBySomebody, decisions: refusalsOfAllLives},
  {isOf: isLetGoByHand, decisions: refusalsOfAllLives},
  {isOf: (harm, ending) => harm.kind === 'kept' && isOfAnotherLife(harm, ending), decisions: keptInAllLives},
  {isOf: ({kind, isMissed}) => kind === 'overwritten' && isMissed === true, decisions: refusalsOfAllLives, ofAll: true},
];

function isOfEarlier(
  harm: Harm,
  ending: Ending,
  decided: (decisions: typeof lastDecisions) => readonly Named[],
): boolean {
  return earlier.some(({isOf, decisions, ofAll}) => {
    const {resourceName: name} = harm;
    const isAbout = ({resourceName}: Named) =>
      name === undefined || resourceName === name || (ofAll === true && resourceName === '');
    return isOf(harm, ending) && decided(decisions).some(isAbout);
  });
}

function nameOf({decision, reason}: Named): string {
  return reason === '' ? decision : `${decision} ${reason}`;
}

/** Whether all that is not applied is under way to another name or kind: what the API server refuses of it was made anew otherwise. */
function isOfMoves({kind, text}: Harm, about: readonly Named[]): boolean {
  const names = kind === 'not-synced' ? namesIn(text, 'Unsynced resources') : [];
  const isMoved = (name: string) => about.some((one) => one.resourceName === name && one.decision === 'hand-over');
  return names.length > 0 && names.every(isMoved);
}

/**
 * Whether a part of the XR's input asked for it. Two are there beside each other only where a Usage keeps one, and what no Usage
 * keeps is nobody's.
 */
function isOfPart(harm: Harm, xr: string, ending: Ending): boolean {
  const {kind, place} = harm;
  const input = ending.asked.get(xr)?.input ?? {};
  return Object.entries(parts).some(([part, kinds]) => {
    if (!kinds.includes(kind) || at(input, part.split('.')) === undefined) return false;
    if (kind === 'kept' && part !== 'protect') return isNobodys(harm, ending);
    if (part !== 'protect' && harm.isExternal === true) return true;
    if (kind === 'doubled' && part !== 'protect') return isAnsweredAsBefore(ending);
    if (kind === 'left-behind' && part !== 'protect') return false;
    return kind !== 'doubled' || isUsedAt(place, ending) || isUsedAt(xr, ending);
  });
}

/** The XRs that it composes: it is not ready as long as one of them is not, and may not go as long as one of them stays. */
function innerXrsOf(place: string, {asked}: Ending): readonly string[] {
  return [...asked.keys()].filter((xr) => xr.startsWith(`${place} > `));
}

/** The XR, and those it is composed by: what becomes of an inner XR becomes of what it composes. */
function xrsOf(place: string, xr: string | undefined): readonly string[] {
  const outer = place.split(' > ').slice(0, -1);
  const all = outer.map((_, index) => outer.slice(0, index + 1).join(' > ')).reverse();
  return xr === undefined || all.includes(xr) ? all : [xr, ...all];
}
