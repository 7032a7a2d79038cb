// One object under two resource names.
//
// Two resource names that desire one object have the same body. Crossplane applies both with one field manager, in the order of a Go
// map, and each apply removes the fields that only the other one sets (crossplane/crossplane 2d040d2da
// composite/composition_functions.go:689). The last apply would decide the object's resource name.
//
// So the apply of the present name is guarded (facts/apply-guard.ts). It comes first and changes nothing, or second and fails. Either
// way the object has its new resource name after one try.

import {guarded} from '../../facts/apply-guard.ts';
import {holdBody} from '../../facts/hold-body.ts';
import {withMarks} from '../../facts/marks.ts';
import {withAnnotations, withoutAnnotations} from '../../facts/metadata.ts';
import type {Claim} from '../../facts/proof.ts';
import {annotationFrom, annotationTo} from '../annotations.ts';
import {type Body, readyAs} from '../bodies.ts';
import type {Move} from './moves.ts';

/**
 * The one object under its old and its new resource name, or back under its old one, as it is: a function that generates a value keeps
 * one that it observes, and generates another while it observes nothing under the name.
 */
export function sharedBody({old, at, kind}: Move, to: string, claim: Claim): Body {
  // Only the apply under the present name is guarded.
  const held = guarded(holdBody(old, claim.manager), undefined);
  const body = kind === 'rename' ? withAnnotations(held, {[annotationFrom]: at, [annotationTo]: to}) : held;
  return {body: withMarks(body, claim.id, to, 'handing-over'), ready: readyAs(old)};
}

/**
 * The body of one object under the resource name that it is to have. It is the body that it keeps there, so that no second write is
 * needed: each write makes Crossplane reconcile the XR, and many at once open its circuit breaker.
 */
export function arrivedBody({body, ready}: Body, {to, allowed}: Move, {id}: Claim): Body {
  const isLeft = allowed === undefined ? [annotationFrom, annotationTo] : [annotationTo];
  return {body: withMarks(withoutAnnotations(body, isLeft), id, to, 'adopted'), ready};
}

/** The body of one object under its present resource name, which must not win over the new one. */
export function guardedBody({body, ready}: Body, {old}: Move): Body {
  return {body: guarded(body, old), ready};
}
