// Why a composed resource gets its decision: a row a reason. Everything else about a reason is derived from its row: the type
// of the decision, the mark on the object, the XR condition, events, how soon to look again, labels of metrics, the sentences,
// `tether explain`, and the tables of docs/reference/operations.md (package/operations-page.ts).
//
// A new reason is a row here and the guard that answers with it (plan/gates.ts, or the list of its room).
//
// Sentences are lower-case, one line, and the same for the same facts: Crossplane turns results into events and conditions into
// status, and text that changes without a reason is noise for people.

import type {ConditionReason} from './conditions.ts';
import type {Transition} from './events.ts';
import {
  type Counterpart,
  counterpartText,
  type ExchangeObstacle,
  isBetweenXRs,
  type Moving,
  moveText,
  needsPerson,
  type Obstacle,
  obstacleSentence,
  otherXrText,
  ruleThatAllows,
} from './obstacles.ts';
import {
  composed,
  controllerOf,
  endOf,
  kindOf,
  list,
  named,
  noValue,
  quoted,
  takesItFrom,
  type Unresolved,
  verb,
  word,
} from './phrases.ts';
import type {Controller, End, Kind, ObjectRef} from './references.ts';

/** The annotation of an object keeps this of the last decision about it. */
export type Phase = 'adopted' | 'pending-adoption' | 'pending-deletion' | 'refused' | 'handing-over';

/**
 * It ends by this. time: nothing that the XR watches, so it is looked at again soon. answer: Crossplane's, in the next call of the
 * same reconcile. person: one who changes something. world: a change that the XR watches.
 */
export type Ends = 'time' | 'answer' | 'person' | 'world';

/** The event with which it begins. */
export type Beginning = Extract<
  Transition['kind'],
  'adopting' | 'holding' | 'releasing' | 'leaving-alone' | 'refusing' | 'handing-over'
>;

/** What every decision of a kind has, unless its reason has another. */
interface KindRow {
  readonly phase: Phase;
  /** Undefined: everything is as the pipeline wants it. */
  readonly condition: ConditionReason | undefined;
  readonly event: Beginning | undefined;
  /** Of the resource, with the cause of the reason. */
  readonly sentence: (resourceName: string, cause: string) => string;
}

export const kinds = {
  /**
   * Its controller reference is this XR's; or it has none and no proof that this XR composed it, and Crossplane's apply adopts
   * it or not, with function-tether as without.
   */
  keep: free('keeping'),
  create: free('creating'),
  release: {...free('releasing'), event: 'releasing'},
  retain: {
    ...free('retaining'),
    phase: 'pending-deletion',
    sentence: (resourceName) => `retaining ${composed(resourceName)}: its removal policy is Retain`,
  },
  /** The apply that follows puts it under the control of this XR first of all. */
  adopt: {...doing('adopting'), phase: 'pending-adoption', condition: 'Restoring', event: 'adopting'},
  /** Desired and not observed, yet left out for now; or observed, and left out until it is gone. */
  wait: {...doing('waiting to create'), phase: 'adopted', condition: 'Waiting', event: undefined},
  /** On its way to another resource name, kind or XR. */
  move: {phase: 'handing-over', condition: 'HandingOver', event: 'handing-over', sentence: (_, cause) => cause},
  /** No longer desired by the earlier steps, kept in desired all the same; or desired, and not known how. */
  hold: {...doing('holding'), phase: 'pending-deletion', condition: 'Holding', event: 'holding'},
  /** The request is not carried out, and the condition reports it to a person. */
  refuse: {phase: 'refused', condition: 'Refusing', event: undefined, sentence: (_, cause) => `refusing to ${cause}`},
} satisfies {readonly [kind: string]: KindRow};

type Kinds = keyof typeof kinds;

/** A reason, of decisions of one kind or of two. */
export interface Reason<Of extends Kinds = Kinds, Facts = never> {
  readonly of: readonly Of[];
  readonly phase?: Phase;
  readonly event?: Beginning | 'none';
  readonly ends: Ends | ((facts: Facts, isLeaving: (resourceName: string) => boolean) => Ends);
  readonly condition?: ConditionReason | ((facts: Facts) => ConditionReason);
  /** Parts of the input that ask for it; by default, if none. */
  readonly asked: readonly string[];
  readonly means: string;
  readonly todo?: string;
  readonly cause: string | ((facts: Facts, resourceName: string, kind: Kinds) => string);
}

