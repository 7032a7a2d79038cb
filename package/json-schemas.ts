// The published JSON Schemas, for editors, CI and tools: each is made of what reads or writes the very thing.

import {auditReport} from '../src/harness/audit/audit-form.ts';
import {builtins} from '../src/harness/functions/builtin.ts';
import type {AnyForm, JsonSchema, Shared} from '../src/harness/input/form.ts';
import {report} from '../src/harness/report/json.ts';
import {scenarioForm} from '../src/harness/scenario/scenario-form.ts';
import {inputSchema} from '../src/lifecycle/input/schema.ts';
import {compositionSchema} from './composition-schema.ts';
import {explanationSchema} from './explanation-schema.ts';
import {openApi} from './input-crd.ts';

/** Where they are served; the names stay. */
const home = 'https://raw.githubusercontent.com/crossplane-contrib/function-tether/main/docs/';
const docs = new URL('../docs/', import.meta.url);

/** The texts of the files in docs. */
export function jsonSchemas(): {readonly [file: string]: string} {
  const input = closed(openApi(inputSchema));
  return {
    'input.schema.json': published('input.schema.json', 'Input of function-tether', input),
    'composition.schema.json': published('composition.schema.json', 'Composition', compositionSchema(input)),
    'explanation.schema.json': published(
      'explanation.schema.json',
      'tether explain --output json',
      explanationSchema(),
    ),
    'scenario.schema.json': published('scenario.schema.json', 'Scenario of tether', schemaOf(scenario())),
    'audit-report.schema.json': published('audit-report.schema.json', 'tether audit --json', schemaOf(auditReport)),
    'test-report.schema.json': published('test-report.schema.json', 'tether test --json', schemaOf(report)),
  };
}

/**
 * The schemas of files that people write, in the form of SchemaStore's catalog. Editors take it as a catalog of their own,
 * and its entries are what SchemaStore asks for: https://github.com/SchemaStore/schemastore/blob/master/CONTRIBUTING.md.
 */
export function schemaCatalog(): string {
  const schemas = [
    {
      name: 'Crossplane Composition',
      description: 'A Composition of Crossplane, with the input of function-tether',
      fileMatch: ['composition.yaml', 'composition-*.yaml', '*.composition.yaml', '*-composition.yaml'],
      url: `${home}composition.schema.json`,
    },
    {
      name: 'tether scenario',
      description: 'A story about a Crossplane platform, for tether test, explore and rehearse',
      fileMatch: ['*.scenario.yaml', '*.scenario.yml'],
      url: `${home}scenario.schema.json`,
    },
  ];
  const catalog = {$schema: 'https://www.schemastore.org/schema-catalog.json', version: 1, schemas};
  return `${JSON.stringify(catalog, undefined, 2)}\n`;
}

export const schemaCatalogFile = 'schema-catalog.json';

export function jsonSchemaFile(name: string): URL {
  return new URL(name, docs);
}

function published(file: string, title: string, schema: JsonSchema): string {
  const head = {$schema: 'https://json-schema.org/draft/2020-12/schema', $id: home + file, title};
  return `${JSON.stringify({...head, ...schema}, undefined, 2)}\n`;
}

/** As `tether` knows it: function-tether is one of its functions. */
function scenario(): AnyForm {
  return scenarioForm({folder: '', objects: () => []}, [...Object.keys(builtins), 'function-tether']);
}

function schemaOf(form: AnyForm): JsonSchema {
  const shared: Shared = new Map();
  const schema = form.schema(shared);
  return {...schema, $defs: Object.fromEntries(shared)};
}

/** Unlike a CRD it refuses the fields that the function refuses: an object that says which fields it has takes no others. */
function closed(schema: unknown): JsonSchema {
  const {'x-kubernetes-preserve-unknown-fields': _preserved, properties, items, ...rest} = schema as JsonSchema;
  if (items !== undefined) return {...rest, items: closed(items)};
  if (properties === undefined) return rest;
  const parts = Object.entries(properties as JsonSchema).map(([name, part]) => [name, closed(part)]);
  return {...rest, additionalProperties: false, properties: Object.fromEntries(parts)};
}
