// The only place where decisions become sentences. Lower-case, one line, the same for the same decision: Crossplane
// turns results into events and conditions into status, and text that changes without a reason is noise for people.

import {labelComposite} from '../lifecycle/facts/marks.ts';
import type {InvalidInput} from '../lifecycle/input/input.ts';
import type {Plan} from '../lifecycle/plan/plan.ts';
import {type LeftBehind, leftBehindWords} from '../lifecycle/restore/left-behind.ts';
import type {Awaited, ByStillExists, Controller, Decision, End, Hold, Unwritable} from '../lifecycle/words/decision.ts';
import type {RefusedPair} from '../lifecycle/words/edit.ts';
import type {Transition, UnknownName} from '../lifecycle/words/transition.ts';
import {unreachable} from '../lifecycle/words/unreachable.ts';
import {exchangeSentence, givenAwayCause, notGivenCause} from './exchange-messages.ts';
import {cannotHandOver, handOverSentence, ruleThatAllows} from './handover-messages.ts';
import {gotOf, noValue} from './input-words.ts';
import {composed, kindOf, named, quoted, word} from './object-words.ts';

const listedMax = 10;

/** Why the whole XR stops: the input does not fit. */
export function invalidInputSentence(problem: InvalidInput): string {
  const place = problem.path === '' ? 'input' : `input.${problem.path}`;
  return `cannot use ${place}: ${gotOf(problem)}`;
}

/** The message of the XR condition: what is not as the pipeline wants it, and who waits for whom. */
export function conditionSentence(plan: Plan): string {
  const unknown = plan.unknownNames.slice(0, listedMax).map(unknownName);
  const unsaid = plan.unsaid
    .slice(0, listedMax)
    .map(({path, ...rest}) => `input.${path} is taken as true: ${gotOf(rest)}`);
  return [stateSentence(plan), ...unknown, ...unsaid].join('; ');
}

/** What the input says itself: nothing observed is told. */
function unknownName({path, part, name}: UnknownName): string {
  const says = {
    name: `names ${quoted(name)}, which is neither desired nor observed`,
    pattern: `has the pattern ${quoted(name)}, which matches no resource name (a regular expression for the whole name, as subnet-.*)`,
    kinds: `names ${name}, and nothing of that kind and group is desired or observed`,
    labels: `names the label ${name}, which nothing desired or observed carries`,
    selector: 'selects nothing: no resource has all that it says',
  };
  return `input.${path} ${says[part ?? 'name']}; if that is meant, say \`optional: true\` beside it`;
}

function stateSentence({condition, decisions, refusedPairs, leftBehind}: Plan): string {
  if (condition.status === 'True') {
    const retained = [...decisions].filter(([, {kind}]) => kind === 'retain').map(([name]) => quoted(name));
    const kept = retained.length === 0 ? '' : `; retaining ${list(retained.sort())}, as the removal policy says`;
    return `every composed resource is as the pipeline wants it${kept}`;
  }
  // A move is said once, although it is about several resource names.
  const sentences = [
    ...new Set([
      ...refusedPairs.map(refusedPairSentence),
      ...condition.resources.flatMap((name) => {
        const decision = decisions.get(name);
        if (decision === undefined) return [];
        return [waitsForRestore(decision) ? restoringSentence(decision, decisions) : decisionSentence(name, decision)];
      }),
    ]),
  ];
  const more = sentences.length - listedMax;
  // All of them are said: the next reconcile reads them here.
  const listed = [
    ...sentences.slice(0, listedMax),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...leftBehind.map(leftBehindSentence),
  ];
  return listed.join('; ');
}

function leftBehindSentence(left: LeftBehind): string {
  return `${leftBehindWords(left)} has no controller reference, and the backup that it comes from is older than function-tether: nothing proves that this XR composed it; delete it, give it to an XR, or name ${quoted(left.resourceName)} in the annotation tether.fn.crossplane.io/gone of the XR`;
}

type Restoring = Hold & {readonly reason: 'restore-in-progress'};

function waitsForRestore(decision: Decision): decision is Restoring {
  return decision.kind === 'hold' && decision.reason === 'restore-in-progress';
}

/** All that waits for one restore, in one sentence: it waits for the same. */
function restoringSentence({awaited}: Restoring, decisions: Plan['decisions']): string {
  const names = [...decisions].flatMap(([name, one]) => (waitsForRestore(one) ? [quoted(name)] : []));
  return `holding composed resource${names.length === 1 ? '' : 's'} ${list(names)}: ${restoreCause(awaited)}`;
}

