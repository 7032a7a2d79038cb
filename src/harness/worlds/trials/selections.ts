// Trials in which one word of a selector decides, in each part of the input that has one.

import {type JsonObject, withAt} from '../../../cluster/json.ts';
import {drawResource, type Resource} from '../composition.ts';
import type {Draw} from '../draw.ts';
import {composedOf, drawDelete, edited, type Maker, patch, selectorOf, step} from '../moves.ts';
import {asynchronous} from '../platform.ts';
import {requiring} from './protection.ts';
import {asking, inputChanged, isManaged, isNested, trial, tried, withMore, withResource} from './tried.ts';

/** Selects the resource by one word. `beside`: resources that it is not to select. */
function byOneWord(draw: Draw, {name, kind: {apiVersion, kind}}: Resource, beside: readonly Resource[]): JsonObject {
  const isAlone = beside.every((one) => one.kind.kind !== kind || one.kind.apiVersion !== apiVersion);
  return draw.weighted<JsonObject>([
    [2, {labels: [{key: 'role', value: name}]}],
    [2, {labels: [{key: 'role', value: name.toUpperCase(), ignoreCase: true}]}],
    [2, {pattern: `${name}.?`}],
    [isAlone ? 4 : 0, {kinds: [{apiVersion, kind}]}],
  ]);
}

/** An order selects each of two resources by one word. A person deletes one of all resources. */
export const selectedOrder: Maker = trial({fit: (one) => !isNested(one), least: 3}, (draw, scene, found) => {
  const [first, second] = draw.some(found.resources, 2) as [Resource, Resource];
  const [of, by] = [byOneWord(draw, first, [second]), byOneWord(draw, second, [first])];
  const order = draw.chance(50) ? {of, by} : {sequence: [of, by]};
  const target = composedOf(found.xr, draw.pick(found.resources));
  return [
    ...edited(scene, asking(scene, found, {order: [order]}), inputChanged),
    drawDelete(draw, 'delete what an order may select', 'person', target),
  ];
});

/** A rule of handover selects the old resource by one word. */
export const selectedMove: Maker = trial({fit: isManaged, least: 2}, (draw, scene, found) => {
  const old = draw.pick(found.resources);
  const from = byOneWord(
    draw,
    old,
    found.blueprint.resources.filter((one) => one !== old),
  );
  const asked = asking(scene, found, {handover: [{from, to: {resource: `${old.name}-moved`}}]});
  return edited(scene, withResource(asked, old, {...old, name: `${old.name}-moved`}), 'move what one word selects');
});

/** The cloud names an external resource. The first rule for names is about another one. Then the provider restarts. */
export const selectedName: Maker = (draw, scene) => {
  const found = tried(draw, {...scene, xrs: scene.xrs.filter(({kind}) => kind.scope !== 'Namespaced')}, isManaged);
  if (found === undefined) return [];
  const added = drawResource(draw, found.xr.kind, 'keyed', asynchronous, false);
  const object = withAt(added.object, ['spec', 'managementPolicies'], ['Observe', 'Create', 'Update', 'Delete']);
  const other = byOneWord(draw, draw.pick(found.resources), [added]);
  const from = [
    {match: other, path: 'status.absent'},
    {match: byOneWord(draw, added, found.resources), path: 'status.atProvider.id'},
  ];
  return [
    ...edited(
      scene,
      withMore(asking(scene, found, {externalNames: {from}}), [{...added, object}]),
      'name by two rules',
    ),
    step('user', 'restart provider', {kind: 'process', change: 'restart', process: 'provider'}),
  ];
};

/** An XR is protected by its label and its kind, or not, and its user deletes it. */
export const selectedXr: Maker = trial({}, (draw, scene, found) => {
  const {apiVersion, kind} = found.xr.kind;
  const label = {key: 'keep', value: 'YES', ignoreCase: draw.chance(50)};
  const of = {apiVersion, kind: draw.pick([kind, 'Other'])};
  const xrMatch = draw.pick<JsonObject>([{labels: [label]}, {kinds: [of]}, {kinds: [of], labels: [label]}]);
  const protect = {resources: [{match: {resources: ['none'], optional: true}}], xr: 'Never', xrMatch};
  const target = selectorOf(found.xr);
  return [
    step('user', 'label an XR', patch(target, {metadata: {labels: {keep: 'yes'}}})),
    ...edited(scene, asking(scene, found, {protect}), inputChanged),
    drawDelete(draw, 'delete an XR', 'user', target),
  ];
});

/** One word selects what the step requires, or does not. */
export const selectedRequirement: Maker = (draw, scene) =>
  requiring(draw, scene, ({apiVersion, kind}) =>
    draw.pick<JsonObject>([
      {resources: ['other'], optional: true},
      {pattern: 'found'},
      {pattern: 'found.*'},
      {kinds: [{apiVersion, kind}]},
      {kinds: [{apiVersion, kind: 'Other'}]},
      {labels: [{key: 'role', value: 'REQUIRED', ignoreCase: draw.chance(50)}]},
    ]),
  );
