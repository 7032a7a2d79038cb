// The composed kinds that a Composition names literally: for a story whose functions are not at hand.

import {isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import {groupKindOf, groupOf, type KubeObject} from '../../cluster/object.ts';
import {pipelineSteps} from '../functions/pipeline-functions.ts';
import type {NeededKind} from './needed-crds.ts';

/** Kinds that can be read off a Composition: objects in its inputs, and documents in its templates. */
export function writtenKinds(composition: KubeObject): readonly NeededKind[] {
  const inputs = pipelineSteps(composition).map(({input = null}) => input);
  const objects = inputs.flatMap((input) => (isObject(input) ? Object.values(input).flatMap(objectsIn) : []));
  const kinds = Map.groupBy(objects, (one) => groupKindOf(one as KubeObject));
  return [...kinds.values()].map((composed) => ({
    apiVersion: String(composed[0]?.['apiVersion']),
    kind: String(composed[0]?.['kind']),
    composed,
  }));
}

function objectsIn(value: Json): readonly JsonObject[] {
  if (typeof value === 'string') return documentsIn(value);
  if (isList(value)) return value.flatMap(objectsIn);
  if (!isObject(value)) return [];
  const isObjectItself = typeof value['apiVersion'] === 'string' && typeof value['kind'] === 'string';
  return isObjectItself && groupOf(String(value['apiVersion'])) !== ''
    ? [value]
    : Object.values(value).flatMap(objectsIn);
}

/** A template is no YAML: kind and references of its documents are read off their lines. */
function documentsIn(template: string): readonly JsonObject[] {
  return template.split(/^---\s*$/m).flatMap((text) => {
    const [, apiVersion] = /^apiVersion:\s*["']?([\w.-]+\/\w+)["']?\s*$/m.exec(text) ?? [];
    const [, kind] = /^kind:\s*["']?([A-Z]\w*)["']?\s*$/m.exec(text) ?? [];
    if (apiVersion === undefined || kind === undefined) return [];
    const fields = [...text.matchAll(/^\s+(\w+(?:Selector|Refs?)):/gm)].map(([, field = '']): [string, Json] => [
      field,
      {},
    ]);
    const spec = /^\s+forProvider:/m.test(text) ? {spec: {forProvider: Object.fromEntries(fields)}} : {};
    return [{apiVersion, kind, metadata: {}, ...spec}];
  });
}
