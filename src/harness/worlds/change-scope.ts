// An XR's scope cannot be changed: it goes, its definition goes, and both come back as something else of the same name.

import {type Blueprint, compositionOf, drawResource} from './composition.ts';
import type {Draw} from './draw.ts';
import {apply, type Maker, remove, selectorOf, step, type Xr, xrObject} from './moves.ts';
import {namespaces, type XrKind, xrd} from './platform.ts';

export const changeScope: Maker = (draw, scene) => {
  const old = draw.pick(scene.xrs);
  const blueprint = scene.blueprints.get(old.kind);
  const isAlone = scene.xrs.filter(({kind}) => kind === old.kind).length === 1;
  if (old.kind.scope === 'LegacyCluster' || blueprint === undefined || !isAlone) return [];
  // An object that keeps the XR from going keeps the definition from going, too: an XR of another scope could not exist.
  if (blueprint.dialect !== undefined || blueprint.input['protect'] !== undefined) return [];
  const kind: XrKind = {...old.kind, scope: old.kind.scope === 'Cluster' ? 'Namespaced' : 'Cluster'};
  const xr: Xr = {...old, kind, namespace: kind.scope === 'Namespaced' ? draw.pick(namespaces) : undefined};
  const moved = fitting(draw, kind, blueprint);
  scene.xrs.splice(scene.xrs.indexOf(old), 1, xr);
  scene.blueprints.delete(old.kind);
  scene.blueprints.set(kind, moved);
  scene.known.set(kind, moved.resources);
  const {apiVersion, kind: ofDefinition, metadata} = xrd(kind);
  const definition = {apiVersion, kind: ofDefinition, name: metadata.name};
  return [
    step('user', 'delete an XR', remove(selectorOf(old))),
    step('user', 'remove the definition of an XR', remove(definition)),
    step('user', 'define an XR with another scope', apply(xrd(kind), compositionOf(moved))),
    step('user', 'ask for the XR again', apply(xrObject(xr))),
  ];
};

/** The same resources, as far as an XR of that scope composes them, where it composes them. */
function fitting(draw: Draw, xr: XrKind, blueprint: Blueprint): Blueprint {
  const allowed = blueprint.resources.filter(({kind: {namespaced}}) => xr.scope !== 'Namespaced' || namespaced);
  const resources = allowed.map(({name, kind}) => drawResource(draw, xr, name, kind));
  // A template composes what the other scope may not have.
  const {resources: _, ...input} = blueprint.input;
  return {...blueprint, xr, resources, input};
}
