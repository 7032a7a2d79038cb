// Trials of an edit: one field, a count, a name, a value that is none.

import {type JsonObject, withAt} from '../../../cluster/json.ts';
import {annotationExternalName} from '../../../cluster/vocabulary.ts';
import type {Step} from '../../scenario/scenario.ts';
import {type Blueprint, drawResource, type Resource} from '../composition.ts';
import type {Draw} from '../draw.ts';
import {changed, edited, isComposed, type Maker, patch, selectorOf, step, type Xr} from '../moves.ts';
import {type ComposedKind, kindsFor, nextKinds} from '../platform.ts';
import {asking, inputChanged, isManaged, isNested, trial, tried, withMore, withResource} from './tried.ts';

export const oneField: Maker = trial({}, (draw, scene, found) => {
  const [one, other] = withOneFieldTwice(draw, found.blueprint, draw.pick(found.resources));
  const changed = edited(scene, one, 'change one field');
  return draw.weighted<() => readonly Step[]>([
    [3, () => changed],
    [4, () => [...changed, ...edited(scene, found.blueprint, 'take the field away again')]],
    [3, () => [...changed, ...edited(scene, other, 'change the field again')]],
  ])();
});

/** Every field that a Composition may change later, alone. */
export function withOneField(draw: Draw, blueprint: Blueprint, resource: Resource): Blueprint {
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
    withResource(blueprint, resource, {...resource, object: withAt(object, path, value)}),
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

/** A field gets a value that is none to many programs. */
export const nought: Maker = trial({fit: isManaged}, (draw, scene, found) => {
  const old = draw.pick(found.resources);
  const value = old.kind.kind === 'Database' || draw.chance(50) ? {replicas: 0} : {size: ''};
  const [[field, none]] = Object.entries(value) as [[string, string | number]];
  const changed = {...old, object: withAt(old.object, ['spec', 'forProvider', field], none)};
  return edited(scene, withResource(found.blueprint, old, changed), 'write a value that is none');
});

/**
 * Values of sorts that few authors write: long, in another alphabet or form, with spaces around, that are none, numbers of many sizes,
 * texts that look like others, lists whose order and repetition count, a label with a prefix.
 */
export const values: Maker = trial({fit: isManaged}, (draw, scene, found) => {
  const old = draw.pick(found.resources);
  const tags = {
    long: 'long '.repeat(40),
    city: 'Zürich',
    lines: '  one\n  two\n',
    cafe: 'cafe\u0301',
    empty: draw.chance(50) ? {} : [],
    none: {off: false, zero: 0, text: ''},
    share: 0.25,
    numbers: [-1, 3_000_000_000, 1_234_567_890_123, 0.1],
    texts: ['1', 'true', 'null', '1e3', '007'],
    order: ['b', 'a', 'b', {deep: [['c'], []]}],
    'a.b/c': 'key',
  };
  const tagged = withAt(old.object, ['spec', 'forProvider', 'tags'], tags);
  const object = withAt(tagged, ['metadata', 'labels', 'example.org/team'], 'blue');
  return edited(scene, withResource(found.blueprint, old, {...old, object}), 'write values of many sorts');
});

/** An XR has several of one resource, then fewer. */
export const scaling: Maker = trial(
  {fit: (one) => !isNested(one) && one.object['metadata'] !== undefined},
  (draw, scene, found) => {
    const old = draw.pick(found.resources);
    const {name: _, annotations: __, ...metadata} = old.object['metadata'] as JsonObject;
    const {writeConnectionSecretToRef: ___, ...spec} = (old.object['spec'] ?? {}) as JsonObject;
    const object = {...old.object, metadata, ...(old.object['spec'] !== undefined && {spec})};
    const counted = {...old, name: `${old.name}-of`, object, composes: {count: 'spec.count'}};
    const counts = (count: number, name: string): Step =>
      step('user', name, patch(selectorOf(found.xr), {spec: {count}}));
    return [
      counts(3, 'count up or down'),
      ...edited(scene, withMore(found.blueprint, [counted]), 'add a resource that the XR counts'),
      ...(draw.chance(70) ? [counts(1, 'count up or down')] : []),
      ...(draw.chance(50) ? [counts(0, 'count down to none')] : []),
    ];
  },
);

/** The first step writes a status, or the connection details of an XR that has some, and later others. */
export const newWords: Maker = (draw, scene) => {
  const publishing = scene.xrs.filter(({publishes}) => publishes);
  const found = tried(draw, publishing.length === 0 ? scene : {...scene, xrs: publishing});
  if (found === undefined) return [];
  const says = (word: string): JsonObject =>
    found.xr.publishes === undefined ? {xrStatus: {phase: word}} : {connectionDetails: {password: word, user: word}};
  const said = (word: string) =>
    edited(scene, {...found.blueprint, says: says(word)}, 'have the first step say more of the XR');
  return [...said('one'), ...said('two')];
};

/** A template of the input is wanted only while the XR has a value, which an edit takes away and gives back. */
export const included: Maker = trial({fit: isManaged}, (draw, scene, found) => {
  const {kind} = draw.pick(found.resources);
  const {object: base} = drawResource(draw, found.xr.kind, 'switched', kind, false);
  const resources = [{name: 'switched', base, include: 'xr.spec.size == "on"'}];
  const sized = (size: string) => step('user', `switch ${size}`, patch(selectorOf(found.xr), {spec: {size}}));
  const asked = edited(scene, asking(scene, found, {resources}), inputChanged);
  return [...asked, sized('on'), ...(draw.chance(60) ? [sized('off')] : [])];
});

/**
 * The author of a new resource writes its external name. Then an edit writes that under another resource name, perhaps for another
 * object or kind, or with other parameters, and perhaps it is taken back. Two XRs of one kind would share it.
 */
export const naming: Maker = (draw, scene) => {
  const isAlone = ({kind}: Xr) => scene.xrs.filter((one) => one.kind === kind).length === 1 && !isComposed(scene, kind);
  const alone = scene.xrs.filter(isAlone);
  const found = tried(draw, {...scene, xrs: alone});
  if (found === undefined) return [];
  const {blueprint, xr} = found;
  const managed = (kinds: readonly ComposedKind[]) => kinds.filter((kind) => kind.managed);
  const drawn = drawResource(draw, xr.kind, 'named', draw.pick(managed(kindsFor(scene.crossplane, xr.kind))), false);
  const external = ['metadata', 'annotations', annotationExternalName];
  const withNames = (one: Resource, name: string): Resource => {
    const object = withAt(one.object, external, `${xr.kind.plural}-named`);
    return {...one, object: name === '' ? object : withAt(object, ['metadata', 'name'], name)};
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
