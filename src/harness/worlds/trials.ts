// The end of a story: a trial of one part of the input, or of a field that people edit. Its draws are its own, so that the steps
// before it stay the same.

import type {JsonObject} from '../../cluster/json.ts';
import {annotationExternalName, annotationPaused} from '../../cluster/vocabulary.ts';
import type {Step} from '../scenario/scenario.ts';
import {type Blueprint, drawResource, type Resource, refsIn, versionWord} from './composition.ts';
import type {Draw} from './draw.ts';
import {
  apply,
  changed,
  composedOf,
  drawDelete,
  edited,
  isComposed,
  type Maker,
  patch,
  remove,
  type Scene,
  selectorOf,
  step,
  type Xr,
  xrObject,
} from './moves.ts';
import {type ComposedKind, kindsFor, nextKinds} from './platform.ts';

/** One in four stories ends without. `before`: its steps so far. Few stories have a nested XR, so theirs end with its use. */
export function drawTrial(draw: Draw, scene: Scene, before: readonly Step[]): readonly Step[] {
  const hasNested = [...scene.blueprints.values()].some(({resources}) => resources.some(isNested));
  const maker = draw.chance(67)
    ? draw.weighted(hasNested ? [...trials, [often, use] as const] : trials)
    : draw.chance(25)
      ? naming
      : undefined;
  return maker === undefined || (maker === lookup && before.some(mayDouble)) ? [] : maker(draw, scene);
}

/** Two objects may then carry one name, and a person has to decide which of them is looked up. */
function mayDouble({action}: Step): boolean {
  const isRelisted = action?.kind === 'patch' && JSON.stringify(action.body).includes('"resourceRefs"');
  return (
    isRelisted || action?.kind === 'restore' || (action?.kind === 'delete' && action.propagationPolicy === 'Orphan')
  );
}

