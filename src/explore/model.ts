// The model that the checker explores: a graph given by functions, with one initial state, the enabled actions of a state, and the
// state that an action leads to. The checker knows nothing else about the world.
//
// Every function must be a pure function of its arguments: the checker calls them again when it replays, rebuilds dropped states
// and shrinks, and compares the results.

/**
 * Identifies a state, the same in every run and process. Equal states have equal fingerprints; states with different
 * futures have different ones. A number must be a safe integer. Giving one fingerprint to all states of a symmetry
 * class merges the class (symmetry reduction).
 */
export type Fingerprint = string | bigint | number;

export interface Model<S, A> {
  initial(): S;
  /** The enabled actions, always in the same order: a path stores positions in this list. */
  actions(state: S): readonly A[];
  /** The state after the action. States are immutable. Throwing means a bug; the checker adds the path to the error. */
  next(state: S, action: A): S;
  fingerprint(state: S): Fingerprint;
  /** Identifies an action across states, for example `controller x steps`. No two enabled actions share a key. */
  key(action: A): string;
  /** One line in the words of the domain. */
  describe(action: A, state: S): string;
  /**
   * True for states in which many paths meet. The search keeps them, and looks whether it knows one before it asks for its actions,
   * which may take long to find out.
   */
  joins?(state: S): boolean;
  /** False for states the search must not enter. They are counted, never checked. */
  withinBoundary?(state: S): boolean;
  /**
   * The kind of budget the action spends one unit of; undefined for free actions. Spending actions are what happens
   * *to* the system (faults, people); free ones are its own progress. See budget.ts and monitor.ts.
   */
  cost?(action: A, state: S): string | undefined;
  /** How often a random walk should prefer this action; 1 by default. */
  weight?(action: A): number;
}
