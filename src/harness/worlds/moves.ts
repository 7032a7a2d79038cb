// The actions of people in a story, one maker a move. A maker that finds nothing to do in this world answers nothing.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import type {Json, JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {
  annotationExternalName,
  annotationPaused,
  annotationResourceName,
  labelComposite,
  labelInUse,
} from '../../cluster/vocabulary.ts';
import type {Selector} from '../control-plane/catalogue.ts';
import type {StepAction} from '../control-plane/operator/action.ts';
import type {Actor, Step} from '../scenario/scenario.ts';
import {type Blueprint, compositionOf, drawResource, type Resource, refsIn, resourceNameOf} from './composition.ts';
import type {Draw} from './draw.ts';
import {
  canary,
  crds,
  isModern,
  large,
  namespaces,
  nextKinds,
  settings,
  settingsKind,
  settingsOf,
  type XrKind,
} from './platform.ts';
import {drawLabels} from './selectors.ts';
import {annotationConfirmRemoval, labelTetherComposite, labelTetherResource} from './tether-marks.ts';

export interface Xr {
  readonly kind: XrKind;
  readonly namespace: string | undefined;
  readonly name: string;
  /** It asks for a Secret of its connection details. */
  readonly publishes?: true;
}

/** The state that a maker may read and change: the current Compositions. */
export interface Scene {
  readonly crossplane: ProfileName;
  readonly xrs: Xr[];
  readonly blueprints: Map<XrKind, Blueprint>;
  /** Every resource that was ever in a Composition. */
  readonly known: Map<XrKind, readonly Resource[]>;
}

type Made = readonly Step[];
export type Maker = (draw: Draw, scene: Scene) => Made;

/** True if a Composition composes such XRs. Its own has then several, which would share a name that it writes. */
export function isComposed({known}: Scene, {apiVersion, kind}: XrKind): boolean {
  return [...known.values()].flat().some((one) => one.kind.kind === kind && one.kind.apiVersion === apiVersion);
}

export function step(by: Actor, name: string, action: StepAction): Step {
  return {name: `${by}: ${name}`, place: '', ...(by === 'user' ? {} : {by}), action, expect: []};
}

export function xrObject({kind, namespace, name, publishes}: Xr): KubeObject {
  const {apiVersion, plural} = kind;
  const secret = {name: `${plural}-${apiVersion.split('.')[0]}-${name}`, namespace: namespaces[0] as string};
  const spec = {
    size: 'small',
    note: `${canary}-note`,
    count: 2,
    ...(publishes && {writeConnectionSecretToRef: secret}),
  };
  return {apiVersion, kind: kind.kind, metadata: {name, ...(namespace === undefined ? {} : {namespace})}, spec};
}

export function selectorOf({kind: {apiVersion, kind}, namespace, name}: Xr) {
  return {apiVersion, kind, name, ...(namespace === undefined ? {} : {namespace})};
}

/** A composed resource of the XR, as a person with kubectl finds it. */
export function composedOf({namespace}: Xr, resource: Resource): Selector {
  const {kind} = resource;
  const where = namespace === undefined ? {} : {namespace};
  return {apiVersion: kind.apiVersion, kind: kind.kind, resource: resourceNameOf(resource), ...where};
}

export function patch(target: Selector, body: Json, status = false): StepAction {
  return {kind: 'patch', type: 'merge', target, status, body};
}

export function remove(target: Selector): StepAction & {readonly kind: 'delete'} {
  return {kind: 'delete', target, ignoreNotFound: true};
}

export function apply(...objects: readonly KubeObject[]): StepAction {
  return {kind: 'apply', objects};
}

type Edit = (draw: Draw, resources: readonly Resource[], scene: Scene, xr: XrKind) => readonly Resource[] | undefined;

/** An edit after which the API server refuses a composed resource for good. */
export const undeclaredEdit = 'write a field nobody declares';

/** An edit that the API server refuses as long as the object lives, and takes once it is made anew. */
export const immutableEdit = 'change an immutable field';

/** Of each kind the object that holds it, and its new value. */
const immutableFields: {readonly [kind: string]: readonly [where: string | undefined, value: JsonObject]} = {
  Database: ['forProvider', {engine: 'large'}],
  Note: [undefined, {text: 'other'}],
};

function withImmutable({object, kind: {kind}}: Resource): JsonObject {
  const [where, value] = immutableFields[kind] as readonly [string | undefined, JsonObject];
  return where === undefined
    ? {...object, spec: {...(object['spec'] as JsonObject), ...value}}
    : withField(object, value);
}

