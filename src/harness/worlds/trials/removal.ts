// Trials of removal policies: what they select is dropped.

import {type JsonObject, withAt} from '../../../cluster/json.ts';
import {drawResource, type Resource} from '../composition.ts';
import {composedOf, edited, type Maker, patch, remove, selectorOf, step} from '../moves.ts';
import {kindsFor, nextKinds} from '../platform.ts';
import {annotationConfirmRemoval} from '../tether-marks.ts';
import {asking, inputChanged, trial, withMore, without} from './tried.ts';

/** A removal policy selects a resource. It is dropped, alone or with all others. */
export const removal: Maker = trial({}, (draw, scene, found) => {
  const resource = draw.pick(found.resources);
  const policy = draw.pick(['Delete', 'Orphan', 'Retain', 'Confirm']);
  const policies = [{match: draw.chance(70) ? {resources: [resource.name]} : {}, policy}];
  const blueprint = asking(scene, found, {removal: {policies}});
  const dropped = draw.chance(60) ? [resource] : blueprint.resources;
  return [
    ...edited(scene, blueprint, inputChanged),
    ...edited(scene, without(blueprint, dropped), dropped.length === 1 ? 'drop a resource' : 'drop everything'),
  ];
});

/** A retained resource is dropped, and a person deletes it. */
export const retained: Maker = trial({}, (draw, scene, found) => {
  const resource = draw.pick(found.resources);
  const policies = [{match: {resources: [resource.name]}, policy: 'Retain'}];
  const blueprint = asking(scene, found, {removal: {policies}});
  return [
    ...edited(scene, blueprint, inputChanged),
    ...edited(scene, without(blueprint, [resource]), 'drop a resource'),
    step('person', 'delete what is retained', remove(composedOf(found.xr, resource))),
  ];
});

/** All is dropped, and policies, a budget or a person let some of it go. */
export const partialRemoval: Maker = trial({least: 2}, (draw, scene, found) => {
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
  const of = draw.chance(30) ? `@\${uid:resource=${first.name}}` : '';
  const annotations = {[annotationConfirmRemoval]: `${first.name}${of}`};
  return [
    ...edited(scene, blueprint, inputChanged),
    ...edited(scene, without(blueprint, dropped), 'drop everything'),
    step('user', 'confirm one removal', patch(selectorOf(found.xr), {metadata: {annotations}})),
  ];
});

/** A selector fits one of two resources that differ in a letter, a case or a group. A policy holds that one, and both are dropped. */
export const nearMiss: Maker = trial({}, (draw, scene, found) => {
  const {crossplane} = scene;
  const {kind: xr} = found.xr;
  const kind = draw.pick(kindsFor(crossplane, xr));
  const ofKind = draw.pick([kind, ...nextKinds(crossplane, xr, kind).filter((one) => one.kind === kind.kind)]);
  const one = drawResource(draw, xr, 'near', kind, false);
  const other = drawResource(draw, xr, 'nearly', ofKind, false);
  const upper = {...other, object: withAt(other.object, ['metadata', 'labels', 'role'], 'NEAR')};
  const isCased = draw.chance(50);
  const match = draw.weighted<JsonObject>([
    [2, {pattern: 'near'}],
    [1, {pattern: 'near.+'}],
    [2, {labels: [{key: 'role', value: 'near', ...(isCased && {ignoreCase: true})}]}],
    [2, {kinds: [{apiVersion: kind.apiVersion, kind: kind.kind}]}],
  ]);
  const policy = draw.pick(['Retain', 'Confirm', 'Orphan']);
  const both = [one, upper];
  const blueprint = asking(
    scene,
    {...found, blueprint: withMore(found.blueprint, both)},
    {removal: {policies: [{match, policy}]}},
  );
  return [
    ...edited(scene, blueprint, 'compose two of a sort'),
    ...edited(scene, without(blueprint, both), 'drop two of a sort'),
  ];
});
