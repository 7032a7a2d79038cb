// The sentences about hand-overs: where a move stands, what proves the next step, what stops it. One sentence a move,
// whichever of its resource names it is asked for.

import {isSameKind} from '../lifecycle/facts/naming.ts';
import type {HandOver, Moving} from '../lifecycle/words/decision.ts';
import type {Obstacle} from '../lifecycle/words/obstacle.ts';
import {unreachable} from '../lifecycle/words/unreachable.ts';
import {noValue} from './input-words.ts';
import {composed, kindOf, named, quoted} from './object-words.ts';

export function handOverSentence(decision: HandOver): string {
  const stopped = decision.stopped === undefined ? '' : `; stopped: ${obstacleSentence(decision.stopped, decision)}`;
  return `moving ${moveOf(decision)}: ${progress(decision)}${stopped}`;
}

export function cannotHandOver(moving: Moving, obstacle: Obstacle): string {
  return `move ${moveOf(moving)}: ${obstacleSentence(obstacle, moving)}`;
}

/** The rule that would allow what is refused, as a Composition says it. */
export function ruleThatAllows(from: string, to: {readonly [field: string]: string}): string {
  const target = Object.entries(to).map(([key, value]) => `${key}: ${quoted(value)}`);
  return `handover: [{from: {resources: [${quoted(from)}]}, to: {${target.join(', ')}}}]`;
}

function progress({reason, from, to, object, wanted}: HandOver): string {
  const sentences: {readonly [reason in HandOver['reason']]: string} = {
    renaming: `${named(object)} has both resource names until it is observed as ${quoted(to)}`,
    'setting-aside': `the old ${named(object)} is told to let its external resource go; next, once it is observed so and set aside, the new one observes it`,
    observing: `the new ${wanted.kind} only observes the external resource; next, once it is Synced and the same, it gets its policies`,
    'taking-over': `the new ${wanted.kind} has its policies; next, once it is Synced with them, the old ${named(object)} is released`,
    'giving-back': `turned back; next, once the new ${wanted.kind} is observed to only observe, it is released`,
    'putting-back': `turned back; ${named(object)} is desired as ${quoted(from)} again until it is observed so`,
  };
  return sentences[reason];
}

/** What stops a move, and the way out of it. No value that was observed is told. */
function obstacleSentence(obstacle: Obstacle, moving: Moving): string {
  const {to, object, wanted} = moving;
  switch (obstacle.kind) {
    case 'dry-run':
      return 'the rule says dryRun: it would be moved now';
    case 'no-rule':
      return `the rule that began it is gone; put ${rule(moving)} back, or desire the old kind again to turn back`;
    case 'needs-a-rule':
      return `no rule of the input allows both the resource name and the kind, or the move that it came by has ended; add ${rule(moving)}`;
    case 'dropped':
      return `${composed(to)} was dropped in the middle of it; desire it again, or the old kind to turn back`;
    case 'several':
      return `${obstacle.others.map(quoted).join(', ')} would become it, too; give each one a rule of its own`;
    case 'two-targets':
      return `a rule has it become ${quoted(obstacle.other)}, too, and one object cannot become both; desire one of the two first, or take one rule away`;
    case 'two-steps':
      return 'an earlier step of function-tether would move it; have one step of function-tether in the pipeline, the last, with all of the input';
    case 'target-taken':
      return `${composed(to)} has an object of its own already${chainSentence(obstacle.next, moving)}`;
    case 'named-otherwise':
      return `the desired resource says another metadata.name or namespace than ${named(object)} has, and no object changes its name`;
    case 'unproven':
      return `nothing on ${named(object)} proves that this XR composed it`;
    case 'unresolved':
      return noValue(obstacle.path, obstacle.cause);
    case 'no-external-name':
      return `${named(object)} has no annotation crossplane.io/external-name, so nobody knows what it stands for`;
    case 'still-creating':
      return `the provider of ${named(object)} is in the middle of creating it`;
    case 'no-new-name':
      return noValue(`${obstacle.path}.externalName`, obstacle.cause);
    case 'other-external-name':
      return otherNameSentence(obstacle.whose, wanted.kind);
    case 'cannot-let-go':
      return `${named(object)} has no deletionPolicy and no managementPolicies in Crossplane's words, so deleting it deletes what it stands for`;
    case 'protected':
      return protectedSentence(obstacle.usages, moving);
    case 'loses-protection':
      return `Usage ${quoted(obstacle.usage)} protects ${named(object)}, and no rule of protect selects ${composed(to)}; have one select it, ${confirmOf(moving)}`;
    case 'unprotected':
      return `the Usage that protects the new ${wanted.kind} is not there yet`;
    case 'kind-unanswered':
    case 'not-served':
    case 'cannot-observe':
    case 'not-listed':
      return kindSentence(obstacle.kind, wanted);
    case 'deleting':
      return deletingSentence(obstacle.whose, moving);
    case 'in-another-move':
      return `another move of ${composed(to)} is under way; let that one end first, or turn it back`;
    case 'old-gone':
      return oldGoneSentence(obstacle.isAnother, wanted.kind);
    case 'another-resource':
      return `the two objects say different values at ${obstacle.field}, so they stand for different resources`;
    case 'not-synced':
      return `the new ${wanted.kind} is not Synced; its conditions say why`;
    default:
      return unreachable(obstacle);
  }
}

