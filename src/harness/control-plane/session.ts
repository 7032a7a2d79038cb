// Drives one world from outside: a user's requests, processes that start and stop, and time. The world itself is a
// value; a session only holds the present one.

import type {ApiRequest, ApiResponse} from '../../cluster/api/request.ts';
import type {FunctionReply} from '../../cluster/kernel/call.ts';
import {
  type Action,
  advanceClock,
  killProcess,
  next,
  perform,
  remoteCall,
  startProcess,
  stopProcess,
  submit,
  taskOf,
} from '../../cluster/kernel/step.ts';
import type {Definition, Observer, TraceEntry, World} from '../../cluster/kernel/world.ts';
import {NotModelled} from '../../cluster/not-modelled.ts';
import type {Drive} from '../functions/drive.ts';
import {functionOfVersion} from '../functions/function-source.ts';
import {InputError} from '../input/input-error.ts';

export interface Happening {
  readonly atMs: number;
  readonly entry: TraceEntry;
}

export interface Session {
  readonly world: World;
  readonly nowMs: number;
  submit(actor: string, request: ApiRequest): ApiResponse;
  start(process: string): void;
  stop(process: string): void;
  kill(process: string, message: string): void;
  /** Replaces the world, as a fault does. */
  change(make: (world: World) => World): void;
  /** Replaces the static parts, as an upgrade does. A process that differs must be down. */
  redefine(definition: Definition): void;
  /**
   * Lets the world run until `done` holds or the clock would pass `untilMs`; answers whether `done` held. Looks before
   * the first action and after every one. Throws InputError for what is not modelled.
   */
  run(untilMs: number, done?: () => boolean): Drive<boolean>;
}

export interface SessionOptions {
  readonly observe?: (happening: Happening) => void;
  /** Functions that answer with an error instead of running. */
  readonly broken?: BrokenFunctions;
}

/** A world that makes more steps than this at one go never comes to rest. */
const stepsMax = 2_000_000;

/** A process that spins (no virtual time passes, steps go on) is a bug of the world or of a function. */
class RunawayError extends Error {}

export function openSession(initial: Definition, world: World, options: SessionOptions = {}): Session {
  let definition = initial;
  let present = world;
  const observe: Observer | undefined =
    options.observe === undefined ? undefined : (atMs, entry) => options.observe?.({atMs, entry});
  const outside = observe === undefined ? {} : {observe};

  function* run(untilMs: number, done: () => boolean = () => false): Drive<boolean> {
    for (let steps = 0; !done(); steps++) {
      const action = next(present);
      if (action === undefined || action.atMs > untilMs) {
        present = advanceClock(present, untilMs);
        return done();
      }
      if (steps > stepsMax) throw new RunawayError(`the world made ${stepsMax} steps by ${present.nowMs} ms`);
      yield* step(action);
    }
    return true;
  }

  function* step(action: Action): Drive<void> {
    const failed = brokenReply(present, action, options.broken);
    const call = failed === undefined ? remoteCall(definition, present, action) : undefined;
    const answer = call === undefined ? failed : yield call;
    present = performed(definition, present, action, answer === undefined ? outside : {...outside, answer});
  }

  return {
    get world() {
      return present;
    },
    get nowMs() {
      return present.nowMs;
    },
    submit: (actor, request) => {
      const submitted = submit(definition, present, actor, request, outside);
      present = submitted.world;
      return submitted.response;
    },
    start: (process) => {
      present = startProcess(definition, present, process, outside);
    },
    stop: (process) => {
      present = stopProcess(definition, present, process, outside);
    },
    kill: (process, message) => {
      present = killProcess(definition, present, process, message, outside);
    },
    change: (make) => {
      present = make(present);
    },
    redefine: (next) => {
      definition = next;
    },
    run,
  };
}

/** Throws InputError if the step reaches what the world does not model. */
function performed(...[definition, world, action, outside]: Parameters<typeof perform>): World {
  try {
    return perform(definition, world, action, outside);
  } catch (error) {
    throw error instanceof NotModelled ? new InputError(error.message) : error;
  }
}

// Functions that an operator broke: instead of running they answer with an error, until they are mended.

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
