// CEL over a state of a story. It may name:
//   objects    every stored object, as its manifest
//   externals  the external resources that are alive, each {type, id, owner}
//   counts     {alive, creates, deletes} of external resources
//   made       the names of the steps taken
//   stopped    the processes the operator stopped
//   self       the object that the expectation is of, if it is of one
// Time is none of them: a property that asked for it would make every moment another state.
//
// Numbers are doubles, as in every JSON. A missing field is an error, as CEL has it; test it with `has()` before.

import {type CelInput, celList} from '@bufbuild/cel';
import type {External} from '../../cluster/cloud/ledger-state.ts';
import type {Json} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {ExternalCounts} from '../control-plane/oracle/externals.ts';
import {type CelBindings, type Compiled, celCondition, celObjects, celRecord, celValue} from '../input/cel-text.ts';
import {InputError} from '../input/input-error.ts';

/** The names in an expression. */
export interface NamedState {
  readonly objects: () => readonly KubeObject[];
  readonly externals: () => readonly External[];
  readonly counts: () => ExternalCounts;
  readonly made: () => readonly string[];
  readonly stopped: () => readonly string[];
}

const makers: {readonly [name in keyof NamedState]: (state: NamedState) => CelInput} = {
  objects: ({objects}) => celObjects(objects()),
  externals: ({externals}) =>
    celList(externals().map(({type, id, owner}) => celRecord({type, id, owner: owner ?? ''}))),
  counts: ({counts}) => celRecord({...counts()}),
  made: ({made}) => celList([...made()]),
  stopped: ({stopped}) => celList([...stopped()]),
};
const variables: readonly string[] = Object.keys(makers);

export type StateCondition = Extract<Compiled, {readonly kind: 'condition'}>;

/** The expression as a condition of the state, or with `self` of an object in it. Throws InputError for what is not CEL. */
export function stateCondition(text: string, place: string, {self}: {readonly self: boolean}): StateCondition {
  const key = `${self} ${text}`;
  const known = conditions.get(key);
  if (known !== undefined) return known;
  const compiled = celCondition(text, self ? ['self', ...variables] : variables);
  if (compiled.kind === 'no-cel') {
    throw new InputError(`cannot read ${JSON.stringify(text)} as CEL: ${compiled.problem}`, {place});
  }
  if (conditions.size >= conditionsMax) conditions.clear();
  conditions.set(key, compiled);
  return compiled;
}

// A wait asks the same again and again, and reading an expression takes longer than running it.
const conditions = new Map<string, StateCondition>();
const conditionsMax = 1000;

/** A search asks in every state: only what the text names is made. */
export function bindingsFor(text: string, state: NamedState, self?: KubeObject): CelBindings {
  const named = Object.entries(makers).filter(([name]) => text.includes(name));
  const bindings = Object.fromEntries(named.map(([name, make]) => [name, make(state)]));
  return self === undefined ? bindings : {...bindings, self: celValue(self as unknown as Json)};
}