/** Nothing is in its way. */
function free(participle: string): KindRow {
  const sentence = (resourceName: string) => `${participle} ${composed(resourceName)}`;
  return {phase: 'adopted', condition: undefined, event: undefined, sentence};
}

function doing(participle: string): Pick<KindRow, 'sentence'> {
  return {sentence: (resourceName, cause) => `${participle} ${composed(resourceName)}: ${cause}`};
}

function of<Of extends Kinds>(...all: readonly Of[]) {
  return <Facts = unknown>(row: Omit<Reason<Of, Facts>, 'of'>): Reason<Of, Facts> => ({of: all, ...row});
}

const wait = of('wait');
const hold = of('hold');
const refuse = of('refuse');
const adoptOrHold = of('adopt', 'hold');
const waitOrHold = of('wait', 'hold');
const waitOrRefuse = of('wait', 'refuse');

/** A step of a move, within the XR or between two. `stopped`: why it gets no further. */
type Step = (Moving & {readonly stopped?: Obstacle}) | Turn;
type Turn = Counterpart & {readonly stopped?: ExchangeObstacle | undefined};

const sameObject = ({stopped}: {readonly stopped?: {readonly kind: string} | undefined}, other: ConditionReason) =>
  stopped?.kind === 'same-object' ? 'SameObject' : other;
const stoppedText = (step: Step) => (step.stopped === undefined ? '' : `; stopped: ${stoppedSentence(step)}`);
const stoppedSentence = (step: Step) =>
  isBetweenXRs(step)
    ? obstacleSentence(step.stopped as ExchangeObstacle, step)
    : obstacleSentence(step.stopped as Obstacle, step);

/** `within` follows the names of a move within the XR; `between` has the resource and that of the other XR. */
interface Words {
  readonly part: 'give' | 'take';
  readonly means: string;
  readonly within: (step: Moving) => string;
  readonly between: (what: string, other: string) => string;
}

function move({part, means, within, between}: Words): Reason<'move', Step> {
  return {
    of: ['move'],
    condition: (step) => sameObject(step, 'HandingOver'),
    ends: (step) => (needsPerson(step) ? 'person' : 'time'),
    asked: ['handover', part],
    means,
    todo: 'The message has the next step. If it lasts, see what cannot be moved [to another name or kind](../how-to/move-to-another-name-or-kind.md#what-cannot-be-moved) or [to another XR](../how-to/move-to-another-xr.md#what-cannot-be-moved).',
    cause: (step, name) => {
      const progress = isBetweenXRs(step)
        ? between(composed(name), counterpartText(step))
        : `moving ${moveText(step)}: ${within(step)}`;
      return `${progress}${stoppedText(step)}`;
    },
  };
}

/**
 * A resource that a restore waits for. unadopted: it lacks our controller reference, and has one reconcile to be adopted in.
 * missing: it is desired, and no object is there for it. paused: by its annotation. create-pending: its provider does not know
 * whether a create came to an end, and waits for a person. silent: it has neither a condition Ready nor Synced=False. unready: the
 * condition that it has instead. own-field: the pipeline sets this field of the XR, which does not have it yet. composer: the XR
 * that composes this one waits itself, and may not have given it all of its spec yet.
 */
export type Awaited =
  | {readonly cause: keyof typeof plainCauses; readonly resourceName: string}
  | {
      readonly cause: 'unready';
      readonly resourceName: string;
      readonly type: string;
      readonly status: string;
      readonly why: string;
    }
  | {readonly cause: 'own-field'; readonly field: string; readonly isThere: boolean}
  | {readonly cause: 'composer'};

/** The Secret of the XR, among its fields. */
export const connectionField = 'connection details';

/** binary: the key is taken by binaryData. full: what others put there leaves no room. */
export type Unwritable = 'immutable' | 'binary' | 'full';

