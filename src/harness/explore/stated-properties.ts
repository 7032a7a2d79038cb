// Properties that the scenario states itself, in CEL. An `eventually` is judged from the last move of the operator on: before
// that every run may still be waiting for a move.

import {always, eventually, type Property, sometimes} from '../../explore/property.ts';
import {InputError} from '../input/input-error.ts';
import type {StatedProperty} from '../scenario/scenario.ts';
import {bindingsFor, stateCondition} from '../scenario/state-condition.ts';
import {namedState} from './evidence.ts';
import type {ExploreState} from './explore-state.ts';
import type {Story} from './story.ts';

/** Throws InputError for what is not CEL, and where an `eventually` has no last move. */
export function statedProperties(story: Story): readonly Property<ExploreState>[] {
  const stated = story.scenario.explore.properties;
  for (const [index, {name, place}] of stated.entries()) {
    const isTaken = stated.slice(0, index).some((other) => other.name === name);
    if (isTaken) throw new InputError(`two properties are named "${name}"`, {place});
  }
  return stated.map((one) => propertyOf(story, one));
}

function propertyOf(story: Story, {expectation, name, place, holds}: StatedProperty): Property<ExploreState> {
  const {condition: evaluate} = stateCondition(holds, place, {self: false});
  const condition = (state: ExploreState): boolean => {
    const result = evaluate(bindingsFor(holds, namedState(story, state)));
    if (typeof result === 'boolean') return result;
    throw new InputError(`cannot evaluate ${JSON.stringify(holds)}: ${result.problem}`, {place});
  };
  switch (expectation) {
    case 'always':
      return always(name, condition);
    case 'sometimes':
      return sometimes(name, condition);
    case 'eventually': {
      if (story.moveOrder === 'any') {
        throw new InputError(`"${name}" cannot be judged on a menu of moves: explore with --moves in-order`, {place});
      }
      return eventually(name, condition, (state) => state.made.length === story.moves.length);
    }
  }
}
