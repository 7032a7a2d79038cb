// The fields Crossplane adds to the schemas of XRs and claims. crossplane/crossplane-runtime v2.4.0 pkg/xcrd/schemas.go;
// before v2: crossplane/crossplane v1.20.11 internal/xcrd/schemas.go, whose resourceRefs items know no namespace, so an
// apply that names one is a 500, and whose conditions know no observedGeneration.

import {choice, listByKey, record, setOf, text, textMap} from '../api/schema-pieces.ts';
import type {JsonObject} from '../json.ts';
import type {Profile} from './profile.ts';
import type {XrScope} from './xrd.ts';

const nameRef = record({name: text}, ['name']);
const labelSelector = record({matchLabels: textMap}, ['matchLabels']);
const time: JsonObject = {type: 'string', format: 'date-time'};

/** Fields of an XR's spec; under `crossplane` for scopes of v2. `updatePolicy` is the default of new XRs. */
export function xrSpecFields(scope: XrScope, updatePolicy: string | undefined, profile: Profile): JsonObject {
  const machinery: JsonObject = {
    ...selectionFields(updatePolicy),
    resourceRefs: resourceRefs(scope !== 'Namespaced' && profile.definitionApi === 'v1-and-v2'),
  };
  if (scope === 'LegacyCluster') return {...machinery, ...legacyFields(profile)};
  return {crossplane: record(machinery)};
}

export function claimSpecFields(deletePolicy: string | undefined, profile: Profile): JsonObject {
  return {
    ...selectionFields(undefined),
    compositeDeletePolicy: choice(['Background', 'Foreground'], deletePolicy),
    resourceRef: texts('apiVersion', 'kind', 'name'),
    ...storeFields(profile),
    writeConnectionSecretToRef: nameRef,
  };
}

/** Fields of the status of XRs, and with LegacyCluster of claims. */
export function statusFields(scope: XrScope, profile: Profile): JsonObject {
  const conditions = conditionList(profile.observedGeneration === 'set');
  if (scope !== 'LegacyCluster') return {conditions};
  return {
    conditions,
    connectionDetails: record({lastPublishedTime: time}),
    ...(profile.functionConditions === 'applied' ? {claimConditionTypes: setOf(text)} : {}),
  };
}

/** Those of Crossplane's own fields that a claim passes on to its XR. */
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
    compositionUpdatePolicy: choice(['Automatic', 'Manual'], updatePolicy),
  };
}

function legacyFields(profile: Profile): JsonObject {
  return {
    claimRef: texts('apiVersion', 'kind', 'namespace', 'name'),
    ...storeFields(profile),
    writeConnectionSecretToRef: texts('name', 'namespace'),
  };
}

/** External secret stores, until v2. Nothing is written to one. */
function storeFields({definitionApi}: Profile): JsonObject {
  if (definitionApi !== 'v1') return {};
  const configRef = {...record({name: text}), default: {name: 'default'}};
  const metadata = record({labels: textMap, annotations: textMap, type: text});
  return {publishConnectionDetailsTo: record({name: text, configRef, metadata}, ['name'])};
}

function resourceRefs(withNamespace: boolean): JsonObject {
  const fields = withNamespace ? ['apiVersion', 'name', 'namespace', 'kind'] : ['apiVersion', 'name', 'kind'];
  const items = {...texts(...fields), required: ['apiVersion', 'kind']};
  return {type: 'array', 'x-kubernetes-list-type': 'atomic', items};
}

export function conditionList(withGeneration: boolean): JsonObject {
  const generation = withGeneration ? {observedGeneration: {type: 'integer', format: 'int64'}} : {};
  const fields = {lastTransitionTime: time, message: text, reason: text, status: text, type: text, ...generation};
  return listByKey(record(fields, ['lastTransitionTime', 'reason', 'status', 'type']), 'type');
}

/** An object of these texts, none of which may be missing. */
function texts(...names: readonly string[]): JsonObject {
  return record(Object.fromEntries(names.map((name) => [name, text])), names);
}
