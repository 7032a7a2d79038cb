import {at, isList} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';

/** The functions that a Composition or a revision of one calls, in the order of its pipeline; none for another object. */
export function pipelineFunctions({kind, spec}: KubeObject): readonly string[] {
  const pipeline = kind === 'Composition' || kind === 'CompositionRevision' ? spec?.['pipeline'] : undefined;
  if (!isList(pipeline)) return [];
  const names = pipeline.map((step) => at(step, ['functionRef', 'name']));
  return names.filter((name) => typeof name === 'string');
}
