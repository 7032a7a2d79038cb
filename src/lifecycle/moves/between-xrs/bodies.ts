// The bodies of the two objects of an exchange between XRs, and how ready each XR is with them.

import {holdBody} from '../../facts/hold-body.ts';
import {withMarks} from '../../facts/marks.ts';
import type {Claim} from '../../facts/proof.ts';
import type {JsonObject} from '../../words/json.ts';
import type {DesiredView, Ready, ResourceView} from '../../words/snapshot.ts';
import {
  type Body,
  guarded,
  letGoBody,
  namedBody,
  newBody,
  observeOnlyBody,
  readyAs,
  withAnnotations,
} from '../bodies.ts';
import {markAnnotation, type Partner, type Stage} from './partner-mark.ts';

export interface Side {
  /** Undefined if no step desires it, or its template is unresolved. */
  readonly wanted: DesiredView | undefined;
  /** Of an unresolved template: how ready it is. */
  readonly openAs: Ready | undefined;
  readonly name: string;
  readonly partner: Partner;
  readonly claim: Claim;
}

/** The object that is given. While it is offered it is as desired; after that it lets its external resource go. */
export function givenBody(
  side: Side & {readonly view: ResourceView},
  reason: 'offering' | 'letting-go' | 'taking-back',
  hasMark: boolean,
): Body {
  const {view, wanted, openAs, name, partner, claim} = side;
  if (reason !== 'offering') {
    const stage = reason === 'taking-back' ? 'taking-back' : 'giving';
    const {body, ready} = letGoBody(name, view, markAnnotation(stage, partner), claim);
    const isDesired = wanted !== undefined || openAs !== undefined;
    return {body, ready: isDesired ? readyOn(stage, ready) : ready};
  }
  // Dropped here, so what another writer sets meanwhile is not desired back.
  const body = wanted === undefined ? guarded(holdBody(view, claim.manager), view) : namedBody('', wanted, view, claim);
  const offered = hasMark ? markedBody(body, 'giving', partner) : body;
  return {body: withMarks(offered, claim.id, name, 'handing-over'), ready: wanted?.ready ?? openAs ?? readyAs(view)};
}

/** The object that takes. It only observes, or is as desired, and keeps the external name that it was created with. */
export function takenBody(
  side: Side & {readonly view: ResourceView | undefined; readonly externalName: string},
  stage: 'observing' | 'left' | 'taken',
): Body {
  const {view, wanted, openAs, name, partner, claim, externalName} = side;
  const onlyObserves = stage !== 'taken';
  const finish = (body: JsonObject) => withMarks(markedBody(body, stage, partner), claim.id, name, 'handing-over');
  if (wanted === undefined) {
    // It leaves, or it is still open whether it may go or how it is desired.
    const held = view === undefined ? {} : holdBody(view, claim.manager);
    const ready = openAs === undefined ? 'true' : readyOn(stage, openAs);
    return {body: finish(onlyObserves ? observeOnlyBody(held) : held), ready};
  }
  const body = finish(newBody(wanted, view, externalName, claim, onlyObserves));
  return {body, ready: readyOn(stage, wanted.ready)};
}

/**
 * How ready an XR is that has an object in that stage. One that only observes what is to be its own makes the XR unready: who
 * goes by Ready would delete the other XR, which has the external resource still.
 */
export function readyOn(stage: Stage | undefined, ready: Ready): Ready {
  return stage === 'observing' || stage === 'taking-back' ? 'false' : ready;
}

function markedBody(body: JsonObject, stage: Stage, partner: Partner): JsonObject {
  return withAnnotations(body, markAnnotation(stage, partner));
}