/** A Composition with its present resources, and one of its XRs. */
export interface Tried {
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

/** One resource uses another. A person deletes the other, perhaps before the user is dropped, or both are dropped, or their XR is deleted. */
const use: Maker = (draw, scene) => {
  const nested = tried(draw, scene, isNested);
  const found = tried(draw, nested === undefined ? scene : {...scene, xrs: [nested.xr]});
  if (found === undefined || found.resources.length < 2) return [];
  const used = found.resources.find(isNested) ?? draw.pick(found.resources);
  const user = draw.pick(found.resources.filter((one) => one !== used));
  const [of, by] = [{resources: [used.name]}, {resources: [user.name]}];
  const part = draw.weighted<JsonObject>([
    [4, {usages: [{of: used.name, by: user.name}]}],
    [2, {order: [{of, by}]}],
    [2, {order: [{sequence: [of, by]}]}],
    [1, {order: [{sequence: [of, by], deleteOnly: true}]}],
  ]);
  const blueprint = asking(scene, found, part);
  const asked = edited(scene, blueprint, inputChanged);
  return draw.weighted<() => readonly Step[]>([
    [2, () => [...asked, drawDelete(draw, 'delete what is in use', 'person', composedOf(found.xr, used))]],
    [
      2,
      () => [
        ...asked,
        drawDelete(draw, 'delete what is in use', 'person', composedOf(found.xr, used)),
        ...edited(scene, without(blueprint, [user]), 'drop the user after that'),
      ],
    ],
    [3, () => [...asked, ...edited(scene, without(blueprint, [used, user]), 'drop what is used and its user')]],
    [2, () => [...asked, drawDelete(draw, 'delete an XR', 'user', selectorOf(found.xr))]],
  ])();
};

/** A person deletes a protected resource or its XR, or the Composition drops it. */
const protection: Maker = (draw, scene) => {
  const found = tried(draw, scene);
  if (found === undefined) return [];
  const resource = draw.pick(found.resources);
  const xr = draw.pick(['WithResources', 'Always', 'Never']);
  const blueprint = asking(scene, found, {protect: {resources: [{match: {resources: [resource.name]}}], xr}});
  const asked = edited(scene, blueprint, inputChanged);
  return draw.weighted<() => readonly Step[]>([
    [4, () => [...asked, drawDelete(draw, 'delete what is protected', 'person', composedOf(found.xr, resource))]],
    [3, () => [...asked, drawDelete(draw, 'delete a protected XR', 'user', selectorOf(found.xr))]],
    [1, () => [...asked, ...edited(scene, without(blueprint, [resource]), 'drop a resource')]],
  ])();
};

/** An XR loses its references, or is deleted without its resources and asked for again: they are there. */
const lookup: Maker = (draw, scene) => {
  const found = tried(draw, scene);
  if (found === undefined) return [];
  const restore = {lookup: true, ...(draw.chance(50) ? {stableNames: true} : {})};
  const asked = edited(scene, asking(scene, found, {restore}), inputChanged);
  const emptied = patch(selectorOf(found.xr), {spec: refsIn(found.xr.kind, [])});
  if (draw.chance(40)) return [...asked, step('editor', 'empty resourceRefs', emptied)];
  const gone = {...remove(selectorOf(found.xr)), propagationPolicy: 'Orphan' as const};
  return [
    ...asked,
    step('user', 'delete an XR and orphan its dependents', gone),
    step('user', 'ask for the XR again', apply(xrObject(found.xr))),
  ];
};

/** A removal policy selects a resource. It is dropped, alone or with all others. */
const removal: Maker = (draw, scene) => {
  const found = tried(draw, scene);
  if (found === undefined) return [];
  const resource = draw.pick(found.resources);
  const policy = draw.pick(['Delete', 'Orphan', 'Retain', 'Confirm']);
  const policies = [{match: draw.chance(70) ? {resources: [resource.name]} : {}, policy}];
  const blueprint = asking(scene, found, {removal: {policies}});
  const dropped = draw.chance(60) ? [resource] : blueprint.resources;
  return [
    ...edited(scene, blueprint, inputChanged),
    ...edited(scene, without(blueprint, dropped), dropped.length === 1 ? 'drop a resource' : 'drop everything'),
  ];
};

/** The Composition has external names remembered that exist. */
const memory: Maker = (draw, scene) => {
  const found = tried(draw, scene, isManaged);
  if (found === undefined) return [];
  const blueprint = asking(scene, found, {externalNames: {remember: {in: 'Status'}}});
  return edited(scene, blueprint, inputChanged);
};

/** A person pauses a composed resource. It is dropped, or edited, or only goes on. */
const pausing: Maker = (draw, scene) => {
  const found = tried(draw, scene, isManaged);
  if (found === undefined) return [];
  const resource = draw.pick(found.resources);
  const target = composedOf(found.xr, resource);
  const says = (value: string | null) => patch(target, {metadata: {annotations: {[annotationPaused]: value}}});
  const paused = step('person', 'pause a composed resource', says('true'));
  const goesOn = step('person', 'let a composed resource go on', says(null));
  return draw.weighted<() => readonly Step[]>([
    [3, () => [paused, goesOn]],
    [2, () => [paused, ...edited(scene, without(found.blueprint, [resource]), 'drop a resource'), goesOn]],
    [2, () => [paused, ...edited(scene, withOneField(draw, found.blueprint, resource), 'change one field'), goesOn]],
  ])();
};

/** Every field that a Composition may change later, alone. */
function withOneField(draw: Draw, blueprint: Blueprint, resource: Resource): Blueprint {
  return withOneFieldTwice(draw, blueprint, resource)[0];
}

/** The field has a value, and then another. */
function withOneFieldTwice(draw: Draw, blueprint: Blueprint, resource: Resource): readonly [Blueprint, Blueprint] {
  const {object, kind} = resource;
  const fields: readonly (readonly [number, readonly string[], FieldValue, FieldValue])[] = [
    [2, ['metadata', 'labels', 'tier'], 'gold', 'silver'],
    [2, ['metadata', 'annotations', 'contact'], 'team', 'others'],
    ...(kind.managed ? managedFields(resource) : []),
    ...(object['data'] !== undefined ? ([[3, ['data', 'third'], 'dGhpcmQ=', 'Zm91cnRo']] as const) : []),
  ];
  const [path, ...values] = draw.weighted(fields.map(([weight, ...field]) => [weight, field] as const));
  const [one, other] = values.map((value) =>
    withResource(blueprint, resource, {...resource, object: withField(object, path, value)}),
  ) as [Blueprint, Blueprint];
  return [one, other];
}

type FieldValue = JsonObject | string | readonly string[] | number;

function managedFields({kind}: Resource) {
  const own = kind.kind === 'Database' ? (['replicas', 5, 7] as const) : (['size', 'xxl', 'xs'] as const);
  const policies = ['Observe', 'Create', 'Update', 'LateInitialize'];
  return [
    [3, ['spec', 'forProvider', own[0]], own[1], own[2]],
    [2, ['spec', 'managementPolicies'], policies, ['*']],
    [2, ['spec', 'providerConfigRef', 'name'], 'other', 'another'],
    ...(kind.namespaced ? [] : ([[2, ['spec', 'deletionPolicy'], 'Orphan', 'Delete']] as const)),
  ] as const;
}

export function withField(object: JsonObject, [first, ...rest]: readonly string[], value: unknown): JsonObject {
  const inner = (object[first as string] ?? {}) as JsonObject;
  return {...object, [first as string]: (rest.length === 0 ? value : withField(inner, rest, value)) as JsonObject};
}

const oneField: Maker = (draw, scene) => {
  const found = tried(draw, scene);
  if (found === undefined) return [];
  const [one, other] = withOneFieldTwice(draw, found.blueprint, draw.pick(found.resources));
  const changed = edited(scene, one, 'change one field');
  return draw.weighted<() => readonly Step[]>([
    [3, () => changed],
    [4, () => [...changed, ...edited(scene, found.blueprint, 'take the field away again')]],
    [3, () => [...changed, ...edited(scene, other, 'change the field again')]],
  ])();
};

/** A controller says of an external resource that it is unavailable, until the provider looks again. */
export function failing(xr: Xr, resource: Resource): Step {
  const at = {lastTransitionTime: '2026-01-01T00:00:00Z', reason: 'Unavailable'};
  const conditions = [
    {type: 'Ready', status: 'False', ...at},
    {type: 'Synced', status: 'True', ...at, reason: 'ReconcileSuccess'},
  ];
  const failed = patch(composedOf(xr, resource), {status: {conditions}}, true);
  return step('controller', 'find an external resource unavailable', failed);
}

export const failure: Maker = (draw, scene) => {
  const found = tried(draw, scene, isManaged);
  return found === undefined ? [] : [failing(found.xr, draw.pick(found.resources))];
};

/** A person marks an XR, or what it composes. */
const marking: Maker = (draw, scene) => {
  const {xrs} = scene;
  const found = draw.chance(50) ? tried(draw, scene, isManaged) : undefined;
  if (found !== undefined) {
    const target = composedOf(found.xr, draw.pick(found.resources));
    return [
      step('person', 'annotate a composed resource', patch(target, {metadata: {annotations: {contact: 'team'}}})),
    ];
  }
  const body = draw.pick([
    {metadata: {labels: {tier: 'gold'}}},
    {metadata: {annotations: {contact: 'team'}}},
    {spec: {size: 'large'}},
    {spec: {note: 'other'}},
  ]);
  return [step('user', 'mark an XR', patch(selectorOf(draw.pick(xrs)), body))];
};

/**
 * The author of a new resource writes its external name. Then an edit writes that under another resource name, perhaps for another
 * object or kind, or with other parameters, and perhaps it is taken back. Two XRs of one kind would share it.
 */
const naming: Maker = (draw, scene) => {
  const isAlone = ({kind}: Xr) => scene.xrs.filter((one) => one.kind === kind).length === 1 && !isComposed(scene, kind);
  const alone = scene.xrs.filter(isAlone);
  const found = tried(draw, {...scene, xrs: alone});
  if (found === undefined) return [];
  const {blueprint, xr} = found;
  const managed = (kinds: readonly ComposedKind[]) => kinds.filter((kind) => kind.managed);
  const drawn = drawResource(draw, xr.kind, 'named', draw.pick(managed(kindsFor(scene.crossplane, xr.kind))), false);
  const external = ['metadata', 'annotations', annotationExternalName];
  const withNames = (one: Resource, name: string): Resource => {
    const object = withField(one.object, external, `${xr.kind.plural}-named`);
    return {...one, object: name === '' ? object : withField(object, ['metadata', 'name'], name)};
  };
  const old = withNames(drawn, draw.chance(50) ? `${xr.kind.plural}-named` : '');
  const others = managed(nextKinds(scene.crossplane, xr.kind, drawn.kind));
  const kind = others.length > 0 && draw.chance(20) ? draw.pick(others) : drawn.kind;
  const plain = kind === drawn.kind ? old : withNames(drawResource(draw, xr.kind, 'named', kind, false), '');
  const renamed = {...plain, name: draw.chance(90) ? 'renamed' : 'named'};
  const moved = draw.chance(50) ? withNames(renamed, `${xr.kind.plural}-renamed`) : renamed;
  const next = draw.chance(20) ? {...moved, object: changed(moved)} : moved;
  const composing = (one: Resource, step: string) =>
    edited(scene, {...blueprint, resources: [...blueprint.resources, one]}, step);
  const back = draw.chance(40) ? composing(old, 'take the edit back') : [];
  const early = draw.chance(60) ? {early: 1 + draw.below(60)} : {};
  return [
    ...composing(old, 'compose what has a name in the cloud'),
    ...composing(next, 'write the name in the cloud elsewhere'),
    ...back.map((step) => ({...step, ...early})),
  ];
};

/** As often as all other trials together. */
const often = 36;

const trials: readonly (readonly [number, Maker])[] = [
  [6, use],
  [5, protection],
  [4, lookup],
  [4, removal],
  [2, memory],
  [4, pausing],
  [5, oneField],
  [3, failure],
  [3, marking],
];
