// The reference of the input for people: docs/reference/input.md, made of the one schema in src/lifecycle/input/schema.ts and of examples
// that a test gives to the function. Written by package/generate.ts.

import {readFileSync} from 'node:fs';
import {markdownHead, markdownRow} from '../src/command-line/tables.ts';
import {inputSchema} from '../src/lifecycle/input/schema.ts';
import type {ObjectSchema, Schema} from '../src/lifecycle/input/validate.ts';
import {inputExamples} from './input-examples.ts';

/** Where the page is committed. */
export const inputPageFile = new URL('../docs/reference/input.md', import.meta.url);

/** The page, the same bytes for the same schema. */
export function inputPage(): string {
  const shared = sharedObjects();
  const parts = Object.entries(inputSchema.properties).filter(([name]) => !header.includes(name));
  return [
    '<!-- Generated from src/lifecycle/input/schema.ts by package/generate.ts. Do not edit. -->',
    '# The input',
    '',
    inputSchema.description,
    '',
    ...yaml(
      `- step: tether\n  functionRef: {name: function-tether}\n  input:\n${indented(inputExamples.whole, '    ')}`,
    ),
    '',
    'Every field but `apiVersion` and `kind` is optional, and `metadata` is not read. An unknown field, or a value of another type, is a FATAL result with one sentence,',
    'and nothing is changed. Inputs of function-sequencer and function-deletion-protection are understood as they are.',
    '',
    'An editor with the YAML language server completes a Composition by [composition.schema.json](../composition.schema.json), with the',
    'comment `# yaml-language-server: $schema=ADDRESS` or, in VS Code:',
    '',
    '```json',
    '"yaml.schemas": {"https://raw.githubusercontent.com/crossplane-contrib/function-tether/main/docs/composition.schema.json": ["composition*.yaml"]}',
    '```',
    '',
    ...parts.flatMap(([name, schema]) => part(name, schema, shared)),
    ...[...shared].flatMap(([properties, title]) => sharedPart(title, properties, shared)),
  ].join('\n');
}

/** The page as it is committed. */
export function committedInputPage(): string {
  return readFileSync(inputPageFile, 'utf8');
}

type Properties = ObjectSchema['properties'];
type Shared = ReadonlyMap<Properties, string>;

const header: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/** Pages of docs/how-to with examples of a part; any other part has one beside its fields. */
const pages: {readonly [part: string]: string} = {
  externalNames: '[Keep external names](../how-to/keep-external-names.md)',
  give: '[Move to another XR](../how-to/move-to-another-xr.md)',
  take: '[Move to another XR](../how-to/move-to-another-xr.md)',
  handover: '[Move to another name or kind](../how-to/move-to-another-name-or-kind.md)',
  restore: '[Restore a backup](../how-to/restore-a-backup.md)',
  order: '[Order creation and deletion](../how-to/order-deletions.md)',
  protect: '[Remove resources safely](../how-to/remove-safely.md)',
  removal: '[Remove resources safely](../how-to/remove-safely.md)',
};

function part(name: string, schema: Schema, shared: Shared): string[] {
  const example = Object.hasOwn(inputExamples.parts, name) ? inputExamples.parts[name] : undefined;
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
  return [
    `## ${name}`,
    '',
    page === undefined ? schema.description : `${schema.description} Examples: ${page}.`,
    '',
    ...(page !== undefined || example === undefined ? [] : [...yaml(example), '']),
    ...tableBelow(name, schema, shared),
  ];
}

function sharedPart(title: string, properties: Properties, shared: Shared): string[] {
  const schema = definitionOf(properties);
  return [`## ${title}`, '', schema?.description ?? '', '', ...table(below('', schema, shared)), ''];
}

/** The fields in a part, without the part itself: its description stands above. */
function tableBelow(name: string, schema: Schema, shared: Shared): string[] {
  const [, ...lines] = rows(name, schema, false, shared);
  return lines.length === 0 ? [`\`${name}\` is a ${kindOf(schema, shared)}.`, ''] : [...table(lines), ''];
}

function table(lines: readonly string[]): string[] {
  return [...markdownHead(['field', '']), ...lines];
}

/** The row of a field and those of the fields in it. Objects that stand in several places have a part of their own. */
function rows(path: string, schema: Schema, required: boolean, shared: Shared): string[] {
  const isLinked = schema.type === 'object' && definitionOf(schema.properties)?.description === schema.description;
  const text = isLinked && shared.has(schema.properties) ? '' : cell(schema.description);
  const kind = `${kindOf(schema, shared)}${required ? ', required' : ''}`;
  const row = markdownRow([`\`${path}\``, text === '' ? kind : `${kind}. ${text}`]);
  const inner = schema.type === 'array' ? schema.items : schema;
  const innerPath = schema.type === 'array' ? `${path}[]` : path;
  if (inner.type === 'array') return [row, ...rows(innerPath, inner, false, shared)];
  return [row, ...below(innerPath, inner.type === 'object' ? inner : undefined, shared)];
}

function below(path: string, schema: ObjectSchema | undefined, shared: Shared): string[] {
  if (schema === undefined || (path !== '' && shared.has(schema.properties))) return [];
  return Object.entries(schema.properties).flatMap(([name, property]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return rows(at, property, schema.required?.includes(name) ?? false, shared);
  });
}

function kindOf(schema: Schema, shared: Shared): string {
  switch (schema.type) {
    case 'array':
      return `list of ${kindOf(schema.items, shared)}${(schema.minItems ?? 0) > 1 ? `, at least ${schema.minItems}` : ''}`;
    case 'object': {
      const title = shared.get(schema.properties);
      return title === undefined ? 'object' : `[${title}](#${title})`;
    }
    case 'integer':
      return schema.maximum === undefined ? 'integer' : `integer from ${schema.minimum ?? 0} to ${schema.maximum}`;
    case 'string':
      if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(' or ');
      if (schema.holdsRegex) return 'regular expression';
      return schema.pattern === undefined ? 'string' : `string like \`${schema.pattern.replaceAll('|', '\\|')}\``;
    default:
      return schema.type;
  }
}

/** Objects with these fields stand in several places of the schema. */
const titles: {readonly [fields: string]: string} = {
  'resources optional pattern kinds labels': 'selector',
  'apiVersion kind': 'kind',
  'apiVersion kind namespace name': 'xr',
  'name there apiVersion kind externalName': 'exchange',
};

function sharedObjects(): Shared {
  const found = new Map<Properties, string>();
  eachObject(inputSchema, ({properties}) => {
    const title = titles[Object.keys(properties).join(' ')];
    if (title !== undefined) found.set(properties, title);
  });
  return found;
}

/** The shared object as it is described where it is defined, which is the longest of its descriptions. */
function definitionOf(properties: Properties): ObjectSchema | undefined {
  let definition: ObjectSchema | undefined;
  eachObject(inputSchema, (schema) => {
    if (schema.properties !== properties) return;
    if (schema.description.length > (definition?.description.length ?? 0)) definition = schema;
  });
  return definition;
}

function eachObject(schema: Schema, visit: (schema: ObjectSchema) => void): void {
  if (schema.type === 'array') eachObject(schema.items, visit);
  if (schema.type !== 'object') return;
  visit(schema);
  for (const property of Object.values(schema.properties)) eachObject(property, visit);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function yaml(text: string): string[] {
  return ['```yaml', text.trimEnd(), '```'];
}

function indented(text: string, by: string): string {
  return text.trimEnd().replaceAll(/^(?=.)/gm, by);
}
