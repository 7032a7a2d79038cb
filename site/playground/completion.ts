// What may stand at a place of a YAML file, from its JSON Schema. The place is found by indentation, because a text that
// somebody types in is seldom whole; maps in braces are left to those who write them.

export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: {readonly [key: string]: Schema};
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
  readonly $defs?: {readonly [name: string]: Schema};
}

export interface Place {
  /** The keys from the top of the document; `0` stands for any item of a list. */
  readonly path: readonly string[];
  /** Whether a value is being typed; else a key. */
  readonly isValue: boolean;
  /** Where what is being typed begins. */
  readonly from: number;
}

export interface Suggestion {
  readonly label: string;
  readonly detail: string;
}

/** Undefined where nothing can be said: in a comment, in braces, in the middle of a value. */
export function placeAt(text: string, offset: number): Place | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const line = text.slice(start, offset);
  const match = /^(\s*(?:- +)*)(?:([\w./-]+): +)?([\w./-]*)$/.exec(line);
  if (match === null) return undefined;
  const [, lead = '', key, typed = ''] = match;
  const above = keysAbove(text.slice(0, start), lead.length, lead.includes('-'));
  const path = lead.includes('-') ? [...above, '0'] : above;
  const isValue = key !== undefined;
  return {path: isValue ? [...path, key] : path, isValue, from: offset - typed.length};
}

/** The keys that the line is below, from the outside in. */
function keysAbove(text: string, column: number, isItem: boolean): readonly string[] {
  const keys: string[] = [];
  // An item may stand below its list's key or right under it.
  let edge = isItem ? column - 2 : column;
  let mayBeLevel = isItem;
  for (const line of text.split('\n').reverse()) {
    if (/^---/.test(line)) break;
    const match = /^(\s*)((?:- +)*)([\w./-]+):/.exec(line);
    if (match === null) continue;
    const [, indent = '', dashes = '', key = ''] = match;
    const at = indent.length + dashes.length;
    if (at < edge || (mayBeLevel && at === edge && dashes === '')) {
      keys.unshift(key);
      if (dashes !== '') keys.unshift('0');
      edge = dashes === '' ? indent.length : indent.length;
      mayBeLevel = dashes !== '';
    } else if (dashes !== '' && at === edge && indent.length < edge) {
      // A sibling that opens the item this line is in.
      keys.unshift('0');
      edge = indent.length;
      mayBeLevel = true;
    }
    if (edge === 0 && !mayBeLevel) break;
  }
  return keys;
}

/** What the schema allows there. */
export function suggestions(schema: Schema, {path, isValue}: Place): readonly Suggestion[] {
  let here: readonly Schema[] = expand(schema, schema);
  for (const key of path) here = here.flatMap((one) => below(one, key)).flatMap((one) => expand(one, schema));
  const found = isValue ? here.flatMap(valuesOf) : here.flatMap(keysOf);
  return [...new Map(found.map((one) => [one.label, one])).values()];
}

function below(schema: Schema, key: string): readonly Schema[] {
  if (key === '0' && schema.items !== undefined) return [schema.items];
  const own = schema.properties?.[key];
  if (own !== undefined) return [own];
  return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
}

function keysOf({properties = {}}: Schema): readonly Suggestion[] {
  return Object.entries(properties).map(([label, {description = ''}]) => ({label, detail: description}));
}

function valuesOf(schema: Schema): readonly Suggestion[] {
  const words = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const all = schema.type === 'boolean' ? [true, false] : words;
  return all.map((word) => ({label: quoted(word), detail: schema.description ?? ''}));
}

/** A version such as "1.20" is a number without quotes. */
function quoted(word: unknown): string {
  return typeof word === 'string' && /^[\d.]+$/.test(word) ? `"${word}"` : String(word);
}

/** The schema and all that it refers to and chooses from. */
function expand(schema: Schema, root: Schema, depth = 0): readonly Schema[] {
  if (depth > 8) return [];
  const named = schema.$ref === undefined ? [] : [root.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? {}];
  const parts = [...named, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...parts.flatMap((one) => expand(one, root, depth + 1))];
}
