// The facts about the other XR and its object: asked for by name and by our labels, proven by owner and field manager.
//
// A user may write our labels onto an object of their namespace, with any owner and field manager. So an object counts as the other
// XR's only if that XR lists it, its controller reference has that XR's UID, and Crossplane's apply for that XR is in its managed
// fields.
//
// The other side counts as empty only if no object at all has the labels. A planted object can delay an end, but never cause one. An
// object that leads to another external resource does not count: the XR lost it once, or created it later. Waiting for it, the
// exchange would never end, and no XR would have the external resource.

import {externalNameOf} from '../../facts/external-policies.ts';
import {isMarkedAs, labelComposite, labelResource, labelValue} from '../../facts/marks.ts';
import {labelOf} from '../../facts/metadata.ts';
import {compositeId, digestOf, isAskable} from '../../facts/naming.ts';
import {claimOf, isDeleting, listedBy, ownershipOf, proofOf} from '../../facts/ownership.ts';
import {condition} from '../../facts/ready.ts';
import type {InvalidInput} from '../../input/input.ts';
import {matches} from '../../input/selector.ts';
import {ofObject, requirementOf, schemaName} from '../../questions/registry.ts';
import {sourceOf} from '../../templates/templates.ts';
import {resolve, type Scope} from '../../templates/value.ts';
import type {ResourceSelector} from '../../words/edit.ts';
import type {UnknownName} from '../../words/events.ts';
import {text} from '../../words/json.ts';
import {takesItFrom} from '../../words/phrases.ts';
import {groupOf, isSameKind, isSameObject, type ObjectRef, objectKey} from '../../words/references.ts';
import type {ResourceView, Snapshot} from '../../words/snapshot.ts';
import {isSamePartner, markOn, type Partner} from '../annotations.ts';
import {type Given, identities, newNameOf} from '../objects.ts';

export interface OtherSide {
  /** False while Crossplane has not answered. */
  readonly isKnown: boolean;
  readonly xr: ResourceView | undefined;
  /** The object of the resource there, proven to be the other XR's; undefined where there is none or more than one. */
  readonly object: ResourceView | undefined;
  /** All objects with the labels, proven or not, except those that lead to another external resource than the one here. */
  readonly labelled: readonly ResourceView[];
}

const unanswered: OtherSide = {isKnown: false, xr: undefined, object: undefined, labelled: []};

type Question = readonly [requirement: string, selector: ResourceSelector];

/**
 * Two questions: the other XR, and its objects for the resource. All its objects would be as large as that XR is, and all answers
 * of Crossplane come in one request.
 */
export function requirementsOf(partner: Partner): readonly [Question, Question] {
  const {xr, kind, resource} = partner;
  const labels = {[labelComposite]: compositeId(xr), [labelResource]: labelValue(resource)};
  return [
    [xrRequirement(partner), ofObject(xr)],
    [objectsRequirement(partner), {...kind, namespace: xr.namespace, match: {kind: 'labels', labels}}],
  ];
}

/** The facts about the other side, for the XR that has `view`. */
export function otherOf(
  partner: Partner,
  rule: Rule | undefined,
  view: ResourceView | undefined,
  given: Given,
): OtherSide {
  if (view === undefined) return otherSideOf(partner, given.snapshot);
  const name = externalNameOf(view);
  const leadsElsewhere = (theirs: ResourceView) =>
    !['', name].includes(nameHere(theirs, view, rule, given)) && !tellTheSame(theirs, view);
  return otherSideOf(partner, given.snapshot, leadsElsewhere);
}

/** True if both statuses have an identity, and the same one, whatever form the names have. */
function tellTheSame(one: ResourceView, other: ResourceView): boolean {
  return identities.some((name) => {
    const said = text(one.field(['status', 'atProvider', name]));
    return said !== '' && said === other.field(['status', 'atProvider', name]);
  });
}

/** The external name that the other XR's object would have here, '' if unknown: for another kind only a rule has it. */
function nameHere(theirs: ResourceView, view: ResourceView, rule: Rule | undefined, given: Given): string {
  if (rule?.externalName === undefined) return isSameKind(theirs, view) ? externalNameOf(theirs) : '';
  const named = rule.side === 'take' ? newNameBy(rule, theirs, given) : undefined;
  return named?.kind === 'name' ? named.name : '';
}

/** `leadsElsewhere`: true if an object certainly leads to another external resource. */
function otherSideOf(
  partner: Partner,
  {required}: Pick<Snapshot, 'required'>,
  leadsElsewhere: (object: ResourceView) => boolean = () => false,
): OtherSide {
  const xrs = required.get(xrRequirement(partner));
  const objects = required.get(objectsRequirement(partner));
  if (xrs === undefined || objects === undefined) return unanswered;
  const xr = xrs.find((view) => isSameObject(view, partner.xr));
  const id = compositeId(partner.xr);
  const all = objects.filter((view) => {
    const isNamed = labelOf(view, labelComposite) === id && isMarkedAs(view, partner.resource);
    return isNamed && isSameKind(view, partner.kind);
  });
  const labelled = all.filter((view) => !leadsElsewhere(view));
  const proven = xr === undefined ? [] : all.filter((view) => isComposedBy(view, xr));
  return {isKnown: true, xr, object: proven.length === 1 ? proven[0] : undefined, labelled};
}

