// The fields Crossplane adds to the schemas of XRs and claims. crossplane/crossplane-runtime v2.4.0 pkg/xcrd/schemas.go;
// before v2: crossplane/crossplane v1.20.11 internal/xcrd/schemas.go, whose resourceRefs items know no namespace, so an
// apply that names one is a 500, and whose conditions know no observedGeneration.

import type {JsonObject} from '../json.ts';
import type {Profile} from './profile.ts';
import type {XrScope} from './xrd.ts';

const text: JsonObject = {type: 'string'};
const nameRef: JsonObject = {type: 'object', required: ['name'], properties: {name: text}};
const labelSelector: JsonObject = {
  type: 'object',
  required: ['matchLabels'],
  properties: {matchLabels: {type: 'object', additionalProperties: text}},
};

/** Fields of an XR's spec; under `crossplane` for scopes of v2. `updatePolicy` is the default of new XRs. */
export function xrSpecFields(scope: XrScope, updatePolicy: string | undefined, profile: Profile): JsonObject {
  const machinery: JsonObject = {
    ...selectionFields(updatePolicy),
    resourceRefs: resourceRefs(scope !== 'Namespaced' && profile.definitionApi === 'v1-and-v2'),
  };
  if (scope === 'LegacyCluster') return {...machinery, ...legacyFields()};
  return {crossplane: {type: 'object', properties: machinery}};
}

export function claimSpecFields(deletePolicy: string | undefined): JsonObject {
  return {
    ...selectionFields(undefined),
    compositeDeletePolicy: oneOf(['Background', 'Foreground'], deletePolicy),
    resourceRef: {
      type: 'object',
      required: ['apiVersion', 'kind', 'name'],
      properties: {apiVersion: text, kind: text, name: text},
    },
    writeConnectionSecretToRef: nameRef,
  };
}

/** Fields of the status of XRs, and with LegacyCluster of claims. */
export function statusFields(scope: XrScope, profile: Profile): JsonObject {
  const conditions = conditionList(profile.observedGeneration === 'set');
  if (scope !== 'LegacyCluster') return {conditions};
  return {
    conditions,
    connectionDetails: {type: 'object', properties: {lastPublishedTime: {type: 'string', format: 'date-time'}}},
    ...(profile.functionConditions === 'applied'
      ? {claimConditionTypes: {type: 'array', 'x-kubernetes-list-type': 'set', items: text}}
      : {}),
  };
}

/** What a claim passes on to its XR of the fields Crossplane defines. */
export const propagatedFields = [
  'compositionRef',
  'compositionSelector',
  'compositionUpdatePolicy',
  'compositionRevisionSelector',
] as const;

function selectionFields(updatePolicy: string | undefined): JsonObject {
  return {
    compositionRef: nameRef,
    compositionSelector: labelSelector,
    compositionRevisionRef: nameRef,
    compositionRevisionSelector: labelSelector,
    compositionUpdatePolicy: oneOf(['Automatic', 'Manual'], updatePolicy),
  };
}

function legacyFields(): JsonObject {
  const claim = ['apiVersion', 'kind', 'namespace', 'name'];
  const secret = ['name', 'namespace'];
  return {
    claimRef: {type: 'object', required: claim, properties: texts(claim)},
    writeConnectionSecretToRef: {type: 'object', required: secret, properties: texts(secret)},
  };
}

function resourceRefs(withNamespace: boolean): JsonObject {
  const fields = withNamespace ? ['apiVersion', 'name', 'namespace', 'kind'] : ['apiVersion', 'name', 'kind'];
  return {
    type: 'array',
    'x-kubernetes-list-type': 'atomic',
    items: {type: 'object', required: ['apiVersion', 'kind'], properties: texts(fields)},
  };
}

export function conditionList(withGeneration: boolean): JsonObject {
  return {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
    items: {
      type: 'object',
      required: ['lastTransitionTime', 'reason', 'status', 'type'],
      properties: {
        lastTransitionTime: {type: 'string', format: 'date-time'},
        ...texts(['message', 'reason', 'status', 'type']),
        ...(withGeneration ? {observedGeneration: {type: 'integer', format: 'int64'}} : {}),
      },
    },
  };
}

function oneOf(values: readonly string[], value: string | undefined): JsonObject {
  return {type: 'string', enum: values, ...(value === undefined ? {} : {default: value})};
}

function texts(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, text]));
}
