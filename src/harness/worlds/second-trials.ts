// A second end of a story: what harms only the second time, only some of several, or only a value that is none. Its draws are its own.

import type {JsonObject} from '../../cluster/json.ts';
import type {Step} from '../scenario/scenario.ts';
import type {Resource} from './composition.ts';
import type {Draw} from './draw.ts';
import {composedOf, edited, type Maker, patch, remove, type Scene, selectorOf, step, stopProvider} from './moves.ts';
import {annotationConfirmRemoval} from './tether-marks.ts';
import {
  asking,
  failure,
  inputChanged,
  isManaged,
  isNested,
  tried,
  withField,
  withMore,
  without,
  withResource,
} from './trials.ts';

export function drawSecondTrial(draw: Draw, scene: Scene): readonly Step[] {
  return draw.chance(40) ? draw.weighted(secondTrials)(draw, scene) : [];
}

/** An XR has several of one resource, then fewer. */
const scaling: Maker = (draw, scene) => {
  const found = tried(draw, scene, (one) => !isNested(one) && one.object['metadata'] !== undefined);
  if (found === undefined) return [];
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
};

/** An external resource is unavailable, and its provider does not look. */
const outage: Maker = (draw, scene) => {
  const [stopped, started] = stopProvider(draw, scene);
  const failed = failure(draw, scene);
  return failed.length === 0 ? [] : [stopped as Step, ...failed, started as Step];
};

/** A field gets a value that is none to many programs. */
const nought: Maker = (draw, scene) => {
  const found = tried(draw, scene, isManaged);
  if (found === undefined) return [];
  const old = draw.pick(found.resources);
  const value = old.kind.kind === 'Database' || draw.chance(50) ? {replicas: 0} : {size: ''};
  const [[field, none]] = Object.entries(value) as [[string, string | number]];
  const changed = {...old, object: withField(old.object, ['spec', 'forProvider', field], none)};
  return edited(scene, withResource(found.blueprint, old, changed), 'write a value that is none');
};

/** One resource uses all others. A person deletes one of them. */
const severalUses: Maker = (draw, scene) => {
  const found = tried(draw, scene);
  if (found === undefined || found.resources.length < 3) return [];
  const [user, ...used] = draw.some(found.resources, found.resources.length) as [Resource, ...Resource[]];
  const usages = used.map(({name}) => ({of: name, by: user.name}));
  const target = composedOf(found.xr, draw.pick(used));
  return [
    ...edited(scene, asking(scene, found, {usages}), inputChanged),
    step('person', 'delete what is in use', remove(target)),
  ];
};

/** All is dropped, and policies, a budget or a person let some of it go. */
const partialRemoval: Maker = (draw, scene) => {
  const found = tried(draw, scene);
  if (found === undefined || found.resources.length < 2) return [];
  const [first, second] = draw.some(found.resources, 2) as [Resource, Resource];
  const selected = {resources: [first.name]};
  const removal = draw.weighted<JsonObject>([
    [3, {policies: [{match: {}, policy: 'Confirm'}]}],
    [
      1,
      {
        policies: [
          {match: selected, policy: 'Retain'},
          {match: {}, policy: 'Delete'},
        ],
      },
    ],
    [
      1,
      {
        policies: [
          {match: selected, policy: 'Delete'},
          {match: {}, policy: 'Retain'},
        ],
      },
    ],
    [1, {budget: {resources: 1}}],
    [1, {budget: {percent: 50}}],
  ]);
  const blueprint = asking(scene, found, {removal});
  const dropped = draw.chance(50) ? [first, second] : found.resources;
  const annotations = {[annotationConfirmRemoval]: first.name};
  return [
    ...edited(scene, blueprint, inputChanged),
    ...edited(scene, without(blueprint, dropped), 'drop everything'),
    step('user', 'confirm one removal', patch(selectorOf(found.xr), {metadata: {annotations}})),
  ];
};

/** The first step writes a status or a connection detail, and later another. */
const newWords: Maker = (draw, scene) => {
  const found = tried(draw, scene);
  if (found === undefined) return [];
  const says = (word: string): JsonObject =>
    found.xr.publishes === undefined ? {xrStatus: {phase: word}} : {connectionDetails: {password: word}};
  const said = (word: string) =>
    edited(scene, {...found.blueprint, says: says(word)}, 'have the first step say more of the XR');
  return [...said('one'), ...said('two')];
};

/** Two resources more come in an order after one that is there. Their XR goes, or the second is dropped and a person deletes the first. */
const ordered: Maker = (draw, scene) => {
  const found = tried(draw, scene, (one) => !isNested(one));
  const first = found?.resources.find(({object}) => isPlain(object));
  if (found === undefined || first === undefined) return [];
  const more = ['then', 'last'].map((name) => ({...first, name}));
  const sequence = [first, ...more].map(({name}) => ({resources: [name]}));
  const how = draw.pick([{}, {createOnly: true}, {deleteOnly: true}]);
  const asked = asking(scene, found, {order: [{sequence, ...how}]});
  const all = withMore(asked, more);
  const stopped = draw.chance(50) ? stopProvider(draw, scene) : [];
  return [
    ...stopped.slice(0, 1),
    ...edited(scene, all, 'add resources in an order'),
    ...stopped.slice(1),
    ...draw.pick<() => readonly Step[]>([
      () => [step('user', 'delete an XR', remove(selectorOf(found.xr)))],
      () => [
        ...edited(scene, without(all, more.slice(0, 1)), 'drop the second of an order'),
        step('person', 'delete the first of an order', remove(composedOf(found.xr, first))),
      ],
    ])(),
  ];
};

/** Of its copies each may have a name of its own. */
function isPlain({metadata, spec}: JsonObject): boolean {
  const {name, annotations} = (metadata ?? {}) as JsonObject;
  return name === undefined && annotations === undefined && !JSON.stringify(spec ?? {}).includes('SecretToRef');
}

/** A nested XR is edited, and edited again. */
const nestedEdit: Maker = (draw, scene) => {
  const found = tried(draw, scene, isNested);
  const [old] = found?.resources ?? [];
  if (found === undefined || old === undefined) return nought(draw, scene);
  const sized = (size: string) =>
    withResource(found.blueprint, old, {...old, object: withField(old.object, ['spec', 'size'], size)});
  return [...edited(scene, sized('large'), 'edit a nested XR'), ...edited(scene, sized('small'), 'edit a nested XR')];
};

const secondTrials: readonly (readonly [number, Maker])[] = [
  [4, scaling],
  [3, outage],
  [3, nought],
  [3, severalUses],
  [5, partialRemoval],
  [3, newWords],
  [3, ordered],
  [3, nestedEdit],
];
