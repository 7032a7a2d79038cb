// Functions that an operator broke: instead of running they answer with an error, until they are mended.

import type {FunctionReply} from '../../cluster/kernel/call.ts';
import {type Action, taskOf} from '../../cluster/kernel/step.ts';
import type {World} from '../../cluster/kernel/world.ts';
import {functionOfVersion} from '../functions/function-version.ts';

/** The errors of the functions that are broken now, by function name. */
export type BrokenFunctions = ReadonlyMap<string, string>;

/** The answer to the function call that the action makes; undefined for any other action, and where the function runs. */
export function brokenReply(
  world: World,
  action: Action,
  broken: BrokenFunctions | undefined,
): FunctionReply | undefined {
  if (broken === undefined || broken.size === 0 || action.kind !== 'call') return undefined;
  const {call} = taskOf(world, action);
  const message = call.to === 'function' ? broken.get(functionOfVersion(call.target)) : undefined;
  return message === undefined ? undefined : {ok: false, message};
}
