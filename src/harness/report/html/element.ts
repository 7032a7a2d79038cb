// HTML built from values. Text is always escaped; markup exists only as what these functions made, so no text of a scenario, a
// function or a cluster can become markup.

import {visible} from '../visible.ts';

export interface Html {
  readonly html: string;
}

type Content = Html | string | readonly Content[];
type Attribute = string | number | boolean | undefined;

const voidTags = new Set(['meta', 'input', 'br']);

/** `element('a', {href: '#x'}, 'text')`. False and undefined leave an attribute out, true writes it without value. */
export function element(
  tag: string,
  attributes: {readonly [name: string]: Attribute} = {},
  ...content: readonly Content[]
): Html {
  const open = `<${tag}${Object.entries(attributes).map(attributeText).join('')}>`;
  return {html: voidTags.has(tag) ? open : `${open}${content.map(contentText).join('')}</${tag}>`};
}

/** A `script` or `style` element. `text` must not come from data: only `</` is made harmless in it. */
export function rawElement(
  tag: 'script' | 'style',
  attributes: {readonly [name: string]: Attribute},
  text: string,
): Html {
  const open = `<${tag}${Object.entries(attributes).map(attributeText).join('')}>`;
  return {html: `${open}${text.replaceAll('</', '<\\/')}</${tag}>`};
}

/** Data for the page's script. Inside a script element only `<` could end it. */
export function dataElement(id: string, value: unknown): Html {
  const text = visible(JSON.stringify(value)).replaceAll('<', '\\u003c');
  return {html: `<script type="application/json" id="${escaped(id)}">${text}</script>`};
}

function attributeText([name, value]: readonly [string, Attribute]): string {
  if (value === undefined || value === false) return '';
  return value === true ? ` ${name}` : ` ${name}="${escaped(String(value))}"`;
}

function contentText(content: Content): string {
  if (typeof content === 'string') return escaped(content);
  return isList(content) ? content.map(contentText).join('') : content.html;
}

function isList(content: Content): content is readonly Content[] {
  return Array.isArray(content);
}

const marks: {readonly [mark: string]: string} = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'};

/** Characters that mean something to HTML, or that it has no place for, are written out. */
function escaped(text: string): string {
  return visible(text).replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);
}
