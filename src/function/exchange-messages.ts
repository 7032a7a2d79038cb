// The sentences about exchanges between XRs: where each stands, and what the next step waits for. Of the other XR only what
// the input says is told until it is known to be there: its name may be made of values.

import type {Exchange, ExchangeUntil} from '../lifecycle/words/decision.ts';
import {composed, named, quoted, word} from './object-words.ts';

export function exchangeSentence(resourceName: string, exchange: Exchange): string {
  const [what, other] = [composed(resourceName), theirs(exchange)];
  const states: {readonly [reason in Exchange['reason']]: string} = {
    offering: `giving ${what} to ${other}: it stays as it is`,
    'letting-go': `giving ${what} to ${other}: its provider is told to let the external resource go`,
    'taking-back': `taking ${what} back from ${other}`,
    observing: `taking ${what} from ${other}: it only observes the external resource`,
    'taking-over': `taking ${what} from ${other}: it has its policies`,
    'giving-back': `giving ${what} back to ${other}: it is told to only observe`,
  };
  return `${states[exchange.reason]}; next, ${untilSentence(exchange.until, exchange)}`;
}

export function givenAwayCause(exchange: Pick<Exchange, 'xr' | 'isThere' | 'resource' | 'path'>): string {
  return `input.${exchange.path} gives it to ${theirs(exchange)}; take the rule away once it is to be made here again`;
}

export function notGivenCause(exchange: Pick<Exchange, 'xr' | 'isThere' | 'resource' | 'path' | 'until'>): string {
  return `input.${exchange.path} takes it from ${theirs(exchange)} and makes no new one; next, ${untilSentence(exchange.until, exchange)}`;
}

function theirs({xr, isThere, resource}: Pick<Exchange, 'xr' | 'isThere' | 'resource'>): string {
  return `${quoted(resource)} of ${isThere ? named(xr) : `a ${word(xr.kind)}`}`;
}

function untilSentence(until: ExchangeUntil, {path, resource, xr}: Pick<Exchange, 'path' | 'resource' | 'xr'>): string {
  const other = quoted(resource);
  const sentences: {readonly [until in ExchangeUntil]: string} = {
    'dry-run': 'dryRun is taken out of the rule',
    'one-rule': 'this rule is the only one about it, whatever XRs the others name',
    rule: 'the rule that began it is put back, or the other side takes its own away to turn back',
    'rule-to-give':
      'the rule that gave it is put back, or its Composition desires it again; if it is to go with its external resource, name it in the annotation tether.fn.crossplane.io/confirm-removal of the XR',
    'rule-removed':
      'the rule is taken away: the old object went without letting go to this one, so make sure first that nothing else has its external resource',
    answered: 'Crossplane answers who the other XR is',
    'other-xr': `the ${word(xr.kind)} that input.${path} names is there; if it never will be, take the rule away`,
    'other-xr-deleting': `the ${word(xr.kind)} is no longer being deleted`,
    'other-object': `it has an object as ${other}, of the kind that the rule says`,
    proven: `what carries the labels of ${other} is proven to be that XR's, by controller reference and field manager`,
    'other-deleting': 'its object is no longer being deleted',
    'other-gives': 'its Composition gives it to this XR, by a rule of its own',
    'other-takes': 'its Composition takes it from this XR, by a rule of its own',
    'same-object':
      'the two Compositions say different names (metadata.name): as it is both XRs desire one and the same object, and no object changes its XR; until then the XR that has it takes it along when it is deleted',
    'other-protected': `the other object is protected, too, by protect of its Composition; or name it in the annotation tether.fn.crossplane.io/confirm-removal of this XR`,
    usage: 'the Usage that protects it is there',
    created: 'its provider has finished creating it',
    'external-name': 'there is an external-name to go by',
    'cannot-let-go':
      "it has deletionPolicy or managementPolicies in Crossplane's words; until then nobody can let its external resource go",
    listed: 'Crossplane is v2: an XR of v1 cannot list an object that is in a namespace',
    'same-resource': 'both objects say the same external resource; as it is they do not',
    'other-synced': 'the other object is Synced; its conditions say why it is not',
    synced: 'it is Synced; its conditions say why it is not',
    resolved: 'everything that its template reads is there',
    'let-go': 'it is observed to have let go',
    taken: 'the other object has its policies',
    observes: 'it is observed to only observe',
    'other-let-go': 'the old object is observed to have let go',
    'other-gone': 'the old object is gone',
    'given-back': 'nothing there could delete the external resource any more',
    ready: 'it is made, only to observe',
  };
  return sentences[until];
}
