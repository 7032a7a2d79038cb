// Everything one actor may do in one move, read off what is there: for a story that has no such actor of its own.

import type {KubeObject} from '../../cluster/object.ts';
import {annotationExternalName, annotationResourceName, labelComposite, labelInUse} from '../../cluster/vocabulary.ts';
import {defaultNamespace} from '../control-plane/catalogue.ts';
import type {StepAction} from '../control-plane/operator/action.ts';
import type {Actor, Step} from '../scenario/scenario.ts';
import {annotationConfirmRemoval} from '../worlds/tether-marks.ts';
import {type Ending, type Found, xrsIn} from './ending.ts';

/** The moves of each actor on the world as it is at an ending. */
export function actorMenu(ending: Ending): ReadonlyMap<Actor, readonly Step[]> {
  const living = [...ending.found.values()].flat().filter(({isGoing}) => !isGoing);
  const composed = living.filter(({made}) => made.key !== undefined);
  const xrs = xrsIn(ending);
  return new Map<Actor, readonly Step[]>([
    ['person', composed.flatMap(({object}) => byHand(object))],
    ['controller', composed.flatMap(({object}) => ofController(object))],
    ['editor', xrs.flatMap((xr) => ofEditor(xr, composed))],
    ['tenant', composed.flatMap(({object}) => ofTenant(object))],
  ]);
}

function patched(by: Actor, name: string, object: KubeObject, body: object, status = false): Step {
  const {apiVersion, kind, metadata} = object;
  const where = metadata.namespace === undefined ? {} : {namespace: metadata.namespace};
  // A composed resource has another name in the other run: it goes by its name in the pipeline.
  const resource = metadata.annotations?.[annotationResourceName];
  const target = {apiVersion, kind, ...where, ...(resource === undefined ? {name: metadata.name} : {resource})};
  const action = {kind: 'patch', type: 'merge', target, status, body} as StepAction;
  return {name: `${by}: ${name} ${kind} ${resource ?? metadata.name}`, place: '', by, action, expect: []};
}

function byHand(object: KubeObject): readonly Step[] {
  const deleted = patched('person', 'deletes', object, {});
  const {target} = deleted.action as StepAction & {readonly kind: 'patch'};
  return [
    {...deleted, action: {kind: 'delete', target, ignoreNotFound: true}},
    patched('person', 'leaves a stale in-use label on', object, {metadata: {labels: {[labelInUse]: 'true'}}}),
    patched('person', 'takes the owner away from', object, {metadata: {ownerReferences: null}}),
    patched('person', 'annotates', object, {metadata: {annotations: {why: 'x'}}}),
  ];
}

function ofController(object: KubeObject): readonly Step[] {
  return [patched('controller', 'writes a label of its own to', object, {metadata: {labels: {cost: '7'}}})];
}

function ofEditor({object}: Found, composed: readonly Found[]): readonly Step[] {
  const none = {resourceRefs: []};
  const emptied = {spec: object.spec?.['crossplane'] === undefined ? none : {crossplane: none}};
  const planted = Object.fromEntries(composed.map(({made}) => [made.key, 'ext-1']));
  return [
    patched('editor', 'empties resourceRefs of', object, emptied),
    patched('editor', 'plants names in the status of', object, {status: {externalNames: planted}}, true),
    patched('editor', 'empties the status of', object, {status: null}, true),
    patched('editor', 'claims another identity for', object, {
      metadata: {labels: {[labelComposite]: 'other'}},
    }),
    patched('editor', 'confirms every removal of', object, {
      metadata: {
        annotations: {
          [annotationConfirmRemoval]: composed.map(({made}) => made.key).join(','),
        },
      },
    }),
  ];
}

/** A ConfigMap with every mark of a composed resource. */
function ofTenant({metadata: {labels = {}, annotations = {}}}: KubeObject): readonly Step[] {
  const key = annotations[annotationResourceName] ?? '';
  const object: KubeObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: `decoy-of-${key}`,
      namespace: defaultNamespace,
      labels,
      annotations: {[annotationResourceName]: key, [annotationExternalName]: 'ext-1'},
    },
    data: {[key]: 'ext-1'},
  } as KubeObject;
  const action: StepAction = {kind: 'apply', objects: [object]};
  return [{name: `tenant: makes a decoy of ${key}`, place: '', by: 'tenant', action, expect: []}];
}
