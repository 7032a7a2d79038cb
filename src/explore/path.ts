// A path is the positions of its actions in the lists of enabled actions, written `0/3/1`. It is short and can be typed. It can be
// taken again as long as the model is deterministic; otherwise the replay reports a divergence.

import type {Model} from './model.ts';

export type Path = readonly number[];

export type ParsedPath =
  | {readonly kind: 'path'; readonly path: Path}
  | {readonly kind: 'invalid'; readonly message: string};

/** `0/3/1`; the empty path is `-`. */
export function formatPath(path: Path): string {
  return path.length === 0 ? '-' : path.join('/');
}

/** Reads what `formatPath` wrote. */
export function parsePath(text: string): ParsedPath {
  const trimmed = text.trim();
  if (trimmed === '-') return {kind: 'path', path: []};
  const path: number[] = [];
  for (const [position, part] of trimmed.split('/').entries()) {
    if (!/^\d{1,6}$/.test(part)) {
      const message = `cannot read path "${text}": expected whole numbers joined by "/", got "${part}" at step ${position}`;
      return {kind: 'invalid', message};
    }
    path.push(Number(part));
  }
  return {kind: 'path', path};
}

/** One step taken: the state before, the action, and its description. */
interface Step<S, A> {
  readonly kind: 'step';
  readonly index: number;
  readonly before: S;
  readonly action: A;
  readonly key: string;
  readonly text: string;
  /** The budget kind the action spends; undefined for a free action. */
  readonly cost: string | undefined;
  readonly after: S;
}

export interface Replayed<S, A> {
  readonly kind: 'replayed';
  readonly steps: readonly Step<S, A>[];
  readonly final: S;
}

export type Divergence =
  | {
      readonly reason: 'no-such-action';
      readonly step: number;
      readonly index: number;
      readonly enabled: readonly string[];
    }
  | {readonly reason: 'other-action'; readonly step: number; readonly expected: string; readonly got: string}
  | {
      readonly reason: 'actions-vary';
      readonly step: number;
      readonly first: readonly string[];
      readonly second: readonly string[];
    }
  | {readonly reason: 'next-varies'; readonly step: number; readonly key: string};

export interface Diverged {
  readonly kind: 'diverged';
  readonly divergence: Divergence;
}

/**
 * Takes the path. Every function of the model is asked twice, so that one that does not give the same answer to the
 * same question is caught where it happens. `keys`: the action keys the path had when it was found, if known.
 */
export function replay<S, A>(model: Model<S, A>, path: Path, keys?: readonly string[]): Replayed<S, A> | Diverged {
  const steps: Step<S, A>[] = [];
  let state = model.initial();
  for (const [step, index] of path.entries()) {
    const taken = takeStep(model, state, step, index, keys?.[step]);
    if (taken.kind === 'diverged') return taken;
    steps.push(taken);
    state = taken.after;
  }
  return {kind: 'replayed', steps, final: state};
}

/** The action keys along the path, to be kept beside it. Throws if the path does not fit the model. */
export function keysOf<S, A>(model: Model<S, A>, path: Path): string[] {
  const replayed = replay(model, path);
  if (replayed.kind === 'diverged') throw new Error(explainDivergence(replayed.divergence));
  return replayed.steps.map((step) => step.key);
}

/** The point of divergence, and advice on finding the cause. */
export function explainDivergence(divergence: Divergence): string {
  return `cannot replay the path: ${symptom(divergence)}. ${advice(divergence)}`;
}

function takeStep<S, A>(
  model: Model<S, A>,
  state: S,
  step: number,
  index: number,
  expected: string | undefined,
): Step<S, A> | Diverged {
  const actions = model.actions(state);
  const first = actions.map((action) => model.key(action));
  const second = model.actions(state).map((action) => model.key(action));
  if (first.join('\n') !== second.join('\n')) return diverged({reason: 'actions-vary', step, first, second});
  const action = actions[index];
  const key = first[index];
  if (action === undefined || key === undefined) {
    return diverged({reason: 'no-such-action', step, index, enabled: first});
  }
  if (expected !== undefined && expected !== key) {
    return diverged({reason: 'other-action', step, expected, got: key});
  }
  const after = model.next(state, action);
  if (model.fingerprint(after) !== model.fingerprint(model.next(state, action))) {
    return diverged({reason: 'next-varies', step, key});
  }
  const cost = model.cost?.(action, state);
  return {kind: 'step', index, before: state, action, key, text: model.describe(action, state), cost, after};
}

function diverged(divergence: Divergence): Diverged {
  return {kind: 'diverged', divergence};
}

function symptom(divergence: Divergence): string {
  switch (divergence.reason) {
    case 'no-such-action': {
      const {step, index, enabled} = divergence;
      return `step ${step} names action ${index}, but ${enabled.length} are enabled (${list(enabled)})`;
    }
    case 'other-action':
      return `step ${divergence.step} was "${divergence.expected}" when the path was found and is "${divergence.got}" now`;
    case 'actions-vary':
      return (
        `asked twice in the same state, step ${divergence.step} has the actions ` +
        `${list(divergence.first)} and then ${list(divergence.second)}`
      );
    case 'next-varies':
      return `taken twice from the same state, "${divergence.key}" at step ${divergence.step} leads to different states`;
    default:
      return unreachable(divergence);
  }
}

function advice(divergence: Divergence): string {
  if (divergence.reason === 'actions-vary' || divergence.reason === 'next-varies') {
    return (
      'The model is not deterministic: look for a clock, a random number, a counter or cache that outlives the call, ' +
      'state that is changed in place, or iteration in an order that varies (a Map or Set filled in another order, ' +
      'replies of a function that runs outside).'
    );
  }
  return (
    'The same calls agree with each other now, so the model is not the one the path was found with: compare the ' +
    'version, the input files, the options that enable actions (faults, operators, profile), and whatever the model ' +
    'reads from outside. If nothing changed, look for something that differs between processes: the environment, ' +
    'hash seeds, a function that answers differently from run to run.'
  );
}

function list(keys: readonly string[]): string {
  return keys.length === 0 ? 'none' : keys.map((key) => `"${key}"`).join(', ');
}

function unreachable(value: never): never {
  throw new Error(`cannot explain ${JSON.stringify(value)}`);
}
