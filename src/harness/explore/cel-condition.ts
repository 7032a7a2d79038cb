// CEL over a state of a story. It may name:
//   objects    every stored object, as its manifest
//   externals  the external resources that are alive, each {type, id, owner}
//   counts     {alive, creates, deletes} of external resources
//   made       the names of the steps taken
//   stopped    the processes the operator stopped
// Time is none of them: a property that asked for it would make every moment another state.
//
// Numbers are doubles, as in every JSON. What is asked of a field that is not there is an error, as CEL has it; `has()`
// asks before. An error ends the exploration with a sentence: it is neither true nor false.

import {
  type CelInput,
  type CelList,
  type CelMap,
  celEnv,
  celList,
  celMap,
  isCelError,
  parse,
  plan,
} from '@bufbuild/cel';
import {strings} from '@bufbuild/cel/ext';
import {isList, isObject, type Json} from '../../cluster/json.ts';
import {remembering} from '../../cluster/memo.ts';
import {InputError} from '../input/input-error.ts';
import {externalCounts, externalsIn} from '../oracle/externals.ts';
import {objectsIn} from './evidence.ts';
import type {ExploreState} from './explore-state.ts';
import type {Story} from './story.ts';

const environment = celEnv({funcs: [...strings]});

/** What an expression may name, made of a state. */
const variables: {readonly [name: string]: (story: Story, state: ExploreState) => CelInput} = {
  objects: (_, {world}) => listOf(objectsIn(world)),
  externals: (_, {world}) =>
    celList(externalsIn(world).map(({type, id, owner}) => recordOf({type, id, owner: owner ?? ''}))),
  counts: (_, {world}) => recordOf({...externalCounts(world)}),
  made: ({moves}, {made}) => celList(made.map((move) => moves[move]?.step.name ?? '')),
  stopped: (_, {memory: {stopped}}) => celList([...stopped]),
};

/** The expression as a condition. Throws InputError for what is not CEL; so does the condition for what is no answer. */
export function compileCondition(story: Story, text: string, place: string): (state: ExploreState) => boolean {
  const evaluate = compile(text, place);
  // A search asks in every state: only what the text names is made.
  const named = Object.entries(variables).filter(([name]) => text.includes(name));
  return (state) => {
    const result = evaluate(Object.fromEntries(named.map(([name, make]) => [name, make(story, state)])));
    if (typeof result === 'boolean') return result;
    const problem = isCelError(result) ? result.message : `expected true or false, got ${typeof result}`;
    throw new InputError(place, `cannot evaluate ${JSON.stringify(text)}: ${problem}`);
  };
}

function compile(text: string, place: string): (bindings: {[name: string]: CelInput}) => unknown {
  try {
    return plan(environment, parse(text));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new InputError(place, `cannot read ${JSON.stringify(text)} as CEL: ${message.replaceAll(/\s+/g, ' ')}`);
  }
}

function recordOf(record: {readonly [key: string]: CelInput}): CelMap {
  return celMap(new Map(Object.entries(record)));
}

// Stored objects are immutable, and most of them are the same from state to state.
const listOf = remembering((objects: readonly object[]): CelList => celList(objects.map(mapOf)));
const mapOf = remembering((object: object): CelMap => {
  const said = Object.entries(object).filter(([, value]) => value !== undefined);
  return celMap(new Map(said.map(([key, value]) => [key, celOf(value as Json)])));
});

function celOf(json: Json): CelInput {
  if (isList(json)) return celList(json.map(celOf));
  return isObject(json) ? mapOf(json) : json;
}
