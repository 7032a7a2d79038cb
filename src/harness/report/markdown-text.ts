import {visible} from './visible.ts';

/** Text that Markdown and HTML leave alone. */
export function markdownText(text: string): string {
  return visible(text.replace(/\s+/g, ' ')).replace(/[&<>|`*_~[\]\\#@!]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
