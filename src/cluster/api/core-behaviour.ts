// Behaviour special to Namespaces and CustomResourceDefinitions: fields set on creation, and how their deletion begins. Controllers
// finish the deletion: see cluster/api-controllers.
//
// kubernetes/kubernetes v1.34 pkg/registry/core/namespace; kubernetes/apiextensions-apiserver 1aa2717a5
// pkg/registry/customresourcedefinition/etcd.go, pkg/controller/{status,establish}. A CRD is established at once: the fraction of a
// second upstream takes decides nothing here, since creators of CRDs wait for the condition.

import {equal, isObject, type JsonObject} from '../json.ts';
import type {Condition, KubeObject} from '../object.ts';
import type {Kind} from './kinds.ts';
import {crdGroupKind} from './store.ts';
import {storageVersions} from './stored-versions.ts';
import {withMeta} from './strategy.ts';

const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** The object with what the server fills in wherever a client leaves it out. */
export function asDecoded({groupKind, definition}: Kind, object: KubeObject): KubeObject {
  if (groupKind === crdGroupKind) return completeCrd(object);
  // A struct that an apply emptied is there, and empty.
  const whole = definition.filled !== undefined && object.spec === null ? {...object, spec: {}} : object;
  return definition.filled?.(whole as KubeObject) ?? object;
}

/** The object with what the server adds on creation. */
export function asCreated({groupKind, definition}: Kind, object: KubeObject): KubeObject {
  if (groupKind === 'Namespace') return newNamespace(object);
  if (groupKind === crdGroupKind) return {...object, status: bornStatus(object)};
  // A Go struct has its status from the beginning.
  const status = definition.empty?.['status'];
  return isObject(status) && object.status === undefined ? {...object, status} : object;
}

/** The status that the server's own controllers give a new object, as far as that is done at once. */
export function firstStatus(groupKind: string, object: KubeObject, now: string): KubeObject['status'] {
  return groupKind === crdGroupKind ? establishedStatus(object, now) : object.status;
}

/** The object with what the server changes when its deletion begins, besides the deletion timestamp. */
export function asDeleting(groupKind: string, object: KubeObject, now: string): KubeObject {
  if (object.metadata.deletionTimestamp !== undefined) return object;
  if (groupKind === 'Namespace') return {...object, status: {...object.status, phase: 'Terminating'}};
  if (groupKind !== crdGroupKind) return object;
  const finalizers = object.metadata.finalizers ?? [];
  const kept = finalizers.includes(cleanupFinalizer) ? finalizers : [...finalizers, cleanupFinalizer];
  const terminating: Condition = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: now,
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  };
  return withMeta(withCondition(object, terminating), {finalizers: kept});
}

/** A Namespace has finalizers of its own in its spec: `kubernetes`, which the namespace controller removes. */
export function hasNamespaceFinalizers(object: KubeObject): boolean {
  if (object.kind !== 'Namespace' || object.apiVersion !== 'v1') return false;
  const finalizers = object.spec?.['finalizers'] as readonly string[] | undefined;
  return finalizers !== undefined && finalizers.length > 0;
}

function newNamespace(object: KubeObject): KubeObject {
  const labels = {...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name};
  const spec = {...object.spec, finalizers: ['kubernetes']};
  return withMeta({...object, spec, status: {phase: 'Active'}}, {labels});
}

function completeCrd(object: KubeObject): KubeObject {
  const names = object.spec?.['names'];
  const kind = isObject(names) ? names['kind'] : undefined;
  if (!isObject(names) || typeof kind !== 'string') return object;
  const completed = {singular: kind.toLowerCase(), listKind: `${kind}List`, ...names};
  const spec = {conversion: {strategy: 'None'}, ...object.spec, names: completed};
  return equal(spec, object.spec) ? object : {...object, spec};
}

function bornStatus(object: KubeObject): JsonObject {
  return {acceptedNames: {plural: '', kind: ''}, conditions: null, storedVersions: storageVersions(object)};
}

function establishedStatus({spec = {}, status = {}}: KubeObject, now: string): JsonObject {
  const conditions: readonly Condition[] = [
    condition('NamesAccepted', 'NoConflicts', 'no conflicts found', now),
    condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted', now),
  ];
  return {...status, acceptedNames: spec['names'] ?? {}, conditions};
}

function condition(type: string, reason: string, message: string, now: string): Condition {
  return {type, status: 'True', lastTransitionTime: now, reason, message};
}

function withCondition(object: KubeObject, condition: Condition): KubeObject {
  const before = (object.status?.['conditions'] ?? []) as readonly Condition[];
  const others = before.filter(({type}) => type !== condition.type);
  return {...object, status: {...object.status, conditions: [...others, condition]}};
}
