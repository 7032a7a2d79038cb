// Trials of what an XR has lost, or may lose: its references, its names, all of its world, a password.

import {withAt} from '../../../cluster/json.ts';
import type {Step} from '../../scenario/scenario.ts';
import {drawResource, refsIn} from '../composition.ts';
import {
  apply,
  edited,
  isComposed,
  type Maker,
  patch,
  remove,
  type Scene,
  selectorOf,
  step,
  stopProvider,
  xrObject,
} from '../moves.ts';
import {type ComposedKind, crds, kindsFor, namespaces, nextKinds} from '../platform.ts';
import {asking, inputChanged, isManaged, isNested, trial, tried, withMore} from './tried.ts';

/** All is lost and comes back, the XRs last. */
export function lost({crossplane}: Scene): readonly [backUp: Step, lose: Step, restore: Step] {
  const priorities = crds(crossplane).map(({metadata}) => metadata.name);
  return [
    step('user', 'back up with velero', {kind: 'backup', tool: 'velero', kinds: []}),
    step('user', 'everything is lost', {kind: 'wipe', kinds: []}),
    step('user', 'restore with velero', {kind: 'restore', options: {priorities}}),
  ];
}

/** An XR loses its references, or is deleted without its resources and asked for again: they are there. */
export const lookup: Maker = trial({}, (draw, scene, found) => {
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
});

/** The Composition has external names remembered that exist. */
export const memory: Maker = trial({fit: isManaged}, (_, scene, found) => {
  const blueprint = asking(scene, found, {externalNames: {remember: {in: 'Status'}}});
  return edited(scene, blueprint, inputChanged);
});

/** One resource is composed by the connection details of another. All is lost and comes back, and the provider later. */
export const details: Maker = (draw, scene) => {
  const found = tried(draw, scene, (one) => !isNested(one));
  const kinds = found && kindsFor(scene.crossplane, found.xr.kind).filter(({managed}) => managed);
  if (found === undefined || kinds === undefined || kinds.length === 0) return [];
  const {kind, namespace} = found.xr;
  // Two XRs of the Composition would share the Secret.
  if (isComposed(scene, kind)) return [];
  const publisher = drawResource(draw, kind, 'told', draw.pick(kinds), false);
  const where = publisher.kind.namespaced ? {} : {namespace: namespaces[0] as string};
  const secret = {name: `${kind.plural}-${namespace ?? 'all'}-told`, ...where};
  const told = {...publisher, object: withAt(publisher.object, ['spec', 'writeConnectionSecretToRef'], secret)};
  const needs = {resource: 'told', connectionDetail: 'endpoint'};
  const reader = {...drawResource(draw, kind, 'reads', draw.pick(kinds), false), composes: {needs}};
  const [stopped, started] = stopProvider(draw, scene) as [Step, Step];
  const [taken, gone, back] = lost(scene);
  const dropped = draw.chance(40) ? edited(scene, found.blueprint, 'drop what reads and what is read') : [];
  const isLate = draw.chance(60);
  return [
    ...edited(scene, withMore(found.blueprint, [told, reader]), 'compose by connection details'),
    taken,
    ...(isLate ? [stopped] : []),
    gone,
    back,
    ...(isLate ? [started] : []),
    ...dropped,
  ];
};

/** A rule moves a resource to a kind of another group. Its Secret holds a password, which the provider knows only after the create. */
export const password: Maker = (draw, scene) => {
  const found = tried(draw, scene);
  if (found === undefined || isComposed(scene, found.xr.kind)) return [];
  const {crossplane} = scene;
  const {kind: xr} = found.xr;
  const moves = kindsFor(crossplane, xr).flatMap((from) =>
    nextKinds(crossplane, xr, from).flatMap((to) => (to.kind === from.kind ? [[from, to] as const] : [])),
  );
  if (moves.length === 0) return [];
  const [from, to] = draw.pick(moves);
  const publisher = (kind: ComposedKind, name: string) => {
    const one = drawResource(draw, xr, 'keyed', kind, false);
    const secret = {name: `${xr.plural}-${name}`, ...(kind.namespaced ? {} : {namespace: namespaces[0] as string})};
    return {...one, object: withAt(one.object, ['spec', 'writeConnectionSecretToRef'], secret)};
  };
  const [old, fresh] = [publisher(from, 'keyed'), publisher(to, 'keyed-new')];
  const rule = {from: {resources: ['keyed']}, to: {apiVersion: to.apiVersion, kind: to.kind}};
  const moving = asking(scene, found, {handover: [rule]});
  return [
    ...edited(scene, withMore(found.blueprint, [old]), 'compose what has a password'),
    ...edited(scene, withMore(moving, [fresh]), 'move what has a password to another kind'),
  ];
};
