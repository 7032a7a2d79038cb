// A third end of a story: what harms only the near miss of a selector, only an XR without protected resources, only a nested XR, or only
// after a restore that comes before its provider. Its draws are its own.

import type {JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {Step} from '../scenario/scenario.ts';
import {drawResource, type Resource} from './composition.ts';
import type {Draw} from './draw.ts';
import {
  apply,
  composedOf,
  drawDelete,
  edited,
  isComposed,
  type Maker,
  patch,
  remove,
  type Scene,
  selectorOf,
  step,
  stopProvider,
} from './moves.ts';
import {crds, isModern, kindsFor, namespaces, nextKinds, xrd} from './platform.ts';
import {
  asking,
  failing,
  inputChanged,
  isManaged,
  isNested,
  tried,
  withField,
  withMore,
  without,
  withResource,
} from './trials.ts';

/** None after a restore: what that still waits for holds everything that a trial drops. */
export function drawThirdTrial(draw: Draw, scene: Scene, before: readonly Step[]): readonly Step[] {
  const isRestored = before.some(({action}) => action?.kind === 'restore');
  if (isRestored) return [];
  if (draw.chance(30)) return draw.weighted(thirdTrials)(draw, scene);
  if (draw.chance(10)) return required(draw, scene);
  return draw.chance(12) ? claimed(draw, scene) : [];
}

/** A selector fits one of two resources that differ in a letter, a case or a group. A policy holds that one, and both are dropped. */
const nearMiss: Maker = (draw, scene) => {
  const found = tried(draw, scene);
  if (found === undefined) return [];
  const {crossplane} = scene;
  const {kind: xr} = found.xr;
  const kind = draw.pick(kindsFor(crossplane, xr));
  const ofKind = draw.pick([kind, ...nextKinds(crossplane, xr, kind).filter((one) => one.kind === kind.kind)]);
  const one = drawResource(draw, xr, 'near', kind, false);
  const other = drawResource(draw, xr, 'nearly', ofKind, false);
  const upper = {...other, object: withField(other.object, ['metadata', 'labels', 'role'], 'NEAR')};
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
};

/** An XR is protected though nothing of it is, or is not though something is, and its user deletes it. */
const ofXrAlone: Maker = (draw, scene) => {
  const found = tried(draw, scene);
  if (found === undefined) return [];
  const {name} = draw.pick(found.resources);
  const resources = [{match: {resources: [draw.chance(60) ? 'none' : name], optional: true}}];
  const protect = {resources, xr: draw.pick(['WithResources', 'Always', 'Never'])};
  return [
    ...edited(scene, asking(scene, found, {protect}), inputChanged),
    drawDelete(draw, 'delete an XR', 'user', selectorOf(found.xr)),
  ];
};

/** An XR protects an object that its step only requires. A person deletes it, or the XR goes first. Needs Crossplane 2. */
const required: Maker = (draw, scene) => {
  const found = tried(draw, scene);
  if (found === undefined || !isModern(scene.crossplane)) return [];
  const {namespace, kind: xr} = found.xr;
  const kind = draw.pick(
    kindsFor(scene.crossplane, xr).filter(({namespaced}) => namespaced === (namespace !== undefined)),
  );
  const {apiVersion} = kind;
  const where = namespace === undefined ? {} : {namespace};
  const labels = {role: 'required'};
  const object = {
    apiVersion,
    kind: kind.kind,
    metadata: {name: 'required', labels, ...where},
    ...kind.body,
  } as KubeObject;
  const target = {apiVersion, kind: kind.kind, name: 'required', ...where};
  const requires = draw.chance(50) ? target : {apiVersion, kind: kind.kind, ...where, matchLabels: labels};
  const match = draw.pick<JsonObject>([{resources: ['foundation']}, {labels: [{key: 'role', value: 'required'}]}]);
  const blueprint = asking(scene, found, {protect: {required: [{match}], xr: 'Never'}});
  return [
    step('user', 'make what an XR requires', apply(object)),
    ...edited(scene, {...blueprint, requires: {requirementName: 'foundation', ...requires}}, inputChanged),
    ...(draw.chance(30) ? [drawDelete(draw, 'delete an XR', 'user', selectorOf(found.xr))] : []),
    step('person', 'delete what an XR requires', remove(target)),
  ];
};

/** A claim takes the XR over, and people go on with the claim alone. It says nothing else, for it would write over what others wrote. */
const claimed: Maker = (draw, scene) => {
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

/** A resource is unavailable, and a person deletes it before its provider looks, perhaps against a protection. */
const unavailable: Maker = (draw, scene) => {
  const found = tried(draw, scene, isManaged);
  if (found === undefined) return [];
  const resource = draw.pick(found.resources);
  const protect = {resources: [{match: {resources: [resource.name]}}]};
  const [stopped, started] = stopProvider(draw, scene) as [Step, Step];
  const deleted = drawDelete(draw, 'delete what is unavailable', 'person', composedOf(found.xr, resource));
  const asked = draw.chance(60) ? edited(scene, asking(scene, found, {protect}), inputChanged) : [];
  return [...asked, stopped, failing(found.xr, resource), deleted, started];
};

/** The provider dies in the middle of a create, and looks again only once it starts anew. */
const interrupted: Maker = (draw, scene) => {
  const found = tried(draw, scene, isManaged);
  if (found === undefined) return [];
  const {kind} = draw.pick(found.resources);
  const added = drawResource(draw, found.xr.kind, 'interrupted', kind, false);
  const composing = edited(scene, withMore(found.blueprint, [added]), 'add what a create is interrupted of');
  const faults = [{fault: 'provider-restart', at: 1 + draw.below(4)}] as const;
  const process = {kind: 'process', change: 'restart', process: 'provider'} as const;
  return [...composing.map((one) => ({...one, faults})), step('user', 'restart provider', process)];
};

/** An order counts for creation alone, or for deletion alone. Its first resource goes, or both come anew. */
const halfOrder: Maker = (draw, scene) => {
  const found = tried(draw, scene, (one) => !isNested(one));
  if (found === undefined || found.resources.length < 2) return [];
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
};

/** A template of the input is wanted only while the XR has a value, which an edit takes away and gives back. */
const included: Maker = (draw, scene) => {
  const found = tried(draw, scene, isManaged);
  if (found === undefined) return [];
  const {kind} = draw.pick(found.resources);
  const {object: base} = drawResource(draw, found.xr.kind, 'switched', kind, false);
  const resources = [{name: 'switched', base, include: 'xr.spec.size == "on"'}];
  const sized = (size: string) => step('user', `switch ${size}`, patch(selectorOf(found.xr), {spec: {size}}));
  const asked = edited(scene, asking(scene, found, {resources}), inputChanged);
  return [...asked, sized('on'), ...(draw.chance(60) ? [sized('off')] : [])];
};

/** A nested XR is edited once its XR was restored, or while its provider is down, or what it composes is protected by hand. */
const nestedLater: Maker = (draw, scene) => {
  const found = tried(draw, scene, isNested);
  const [old] = found?.resources ?? [];
  if (found === undefined || old === undefined) return ofXrAlone(draw, scene);
  const changed = {...old, object: withField(old.object, ['spec', 'size'], 'wide')};
  const edit = edited(scene, withResource(found.blueprint, old, changed), 'edit a nested XR');
  const [stopped, started] = stopProvider(draw, scene) as [Step, Step];
  return draw.pick([[...edit], [stopped, ...edit, started], [...lost(scene), ...edit]]);
};

/** All is lost and comes back, the XRs last. */
function lost({crossplane}: Scene): readonly [backUp: Step, lose: Step, restore: Step] {
  const priorities = crds(crossplane).map(({metadata}) => metadata.name);
  return [
    step('user', 'back up with velero', {kind: 'backup', tool: 'velero', kinds: []}),
    step('user', 'everything is lost', {kind: 'wipe', kinds: []}),
    step('user', 'restore with velero', {kind: 'restore', options: {priorities}}),
  ];
}

/** One resource is composed by the connection details of another. All is lost and comes back, and the provider later. */
const details: Maker = (draw, scene) => {
  const found = tried(draw, scene, (one) => !isNested(one));
  const kinds = found && kindsFor(scene.crossplane, found.xr.kind).filter(({managed}) => managed);
  if (found === undefined || kinds === undefined || kinds.length === 0) return [];
  const {kind, namespace} = found.xr;
  // Two XRs of the Composition would share the Secret.
  if (isComposed(scene, kind)) return [];
  const publisher = drawResource(draw, kind, 'told', draw.pick(kinds), false);
  const where = publisher.kind.namespaced ? {} : {namespace: namespaces[0] as string};
  const secret = {name: `${kind.plural}-${namespace ?? 'all'}-told`, ...where};
  const told = {...publisher, object: withField(publisher.object, ['spec', 'writeConnectionSecretToRef'], secret)};
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

const thirdTrials: readonly (readonly [number, Maker])[] = [
  [5, nearMiss],
  [4, ofXrAlone],
  [3, unavailable],
  [4, halfOrder],
  [3, included],
  [3, nestedLater],
  [2, details],
  [2, interrupted],
];