/**
 * A Usage, whose `by` still exists or may. `person`: only a person can confirm that it is gone, now or perhaps later; or the
 * question has no room.
 */
export interface ByThere {
  readonly of: End;
  readonly by: End;
  readonly person?: 'has-to-say' | 'may-have-to-say' | 'no-room';
}

/** `check`: the Usage that finds out, undefined if none can, or if it has. */
interface InUse {
  readonly isCertain: boolean;
  readonly check: {readonly usage: string; readonly isObserved: boolean} | undefined;
}

const confirmRemoval = 'the annotation tether.fn.crossplane.io/confirm-removal of the XR';

/** Decisions without a reason. */
export const plain = {
  keep: {asked: [], ends: 'world', means: 'Observed and desired.', todo: ''},
  create: {asked: [], ends: 'world', means: 'Desired and not there.', todo: ''},
  release: {asked: [], ends: 'world', means: 'Nothing needs it any more; Crossplane deletes it.', todo: ''},
  retain: {
    asked: ['removal.policies'],
    ends: 'person',
    means: 'No longer desired; its removal policy is Retain.',
    todo: 'Delete it by hand, or take the policy away.',
  },
} as const;

const adoptFirst = {phase: 'pending-adoption', condition: 'Restoring', event: 'adopting'} as const;

