import type {JsonObject} from '../../cluster/json.ts';
import {type Blueprint, resourceNameOf} from './composition.ts';
import type {Draw} from './draw.ts';

/** Selects one resource of the Composition in one of a selector's ways: other resources may fit, too. */
export function drawSelector(draw: Draw, {resources}: Pick<Blueprint, 'resources'>): JsonObject {
  const resource = draw.pick(resources);
  const {name, kind} = resource;
  const {apiVersion} = kind;
  return draw.weighted<JsonObject>([
    [4, {resources: [resourceNameOf(resource)]}],
    [3, {labels: [{key: 'role', value: name}]}],
    [1, {labels: [{key: 'role', value: name.toUpperCase(), ignoreCase: true}]}],
    [1, {labels: [{key: 'protect', value: 'true'}]}],
    [2, {kinds: [{apiVersion, kind: kind.kind}]}],
    [2, {pattern: `${name}.*`}],
    [1, {pattern: `[^${name.charAt(0)}]`}],
  ]);
}

/** The label that selects a resource, or no longer does, written to the object by hand. */
export function drawLabels(draw: Draw, {resources}: Pick<Blueprint, 'resources'>): JsonObject {
  const role = draw.weighted([
    [3, draw.pick(resources).name],
    [1, null],
  ]);
  return draw.weighted<JsonObject>([
    [3, {role}],
    [1, {protect: 'true'}],
    [1, {protect: null}],
    [1, {role, protect: 'true'}],
  ]);
}
