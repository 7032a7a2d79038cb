// The one decision for every composed resource, typed by the table of reasons (reasons.ts).
//
// observed = named by the XR's resourceRefs and controlled by no other object; desired = wanted by the earlier steps.

import type {ConditionReason} from './conditions.ts';
import type {Moving} from './obstacles.ts';
import {type Beginning, type Ends, kinds, type Phase, plain, type Reason, reasons} from './reasons.ts';

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

/** The consequences of a decision: the row of its reason over that of its kind. */
interface Row {
  readonly phase: Phase;
  readonly event: Beginning | undefined;
  /** The reason of the XR condition, if there were no other decision; undefined if it is as the pipeline wants it. */
  readonly condition: (decision: Decision) => ConditionReason | undefined;
  /** `isLeaving`: whether a composed resource leaves. */
  readonly ends: (decision: Decision, isLeaving: (resourceName: string) => boolean) => Ends;
  /** Of one composed resource, with its cause. */
  readonly sentence: (resourceName: string, decision: Decision) => string;
}

type Kind = keyof typeof kinds;

function rowFor(kind: Kind, reason?: Reason): Row {
  const {phase, event = kinds[kind].event, condition, cause = ''} = {...kinds[kind], ...reason};
  const {ends} = reason ?? plain[kind as Plain];
  return {
    phase,
    event: event === 'none' ? undefined : event,
    condition: (decision) => (typeof condition === 'function' ? condition(decision as never) : condition),
    ends: (decision, isLeaving) => (typeof ends === 'function' ? ends(decision as never, isLeaving) : ends),
    sentence: (resourceName, decision) => {
      const text = typeof cause === 'string' ? cause : cause(decision as never, resourceName, kind);
      return kinds[kind].sentence(resourceName, text);
    },
  };
}

/** By kind and reason, '' for none. */
const rows = new Map(
  (Object.keys(kinds) as Kind[]).map((kind) => {
    const all: readonly (readonly [string, Reason])[] = Object.entries(reasons);
    const own = all.filter(([, {of}]) => of.some((one) => one === kind));
    const reasoned = own.map(([name, reason]): [string, Row] => [name, rowFor(kind, reason)]);
    return [kind, new Map(kind in plain ? [['', rowFor(kind)]] : reasoned)] as const;
  }),
);

export function rowOf(decision: Decision): Row {
  return rows.get(decision.kind)?.get(reasonOf(decision)) as Row;
}

/** The reason of a decision, '' for one that needs none. */
export function reasonOf(decision: Decision): string {
  return (decision as {readonly reason?: string}).reason ?? '';
}
