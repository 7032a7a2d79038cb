// The progress of a run, for a caller that waits.

export interface RunProgress {
  readonly story: (title: string) => void;
  readonly step: (number: number, count: number, name: string) => void;
  /** Virtual time since the first step. */
  readonly time: (ms: number) => void;
  /** For what the run waits in real time; undefined where it waits no more. */
  readonly waitsFor: (what: string | undefined) => void;
  /** Takes the line away, so that what is printed next begins at the left. */
  readonly end: () => void;
}
