// A JSON Schema for Compositions, in which a step's input is function-tether's where its apiVersion says so. The fields are
// those of the CRD that the simulated API server has; the oldest generation has all of them.

import {compositionKind} from '../src/cluster/crossplane/kinds/composition-kinds.ts';
import {profiles} from '../src/cluster/crossplane/profiles.ts';
import {at, isObject, type Json, type JsonObject} from '../src/cluster/json.ts';
import type {JsonSchema} from '../src/harness/input/form.ts';
import {inputGroup} from '../src/lifecycle/input/schema.ts';

const apiVersion = 'apiextensions.crossplane.io/v1';

/** For whole files: beside Compositions they may have documents of other kinds, of which nothing is known. */
export function compositionSchema(input: JsonSchema): JsonSchema {
  return {
    description: 'A Composition of Crossplane. Documents of other kinds are taken as they are.',
    type: 'object',
    if: {properties: {kind: {const: 'Composition'}}},
    // biome-ignore lint/suspicious/noThenProperty: it is the word of JSON Schema
    then: {$ref: '#/$defs/Composition'},
    $defs: {
      Composition: {
        type: 'object',
        required: ['apiVersion', 'kind', 'metadata', 'spec'],
        additionalProperties: false,
        properties: {
          apiVersion: {const: apiVersion, description: 'The API version of Compositions.'},
          kind: {const: 'Composition', description: 'The kind of this object.'},
          metadata: {type: 'object'},
          spec: explained('spec', at(crdSchema(), ['properties', 'spec']) as JsonObject),
        },
      },
      Input: input,
    },
  };
}

function crdSchema(): JsonObject {
  const [version] = compositionKind(profiles['1.20']).versions;
  if (version === undefined) throw new Error('the kind Composition has no version');
  return version.schema as unknown as JsonObject;
}

/** Of a CRD's schema the words that JSON Schema has, with a description for each field; nothing else is taken. */
function explained(path: string, {properties, items, ...rest}: JsonObject): JsonSchema {
  const words = Object.entries(rest).filter(([word]) => !word.startsWith('x-kubernetes-') && word !== 'default');
  const description = descriptions[path];
  const head = {...Object.fromEntries(words), ...(description === undefined ? {} : {description})};
  if (path === inputPath) return {...head, ...inputRule};
  if (isObject(items)) return {...head, items: explained(`${path}[]`, items)};
  if (!isObject(properties)) return head;
  const fields = Object.entries(properties).map(([name, one]: [string, Json]) => [
    name,
    explained(`${path}.${name}`, one as JsonObject),
  ]);
  return {...head, additionalProperties: false, properties: Object.fromEntries(fields)};
}

const inputPath = 'spec.pipeline[].input';
const inputRule = {
  required: ['apiVersion', 'kind'],
  if: {
    properties: {apiVersion: {type: 'string', pattern: `^${inputGroup.replaceAll('.', '\\.')}/`}},
    required: ['apiVersion'],
  },
  // biome-ignore lint/suspicious/noThenProperty: it is the word of JSON Schema
  then: {$ref: '#/$defs/Input'},
};

const descriptions: {readonly [path: string]: string} = {
  spec: 'How an XR is composed.',
  'spec.compositeTypeRef': 'The XRs that this Composition is for. It cannot be changed.',
  'spec.compositeTypeRef.apiVersion': 'The API version of the XRs.',
  'spec.compositeTypeRef.kind': 'The kind of the XRs.',
  'spec.mode': 'Pipeline, for functions. Crossplane v2 has no other; before it the default is Resources.',
  'spec.pipeline': 'The functions, in the order they run. function-tether comes last.',
  'spec.pipeline[].step': 'The name of the step, once in the pipeline.',
  'spec.pipeline[].functionRef': 'The function that runs in this step.',
  'spec.pipeline[].functionRef.name': 'The name of the Function.',
  [inputPath]: 'What the function is told. Its apiVersion says whose input it is.',
  'spec.pipeline[].credentials': 'Secrets that the function gets.',
  'spec.pipeline[].credentials[].name': 'What the function calls it.',
  'spec.pipeline[].credentials[].source': 'Where it comes from.',
  'spec.pipeline[].credentials[].secretRef': 'The Secret, where that is the source.',
  'spec.pipeline[].credentials[].secretRef.name': 'The name of the Secret.',
  'spec.pipeline[].credentials[].secretRef.namespace': 'The namespace of the Secret.',
  'spec.pipeline[].requirements': 'What the function gets with its first request, without asking.',
  'spec.pipeline[].requirements.requiredResources': 'Objects that the function gets.',
  'spec.pipeline[].requirements.requiredResources[].requirementName': 'What the function calls them.',
  'spec.pipeline[].requirements.requiredResources[].apiVersion': 'The API version of the objects.',
  'spec.pipeline[].requirements.requiredResources[].kind': 'The kind of the objects.',
  'spec.pipeline[].requirements.requiredResources[].name': 'The name of one object. Either this or labels.',
  'spec.pipeline[].requirements.requiredResources[].namespace': 'The namespace to look in.',
  'spec.pipeline[].requirements.requiredResources[].matchLabels': 'The labels of the objects. Either these or a name.',
  'spec.pipeline[].requirements.requiredSchemas': 'OpenAPI schemas of kinds that the function gets.',
  'spec.pipeline[].requirements.requiredSchemas[].requirementName': 'What the function calls it.',
  'spec.pipeline[].requirements.requiredSchemas[].apiVersion': 'The API version of the kind.',
  'spec.pipeline[].requirements.requiredSchemas[].kind': 'The kind.',
  'spec.writeConnectionSecretsToNamespace':
    'The namespace for the connection Secrets of cluster-scoped XRs, before v2.',
  'spec.publishConnectionDetailsWithStoreConfigRef': 'The StoreConfig for connection details, before v2.',
  'spec.publishConnectionDetailsWithStoreConfigRef.name': 'The name of the StoreConfig.',
  'spec.resources': 'Composed resources of native patch-and-transform, before v2. No function runs then.',
  'spec.patchSets': 'Patches of native patch-and-transform, before v2.',
  'spec.environment': 'EnvironmentConfigs of an alpha feature, before v2.',
};
