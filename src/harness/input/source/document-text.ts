// Bytes of a dump as values. Dumps are large: a state of 10,000 objects is 30 MB of YAML, for which the `yaml` package,
// which knows the place of every value, takes most of a minute; js-yaml takes a few seconds. Scalars are what they are
// in scenarios. No sentence quotes what is in a file: a dump is not the reader's own.

import {
  defineScalarTag,
  loadAll,
  mapTag,
  mergeTag,
  NOT_RESOLVED,
  nullYaml11Tag,
  Schema,
  seqTag,
  strTag,
  YAMLException,
} from 'js-yaml';
import {isList, isObject, type Json} from '../../../cluster/json.ts';
import {refuseAsKubectl} from '../as-kubectl.ts';
import {goScalar} from '../go-scalars.ts';
import {InputError} from '../input-error.ts';
import {jsonDocuments} from '../json-documents.ts';
import {withContinuedLinesIndented} from '../quoted-lines.ts';
import {firstLine, helmProblem, isHelmTemplate, type OnKeyTwice} from '../yaml.ts';
import {encodingOf} from '../yaml-file.ts';

/** Every document in it; empty ones are left out. Throws InputError with the place of the first mistake. */
export function documentsIn(bytes: Uint8Array, name: string, onKeyTwice?: OnKeyTwice): readonly Json[] {
  const text = textOf(bytes, name);
  // JSON documents may be parted as those of YAML are; no line within one begins so.
  const isJson = /^\s*[{[]/.test(text) && !/^---\s*$/m.test(text);
  const documents = isJson ? jsonIn(text, name) : yamlAsKubectl(text, name, onKeyTwice);
  if (!isJson) refuseAsKubectl(text, name);
  return documents.filter((value) => value !== null && value !== undefined);
}

/** V8 has no longer strings, and parsed YAML takes ten times its text. */
const jsonBytesMax = 500 * 1024 * 1024;
const yamlBytesMax = 100 * 1024 * 1024;

function textOf(bytes: Uint8Array, name: string): string {
  const bad = (problem: string): InputError => new InputError(`cannot read "${name}": ${problem}`);
  if (bytes.length > jsonBytesMax) throw bad(`expected at most 500 MiB, got ${mebibytes(bytes)} MiB`);
  try {
    return new TextDecoder(encodingOf(bytes), {fatal: true}).decode(bytes);
  } catch {
    throw bad('expected UTF-8, got bytes that are none');
  }
}

function jsonIn(text: string, name: string): readonly Json[] {
  const documents = parsedJson(text, name);
  if (isSound(documents, text.length)) return documents;
  throw new InputError(`cannot read "${name}": expected at most ${depthMax} levels, got more`);
}

function parsedJson(text: string, name: string): readonly Json[] {
  try {
    return [JSON.parse(text) as Json];
  } catch (error) {
    const documents = jsonDocuments(text);
    if (documents.length > 1) return documents.flatMap((one) => parsedJson(one, name));
    // V8's message quotes the file after the position.
    const position = /at position (\d+)/.exec((error as Error).message)?.[1];
    if (position === undefined) {
      throw new InputError(`cannot read "${name}": expected JSON, got a file that ends too early or is none`);
    }
    throw new InputError('expected JSON, got something else', {place: placeAt(text, Number(position), name)});
  }
}

function placeAt(text: string, position: number, name: string): string {
  const before = text.slice(0, position);
  const lineStart = before.lastIndexOf('\n') + 1;
  return `${name}:${before.split('\n').length}:${position - lineStart + 1}`;
}

const core = 'tag:yaml.org,2002:';

/** A plain scalar that a program in Go takes for one of these. */
function goTag<T extends 'boolean' | 'number'>(name: string, type: T, firstChars: string) {
  return defineScalarTag<unknown>(core + name, {
    implicit: true,
    implicitFirstChars: [...firstChars],
    resolve: (source) => {
      const value = goScalar(source);
      return typeof value === type ? value : NOT_RESOLVED;
    },
    identify: () => false,
  });
}

const numbers = [goTag('int', 'number', '-+0123456789'), goTag('float', 'number', '.')];
const schema = new Schema([
  strTag,
  seqTag,
  mapTag,
  nullYaml11Tag,
  mergeTag,
  goTag('bool', 'boolean', 'yYnNtTfFoO'),
  ...numbers,
]);

/** Again with what kubectl takes and YAML does not: quoted lines that are not indented, a key that stands twice. */
function yamlAsKubectl(text: string, name: string, onKeyTwice: OnKeyTwice = () => {}): readonly Json[] {
  try {
    return yamlIn(text, name, false);
  } catch (error) {
    if (!(error instanceof InputError) || error.place === '') throw error;
    if (isHelmTemplate(text)) throw new InputError(helmProblem, {place: error.place});
    const isTwice = error.message.includes('duplicated mapping key');
    const indented = withContinuedLinesIndented(text);
    if (!isTwice && indented === text) throw error;
    try {
      const documents = yamlIn(indented, name, true);
      if (isTwice) onKeyTwice(error.place);
      return documents;
    } catch {
      throw error;
    }
  }
}

function yamlIn(text: string, name: string, isLenient: boolean): readonly Json[] {
  if (text.length > yamlBytesMax) {
    const size = Math.round(text.length / 1024 / 1024);
    const advice = 'write it as JSON, which may have 500 MiB';
    throw new InputError(`cannot read "${name}": expected at most 100 MiB of YAML, got ${size} MiB: ${advice}`);
  }
  const items = listedItems(text);
  if (items === undefined) return parsedYaml(text, name, 0, isLenient);
  let line = 2;
  const values = items.flatMap((item) => {
    const [list] = parsedYaml(item, name, line, isLenient);
    line += item.split('\n').length;
    return isList(list) ? list : [];
  });
  return [{apiVersion: 'v1', kind: 'List', items: values}];
}

/**
 * kubectl prints the items of a List at the left margin, without aliases: parsed one by one they take half the memory.
 */
function listedItems(text: string): readonly string[] | undefined {
  const begin = 'apiVersion: v1\nitems:\n';
  const end = text.lastIndexOf('\nkind: List\n');
  if (!text.startsWith(`${begin}- `) || end < 0 || text.includes('\n---', begin.length)) return undefined;
  if (/(?:: |- )\*\w/.test(text)) return undefined;
  return text.slice(begin.length, end).split(/\n(?=- )/);
}

/** `linesBefore` are those of the file above the text. */
function parsedYaml(text: string, name: string, linesBefore: number, isLenient: boolean): readonly Json[] {
  try {
    const documents = loadAll(text, {schema, maxAliases: 1000, json: isLenient}) as readonly Json[];
    if (!isSound(documents, text.length)) {
      throw new YAMLException('expected a document as large as its text, got aliases that multiply it');
    }
    return documents;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const {mark} = error;
    const place = mark === undefined ? name : `${name}:${linesBefore + mark.line + 1}:${mark.column + 1}`;
    throw new InputError(`invalid YAML: ${firstLine(error.reason)}`, {place});
  }
}

/**
 * Without aliases there are never more values than characters. Deeper nesting than in any object of Kubernetes would overflow
 * the stack of a walk.
 */
function isSound(documents: readonly Json[], characters: number): boolean {
  let left = characters * 2;
  let level: readonly Json[] = documents;
  for (let depth = 0; level.length > 0; depth++) {
    const next: Json[] = [];
    for (const value of level) {
      const parts = isList(value) ? value : isObject(value) ? Object.values(value) : [];
      left -= parts.length;
      if (left < 0 || depth > depthMax) return false;
      for (const part of parts) if (typeof part === 'object' && part !== null) next.push(part);
    }
    level = next;
  }
  return true;
}

const depthMax = 100;

function mebibytes(bytes: Uint8Array): number {
  return Math.round(bytes.length / 1024 / 1024);
}
