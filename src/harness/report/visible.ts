/**
 * The text with every character that would command a terminal, or turn the direction of what follows it, written out as JSON
 * writes it: `\u001b`. Line feeds and tabs stay. Output of JSON.stringify keeps its meaning.
 */
export function visible(text: string): string {
  return text.replace(commanding, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

// All of \p{Cc} but line feed and tab, line and paragraph separators, Unicode's marks of direction, and no characters.
const commanding = /(?![\n\t])[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;

/** A document of JSON, for tools. */
export function jsonText(value: unknown): string {
  return visible(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** Text that Markdown and HTML leave alone. */
export function markdownText(text: string): string {
  return visible(text.replace(/\s+/g, ' ')).replace(/[&<>|`*_~[\]\\#@!]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** Lines that a reader opens, or finds open. `summary` is Markdown. */
export function detailsLines(isOpen: boolean, summary: string, lines: readonly string[]): readonly string[] {
  const open = `<details${isOpen ? ' open' : ''}><summary>${summary}</summary>`;
  return ['', open, '', ...lines, '', '</details>'];
}