export const reasons = {
  /** Held, composed GC would skip it and forget it. */
  'without-controller': adoptOrHold({
    ...adoptFirst,
    ends: 'time',
    asked: [],
    means:
      'It came back without its controller reference: an apply puts it on, before the release if it is no longer desired.',
    cause: (_, __, kind) =>
      `it has no controller reference${kind === 'hold' ? ' and is adopted before it is released' : ''}`,
  }),
  'found-by-label': adoptOrHold<{readonly object: ObjectRef}>({
    ...adoptFirst,
    ends: 'time',
    asked: ['restore.lookup'],
    means: 'The XR lost it; it was found by its labels, keeps its name, and is adopted first.',
    cause: ({object}, _, kind) =>
      `found ${named(object)} by its labels${kind === 'hold' ? '; it is adopted before it is released' : ''}`,
  }),

  /** `room`, if lists have none: there is room to ask for each desired resource by itself, or not even for that. */
  /** `room`: for all questions at once, if it is left out; `later` once the first resources are made. */
  'lookup-pending': wait<{readonly room?: 'one-by-one' | 'later' | 'none'}>({
    ends: ({room = ''}) => (room === '' ? 'answer' : room === 'none' ? 'person' : 'time'),
    asked: ['restore.lookup', 'externalNames', 'removal.policies'],
    means: 'The lookup of lost resources is not answered yet.',
    todo: 'If it lasts: may Crossplane list that kind (RBAC)? Is it 1.15 or newer? If it has no room and nothing was lost, set `restore.lookup` to false until it is made.',
    cause: ({room}) =>
      room === 'none'
        ? 'the answer to the lookup of lost resources has no room in the next request'
        : `the lookup of lost resources is not answered yet${room === undefined ? '' : room === 'later' ? '; it has room once others are made' : '; it has no room for lists, so those that the pipeline dropped are not looked for'}`,
  }),
  'creation-order': wait<{readonly of: readonly string[]}>({
    ends: 'world',
    asked: ['order'],
    means: 'An order creates something else first, which is not ready.',
    todo: 'Make that one ready.',
    cause: ({of}) =>
      `${list(of.map(quoted))} ${verb(of, 'is', 'are')} not ready, and the input's order creates ${verb(of, 'it', 'them')} first`,
  }),
  /** Both count from 1. */
  'nothing-selected': wait<{readonly order: number; readonly step: number}>({
    ends: 'world',
    asked: ['order'],
    means: 'A step of an order with `waitFor: Desired` selects nothing desired.',
    todo: 'Check the names and patterns of that step.',
    cause: ({order, step}) => `step ${step} of the input's order ${order} selects nothing that is desired yet`,
  }),
  'pattern-unmatched': waitOrHold<{readonly path: string}>({
    ends: 'person',
    asked: ['externalNames', 'handover', 'order', 'protect', 'removal.policies'],
    means: 'A pattern of the input is too much work for so many names, and may be about it.',
    todo: 'Make the pattern simpler.',
    cause: ({path}) =>
      `input.${path} is too much work for so many names, and may be about it; write simpler patterns, or fewer`,
  }),
  /** Only a person can decide which one is meant. */
  'ambiguous-lookup': wait<{readonly objects: readonly ObjectRef[]}>({
    ends: 'person',
    asked: ['restore.lookup'],
    means: 'Several objects carry its labels.',
    todo: 'Delete or unlabel all but one.',
    cause: ({objects}) => `${list(objects.map(named))} all carry its labels`,
  }),
  /** `object` is left out until it is gone; without one, it is held as it was orphaned. */
  'still-deleting': waitOrHold<{readonly object?: ObjectRef}>({
    ends: 'time',
    asked: ['restore.lookup', 'removal.policies'],
    means: 'Its former object, or one with its labels, is still being deleted. A new one is created after that.',
    todo: 'Look for the finalizer that keeps it.',
    cause: ({object}) =>
      object === undefined
        ? 'it was orphaned and is still being deleted; it is created anew once it is gone'
        : `${named(object)} carries its labels and is still deleting`,
  }),
  'former-usage': wait<{readonly usage: ObjectRef}>({
    ends: 'time',
    asked: ['order', 'usages', 'protect'],
    means: 'A Usage of a former XR of this name still waits for the object.',
    todo: 'If it lasts: what keeps that Usage?',
    cause: ({usage}) =>
      `${named(usage)} of an XR of this name that is gone waits for the object of that name to be gone, too`,
  }),
  /** Made anew it would be a duplicate, adopted it would be stolen. `object`: the one with its labels, which the XR does not list. */
  'stale-controller': waitOrRefuse<{readonly object?: ObjectRef; readonly controller: Controller}>({
    phase: 'pending-adoption',
    ends: ({object}) => (object === undefined ? 'person' : 'time'),
    asked: [],
    means: 'Another UID controls it, or the object with its labels.',
    todo: 'Remove the stale owner reference, if that owner is gone.',
    cause: ({object, controller}, name) =>
      object === undefined
        ? `touch ${composed(name)}: it is controlled by ${controllerOf(controller)}`
        : `${named(object)} carries its labels and is controlled by ${controllerOf(controller)}`,
  }),
  unmarked: wait<{readonly object: ObjectRef}>({
    ends: 'person',
    asked: ['externalNames.remember'],
    means: "The ConfigMap for external names is not marked as this XR's.",
    todo: 'Delete it, or set the label `tether.fn.crossplane.io/composite`.',
    cause: ({object}) => `${named(object)} is there already and does not carry this XR's labels`,
  }),
  unresolved: waitOrHold<Unresolved>({
    phase: 'adopted',
    event: 'none',
    ends: 'world',
    asked: ['resources'],
    means: 'Its template reads a value that is not there yet, or that does not fit; if it exists, it stays as it is.',
    todo: 'If it lasts: does the named field exist?',
    cause: noValue,
  }),
  'given-away': wait<Counterpart>({
    ends: 'person',
    asked: ['give'],
    means: 'A rule gives it to another XR.',
    todo: 'Remove the rule to have it made here.',
    cause: (other) =>
      `input.${other.path} gives it to ${counterpartText(other)}; take the rule away once it is to be made here again`,
  }),
  /** Within the XR: `object`, the old one under `from`. Between two: why the other one does not give it yet. */
  'not-moved': wait<{readonly from: string; readonly object: ObjectRef} | Turn>({
    ends: 'world',
    asked: ['handover', 'take'],
    condition: (later) => sameObject(isBetweenXRs(later) ? later : {}, 'Waiting'),
    means: 'A rule moves an object here, which is not done yet, or which the other XR does not give yet.',
    todo: 'The message has what is missing: the move of the old object, or the rule of the other Composition ([moving to another XR](../how-to/move-to-another-xr.md)).',
    cause: (later) =>
      isBetweenXRs(later)
        ? `input.${later.path} ${takesItFrom(later.resource)}${otherXrText(later)} and makes no new one${stoppedText(later)}`
        : `${named(later.object)}, which it comes after, is not handed over yet`,
  }),

  'restore-in-progress': hold<{readonly awaited: readonly Awaited[]}>({
    // That something is Ready is seen when its status changes, and it may take days.
    ends: ({awaited}) => (awaited.every(({cause}) => cause === 'unadopted') ? 'time' : 'world'),
    // The XR that composes this one waits until it is back, and would wait for itself.
    condition: ({awaited}) =>
      awaited.length > 0 && awaited.every(({cause}) => cause === 'composer') ? 'Holding' : 'Restoring',
    asked: [],
    means: 'A restore is not complete, or the status of the XR was emptied; the message names what it waits for.',
    todo: 'See [what counts as not back](../how-to/restore-a-backup.md#what-counts-as-not-back), or confirm `NAME@UID` as for `awaiting-approval`.',
    cause: ({awaited}) => restoreCause(awaited),
  }),
  /** Deleted now, it would never adopt. The mark has it tried until it has (restore/inner-xr.ts). */
  'inner-adopts-first': hold({
    phase: 'pending-adoption',
    ends: 'time',
    condition: 'Restoring',
    asked: [],
    means: 'It is an inner XR that came back and has not reconciled yet.',
    todo: 'See its condition Synced. If you confirm `NAME@UID`, its composed resources stay without an owner.',
    cause:
      'it is an XR that has not reconciled since it is there, and what it composes may still have no controller reference; if it never does, name it as NAME@UID in the annotation tether.fn.crossplane.io/confirm-removal of this XR',
  }),
  /** `usages` are the resource names of the Usages that name it, if any do yet. */
  'still-used-by': hold<{readonly by: readonly End[]; readonly usages: readonly string[]}>({
    ends: ({by}, isLeaving) =>
      by.some(({resourceName}) => resourceName === '' || isLeaving(resourceName)) ? 'time' : 'world',
    asked: [],
    means: 'Its `by` still exists.',
    todo: 'If it lasts: what keeps `by`?',
    cause: ({by, usages}) =>
      usages.length === 0
        ? `${list(by.map(endOf))} still ${verb(by, 'uses', 'use')} it`
        : `Usage ${list(usages.map(quoted))} still ${verb(usages, 'names', 'name')} ${list(by.map(endOf))} as by`,
  }),
  'by-still-exists': hold<ByThere>({
    ends: 'time',
    asked: [],
    means: 'A Usage whose `by` is leaving.',
    cause: (usage, name) => `${endOf(usage.by)} still uses ${endOf(usage.of)}${adviceOnBy(name, usage)}`,
  }),
  'usage-leaves-first': hold<{readonly usages: readonly string[]}>({
    ends: 'time',
    asked: [],
    means: 'A Usage would deny its deletion, and leaves first.',
    cause: ({usages}) =>
      `Usage ${list(usages.map(quoted))} still ${verb(usages, 'protects', 'protect')} it and leaves first`,
  }),
  /** Of a pair whose ends leave together. */
  'usage-arrives-first': hold<{readonly usages: readonly string[]}>({
    ends: 'time',
    asked: ['order', 'usages'],
    means: 'The Usage that will order its deletion is not there yet.',
    cause: ({usages}) => `Usage ${list(usages.map(quoted))}, which will order its deletion, is not observed yet`,
  }),
  /** S0. Without `by`, the replay is switched off alone (recorded: c-standalone-usage). */
  'relax-first': hold<{readonly of: End; readonly by?: End}>({
    ends: 'time',
    asked: [],
    means:
      'A Usage is changed before it goes: its `by` is taken out on a Crossplane that would keep it for ever, or its `replayDeletion` is set to false, so that no old denied deletion is repeated.',
    cause: ({of, by}) =>
      by === undefined
        ? `its replayDeletion is set to false before it is released, so that Crossplane repeats no denied deletion of ${endOf(of)}`
        : `${endOf(by)} is taken out of it before it is released`,
  }),
  protected: hold<{readonly usages: readonly string[]}>({
    ends: 'person',
    asked: ['protect'],
    means: 'A Usage protects it.',
    todo: 'Remove the label or the rule, if it may go.',
    cause: ({usages}) => {
      const by = usages.length === 0 ? 'the input' : `Usage ${list(usages.map(quoted))}`;
      return `${by} ${usages.length > 1 ? 'protect' : 'protects'} it; it goes once the label or rule that asks for that is taken away`;
    },
  }),
  'in-use': hold<InUse>({
    // Once it is observed, Crossplane watches the Usage that checks.
    ends: ({check}) => (check?.isObserved === false ? 'time' : 'world'),
    asked: [],
    means: "It carries Crossplane's in-use label; another Usage names it, or may name it.",
    todo: 'Is there a Usage (`kubectl get usages.protection,clusterusages,usages.apiextensions -A`)? `check-...` finds out. Without any, take the label off, or confirm as for `awaiting-approval`.',
    cause: inUseCause,
  }),
  'awaiting-approval': hold<{readonly missed: string | undefined}>({
    ends: 'person',
    asked: ['removal.policies', 'protect'],
    means: 'Its policy is Confirm, or a rule misses it by a slip.',
    todo: 'Annotate the XR: `tether.fn.crossplane.io/confirm-removal: NAME,NAME`.',
    cause: ({missed}) =>
      `${missed === undefined ? 'its removal policy is Confirm' : `but for a slip, ${missed} would keep it`} and ${confirmRemoval} does not name it`,
  }),
  'orphan-first': hold({
    ends: 'time',
    asked: [],
    means: 'Its policies are changed first, so that the external resource stays.',
    cause: 'its policies are changed before it is released, so that its provider leaves the external resource alone',
  }),
  'foreground-first': hold({
    ends: 'time',
    asked: ['order', 'usages'],
    means: 'A nested XR gets the finalizer `foregroundDeletion`, so its resources go first.',
    todo: 'If it lasts: what takes the finalizer off it?',
    cause: `it is an XR that uses something, and gets the finalizer foregroundDeletion before it is released, so that it stays until what it composes is gone; if something takes that off, name it in ${confirmRemoval}`,
  }),
  'over-budget': hold<{readonly leaving: number; readonly observed: number}>({
    ends: 'person',
    asked: ['removal.budget'],
    means: 'More would leave than the budget allows.',
    todo: 'Is an earlier step broken? Else confirm as for `awaiting-approval`, or raise the budget.',
    cause: ({leaving, observed}) =>
      `${leaving} of ${observed} observed resources would leave, more than the budget allows`,
  }),
  /** Resources rendered from those that are missing for a moment may be missing, too. The moves themselves are looked at soon. */
  'hand-over-in-progress': hold<{readonly moving: readonly string[]}>({
    ends: 'world',
    asked: ['handover', 'give'],
    means: 'It is dropped while others are handed over, or given and desired.',
    todo: 'Wait, or confirm as for `awaiting-approval`.',
    cause: ({moving: names}) =>
      `nothing is released while ${list(names.map(quoted))} ${verb(names, 'is', 'are')} moved; name it in ${confirmRemoval} if it is to go all the same`,
  }),
  /** Only Crossplane decides about it. `id` is the value that our label would have if it were this XR's. */
  unproven: refuse<{readonly object: ObjectRef; readonly id: string}>({
    ends: 'person',
    phase: 'pending-adoption',
    event: 'leaving-alone',
    asked: [],
    means: 'It is dropped, and nothing proves that this XR composed it. Crossplane 1.16.2 to 2.3.4 deletes it.',
    todo: "If it was this XR's, set the label in the message and `restore.lookup`. Else delete it by hand.",
    cause: ({object, id}, name) =>
      `keep or delete ${composed(name)}: nothing on ${named(object)} proves that this XR composed it, so Crossplane v1.16.2 to v2.3.4 deletes it, and others forget it (if it is left, and was composed by this XR, label it tether.fn.crossplane.io/composite=${id} and have restore.lookup find it, or else delete it by hand)`,
  }),
  /** This one stays, and the new one is not made. */
  'kind-changed': refuse<{readonly object: ObjectRef; readonly wanted: Kind}>({
    ends: 'person',
    event: 'refusing',
    asked: [],
    means: 'Another kind or group is desired under this name; Crossplane would forget the old object.',
    todo: 'Give the new one another resource name, or change the kind back.',
    cause: ({object, wanted}, name) =>
      `replace ${composed(name)}, a ${kindOf(object)}, by a ${kindOf(wanted)}: Crossplane would forget ${named(object)} without deleting it; give the new one another resource name, change the kind back, or have it take the external resource over by the input's ${ruleThatAllows(name, {...wanted})}`,
  }),
  /** It stays as it is, and what it would become is not made. */
  'cannot-hand-over': refuse<Moving & {readonly obstacle: Obstacle}>({
    ends: ({obstacle}) => (obstacle.kind === 'unanswered' ? 'time' : 'person'),
    event: 'refusing',
    asked: ['handover'],
    means: 'The message names the obstacle that stops its move.',
    todo: 'See [what cannot be moved](../how-to/move-to-another-name-or-kind.md#what-cannot-be-moved).',
    cause: (move) => `move ${moveText(move)}: ${obstacleSentence(move.obstacle, move)}`,
  }),
  /** It stays as it is, and no name is remembered anew. */
  unwritable: refuse<{readonly object: ObjectRef; readonly cause: Unwritable}>({
    ends: 'person',
    event: 'refusing',
    asked: ['externalNames.remember'],
    means: 'The ConfigMap for external names is immutable, full, or has `names` in its `binaryData`.',
    todo: 'Delete it: the next reconcile makes it anew. Look who may write ConfigMaps there.',
    cause: ({object, cause}, name) =>
      `write ${composed(name)}: ${named(object)} ${unwritableCause[cause]}; no new external-name is remembered; delete it, and this function creates it again`,
  }),
  /** No function can remove an owner reference, and deleting the object deletes what it stands for (crossplane#7146). */
  'cannot-orphan': refuse({
    ends: 'person',
    phase: 'pending-deletion',
    asked: [],
    means: 'Its external resource is to stay, which its kind cannot express.',
    todo: 'Choose Retain, or take the object out of the XR by hand.',
    cause: (_, name) =>
      `orphan ${composed(name)}: it has no deletionPolicy and no managementPolicies in Crossplane's words, so deleting it deletes what it stands for`,
  }),

  /** Under another resource name alone it is the same object, and both names desire it. */
  offering: move({
    part: 'give',
    means: 'It goes elsewhere, and stays as it is until it is observed there.',
    within: ({object, to}) => `${named(object)} has both resource names until it is observed as ${quoted(to)}`,
    between: (what, other) => `giving ${what} to ${other}: it stays as it is`,
  }),
  /** Within the XR it is set aside under a resource name of ours. */
  'letting-go': move({
    part: 'give',
    means: 'The old object: its provider is told to let the external resource go.',
    within: ({object}) =>
      `the old ${named(object)} is told to let its external resource go; next, once it is observed so and set aside, the new one observes it`,
    between: (what, other) =>
      `giving ${what} to ${other}: its provider is told to let the external resource go; next, once it is observed so and the other object has its policies, it is released`,
  }),
  'taking-back': move({
    part: 'give',
    means: 'Turned back: the old object gets its resource name and its policies again.',
    within: ({object, from}) =>
      `turned back; ${named(object)} is desired as ${quoted(from)} again until it is observed so`,
    between: (what, other) =>
      `taking ${what} back from ${other}; next, once nothing there could delete the external resource, it gets its policies`,
  }),
  observing: move({
    part: 'take',
    means: 'The new object only observes the external resource.',
    within: ({wanted}) =>
      `the new ${wanted.kind} only observes the external resource; next, once it is Synced and the same, it gets its policies`,
    between: (what, other) =>
      `taking ${what} from ${other}: it only observes the external resource; next, once it is Synced and the old object is observed to have let go, it gets its policies`,
  }),
  'taking-over': move({
    part: 'take',
    means: 'The new object has its policies; the old one goes.',
    within: ({object, wanted}) =>
      `the new ${wanted.kind} has its policies; next, once it is Synced with them, the old ${named(object)} is released`,
    between: (what, other) =>
      `taking ${what} from ${other}: it has its policies; the move ends once the old object is gone`,
  }),
  'giving-back': move({
    part: 'take',
    means: 'Turned back: the new object is told to only observe.',
    within: ({wanted}) => `turned back; next, once the new ${wanted.kind} is observed to only observe, it is released`,
    between: (what, other) =>
      `giving ${what} back to ${other}: it is told to only observe; next, once it is observed so, the other object gets its policies`,
  }),
} satisfies {readonly [reason: string]: Reason};

