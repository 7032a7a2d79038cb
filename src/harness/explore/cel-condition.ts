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

import {type CelInput, celList} from '@bufbuild/cel';
import {celCondition, celObjects, celRecord} from '../input/cel-text.ts';
import {InputError} from '../input/input-error.ts';
import {externalCounts, externalsIn} from '../oracle/externals.ts';
import {objectsIn} from './evidence.ts';
import type {ExploreState} from './explore-state.ts';
import type {Story} from './story.ts';

/** What an expression may name, made of a state. */
const variables: {readonly [name: string]: (story: Story, state: ExploreState) => CelInput} = {
  objects: (_, {world}) => celObjects(objectsIn(world)),
  externals: (_, {world}) =>
    celList(externalsIn(world).map(({type, id, owner}) => celRecord({type, id, owner: owner ?? ''}))),
  counts: (_, {world}) => celRecord({...externalCounts(world)}),
  made: ({moves}, {made}) => celList(made.map((move) => moves[move]?.step.name ?? '')),
  stopped: (_, {memory: {stopped}}) => celList([...stopped]),
};

/** The expression as a condition. Throws InputError for what is not CEL; so does the condition for what is no answer. */
export function compileCondition(story: Story, text: string, place: string): (state: ExploreState) => boolean {
  const compiled = celCondition(text);
  if (compiled.kind === 'no-cel') {
    throw new InputError(place, `cannot read ${JSON.stringify(text)} as CEL: ${compiled.problem}`);
  }
  // A search asks in every state: only what the text names is made.
  const named = Object.entries(variables).filter(([name]) => text.includes(name));
  return (state) => {
    const result = compiled.condition(Object.fromEntries(named.map(([name, make]) => [name, make(story, state)])));
    if (typeof result === 'boolean') return result;
    throw new InputError(place, `cannot evaluate ${JSON.stringify(text)}: ${result.problem}`);
  };
}
