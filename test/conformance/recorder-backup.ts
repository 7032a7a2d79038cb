import type {ApiResponse} from '../../src/cluster/api/request.ts';
import {type JsonObject, without} from '../../src/cluster/json.ts';
import {type KubeObject, refOf} from '../../src/cluster/object.ts';
import type {Session} from '../../src/harness/control-plane/session.ts';
import type {RestoreOptions} from './recorded-scenario.ts';

// The recorder's own backup and restore: a plain copy and a plain create, with options for what a backup tool might
// keep. The product's model of Velero is another one (cluster/backup); this one only has to do what the recorder did.

const server = ['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields', 'selfLink'];
const deletion = ['deletionTimestamp', 'deletionGracePeriodSeconds'];

/** What is created for a saved object. */
export function restored(saved: KubeObject, options: RestoreOptions): KubeObject {
  const dropped = [
    ...server,
    ...deletion,
    ...(options.keepGenerateName ? [] : ['generateName']),
    ...(options.keepOwnerReferences ? [] : ['ownerReferences']),
    ...(options.keepFinalizers ? [] : ['finalizers']),
  ];
  const kept = dropped.reduce<JsonObject>(without, saved.metadata);
  const {kinds, annotations: asked} = options.annotate;
  const added = kinds === undefined || kinds.includes(saved.kind) ? asked : {};
  const annotations = {...saved.metadata.annotations, ...added};
  const metadata = Object.keys(annotations).length === 0 ? kept : {...kept, annotations};
  const spec = saved.spec === undefined || !options.stripResourceRefs ? saved.spec : stripped(saved.spec);
  const {status: _, ...rest} = saved;
  return {...rest, metadata, ...(spec === undefined ? {} : {spec})} as KubeObject;
}

function stripped(spec: JsonObject): JsonObject {
  const {resourceRefs: _, crossplane, ...rest} = spec;
  if (crossplane === undefined) return rest;
  return {...rest, crossplane: without(crossplane as JsonObject, 'resourceRefs')};
}

/** The saved objects a restore creates, in its order of kinds. */
export function chosen(saved: readonly KubeObject[], options: RestoreOptions): readonly KubeObject[] {
  const kinds = options.order.length > 0 ? options.order : [...new Set(saved.map((object) => object.kind))];
  const named = (object: KubeObject, list: readonly string[]): boolean => list.some((word) => isNamed(object, word));
  const wanted = saved.filter((object) => options.only.length === 0 || named(object, options.only));
  const left = wanted.filter((object) => !named(object, options.exclude));
  return kinds.flatMap((kind) => left.filter((object) => object.kind === kind));
}

/** A list names objects by kind, by `Kind/name`, by name or by composition-resource-name. */
function isNamed({kind, metadata}: KubeObject, word: string): boolean {
  const resource = metadata.annotations?.['crossplane.io/composition-resource-name'];
  return (
    word === kind ||
    word === metadata.name ||
    word === `${kind}/${metadata.name}` ||
    word === resource ||
    (resource !== undefined && word === `${kind}/${resource}`)
  );
}

/** Creates the object, and writes its status where it is kept. Answers what the create was answered. */
export function restore(object: KubeObject, saved: KubeObject, options: RestoreOptions, session: Session): ApiResponse {
  const manager = 'velero-server';
  const response = session.submit('velero', {verb: 'create', object, manager});
  if (options.keepStatus && saved.status !== undefined) {
    const body = {status: saved.status};
    const ref = refOf(object);
    session.submit('velero', {verb: 'patch', type: 'merge', ref, body, manager, subresource: 'status'});
  }
  return response;
}

/** Takes the object out of the store, whatever would hold it. */
export function wipe(object: KubeObject, session: Session): void {
  const body = {metadata: {finalizers: null, ownerReferences: null, labels: {'crossplane.io/in-use': null}}};
  const ref = refOf(object);
  session.submit('velero', {verb: 'patch', type: 'merge', ref, body, manager: 'wiper'});
  session.submit('velero', {verb: 'delete', ref});
}
