// Moves of composed resources that their Compositions ask for: to another resource name or kind, and from one XR to another.

import type {JsonObject} from '../../cluster/json.ts';
import type {Step} from '../scenario/scenario.ts';
import {type Blueprint, drawResource, type Resource} from './composition.ts';
import type {Draw} from './draw.ts';
import {edited, isComposed, type Maker, type Scene, selectorOf} from './moves.ts';
import {nextKinds, type XrKind} from './platform.ts';

/** Parts of the input whose rules move something. */
export const ruleParts = ['handover', 'give', 'take'] as const;

/** One edit moves a resource, with its rule. */
export const handOver: Maker = (draw, scene) => {
  const [xr, blueprint] = draw.pick([...scene.blueprints]);
  const managed = blueprint.resources.filter(({kind}) => kind.managed);
  if (blueprint.dialect !== undefined || managed.length === 0) return [];
  const old = draw.pick(managed);
  const moved = draw.chance(50) ? {...old, name: `${old.name}-moved`} : ofAnotherKind(draw, scene, xr, old);
  if (moved === undefined) return [];
  const resources = blueprint.resources.map((one) => (one === old ? moved : one));
  const rule = {...ruleOf(old, moved), ...(draw.chance(15) ? {dryRun: true} : {})};
  const name = moved.name === old.name ? 'move to another kind' : 'move to another resource name';
  return edited(scene, {...withRule(blueprint, 'handover', rule), resources}, name);
};

/** One edit moves two resources, each by a rule of its own. */
export const moveTwo: Maker = (draw, scene) => {
  const blueprint = draw.pick([...scene.blueprints.values()]);
  const managed = blueprint.resources.filter(({kind, composes}) => kind.managed && composes === undefined);
  // A rule would take a protected resource out of its protection.
  const isFree = blueprint.dialect === undefined && blueprint.input['protect'] === undefined;
  if (!isFree || managed.length < 2) return [];
  const moved = new Map(draw.some(managed, 2).map((old) => [old, {...old, name: `${old.name}-moved`}]));
  const ruled = [...moved].reduce((one, [old, to]) => withRule(one, 'handover', ruleOf(old, to)), blueprint);
  const resources = blueprint.resources.map((one) => moved.get(one) ?? one);
  return edited(scene, {...ruled, resources}, 'move two to other resource names');
};

/** A new resource gets the resource name from which another one moved, mostly once the rule is gone. */
export const useNameAgain: Maker = (draw, scene) => {
  const all = [...scene.blueprints.values()].flatMap((blueprint) =>
    blueprint.resources.flatMap((moved) => {
      const name = moved.name.replace(/-moved$/, '');
      const isFree = blueprint.resources.every((one) => one.name !== name);
      return isFree && moved.composes === undefined ? [{blueprint, moved, name}] : [];
    }),
  );
  if (all.length === 0) return [];
  const {blueprint, moved, name} = draw.pick(all);
  const {handover: _, ...input} = blueprint.input;
  const made = drawResource(draw, blueprint.xr, name, moved.kind, false);
  const ruled = draw.chance(75) ? {...blueprint, input} : blueprint;
  return edited(scene, {...ruled, resources: [...blueprint.resources, made]}, 'use the name of what moved again');
};

function ofAnotherKind(draw: Draw, scene: Scene, xr: XrKind, {name, kind}: Resource): Resource | undefined {
  const kinds = nextKinds(scene.crossplane, xr, kind).filter(({managed}) => managed);
  return kinds.length === 0 ? undefined : drawResource(draw, xr, name, draw.pick(kinds), !isComposed(scene, xr));
}

function ruleOf(old: Resource, moved: Resource): JsonObject {
  const from = {resources: [old.name]};
  if (old.name !== moved.name) return {from, to: {resource: moved.name}};
  const {apiVersion, kind} = moved.kind;
  return {from, to: {apiVersion, kind}};
}

/** An XR that may give these resources, and another one that may take them; the Compositions of both. */
function sidesOf(draw: Draw, scene: Scene) {
  const [giver, taker] = draw.chance(50) ? scene.xrs : scene.xrs.toReversed();
  const from = giver === undefined ? undefined : scene.blueprints.get(giver.kind);
  const to = taker === undefined ? undefined : scene.blueprints.get(taker.kind);
  if (giver === undefined || taker === undefined || from === undefined || to === undefined || from === to) return;
  if (from.dialect !== undefined || to.dialect !== undefined) return;
  const given = from.resources.filter(
    ({kind}) => kind.managed && (taker.kind.scope !== 'Namespaced' || kind.namespaced),
  );
  return {giver, taker, from, to, given};
}

