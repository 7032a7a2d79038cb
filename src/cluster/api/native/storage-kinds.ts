// PersistentVolumeClaim and StorageClass: what they ask for never changes.
//
// kubernetes/kubernetes v1.34 pkg/apis/core/validation/validation.go ValidatePersistentVolumeClaimUpdate,
// pkg/apis/storage/{v1/defaults,validation/validation}.go. Not modelled: binding, so that no claim grows; the finalizer
// kubernetes.io/pvc-protection, which a controller takes off again where no pod uses the claim; the default class; the
// difference that Go prints of a claim that may not change.

import {equal, type JsonObject, without} from '../../json.ts';
import type {KubeObject} from '../../object.ts';
import {type FieldError, forbiddenField, invalidValue, required} from '../errors.ts';
import {anything, atomic, flag, list, quantities, record, text, textMap, withDefault} from '../schema-pieces.ts';
import {nativeKind} from './native-kind.ts';
import {labelSelector} from './pod-template.ts';

export const volumeClaimKind = nativeKind('v1', 'PersistentVolumeClaim', {
  generation: false,
  empty: {spec: {resources: {}}, status: {phase: 'Pending'}},
  fields: {
    spec: record({
      accessModes: list(text),
      dataSource: atomic(record({apiGroup: text, kind: text, name: text})),
      dataSourceRef: record({apiGroup: text, kind: text, name: text, namespace: text}),
      resources: record({limits: quantities, requests: quantities}),
      selector: labelSelector,
      storageClassName: text,
      volumeAttributesClassName: text,
      volumeMode: withDefault(text, 'Filesystem'),
      volumeName: text,
    }),
  },
  status: true,
  check: claimErrors,
});

export const storageClassKind = nativeKind('storage.k8s.io/v1', 'StorageClass', {
  namespaced: false,
  generation: false,
  empty: {provisioner: ''},
  fields: {
    allowVolumeExpansion: flag,
    allowedTopologies: list(anything),
    mountOptions: list(text),
    parameters: textMap,
    provisioner: text,
    reclaimPolicy: withDefault(text, 'Delete'),
    volumeBindingMode: withDefault(text, 'Immediate'),
  },
  check: classErrors,
});

function claimErrors({spec = {}}: KubeObject, old: KubeObject | undefined): readonly FieldError[] {
  const before = old?.spec;
  if (before !== undefined) {
    // A claim is given its volume later, and a class where it has none.
    const later = ['volumeName', 'storageClassName'].filter((field) => before[field] === undefined);
    const fixed = (one: JsonObject) => later.reduce(without, one);
    if (equal(fixed(spec), fixed(before))) return [];
    return [
      forbiddenField(
        'spec',
        'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
      ),
    ];
  }
  const modes = spec['accessModes'];
  const errors: FieldError[] = [];
  if (!Array.isArray(modes) || modes.length === 0) {
    errors.push(required('spec.accessModes', 'at least 1 access mode is required'));
  }
  const requests = (spec['resources'] as JsonObject | undefined)?.['requests'] as JsonObject | undefined;
  if (requests?.['storage'] === undefined) errors.push(required('spec.resources[storage]'));
  return errors;
}

function classErrors(next: KubeObject, old: KubeObject | undefined): readonly FieldError[] {
  if ((next['provisioner'] ?? '') === '') return [required('provisioner')];
  if (old === undefined) return [];
  const forbidden = ['parameters', 'provisioner']
    .filter((field) => !equal(next[field], old[field]))
    .map((field) => forbiddenField(field, `updates to ${field} are forbidden.`));
  const immutable = ['reclaimPolicy', 'volumeBindingMode']
    .filter((field) => !equal(next[field], old[field]))
    .map((field) => invalidValue(field, next[field] ?? null, 'field is immutable'));
  return [...forbidden, ...immutable];
}
