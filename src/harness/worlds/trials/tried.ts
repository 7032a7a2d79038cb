// What a trial is of: a Composition and one of its XRs, and the Composition with a change.

import type {JsonObject} from '../../../cluster/json.ts';
import {type Blueprint, type Resource, versionWord} from '../composition.ts';
import type {Draw} from '../draw.ts';
import type {Maker, Scene, Xr} from '../moves.ts';

/** A Composition with its present resources, and one of its XRs. */
interface Tried {
  readonly xr: Xr;
  readonly blueprint: Blueprint;
  readonly resources: readonly Resource[];
}

export function tried(draw: Draw, {xrs, blueprints}: Scene, isFit: (resource: Resource) => boolean = () => true) {
  const all = xrs.flatMap((xr): readonly Tried[] => {
    const blueprint = blueprints.get(xr.kind);
    const resources = blueprint?.resources.filter((one) => one.composes === undefined && isFit(one)) ?? [];
    return blueprint === undefined || resources.length === 0 ? [] : [{xr, blueprint, resources}];
  });
  return all.length === 0 ? undefined : draw.pick(all);
}

interface Asked {
  readonly fit?: (resource: Resource) => boolean;
  /** How many resources that fit; one by default. */
  readonly least?: number;
}

type Make = (draw: Draw, scene: Scene, found: Tried) => ReturnType<Maker>;

/** A trial of a Composition that has what is asked; of none no trial is made. */
export function trial({fit, least = 1}: Asked, make: Make): Maker {
  return (draw, scene) => {
    const found = tried(draw, scene, fit);
    return found === undefined || found.resources.length < least ? [] : make(draw, scene, found);
  };
}

export const isManaged = ({kind}: Resource): boolean => kind.managed;
export const isNested = ({name}: Resource): boolean => name === 'inner';

/** The Composition asks for this, too. */
export function asking(
  {crossplane}: Scene,
  {blueprint: {dialect: _, ...blueprint}}: Tried,
  part: JsonObject,
): Blueprint {
  const version = versionWord(crossplane);
  return {...blueprint, input: {...blueprint.input, ...(version !== undefined && {crossplane: version}), ...part}};
}

export const inputChanged = 'change the input';

export function without(blueprint: Blueprint, resources: readonly Resource[]): Blueprint {
  return {...blueprint, resources: blueprint.resources.filter((one) => !resources.includes(one))};
}

export function withMore(blueprint: Blueprint, more: readonly Resource[]): Blueprint {
  return {...blueprint, resources: [...blueprint.resources, ...more]};
}

export function withResource(blueprint: Blueprint, old: Resource, changed: Resource): Blueprint {
  return {...blueprint, resources: blueprint.resources.map((one) => (one === old ? changed : one))};
}
