/** Throws when a thing that this folder guarantees is not so: a bug here, or a model that breaks its contract. */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}
