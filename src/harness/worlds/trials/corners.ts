// Trials of what few stories have: long names, a condition of others, a resource that goes for long, an edit that is refused and mended.

import {type JsonObject, withAt} from '../../../cluster/json.ts';
import {drawResource, type Resource} from '../composition.ts';
import {changed, composedOf, edited, isComposed, type Maker, patch, remove, selectorOf, step} from '../moves.ts';
import {isModern, kindsFor} from '../platform.ts';
import {asking, inputChanged, isManaged, isNested, trial, tried, withMore, without, withResource} from './tried.ts';

const long = 'a-resource-whose-name-is-the-whole-history-of-its-purpose-in-one-Team.v1';

/** A resource name, and perhaps the name of its object, of more than 63 letters, with a dot and a capital letter. */
export const longNames: Maker = trial({}, (draw, scene, found) => {
  const {kind} = found.xr;
  const kinds = kindsFor(scene.crossplane, kind).filter(({managed}) => managed);
  const drawn = drawResource(draw, kind, long, draw.pick(kinds), false);
  const isAlone = kind.scope !== 'Namespaced' && !isComposed(scene, kind) && draw.chance(60);
  const object = withAt(drawn.object, ['metadata', 'labels', 'role'], 'long');
  const named = isAlone ? withAt(object, ['metadata', 'name'], `${kind.plural}-${long.toLowerCase()}`) : object;
  return edited(scene, withMore(found.blueprint, [{...drawn, object: named}]), 'compose what has a long name');
});

/** A controller has a condition of its own in the status of an XR, and then a value is edited. */
export const billed: Maker = trial({fit: isManaged}, (draw, scene, found) => {
  const old = draw.pick(found.resources);
  const conditions = [{type: 'Billed', status: 'True', reason: 'Billed', lastTransitionTime: '2026-01-01T00:00:00Z'}];
  return [
    step('controller', 'write a condition to an XR', patch(selectorOf(found.xr), {status: {conditions}}, true)),
    ...edited(scene, withResource(found.blueprint, old, {...old, object: changed(old)}), 'change a value'),
  ];
});

/** A person deletes a composed resource, which a finalizer holds, and another one is edited. */
export const held: Maker = trial({fit: isManaged, least: 2}, (draw, scene, found) => {
  const [first, second] = draw.some(found.resources, 2) as [Resource, Resource];
  const target = composedOf(found.xr, first);
  return [
    step('person', 'add a finalizer', patch(target, {metadata: {finalizers: ['example.org/hand']}})),
    step('person', 'delete what a finalizer holds', remove(target)),
    ...edited(scene, withResource(found.blueprint, second, {...second, object: changed(second)}), 'change a value'),
  ];
});

/** The API server refuses an edit, and takes the next one. */
export const mended: Maker = trial({fit: isManaged}, (draw, scene, found) => {
  const old = draw.pick(found.resources);
  const refused = {...old, object: withAt(old.object, ['spec', 'forProvider', 'replicas'], 'many')};
  const wrong = edited(scene, withResource(found.blueprint, old, refused), 'write what is refused');
  return [
    ...wrong,
    ...edited(scene, withResource(found.blueprint, old, {...old, object: changed(old)}), 'mend what was refused'),
  ];
});

/** An XR that composes another one is edited. */
export const outerEdit: Maker = (draw, scene) => {
  const found = tried(draw, scene, isNested);
  return found === undefined
    ? []
    : [step('user', 'edit an XR of a nested one', patch(selectorOf(found.xr), {spec: {size: 'large'}}))];
};

/** An input of function-deletion-protection, or of function-sequencer, keeps what a person deletes. */
export const dialects: Maker = (draw, scene) => {
  const found = tried(draw, scene, (one) => !isNested(one));
  if (found === undefined || found.resources.length < 2 || scene.crossplane === '1.16') return [];
  const isOld = !isModern(scene.crossplane);
  const [first, second] = draw.some(found.resources, 2) as [Resource, Resource];
  const {blueprint, xr} = found;
  const target = composedOf(xr, first);
  if (draw.chance(50)) {
    const label = ['metadata', 'labels', 'protection.fn.crossplane.io/block-deletion'];
    const labelled = {...first, object: withAt(first.object, label, draw.pick(['true', 'True']))};
    const dialect = {
      apiVersion: 'protection.fn.crossplane.io/v1beta1',
      kind: 'Input',
      ...(isOld && {enableV1Mode: true}),
    };
    return [
      ...edited(
        scene,
        {...withResource(blueprint, first, labelled), input: {}, dialect},
        'label what is not to be deleted',
      ),
      step('person', 'delete what is labelled', remove(target)),
    ];
  }
  const dialect = {
    apiVersion: 'sequencer.fn.crossplane.io/v1beta1',
    kind: 'Input',
    enableDeletionSequencing: true,
    ...(isOld && {usageVersion: 'v1'}),
    rules: [{sequence: [first.name, second.name]}],
  };
  return [
    ...edited(scene, {...blueprint, input: {}, dialect}, 'have a sequence of deletion'),
    step('person', 'delete what is in a sequence', remove(target)),
  ];
};

/** One policy selects by two names or two labels, or one resource is to be orphaned. A resource is dropped. */
export const selected: Maker = trial({fit: isManaged, least: 2}, (draw, scene, found) => {
  const [first, second] = draw.some(found.resources, 2) as [Resource, Resource];
  const policy = draw.weighted<JsonObject>([
    [3, {match: {resources: [first.name, second.name]}, policy: 'Retain'}],
    [
      3,
      {
        match: {
          labels: [
            {key: 'role', value: second.name},
            {key: 'tier', value: 'none'},
          ],
        },
        policy: 'Retain',
      },
    ],
    [4, {match: {resources: [second.name]}, policy: 'Orphan'}],
  ]);
  const {removal: _, ...input} = found.blueprint.input;
  const asked = asking(scene, {...found, blueprint: {...found.blueprint, input}}, {removal: {policies: [policy]}});
  return [
    ...edited(scene, asked, inputChanged),
    ...edited(scene, without(asked, [second]), 'drop what a policy names'),
  ];
});

/** The input makes two resources. */
export const twoTemplates: Maker = trial({fit: isManaged}, (draw, scene, found) => {
  const {kind} = draw.pick(found.resources);
  const resources = ['one', 'two'].map((name) => ({
    name,
    base: drawResource(draw, found.xr.kind, name, kind, false).object,
  }));
  return edited(scene, asking(scene, found, {resources}), 'make two by templates');
});
