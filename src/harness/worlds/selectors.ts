import type {JsonObject} from '../../cluster/json.ts';
import {type Blueprint, resourceNameOf} from './composition.ts';
import type {Draw} from './draw.ts';

/** One resource of the Composition, said in one of the ways in which a selector may: other resources may fit, too. */
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
    [1, {pattern: `[^${name}]`}],
  ]);
}

/** What makes a resource be selected, or no longer, where somebody writes it to the object by hand. */
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
