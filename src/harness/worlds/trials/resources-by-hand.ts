// Trials of one composed resource: a person pauses, marks or deletes it, or its provider fails.

import {annotationPaused} from '../../../cluster/vocabulary.ts';
import type {Step} from '../../scenario/scenario.ts';
import {drawResource, type Resource} from '../composition.ts';
import {composedOf, drawDelete, edited, type Maker, patch, selectorOf, step, stopProvider, type Xr} from '../moves.ts';
import {withOneField} from './edits.ts';
import {asking, inputChanged, isManaged, trial, tried, withMore, without} from './tried.ts';

/** A person pauses a composed resource. It is dropped, or edited, or only goes on. */
export const pausing: Maker = trial({fit: isManaged}, (draw, scene, found) => {
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
});

/** A controller says of an external resource that it is unavailable, until the provider looks again. */
function failing(xr: Xr, resource: Resource): Step {
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

/** An external resource is unavailable, and its provider does not look. */
export const outage: Maker = (draw, scene) => {
  const [stopped, started] = stopProvider(draw, scene);
  const failed = failure(draw, scene);
  return failed.length === 0 ? [] : [stopped as Step, ...failed, started as Step];
};

/** A resource is unavailable, and a person deletes it before its provider looks, perhaps against a protection. */
export const unavailable: Maker = trial({fit: isManaged}, (draw, scene, found) => {
  const resource = draw.pick(found.resources);
  const protect = {resources: [{match: {resources: [resource.name]}}]};
  const [stopped, started] = stopProvider(draw, scene) as [Step, Step];
  const deleted = drawDelete(draw, 'delete what is unavailable', 'person', composedOf(found.xr, resource));
  const asked = draw.chance(60) ? edited(scene, asking(scene, found, {protect}), inputChanged) : [];
  return [...asked, stopped, failing(found.xr, resource), deleted, started];
});

/** The provider dies in the middle of a create, and looks again only once it starts anew. */
export const interrupted: Maker = trial({fit: isManaged}, (draw, scene, found) => {
  const {kind} = draw.pick(found.resources);
  const added = drawResource(draw, found.xr.kind, 'interrupted', kind, false);
  const composing = edited(scene, withMore(found.blueprint, [added]), 'add what a create is interrupted of');
  const faults = [{fault: 'provider-restart', at: 1 + draw.below(4)}] as const;
  const process = {kind: 'process', change: 'restart', process: 'provider'} as const;
  return [...composing.map((one) => ({...one, faults})), step('user', 'restart provider', process)];
});

/** A person marks an XR, or what it composes. */
export const marking: Maker = (draw, scene) => {
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
