// Inputs of the function under test: every part of its API, alone and beside others.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import type {JsonObject} from '../../cluster/json.ts';
import {type Blueprint, resourceNameOf, versionWord} from './composition.ts';
import type {Draw} from './draw.ts';
import {isModern, movesTo, namespaces, type XrKind} from './platform.ts';
import {drawSelector} from './selectors.ts';

type Shape = Pick<Blueprint, 'xr' | 'resources'>;

/** Half of the inputs are empty or have one part: most users ask for little, and a small story shows more. */
export function drawInput(draw: Draw, crossplane: ProfileName, shape: Shape): Pick<Blueprint, 'input' | 'dialect'> {
  const version = versionWord(crossplane);
  const own = version === undefined ? {} : {crossplane: version};
  if (draw.chance(8)) return {input: {}, dialect: drawDialect(draw, crossplane, shape)};
  const count = draw.weighted([
    [25, 0],
    [35, 1],
    [25, 2],
    [15, 4],
  ]);
  const parts = draw.some(Object.values(partMakers), count).map((make) => make(draw, shape, crossplane));
  return {input: Object.assign({...own}, ...parts) as JsonObject};
}

const partMakers = {
  order: (draw: Draw, shape: Shape): JsonObject => ({
    order: Array.from({length: draw.chance(80) ? 1 : 2}, () => ({...drawSteps(draw, shape), ...drawOnly(draw)})),
  }),
  usages: (draw: Draw, shape: Shape): JsonObject => {
    const [of = '', by = ''] = draw.some(names(shape), 2);
    // A name that no step desires from the start is an error of a new XR, unless it is optional.
    const isLater = shape.resources.some(({composes}) => composes !== undefined);
    return {
      usages: [
        {
          of,
          by,
          ...(of < by && {reason: `${by} uses ${of}`}),
          ...(isLater || draw.chance(60) ? {optional: true} : {}),
          ...(draw.chance(30) ? {replayDeletion: draw.chance(50)} : {}),
        },
      ],
    };
  },
  removal: (draw: Draw, shape: Shape): JsonObject => {
    const policies = Array.from({length: draw.chance(80) ? 1 : 2}, () => ({
      match: draw.chance(60) ? drawSelector(draw, shape) : {},
      policy: draw.pick(['Delete', 'Orphan', 'Retain', 'Confirm']),
    }));
    const budget = draw.chance(40) ? {budget: draw.chance(50) ? {resources: draw.below(3)} : {percent: 50}} : {};
    return {removal: {...(draw.chance(70) ? {policies} : {}), ...budget}};
  },
  protect: (draw: Draw, shape: Shape): JsonObject => ({
    protect: {
      resources: [{match: drawSelector(draw, shape), reason: 'the audit'}],
      xr: draw.pick(['WithResources', 'Always', 'Never']),
      ...(draw.chance(10) ? {xrMatch: {labels: [{key: 'protect', value: 'true'}]}} : {}),
    },
  }),
  externalNames: (draw: Draw, shape: Shape, crossplane: ProfileName): JsonObject => {
    const match = draw.chance(60) ? {} : drawSelector(draw, shape);
    const from = draw.chance(60) ? {from: [{match, path: 'status.atProvider.id'}]} : {};
    return {externalNames: {...from, ...drawMemory(draw, shape.xr, crossplane)}};
  },
  restore: (draw: Draw): JsonObject => ({
    restore: {
      ...(draw.chance(70) ? {lookup: true} : {}),
      ...(draw.chance(50) ? {stableNames: true} : {}),
      ...(draw.chance(30) ? {kinds: [{apiVersion: 'cloud.example.org/v1', kind: 'Bucket'}]} : {}),
    },
  }),
  resources: (draw: Draw, {xr, resources}: Shape): JsonObject => {
    // A resource that an earlier step does not desire from the start is an unknown name, which is no input of a new XR.
    const first = resources.find(({composes}) => composes === undefined);
    if (first === undefined || first.kind.kind === xr.kind) return {};
    // A second object of the name in the cloud that an author gave would lead to the same.
    const {name: _, annotations: __, ...metadata} = (first.object['metadata'] ?? {}) as JsonObject;
    const made = (name: string, reads: string | undefined): JsonObject => {
      const annotations = reads === undefined ? {} : {annotations: {reads: `\${${reads}}`}};
      // As the resource was drawn: an edit may have made the other one a thing that is refused for good.
      const base = {...first.object, ...first.kind.body, metadata: {...metadata, labels: {role: name}, ...annotations}};
      // A kind without status has no readiness of its own: its template needs one.
      return {name, base, ...(first.kind.managed ? {} : {readyWhen: 'true'})};
    };
    const other = draw.weighted([
      [3, undefined],
      [3, `resources['${first.name}'].metadata.name`],
      [1, `resources['${first.name}'].status.atProvider.id`],
    ]);
    const include = draw.chance(25) ? {include: 'xr.spec.size == "small"'} : {};
    const one = {...made('made', other), ...include};
    return {resources: draw.chance(75) ? [one] : [one, made('more', 'resources.made.metadata.name')]};
  },
  // For the edits that rename a key or change a kind.
  handover: (draw: Draw, shape: Shape): JsonObject => {
    const name = draw.pick(names(shape));
    const from = draw.chance(75) ? {resources: [name]} : {labels: [{key: 'role', value: name}]};
    const rename = {from, to: {resource: `${name}-new`}};
    const [{apiVersion, kind}, to] = draw.pick(movesTo);
    const change = {from: {kinds: [{apiVersion, kind}]}, to: {apiVersion: to.apiVersion, kind: to.kind}};
    return {handover: draw.chance(50) ? [rename] : [change, rename]};
  },
  ttl: (draw: Draw): JsonObject => ({ttl: draw.pick(['30s', '5m', '10s'])}),
};

