// The resource names that the pipeline of an XR can desire, if its Composition alone determines them: every step is
// patch-and-transform, whose input names its resources, or a function that never adds one. Any other pipeline has to run first.
// The native form of Crossplane 1 (mode Resources) names its resources in the same way.

import {at, isList, isObject, type Json} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {Inventory} from './inventory.ts';

export interface Declared {
  readonly composition: string;
  readonly names: ReadonlySet<string>;
}

/** Undefined if only running functions could decide it. */
export function declaredBy({objects}: Inventory): (xr: KubeObject) => Declared | undefined {
  const named = (kind: string): ReadonlyMap<string, KubeObject> =>
    new Map(objects.filter((object) => object.kind === kind).map((object) => [object.metadata.name, object]));
  const [compositions, revisions] = [named('Composition'), named('CompositionRevision')];
  const known = new Map<KubeObject, Declared | undefined>();
  const read = (object: KubeObject): Declared | undefined => {
    if (!known.has(object)) known.set(object, namesIn(object));
    return known.get(object);
  };
  return (xr) => {
    const said = (field: string): string => String(fieldOf(xr, [field, 'name']) ?? '');
    const isManual = fieldOf(xr, ['compositionUpdatePolicy']) === 'Manual';
    const object = isManual ? revisions.get(said('compositionRevisionRef')) : compositions.get(said('compositionRef'));
    // An XR that selects revisions by labels: its revision is not determined here.
    if (object === undefined || fieldOf(xr, ['compositionRevisionSelector']) !== undefined) return undefined;
    return read(object);
  };
}

/** Of version 2 XRs it is below `crossplane`. */
function fieldOf({spec}: KubeObject, path: readonly string[]): Json | undefined {
  return at(spec, ['crossplane', ...path]) ?? at(spec, path);
}

const addsNothing = /^(?:.*-)?function-(?:auto-ready|tether|status-transformer)$/;
const patches = /^(?:.*-)?function-patch-and-transform$/;

function namesIn({metadata, spec}: KubeObject): Declared | undefined {
  const composition = metadata.name;
  if (spec?.['mode'] !== 'Pipeline') {
    const names = resourceNames(spec?.['resources']);
    return names === undefined ? undefined : {composition, names};
  }
  const steps = isList(spec['pipeline']) ? spec['pipeline'] : [];
  const names = new Set<string>();
  for (const step of steps) {
    const name = String(at(step, ['functionRef', 'name']));
    if (addsNothing.test(name)) continue;
    const added = patches.test(name) ? resourceNames(at(step, ['input', 'resources'])) : undefined;
    if (added === undefined) return undefined;
    for (const one of added) names.add(one);
  }
  return names.size === 0 ? undefined : {composition, names};
}

/** Undefined where one has no name, as of old. */
function resourceNames(resources: Json | undefined): ReadonlySet<string> | undefined {
  if (!isList(resources)) return undefined;
  const names = resources.map((one) => (isObject(one) ? one['name'] : undefined));
  return names.every((name) => typeof name === 'string') ? new Set(names) : undefined;
}
