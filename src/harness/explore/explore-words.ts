// Names of actions: keys that stay the same while other actions come and go, and sentences for people.

import {type Action, taskOf} from '../../cluster/kernel/step.ts';
import {labelOf} from '../../cluster/kernel/task.ts';
import type {World} from '../../cluster/kernel/world.ts';
import {actorText} from '../control-plane/record/words.ts';
import type {ExploreAction} from './explore-action.ts';
import type {Answered} from './faults.ts';
import {activityOf} from './schedule.ts';
import type {Move, SearchedStory} from './story.ts';

export function keyOfAction(world: World | undefined, story: SearchedStory, action: ExploreAction): string {
  const about = (step: Action): string => (world === undefined ? step.kind : `${activityOf(world, step)} ${step.kind}`);
  switch (action.kind) {
    case 'step':
      return action.choices.length === 0 ? 'go on' : `choose ${action.choices.join('/')} ${about(action.action)}`;
    case 'tool':
      return 'go on';
    case 'time':
      return 'wait';
    case 'hold':
      return `hold ${action.activity}`;
    case 'move':
      return `${action.early ? 'early ' : ''}move ${action.move} ${(story.moves[action.move] as Move).step.name}`;
    case 'answer':
      return `${action.fault} ${about(action.action)}`;
    case 'no-answer':
      return `function-timeout ${about(action.action)}`;
    case 'miss':
      return `miss ${about(action.action)}`;
    case 'restart':
      return `restart ${action.process}`;
  }
}

export function describeAction(world: World, story: SearchedStory, action: ExploreAction): string {
  switch (action.kind) {
    case 'step':
      return action.choices.length === 0
        ? describeStep(world, action.action)
        : `another order (${action.choices.join('/')}): ${describeStep(world, action.action)}`;
    case 'tool':
      return 'the tool goes on';
    case 'time':
      return 'time passes';
    case 'hold':
      return `${action.cost === 'stale-cache' ? 'an event is late' : 'slow'}: ${action.activity}`;
    case 'move':
      return `operator${action.early ? ' (without waiting)' : ''}: ${(story.moves[action.move] as Move).step.name}`;
    case 'answer':
      return `${faultText[action.fault]}: ${describeStep(world, action.action)}`;
    case 'no-answer':
      return `the function hangs until the deadline: ${describeStep(world, action.action)}`;
    case 'miss':
      return `a watch breaks and lists again when all else is done: ${describeStep(world, action.action)}`;
    case 'restart':
      return `${actorText(action.process)} crashes and starts again`;
  }
}

const faultText: {readonly [fault in Answered['fault']]: string} = {
  conflict: 'another writer was first (conflict)',
  'webhook-down': 'the Usage webhook does not answer',
  'function-error': 'the function cannot be reached',
  'function-stale-response': 'the function answers what it answered last time',
};

function describeStep(world: World, action: Action): string {
  switch (action.kind) {
    case 'list':
      return `${actorText(action.process)} lists ${action.informer}`;
    case 'deliver':
      return `${actorText(action.process)} is told of ${action.informer}`;
    case 'start':
      return `${actorText(action.process)} starts ${action.controller} ${action.key}`;
    case 'cloud':
      return 'the cloud answers';
    case 'cached':
    case 'call': {
      const {run, call} = taskOf(world, action);
      const what = call.to === 'api' ? call.request.verb : call.to;
      return `${actorText(action.process)}, ${labelOf(run)}: ${what}`;
    }
  }
}
