// Obstacles to a move to another resource name or kind, or to its next step: a row each, with what it knows and its sentence.
// A sentence has the way out in it, and no value that was observed.

import {composed, kindOf, type NoValue, named, noValue, quoted} from './phrases.ts';
import {isSameKind, type Kind, type ObjectRef} from './references.ts';

/** The object that moves: the XR has, or had, it as `from`. It moves to the resource name `to`, and perhaps to another kind there. */
export interface Moving {
  readonly from: string;
  readonly to: string;
  readonly object: ObjectRef;
  readonly wanted: Kind;
}

interface Unresolved {
  readonly path: string;
  readonly cause: NoValue;
}

const obstacles = {
  'dry-run': () => 'the rule says dryRun: it would be moved now',
  /** Begun under a rule that is gone. */
  'no-rule': (moving) =>
    `the rule that began it is gone; put ${rule(moving)} back, or desire the old kind again to turn back`,
  /** No rule has both the resource name and the kind; or it has ended, and going back is a move of its own. */
  'needs-a-rule': (moving) =>
    `no rule of the input allows both the resource name and the kind, or the move that it came by has ended; add ${rule(moving)}`,
  /** Begun, and what it is to become was dropped. */
  dropped: ({to}) => `${composed(to)} was dropped in the middle of it; desire it again, or the old kind to turn back`,
  /** More than one object is to get the resource name. */
  several: (_, {others}: {readonly others: readonly string[]}) =>
    `${others.map(quoted).join(', ')} would become it, too; give each one a rule of its own`,
  /** Rules let it become this composed resource, too, which is desired and has no object. */
  'two-targets': (_, {other}: {readonly other: string}) =>
    `a rule has it become ${quoted(other)}, too, and one object cannot become both; desire one of the two first, or take one rule away`,
  /** An earlier step of the pipeline is one of function-tether, too, and moves it. */
  'two-steps': () =>
    'an earlier step of function-tether would move it; have one step of function-tether in the pipeline, the last, with all of the input',
  /** The resource name has an object already. `next`: what a rule has that one become, in the same edit. */
  'target-taken': (moving, {next}: {readonly next?: string}) =>
    `${composed(moving.to)} has an object of its own already${next === undefined ? '; desire it under a resource name that has none' : chain(moving, next)}`,
  /** The desired resource has a metadata.name that the object does not have. */
  'named-otherwise': ({object}) =>
    `the desired resource says another metadata.name or namespace than ${named(object)} has, and no object changes its name`,
  unproven: ({object}) => `nothing on ${named(object)} proves that this XR composed it`,
  unresolved: (_, {path, cause}: Unresolved) => noValue(path, cause),
  'no-external-name': ({object}) =>
    `${named(object)} has no annotation crossplane.io/external-name, so nobody knows what it stands for`,
  /** Its provider is in the middle of creating it. */
  'still-creating': ({object}) => `the provider of ${named(object)} is in the middle of creating it`,
  'no-new-name': (_, {path, cause}: Unresolved) => noValue(`${path}.externalName`, cause),
  /** The desired resource, or the new object, has another external name. `whose`: which of them. */
  'other-external-name': ({wanted}, {whose}: {readonly whose: 'desired' | 'observed'}) =>
    whose === 'desired'
      ? 'the desired resource says another external-name than the old one has'
      : `the new ${wanted.kind} has another external-name than the old one`,
  'cannot-let-go': ({object}) =>
    `${named(object)} has no deletionPolicy and no managementPolicies in Crossplane's words, so deleting it deletes what it stands for`,
  /** The old object is protected by these Usages of the pipeline, or by one from outside of the XR if there are none. */
  protected: (moving, {usages}: {readonly usages: readonly string[]}) =>
    usages.length === 0
      ? `${named(moving.object)} carries the label crossplane.io/in-use and no Usage of this XR explains it; replace the Usage that protects it by one of the new ${moving.wanted.kind}, ${confirm(moving)}`
      : `${usages.length === 1 ? 'Usage' : 'Usages'} ${usages.map(quoted).join(', ')} of the pipeline would go on to protect ${named(moving.object)}; name ${kindOf(moving.wanted)} there in the same edit, ${confirm(moving)}`,
  /** The old object has this Usage of `protect`, which selects nothing that the new one is to be. */
  'loses-protection': (moving, {usage}: {readonly usage: string}) =>
    `Usage ${quoted(usage)} protects ${named(moving.object)}, and no rule of protect selects ${composed(moving.to)}; have one select it, ${confirm(moving)}`,
  /** `protect` selects the new object, and its Usage is not there yet. */
  unprotected: ({wanted}) => `the Usage that protects the new ${wanted.kind} is not there yet`,
  /** Crossplane was asked about the new kind, and answers with the next call of the same reconcile. */
  'kind-unanswered': ({wanted}) => `Crossplane has not said yet whether it serves ${kindOf(wanted)}`,
  'not-served': ({wanted}) => `${kindOf(wanted)} is not served; install the provider that has it first`,
  /** The new kind has no managementPolicies. */
  'cannot-observe': ({wanted}) =>
    `${kindOf(wanted)} has no managementPolicies, so no new object of it could only observe`,
  /** The new object is in a namespace, and the XR cannot list it there. */
  'not-listed': ({wanted}) =>
    `an XR of Crossplane v1 cannot list the new ${wanted.kind}, which is in a namespace; upgrade Crossplane first`,
  /** One of the two objects is being deleted. `whose`: which. */
  deleting: ({object, wanted}, {whose}: {readonly whose: 'old' | 'new'}) =>
    whose === 'new'
      ? `the new ${wanted.kind} is being deleted`
      : `${named(object)} is being deleted, which nobody can stop; once it is gone, a rule in the other direction moves the new object back`,
  /** The new object is of another kind than what is desired by now: another move has to end first. */
  'in-another-move': ({to}) => `another move of ${composed(to)} is under way; let that one end first, or turn it back`,
  /** The old object went before the new one was proven to be the same. `isAnother`: it was seen to be another resource. */
  'old-gone': ({wanted}, {isAnother}: {readonly isAnother: boolean}) =>
    isAnother
      ? `the old object is gone, and the new ${wanted.kind} stood for another resource; look at what it stands for, and take the rule away for it to get its policies`
      : `the old object is gone, and the new ${wanted.kind} is not Synced; its conditions say why; take the rule away for it to get its policies`,
  /** The two objects have different values at this field, which names the external resource. */
  'another-resource': (_, {field}: {readonly field: string}) =>
    `the two objects say different values at ${field}, so they stand for different resources`,
  /** Its provider does not report that the new object is in order. */
  'not-synced': ({wanted}) => `the new ${wanted.kind} is not Synced; its conditions say why`,
} satisfies {readonly [kind: string]: (moving: Moving, facts: never) => string};

