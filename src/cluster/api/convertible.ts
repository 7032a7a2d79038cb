// An object in another version of its kind, where only its type may differ: a field that the other version does not declare
// has no type there, nor a list with the same item twice that is a set there, and server-side apply goes no further. An
// update then forgets all managers, an apply is refused.
//
// Not modelled: two items that a default of the other version gives the same key.
//
// kubernetes/apimachinery eed236ce pkg/util/managedfields/internal/{versionconverter,fieldmanager}.go (UpdateNoErrors);
// kubernetes-sigs/structured-merge-diff 15d0754 merge/update.go (where which object is converted).

import type {JsonObject} from '../json.ts';
import type {Manager, Managers} from './managers.ts';
import type {Atom} from './merge-type.ts';
import {printProblems, typeProblems} from './typed-validate.ts';

interface Types {
  readonly typeOf: (apiVersion: string) => Atom | undefined;
}

/** Why an object is none of another version. */
export class UnconvertibleProblem extends Error {}

/** Throws if the object has a type in its own version but none in the other. `doing` begins the message. */
export function mustConvert(object: JsonObject, from: string, to: string, types: Types, doing: string): void {
  if (from === to) return;
  const type = types.typeOf(to);
  const problems = type === undefined ? [] : typeProblems(object, type, false);
  if (problems.length > 0) throw new UnconvertibleProblem(`${doing}${printProblems(problems)}`);
}

/** The live object is looked at in the version of every manager before anything else. */
export function mustConvertForAll(live: JsonObject, from: string, managers: Managers, types: Types): void {
  for (const {apiVersion} of managers.values()) mustConvert(live, from, apiVersion, types, '');
}

/** Throws unless the merged object converts to the version applied last, and from there to the version of every manager. */
export function mustConvertToPrune(
  merged: JsonObject,
  from: string,
  last: Manager,
  managers: Managers,
  types: Types,
): void {
  const failed = 'failed to prune fields: failed';
  mustConvert(merged, from, last.apiVersion, types, `${failed} to convert merged object to last applied version: `);
  for (const {apiVersion} of managers.values()) {
    const doing = `${failed} add back owned items: failed to convert merged object at version ${apiVersion}: `;
    mustConvert(merged, last.apiVersion, apiVersion, types, doing);
  }
}
