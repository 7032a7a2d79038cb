// The output of a render: documents in the order and form of crossplane/cli 3d72f9316 cmd/crossplane/render/xr/cmd.go.

import {compareText, isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import type {Note} from '../../cluster/kernel/call.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {resourceNameOf} from '../../cluster/vocabulary.ts';
import {goYaml} from './go-yaml.ts';

/** The documents as text, each behind its `---`. */
export function documentsText(documents: readonly JsonObject[]): string {
  return documents.map((document) => `---\n${goYaml(document)}`).join('');
}

/** The XR and what it composes, by resource name. */
export function stateDocuments(xr: KubeObject, composed: readonly KubeObject[]): readonly JsonObject[] {
  const sorted = [...composed].sort((left, right) =>
    compareText(resourceNameOf(left) ?? '', resourceNameOf(right) ?? ''),
  );
  return [xr, ...sorted].map(withFixedTimes);
}

export function resultDocument({type, reason, message}: Note): JsonObject {
  return {apiVersion: 'render.crossplane.io/v1beta1', kind: 'Result', severity: type, reason, message};
}

export function contextDocument(fields: JsonObject): JsonObject {
  return {apiVersion: 'render.crossplane.io/v1beta1', kind: 'Context', fields};
}

/** The XR of the file with that of the reconcile laid over it: lists are taken whole, an empty one not at all. */
export function fullXr(file: KubeObject, rendered: KubeObject): KubeObject {
  return merged(file, rendered) as KubeObject;
}

function merged(under: JsonObject, over: JsonObject): JsonObject {
  const entries = Object.entries(over).map(([key, value]): [string, Json] => {
    const before = under[key];
    if (isObject(value) && isObject(before)) return [key, merged(before, value)];
    if (isList(value) && value.length === 0 && isList(before)) return [key, before];
    return [key, value];
  });
  return {...under, ...Object.fromEntries(entries)};
}

const fixedTime = '2024-01-01T00:00:00Z';

/** Conditions carry the same time in every render, and only the fields a condition has. */
function withFixedTimes(object: KubeObject): KubeObject {
  const {status} = object;
  if (!isObject(status)) return object;
  const {conditions} = status;
  if (conditions === undefined) return {...object, status: {...status, conditions: null}};
  if (!isList(conditions)) return object;
  return {...object, status: {...status, conditions: conditions.map(fixedCondition)}};
}

function fixedCondition(condition: Json): Json {
  if (!isObject(condition)) return condition;
  const {type = '', status = '', reason = '', message = '', observedGeneration = 0} = condition;
  return {
    type,
    status,
    reason,
    lastTransitionTime: fixedTime,
    ...(message === '' ? {} : {message}),
    ...(observedGeneration === 0 ? {} : {observedGeneration}),
  };
}
