// The one decision for every composed resource, typed by the table of reasons (reasons.ts).
//
// observed = named by the XR's resourceRefs and controlled by no other object; desired = wanted by the earlier steps.

import type {Moving} from './obstacles.ts';
import {type Ends, kinds, type Phase, plain, type Reason, reasons} from './reasons.ts';

type Rows = typeof reasons;
type Plain = keyof typeof plain;
type KindsOf<Row> = Row extends Reason<infer Of, never> ? Of : never;
/** A row that knows nothing of its own takes any facts. */
type FactsOf<Row> = Row extends Reason<infer _, infer Facts> ? ([Facts] extends [never] ? unknown : Facts) : never;
type OfKind<K> = {
  readonly [R in keyof Rows]: K extends KindsOf<Rows[R]>
    ? {readonly kind: K; readonly reason: R} & FactsOf<Rows[R]>
    : never;
}[keyof Rows];

export type Decision =
  | {readonly [K in Plain]: {readonly kind: K}}[Plain]
  | {readonly [K in Exclude<keyof typeof kinds, Plain>]: OfKind<K>}[Exclude<keyof typeof kinds, Plain>];

export type Wait = OfKind<'wait'>;
export type Hold = OfKind<'hold'>;
export type Move = OfKind<'move'>;
export type MoveWithin = Extract<Move, Moving>;

/** Left out, it would be seen no more on a Crossplane that cannot be asked for it, and be applied over in the next reconcile. */
export const heldUntilGone: Decision = {kind: 'hold', reason: 'still-deleting'};

const rows: {readonly [reason: string]: Reason | undefined} = reasons;

function rowOf(decision: Decision): Reason | undefined {
  // As nearly all are.
  return decision.kind === 'keep' ? undefined : rows[reasonOf(decision)];
}

/** The reason of a decision, '' for one that needs none. */
export function reasonOf(decision: Decision): string {
  return (decision as {readonly reason?: string}).reason ?? '';
}

export function phaseOf(decision: Decision): Phase {
  return rowOf(decision)?.phase ?? kinds[decision.kind].phase;
}

/** The event with which it begins. */
export function eventOf(decision: Decision) {
  const event = rowOf(decision)?.event ?? kinds[decision.kind].event;
  return event === 'none' ? undefined : event;
}

/** `isLeaving`: whether a composed resource leaves. */
export function endsOf(decision: Decision, isLeaving: (resourceName: string) => boolean): Ends {
  const {ends} = rowOf(decision) ?? plain[decision.kind as Plain];
  return typeof ends === 'string' ? ends : ends(decision as never, isLeaving);
}

/** The reason of the XR condition, if there were no other decision; undefined if it is as the pipeline wants it. */
export function conditionOf(decision: Decision) {
  const condition = rowOf(decision)?.condition ?? kinds[decision.kind].condition;
  return typeof condition === 'function' ? condition(decision as never) : condition;
}

/** The sentence of one composed resource, with its cause. */
export function decisionSentence(resourceName: string, decision: Decision): string {
  const cause = rowOf(decision)?.cause ?? '';
  const text = typeof cause === 'string' ? cause : cause(decision as never, resourceName, decision.kind);
  return kinds[decision.kind].sentence(resourceName, text);
}
