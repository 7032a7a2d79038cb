// Trials of what is protected.

import type {JsonObject} from '../../../cluster/json.ts';
import type {KubeObject} from '../../../cluster/object.ts';
import type {Step} from '../../scenario/scenario.ts';
import type {Draw} from '../draw.ts';
import {
  apply,
  composedOf,
  drawDelete,
  edited,
  type Maker,
  patch,
  remove,
  type Scene,
  selectorOf,
  step,
} from '../moves.ts';
import {type ComposedKind, composedKinds, isModern, namespaces} from '../platform.ts';
import {asking, inputChanged, trial, tried, without} from './tried.ts';

/** A person deletes a protected resource or its XR, or the Composition drops it. */
export const protection: Maker = trial({}, (draw, scene, found) => {
  const resource = draw.pick(found.resources);
  const xr = draw.pick(['WithResources', 'Always', 'Never']);
  const blueprint = asking(scene, found, {protect: {resources: [{match: {resources: [resource.name]}}], xr}});
  const asked = edited(scene, blueprint, inputChanged);
  return draw.weighted<() => readonly Step[]>([
    [4, () => [...asked, drawDelete(draw, 'delete what is protected', 'person', composedOf(found.xr, resource))]],
    [3, () => [...asked, drawDelete(draw, 'delete a protected XR', 'user', selectorOf(found.xr))]],
    [1, () => [...asked, ...edited(scene, without(blueprint, [resource]), 'drop a resource')]],
  ])();
});

/** An XR is protected though nothing of it is, or is not though something is, and its user deletes it. */
export const ofXrAlone: Maker = trial({}, (draw, scene, found) => {
  const {name} = draw.pick(found.resources);
  const resources = [{match: {resources: [draw.chance(60) ? 'none' : name], optional: true}}];
  const protect = {resources, xr: draw.pick(['WithResources', 'Always', 'Never'])};
  return [
    ...edited(scene, asking(scene, found, {protect}), inputChanged),
    drawDelete(draw, 'delete an XR', 'user', selectorOf(found.xr)),
  ];
});

/** All resources are protected, and a person deletes one of them. */
export const protectedTogether: Maker = trial({}, (draw, scene, found) => {
  const protect = {resources: [{match: {pattern: '.*'}}], xr: 'Never'};
  const target = composedOf(found.xr, draw.pick(found.resources));
  return [
    ...edited(scene, asking(scene, found, {protect}), inputChanged),
    step('person', 'delete one of what is protected', remove(target)),
  ];
});

/** A label of an XR protects it, or not any more, and its user deletes it. */
export const labelledXr: Maker = trial({}, (draw, scene, found) => {
  const resources = [{match: {resources: ['none'], optional: true}}];
  const protect = {resources, xr: 'Never', xrMatch: {labels: [{key: 'keep', value: 'yes'}]}};
  const target = selectorOf(found.xr);
  const labelled = (keep: string) => step('user', 'label an XR', patch(target, {metadata: {labels: {keep}}}));
  return [
    ...edited(scene, asking(scene, found, {protect}), inputChanged),
    labelled('yes'),
    ...(draw.chance(30) ? [labelled('no')] : []),
    drawDelete(draw, 'delete an XR', 'user', target),
  ];
});

/**
 * An XR protects an object that its step only requires, which may be in another namespace than the XR, or in none. A person deletes it,
 * or the XR goes first. Needs Crossplane 2.
 */
export const required: Maker = (draw, scene) =>
  requiring(draw, scene, () =>
    draw.pick<JsonObject>([{resources: ['foundation']}, {labels: [{key: 'role', value: 'required'}]}]),
  );

export function requiring(draw: Draw, scene: Scene, matchOf: (kind: ComposedKind) => JsonObject): readonly Step[] {
  const found = tried(draw, scene);
  if (found === undefined || !isModern(scene.crossplane)) return [];
  const kind = draw.pick(composedKinds(scene.crossplane));
  const {apiVersion} = kind;
  const any = draw.pick(namespaces);
  const where = kind.namespaced ? {namespace: draw.chance(60) ? (found.xr.namespace ?? any) : any} : {};
  const labels = {role: 'required'};
  const object = {
    apiVersion,
    kind: kind.kind,
    metadata: {name: 'required', labels, ...where},
    ...kind.body,
  } as KubeObject;
  const target = {apiVersion, kind: kind.kind, name: 'required', ...where};
  const requires = draw.chance(50) ? target : {apiVersion, kind: kind.kind, ...where, matchLabels: labels};
  const match = matchOf(kind);
  const blueprint = asking(scene, found, {protect: {required: [{match}], xr: 'Never'}});
  return [
    step('user', 'make what an XR requires', apply(object)),
    ...edited(scene, {...blueprint, requires: {requirementName: 'foundation', ...requires}}, inputChanged),
    ...(draw.chance(30) ? [drawDelete(draw, 'delete an XR', 'user', selectorOf(found.xr))] : []),
    step('person', 'delete what an XR requires', remove(target)),
  ];
}
