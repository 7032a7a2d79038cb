// The pipeline of a Composition: its steps, which of them are function-tether, and their places in the file.

import {at, isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import {groupOf, type KubeObject} from '../../cluster/object.ts';
import {functionOf, isNamed, pipelineSteps} from '../functions/pipeline-functions.ts';
import type {Found} from '../init/configuration.ts';
import {listedIn} from '../input/manifests/kube-object.ts';
import {parseYaml} from '../input/yaml.ts';
import {readText} from '../input/yaml-file.ts';

export const ownName = 'function-tether';
const ownGroup = 'tether.fn.crossplane.io';
/** Steps after function-tether that leave desired resources as they are: they only set readiness. */
const readinessOnly = ['function-auto-ready'];

/** By its input or by its name. A dialect of another function is still function-tether if it is called so. */
export function isOwn(step: JsonObject): boolean {
  return groupOf(String(at(step, ['input', 'apiVersion']) ?? '')) === ownGroup || isNamed(functionOf(step), ownName);
}

export function onlySetsReadiness(step: JsonObject): boolean {
  return readinessOnly.some((known) => isNamed(functionOf(step), known));
}

/** The Composition without its last step of function-tether, unless that step composes resources of its own. */
export function withoutGuard(composition: KubeObject): KubeObject {
  const steps = pipelineSteps(composition);
  const guard = steps.findLastIndex(isOwn);
  if (guard < 0 || isList(at(steps[guard], ['input', 'resources']))) return composition;
  return {...composition, spec: {...composition.spec, pipeline: steps.filter((_, index) => index !== guard)}};
}

/** An example may be an export of a living XR: without what only a server writes. */
export function asWritten({status: _, metadata, spec, ...object}: KubeObject): KubeObject {
  const {name, namespace, labels, annotations} = metadata;
  const {resourceRefs: _refs, compositionRevisionRef: _revision, ...own} = spec ?? {};
  const crossplane = own['crossplane'];
  const {resourceRefs: _list, compositionRevisionRef: _pinned, ...machinery} = isObject(crossplane) ? crossplane : {};
  return {
    ...object,
    metadata: {name, ...(namespace && {namespace}), ...(labels && {labels}), ...(annotations && {annotations})},
    spec: isObject(crossplane) ? {...own, crossplane: machinery} : own,
  };
}

/** `file:line:column` of a path of the object; the file if the object is not found in it again. */
export function placeIn({object, file}: Found, path: readonly (string | number)[]): string {
  const same = (value: Json) =>
    at(value, ['kind']) === object.kind && at(value, ['metadata', 'name']) === object.metadata.name;
  for (const {value, placeOf} of parseYaml(readText(file), file, () => {})) {
    if (same(value)) return placeOf(path);
    const index = listedIn(value)?.findIndex(same) ?? -1;
    if (index >= 0) return placeOf(['items', index, ...path]);
  }
  return file;
}