/** Changes of a Composition's resources. */
const edits: {readonly [name: string]: Edit} = {
  'drop a resource': (draw, resources) => resources.toSpliced(draw.below(resources.length), 1),
  'drop everything': () => [],
  'rename a key': (draw, resources) => {
    const at = draw.below(resources.length);
    return resources.map((one, index) => (index === at ? {...one, name: `${one.name}-new`} : one));
  },
  'rename a key and change a value': (draw, resources) => {
    const managed = resources.filter(({kind}) => kind.managed);
    if (managed.length === 0) return undefined;
    const target = draw.pick(managed);
    return resources.map((one) => (one === target ? {...one, name: `${one.name}-next`, object: changed(one)} : one));
  },
  'change a kind': (draw, resources, scene, xr) => {
    const at = draw.below(resources.length);
    const {kind, name} = resources[at] as Resource;
    const kinds = nextKinds(scene.crossplane, xr, kind);
    if (kinds.length === 0) return undefined;
    const to = draw.pick(kinds);
    const drawn = drawResource(draw, xr, name, to, !isComposed(scene, xr));
    return resources.map((one, index) => (index === at ? drawn : one));
  },
  'change a value': (draw, resources) => {
    const at = draw.below(resources.length);
    return resources.map((one, index) => (index === at ? {...one, object: changed(one)} : one));
  },
  [immutableEdit]: (draw, resources) => {
    const fixed = resources.filter(({kind: {kind}}) => immutableFields[kind] !== undefined);
    if (fixed.length === 0) return undefined;
    const target = draw.pick(fixed);
    return resources.map((one) => (one === target ? {...one, object: withImmutable(one)} : one));
  },
  [undeclaredEdit]: (draw, resources) => {
    const at = draw.below(resources.length);
    const wrong = (object: JsonObject) => withField(object, {colour: 'red'});
    return resources.map((one, index) =>
      index === at && one.kind.managed ? {...one, object: wrong(one.object)} : one,
    );
  },
};

export function changed({object, kind}: Resource): JsonObject {
  const metadata = object['metadata'] as JsonObject | undefined;
  const labels = metadata?.['labels'] as JsonObject | undefined;
  const relabelled = {...object, metadata: {...metadata, labels: {...labels, edited: 'true'}}};
  return withField(relabelled, kind.kind === 'Database' ? {replicas: 3} : {region: 'there'});
}

function withField(object: JsonObject, field: JsonObject): JsonObject {
  const spec = object['spec'] as JsonObject | undefined;
  const forProvider = spec?.['forProvider'] as JsonObject | undefined;
  return forProvider === undefined ? object : {...object, spec: {...spec, forProvider: {...forProvider, ...field}}};
}

export const editComposition: Maker = (draw, scene) => {
  const [xr, blueprint] = draw.pick([...scene.blueprints]);
  if (blueprint.resources.length === 0) return reAdd(draw, scene);
  const name = draw.weighted([
    [5, 'drop a resource'],
    [2, 'drop everything'],
    [2, 'rename a key'],
    [2, 'rename a key and change a value'],
    [3, 'change a kind'],
    [2, 'change a value'],
    [2, immutableEdit],
    [1, undeclaredEdit],
  ]);
  const resources = edits[name]?.(draw, blueprint.resources, scene, xr);
  return resources === undefined ? [] : edited(scene, {...blueprint, resources}, name);
};

export const reAdd: Maker = (draw, scene) => {
  const [xr, blueprint] = draw.pick([...scene.blueprints]);
  const known = scene.known.get(xr) ?? [];
  const back = known.filter(({name}) => !blueprint.resources.some((one) => one.name === name));
  if (back.length === 0) return [];
  return edited(scene, {...blueprint, resources: [...blueprint.resources, ...back]}, 'take resources back');
};

/** The step that goes: as when a team takes the function out of its pipeline's input, or asks for something else. */
export function edited(scene: Scene, blueprint: Blueprint, name: string): Made {
  scene.blueprints.set(blueprint.xr, blueprint);
  const known = scene.known.get(blueprint.xr) ?? [];
  const fresh = blueprint.resources.filter(({name: key}) => !known.some((one) => one.name === key));
  scene.known.set(blueprint.xr, [...known, ...fresh]);
  return [step('user', name, apply(compositionOf(blueprint)))];
}