/** One event: something begins or ends in this reconcile. `decision` is that of the same resource. */
export function transitionSentence(transition: Transition, decision: Decision | undefined): string {
  const what = composed(transition.resourceName);
  switch (transition.kind) {
    case 'adopted':
      return `adopted ${what}`;
    case 'handed-over':
      return `moved to ${what}: its external resource is the same`;
    case 'releasing':
      return `releasing ${what}: nothing keeps it any more`;
    case 'adopting':
    case 'holding':
    case 'leaving-alone':
    case 'refusing':
    case 'handing-over':
      return decision === undefined
        ? `${transition.kind} ${what}`
        : decisionSentence(transition.resourceName, decision);
    case 'external-name-saved':
      return `saving the external-name of ${what} from its status${
        transition.lateInitializes
          ? ''
          : ': its managementPolicies leave out LateInitialize, so its provider never saves it'
      }`;
    case 'order-skipped':
      return `creating ${what} without waiting for ${quoted(transition.of)}: input.${transition.path}.when is false`;
    case 'order-overruled':
      return `letting ${what} go although ${quoted(transition.by)} stays: input.${transition.path} only says who goes first when both go`;
    case 'order-contradicted':
      return `letting ${what} go in no order with ${quoted(transition.by)}: by their labels input.${transition.path} says of each that it goes first`;
    case 'name-unknown':
      return unknownName(transition);
    case 'external-name-restored':
      return `restoring the external-name of ${what}, which was lost`;
    case 'external-name-unproven':
      return `creating ${what} without the external-name that is remembered for it: the memory has no valid seal there, so anybody may have written it; set --memory-key-file, or annotate the resource by hand`;
    case 'external-names-unsealed':
      return 'remembering external-names for people alone: others may write where they are kept, so without --memory-key-file none is ever put back';
    case 'external-name-at-risk':
      return `creating ${what} without LateInitialize in its managementPolicies: a provider that restarts before its external-name is saved creates it twice`;
    default:
      return unreachable(transition);
  }
}

/** What happens to one composed resource, and why. */
export function decisionSentence(resourceName: string, decision: Decision): string {
  const what = composed(resourceName);
  switch (decision.kind) {
    case 'keep':
      return `keeping ${what}`;
    case 'create':
      return `creating ${what}`;
    case 'release':
      return `releasing ${what}`;
    case 'adopt':
      return decision.reason === 'without-controller'
        ? `adopting ${what}: it has no controller reference`
        : `adopting ${what}: found ${named(decision.object)} by its labels`;
    case 'wait':
      return `waiting to create ${what}: ${waitCause(decision)}`;
    case 'hold':
      return `holding ${what}: ${holdCause(resourceName, decision)}`;
    case 'hand-over':
      return handOverSentence(decision);
    case 'exchange':
      return exchangeSentence(resourceName, decision);
    case 'retain':
      return `retaining ${what}: its removal policy is Retain`;
    case 'refuse':
      return `refusing to ${refusalOf(resourceName, decision)}`;
    default:
      return unreachable(decision);
  }
}

function refusalOf(resourceName: string, refusal: Decision & {readonly kind: 'refuse'}): string {
  const what = composed(resourceName);
  switch (refusal.reason) {
    case 'stale-controller':
      return `touch ${what}: it is controlled by ${controller(refusal.controller)}`;
    case 'unproven':
      return `keep or delete ${what}: nothing on ${named(refusal.object)} proves that this XR composed it (if it did, label it ${labelComposite}=${refusal.id} and have restore.lookup find it, or else delete it by hand)`;
    case 'kind-changed':
      return `replace ${what}, a ${kindOf(refusal.object)}, by a ${kindOf(refusal.wanted)}: Crossplane would forget ${named(refusal.object)} without deleting it; give the new one another resource name, change the kind back, or have it take the external resource over by the input's ${ruleThatAllows(resourceName, refusal.wanted)}`;
    case 'cannot-hand-over':
      return cannotHandOver(refusal, refusal.obstacle);
    case 'unwritable':
      return `write ${what}: ${named(refusal.object)} ${unwritableCause[refusal.cause]}; no external-name is remembered anew until somebody deletes it, and then it is made again`;
    case 'cannot-orphan':
      return `orphan ${what}: it has no deletionPolicy and no managementPolicies in Crossplane's words, so deleting it deletes what it stands for`;
    default:
      return unreachable(refusal);
  }
}

