// The one decision for every composed resource, typed by the table of reasons (reasons.ts).
//
// observed = named by the XR's resourceRefs and controlled by no other object; desired = wanted by the earlier steps.

import type {Moving} from './obstacles.ts';
import {type Ends, type Phase, type Reason, reasons} from './reasons.ts';

type Rows = typeof reasons;
type Kinds = keyof Rows;
/** A row that knows nothing of its own takes any facts. */
type FactsOf<Row> = Row extends Reason<infer Facts> ? ([Facts] extends [never] ? unknown : Facts) : never;
type OfKind<K extends Kinds> = {
  readonly [R in keyof Rows[K]]: {readonly kind: K} & (R extends '' ? unknown : {readonly reason: R}) &
    FactsOf<Rows[K][R]>;
}[keyof Rows[K]];

export type Decision = {readonly [K in Kinds]: OfKind<K>}[Kinds];

export type Wait = OfKind<'wait'>;
export type Hold = OfKind<'hold'>;
export type Release = OfKind<'release'>;
export type Move = OfKind<'move'>;
export type MoveWithin = Extract<Move, Moving>;

type Row = Reason<never>;
const rows: {readonly [kind: string]: {readonly [reason: string]: Row}} = reasons;

function rowOf(decision: Decision): Row {
  // As nearly all are.
  if (decision.kind === 'keep') return reasons.keep[''];
  return rows[decision.kind]?.[reasonOf(decision)] as Row;
}

/** The reason of a decision, '' for one that needs none. */
export function reasonOf(decision: Decision): string {
  return (decision as {readonly reason?: string}).reason ?? '';
}

export function phaseOf(decision: Decision): Phase {
  return rowOf(decision).phase;
}

/** The event with which it begins. */
export function eventOf(decision: Decision): Row['event'] {
  return rowOf(decision).event;
}

/** `isLeaving`: whether a composed resource leaves. */
export function endsOf(decision: Decision, isLeaving: (resourceName: string) => boolean): Ends {
  const {ends} = rowOf(decision);
  return typeof ends === 'string' ? ends : ends(decision as never, isLeaving);
}

/** The reason of the XR condition, if there were no other decision; undefined if it is as the pipeline wants it. */
export function conditionOf(decision: Decision) {
  const {condition} = rowOf(decision);
  return typeof condition === 'function' ? condition(decision as never) : condition;
}

/** The sentence of one composed resource, with its cause. */
export function decisionSentence(resourceName: string, decision: Decision): string {
  return rowOf(decision).sentence(resourceName, decision as never);
}