const unwritableCause: {readonly [cause in Unwritable]: string} = {
  immutable: 'is immutable',
  binary: 'has the key "names" in its binaryData',
  full: 'has no room left for them',
};

export function restoreCause(awaited: readonly Awaited[]): string {
  if (awaited.length === 0) return 'nothing is released before the pipeline has seen all that is back';
  const unadopted = awaited.flatMap((one) => (one.cause === 'unadopted' ? [one.resourceName] : []));
  if (unadopted.length === awaited.length) {
    return `nothing is released before ${list(unadopted.map(quoted))} ${verb(unadopted, 'is', 'are')} adopted`;
  }
  const end = awaited.every(({cause}) => cause === 'own-field')
    ? 'the XR itself is complete'
    : 'all that the pipeline reads is back';
  return `nothing is released before ${end}: ${list(awaited.map(awaitedCause))}; if that never comes, name what may be deleted as NAME@UID in ${confirmRemoval}`;
}

const plainCauses = {
  unadopted: 'has no controller reference',
  missing: 'is not there',
  deleting: 'is being deleted',
  paused: 'is paused',
  'create-pending': 'is being created, or its provider waits for a person to take its external-create-pending off',
  silent: 'has no status yet',
  'no-connection': 'names a Secret for its connection details, and none are there',
  'no-finalizer': 'does not have the finalizer of its provider again',
} as const;