const unwritableCause: {readonly [cause in Unwritable]: string} = {
  immutable: 'is immutable',
  binary: 'has the key "names" in its binaryData',
  full: 'has no room left for them',
};

function waitCause(wait: Decision & {readonly kind: 'wait'}): string {
  switch (wait.reason) {
    case 'lookup-pending':
      return 'the lookup of lost resources is not answered yet';
    case 'stale-controller':
      return `${named(wait.object)} carries its labels and is controlled by ${controller(wait.controller)}`;
    case 'ambiguous-lookup':
      return `${list(wait.objects.map(named))} all carry its labels`;
    case 'creation-order':
      return `${list(wait.of.map(quoted))} ${are(wait.of)} not ready, and the input's order creates ${wait.of.length === 1 ? 'it' : 'them'} first`;
    case 'nothing-selected':
      return `step ${wait.step} of the input's order ${wait.order} selects nothing that is desired yet`;
    case 'unresolved':
      return noValue(wait.path, wait.cause);
    case 'still-deleting':
      return `${named(wait.object)} carries its labels and is still deleting`;
    case 'former-usage':
      return `${named(wait.usage)} of an XR of this name that is gone waits for the object of that name to be gone, too`;
    case 'handed-over-later':
      return `${named(wait.object)}, which it comes after, is not handed over yet`;
    case 'given-away':
      return givenAwayCause(wait);
    case 'not-given':
      return notGivenCause(wait);
    case 'unmarked':
      return `${named(wait.object)} is there already and does not carry this XR's labels`;
    default:
      return unreachable(wait);
  }
}

function holdCause(resourceName: string, hold: Decision & {readonly kind: 'hold'}): string {
  switch (hold.reason) {
    case 'adopt-first':
      return 'it has no controller reference and is adopted before it is released';
    case 'found-by-label':
      return `found ${named(hold.object)} by its labels; it is adopted before it is released`;
    case 'inner-adopts-first':
      return 'it is an XR that has not reconciled since it is there, and what it composes may still have no controller reference; if it never does, name it in the annotation tether.fn.crossplane.io/confirm-removal of this XR';
    case 'restore-in-progress':
      return restoreCause(hold.awaited);
    case 'still-used-by':
      return hold.usages.length === 0
        ? `${list(hold.by.map(end))} still ${hold.by.length === 1 ? 'uses' : 'use'} it`
        : `Usage ${list(hold.usages.map(quoted))} still ${names(hold.usages)} ${list(hold.by.map(end))} as by`;
    case 'usage-leaves-first':
      return `Usage ${list(hold.usages.map(quoted))} still ${hold.usages.length === 1 ? 'protects' : 'protect'} it and leaves first`;
    case 'protected':
      return `Usage ${list(hold.usages.map(quoted))} ${hold.usages.length === 1 ? 'protects' : 'protect'} it; it goes once the label or rule that asks for that is taken away`;
    case 'usage-arrives-first':
      return `Usage ${list(hold.usages.map(quoted))}, which will order its deletion, is not observed yet`;
    case 'in-use':
      return inUseCause(hold);
    case 'by-still-exists':
      return `${end(hold.by)} still uses ${end(hold.of)}${wayOut(resourceName, hold)}`;
    case 'awaiting-approval':
      return 'its removal policy is Confirm and the annotation tether.fn.crossplane.io/confirm-removal of the XR does not name it';
    case 'orphan-first':
      return 'its provider is told to leave the external resource alone before it is released';
    case 'foreground-first':
      return 'it is an XR that uses something, and is told to stay until what it composes is gone before it is released';
    case 'hand-over-in-progress':
      return `nothing is released while ${list(hold.moving.map(quoted))} ${are(hold.moving)} moved; name it in the annotation tether.fn.crossplane.io/confirm-removal of the XR if it is to go all the same`;
    case 'over-budget':
      return `${hold.leaving} of ${hold.observed} observed resources would leave, more than the budget allows`;
    case 'unresolved':
      return noValue(hold.path, hold.cause);
    case 'earlier-step':
      return 'an earlier step of function-tether keeps it';
    case 'replay-off-first':
      return `it is told to repeat no denied deletion of ${end(hold.of)} before it is released`;
    case 'relax-first':
      return `${end(hold.by)} is taken out of it before it is released`;
    default:
      return unreachable(hold);
  }
}

