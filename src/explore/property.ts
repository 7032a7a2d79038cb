// A property that must be true of a model. Four expectations:
//   always      the condition holds in every state;
//   sometimes   the condition holds in at least one state (keeps an `always` beside it from passing by never happening);
//   eventually  on every fair run (liveness.ts) the condition holds at some point; with `since`, at some point from where
//               that first holds on, and runs that never come there are not judged;
//   converges   nothing is pending in any quiescent state (monitor.ts), and there is one.
// `converges` is cheap and survives reduction, but a run that never comes to rest escapes it; `eventually` catches that.

export type Property<S> = StateProperty<S> | Convergence<S>;

export interface StateProperty<S> {
  readonly expectation: 'always' | 'sometimes' | 'eventually';
  readonly name: string;
  readonly condition: (state: S) => boolean;
  /** Only for `eventually`. Where it holds it must hold in every later state. */
  readonly since?: (state: S) => boolean;
}

export interface Convergence<S> {
  readonly expectation: 'converges';
  readonly name: string;
  /** Why the state has not arrived where it should, or undefined if it has. */
  readonly pending: (state: S) => string | undefined;
}

export function always<S>(name: string, condition: (state: S) => boolean): Property<S> {
  return {expectation: 'always', name, condition};
}

export function sometimes<S>(name: string, condition: (state: S) => boolean): Property<S> {
  return {expectation: 'sometimes', name, condition};
}

export function eventually<S>(
  name: string,
  condition: (state: S) => boolean,
  since?: (state: S) => boolean,
): Property<S> {
  return {expectation: 'eventually', name, condition, ...(since === undefined ? {} : {since})};
}

export function converges<S>(name: string, pending: (state: S) => string | undefined): Property<S> {
  return {expectation: 'converges', name, pending};
}
