import {isList, isObject} from '../../../cluster/json.ts';
import type {KubeObject} from '../../../cluster/object.ts';

/** The newest moment that any of the objects names: a source knows of nothing later. 0 where they name none. */
export function asOf(objects: readonly KubeObject[]): number {
  return objects.reduce((newest, object) => Math.max(newest, ...momentsIn(object)), 0);
}

function momentsIn({metadata, status}: KubeObject): readonly number[] {
  const conditions = isList(status?.['conditions']) ? status['conditions'].filter(isObject) : [];
  const writes = isList(metadata.managedFields) ? metadata.managedFields.map(({time}) => time) : [];
  return [
    metadata.creationTimestamp,
    metadata.deletionTimestamp,
    ...writes,
    ...conditions.map((one) => one['lastTransitionTime']),
  ]
    .map((text) => (typeof text === 'string' ? Date.parse(text) : Number.NaN))
    .filter((ms) => !Number.isNaN(ms));
}
