import type {KindDefinition, Rule} from '../../api/kinds.ts';
import {at, type JsonObject} from '../../json.ts';
import type {Profile} from '../profile.ts';
import {conditionList} from '../xr-schema.ts';
import {anything, choice, immutable, list, listByKey, record, resource, text, textMap} from './schema.ts';

// The kinds Composition and CompositionRevision. crossplane/crossplane 2d040d2da
// cluster/crds/apiextensions.crossplane.io_compositions.yaml and _compositionrevisions.yaml; before v2 the same at
// v1.16.1 and v1.20.11. Not modelled: the fields of native patch-and-transform, which are accepted as they are.

const group = 'apiextensions.crossplane.io';

export function compositionKind(profile: Profile): KindDefinition {
  const schema = resource(specSchema(profile, {}, ['compositeTypeRef']));
  const version = {name: 'v1', served: true, storage: true, status: false, schema, rules: rules(profile)};
  return {group, kind: 'Composition', plural: 'compositions', namespaced: false, versions: [version], generation: true};
}

export function compositionRevisionKind(profile: Profile): KindDefinition {
  const spec = specSchema(profile, {revision: {type: 'integer', format: 'int64'}}, ['compositeTypeRef', 'revision']);
  const status = record({conditions: conditionList(profile.observedGeneration === 'set')});
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    status: true,
    schema: resource(spec, status),
    rules: profile.fixedFields === 'changeable' ? [] : [immutable('compositeTypeRef')],
  };
  return {
    group,
    kind: 'CompositionRevision',
    plural: 'compositionrevisions',
    namespaced: false,
    versions: [version],
    generation: true,
  };
}

function rules(profile: Profile): readonly Rule[] {
  const fixed = profile.fixedFields === 'changeable' ? [] : [immutable('compositeTypeRef')];
  return profile.definitionApi === 'v1' ? fixed : [pipelineRequired, ...fixed];
}

const pipelineRequired: Rule = {
  field: 'spec',
  message: 'an array of pipeline steps is required in Pipeline mode',
  holds: ({spec}) => spec?.['mode'] === 'Pipeline' && at(spec, ['pipeline']) !== undefined,
};

function specSchema(profile: Profile, more: JsonObject, required: readonly string[]): JsonObject {
  const modern = profile.definitionApi === 'v1-and-v2';
  const fields: JsonObject = {
    compositeTypeRef: record({apiVersion: text, kind: text}, ['apiVersion', 'kind']),
    mode: modern ? choice(['Pipeline'], 'Pipeline') : choice(['Resources', 'Pipeline'], 'Resources'),
    pipeline: listByKey(pipelineStep, 'step'),
    writeConnectionSecretsToNamespace: text,
    ...(modern ? {} : legacyFields),
    ...more,
  };
  return record(fields, required);
}

const legacyFields: JsonObject = {
  publishConnectionDetailsWithStoreConfigRef: {...record({name: text}, ['name']), default: {name: 'default'}},
  resources: list(anything),
  patchSets: list(anything),
  environment: anything,
};

const requiredResource = record(
  {apiVersion: text, kind: text, name: text, namespace: text, matchLabels: textMap, requirementName: text},
  ['apiVersion', 'kind', 'requirementName'],
);
const requiredSchema = record({apiVersion: text, kind: text, requirementName: text}, [
  'apiVersion',
  'kind',
  'requirementName',
]);

const pipelineStep = record(
  {
    step: text,
    functionRef: record({name: text}, ['name']),
    input: {...anything, 'x-kubernetes-embedded-resource': true},
    credentials: listByKey(
      record(
        {
          name: text,
          source: choice(['None', 'Secret']),
          secretRef: record({name: text, namespace: text}, ['name', 'namespace']),
        },
        ['name', 'source'],
      ),
      'name',
    ),
    requirements: record({
      requiredResources: listByKey(requiredResource, 'requirementName'),
      requiredSchemas: listByKey(requiredSchema, 'requirementName'),
    }),
  },
  ['functionRef', 'step'],
);
