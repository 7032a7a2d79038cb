// Obstacles to a move, or to its next step, within one XR and between two: a row each, with what it knows and its sentence. A
// sentence has the way out in it, and no value that was observed. Rows that take no Moving are of both moves.

import {composed, kindOf, named, noValue, quoted, type Unresolved, word} from './phrases.ts';
import {isSameKind, type Kind, type ObjectRef} from './references.ts';

/** The object that moves within an XR: from one resource name to another, and perhaps to another kind there. */
export interface Moving {
  readonly from: string;
  readonly to: string;
  readonly object: ObjectRef;
  readonly wanted: Kind;
}

/** The XR on the other side of a move between XRs. Until it is known to exist, only its kind is printed: the input makes its name. */
export interface Counterpart {
  readonly xr: ObjectRef;
  /** True if the other XR is known to exist. */
  readonly isThere: boolean;
  /** The resource name over there. */
  readonly resource: string;
  /** The place of the rule in the input; undefined if no rule is left. */
  readonly path: string | undefined;
}

type AnyMove = Moving | Counterpart;

interface Taken {
  readonly next?: string;
  readonly isMoving?: boolean;
  readonly aside?: string;
}

export const obstacles = {
  'dry-run': () => 'the rule has dryRun: true; take that out for the object to move',
  /** The rule under which it began was removed. `isNew`: it never had one, or that has ended, and going back is a move of its own. */
  'no-rule': (move: AnyMove, {isNew = false}: {readonly isNew?: boolean}) => {
    if (isBetweenXRs(move)) {
      return 'the rule that began it is gone; put it back, or take the rule of the other XR away to turn back';
    }
    return isNew
      ? `no rule of the input allows both the resource name and the kind, or the move that it came by has ended; add ${rule(move)}`
      : `the rule that began it is gone; put ${rule(move)} back, or desire the old kind again to turn back`;
  },
  /** It has begun, and the pipeline dropped the new resource, or what it gave to another XR. */
  dropped: (move: AnyMove) =>
    isBetweenXRs(move)
      ? `no rule gives it there any more, and no step desires it; put that rule back, or desire it again, ${confirm('it')} to delete it with its external resource`
      : `${composed(move.to)} was dropped in the middle of it; desire it again, or the old kind to turn back`,
  /** Rules contradict each other. `others`: they give the resource name to these, too. `other`: the name that a second one gives the object. */
  rivals: (_: AnyMove, {others, other}: {readonly others?: readonly string[]; readonly other?: string | undefined}) => {
    if (others !== undefined) {
      return `${others.map(quoted).join(', ')} would become it, too; give each one a rule of its own`;
    }
    return other === undefined
      ? 'another rule is about it, too, and one object cannot go to two XRs; take one of the rules away'
      : `a rule has it become ${quoted(other)}, too, and one object cannot become both; desire one of the two first, or take one rule away`;
  },
  /** An earlier step of the pipeline is one of function-tether, too, and moves it. */
  'two-steps': () =>
    'an earlier step of function-tether would move it; have one step of function-tether in the pipeline, the last, with all of the input',
  /**
   * The resource name has an object already. `next`: what a rule has that one become, in the same edit. `isMoving`: it is the new object
   * of another move, of another kind than is desired by now. `aside`: the pipeline has a resource of the name that the old object needs.
   */
  'target-taken': (move: Moving, {next, isMoving = false, aside}: Taken) => {
    if (aside !== undefined)
      return `the old object needs the resource name ${quoted(aside)}; name that resource otherwise`;
    if (isMoving) return `another move of ${composed(move.to)} is under way; let that one end first, or turn it back`;
    const wayOut = next === undefined ? '; desire it under a resource name that has none' : chain(move, next);
    return `${composed(move.to)} has an object of its own already${wayOut}`;
  },
  /** The desired resource has a metadata.name that the object does not have. */
  'named-otherwise': ({object}: Moving) =>
    `the desired resource has another metadata.name or namespace than ${named(object)}, and no object changes its name; desire it with that name`,
  unproven: (move: AnyMove) =>
    isBetweenXRs(move)
      ? `the other XR does not control the object with the labels of ${quoted(move.resource)}; its controller reference and field manager have to be that XR's`
      : `nothing on ${named(move.object)} proves that this XR composed it`,
  unresolved: (_: AnyMove, value: Unresolved) => noValue(value),
  'no-external-name': (move: AnyMove) =>
    `${oldOf(move)} has no annotation crossplane.io/external-name${isBetweenXRs(move) ? ', or the rule makes no name of it' : ''}`,
  'still-creating': (move: AnyMove) => `the provider of ${oldOf(move)} is in the middle of creating it`,
  /** The old object could not let go, or the new one not only observe. */
  'no-policies': (move: AnyMove, {whose}: {readonly whose: 'old' | 'new'}) =>
    whose === 'old' || isBetweenXRs(move)
      ? `${oldOf(move)} has no deletionPolicy and no managementPolicies in Crossplane's words, so deleting it deletes its external resource`
      : `${kindOf(move.wanted)} has no managementPolicies, so no new object of it could only observe`,
  /** The old object is protected by these Usages of the pipeline, or by one from outside of the XR if there are none. */
  protected: (move: Moving, {usages}: {readonly usages: readonly string[]}) =>
    usages.length === 0
      ? `${named(move.object)} carries the label crossplane.io/in-use and no Usage of this XR explains it; replace the Usage that protects it by one of the new ${move.wanted.kind}, ${confirm(quoted(move.from))}`
      : `${usages.length === 1 ? 'Usage' : 'Usages'} ${usages.map(quoted).join(', ')} of the pipeline would go on to protect ${named(move.object)}; name ${kindOf(move.wanted)} there in the same edit, ${confirm(quoted(move.from))}`,
  /** The Usage of the new object is not there yet. `usage`: that of the old one, if `protect` does not select the new one. */
  unprotected: (move: AnyMove, {usage}: {readonly usage?: string}) => {
    if (usage === undefined) return `the Usage that protects ${newOf(move)} is not there yet`;
    return isBetweenXRs(move)
      ? `Usage ${quoted(usage)} protects it here, and none protects the new object; have protect of the other Composition select it, ${confirm('it')}`
      : `Usage ${quoted(usage)} protects ${named(move.object)}, and no rule of protect selects ${composed(move.to)}; have one select it, ${confirm(quoted(move.from))}`;
  },
  /** Crossplane answers with the next call of the same reconcile. `lacksRoom`: none for the object or its schema. */
  unanswered: (move: AnyMove, {lacksRoom = false}: {readonly lacksRoom?: boolean}) => {
    if (lacksRoom)
      return `requests of the XR have no room for ${newOf(move)} yet; it begins once others have moved, or the XR composes less`;
    return `Crossplane has not answered yet ${isBetweenXRs(move) ? `who the other XR is; if it never does, no ${kindOf(move.xr)} is served, so mend the rule` : `whether it serves ${kindOf(move.wanted)}`}`;
  },
  'not-served': ({wanted}: Moving) => `${kindOf(wanted)} is not served; install the provider that has it first`,
  /** The new object is in a namespace, and the XR cannot list it there. */
  'not-listed': (move: AnyMove) =>
    `an XR of Crossplane v1 cannot list ${newOf(move)}, which is in a namespace; upgrade Crossplane first`,
  /** One of the two objects, or the other XR, is being deleted. `isKept`: by a finalizer of another than its provider. */
  deleting: (
    move: AnyMove,
    {whose, isKept = false}: {readonly whose: 'old' | 'new' | 'xr'; readonly isKept?: boolean},
  ) =>
    isKept
      ? `a finalizer that is not its provider's keeps ${oldOf(move)}, which is being deleted; remove it`
      : `${isBetweenXRs(move) && whose === 'xr' ? `the ${word(move.xr.kind)}` : whose === 'old' ? oldOf(move) : newOf(move)} is being deleted${isBetweenXRs(move) || whose === 'new' ? '' : ', which cannot be stopped; once it is gone, a rule in the other direction moves the new object back'}`,
  /** The old object went before the new one was proven to be the same, or before it let go to another XR. `isAnother`: proven to be another. */
  'old-gone': (move: AnyMove, {isAnother = false}: {readonly isAnother?: boolean}) =>
    isBetweenXRs(move)
      ? 'the old object went without letting go to this one; make sure that nothing else has its external resource, and take the rule away'
      : isAnother
        ? `the old object is gone, and ${newOf(move)} stood for another resource; look at what it stands for, and take the rule away for it to get its policies`
        : `the old object is gone, and ${newOf(move)} is not Synced; its conditions say why; take the rule away for it to get its policies`,
  /** This field, which names the external resource, has another value in the new object, or in the desired one. */
  'another-resource': (
    move: AnyMove,
    {field, isDesired, isNamesake}: {readonly field: string; readonly isDesired?: true; readonly isNamesake?: true},
  ) => {
    if (isNamesake && !isBetweenXRs(move))
      return `the desired resource has its external name, but another ${field}; change that in another edit, ${confirm(quoted(move.from))} to delete its external resource`;
    return isDesired
      ? `the desired resource has another ${field} than the old one`
      : `the two objects have different values at ${field}, so they stand for different resources`;
  },
  /** Its provider does not report that the new object is in order. */
  'not-synced': (move: AnyMove) => `${newOf(move)} is not Synced; its conditions say why`,
  /**
   * `shared`: both objects would publish their connection details to one Secret, and the new one would never be Synced. Else a value in
   * a Secret goes with the old object: the new one names no Secret (`none`), its Secret does not have the value (`lacking`), or the
   * provider generated the Secret (`generated`). `there`: for one of the last two, the other XR does not let go.
   */
  secret: (move: AnyMove, {why}: {readonly why: 'shared' | 'none' | 'lacking' | 'generated' | 'there'}) => {
    const name = isBetweenXRs(move) ? 'it' : quoted(move.from);
    switch (why) {
      case 'shared':
        return 'the old and the new object name one Secret in spec.writeConnectionSecretToRef, and a Secret has one owner; name another one for the new object';
      case 'none':
        return `${oldOf(move)} names a Secret in spec.writeConnectionSecretToRef, and ${newOf(move)} none; name one for the new object, or take it out of the old one`;
      case 'lacking':
        return `the connection Secret of ${newOf(move)} lacks a value that the Secret of ${oldOf(move)} has; copy it, ${confirm(name)} to lose it`;
      case 'there':
        return 'a value in a Secret would go with the old object; the condition of the other XR has the way out';
      case 'generated':
        return `a Secret that the provider of ${oldOf(move)} generated goes with that object; take the owner reference off the Secret, and ${confirmed(name)}`;
    }
  },
  /** On the other side: the XR, its object, or that one in its list. Then no reconcile there deletes it. */
  'not-there': ({xr, path, resource}: Counterpart, {what}: {readonly what: 'xr' | 'object' | 'listed'}) => {
    switch (what) {
      case 'xr':
        return `the ${word(xr.kind)} that input.${path} names is not there; if it never will be, take the rule away`;
      case 'object':
        return `the other XR has no object as ${quoted(resource)}, of the kind that the rule names`;
      case 'listed':
        return 'the old object has let go, and the other XR does not list it any more; delete it by hand';
    }
  },
  'other-rule': (_: Counterpart, {does}: {readonly does: 'gives' | 'takes'}) =>
    `the other Composition has no rule that ${does} it ${does === 'gives' ? 'to' : 'from'} this XR`,
  /** Both Compositions desire one object. It has one controller, and no object changes its XR. */
  'same-object': (_: Counterpart) =>
    'the two Compositions have one metadata.name for it, so both XRs desire the same object; give it another name there, or the XR that has it takes it along when it is deleted',
} satisfies {readonly [kind: string]: (move: never, facts: never) => string};

