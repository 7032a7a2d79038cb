/** Where a switch over a union has no case left: the compiler refuses a union with one more. */
export function unreachable(value: never): never {
  throw new Error(`a value of an unknown kind: ${JSON.stringify(value)}`);
}