/**
 * The names that the other XR waits to take. No question shows what an XR waits for, so its condition counts. A forged one keeps what
 * leaves here, until a person confirms. An XR of a kind that is not served takes nothing. Undefined while Crossplane has not answered.
 */
export function takenFrom(
  other: Absent,
  leaving: readonly string[],
  {snapshot, input: {handover = []}}: Pick<Given, 'snapshot' | 'input'>,
): readonly string[] | undefined {
  const {observed, required, schemas} = snapshot;
  const isUnserved = schemas?.get(schemaName(other.xr))?.isServed === false;
  const answer = isUnserved ? [] : required.get(xrRequirement(other));
  const said = text(answer?.map((xr) => condition(xr, 'Tethered'))[0]?.['message']);
  const isAwaited = (name: string) => said.includes(takesItFrom(name));
  // Perhaps no reconcile saw the revision that was to rename it before it is given.
  const isRenamed = (name: string) =>
    isAwaited(other.name) &&
    handover.some(
      ({from, to, dryRun}) =>
        dryRun !== true && to.resource === other.name && matches(from, name, observed.get(name) as ResourceView),
    );
  // The other XR may not be there yet.
  const isMisspelled = (name: string) =>
    matches({resources: [other.name]}, name, observed.get(name) as ResourceView, snapshot);
  return answer && leaving.filter((name) => isAwaited(name) || isRenamed(name) || isMisspelled(name));
}

function isComposedBy(view: ResourceView, xr: ResourceView): boolean {
  const claim = claimOf(xr);
  // An XR no longer lists a released object. An object that is being deleted only has to be gone.
  const isListed = isDeleting(view) || listsObject(xr, view);
  return (
    isListed &&
    claim.uid !== '' &&
    ownershipOf(view, claim.uid).kind === 'ours' &&
    proofOf(view, claim) === 'field-manager'
  );
}

/** True if the XR lists the object. References of v1 have no namespace. */
function listsObject(xr: ResourceView, view: ResourceView): boolean {
  return listedBy(xr).some((ref) => {
    const [apiVersion, kind, namespace, name] = ['apiVersion', 'kind', 'namespace', 'name'].map((key) =>
      text(ref[key]),
    );
    return isSameObject({apiVersion, kind, namespace: namespace || view.namespace, name} as ObjectRef, view);
  });
}

function xrRequirement({xr}: Partner): string {
  return requirementOf('otherSide', `xr-${digestOf(objectKey(xr)).slice(0, 12)}`);
}

function objectsRequirement({xr, kind, resource}: Partner): string {
  const digest = digestOf(`${objectKey(xr)} ${resource}`).slice(0, 12);
  return requirementOf('otherSide', `${kind.kind}.${groupOf(kind.apiVersion)}-${digest}`);
}

// The partner of each exchanged resource, from the rules of the input for this XR. Both Compositions name the other XR, its resource
// name and its kind. So one side alone moves nothing, and an edit of an XR cannot begin an exchange.
//
// The name of the other XR may be made of this one's fields. If the name is empty, not a valid name, or this XR's own, the rule is
// not about this XR: one Composition serves many XRs, and an edit of an XR must not stop it. So two rules for one resource are bad
// input only if the input alone shows it; else nothing begins under them.

/** One rule for one resource of this XR. */
export interface Rule extends Partner {
  readonly side: 'give' | 'take';
  /** Where in the input: `take[0].resources[2]`. */
  readonly path: string;
  /** CEL over self, the old object, for the new one's external name. Then the rule decides identity: providers write names differently. */
  readonly externalName: string | undefined;
  readonly dryRun: boolean;
  /** True if another rule names the resource, too, and nothing has begun under either. */
  readonly isRivalled: boolean;
}

interface Rules {
  readonly kind: 'rules';
  /** By resource name of this XR. */
  readonly byName: ReadonlyMap<string, Rule>;
  /** Names that no resource has, of rules that are about this XR: what a rule of `give` names is gone once it is given. */
  readonly unknown: readonly UnknownName[];
  /** Names in rules of `give` that no resource has, because it is given by now, never was here, or is misspelled. */
  readonly absent: readonly Absent[];
}

/** A name in a rule that no resource has; of the object, the kind is unknown. */
export interface Absent extends UnknownName, Partner {}

const variables = ['xr'] as const;

