import {visible} from './visible.ts';

/** Text that Markdown and HTML leave alone. */
export function markdownText(text: string): string {
  return visible(text.replace(/\s+/g, ' ')).replace(/[&<>|`*_~[\]\\#@!]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** Lines that a reader opens, or finds open. `summary` is Markdown. */
export function detailsLines(isOpen: boolean, summary: string, lines: readonly string[]): readonly string[] {
  const open = `<details${isOpen ? ' open' : ''}><summary>${summary}</summary>`;
  return ['', open, '', ...lines, '', '</details>'];
}
