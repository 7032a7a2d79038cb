// Time. While anything can go on without waiting, nothing that waits for a time happens: a timer is long against the
// steps between two timers, on a real control plane too (milliseconds against a second and more). This leaves out interleavings
// in which a step takes longer than the shortest timer under way. Holding a step back until the others are at rest (schedule.ts)
// brings back those that matter.
//
// Timers never end: polls come every minute for ever. A timer whose work ends where it began is skipped, so what is left
// is the first timer that changes something. If none does within the horizon, the world is at rest for good.

import {restFingerprint} from '../../cluster/kernel/fingerprint.ts';
import {next, nextNow, perform} from '../../cluster/kernel/step.ts';
import type {Definition, World} from '../../cluster/kernel/world.ts';
import {memo} from '../../cluster/memo.ts';
import {firstChoice} from './story.ts';

/**
 * Longer than every period of the modelled controllers but the resync of an hour, and than a cached read waits for its informer
 * (120 s).
 */
const horizonMs = 135_000;
const stepsMax = 50_000;

/** The world in the moment the next timer that matters has fired; undefined where none will. */
export function afterWaiting(definition: Definition, world: World): World | undefined {
  const known = remembered.get(world);
  if (known !== undefined) return known.after;
  const after = wait(definition, world);
  remembered.set(world, {after});
  return after;
}

const remembered = memo<World, {readonly after: World | undefined}>();

function wait(definition: Definition, world: World): World | undefined {
  const own = restFingerprint(world);
  const untilMs = world.nowMs + horizonMs;
  let idle = world;
  for (;;) {
    const timer = next(idle);
    if (timer === undefined || timer.atMs > untilMs) return undefined;
    const fired = perform(definition, idle, timer, {chooser: firstChoice});
    idle = settled(definition, fired);
    if (restFingerprint(idle) !== own) return fired;
  }
}

function settled(definition: Definition, world: World): World {
  let present = world;
  for (let steps = 0; steps < stepsMax; steps++) {
    const action = nextNow(present);
    if (action === undefined) return present;
    present = perform(definition, present, action, {chooser: firstChoice});
  }
  throw new Error(`the world made ${stepsMax} steps at one moment and has not come to rest`);
}
