// What is desired of the two objects of an exchange between XRs.

import {externalNameFor, externalNameOf} from '../../external-names/external-names.ts';
import {wantedBody} from '../../facts/applied-empty.ts';
import {guardOf} from '../../facts/apply-guard.ts';
import {holdBody} from '../../facts/hold-body.ts';
import {withMarks} from '../../facts/marks.ts';
import type {Claim} from '../../facts/proof.ts';
import {withOrphanPolicies} from '../../removal/policies.ts';
import type {JsonObject} from '../../words/json.ts';
import type {DesiredView, Ready, ResourceView} from '../../words/snapshot.ts';
import {
  type Body,
  nameAnnotations,
  newBody,
  observing,
  observingOnly,
  readyAs,
  withAnnotations,
  withMetadata,
} from '../handover/bodies.ts';
import {markAnnotation, type Partner, type Stage} from './partner-mark.ts';

export interface Side {
  /** Undefined where nobody desires it, or nobody can say yet what. */
  readonly wanted: DesiredView | undefined;
  /** Where nobody can say yet what is desired: how ready it is. */
  readonly openAs: Ready | undefined;
  readonly name: string;
  readonly partner: Partner;
  readonly claim: Claim;
}

/** The object that is given: as it is desired while it is offered, and told to let its external resource go after that. */
export function givenBody(
  side: Side & {readonly view: ResourceView},
  reason: 'offering' | 'letting-go' | 'taking-back',
  hasMark: boolean,
): Body {
  const {view, wanted, openAs, name, partner, claim} = side;
  if (reason !== 'offering') {
    const released = withAnnotations(
      observingOnly(withOrphanPolicies(holdBody(view, claim.manager), view)),
      nameAnnotations(externalNameOf(view)),
    );
    const guarded = withMetadata(released, 'resourceVersion', guardOf(view));
    const stage = reason === 'taking-back' ? 'taking-back' : 'giving';
    const body = marked(guarded, stage, partner);
    const isDesired = wanted !== undefined || openAs !== undefined;
    const ready = isDesired ? readyOn(stage, readyAs(view)) : readyAs(view);
    return {body: withMarks(body, claim.id, name, 'handing-over'), ready};
  }
  const body = wanted === undefined ? holdBody(view, claim.manager) : namedAsBefore(wanted, view, claim);
  const offered = hasMark ? marked(body, 'giving', partner) : body;
  return {body: withMarks(offered, claim.id, name, 'handing-over'), ready: wanted?.ready ?? openAs ?? readyAs(view)};
}

/** The object that takes: it observes, or is as it is desired, and has the external name that it was made with. */
export function takenBody(
  side: Side & {readonly view: ResourceView | undefined; readonly externalName: string},
  stage: 'observing' | 'left' | 'taken',
): Body {
  const {view, wanted, openAs, name, partner, claim, externalName} = side;
  const onlyObserves = stage !== 'taken';
  const finish = (body: JsonObject) => withMarks(marked(body, stage, partner), claim.id, name, 'handing-over');
  if (wanted === undefined) {
    // It is on its way out, or nobody knows yet whether it may go, or what it is to be.
    const held = view === undefined ? {} : holdBody(view, claim.manager);
    const ready = openAs === undefined ? 'true' : readyOn(stage, openAs);
    return {body: finish(onlyObserves ? observing(held) : held), ready};
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

function marked(body: JsonObject, stage: Stage, partner: Partner): JsonObject {
  return withAnnotations(body, markAnnotation(stage, partner));
}

/** As it is desired, with the external name that this function says for it, if it does. */
function namedAsBefore(wanted: DesiredView, view: ResourceView, claim: Claim): JsonObject {
  const emitted = externalNameFor({
    resourceName: '',
    desired: wanted,
    observed: view,
    rules: undefined,
    lost: undefined,
    manager: claim.manager,
  });
  const body = wantedBody(wanted, view, claim.manager);
  if (emitted === undefined) return body;
  return withAnnotations(body, nameAnnotations(emitted.name));
}
