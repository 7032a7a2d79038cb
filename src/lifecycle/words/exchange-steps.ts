// The steps that an exchange between two XRs waits for: a row each, with the actor that ends it and its sentence. Until the other
// XR is known to exist, only its part of the input is printed: its name may be made of values.

import {named, quoted, word} from './phrases.ts';
import type {ObjectRef} from './references.ts';

/** The XR on the other side of an exchange. */
export interface Counterpart {
  readonly xr: ObjectRef;
  /** True if the other XR is known to exist. */
  readonly isThere: boolean;
  /** The resource name over there. */
  readonly resource: string;
  /** Where in the input the rule is, undefined where there is none any more. */
  readonly path: string | undefined;
}

interface Row {
  /** person: it changes something here, seen when the XR is polled. Otherwise the other side or a provider brings the next step. */
  readonly by: 'person' | 'others';
  readonly sentence: string | ((other: Counterpart) => string);
}

function person(sentence: Row['sentence']): Row {
  return {by: 'person', sentence};
}

function others(sentence: Row['sentence']): Row {
  return {by: 'others', sentence};
}

const steps = {
  'dry-run': person('dryRun is taken out of the rule'),
  'one-rule': person('this rule is the only one about it, whatever XRs the others name'),
  rule: person('the rule that began it is put back, or the other side takes its own away to turn back'),
  'rule-to-give': person(
    'the rule that gave it is put back, or its Composition desires it again; if it is to go with its external resource, name it in the annotation tether.fn.crossplane.io/confirm-removal of the XR',
  ),
  'rule-removed': person(
    'the rule is taken away: the old object went without letting go to this one, so make sure first that nothing else has its external resource',
  ),
  answered: others('Crossplane answers who the other XR is'),
  'other-xr': person(
    ({xr, path}) => `the ${word(xr.kind)} that input.${path} names is there; if it never will be, take the rule away`,
  ),
  'other-xr-deleting': others(({xr}) => `the ${word(xr.kind)} is no longer being deleted`),
  'other-object': others(({resource}) => `it has an object as ${quoted(resource)}, of the kind that the rule says`),
  proven: others(
    ({resource}) =>
      `what carries the labels of ${quoted(resource)} is proven to be that XR's, by controller reference and field manager`,
  ),
  'other-deleting': others('its object is no longer being deleted'),
  'other-gives': others('its Composition gives it to this XR, by a rule of its own'),
  'other-takes': person('its Composition takes it from this XR, by a rule of its own'),
  'same-object': person(
    'the two Compositions say different names (metadata.name): as it is both XRs desire one and the same object, and no object changes its XR; until then the XR that has it takes it along when it is deleted',
  ),
  'other-protected': person(
    'the other object is protected, too, by protect of its Composition; or name it in the annotation tether.fn.crossplane.io/confirm-removal of this XR',
  ),
  usage: others('the Usage that protects it is there'),
  created: others('its provider has finished creating it'),
  'external-name': others('there is an external-name to go by'),
  'cannot-let-go': person(
    "it has deletionPolicy or managementPolicies in Crossplane's words; until then nobody can let its external resource go",
  ),
  listed: others('Crossplane is v2: an XR of v1 cannot list an object that is in a namespace'),
  'same-resource': person('both objects say the same external resource; as it is they do not'),
  'other-synced': others('the other object is Synced; its conditions say why it is not'),
  synced: others('it is Synced; its conditions say why it is not'),
  resolved: others('everything that its template reads is there'),
  'let-go': others('it is observed to have let go'),
  taken: others('the other object has its policies'),
  observes: others('it is observed to only observe'),
  'other-let-go': others('the old object is observed to have let go'),
  'other-gone': others('the old object is gone'),
  'given-back': others('nothing there could delete the external resource any more'),
  ready: others('it is made, only to observe'),
} satisfies {readonly [until: string]: Row};

export type ExchangeUntil = keyof typeof steps;

export function untilSentence(until: ExchangeUntil, other: Counterpart): string {
  const {sentence}: Row = steps[until];
  return typeof sentence === 'string' ? sentence : sentence(other);
}

export function waitsForPerson(until: ExchangeUntil): boolean {
  return steps[until].by === 'person';
}

/** The resource over there. */
export function counterpartText({xr, isThere, resource}: Counterpart): string {
  return `${quoted(resource)} of ${isThere ? named(xr) : `a ${word(xr.kind)}`}`;
}