/** A disaster and what comes back, with an edit in between or not. */
export const restore: Maker = (draw, scene) => {
  const tool = draw.weighted([
    [6, 'velero' as const],
    [2, 'gitops' as const],
    [2, 'etcd' as const],
    [1, 'kubectl' as const],
  ]);
  const between = draw.chance(60) ? editComposition(draw, scene) : [];
  const wipe = draw.chance(85) ? [step('user', 'everything is lost', {kind: 'wipe', kinds: []})] : [];
  const plurals = ['buckets.cloud.example.org', 'databases.cloud.example.org', 'apps.example.org', 'sites.example.org'];
  const options =
    tool === 'velero'
      ? {
          ...(draw.chance(30) ? {existingResourcePolicy: draw.pick(['none', 'update'] as const)} : {}),
          ...(draw.chance(40) ? {statusOf: draw.some(plurals, 1 + draw.below(4))} : {}),
          ...(draw.chance(20) ? {exclude: [draw.pick(plurals.slice(0, 2))]} : {}),
          ...(draw.chance(30) ? {priorities: [draw.pick(plurals)]} : {}),
        }
      : {};
  const kinds = draw.chance(15) ? scene.xrs.map(({kind}) => kind.kind) : [];
  // A new cluster has its providers once their packages are pulled, and the restore does not wait for that.
  const [stopped, started] = draw.chance(20) ? stopProvider(draw, scene) : [];
  return [
    step('user', `back up with ${tool}`, {kind: 'backup', tool, kinds}),
    ...between,
    ...(stopped === undefined ? [] : [stopped]),
    ...wipe,
    step('user', `restore with ${tool}`, {kind: 'restore', options}),
    ...(started === undefined ? [] : [{...started, name: 'user: start the provider after the restore'}]),
  ];
};

/** The fate of dependents: the owner GC takes them later, they go first, or they are orphaned. */
export function drawDelete(draw: Draw, name: string, by: Actor, target: Selector): Step {
  const [how, propagationPolicy] = draw.weighted([
    [6, ['', undefined] as const],
    [3, [' in the foreground', 'Foreground'] as const],
    [2, [' and orphan its dependents', 'Orphan'] as const],
  ]);
  const action = remove(target);
  return step(by, `${name}${how}`, propagationPolicy === undefined ? action : {...action, propagationPolicy});
}

export const deleteXr: Maker = (draw, {xrs}) => {
  const xr = draw.pick(xrs);
  const gone = drawDelete(draw, 'delete an XR', 'user', selectorOf(xr));
  return draw.chance(40) ? [gone, step('user', 'ask for the XR again', apply(xrObject(xr)))] : [gone];
};

export const editXr: Maker = (draw, {xrs}) => [
  step('user', 'edit an XR', patch(selectorOf(draw.pick(xrs)), {spec: {size: 'large'}})),
];

/** A count in the XR's spec is edited, where a template of its Composition counts. */
export const changeCount: Maker = (draw, {xrs, blueprints}) => {
  const isCounted = ({kind}: Xr) =>
    blueprints.get(kind)?.resources.some(({composes}) => composes?.['count'] !== undefined) === true;
  const counted = xrs.filter(isCounted);
  return counted.length === 0 ? [] : [setCount(draw.pick(counted), draw.weighted(counts))];
};

/** So many of one resource: none, as where a feature is switched off, a few, or a fleet. */
const counts = [
  [4, 0],
  [3, 1],
  [4, 3],
  [2, 5],
  [2, 60],
] as const;

function setCount(xr: Xr, count: number): Step {
  const name = count === 0 ? 'count down to none' : count > 10 ? 'count up to a fleet' : 'count up or down';
  return step('user', name, patch(selectorOf(xr), {spec: {count}}));
}

/** Objects that templates read go, change or come back. */
export const changeSettings: Maker = (draw, {crossplane}) => {
  const target = {...settingsKind(crossplane), name: settings};
  const changed = step('user', 'change settings', apply(settingsOf(crossplane, draw.pick(['north', 'south']))));
  if (draw.chance(40)) return [changed];
  const gone = step('user', 'remove settings', remove(target));
  return draw.chance(60) ? [gone, step('user', 'bring settings back', apply(settingsOf(crossplane, 'north')))] : [gone];
};

export const pauseXr: Maker = (draw, {xrs}) => {
  const target = selectorOf(draw.pick(xrs));
  const says = (value: string | null) => patch(target, {metadata: {annotations: {[annotationPaused]: value}}});
  return [step('user', 'pause an XR', says('true')), step('user', 'let the XR go on', says(null))];
};

export const confirmRemoval: Maker = (draw, scene) => {
  const xr = draw.pick(scene.xrs);
  const names = (scene.known.get(xr.kind) ?? []).map(({name}) => name).join(',');
  const annotations = {[annotationConfirmRemoval]: names};
  return [step('user', 'confirm removals', patch(selectorOf(xr), {metadata: {annotations}}))];
};

