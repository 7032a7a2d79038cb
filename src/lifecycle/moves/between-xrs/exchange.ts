// One exchange as both of its sides see it: the facts that they decide by, and the parts of their answers that are alike.

import type {Decision, Move} from '../../words/decision.ts';
import type {Counterpart, ExchangeObstacle} from '../../words/obstacles.ts';
import type {DesiredView, Ready, ResourceView} from '../../words/snapshot.ts';
import {unreachable} from '../../words/unreachable.ts';
import type {Mark, Partner, Stage} from '../annotations.ts';
import type {Given, Part} from '../objects.ts';
import type {OtherSide, Rule} from './other-side.ts';

/** The answer for one resource. */
export type Step = Omit<Part, 'name'>;

export interface Exchange extends Given {
  readonly name: string;
  /** This XR's object, which is the old or the new one. */
  readonly view: ResourceView | undefined;
  readonly old: ResourceView | undefined;
  readonly fresh: ResourceView | undefined;
  /** The external name of the new object by the rule, '' for none yet. */
  readonly newName: string;
  /** The difference by which the two objects lead to two external resources. */
  readonly another: ExchangeObstacle | undefined;
  /** The desired resource of an earlier step, if it is of the object's kind. */
  readonly wanted: DesiredView | undefined;
  /** True if an earlier step of function-tether keeps the object. */
  readonly isKept: boolean;
  readonly mark: Mark | undefined;
  readonly partner: Partner;
  /** Of an unresolved template: how ready it is. */
  readonly openAs: Ready | undefined;
  /** The rule about the partner, undefined if there is none. */
  readonly rule: Rule | undefined;
  /** True if a rule gives it to the partner, whichever side it was on. */
  readonly isGiven: boolean;
  readonly other: OtherSide;
}

/** Guards as one ordered list: the first that holds decides. The last holds always. */
export type Gates<Facts, Answer> = readonly (readonly [
  holds: (facts: Facts) => boolean,
  answer: (facts: Facts) => Answer,
])[];

export function firstOf<Facts, Answer>(gates: Gates<Facts, Answer>, facts: Facts): Answer {
  const [, answer] = gates.find(([holds]) => holds(facts)) ?? unreachable(facts as never);
  return answer(facts);
}

export const none = (): Step => ({});
export const leave = (): Step => ({leaves: 'to-other-xr'});

export function moveDecision(exchange: Exchange, reason: Move['reason'], stopped?: ExchangeObstacle): Decision {
  return {kind: 'move', reason, ...counterpartOf(exchange), ...(stopped === undefined ? {} : {stopped})} as Move;
}

export function counterpartOf({partner, rule, other}: Exchange): Counterpart {
  return {xr: partner.xr, isThere: other.xr !== undefined, resource: partner.resource, path: rule?.path};
}

/**
 * How ready an XR is that has an object in that stage. One that only observes what is to be its own makes the XR unready: who
 * goes by Ready would delete the other XR, which has the external resource still.
 */
export function readyOn(stage: Stage | undefined, ready: Ready): Ready {
  return stage === 'observing' || stage === 'taking-back' ? 'false' : ready;
}
