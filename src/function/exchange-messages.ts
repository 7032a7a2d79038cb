// The sentences about exchanges between XRs: where each stands, and what the next step waits for. Of the other XR only what
// the input says is told until it is known to be there: its name may be made of values.

import type {Exchange, ExchangeUntil, ObjectRef} from '../lifecycle/decision.ts';
import {unreachable} from '../lifecycle/unreachable.ts';

export function exchangeSentence(resourceName: string, exchange: Exchange): string {
  const what = `composed resource ${JSON.stringify(resourceName)}`;
  const until = `; next, ${untilSentence(exchange.until, exchange)}`;
  switch (exchange.reason) {
    case 'offering':
      return `giving ${what} to ${theirs(exchange)}: it stays as it is${until}`;
    case 'letting-go':
      return `giving ${what} to ${theirs(exchange)}: its provider is told to let the external resource go${until}`;
    case 'taking-back':
      return `taking ${what} back from ${theirs(exchange)}${until}`;
    case 'observing':
      return `taking ${what} from ${theirs(exchange)}: it only observes the external resource${until}`;
    case 'taking-over':
      return `taking ${what} from ${theirs(exchange)}: it has its policies${until}`;
    case 'giving-back':
      return `giving ${what} back to ${theirs(exchange)}: it is told to only observe${until}`;
    default:
      return unreachable(exchange.reason);
  }
}

export function givenAwayCause(exchange: Pick<Exchange, 'xr' | 'isThere' | 'resource' | 'path'>): string {
  return `input.${exchange.path} gives it to ${theirs(exchange)}; take the rule away once it is to be made here again`;
}

export function notGivenCause(exchange: Pick<Exchange, 'xr' | 'isThere' | 'resource' | 'path' | 'until'>): string {
  return `input.${exchange.path} takes it from ${theirs(exchange)} and makes no new one; next, ${untilSentence(exchange.until, exchange)}`;
}

function theirs({xr, isThere, resource}: Pick<Exchange, 'xr' | 'isThere' | 'resource'>): string {
  return `${JSON.stringify(resource)} of ${isThere ? named(xr) : `a ${xr.kind}`}`;
}

function untilSentence(until: ExchangeUntil, {path, resource, xr}: Pick<Exchange, 'path' | 'resource' | 'xr'>): string {
  const other = JSON.stringify(resource);
  switch (until) {
    case 'dry-run':
    case 'one-rule':
    case 'rule':
    case 'rule-to-give':
    case 'rule-removed':
      return ruleSentence(until);
    case 'answered':
      return 'Crossplane answers who the other XR is';
    case 'other-xr':
      return `the ${xr.kind} that input.${path} names is there; if it never will be, take the rule away`;
    case 'other-xr-deleting':
      return `the ${xr.kind} is no longer being deleted`;
    case 'other-object':
      return `it has an object as ${other}, of the kind that the rule says`;
    case 'proven':
      return `what carries the labels of ${other} is proven to be that XR's, by controller reference and field manager`;
    case 'other-deleting':
      return `its object is no longer being deleted`;
    case 'other-gives':
      return 'its Composition gives it to this XR, by a rule of its own';
    case 'other-takes':
      return 'its Composition takes it from this XR, by a rule of its own';
    case 'created':
      return 'its provider has finished creating it';
    case 'external-name':
      return 'there is an external-name to go by';
    case 'cannot-let-go':
      return "it has deletionPolicy or managementPolicies in Crossplane's words; until then nobody can let its external resource go";
    case 'listed':
      return 'Crossplane is v2: an XR of v1 cannot list an object that is in a namespace';
    case 'same-resource':
      return 'both objects say the same external resource; as it is they do not';
    case 'other-synced':
      return 'the other object is Synced; its conditions say why it is not';
    case 'synced':
      return 'it is Synced; its conditions say why it is not';
    case 'resolved':
      return 'everything that its template reads is there';
    case 'let-go':
      return 'it is observed to have let go';
    case 'taken':
      return 'the other object has its policies';
    case 'observes':
      return 'it is observed to only observe';
    case 'other-let-go':
      return 'the old object is observed to have let go';
    case 'other-gone':
      return 'the old object is gone';
    case 'given-back':
      return 'nothing there could delete the external resource any more';
    case 'ready':
      return 'it is made, only to observe';
    default:
      return unreachable(until);
  }
}

function ruleSentence(until: 'dry-run' | 'one-rule' | 'rule' | 'rule-to-give' | 'rule-removed'): string {
  switch (until) {
    case 'dry-run':
      return 'dryRun is taken out of the rule';
    case 'one-rule':
      return 'this rule is the only one about it, whatever XRs the others name';
    case 'rule':
      return 'the rule that began it is put back, or the other side takes its own away to turn back';
    case 'rule-to-give':
      return 'the rule that gave it is put back, or its Composition desires it again; if it is to go with its external resource, name it in the annotation tether.fn.crossplane.io/confirm-removal of the XR';
    case 'rule-removed':
      return `the rule is taken away: the old object went without letting go to this one, so make sure first that nothing else has its external resource`;
  }
}

function named({kind, namespace, name}: ObjectRef): string {
  return `${kind} ${JSON.stringify(namespace === '' ? name : `${namespace}/${name}`)}`;
}
