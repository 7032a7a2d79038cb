// Functions that a step moves to another package, by `spec.package` of their Function, with a check that the scenario has a
// program for it. The operator carries the move out: operator/package-manager.ts.

import {at} from '../../cluster/json.ts';
import {functionOfVersion, isFirst, versionName} from '../functions/function-source.ts';
import {type PackagedFunction, packagedFunctions} from '../functions/pipeline-functions.ts';
import {InputError} from '../input/input-error.ts';
import {appliedBy} from './known-names.ts';
import type {Scenario, Step} from './scenario.ts';

export interface FunctionMove extends PackagedFunction {
  readonly place: string;
}

/** Those to a package that the function does not begin with, in the order of the steps. */
export function functionMoves({fixtures, functions, steps}: Scenario): readonly FunctionMove[] {
  const first = new Map(packagedFunctions(fixtures).map((one) => [one.name, one.package]));
  const known = Object.keys(functions);
  return steps.flatMap(packagesOf).filter((move) => {
    const begins = first.get(move.name) ?? known.some((key) => !isFirst(key) && functionOfVersion(key) === move.name);
    return begins !== false && begins !== move.package;
  });
}

/** Throws InputError if a function moves to a package without a program, and for a program that nothing moves to. */
export function requireVersions(scenario: Scenario): void {
  const known = Object.keys(scenario.functions);
  const moves = functionMoves(scenario);
  for (const {name, package: to, place} of moves) {
    const key = versionName(name, to);
    // A function that does not exist from the start is refused if a Composition calls it.
    if (!known.includes(name) || known.includes(key)) continue;
    throw new InputError(
      `cannot move function "${name}" to ${to}: no place is given for that; add "${key}" to \`functions\`, or give --run-functions`,
      {place},
    );
  }
  const packages = [...moves, ...packagedFunctions(scenario.fixtures)].map((one) => versionName(one.name, one.package));
  for (const key of known.filter((one) => !isFirst(one) && !packages.includes(one))) {
    throw new InputError(
      `functions["${key}"] must be a function and a package that a step gives its Function; no step does`,
    );
  }
}

function packagesOf(step: Step): readonly FunctionMove[] {
  const {action, place} = step;
  if (action?.kind === 'patch' && action.target.kind === 'Function' && action.target.name !== undefined) {
    const reference = at(action.body, ['spec', 'package']);
    const move = {name: action.target.name, annotations: {}, place};
    return typeof reference === 'string' ? [{...move, package: reference}] : [];
  }
  return packagedFunctions(appliedBy(step)).map((one) => ({...one, place}));
}
