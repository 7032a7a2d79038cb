// The objects of a folder that a pipeline reads: those that its functions require, or those that its Composition names if no
// function can be asked. A folder has examples of many stories; the object nearest to the example of this one is meant.

import {dirname, relative, sep} from 'node:path';
import {isList, isObject, type Json} from '../../cluster/json.ts';
import {groupOf, type KubeObject} from '../../cluster/object.ts';
import type {ResourceSelector} from '../../wire/resource-message.ts';
import type {Configuration, Found} from './configuration.ts';

/** `near`: the file of the example. */
export function requiredIn(
  {others}: Configuration,
  required: readonly ResourceSelector[],
  near: string,
): readonly Found[] {
  return [...new Set(required.flatMap((selector) => nearest(others.filter(matches(selector)), near)))];
}

/** The objects that functions ask for and no file has, as in `Secret default/login`. */
export function absentIn({others}: Configuration, required: readonly ResourceSelector[]): readonly string[] {
  return required.filter((selector) => !others.some(matches(selector))).map(selectorWords);
}

function selectorWords({kind, match, namespace}: ResourceSelector): string {
  const place = namespace === undefined ? '' : `${namespace}/`;
  if (match?.kind === 'name') return `${kind} ${place}${match.name}`;
  const labels = Object.entries(match?.labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return `${kind} ${place}${labels.length === 0 ? '*' : `with ${labels.join(',')}`}`;
}

function matches({apiVersion, kind, match, namespace}: ResourceSelector) {
  return ({object}: Found): boolean => {
    const {name, labels = {}, namespace: own} = object.metadata;
    if (object.kind !== kind || groupOf(object.apiVersion) !== groupOf(apiVersion)) return false;
    if (namespace !== undefined && namespace !== own) return false;
    if (match === undefined) return true;
    return match.kind === 'name'
      ? match.name === name
      : Object.entries(match.labels).every(([key, value]) => labels[key] === value);
  };
}

/** EnvironmentConfigs whose name, or all of whose labels, the Composition writes. */
export function writtenEnvironments({others}: Configuration, {spec}: KubeObject, near: string): readonly Found[] {
  const words = new Set(wordsIn(spec ?? {}));
  const named = others.filter(({object: {kind, metadata}}) => {
    if (kind !== 'EnvironmentConfig') return false;
    const labels = Object.values(metadata.labels ?? {});
    return words.has(metadata.name) || (labels.length > 0 && labels.every((value) => words.has(value)));
  });
  const byName = Map.groupBy(named, ({object}) => object.metadata.name);
  return [...byName.values()].flatMap((same) => nearest(same, near).slice(0, 1));
}

function wordsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isList(value)) return value.flatMap(wordsIn);
  return isObject(value) ? Object.values(value).flatMap(wordsIn) : [];
}

/** Those with the fewest folders between them and the file; of one name only the first. */
export function nearest(found: readonly Found[], near: string): readonly Found[] {
  const distances = found.map((one) => distance(dirname(one.file), dirname(near)));
  const least = Math.min(...distances);
  const closest = found.filter((_, index) => distances[index] === least);
  const byName = Map.groupBy(closest, ({object: {metadata}}) => `${metadata.namespace ?? ''}/${metadata.name}`);
  return [...byName.values()].flatMap((same) => same.slice(0, 1));
}

function distance(from: string, to: string): number {
  const path = relative(from, to);
  return path === '' ? 0 : path.split(sep).length;
}