export const changeInput =
  (drawInput: (draw: Draw, crossplane: ProfileName, shape: Blueprint) => Pick<Blueprint, 'input' | 'dialect'>): Maker =>
  (draw, scene) => {
    const [, {xr, resources, after, publishes}] = draw.pick([...scene.blueprints]);
    if (resources.length < 2) return [];
    const shape = {xr, resources, input: {}, ...(after && {after}), ...(publishes && {publishes})};
    return edited(scene, {...shape, ...drawInput(draw, scene.crossplane, shape)}, 'change the input');
  };

/** A kind goes, with everything of it, and may come back. */
export const definitionGoes: Maker = (draw, {crossplane}) => {
  const crd = draw.pick(crds(crossplane));
  const target = {apiVersion: crd.apiVersion, kind: crd.kind, name: crd.metadata.name};
  const gone = step('user', 'remove a definition', remove(target));
  return draw.chance(50) ? [gone, step('user', 'install the definition again', apply(crd))] : [gone];
};

export const restartProcess: Maker = (draw) => {
  const process = draw.pick(['crossplane', 'provider', 'owner-gc'] as const);
  return [step('user', `restart ${process}`, {kind: 'process', change: 'restart', process})];
};

export const stopProvider: Maker = () => [
  step('user', 'stop the provider', {kind: 'process', change: 'stop', process: 'provider'}),
  step('user', 'start the provider', {kind: 'process', change: 'start', process: 'provider'}),
];

const rights = [['create', 'patch'], ['delete'], ['list', 'watch'], ['get'], ['update']] as const;

/** A platform takes rights to composed resources from a process, an edit comes, and mostly it gives them back. */
export const takeRights: Maker = (draw, scene) => {
  const process = draw.pick(['crossplane', 'crossplane', 'provider'] as const);
  const kinds = [...scene.known.values()].flat().map(({kind: {kind}}) => kind);
  if (kinds.length === 0) return [];
  const fault = {kind: 'forbid', process, verbs: draw.pick(rights), kinds: [draw.pick(kinds)]} as const;
  const taken = step('user', `take rights from ${process}`, {kind: 'fault', fault});
  const back = step('user', 'give the rights back', {kind: 'fault', fault: {kind: 'end'}});
  return [taken, ...editComposition(draw, scene), ...(draw.chance(70) ? [back] : [])];
};

function anyComposed(draw: Draw, scene: Scene): {readonly xr: Xr; readonly resource: Resource} | undefined {
  const xr = draw.pick(scene.xrs);
  const known = scene.known.get(xr.kind) ?? [];
  return known.length === 0 ? undefined : {xr, resource: draw.pick(known)};
}

/** Writes labels that selectors of the input read to a composed resource, which an earlier step may desire no more. */
const relabel = 'write labels that selectors read';

function labelsIn(draw: Draw, scene: Scene, {kind}: Xr): JsonObject {
  return drawLabels(draw, {resources: scene.known.get(kind) ?? []});
}

/** A person with all rights works on one composed resource by hand. */
export const handWork: Maker = (draw, scene) => {
  const found = anyComposed(draw, scene);
  if (found === undefined) return [];
  const target = composedOf(found.xr, found.resource);
  const labels = (value: string | null) => ({metadata: {labels: {[labelInUse]: value}}});
  const {managed} = found.resource.kind;
  return draw.weighted<() => Made>([
    [4, () => [drawDelete(draw, 'delete a composed resource', 'person', target)]],
    [2, () => [step('person', 'label a composed resource', patch(target, {metadata: {labels: {mine: 'yes'}}}))]],
    [2, () => [step('person', relabel, patch(target, {metadata: {labels: labelsIn(draw, scene, found.xr)}}))]],
    [2, () => [step('person', 'annotate a composed resource', patch(target, {metadata: {annotations: {why: 'x'}}}))]],
    [2, () => [step('person', 'leave a stale in-use label', patch(target, labels('true')))]],
    [2, () => [step('person', 'take the owner away', patch(target, {metadata: {ownerReferences: null}}))]],
    [2, () => [step('person', 'forget who wrote what', patch(target, {metadata: {managedFields: [{}]}}))]],
    [2, () => [step('person', 'add a finalizer', patch(target, {metadata: {finalizers: ['example.org/hand']}}))]],
    [
      managed ? 2 : 0,
      () => [step('person', 'keep the external resource', patch(target, {spec: {deletionPolicy: 'Orphan'}}))],
    ],
    [managed ? 2 : 0, () => [step('person', 'edit a field', patch(target, {spec: {forProvider: {size: 'xl'}}}))]],
  ])();
};

