// YAML as Crossplane's command line prints it, byte for byte: sigs.k8s.io/yaml v1.6.0 over yaml/go-yaml v2.4.4
// (emitterc.go, sorter.go). Keys in natural order, lists not indented under their key, long lines folded at spaces.

import {isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import {isPrintable, styleOf} from './yaml-scalar.ts';

const widthMax = 80;
const keyLengthMax = 128;

/** One document without its `---`. */
export function goYaml(value: JsonObject): string {
  const writer = new Writer();
  writeMap(writer, value, 0, false);
  return writer.finish();
}

class Writer {
  private text = '';
  private lineStart = 0;

  get column(): number {
    return this.text.length - this.lineStart;
  }

  put(text: string): void {
    this.text += text;
    const last = text.lastIndexOf('\n');
    if (last >= 0) this.lineStart = this.text.length - (text.length - last - 1);
  }

  /** Goes to the start of a line, and in by `indent`. */
  line(indent: number): void {
    if (this.column > 0) this.put('\n');
    this.put(' '.repeat(indent));
  }

  finish(): string {
    return this.column > 0 ? `${this.text}\n` : this.text;
  }
}

/** `isInline`: the first entry goes on the present line, behind a dash. */
function writeMap(writer: Writer, map: JsonObject, indent: number, isInline: boolean): void {
  const keys = Object.keys(map).sort(naturally);
  if (keys.length === 0) writer.put('{}');
  for (const [index, key] of keys.entries()) {
    if (index > 0 || !isInline) writer.line(indent);
    if (isSimple(key)) {
      writeText(writer, key, indent, true);
      writer.put(':');
    } else {
      writer.put('? ');
      writeText(writer, key, indent + 2, false);
      writer.line(indent);
      writer.put(':');
    }
    writeValue(writer, map[key] as Json, indent);
  }
}

function isSimple(key: string): boolean {
  return !key.includes('\n') && new TextEncoder().encode(key).length <= keyLengthMax;
}

function writeValue(writer: Writer, value: Json, indent: number): void {
  if (isList(value) && value.length > 0) {
    writeList(writer, value, indent, false);
  } else if (isObject(value) && Object.keys(value).length > 0) {
    writeMap(writer, value, indent + 2, false);
  } else {
    writer.put(' ');
    writeScalar(writer, value, indent + 2);
  }
}

function writeList(writer: Writer, list: readonly Json[], indent: number, isInline: boolean): void {
  for (const [index, item] of list.entries()) {
    if (index > 0 || !isInline) writer.line(indent);
    writer.put('- ');
    if (isList(item) && item.length > 0) writeList(writer, item, indent + 2, true);
    else if (isObject(item) && Object.keys(item).length > 0) writeMap(writer, item, indent + 2, true);
    else writeScalar(writer, item, indent + 2);
  }
}

function writeScalar(writer: Writer, value: Json, indent: number): void {
  if (typeof value === 'string') writeText(writer, value, indent, false);
  else if (isList(value)) writer.put('[]');
  else if (isObject(value)) writer.put('{}');
  else writer.put(typeof value === 'number' ? numberText(value) : String(value));
}

function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  // Go's %g: an exponent below -4 or from 21 on, of at least two digits.
  const text = Math.abs(value) < 1e-4 ? value.toExponential() : String(value);
  return text.replace(/e([-+])(\d)$/, 'e$10$2');
}

function writeText(writer: Writer, text: string, indent: number, isKey: boolean): void {
  switch (styleOf(text, isKey)) {
    case 'plain':
      return fold(writer, text, indent, isKey);
    case 'single':
      writer.put("'");
      fold(writer, text.replaceAll("'", "''"), indent, isKey);
      return writer.put("'");
    case 'double':
      return writeQuoted(writer, text, indent, isKey);
    case 'literal':
      return writeLiteral(writer, text, indent);
  }
}

function fold(writer: Writer, text: string, indent: number, isKey: boolean): void {
  for (const [index, character] of [...text].entries()) {
    const alone = character === ' ' && text[index - 1] !== ' ' && text[index + 1] !== ' ';
    if (alone && !isKey && writer.column > widthMax && index > 0 && index < text.length - 1) writer.line(indent);
    else writer.put(character);
  }
}

const escapes: {readonly [character: string]: string} = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\u0085': 'N',
  '\u00a0': '_',
  '\u2028': 'L',
  '\u2029': 'P',
};

function writeQuoted(writer: Writer, text: string, indent: number, isKey: boolean): void {
  writer.put('"');
  const characters = [...text];
  let afterSpace = false;
  for (const [index, character] of characters.entries()) {
    const inside = index > 0 && index < characters.length - 1;
    if (character === ' ' && !isKey && !afterSpace && writer.column > widthMax && inside) {
      writer.line(indent);
      if (characters[index + 1] === ' ') writer.put('\\');
    } else {
      writer.put(needsEscape(character) ? `\\${escapes[character] ?? codeText(character)}` : character);
    }
    afterSpace = character === ' ';
  }
  writer.put('"');
}

function needsEscape(character: string): boolean {
  return !isPrintable(character) || /["\\\n\r\u0085\u2028\u2029]/.test(character);
}

function codeText(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = (digits: number) => code.toString(16).toUpperCase().padStart(digits, '0');
  if (code <= 0xff) return `x${hex(2)}`;
  return code <= 0xffff ? `u${hex(4)}` : `U${hex(8)}`;
}

function writeLiteral(writer: Writer, text: string, indent: number): void {
  const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  writer.put(`|${/^[ \n]/.test(text) ? '2' : ''}${chomp}\n`);
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  const written = lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line)).join('\n');
  writer.put(text.endsWith('\n') ? `${written}\n` : written);
}

/** Letters after everything else, numbers by their value. */
function naturally(left: string, right: string): number {
  const [a, b] = [[...left], [...right]];
  for (let index = 0; index < a.length && index < b.length; index++) {
    const [one, other] = [a[index] as string, b[index] as string];
    if (one === other) continue;
    const letters = [isLetter(one), isLetter(other)];
    if (letters[0] && letters[1]) return one < other ? -1 : 1;
    if (letters[0] || letters[1]) return letters[1] ? -1 : 1;
    return byNumber(a, b, index) || (one < other ? -1 : 1);
  }
  return a.length - b.length;
}

function byNumber(left: readonly string[], right: readonly string[], from: number): number {
  const inNumber = (left[from] === '0' || right[from] === '0') && startsNumber(left, from);
  const one = digitsFrom(left, from, inNumber);
  const other = digitsFrom(right, from, inNumber);
  return one.value - other.value || one.length - other.length;
}

function startsNumber(characters: readonly string[], before: number): boolean {
  for (let index = before - 1; index >= 0 && isDigit(characters[index]); index--) {
    if (characters[index] !== '0') return true;
  }
  return false;
}

function digitsFrom(characters: readonly string[], from: number, inNumber: boolean) {
  let value = inNumber ? 1 : 0;
  let index = from;
  for (; isDigit(characters[index]); index++) value = value * 10 + Number(characters[index]);
  return {value, length: index};
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && /^\d$/.test(character);
}

function isLetter(character: string): boolean {
  return /^\p{L}$/u.test(character);
}
