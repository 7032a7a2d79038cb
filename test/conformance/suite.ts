// What the conformance command asks of each kind of recording.

export interface Verdict {
  /** The recording, as the user may name it: `control-plane/d-orphan`. */
  readonly name: string;
  readonly passed: boolean;
  /** First difference where it failed; how it passed where that is worth knowing (which seed). One line. */
  readonly detail?: string;
}

export interface Which {
  readonly only?: string | undefined;
  readonly strict?: boolean;
}

export interface Suite {
  readonly folder: 'control-plane' | 'control-plane-versions' | 'ssa' | 'managed';
  /**
   * Replays the recordings of `dir` (DIR/FOLDER) and writes what the simulated world did below `out` (OUT/FOLDER).
   * Verdicts come as they are reached. `only` keeps the recordings whose name contains it; `strict` compares whole
   * control planes to the last field.
   */
  readonly run: (dir: string, out: string, which?: Which) => Iterable<Verdict>;
}
