// Trials in which one word of the input decides, beside what would happen without it.

import {type JsonObject, withAt} from '../../../cluster/json.ts';
import {annotationPaused} from '../../../cluster/vocabulary.ts';
import type {Step} from '../../scenario/scenario.ts';
import {drawResource, type Resource, refsIn} from '../composition.ts';
import type {Draw} from '../draw.ts';
import {
  apply,
  changed,
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
  xrObject,
} from '../moves.ts';
import {asynchronous, kindsFor, type XrKind} from '../platform.ts';
import {asking, inputChanged, isNested, trial, tried, withMore, without, withResource} from './tried.ts';

function managed(draw: Draw, {crossplane}: Scene, xr: XrKind, name: string): Resource | undefined {
  const kinds = kindsFor(crossplane, xr).filter((kind) => kind.managed);
  return kinds.length === 0 ? undefined : drawResource(draw, xr, name, draw.pick(kinds), false);
}

/** Its author has it paused, so it never is ready. */
function neverReady(one: Resource): Resource {
  return {...one, object: withAt(one.object, ['metadata', 'annotations', annotationPaused], 'true')};
}

/** A usage names what is not there, and the XR is made anew. */
export const absent: Maker = trial({}, (draw, scene, found) => {
  const old = draw.pick(found.resources);
  const [of, by] = draw.chance(50) ? [old.name, 'absent'] : ['absent', old.name];
  const asked = asking(scene, found, {usages: [{of, by, ...(draw.chance(50) && {optional: true})}]});
  return [
    ...edited(scene, asked, 'name what is absent'),
    step('user', 'delete an XR', {...remove(selectorOf(found.xr)), propagationPolicy: 'Foreground'}),
    step('user', 'ask for the XR again', apply(xrObject(found.xr))),
  ];
});

/** Two resources come in an order, and the first never is ready. A word of the order decides whether the second waits. */
export const halted: Maker = (draw, scene) => {
  const found = tried(draw, scene);
  const [first, second] = ['first', 'second'].map((name) => found && managed(draw, scene, found.xr.kind, name));
  if (found === undefined || first === undefined || second === undefined) return [];
  const [of, by] = [{resources: ['first']}, {resources: ['second']}];
  const how = draw.weighted<JsonObject>([
    [3, {when: 'xr.spec.size == "on"'}],
    [2, {waitFor: 'Desired'}],
    [1, {deleteOnly: true}],
    [1, {createOnly: true}],
  ]);
  const size = draw.pick(['on', 'off']);
  const order = [draw.chance(50) ? {of, by, ...how} : {sequence: [of, by], ...how}];
  const isAbsent = how['waitFor'] !== undefined && draw.chance(60);
  const more = isAbsent ? [second] : [neverReady(first), second];
  const sized = step('user', `switch ${size}`, patch(selectorOf(found.xr), {spec: {size}}));
  return [
    sized,
    ...edited(scene, withMore(asking(scene, found, {order}), more), 'add an order whose first is never ready'),
  ];
};

/** An XR loses its references while a resource is dropped, of a kind that is looked for. */
export const lostAndDropped: Maker = trial({fit: (one) => !isNested(one)}, (draw, scene, found) => {
  const old = draw.pick(found.resources);
  const {apiVersion, kind} = old.kind;
  const kinds = draw.chance(80) ? {kinds: [{apiVersion, kind}]} : {};
  const asked = asking(scene, found, {restore: {lookup: true, ...kinds}});
  const target = selectorOf(found.xr);
  const paused = (value: string | null) => patch(target, {metadata: {annotations: {[annotationPaused]: value}}});
  return [
    ...edited(scene, asked, inputChanged),
    step('user', 'pause an XR', paused('true')),
    step('editor', 'empty resourceRefs', patch(target, {spec: refsIn(found.xr.kind, [])})),
    ...edited(scene, without(asked, [old]), 'drop what the XR has lost'),
    step('user', 'let the XR go on', paused(null)),
  ];
});

/** What an XR composes from now on has names by which an XR of another UID finds it. */
export const stableNames: Maker = (draw, scene) => {
  const found = tried(draw, scene);
  const added = found && managed(draw, scene, found.xr.kind, 'stable');
  if (found === undefined || added === undefined || isComposed(scene, found.xr.kind)) return [];
  const bare = asking(scene, {...found, blueprint: {...found.blueprint, resources: [], input: {}}}, {});
  const asked = asking(scene, {...found, blueprint: bare}, {restore: {stableNames: true}});
  const gone = {...remove(selectorOf(found.xr)), propagationPolicy: 'Orphan' as const};
  return [
    ...edited(scene, bare, 'drop everything'),
    ...edited(scene, withMore(asked, [added]), 'compose what has a stable name'),
    step('user', 'delete an XR and orphan its dependents', gone),
    step('user', 'ask for the XR again', apply(xrObject(found.xr))),
  ];
};

