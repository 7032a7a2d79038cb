// With whom a composed resource is exchanged: what the rules of the input come to for this XR. Both Compositions name the
// other XR, its resource name and its kind, so neither side alone moves anything, and who edits an XR is asked by none.
//
// The name of the other XR may be made of this one's fields. Where it comes to nothing, the rule is not about this XR.

import type {Meter} from '../cel/functions.ts';
import {sourceOf} from '../cel/values.ts';
import type {ObjectRef} from '../decision.ts';
import type {Input, InvalidInput} from '../input/input.ts';
import {text} from '../json.ts';
import {isSameObject, type Kind} from '../objects/naming.ts';
import type {ResourceView, Snapshot} from '../snapshot.ts';
import {resolve, type Scope} from '../templates/value.ts';

/** One rule for one resource of this XR. */
export interface Peer {
  readonly side: 'give' | 'take';
  /** Where in the input: `take[0].resources[2]`. */
  readonly path: string;
  readonly xr: ObjectRef;
  /** The resource name over there. */
  readonly resource: string;
  /** The kind over there: that of the object here unless said. */
  readonly kind: Kind;
  /** CEL over self, the old object, for the new one's external name. */
  readonly externalName: string | undefined;
  readonly dryRun: boolean;
}

export interface Peers {
  readonly kind: 'peers';
  /** By resource name of this XR. */
  readonly byName: ReadonlyMap<string, Peer>;
}

const variables = ['xr'] as const;

export function peersOf(snapshot: Snapshot, {give = [], take = []}: Input, meter: Meter): Peers | InvalidInput {
  const byName = new Map<string, Peer>();
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
  for (const {side, path, xr, xrPath, resources, dryRun = false} of rules) {
    const other = xrOf(xr, `${path}.${xrPath}`, snapshot.xr, meter);
    if (other === undefined) continue;
    if (other.kind === 'invalid-input') return other;
    for (const [index, said] of resources.entries()) {
      const at = `${path}.resources[${index}]`;
      if (byName.has(said.name)) {
        return {
          kind: 'invalid-input',
          path: `${at}.name`,
          expected: 'a resource that no other rule names',
          got: JSON.stringify(said.name),
        };
      }
      const here = snapshot.observed.get(said.name) ?? snapshot.desired.get(said.name);
      const {apiVersion = here?.apiVersion, kind = here?.kind, there = said.name, externalName} = said as Said;
      if (apiVersion === undefined || kind === undefined) continue;
      byName.set(said.name, {
        side,
        path: at,
        xr: other.xr,
        resource: there,
        kind: {apiVersion, kind},
        externalName,
        dryRun,
      });
    }
  }
  return {kind: 'peers', byName};
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
  meter: Meter,
): {readonly kind: 'xr'; readonly xr: ObjectRef} | InvalidInput | undefined {
  const scope: Scope = {variables, sources: {xr: sourceOf(xr)}, meter};
  const name = resolve(said.name, `${path}.name`, scope);
  if (name.kind === 'invalid-input') return name;
  const namespace = resolve(said.namespace ?? '', `${path}.namespace`, scope);
  if (namespace.kind === 'invalid-input') return namespace;
  if (name.kind !== 'value' || namespace.kind !== 'value' || text(name.value) === '') return undefined;
  const {apiVersion, kind} = said;
  const other = {apiVersion, kind, namespace: text(namespace.value), name: text(name.value)};
  if (!isSameObject(other, xr)) return {kind: 'xr', xr: other};
  return {kind: 'invalid-input', path, expected: 'another XR', got: 'this one'};
}