type Rows = typeof obstacles;
type FactsOf<Row> = Row extends (move: never, facts: infer Facts) => string
  ? unknown extends Facts
    ? unknown
    : Facts
  : never;
type ObstacleTo<Move> = {
  readonly [K in keyof Rows]: Rows[K] extends (move: Move, facts: never) => string
    ? {readonly kind: K} & FactsOf<Rows[K]>
    : never;
}[keyof Rows];

/** Speaks against a move within an XR, or against its next step. */
export type Obstacle = ObstacleTo<Moving>;
/** Speaks against a move between XRs, or against its next step. */
export type ExchangeObstacle = ObstacleTo<Counterpart>;

/** Obstacles between XRs that a person removes. */
const forPerson: ReadonlySet<ExchangeObstacle['kind']> = new Set([
  'another-resource',
  'dropped',
  'dry-run',
  'no-policies',
  'no-rule',
  'old-gone',
  'other-rule',
  'rivals',
  'same-object',
  'two-steps',
  'secret',
]);

/** True if a person removes what stops the step, by a change that is seen when the XR is polled. */
export function needsPerson(step: AnyMove & {readonly stopped?: Obstacle | ExchangeObstacle | undefined}): boolean {
  const {stopped} = step;
  if (stopped === undefined || !isBetweenXRs(step)) return stopped?.kind === 'secret';
  if (stopped.kind === 'deleting') return stopped.isKept === true;
  if (stopped.kind === 'not-there') return stopped.what !== 'object';
  if (stopped.kind === 'unprotected') return stopped.usage !== undefined;
  return forPerson.has(stopped.kind as ExchangeObstacle['kind']);
}

