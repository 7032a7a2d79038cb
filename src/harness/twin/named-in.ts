/** The resource names that a condition of Crossplane lists behind these words, as in `a, b` or `a, b, and c`; none where it says else. */
export function namesIn(message: string, words: string): readonly string[] {
  const at = message.indexOf(`${words}: `);
  return at < 0 ? [] : message.slice(at + words.length + 2).split(/,? and |, /);
}
