// Functions that a step moves to another package. Where that package was pulled it runs beside the first one, and the step
// does what the package manager does: the active revision rests, and one of the new package answers in its place
// (crossplane/crossplane 2d040d2da internal/controller/pkg/manager/reconciler.go). Left out is that this takes time. Where
// somebody said where a function runs, that one program answers before the move and after it, and the plan says so.

import {firstRevisionOf} from '../../cluster/crossplane/kinds/function-kinds.ts';
import {labelPackage} from '../../cluster/crossplane/vocabulary.ts';
import type {JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {sha256} from '../../hash/sha256.ts';
import type {StepAction} from '../operator/action.ts';
import type {Deed} from './rehearsal-steps.ts';
import {functionOf} from './source-objects.ts';

export interface MovedFunction {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** Whether somebody has to activate the revision of the new package before it answers. */
  readonly waits: boolean;
  /** The Function as the step applies it. */
  readonly annotations: Annotations;
}

type Annotations = {readonly [key: string]: string};

/** A package to pull, and what it is called by. */
interface FunctionVersion {
  readonly name: string;
  readonly package: string;
  readonly annotations: Annotations;
}

/** In the order of the steps, of the functions that a pipeline calls. */
export function movedFunctions(
  before: readonly KubeObject[],
  deeds: readonly Deed[],
  called: readonly string[],
): readonly MovedFunction[] {
  return movesOf(before, deeds).flatMap(({moved}) => moved.filter(({name}) => called.includes(name)));
}

/** What a pulled version of a function is called by: one of them is no other. */
export function versionName({name, to}: Pick<MovedFunction, 'name' | 'to'>): string {
  return `${name} of ${to}`;
}

/** Each package that has to be pulled for the moves, once, by the name of its version. */
export function versionsOf(moved: readonly MovedFunction[]): readonly FunctionVersion[] {
  const versions = moved
    .filter(({waits}) => !waits)
    .map((one) => ({name: versionName(one), package: one.to, annotations: one.annotations}));
  return [...new Map(versions.map((one) => [one.name, one])).values()];
}

/** The deeds, those that move one of the functions with the revision that its new package would get. */
export function withRevisions(
  deeds: readonly Deed[],
  before: readonly KubeObject[],
  pulled: readonly string[],
): readonly Deed[] {
  const known = new Map(before.filter(({kind}) => kind === 'FunctionRevision').map((one) => [one.metadata.name, one]));
  return movesOf(before, deeds).map(({deed, moved}) => {
    const active = moved.filter(({name, waits}) => !waits && pulled.includes(name));
    if (deed.kind !== 'apply' || active.length === 0) return deed;
    const actions = active.flatMap((one) => {
      const others = [...known.values()].filter((revision) => functionOf(revision) === one.name);
      const revision = others.find(({spec}) => spec?.['image'] === one.to) ?? revisionOf(one, others);
      known.set(revision.metadata.name, revision);
      return replacing(one, revision, others);
    });
    return {...deed, actions: [...deed.actions, ...actions]};
  });
}

/** What a rehearsal does not know of a move. */
export function movedText(move: MovedFunction, pulled: readonly string[]): string {
  const {name, from, to, waits} = move;
  if (waits) {
    return `not known: what function "${name}" answers as ${to}; its revisionActivationPolicy is Manual, so ${from} answers until somebody activates the new revision`;
  }
  if (pulled.includes(name)) {
    return `not modelled: the time that the move of function "${name}" from ${from} to ${to} takes; on a cluster its calls may fail until the new one has started. The capabilities that ${to} names in its package are not read: it is taken to have those of ${from}`;
  }
  return `not known: what function "${name}" answers as ${to}; the same program answers before its move from ${from} and after it`;
}

interface Moves {
  readonly deed: Deed;
  readonly moved: readonly MovedFunction[];
}

function movesOf(before: readonly KubeObject[], deeds: readonly Deed[]): readonly Moves[] {
  const known = new Map(before.flatMap((object) => (object.kind === 'Function' ? [[nameOf(object), object]] : [])));
  return deeds.map((deed) => {
    const applied = deed.kind === 'apply' ? deed.objects.filter(({kind}) => kind === 'Function') : [];
    const moved = applied.flatMap((after): readonly MovedFunction[] => {
      const old = known.get(nameOf(after));
      const [from, to] = [old, after].map((one) => one?.spec?.['package']);
      const {annotations} = {...old?.metadata, ...after.metadata};
      known.set(nameOf(after), {...old, ...after, spec: {...old?.spec, ...after.spec}});
      if (typeof from !== 'string' || typeof to !== 'string' || from === to) return [];
      const waits = {...old?.spec, ...after.spec}['revisionActivationPolicy'] === 'Manual';
      return [{name: nameOf(after), from, to, waits, annotations: annotations ?? {}}];
    });
    return {deed, moved};
  });
}

function nameOf({metadata}: KubeObject): string {
  return metadata.name;
}

function revisionOf({name, to}: MovedFunction, others: readonly KubeObject[]): KubeObject {
  const numbers = others.map(({spec}) => Number(spec?.['revision'] ?? 0));
  return {
    apiVersion: others[0]?.apiVersion ?? 'pkg.crossplane.io/v1',
    kind: 'FunctionRevision',
    metadata: {name: `${name}-${sha256(to).slice(0, 12)}`, labels: {[labelPackage]: name}},
    spec: {desiredState: 'Inactive', image: to, revision: Math.max(1, ...numbers) + 1},
  };
}

/** First the others rest, for the first active revision that is found answers. */
function replacing(move: MovedFunction, revision: KubeObject, others: readonly KubeObject[]): readonly StepAction[] {
  const {name} = revision.metadata;
  // A source without revisions has the one that the simulated control plane installs.
  const resting = others.length === 0 ? [firstRevisionOf(move.name)] : others.map(nameOf).filter((one) => one !== name);
  const own = revision.status?.['capabilities'];
  const before = others.find(({spec}) => spec?.['desiredState'] === 'Active')?.status?.['capabilities'];
  const status = {endpoint: versionName(move), capabilities: own ?? before ?? ['composition']};
  return [
    ...resting.map((one) => revisionPatch(one, {spec: {desiredState: 'Inactive'}}, false)),
    ...(others.includes(revision) ? [] : [{kind: 'apply', objects: [revision]} as const]),
    revisionPatch(name, {status}, true),
    revisionPatch(name, {spec: {desiredState: 'Active'}}, false),
  ];
}

function revisionPatch(name: string, body: JsonObject, status: boolean): StepAction {
  return {kind: 'patch', target: {kind: 'FunctionRevision', name}, type: 'merge', status, body};
}
