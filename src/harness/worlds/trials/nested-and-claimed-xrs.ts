// Trials of an XR that another XR composes, or that a claim is of.

import {type JsonObject, withAt} from '../../../cluster/json.ts';
import type {KubeObject} from '../../../cluster/object.ts';
import type {Step} from '../../scenario/scenario.ts';
import {apply, drawDelete, edited, type Maker, patch, step, stopProvider} from '../moves.ts';
import {namespaces, xrd} from '../platform.ts';
import {nought} from './edits.ts';
import {ofXrAlone} from './protection.ts';
import {lost} from './restores.ts';
import {asking, inputChanged, isNested, tried, without, withResource} from './tried.ts';

/** A nested XR is edited, and edited again. */
export const nestedEdit: Maker = (draw, scene) => {
  const found = tried(draw, scene, isNested);
  const [old] = found?.resources ?? [];
  if (found === undefined || old === undefined) return nought(draw, scene);
  const sized = (size: string) =>
    withResource(found.blueprint, old, {...old, object: withAt(old.object, ['spec', 'size'], size)});
  return [...edited(scene, sized('large'), 'edit a nested XR'), ...edited(scene, sized('small'), 'edit a nested XR')];
};

/** A nested XR is edited once its XR was restored, or while its provider is down, or what it composes is protected by hand. */
export const nestedLater: Maker = (draw, scene) => {
  const found = tried(draw, scene, isNested);
  const [old] = found?.resources ?? [];
  if (found === undefined || old === undefined) return ofXrAlone(draw, scene);
  const changed = {...old, object: withAt(old.object, ['spec', 'size'], 'wide')};
  const edit = edited(scene, withResource(found.blueprint, old, changed), 'edit a nested XR');
  const [stopped, started] = stopProvider(draw, scene) as [Step, Step];
  return draw.pick([[...edit], [stopped, ...edit, started], [...lost(scene), ...edit]]);
};

/** A claim takes the XR over, and people go on with the claim alone. It says nothing else, for it would write over what others wrote. */
export const claimed: Maker = (draw, scene) => {
  const found = tried(draw, scene);
  if (found === undefined || found.xr.kind.scope !== 'LegacyCluster') return [];
  const {kind: xr, name} = found.xr;
  const {apiVersion} = xr;
  const kind = `${xr.kind}Claim`;
  const definition = xrd(xr);
  const offered = {
    ...definition,
    spec: {...(definition['spec'] as JsonObject), claimNames: {kind, plural: `${kind.toLowerCase()}s`}},
  };
  const [namespace] = namespaces as [string];
  const resourceRef = {apiVersion, kind: xr.kind, name};
  const claim = {apiVersion, kind, metadata: {name, namespace}, spec: {resourceRef}} as KubeObject;
  const target = {apiVersion, kind, name, namespace};
  const dropped = without(found.blueprint, [draw.pick(found.resources)]);
  const protect = {
    resources: [{match: {resources: [draw.pick(found.resources).name]}}],
    xr: draw.pick(['WithResources', 'Always']),
  };
  const gone = drawDelete(draw, 'delete a claim', 'user', target);
  return [
    step('user', 'offer claims', apply(offered)),
    step('user', 'claim an XR', apply(claim)),
    ...draw.weighted<() => readonly Step[]>([
      [3, () => [gone]],
      [2, () => [...edited(scene, asking(scene, found, {protect}), inputChanged), gone]],
      [3, () => edited(scene, dropped, 'drop a resource of a claim')],
      [2, () => [step('user', 'edit a claim', patch(target, {spec: {size: 'large'}}))]],
      [3, () => [...lost(scene), ...(draw.chance(50) ? edited(scene, dropped, 'drop a resource of a claim') : [])]],
    ])(),
  ];
};
