// Takes control of a package's objects for a revision, and releases it. The active revision controls each object; every other one
// only owns it. The package itself owns it, too. So an object that a later package no longer has outlives the revisions that had
// it: only the deletion of the package removes it.
// crossplane/crossplane 2d040d2da internal/controller/pkg/revision/establisher.go; crossplane-runtime 4e7ed235 pkg/meta/meta.go.
// The same in v1.16.1.
//
// All writes are tried before the first is made, so one refused object keeps all others as they were. Not modelled: ten objects
// written at once (here they are written one after the other, and the first refusal is reported), webhooks with their certificates,
// common labels and annotations.

import type {ApiRequest} from '../../api/request.ts';
import {type Step, throughClient} from '../../kernel/call.ts';
import {
  asController,
  asOwner,
  controllerOf,
  type KubeObject,
  type OwnerReference,
  refOf,
  withOwner,
} from '../../object.ts';
import {kindManagedDefinition, labelPackage, managerCrossplane} from '../../vocabulary.ts';
import {getCached, getLive, update} from '../client.ts';
import {failed, objectOf, type Result, success, wrapped} from '../failure.ts';

/** The reference to an object in the status of a revision. */
export type ObjectReference = {readonly apiVersion: string; readonly kind: string; readonly name: string};

/** Takes control of the objects, or with `control` false ownership of those that are there. */
export function* establish(
  objects: readonly KubeObject[],
  revision: KubeObject,
  control: boolean,
): Step<Result<readonly ObjectReference[]>> {
  const wanted: Request[] = [];
  for (const object of objects) {
    const read = yield* getCached(refOf(object));
    if (!read.ok) return read;
    const request = requestFor(object, read.value, revision, control);
    if (!request.ok) return request;
    if (request.value === undefined) continue;
    const tried = objectOf(yield* throughClient({...request.value, dryRun: true}));
    if (!tried.ok) return tried;
    wanted.push(request.value);
  }
  for (const request of wanted) {
    const written = objectOf(yield* throughClient(request));
    if (!written.ok) return written;
  }
  return success(objects.map(({apiVersion, kind, metadata}) => ({apiVersion, kind, name: metadata.name})));
}

type Request = ApiRequest & {readonly verb: 'create' | 'update'};

/** None for what is not there and not to be controlled: the active revision makes it. */
function requestFor(
  object: KubeObject,
  current: KubeObject | undefined,
  revision: KubeObject,
  control: boolean,
): Result<Request | undefined> {
  const parent = packageOwner(revision);
  if (current === undefined) {
    const metadata = {...object.metadata, ownerReferences: [asController(revision), ...parent]};
    return success(control ? {verb: 'create', object: {...object, metadata}, manager: managerCrossplane} : undefined);
  }
  const owners = parent.reduce(withOwner, current.metadata.ownerReferences ?? []);
  if (!control) {
    const metadata = {...current.metadata, ownerReferences: withOwner(owners, asOwner(revision))};
    return success({verb: 'update', object: {...current, metadata}, manager: managerCrossplane});
  }
  const other = controllerOf(current);
  if (other !== undefined && other.uid !== revision.metadata.uid) {
    const {kind, name, uid} = other;
    return failed(`${object.metadata.name} is already controlled by ${kind} ${name} (UID ${uid})`);
  }
  const {resourceVersion = ''} = current.metadata;
  const metadata = {
    ...object.metadata,
    resourceVersion,
    ownerReferences: withOwner(owners, asController(revision)),
  };
  return success({verb: 'update', object: {...keepingState(object, current), metadata}, manager: managerCrossplane});
}

/** Keeps the state of a ManagedResourceDefinition: activation policies and users set it. */
function keepingState(object: KubeObject, {spec = {}}: KubeObject): KubeObject {
  const keepsState = object.kind === kindManagedDefinition.kind && object.spec?.['state'] !== 'Active';
  return keepsState ? {...object, spec: {...object.spec, state: spec['state'] ?? 'Inactive'}} : object;
}

/** Lets go of the control of what the status of the revision lists, and goes on owning it. */
export function* release(revision: KubeObject): Step<Result<void>> {
  for (const ref of objectsOf(revision)) {
    const read = yield* getLive(ref);
    if (!read.ok) return wrapped(`cannot get owned object: ${ref.kind}/${ref.name}`, read);
    if (read.value === undefined) continue;
    const owners = read.value.metadata.ownerReferences ?? [];
    const own = owners.find(({uid}) => uid === revision.metadata.uid);
    if (own !== undefined && own.controller !== true) continue;
    const kept = withOwner(owners, own === undefined ? asOwner(revision) : {...own, controller: false});
    const written = yield* update({...read.value, metadata: {...read.value.metadata, ownerReferences: kept}});
    if (!written.ok) return wrapped(`cannot update owned object: ${ref.kind}/${ref.name}`, written);
  }
  return success(undefined);
}

/** The objects in the revision's status: those that it owns or controls. */
export function objectsOf({status}: KubeObject): readonly ObjectReference[] {
  return (status?.['objectRefs'] ?? []) as readonly ObjectReference[];
}

/** The reference of the revision to its package, without control. */
function packageOwner({metadata}: KubeObject): readonly OwnerReference[] {
  const name = metadata.labels?.[labelPackage];
  const found = (metadata.ownerReferences ?? []).find((owner) => owner.name === name);
  return found === undefined ? [] : [{...found, controller: false}];
}
