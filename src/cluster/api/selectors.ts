import type {KubeObject} from '../object.ts';
import type {LabelSelector} from './request.ts';

/** Whether the object carries every label the selector names; no selector matches everything. */
export function matches(object: KubeObject, selector: LabelSelector | undefined): boolean {
  if (selector === undefined) return true;
  const labels = object.metadata.labels ?? {};
  return Object.entries(selector.matchLabels).every(
    ([key, value]) => Object.hasOwn(labels, key) && labels[key] === value,
  );
}