/** The cloud names an external resource, and its provider does not write that down. Then the provider restarts. */
export const unnamed: Maker = (draw, scene) => {
  const found = tried(draw, {...scene, xrs: scene.xrs.filter(({kind}) => kind.scope !== 'Namespaced')});
  if (found === undefined) return [];
  const added = drawResource(draw, found.xr.kind, 'keyed', asynchronous, false);
  const object = withAt(added.object, ['spec', 'managementPolicies'], ['Observe', 'Create', 'Update', 'Delete']);
  const {apiVersion, kind} = asynchronous;
  const match = draw.pick<JsonObject>([{}, {kinds: [{apiVersion, kind}]}, {resources: ['keyed']}]);
  const asked = asking(scene, found, {externalNames: {from: [{match, path: 'status.atProvider.id'}]}});
  return [
    ...edited(scene, withMore(asked, [{...added, object}]), 'compose what the cloud names'),
    step('user', 'restart provider', {kind: 'process', change: 'restart', process: 'provider'}),
  ];
};

/** Several rules protect one resource each, or one that its author leaves in the cloud. A person deletes one of them. */
export const severalProtected: Maker = (draw, scene) => {
  const found = tried(draw, scene);
  const left = found && managed(draw, scene, found.xr.kind, 'left');
  if (found === undefined || left === undefined) return [];
  const policies = left.kind.namespaced
    ? (['spec', 'managementPolicies'] as const)
    : (['spec', 'deletionPolicy'] as const);
  const value = left.kind.namespaced ? ['Observe', 'Create', 'Update', 'LateInitialize'] : 'Orphan';
  const orphaned = {...left, object: withAt(left.object, policies, value)};
  const chosen = draw.some([draw.pick(found.resources), orphaned], 2);
  const rules = chosen.map(({name}) => ({match: {resources: [name]}}));
  const asked = withMore(asking(scene, found, {protect: {resources: rules, xr: 'Never'}}), [orphaned]);
  const target = composedOf(found.xr, draw.pick(chosen));
  return [
    ...edited(scene, asked, 'protect one thing by each rule'),
    drawDelete(draw, 'delete what is protected', 'person', target),
  ];
};

/** A later step composes a resource, and then does not any more. */
export const later: Maker = trial({}, (draw, scene, found) => {
  const {after: _, ...blueprint} = found.blueprint;
  return [
    ...edited(scene, {...blueprint, after: 'composes'}, 'have a later step compose'),
    ...edited(scene, draw.chance(50) ? blueprint : {...blueprint, after: 'passes'}, 'drop what a later step composes'),
  ];
});

/** The input contradicts itself. Then the Composition is edited, drops something, or its XR goes. */
export const contradiction: Maker = (draw, scene) => {
  const found = tried(draw, scene);
  const [other] = scene.xrs.filter((one) => one !== found?.xr);
  if (found === undefined || found.resources.length < 2 || other === undefined) return [];
  const [first, second] = draw.some(found.resources, 2) as [Resource, Resource];
  const [one, two] = [{resources: [first.name]}, {resources: [second.name]}];
  const part = draw.weighted<JsonObject>([
    [3, {give: [{to: selectorOf(other), resources: [{name: first.name}, {name: first.name}]}]}],
    [
      2,
      {
        order: [
          {of: one, by: two},
          {of: two, by: one},
        ],
      },
    ],
  ]);
  const asked = asking(scene, found, part);
  return [
    ...edited(scene, asked, 'have the input contradict itself'),
    ...draw.pick<() => readonly Step[]>([
      () => edited(scene, withResource(asked, first, {...first, object: changed(first)}), 'change a value'),
      () => edited(scene, without(asked, [second]), 'drop a resource'),
      () => [drawDelete(draw, 'delete an XR', 'user', selectorOf(found.xr))],
    ])(),
  ];
};

/** A template of the input, or a resource of the first step, never is ready, or is not by its step's word. */
export const unready: Maker = (draw, scene) => {
  const found = tried(draw, scene);
  const made = found && managed(draw, scene, found.xr.kind, 'unready');
  if (found === undefined || made === undefined) return [];
  const added = draw.weighted<() => readonly Step[]>([
    [
      2,
      () =>
        edited(
          scene,
          asking(scene, found, {resources: [{name: 'unready', base: neverReady(made).object}]}),
          'make a template that never is ready',
        ),
    ],
    [
      2,
      () => edited(scene, withMore(found.blueprint, [{...made, ready: 'False' as const}]), 'call a resource not ready'),
    ],
  ])();
  return added;
};
