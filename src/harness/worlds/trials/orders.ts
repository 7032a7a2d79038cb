// Trials of usages and of orders.

import type {JsonObject} from '../../../cluster/json.ts';
import type {Step} from '../../scenario/scenario.ts';
import type {Resource} from '../composition.ts';
import {composedOf, drawDelete, edited, type Maker, remove, selectorOf, step, stopProvider} from '../moves.ts';
import {asking, inputChanged, isNested, trial, tried, withMore, without} from './tried.ts';

/** One resource uses another. A person deletes the other, perhaps before the user is dropped, or both are dropped, or their XR is deleted. */
export const use: Maker = (draw, scene) => {
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

/** One resource uses all others. A person deletes one of them. */
export const severalUses: Maker = trial({least: 3}, (draw, scene, found) => {
  const [user, ...used] = draw.some(found.resources, found.resources.length) as [Resource, ...Resource[]];
  const usages = used.map(({name}) => ({of: name, by: user.name}));
  const target = composedOf(found.xr, draw.pick(used));
  return [
    ...edited(scene, asking(scene, found, {usages}), inputChanged),
    step('person', 'delete what is in use', remove(target)),
  ];
});

/** Two resources more come in an order after one that is there. Their XR goes, or the second is dropped and a person deletes the first. */
export const ordered: Maker = (draw, scene) => {
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

/** An order counts for creation alone, or for deletion alone. Its first resource goes, or both come anew. */
export const halfOrder: Maker = trial({fit: (one) => !isNested(one), least: 2}, (draw, scene, found) => {
  const [first, second] = draw.some(found.resources, 2) as [Resource, Resource];
  const sequence = [first, second].map(({name}) => ({resources: [name]}));
  const only = draw.pick([{createOnly: true}, {deleteOnly: true}]);
  const blueprint = asking(scene, found, {order: [{sequence, ...only}]});
  const asked = edited(scene, blueprint, inputChanged);
  const bare = without(blueprint, [first, second]);
  return draw.weighted<() => readonly Step[]>([
    [2, () => [...asked, drawDelete(draw, 'delete what comes first', 'person', composedOf(found.xr, first))]],
    [2, () => [...asked, ...edited(scene, without(blueprint, [first]), 'drop what comes first')]],
    [
      2,
      () => {
        const [stopped, started] = stopProvider(draw, scene) as [Step, Step];
        const dropped = edited(scene, bare, 'drop two in an order');
        return [...asked, ...dropped, stopped, ...edited(scene, blueprint, 'take two in an order back'), started];
      },
    ],
  ])();
});
