// Kinds that every cluster serves, and here Namespaces and CustomResourceDefinitions, too. Their schemas cover only how fields are
// merged and owned (kubernetes/kubernetes v1.34 api/openapi-spec). Validated is only content that an XRD or a provider's package
// can get wrong: one storage version, no stored version left out, Go patterns and rules in CEL.

import {at, isList, isObject} from '../json.ts';
import type {KubeObject} from '../object.ts';
import {type FieldError, invalidValue} from './errors.ts';
import {type KindDefinition, oneVersionKind} from './kinds.ts';
import {configMapKind, secretKind} from './native/config-kinds.ts';
import {nativeKinds} from './native/native-kinds.ts';
import {anything, choice, flag, list, listByKey, record, text} from './schema-pieces.ts';
import {schemaRuleErrors} from './schema-rules.ts';
import {storedVersionErrors} from './stored-versions.ts';

const names = record({
  plural: text,
  singular: text,
  kind: text,
  listKind: text,
  shortNames: list(text),
  categories: list(text),
});

const namespaceKind = oneVersionKind(
  'v1',
  'Namespace',
  record({spec: record({finalizers: list(text)}), status: anything}),
  {unconditionalUpdate: true, generation: false},
);

/** Only definitions that the harness makes up for kinds of the core group have no group. kubernetes/apiextensions-apiserver 1aa2717a5 pkg/apis/apiextensions/validation/validation.go. */
function definitionErrors(definition: KubeObject): readonly FieldError[] {
  const {name} = definition.metadata;
  const [plural, group] = [at(definition.spec, ['names', 'plural']), definition.spec?.['group']];
  const misnamed =
    name === `${plural}.${group}` || group === ''
      ? []
      : [invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group')];
  const versions = definition.spec?.['versions'];
  if (!isList(versions)) return misnamed;
  const stored = versions.filter((version) => at(version, ['storage']) === true);
  const storage =
    stored.length === 1
      ? []
      : [invalidValue('spec.versions', 'array', 'must have exactly one version marked as storage version')];
  return [...misnamed, ...storage, ...storedVersionErrors(definition), ...schemaRuleErrors(versions.filter(isObject))];
}

const crdSpec = record(
  {
    group: text,
    scope: choice(['Cluster', 'Namespaced']),
    names,
    conversion: record({strategy: text, webhook: anything}),
    preserveUnknownFields: flag,
    versions: list(anything),
  },
  ['group', 'names', 'scope', 'versions'],
);

const crdStatus = record({
  acceptedNames: names,
  conditions: listByKey(anything, 'type'),
  storedVersions: list(text),
});

const crdKind = oneVersionKind(
  'apiextensions.k8s.io/v1',
  'CustomResourceDefinition',
  record({spec: crdSpec, status: crdStatus}),
  {
    empty: {
      spec: {group: '', names: {plural: '', kind: ''}, scope: '', versions: null},
      status: {conditions: null, acceptedNames: {plural: '', kind: ''}, storedVersions: null},
    },
    check: definitionErrors,
  },
);

export const coreKinds: readonly KindDefinition[] = [namespaceKind, secretKind, configMapKind, crdKind, ...nativeKinds];
