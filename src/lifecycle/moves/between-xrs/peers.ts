// The partner of each exchanged resource, from the rules of the input for this XR. Both Compositions name the other XR, its resource
// name and its kind. So one side alone moves nothing, and an edit of an XR cannot begin an exchange.
//
// The name of the other XR may be made of this one's fields. If the name is empty, not a valid name, or this XR's own, the rule is
// not about this XR: one Composition serves many XRs, and an edit of an XR must not stop it. So two rules for one resource are bad
// input only if the input alone shows it; else nothing begins under them.

import {isAskable} from '../../facts/naming.ts';
import type {Input, InvalidInput} from '../../input/input.ts';
import {sourceOf} from '../../templates/cel/cel.ts';
import type {Meter} from '../../templates/cel/functions.ts';
import {resolve, type Scope} from '../../templates/value.ts';
import {text} from '../../words/json.ts';
import {isSameObject, type ObjectRef} from '../../words/references.ts';
import type {ResourceView, Snapshot} from '../../words/snapshot.ts';
import {isSamePartner, markOn, type Partner} from '../annotations.ts';
import type {Given} from '../given.ts';
import {newNameOf} from '../new-name.ts';

/** One rule for one resource of this XR. */
export interface Peer extends Partner {
  readonly side: 'give' | 'take';
  /** Where in the input: `take[0].resources[2]`. */
  readonly path: string;
  /** CEL over self, the old object, for the new one's external name. */
  readonly externalName: string | undefined;
  readonly dryRun: boolean;
  /** True if another rule names the resource, too, and nothing has begun under either. */
  readonly isRivalled: boolean;
}

/** The terms of a rule that allows the exchange. */
export interface Allowed {
  readonly kind: 'allowed';
  readonly dryRun: boolean;
  /** True if another rule names the resource, too, so that nothing begins. */
  readonly isRivalled: boolean;
  /** The external name that the new object is to have, '' if there is none yet. */
  readonly newName: string;
  /** True if the rule itself decides identity, because the two providers write names and ids differently. */
  readonly isNamed: boolean;
}

export interface Peers {
  readonly kind: 'peers';
  /** By resource name of this XR. */
  readonly byName: ReadonlyMap<string, Peer>;
}

const variables = ['xr'] as const;

export function peersOf(snapshot: Snapshot, {give = [], take = []}: Input, meter: Meter): Peers | InvalidInput {
  const found = new Map<string, readonly Candidate[]>();
  const rules = [
    ...give.map((rule, index) => ({side: 'give' as const, path: `give[${index}]`, xr: rule.to, xrPath: 'to', ...rule})),
    ...take.map((rule, index) => ({
      side: 'take' as const,
      path: `take[${index}]`,
      xr: rule.from,
      xrPath: 'from',
      ...rule,
    })),
  ];
  const scope: Scope = {variables, sources: {xr: sourceOf(snapshot.xr)}, meter};
  for (const {side, path, xr, xrPath, resources, dryRun = false} of rules) {
    const other = xrOf(xr, `${path}.${xrPath}`, snapshot.xr, scope);
    if (other === undefined) continue;
    if (other.kind === 'invalid-input') return other;
    const isMade = [xr.name, xr.namespace ?? ''].some((said) => said.includes('${'));
    for (const [index, said] of resources.entries()) {
      const at = `${path}.resources[${index}]`;
      const earlier = found.get(said.name) ?? [];
      if (earlier.some((one) => one.rule === path || !(isMade || one.isMade))) return namedTwice(at, said.name);
      const here = snapshot.observed.get(said.name) ?? snapshot.desired.get(said.name);
      const {apiVersion = here?.apiVersion, kind = here?.kind, there = said.name, externalName} = said as Said;
      if (apiVersion === undefined || kind === undefined) continue;
      const partner = {xr: other.xr, resource: there, kind: {apiVersion, kind}};
      const peer = {side, path: at, ...partner, externalName, dryRun, isRivalled: false};
      found.set(said.name, [...earlier, {rule: path, isMade, peer}]);
    }
  }
  const peers = [...found].map(([name, ones]): [string, Peer] => [name, activeRule(ones, snapshot.observed.get(name))]);
  return {kind: 'peers', byName: new Map(peers)};
}

interface Candidate {
  readonly rule: string;
  /** True if the name of the other XR is made of fields. */
  readonly isMade: boolean;
  readonly peer: Peer;
}

function namedTwice(path: string, name: string): InvalidInput {
  const expected = 'a resource that no other rule names';
  return {kind: 'invalid-input', path: `${path}.name`, expected, got: JSON.stringify(name)};
}

/** An exchange goes on by the rule that it began under. */
function activeRule(candidates: readonly Candidate[], view: ResourceView | undefined): Peer {
  const [first, ...others] = candidates.map(({peer}) => peer) as [Peer, ...Peer[]];
  if (others.length === 0) return first;
  const mark = view && markOn(view);
  const begun = [first, ...others].find(
    (peer) => mark !== undefined && mark.side === peer.side && isSamePartner(peer, mark),
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

/** The terms of the rule for this exchange; `old` is the object that is given, wherever it is. */
export function allowedBy(
  peer: Peer | undefined,
  old: ResourceView | undefined,
  {snapshot, meter}: Given,
): Allowed | InvalidInput | undefined {
  if (peer === undefined) return undefined;
  const {dryRun, isRivalled, externalName} = peer;
  const allowed = (newName: string) =>
    ({kind: 'allowed', dryRun, isRivalled, newName, isNamed: externalName !== undefined}) as const;
  if (old === undefined) return allowed('');
  const named = newNameOf(externalName, peer.path, old, snapshot.xr, meter);
  if (named.kind === 'invalid-input') return named;
  return allowed(named.kind === 'name' ? named.name : '');
}
