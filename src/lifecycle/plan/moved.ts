// All moves of one plan, within the XR and to or from another one, as one record: what becomes of each resource name.

import type {InvalidInput} from '../input/input.ts';
import {type Exchanges, exchangesOf} from '../moves/between-xrs/exchanges.ts';
import type {Given, Part} from '../moves/given.ts';
import {type Handovers, handoversOf} from '../moves/handover/handover.ts';
import type {Move} from '../moves/handover/moves.ts';
import type {Body} from '../moves/objects.ts';
import type {Decision} from '../words/decision.ts';

/** By resource name. A move within the XR comes before one between XRs. */
export interface Moved extends Omit<Handovers, 'kind' | 'parts'>, Omit<Exchanges, 'kind' | 'parts'> {
  readonly kind: 'moved';
  readonly decisions: ReadonlyMap<string, Decision>;
  /** The bodies of the decisions that put one. */
  readonly bodies: ReadonlyMap<string, Body>;
  /** Objects that leave now, and by which move. */
  readonly releasing: ReadonlyMap<string, NonNullable<Part['leaves']>>;
  /** Objects that another XR desires, too. */
  readonly contested: ReadonlySet<string>;
}

export function movedOf(moves: readonly Move[], given: Given): Moved | InvalidInput {
  const within = handoversOf(moves, given);
  if (within.kind !== 'handovers') return within;
  const between = exchangesOf(given);
  if (between.kind !== 'exchanges') return between;
  const decisions = new Map<string, Decision>();
  const bodies = new Map<string, Body>();
  const releasing = new Map<string, NonNullable<Part['leaves']>>();
  for (const {name, decision, body, leaves} of [...between.parts, ...within.parts]) {
    if (decision !== undefined) decisions.set(name, decision);
    if (body !== undefined) bodies.set(name, body);
    if (leaves !== undefined) releasing.set(name, leaves);
  }
  const contested = new Set(between.parts.filter(({decision}) => isContested(decision)).map(({name}) => name));
  return {...within, ...between, kind: 'moved', decisions, bodies, releasing, contested};
}

function isContested(decision: Decision | undefined): boolean {
  return decision?.kind === 'move' && decision.stopped?.kind === 'same-object';
}
