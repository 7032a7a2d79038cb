import type {KubeObject} from '../object.ts';
import type {LabelSelector} from './request.ts';

/** True if the object carries every label of the selector. No selector matches every object. */
export function matches(object: KubeObject, selector: LabelSelector | undefined): boolean {
  if (selector === undefined) return true;
  const labels = object.metadata.labels ?? {};
  return Object.entries(selector.matchLabels).every(
    ([key, value]) => Object.hasOwn(labels, key) && labels[key] === value,
  );
}