function nameThere(name: string): string {
  return `from-${name}`;
}

/** The taking side first, as the docs advise, then the giving side, which drops the resource or goes on to desire it. */
export const giveToAnother: Maker = (draw, scene) => {
  const sides = sidesOf(draw, scene);
  return sides === undefined || sides.given.length === 0
    ? []
    : exchanged(draw, scene, sides, [[draw.pick(sides.given)]], undefined);
};

/** Two resources go to another XR by one rule, or by two of which the last may be a dry run on one side. */
export const giveTwo: Maker = (draw, scene) => {
  const sides = sidesOf(draw, scene);
  const given = sides?.given.filter(({composes}) => composes === undefined) ?? [];
  if (sides === undefined || given.length < 2) return [];
  const two = draw.some(given, 2);
  const dry = draw.chance(40) ? draw.pick(['give', 'take'] as const) : undefined;
  return exchanged(draw, scene, sides, draw.chance(40) ? [two] : two.map((one) => [one]), dry);
};

/** A resource is to go to another XR, and one side has a dry run. */
export const giveDry: Maker = (draw, scene) => {
  const sides = sidesOf(draw, scene);
  const given = sides?.given.filter(({composes}) => composes === undefined) ?? [];
  if (sides === undefined || given.length === 0) return [];
  return exchanged(draw, scene, sides, [[draw.pick(given)]], draw.chance(60) ? 'take' : 'give');
};

function exchanged(
  draw: Draw,
  scene: Scene,
  {giver, taker, from, to}: NonNullable<ReturnType<typeof sidesOf>>,
  rules: readonly (readonly Resource[])[],
  dry: 'give' | 'take' | undefined,
): readonly Step[] {
  const all = rules.flat();
  if (all.some(({name}) => to.resources.some((one) => one.name === nameThere(name)))) return [];
  const taken = all.map(({name, kind}) => drawResource(draw, taker.kind, nameThere(name), kind, false));
  const isDry = (part: 'give' | 'take', rule: readonly Resource[]) => part === dry && rule === rules.at(-1);
  const takes = rules.reduce(
    (one, rule) =>
      withRule(one, 'take', {
        from: {...selectorOf(giver), name: nameOfTheXr},
        resources: rule.map(({name}) => ({name: nameThere(name), there: name})),
        ...(isDry('take', rule) && {dryRun: true}),
      }),
    to,
  );
  const gives = rules.reduce(
    (one, rule) =>
      withRule(one, 'give', {
        to: selectorOf(taker),
        resources: rule.map(({name}) => ({name, there: nameThere(name)})),
        ...(isDry('give', rule) && {dryRun: true}),
      }),
    from,
  );
  const left = draw.chance(60) ? from.resources.filter((one) => !all.includes(one)) : from.resources;
  return [
    ...edited(scene, {...takes, resources: [...to.resources, ...taken]}, 'take from another XR'),
    ...edited(scene, {...gives, resources: left}, 'give to another XR'),
  ];
}

/** One side takes all its rules of one kind away, whatever is in the middle. */
export const turnBack: Maker = (draw, scene) => {
  const ruled = [...scene.blueprints.values()].flatMap((blueprint) =>
    ruleParts.filter((part) => blueprint.input[part] !== undefined).map((part) => [blueprint, part] as const),
  );
  if (ruled.length === 0) return [];
  const [blueprint, part] = draw.pick(ruled);
  const {[part]: _, ...input} = blueprint.input;
  return edited(scene, {...blueprint, input}, `take the rules of ${part} away`);
};

/** The XRs of a story have one name. */
const nameOfTheXr = '${xr.metadata.name}';

function withRule(blueprint: Blueprint, part: (typeof ruleParts)[number], rule: JsonObject): Blueprint {
  const before = (blueprint.input[part] ?? []) as readonly JsonObject[];
  return {...blueprint, input: {...blueprint.input, [part]: [...before, rule]}};
}
