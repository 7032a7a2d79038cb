// The partner of each exchanged resource, from the rules of the input for this XR. Both Compositions name the other XR, its resource
// name and its kind. So one side alone moves nothing, and an edit of an XR cannot begin an exchange.
//
// The name of the other XR may be made of this one's fields. If the name is empty, not a valid name, or this XR's own, the rule is
// not about this XR: one Composition serves many XRs, and an edit of an XR must not stop it. So two rules for one resource are bad
// input only if the input alone shows it; else nothing begins under them.

import {isAskable} from '../../facts/naming.ts';
import type {InvalidInput} from '../../input/input.ts';
import {sourceOf} from '../../templates/cel/cel.ts';
import {resolve, type Scope} from '../../templates/value.ts';
import {text} from '../../words/json.ts';
import {isSameObject, type ObjectRef} from '../../words/references.ts';
import type {ResourceView} from '../../words/snapshot.ts';
import {isSamePartner, markOn, type Partner} from '../annotations.ts';
import type {Given} from '../given.ts';
import {newNameOf} from '../new-name.ts';

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

export interface Rules {
  readonly kind: 'rules';
  /** By resource name of this XR. */
  readonly byName: ReadonlyMap<string, Rule>;
}

const variables = ['xr'] as const;

export function rulesOf({snapshot, input: {give = [], take = []}, meter}: Given): Rules | InvalidInput {
  const found = new Map<string, readonly Candidate[]>();
  const written = [
    ...give.map((one, index) => ({side: 'give' as const, path: `give[${index}]`, xr: one.to, xrPath: 'to', ...one})),
    ...take.map((one, index) => ({
      side: 'take' as const,
      path: `take[${index}]`,
      xr: one.from,
      xrPath: 'from',
      ...one,
    })),
  ];
  const scope: Scope = {variables, sources: {xr: sourceOf(snapshot.xr)}, meter};
  for (const {side, path, xr, xrPath, resources, dryRun = false} of written) {
    const other = xrOf(xr, `${path}.${xrPath}`, snapshot.xr, scope);
    if (other === undefined) continue;
    if (other.kind === 'invalid-input') return other;
    const isMade = [xr.name, xr.namespace ?? ''].some((said) => said.includes('${'));
    for (const [index, said] of resources.entries()) {
      const at = `${path}.resources[${index}]`;
      const earlier = found.get(said.name) ?? [];
      if (earlier.some((one) => one.path === path || !(isMade || one.isMade))) return namedTwice(at, said.name);
      const here = snapshot.observed.get(said.name) ?? snapshot.desired.get(said.name);
      const {apiVersion = here?.apiVersion, kind = here?.kind, there = said.name, externalName} = said as Said;
      if (apiVersion === undefined || kind === undefined) continue;
      const partner = {xr: other.xr, resource: there, kind: {apiVersion, kind}};
      const rule = {side, path: at, ...partner, externalName, dryRun, isRivalled: false};
      found.set(said.name, [...earlier, {path, isMade, rule}]);
    }
  }
  const rules = [...found].map(([name, ones]): [string, Rule] => [name, activeRule(ones, snapshot.observed.get(name))]);
  return {kind: 'rules', byName: new Map(rules)};
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
