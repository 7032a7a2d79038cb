// The kinds Composition and CompositionRevision. crossplane/crossplane 2d040d2da
// cluster/crds/apiextensions.crossplane.io_compositions.yaml and _compositionrevisions.yaml; before v2 the same at
// v1.16.1 and v1.20.11. Not modelled: the fields of native patch-and-transform, which are accepted as they are:
// native-mode.ts refuses to compose by them.

import {type KindDefinition, oneVersionKind} from '../../api/kinds.ts';
import {
  anything,
  choice,
  embedded,
  immutable,
  list,
  listByKey,
  record,
  resource,
  ruled,
  text,
  textMap,
} from '../../api/schema-pieces.ts';
import type {JsonObject} from '../../json.ts';
import type {Profile} from '../profile.ts';
import {conditionList} from '../xr-schema.ts';

const apiVersion = 'apiextensions.crossplane.io/v1';

export function compositionKind(profile: Profile): KindDefinition {
  const isV1 = profile.definitionApi === 'v1';
  const pipeline = {...listByKey(stepSchema(profile), 'step'), ...(isV1 ? {} : {minItems: 1, maxItems: 99})};
  const spec = specSchema(profile, {pipeline}, ['compositeTypeRef']);
  const schema = resource(isV1 ? spec : ruled(spec, pipelineRequired));
  return oneVersionKind(apiVersion, 'Composition', schema, {status: false});
}

export function compositionRevisionKind(profile: Profile): KindDefinition {
  const spec = specSchema(profile, {revision: {type: 'integer', format: 'int64'}}, ['compositeTypeRef', 'revision']);
  const status = record({conditions: conditionList(profile.observedGeneration === 'set')});
  return oneVersionKind(apiVersion, 'CompositionRevision', resource(spec, status));
}

const pipelineRequired = [
  'an array of pipeline steps is required in Pipeline mode',
  "self.mode == 'Pipeline' && has(self.pipeline)",
] as const;

export const typeRef = record({apiVersion: text, kind: text}, ['apiVersion', 'kind']);

function specSchema(profile: Profile, more: JsonObject, required: readonly string[]): JsonObject {
  const modern = profile.definitionApi === 'v1-and-v2';
  const fields: JsonObject = {
    compositeTypeRef: profile.fixedFields === 'changeable' ? typeRef : ruled(typeRef, immutable),
    mode: modern ? choice(['Pipeline'], 'Pipeline') : choice(['Resources', 'Pipeline'], 'Resources'),
    pipeline: listByKey(stepSchema(profile), 'step'),
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

const credentials = record(
  {
    name: text,
    source: choice(['None', 'Secret']),
    secretRef: record({name: text, namespace: text}, ['name', 'namespace']),
  },
  ['name', 'source'],
);

// As upstream has it, which refuses source None as well.
const secretNeedsRef = [
  'the Secret source requires a secretRef',
  "self.source == 'Secret' && has(self.secretRef)",
] as const;
const nameOrLabels = [
  'name and matchLabels are mutually exclusive',
  '!(has(self.name) && has(self.matchLabels))',
] as const;

function stepSchema({definitionApi}: Profile): JsonObject {
  const isV1 = definitionApi === 'v1';
  return stepOf(isV1 ? credentials : ruled(credentials, secretNeedsRef), isV1);
}

/** A step of an Operation, whose credentials may name the source Secret and no Secret. */
export function operationStepSchema(): JsonObject {
  return stepOf(credentials, false);
}

function stepOf(credential: JsonObject, isV1: boolean): JsonObject {
  return record(
    {
      step: text,
      functionRef: record({name: text}, ['name']),
      input: embedded,
      credentials: listByKey(credential, 'name'),
      requirements: record({
        requiredResources: listByKey(
          isV1 ? requiredResource : ruled(requiredResource, nameOrLabels),
          'requirementName',
        ),
        requiredSchemas: listByKey(requiredSchema, 'requirementName'),
      }),
    },
    ['functionRef', 'step'],
  );
}
