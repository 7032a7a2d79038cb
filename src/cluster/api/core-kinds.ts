// The kinds that are there without anybody's doing: those of every cluster, and here Namespaces and definitions. Their schemas say only how their fields are merged and owned
// (kubernetes/kubernetes v1.34 api/openapi-spec): nothing here validates what no controller of the simulated world sends, but
// that a definition has one storage version and every one that was stored, patterns of Go's and rules that are CEL, which
// an XRD or a provider's package can get wrong.

import {at, isList, isObject, type JsonObject} from '../json.ts';
import type {KubeObject} from '../object.ts';
import {type FieldError, invalidValue} from './errors.ts';
import type {KindDefinition, KindVersion} from './kinds.ts';
import {configMapKind, secretKind} from './native/config-kinds.ts';
import {nativeKinds} from './native/native-kinds.ts';
import {schemaRuleErrors} from './schema-rules.ts';
import {storedVersionErrors} from './stored-versions.ts';

const anything: JsonObject = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true};

const names: JsonObject = {
  type: 'object',
  properties: {
    plural: {type: 'string'},
    singular: {type: 'string'},
    kind: {type: 'string'},
    listKind: {type: 'string'},
    shortNames: {type: 'array', items: {type: 'string'}, 'x-kubernetes-list-type': 'atomic'},
    categories: {type: 'array', items: {type: 'string'}, 'x-kubernetes-list-type': 'atomic'},
  },
};

const namespaceKind: KindDefinition = {
  group: '',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
  unconditionalUpdate: true,
  generation: false,
  versions: [
    {
      ...only('v1', {
        spec: {
          type: 'object',
          properties: {finalizers: {type: 'array', items: {type: 'string'}, 'x-kubernetes-list-type': 'atomic'}},
        },
        status: anything,
      }),
      status: true,
    },
  ],
};

/** kubernetes/apiextensions-apiserver 1aa2717a5 pkg/apis/apiextensions/validation/validation.go. */
function definitionErrors(definition: KubeObject): readonly FieldError[] {
  const versions = definition.spec?.['versions'];
  if (!isList(versions)) return [];
  const stored = versions.filter((version) => at(version, ['storage']) === true);
  const storage =
    stored.length === 1
      ? []
      : [invalidValue('spec.versions', 'array', 'must have exactly one version marked as storage version')];
  return [...storage, ...storedVersionErrors(definition), ...schemaRuleErrors(versions.filter(isObject))];
}

const crdKind: KindDefinition = {
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
  empty: {
    spec: {group: '', names: {plural: '', kind: ''}, scope: '', versions: null},
    status: {conditions: null, acceptedNames: {plural: '', kind: ''}, storedVersions: null},
  },
  versions: [
    {
      ...only('v1', {
        spec: {
          type: 'object',
          required: ['group', 'names', 'scope', 'versions'],
          properties: {
            group: {type: 'string'},
            scope: {type: 'string', enum: ['Cluster', 'Namespaced']},
            names,
            conversion: {type: 'object', properties: {strategy: {type: 'string'}, webhook: anything}},
            preserveUnknownFields: {type: 'boolean'},
            versions: {type: 'array', items: anything, 'x-kubernetes-list-type': 'atomic'},
          },
        },
        status: {
          type: 'object',
          properties: {
            acceptedNames: names,
            conditions: {
              type: 'array',
              items: anything,
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['type'],
            },
            storedVersions: {type: 'array', items: {type: 'string'}, 'x-kubernetes-list-type': 'atomic'},
          },
        },
      }),
      status: true,
      check: definitionErrors,
    },
  ],
};

export const coreKinds: readonly KindDefinition[] = [namespaceKind, secretKind, configMapKind, crdKind, ...nativeKinds];

function only(name: string, properties: JsonObject): KindVersion {
  return {name, served: true, storage: true, status: false, schema: {type: 'object', properties}};
}
