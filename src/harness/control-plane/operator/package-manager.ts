// The package manager's work for a Function with another package: the active revision rests, and one of the new package answers
// in its place, where its program is known (functions/function-source.ts). crossplane/crossplane 2d040d2da
// internal/controller/pkg/manager/reconciler.go, runtime/runtime_function.go. Left out: that this takes time, in which calls
// fail; the pull, dependencies and health, as the program runs already; limits of the history; a Function that a restore brings
// back as another package. A revision's name is of a digest, here of the reference. If revisionActivationPolicy is Manual the
// active revision rests all the same, so calls fail until a person activates the new one.

import type {JsonObject} from '../../../cluster/json.ts';
import type {KubeObject} from '../../../cluster/object.ts';
import {labelPackage} from '../../../cluster/vocabulary.ts';
import {sha256} from '../../../hash/sha256.ts';
import {isFirst, versionName} from '../../functions/function-source.ts';
import type {ControlPlane} from '../control-plane.ts';
import type {StepAction} from './action.ts';

/** The actions that put objects in their state. */
export type Write = StepAction & {readonly kind: 'apply' | 'create' | 'patch'};

/** The Functions as they are; none where no function has a second program, as then nothing follows from a move. */
export function installedFunctions({catalogue, functions}: ControlPlane): readonly KubeObject[] {
  return functions.every(isFirst) ? [] : catalogue.find({kind: 'Function'});
}

/** The actions for the Functions that changed since. */
export function packageActions(before: readonly KubeObject[], controlPlane: ControlPlane): readonly Write[] {
  const {catalogue} = controlPlane;
  return installedFunctions(controlPlane).flatMap((after) => {
    const {name} = after.metadata;
    const old = before.find(({metadata}) => metadata.name === name);
    const to = after.spec?.['package'];
    if (old === undefined || typeof to !== 'string' || to === old.spec?.['package']) return [];
    const revisions = catalogue
      .find({kind: 'FunctionRevision'})
      .filter(({metadata}) => metadata.labels?.[labelPackage] === name);
    const activates = after.spec?.['revisionActivationPolicy'] !== 'Manual';
    return replacing({name, to, activates}, revisions, controlPlane);
  });
}

/** First the others rest, for the first active revision that is found answers. */
function replacing(
  {name, to, activates}: {readonly name: string; readonly to: string; readonly activates: boolean},
  known: readonly KubeObject[],
  {functions}: ControlPlane,
): readonly Write[] {
  const same = known.find(({spec}) => spec?.['image'] === to);
  const endpoints = [versionName(name, to), same?.status?.['endpoint']];
  const endpoint = endpoints.find((one) => typeof one === 'string' && functions.includes(one));
  if (endpoint === undefined) return [];
  const revision = same ?? revisionOf(name, to, known);
  const own = revision.status?.['capabilities'];
  const before = known.find(({spec}) => spec?.['desiredState'] === 'Active')?.status?.['capabilities'];
  const others = known.map(({metadata}) => metadata.name).filter((one) => one !== revision.metadata.name);
  return [
    ...others.map((one) => revisionPatch(one, {spec: {desiredState: 'Inactive'}}, false)),
    ...(same === undefined ? [{kind: 'apply', objects: [revision]} as const] : []),
    revisionPatch(revision.metadata.name, {status: {endpoint, capabilities: own ?? before ?? ['composition']}}, true),
    ...(activates ? [revisionPatch(revision.metadata.name, {spec: {desiredState: 'Active'}}, false)] : []),
  ];
}

function revisionOf(name: string, to: string, known: readonly KubeObject[]): KubeObject {
  const numbers = known.map(({spec}) => Number(spec?.['revision'] ?? 0));
  return {
    apiVersion: known[0]?.apiVersion ?? 'pkg.crossplane.io/v1',
    kind: 'FunctionRevision',
    metadata: {name: `${name}-${sha256(to).slice(0, 12)}`, labels: {[labelPackage]: name}},
    spec: {desiredState: 'Inactive', image: to, revision: Math.max(0, ...numbers) + 1},
  };
}

function revisionPatch(name: string, body: JsonObject, status: boolean): Write {
  return {kind: 'patch', target: {kind: 'FunctionRevision', name}, type: 'merge', status, body};
}
