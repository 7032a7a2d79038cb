// The versions of a kind in which objects may be stored: each that was once the storage version, until a client migrates the
// objects and edits status.storedVersions. The definition must keep all of them.
// kubernetes/apiextensions-apiserver 1aa2717a5 pkg/registry/customresourcedefinition/strategy.go PrepareForUpdate,
// pkg/apis/apiextensions/validation/validation.go ValidateCustomResourceDefinitionStoredVersions.

import {versionsOf} from '../defined-kinds.ts';
import {at, isList, type Json} from '../json.ts';
import type {KubeObject} from '../object.ts';
import {type FieldError, invalidValue} from './errors.ts';

/** The names of the versions that the definition stores now. */
export function storageVersions(definition: KubeObject): readonly Json[] {
  return versionsOf(definition)
    .filter((version) => at(version, ['storage']) === true)
    .map((version) => at(version, ['name']) ?? '');
}

/** A definition that changed, with the version that it stores now among those that it stored. */
export function withStoredVersions(object: KubeObject): KubeObject {
  const before = object.status?.['storedVersions'];
  if (object.kind !== 'CustomResourceDefinition' || !isList(before)) return object;
  const added = storageVersions(object).filter((name) => !before.includes(name));
  return added.length === 0 ? object : {...object, status: {...object.status, storedVersions: [...before, ...added]}};
}

/** The error of a definition that drops a version which is still in storedVersions. */
export function storedVersionErrors(definition: KubeObject): readonly FieldError[] {
  const stored = definition.status?.['storedVersions'];
  const names = versionsOf(definition).map((version) => at(version, ['name']));
  return (isList(stored) ? stored : []).flatMap((name, index) => {
    if (names.includes(name)) return [];
    const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    return [invalidValue(`status.storedVersions[${index}]`, name, why)];
  });
}