/** An autoscaler or a labeller: a controller with a field of its own on what others made. */
export const ownField: Maker = (draw, scene) => {
  const found = anyComposed(draw, scene);
  if (found === undefined) return [];
  const target = composedOf(found.xr, found.resource);
  if (!found.resource.kind.managed || draw.chance(30)) {
    return [step('controller', 'write a label of its own', patch(target, {metadata: {labels: {cost: '7'}}}))];
  }
  if (found.resource.kind.kind === 'Database' && draw.chance(80)) {
    return [step('controller', 'write a large integer', patch(target, {spec: {forProvider: {quota: large}}}))];
  }
  return [step('controller', 'scale', patch(target, {spec: {forProvider: {replicas: 50}}}))];
};

/** Crossplane's edit role: everything about an XR, its status included. */
export const editorMove: Maker = (draw, scene) => {
  const xr = draw.pick(scene.xrs);
  const target = selectorOf(xr);
  const [other] = scene.xrs.filter((one) => one !== xr);
  const victim: JsonObject = {apiVersion: 'cloud.example.org/v1', kind: 'Bucket', name: 'bystander'};
  const refs = (list: readonly JsonObject[]) => patch(target, {spec: refsIn(xr.kind, list)});
  const keys = (scene.known.get(xr.kind) ?? []).map(({name}) => name);
  const planted = Object.fromEntries(keys.map((key) => [key, 'ext-1']));
  const metadata = (body: JsonObject) => patch(target, {metadata: body});
  return draw.weighted<() => Made>([
    [3, () => [step('editor', 'empty resourceRefs', refs([]))]],
    [4, () => [step('editor', 'list what belongs to nobody', refs([victim]))]],
    [2, () => [step('editor', 'list another XR', refs(other === undefined ? [victim] : [selectorOf(other)]))]],
    [3, () => [step('editor', 'plant names in status', patch(target, {status: {externalNames: planted}}, true))]],
    [2, () => [step('editor', 'empty the status', patch(target, {status: null}, true))]],
    [
      2,
      () => [
        step(
          'editor',
          'claim an identity',
          metadata({
            labels: {[labelComposite]: other?.name ?? 'shop', [labelTetherComposite]: 'x'},
          }),
        ),
      ],
    ],
    [
      2,
      () => [step('editor', 'annotate the XR', metadata({annotations: {'tether.fn.crossplane.io/phase': 'adopted'}}))],
    ],
    [2, () => [step('editor', 'forget who wrote what', metadata({managedFields: [{}]}))]],
    [1, () => [step('editor', 'change spec', patch(target, {spec: {size: 'huge'}}))]],
  ])();
};

/** A tenant of a namespace: objects of its own, with any name, label and annotation. */
export const tenantMove: Maker = (draw, scene) => {
  const xr = draw.pick(scene.xrs);
  const resource = draw.pick(scene.known.get(xr.kind) ?? []) as Resource | undefined;
  const namespace = draw.pick(namespaces);
  const own = isModern(scene.crossplane)
    ? draw.pick(['ConfigMap', 'Secret', 'Bucket'] as const)
    : draw.pick(['ConfigMap', 'Secret'] as const);
  const apiVersion = own === 'Bucket' ? 'cloud.m.example.org/v1' : 'v1';
  const labels = {[labelComposite]: xr.name, [labelTetherResource]: resource?.name ?? 'a'};
  const annotations = {
    [annotationResourceName]: resource?.name ?? 'a',
    [annotationExternalName]: 'ext-1',
  };
  const body = own === 'Bucket' ? {spec: {forProvider: {region: 'mine'}}} : {data: {a: 'ext-1', key: 'bXluZQ=='}};
  const object: KubeObject = {
    apiVersion,
    kind: own,
    metadata: {name: 'decoy', namespace, labels, annotations},
    ...body,
  };
  const found = anyComposed(draw, scene);
  if (found?.resource.kind.namespaced && draw.chance(40)) {
    const labels = labelsIn(draw, scene, found.xr);
    return [step('tenant', relabel, patch(composedOf(found.xr, found.resource), {metadata: {labels}}))];
  }
  const made = step('tenant', 'make a decoy', apply(object));
  // A step of its own: without the function no object has the label, and the decoy has to exist all the same.
  const copied = {[labelTetherComposite]: `\${label:resource=${resource?.name ?? 'a'},${labelTetherComposite}}`};
  const target = {apiVersion, kind: own, name: 'decoy', namespace};
  const copies = step('tenant', 'copy what anybody may read', patch(target, {metadata: {labels: copied}}));
  return draw.chance(70) ? [made, copies] : [made];
};
