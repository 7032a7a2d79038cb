/** A function of the model threw. The path leads to the state whose expansion did; the cause is what was thrown. */
export class ModelFailure extends Error {
  readonly path: readonly number[];

  constructor(path: readonly number[], cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`cannot go on from path "${path.join('/')}": the model threw: ${reason}`, {cause});
    this.name = 'ModelFailure';
    this.path = path;
  }
}