function inUseCause({isCertain, check}: Hold & {readonly reason: 'in-use'}): string {
  if (isCertain) {
    return 'a Usage that is none of this XR names it, for Crossplane keeps the label crossplane.io/in-use on it; it goes once there is none';
  }
  const labelled = 'it has the label crossplane.io/in-use, and no Usage of this XR explains it';
  return check === undefined
    ? `${labelled}; if no other Usage names it either, take the label off, or name it in the annotation tether.fn.crossplane.io/confirm-removal of the XR`
    : `${labelled}; Usage ${quoted(check.usage)} finds out whether another one names it`;
}

function restoreCause(awaited: readonly Awaited[]): string {
  if (awaited.length === 0) return 'nothing is released before the pipeline has seen what a restore brought back';
  const unadopted = awaited.flatMap((one) => (one.cause === 'unadopted' ? [one.resourceName] : []));
  if (unadopted.length === awaited.length) {
    return `nothing is released before ${list(unadopted.map(quoted))} ${are(unadopted)} adopted`;
  }
  return `nothing is released before what a restore brought back is Ready again: ${list(awaited.map(awaitedCause))}; if that never comes, name what may be deleted in the annotation tether.fn.crossplane.io/confirm-removal of the XR`;
}

function awaitedCause(awaited: Awaited): string {
  switch (awaited.cause) {
    case 'unadopted':
      return `${quoted(awaited.resourceName)} has no controller reference`;
    case 'missing':
      return `${quoted(awaited.resourceName)} is not there`;
    case 'paused':
      return `${quoted(awaited.resourceName)} is paused`;
    case 'create-pending':
      return `${quoted(awaited.resourceName)} has an external-create-pending that its provider waits for a person to take off`;
    case 'silent':
      return `${quoted(awaited.resourceName)} has no condition yet`;
    case 'unready': {
      const {resourceName, type, status, why} = awaited;
      return `${quoted(resourceName)} says ${word(type)}=${word(status)}${why === '' ? '' : ` ${word(why)}`}`;
    }
    case 'own-status':
      return `the XR has no ${quoted(awaited.field)} yet, which the pipeline sets`;
    default:
      return unreachable(awaited);
  }
}

/** Said as long as there is somebody to say it to: once a question has no answer, Crossplane runs no step any more. */
function wayOut(usage: string, {by, person}: ByStillExists): string {
  if (person === undefined) return '';
  const say = `annotate the XR with tether.fn.crossplane.io/gone, naming ${quoted(usage)}`;
  if (person === 'has-to-say')
    return `, as far as can be known: ${kindOf(by.object)} is not served; if it is gone, ${say}`;
  return ` (should the kind ${by.object.kind} be deleted meanwhile: ${say})`;
}

function refusedPairSentence({path, of, by, reason, more = 0}: RefusedPair): string {
  const ends = `of ${named(of)}${by === undefined ? '' : `, by ${named(by)}`}`;
  return `refusing to compose a Usage for input.${path} (${ends})${more === 0 ? '' : `, and ${more} more`}: ${refusedPairCause[reason]}`;
}

const refusedPairCause: {readonly [reason in RefusedPair['reason']]: string} = {
  'of-cluster-by-namespaced': 'no Usage protects a cluster-scoped resource for a namespaced one',
  'legacy-namespaced': 'the Usage of this Crossplane names cluster-scoped resources only',
  unserved:
    'this is Crossplane 1, which has other Usages: say `crossplane` in the input (`usageVersion: v1` in one of function-sequencer, `enableV1Mode` in one of function-deletion-protection)',
  'too-many':
    'the next request would be larger than functions take; all else goes on, and what leaves waits as far as this XR sees both',
  'former-usage': 'one of an XR of this name that is gone is still there, and goes with what it is used by',
};

function end({resourceName, object}: End): string {
  return resourceName === '' ? named(object) : composed(resourceName);
}

function controller({kind, name, uid}: Controller): string {
  return `${word(kind)} ${quoted(name)} (uid ${word(uid)})`;
}

function are(items: readonly unknown[]): string {
  return items.length === 1 ? 'is' : 'are';
}

function names(items: readonly unknown[]): string {
  return items.length === 1 ? 'names' : 'name';
}

function list(items: readonly string[]): string {
  const more = items.length - listedMax;
  if (more > 0) return `${items.slice(0, listedMax).join(', ')} and ${more} more`;
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
