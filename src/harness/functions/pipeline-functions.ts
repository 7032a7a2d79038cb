import {at, isList, isObject, type JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';

/** The steps of a Composition; none for one without a pipeline. */
export function pipelineSteps({spec}: KubeObject): readonly JsonObject[] {
  const pipeline = spec?.['pipeline'];
  return (isList(pipeline) ? pipeline : []).filter(isObject);
}

/** The function that a step calls, '' for none. */
export function functionOf(step: JsonObject): string {
  return String(at(step, ['functionRef', 'name']) ?? '');
}

/** True if a function has this name, or one that ends with it: `crossplane-contrib-function-auto-ready` for `function-auto-ready`. */
export function isNamed(called: string, name: string): boolean {
  return called === name || called.endsWith(`-${name}`);
}

/** The functions that a Composition or a revision of one calls, in the order of its pipeline; none for another object. */
export function pipelineFunctions(object: KubeObject): readonly string[] {
  if (object.kind !== 'Composition' && object.kind !== 'CompositionRevision') return [];
  const names = pipelineSteps(object).map((step) => at(step, ['functionRef', 'name']));
  return names.filter((name) => typeof name === 'string');
}

/** A function, by its manifest. */
export interface PackagedFunction {
  readonly name: string;
  /** `spec.package` of its manifest. */
  readonly package: string;
  readonly annotations: {readonly [key: string]: string};
}

/** The functions whose manifest names a package. */
export function packagedFunctions(objects: readonly KubeObject[]): readonly PackagedFunction[] {
  return objects.flatMap(({kind, metadata, spec}) => {
    const reference = kind === 'Function' ? spec?.['package'] : undefined;
    if (typeof reference !== 'string' || reference === '') return [];
    return [{name: metadata.name, package: reference, annotations: metadata.annotations ?? {}}];
  });
}
