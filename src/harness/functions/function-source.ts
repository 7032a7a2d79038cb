// Where a function of a pipeline runs, as scenarios and the library name it.

export type FunctionSource =
  | {readonly kind: 'builtin'; readonly name: string}
  | ({readonly kind: 'address'; readonly address: string} & CallLimit)
  /** The harness starts it and stops it after the run. */
  | ({readonly kind: 'command'; readonly command: readonly string[]; readonly address: string} & CallLimit &
      StartLimit);

/** How long a call may take, of real time; a function that takes longer hangs, and the story ends. */
interface CallLimit {
  readonly timeoutMs?: number;
}

/** How long it may take, of real time, until it answers at its address. */
interface StartLimit {
  readonly startTimeoutMs?: number;
}
