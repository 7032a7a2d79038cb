// Functions that a step of a rehearsal moves to another package: the packages to pull for it, and the sentence in the plan. The
// operator does what the package manager does (operator/package-manager.ts): where the new package was pulled it runs beside the
// first one and answers from the step on. If the caller gave the place of a function, that one program answers before the move
// and after it.

import type {KubeObject} from '../../cluster/object.ts';
import {versionName} from '../functions/function-source.ts';
import type {PackagedFunction} from '../functions/pipeline-functions.ts';
import type {Change} from './rehearsal-steps.ts';

export interface MovedFunction {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** True if a person has to activate the revision of the new package before it answers. */
  readonly waits: boolean;
  /** The Function as the step applies it. */
  readonly annotations: PackagedFunction['annotations'];
}

/** In the order of the steps, of the functions that a pipeline calls. */
export function movedFunctions(
  before: readonly KubeObject[],
  changes: readonly Change[],
  called: readonly string[],
): readonly MovedFunction[] {
  return movesOf(before, changes).flatMap(({moved}) => moved.filter(({name}) => called.includes(name)));
}

/** Each package that has to be pulled for the moves, once, by the name of its version. */
export function versionsOf(moved: readonly MovedFunction[]): readonly PackagedFunction[] {
  const versions = moved
    .filter(({waits}) => !waits)
    .map((one) => ({name: versionName(one.name, one.to), package: one.to, annotations: one.annotations}));
  return [...new Map(versions.map((one) => [one.name, one])).values()];
}

/** The unknowns of a move, for a rehearsal. */
export function movedText(move: MovedFunction, pulled: readonly string[]): string {
  const {name, from, to, waits} = move;
  if (waits) {
    return `not known: what function "${name}" answers as ${to}; its revisionActivationPolicy is Manual, so ${from} answers until a person activates the new revision`;
  }
  if (pulled.includes(name)) {
    return `not modelled: the time that the move of function "${name}" from ${from} to ${to} takes; on a cluster its calls may fail until the new one has started. The capabilities that ${to} names in its package are not read: it is taken to have those of ${from}`;
  }
  return `not known: what function "${name}" answers as ${to}; the same program answers before its move from ${from} and after it`;
}

interface Moves {
  readonly change: Change;
  readonly moved: readonly MovedFunction[];
}

function movesOf(before: readonly KubeObject[], changes: readonly Change[]): readonly Moves[] {
  const known = new Map(before.flatMap((object) => (object.kind === 'Function' ? [[nameOf(object), object]] : [])));
  return changes.map((change) => {
    const applied = change.kind === 'apply' ? change.objects.filter(({kind}) => kind === 'Function') : [];
    const moved = applied.flatMap((after): readonly MovedFunction[] => {
      const old = known.get(nameOf(after));
      const [from, to] = [old, after].map((one) => one?.spec?.['package']);
      const {annotations} = {...old?.metadata, ...after.metadata};
      known.set(nameOf(after), {...old, ...after, spec: {...old?.spec, ...after.spec}});
      if (typeof from !== 'string' || typeof to !== 'string' || from === to) return [];
      const waits = {...old?.spec, ...after.spec}['revisionActivationPolicy'] === 'Manual';
      return [{name: nameOf(after), from, to, waits, annotations: annotations ?? {}}];
    });
    return {change, moved};
  });
}

function nameOf({metadata}: KubeObject): string {
  return metadata.name;
}
