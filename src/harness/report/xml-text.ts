import {visible} from './visible.ts';

/** Attributes with a blank before each. */
export function attributesXml(attributes: {readonly [name: string]: string | number}): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapedXml(String(value))}"`)
    .join('');
}

const marks: {readonly [mark: string]: string} = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;'};

/** Text as XML allows it: control characters are written out. */
export function escapedXml(text: string): string {
  return visible(text.toWellFormed()).replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);
}
