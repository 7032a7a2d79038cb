/** The resource names that a condition of Crossplane lists behind these words, as in `a, b` or `a, b, and c`; none where it says else. */
export function namesIn(message: string, words: string): readonly string[] {
  const at = message.indexOf(`${words}: `);
  return at < 0 ? [] : message.slice(at + words.length + 2).split(/,? and |, /);
}

/** Whether a condition lists resource names behind these words, and all of them are so. */
export function areAllNamed(message: string | undefined, words: string, isSo: (name: string) => boolean): boolean {
  const names = namesIn(message ?? '', words);
  return names.length > 0 && names.every(isSo);
}