type Rows = typeof obstacles;
type FactsOf<Row> = Row extends (moving: Moving, facts: infer Facts) => string ? Facts : never;

/** Speaks against a move, or against its next step. */
export type Obstacle = {readonly [K in keyof Rows]: {readonly kind: K} & FactsOf<Rows[K]>}[keyof Rows];

/** The reason that stops the move, and the way out of it. */
export function obstacleSentence(obstacle: Obstacle, moving: Moving): string {
  const sentence: (moving: Moving, facts: never) => string = obstacles[obstacle.kind];
  return sentence(moving, obstacle as never);
}

/** From where to where, as one phrase. */
export function moveText({from, to, object, wanted}: Moving): string {
  const name = from === to ? '' : ` to ${quoted(to)}`;
  const kind = isSameKind(object, wanted) ? '' : `, a ${kindOf(object)}, to a ${kindOf(wanted)}`;
  return `${composed(from)}${name}${kind}`;
}

/** The rule that would allow what is refused, as a Composition has it. */
export function ruleThatAllows(from: string, to: {readonly [field: string]: string}): string {
  const target = Object.entries(to).map(([key, value]) => `${key}: ${quoted(value)}`);
  return `handover: [{from: {resources: [${quoted(from)}]}, to: {${target.join(', ')}}}]`;
}

function rule({from, to, object, wanted}: Moving): string {
  return ruleThatAllows(from, {
    ...(from === to ? {} : {resource: to}),
    ...(isSameKind(object, wanted) ? {} : {apiVersion: wanted.apiVersion, kind: wanted.kind}),
  });
}

function chain({from, to}: Moving, next: string): string {
  return `, which is to become ${quoted(next)}; let that one move first, and desire ${quoted(from)} instead of ${quoted(to)} until it has`;
}

function confirm({from}: Moving): string {
  return `or name ${quoted(from)} in the annotation tether.fn.crossplane.io/confirm-removal of the XR`;
}
