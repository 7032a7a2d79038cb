// An XR that stands still over a question of its input: before Crossplane 2.2 nobody can know beforehand that a kind is not served,
// and an answer there is none to stops the XR. Its condition names the kind, and docs/operations.md what a person can do.

import {at} from '../../cluster/json.ts';
import {conditionOf} from '../../cluster/object.ts';
import type {Ending} from './ending.ts';
import type {HarmKind} from './harm.ts';

/** What is not done, or stays as it is, where an XR stands still. */
export const ofVainQuestion: readonly HarmKind[] = [
  'missing',
  'gone',
  'kept',
  'unowned',
  'overwritten',
  'not-synced',
  'not-ready',
];

/** Whether the XR, by its place, asks for lost resources, as its input says, of a kind that is not served. */
export function asksInVain(xr: string, {living, asked}: Ending): boolean {
  const object = living.get(xr)?.at(-1)?.object;
  if (object === undefined || at(asked.get(xr)?.input ?? {}, ['restore', 'lookup']) !== true) return false;
  const {status, message = ''} = conditionOf(object, 'Synced') ?? {};
  return status === 'False' && message.includes('fetching resources for lost-');
}
