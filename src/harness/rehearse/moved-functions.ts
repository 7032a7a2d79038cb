import type {KubeObject} from '../../cluster/object.ts';

// Functions that a step moves to another package. One program answers for a function here, before the step and after it: a
// rehearsal shows the move of a package, and nothing of what another version of it would answer.

export interface MovedFunction {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** Of the functions that a pipeline calls. */
export function movedFunctions(
  before: readonly KubeObject[],
  applied: readonly KubeObject[],
  called: readonly string[],
): readonly MovedFunction[] {
  const known = new Map(before.flatMap(packageOf));
  return applied.flatMap(packageOf).flatMap(([name, to]) => {
    const from = known.get(name);
    return from === undefined || from === to || !called.includes(name) ? [] : [{name, from, to}];
  });
}

function packageOf({kind, metadata, spec}: KubeObject): readonly (readonly [string, string])[] {
  const said = kind === 'Function' ? spec?.['package'] : undefined;
  return typeof said === 'string' ? [[metadata.name, said]] : [];
}

/** What a rehearsal with a function at a fixed place says of its move. */
export function movedText({name, from, to}: MovedFunction): string {
  return `not known: what function "${name}" answers as ${to}; the same program answers before its move from ${from} and after it`;
}