function awaitedCause(awaited: Awaited): string {
  if (awaited.cause === 'composer') return 'the XR that composes this one still waits for what came back';
  if (awaited.cause === 'own-field') {
    const field = awaited.field === connectionField ? connectionField : quoted(awaited.field);
    return `the XR has ${awaited.isThere ? 'another' : 'no'} ${field} yet, which the pipeline sets`;
  }
  const name = quoted(awaited.resourceName);
  if (awaited.cause !== 'unready') return `${name} ${plainCauses[awaited.cause]}`;
  const {type, status, why} = awaited;
  return `${name} has ${word(type)}=${word(status)}${why === '' ? '' : ` ${word(why)}`}`;
}

function inUseCause({isCertain, check}: InUse): string {
  if (isCertain) {
    return 'a Usage outside of this XR names it, because Crossplane keeps the label crossplane.io/in-use on it; it is released once no Usage names it';
  }
  const labelled = 'it has the label crossplane.io/in-use, and no Usage of this XR explains it';
  return check === undefined
    ? `${labelled}; if no other Usage names it either, take the label off, or name it in ${confirmRemoval}`
    : `${labelled}; Usage ${quoted(check.usage)} finds out whether another one names it`;
}

/** The advice comes as long as this function still runs: once a question has no answer, Crossplane runs no step any more. */
function adviceOnBy(usage: string, {by, person}: ByThere): string {
  if (person === undefined) return '';
  const say = `annotate the XR with tether.fn.crossplane.io/gone, naming ${quoted(usage)}`;
  if (person === 'no-room')
    return `, as far as can be known: the answer whether ${kindOf(by.object)} is served has no room in the next request; if it is gone, ${say}`;
  return person === 'has-to-say'
    ? `, as far as can be known: ${kindOf(by.object)} is not served; if it is gone, ${say}`
    : ` (should the kind ${by.object.kind} be deleted meanwhile: ${say})`;
}
