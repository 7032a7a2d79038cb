/** Which of the functions in this process a function is: by its name, or by the last part of its package's. */
export function builtinFor(name: string, reference: string, known: readonly string[]): string | undefined {
  return [name, repositoryOf(reference)].find((one) => known.includes(one));
}

/** `function-auto-ready` of `registry/owner/function-auto-ready:v1`; empty where nothing is named. */
export function repositoryOf(reference: string): string {
  return /([^/:@]+)(?:[:@][^/]*)?$/.exec(reference)?.[1] ?? '';
}
