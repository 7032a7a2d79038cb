import {availableParallelism} from 'node:os';
import {profileNamed} from '../harness/control-plane/profile-names.ts';
import {type BudgetKind, budgetKinds} from '../harness/explore/explore-action.ts';
import type {ExploreArgs} from '../harness/explore/explore-args.ts';
import {InputError} from '../harness/input/input-error.ts';
import {readFlags} from './flags.ts';

// The command line of `tether explore` and `tether replay`.

export const exploreHelp = `tether explore FILE searches what a scenario's steps, faults and interleavings can lead to.

  --crossplane VERSION   only this version (1.16, 1.19, 1.20, 2.3, main); may be given more than once
  --variant NAME         the first variant whose name contains NAME
  --moves any|in-order   the steps are a menu (default), or come in their order, each after what it waits for
  --property TEXT        only properties whose name contains TEXT; may be given more than once
  --without TEXT         leave properties out whose name contains TEXT; may be given more than once
  --budget KIND=N        units of a kind: ${budgetKinds.join(', ')}
  --order ORDER          cheapest (default), breadth or depth
  --depth N, --states N, --seconds N, --minutes N (of virtual time)
  --memory MB            for the states known and those that wait
  --all                  go on after the first failure
  --twin NAME            hold every telling against those with pass-through in the place of the functions named: one unit of
                         each kind of fault and of each actor to its end (nothing, person, editor, tenant, controller),
                         or of those of --budget KIND=1
  --walks N --seed N     random walks instead of a search; --length N steps each
  --workers N|all        threads, each with its share of the states; --shard I/N this share only
  --save FILE            write the smallest failure as a scenario
  --json FILE            write everything as JSON ("-" for the terminal)

The scenario's own \`explore\` part sets moves, budgets, minutes and without; an option overrides it.

Example: tether explore examples/explore/s1-orphan.yaml --crossplane main --save smallest.yaml

Exit codes: 0 all properties hold and everything within the bounds was seen, 1 unfinished or the tool failed, 2 bad input,
3 a property does not hold.`;

export const replayHelp = `tether replay FILE --path PATH takes one path of an exploration again, step by step. A failed exploration prints the
command, with every option that its path depends on.

  --path 0/3/1           which action is taken in each state
  --crossplane VERSION   the version it was found on
  --steps                every step, not only what an operator would see
  --variant NAME, --moves any|in-order, --budget KIND=N, --minutes N   as they were for tether explore

Example: tether replay examples/explore/s1-orphan.yaml --crossplane main --path 0/3/1

Exit codes: 0 the path was taken, 1 it leads elsewhere now or the tool failed, 2 bad input.`;

const options = {
  crossplane: {type: 'string', multiple: true},
  profile: {type: 'string', multiple: true},
  variant: {type: 'string'},
  moves: {type: 'string'},
  property: {type: 'string', multiple: true},
  without: {type: 'string', multiple: true},
  budget: {type: 'string', multiple: true},
  order: {type: 'string'},
  depth: {type: 'string'},
  states: {type: 'string'},
  memory: {type: 'string'},
  seconds: {type: 'string'},
  minutes: {type: 'string'},
  all: {type: 'boolean'},
  twin: {type: 'string'},
  walks: {type: 'string'},
  seed: {type: 'string'},
  length: {type: 'string'},
  workers: {type: 'string'},
  shard: {type: 'string'},
  save: {type: 'string'},
  json: {type: 'string'},
  path: {type: 'string'},
  steps: {type: 'boolean'},
  help: {type: 'boolean', short: 'h'},
} as const;

/** Undefined where help was asked for. Throws InputError with one sentence. */
export function parseExploreArgs(
  argv: readonly string[],
  command: 'explore' | 'replay' = 'explore',
): ExploreArgs | undefined {
  const {values, positionals} = readFlags(command, {args: [...argv], options, allowPositionals: true});
  if (values.help === true) return undefined;
  const [file, second] = positionals;
  if (file === undefined || second !== undefined) {
    throw new InputError('', `expected one scenario file, got ${positionals.length}; see tether ${command} --help`);
  }
  if (values.twin !== undefined) checkTwin(command, Object.keys(values));
  return {
    file,
    crossplane: [...(values.crossplane ?? []), ...(values.profile ?? [])].map(profileNamed),
    variant: values.variant,
    moves: values.moves === undefined ? undefined : oneOf('--moves', values.moves, ['any', 'in-order'] as const),
    properties: values.property ?? [],
    without: values.without ?? [],
    budgets: Object.fromEntries((values.budget ?? []).map(values.twin === undefined ? budget : unit)),
    order: oneOf('--order', values.order ?? 'cheapest', ['breadth', 'cheapest', 'depth']),
    depth: count('--depth', values.depth),
    states: count('--states', values.states),
    memoryBytes: memoryIn(values.memory),
    seconds: count('--seconds', values.seconds),
    minutes: count('--minutes', values.minutes),
    all: values.all === true,
    twin: values.twin,
    walks: count('--walks', values.walks),
    seed: BigInt(count('--seed', values.seed) ?? 1),
    length: count('--length', values.length) ?? 2000,
    workers: values.workers === 'all' ? availableParallelism() : (positive('--workers', values.workers) ?? 1),
    shard: values.shard === undefined ? undefined : shardNamed(values.shard),
    save: values.save,
    json: values.json,
    path: values.path,
    steps: values.steps === true,
  };
}

const besideTwin = ['twin', 'crossplane', 'profile', 'budget', 'save'];

/** A search with a twin is always the whole of one unit, in order and in one thread: what would ask otherwise is refused. */
function checkTwin(command: string, flags: readonly string[]): void {
  if (command !== 'explore') throw new InputError('', `--twin is an option of tether explore, got it with ${command}`);
  const other = flags.find((flag) => !besideTwin.includes(flag));
  if (other === undefined) return;
  throw new InputError(
    '',
    `--twin goes with --crossplane, --budget and --save, got --${other}, which it cannot follow`,
  );
}

function budget(text: string): readonly [BudgetKind, number] {
  const [kind = '', units = ''] = text.split('=');
  return [oneOf('--budget', kind, budgetKinds), count(`--budget ${kind}`, units) ?? 0];
}

/** With --twin actors have units, too; which it knows is told there. */
function unit(text: string): readonly [string, number] {
  const [kind = '', units = ''] = text.split('=');
  return [kind, count(`--budget ${kind}`, units) ?? 0];
}

function oneOf<T extends string>(flag: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  throw new InputError('', `${flag} must be one of ${known.join(', ')}, got "${value}"`);
}

function count(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new InputError('', `${flag} must be a whole number, got "${text}"`);
}

function memoryIn(megabytes: string | undefined): number | undefined {
  const count = positive('--memory', megabytes);
  return count === undefined ? undefined : count * 1_048_576;
}

function positive(flag: string, text: string | undefined): number | undefined {
  const value = count(flag, text);
  if (value !== 0) return value;
  throw new InputError('', `${flag} must be at least 1, got "0"`);
}

function shardNamed(text: string): {readonly index: number; readonly count: number} {
  const match = /^(\d+)\/(\d+)$/.exec(text);
  const [index, shards] = [Number(match?.[1]), Number(match?.[2])];
  if (match !== null && index < shards) return {index, count: shards};
  throw new InputError('', `--shard must be I/N with I from 0 to N-1, got "${text}"`);
}