function drawSteps(draw: Draw, shape: Shape): JsonObject {
  const [first = '', second = ''] = draw.some(names(shape), 2);
  const isNamed = draw.chance(60);
  const earlier = isNamed ? {resources: [first]} : drawSelector(draw, shape);
  const later = isNamed ? {resources: [second]} : drawSelector(draw, shape);
  if (draw.chance(40)) return {of: earlier, by: later};
  return {sequence: [earlier, later, ...(draw.chance(25) ? [drawSelector(draw, shape)] : [])]};
}

function drawOnly(draw: Draw): JsonObject {
  return draw.weighted([
    [6, {}],
    [1, {createOnly: true}],
    [1, {deleteOnly: true}],
    [1, {replayDeletion: true}],
    [1, {waitFor: 'Desired'}],
    // An expression that fails on the value that it reads, and whose error must not contain it.
    [1, {when: 'int(xr.spec.note) > 1'}],
    [1, {when: 'has(xr.spec.size) && xr.spec.size == "small"'}],
  ]);
}

/** A ConfigMap is written by Crossplane 2 only. */
function drawMemory(draw: Draw, xr: XrKind, crossplane: ProfileName): JsonObject {
  if (!isModern(crossplane) || draw.chance(50)) return draw.chance(70) ? {remember: {in: 'Status'}} : {};
  const where = xr.scope === 'Namespaced' ? {} : {namespace: draw.pick(namespaces)};
  return {remember: {in: 'ConfigMap', ...where}};
}

function drawDialect(draw: Draw, crossplane: ProfileName, shape: Shape): JsonObject {
  const isOld = !isModern(crossplane);
  // Both dialects write Usages of v1beta1 as their functions do: Crossplane v1.16 serves none.
  const hasUsages = crossplane !== '1.16';
  if (draw.chance(40) && hasUsages) {
    return {
      apiVersion: 'protection.fn.crossplane.io/v1beta1',
      kind: 'Input',
      ...(isOld ? {enableV1Mode: true} : {}),
    };
  }
  return {
    apiVersion: 'sequencer.fn.crossplane.io/v1beta1',
    kind: 'Input',
    enableDeletionSequencing: draw.chance(70) && hasUsages,
    ...(isOld ? {usageVersion: 'v1'} : {}),
    rules: [{sequence: [...draw.some(names(shape), 2)]}],
  };
}

function names({resources}: Shape): readonly string[] {
  return resources.map(resourceNameOf);
}