/** The reason that stops the move, and the way out of it. */
export function obstacleSentence(obstacle: Obstacle, moving: Moving): string;
export function obstacleSentence(obstacle: ExchangeObstacle, other: Counterpart): string;
export function obstacleSentence(obstacle: Obstacle | ExchangeObstacle, move: AnyMove): string {
  const sentence: (move: never, facts: never) => string = obstacles[obstacle.kind];
  return sentence(move as never, obstacle as never);
}

/** From where to where, as one phrase. */
export function moveText({from, to, object, wanted}: Moving): string {
  const name = from === to ? '' : ` to ${quoted(to)}`;
  const kind = isSameKind(object, wanted) ? '' : `, a ${kindOf(object)}, to a ${kindOf(wanted)}`;
  return `${composed(from)}${name}${kind}`;
}

export function counterpartText(other: Counterpart): string {
  return `${quoted(other.resource)} of ${otherXrText(other)}`;
}

export function otherXrText({xr, isThere}: Counterpart): string {
  return isThere ? named(xr) : `a ${word(xr.kind)}`;
}

/** The rule that would allow what is refused, as a Composition has it. */
export function ruleThatAllows(from: string, to: {readonly [field: string]: string}): string {
  const target = Object.entries(to).map(([key, value]) => `${key}: ${quoted(value)}`);
  return `handover: [{from: {resources: [${quoted(from)}]}, to: {${target.join(', ')}}}]`;
}

export function isBetweenXRs<Move extends object>(move: Move): move is Extract<Move, Counterpart> {
  return (move as Partial<Counterpart>).xr !== undefined;
}

function oldOf(move: AnyMove): string {
  return isBetweenXRs(move) ? 'the old object' : named(move.object);
}

function newOf(move: AnyMove): string {
  return isBetweenXRs(move) ? 'the new object' : `the new ${move.wanted.kind}`;
}

function rule({from, to, object, wanted}: Moving): string {
  return ruleThatAllows(from, {
    ...(from === to ? {} : {resource: to}),
    ...(isSameKind(object, wanted) ? {} : wanted),
  });
}

function chain({from, to}: Moving, next: string): string {
  return `, which is to become ${quoted(next)}; let that one move first, and desire ${quoted(from)} instead of ${quoted(to)} until it has`;
}

function confirm(name: string): string {
  return `or ${confirmed(name)}`;
}

function confirmed(name: string): string {
  return `name ${name} in the annotation tether.fn.crossplane.io/confirm-removal of the XR`;
}