export function rulesOf({snapshot, input, meter}: Given): Rules | InvalidInput {
  const {give = [], take = [], resources: templates = []} = input;
  const unknown: UnknownName[] = [];
  const absent: Absent[] = [];
  const found = new Map<string, readonly Candidate[]>();
  const written = [
    ...give.map((one, index) => ({side: 'give' as const, path: `give[${index}]`, xr: one.to, end: 'to', ...one})),
    ...take.map((one, index) => ({side: 'take' as const, path: `take[${index}]`, xr: one.from, end: 'from', ...one})),
  ];
  const scope: Scope = {variables, sources: {xr: sourceOf(snapshot.xr)}, meter};
  for (const {side, path, xr, end, resources, dryRun = false} of written) {
    const other = xrOf(xr, `${path}.${end}`, snapshot.xr, scope);
    if (other === undefined) continue;
    if (other.kind === 'invalid-input') return other;
    const isMade = [xr.name, xr.namespace ?? ''].some((said) => said.includes('${'));
    for (const [index, said] of resources.entries()) {
      const at = `${path}.resources[${index}]`;
      const earlier = found.get(said.name) ?? [];
      if (earlier.some((one) => one.path === path || !(isMade || one.isMade))) return namedTwice(at, said.name);
      const isTemplate = templates.some(({name}) => name === said.name);
      const slip = side === 'give' || isTemplate ? undefined : meantBy(said.name, written, snapshot);
      const name = slip ?? said.name;
      const here = snapshot.observed.get(name) ?? snapshot.desired.get(name);
      const isKnown = slip === undefined && (here !== undefined || isTemplate);
      const nameless = {path: at, name: said.name, among: 'rules'} as const;
      if (!isKnown && (side === 'take' || dryRun)) unknown.push(nameless);
      else if (!isKnown) absent.push({...nameless, xr: other.xr, resource: said.name, kind: other.xr});
      const {apiVersion = here?.apiVersion, kind = here?.kind, there = said.name, externalName} = said as Said;
      if (apiVersion === undefined || kind === undefined) continue;
      const partner = {xr: other.xr, resource: slip === undefined ? there : said.name, kind: {apiVersion, kind}};
      const rule = {side, path: at, ...partner, externalName, dryRun, isRivalled: false};
      found.set(name, [...earlier, {path, isMade, rule}]);
    }
  }
  const rules = [...found].map(([name, ones]): [string, Rule] => [name, activeRule(ones, snapshot.observed.get(name))]);
  return {kind: 'rules', byName: new Map(rules), unknown, absent};
}

/**
 * The new resource that a name in a rule of `take` means but for a slip: made without the rule, it would be a second, empty one. It waits
 * for a resource of the misspelled name.
 */
function meantBy(
  said: string,
  rules: readonly {readonly resources: readonly Said[]}[],
  {observed, desired}: Given['snapshot'],
): string | undefined {
  if (observed.has(said) || desired.has(said)) return undefined;
  const isRuled = (name: string) => rules.some(({resources}) => resources.some((one) => one.name === name));
  const isSlip = (name: string, view: ResourceView) => matches({resources: [said]}, name, view, {observed, desired});
  return [...desired.keys()]
    .sort()
    .find((name) => !observed.has(name) && !isRuled(name) && isSlip(name, desired.get(name) as ResourceView));
}

interface Candidate {
  /** Of the entry in the input that has it. */
  readonly path: string;
  /** True if the name of the other XR is made of fields. */
  readonly isMade: boolean;
  readonly rule: Rule;
}

function namedTwice(path: string, name: string): InvalidInput {
  const expected = 'a resource that no other rule names';
  return {kind: 'invalid-input', path: `${path}.name`, expected, got: JSON.stringify(name)};
}

/** An exchange goes on by the rule that it began under. */
function activeRule(candidates: readonly Candidate[], view: ResourceView | undefined): Rule {
  const [first, ...others] = candidates.map(({rule}) => rule) as [Rule, ...Rule[]];
  if (others.length === 0) return first;
  const mark = view && markOn(view);
  const begun = [first, ...others].find(
    (rule) => mark !== undefined && mark.side === rule.side && isSamePartner(rule, mark),
  );
  return begun ?? {...first, isRivalled: true};
}

interface Said {
  readonly name: string;
  readonly there?: string;
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly externalName?: string;
}

function xrOf(
  said: {readonly apiVersion: string; readonly kind: string; readonly namespace?: string; readonly name: string},
  path: string,
  xr: ResourceView,
  scope: Scope,
): {readonly kind: 'xr'; readonly xr: ObjectRef} | InvalidInput | undefined {
  const name = resolve(said.name, `${path}.name`, scope);
  if (name.kind === 'invalid-input') return name;
  const namespace = resolve(said.namespace ?? '', `${path}.namespace`, scope);
  if (namespace.kind === 'invalid-input') return namespace;
  if (name.kind !== 'value' || namespace.kind !== 'value') return undefined;
  const {apiVersion, kind} = said;
  const other = {apiVersion, kind, namespace: text(namespace.value), name: text(name.value)};
  return isAskable(other) && !isSameObject(other, xr) ? {kind: 'xr', xr: other} : undefined;
}

/** The external name of the new object by the rule, '' for none yet; `old` is the object that is given, wherever it is. */
export function newNameBy(
  rule: Rule | undefined,
  old: ResourceView | undefined,
  given: Given,
): {readonly kind: 'name'; readonly name: string} | InvalidInput {
  const none = {kind: 'name', name: ''} as const;
  if (rule === undefined || old === undefined) return none;
  const named = newNameOf(rule.externalName, rule.path, old, given);
  return named.kind === 'unresolved' ? none : named;
}