/** The new kind cannot be composed, or its objects cannot only observe. */
function kindSentence(
  kind: 'kind-unanswered' | 'not-served' | 'cannot-observe' | 'not-listed',
  wanted: Moving['wanted'],
): string {
  switch (kind) {
    case 'kind-unanswered':
      return `Crossplane has not said yet whether it serves ${kindOf(wanted)}`;
    case 'not-served':
      return `${kindOf(wanted)} is not served; install the provider that has it first`;
    case 'cannot-observe':
      return `${kindOf(wanted)} has no managementPolicies, so no new object of it could only observe`;
    case 'not-listed':
      return `an XR of Crossplane v1 cannot list the new ${wanted.kind}, which is in a namespace; upgrade Crossplane first`;
    default:
      return unreachable(kind);
  }
}

function chainSentence(next: string | undefined, {from, to}: Moving): string {
  if (next === undefined) return '';
  const [here, there, last] = [from, to, next].map(quoted);
  return `, which is to become ${last}; let that one move first, and desire ${here} instead of ${there} until it has`;
}

function otherNameSentence(whose: 'desired' | 'observed', kind: string): string {
  return whose === 'desired'
    ? 'the desired resource says another external-name than the old one has'
    : `the new ${kind} has another external-name than the old one`;
}

function deletingSentence(whose: 'old' | 'new', {object, wanted}: Moving): string {
  return whose === 'new'
    ? `the new ${wanted.kind} is being deleted`
    : `${named(object)} is being deleted, which nobody can stop; once it is gone, a rule in the other direction moves the new object back`;
}

function oldGoneSentence(isAnother: boolean, kind: string): string {
  return isAnother
    ? `the old object is gone, and the new ${kind} stood for another resource; look at what it stands for, and take the rule away for it to get its policies`
    : `the old object is gone, and the new ${kind} is not Synced; its conditions say why; take the rule away for it to get its policies`;
}

function confirmOf({from}: Moving): string {
  return `or name ${quoted(from)} in the annotation tether.fn.crossplane.io/confirm-removal of the XR`;
}

function protectedSentence(usages: readonly string[], moving: Moving): string {
  const {object, wanted} = moving;
  const confirm = confirmOf(moving);
  if (usages.length === 0) {
    return `${named(object)} carries the label crossplane.io/in-use and no Usage of this XR explains it; replace the Usage that protects it by one of the new ${wanted.kind}, ${confirm}`;
  }
  const names = usages.map(quoted).join(', ');
  return `${usages.length === 1 ? 'Usage' : 'Usages'} ${names} of the pipeline would go on to protect ${named(object)}; name ${kindOf(wanted)} there in the same edit, ${confirm}`;
}

function moveOf({from, to, object, wanted}: Moving): string {
  const name = from === to ? '' : ` to ${quoted(to)}`;
  const kind = isSameKind(object, wanted) ? '' : `, a ${kindOf(object)}, to a ${kindOf(wanted)}`;
  return `${composed(from)}${name}${kind}`;
}

function rule({from, to, object, wanted}: Moving): string {
  return ruleThatAllows(from, {
    ...(from === to ? {} : {resource: to}),
    ...(isSameKind(object, wanted) ? {} : {apiVersion: wanted.apiVersion, kind: wanted.kind}),
  });
}
