import type {KindDefinition} from '../../api/kinds.ts';
import type {Rule} from '../../api/rules.ts';
import {isObject, type Json, type JsonObject} from '../../json.ts';
import type {Profile} from '../profile.ts';
import {conditionList} from '../xr-schema.ts';
import {anything, choice, embedded, immutable, list, listByKey, record, resource, text, textMap} from './schema.ts';

// The kinds Composition and CompositionRevision. crossplane/crossplane 2d040d2da
// cluster/crds/apiextensions.crossplane.io_compositions.yaml and _compositionrevisions.yaml; before v2 the same at
// v1.16.1 and v1.20.11. Not modelled: the fields of native patch-and-transform, which are accepted as they are.

const group = 'apiextensions.crossplane.io';

export function compositionKind(profile: Profile): KindDefinition {
  const limits = profile.definitionApi === 'v1' ? {} : {minItems: 1, maxItems: 99};
  const pipeline = {...listByKey(pipelineStep, 'step'), ...limits};
  const schema = resource(specSchema(profile, {pipeline}, ['compositeTypeRef']));
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
    rules: [...fixedType(profile), ...(profile.definitionApi === 'v1' ? [] : stepRules)],
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

function fixedType(profile: Profile): readonly Rule[] {
  return profile.fixedFields === 'changeable' ? [] : [immutable('compositeTypeRef')];
}

function rules(profile: Profile): readonly Rule[] {
  const fixed = fixedType(profile);
  return profile.definitionApi === 'v1' ? fixed : [pipelineRequired, ...fixed, ...stepRules];
}

const pipelineRequired: Rule = {
  field: 'spec',
  message: 'an array of pipeline steps is required in Pipeline mode',
  holds: (self) => is(self, 'mode', 'Pipeline') && has(self, 'pipeline'),
};

const stepRules: readonly Rule[] = [
  {
    field: 'spec.pipeline[].credentials[]',
    message: 'the Secret source requires a secretRef',
    // As upstream has it, which refuses source None as well.
    holds: (self) => is(self, 'source', 'Secret') && has(self, 'secretRef'),
  },
  {
    field: 'spec.pipeline[].requirements.requiredResources[]',
    message: 'name and matchLabels are mutually exclusive',
    holds: (self) => !(has(self, 'name') && has(self, 'matchLabels')),
  },
];

function has(value: Json, key: string): boolean {
  return isObject(value) && Object.hasOwn(value, key);
}

function is(value: Json, key: string, wanted: string): boolean {
  return isObject(value) && value[key] === wanted;
}

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
    input: embedded,
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
