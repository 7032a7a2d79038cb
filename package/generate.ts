// Writes what is made of the one schema in src/lifecycle/input/schema.ts: the CRD of the input, its JSON Schema and its page in docs.
// `node package/generate.ts`
// The input is no resource of a cluster: the CRD only describes it, to package tools, editors and people.

import {readFileSync, writeFileSync} from 'node:fs';
import {stringify} from 'yaml';
import {inputGroup, inputKind, inputSchema, inputVersion} from '../src/lifecycle/input/schema.ts';
import type {ObjectSchema, Schema} from '../src/lifecycle/input/validate.ts';
import {inputPage, inputPageFile} from './input-page.ts';

const file = new URL('./input/tether.fn.crossplane.io_inputs.yaml', import.meta.url);

/** The CRD as YAML, the same bytes for the same schema. */
export function inputCrd(): string {
  const plural = `${inputKind.toLowerCase()}s`;
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.${inputGroup}`},
    spec: {
      group: inputGroup,
      names: {
        categories: ['crossplane'],
        kind: inputKind,
        listKind: `${inputKind}List`,
        plural,
        singular: inputKind.toLowerCase(),
      },
      scope: 'Namespaced',
      versions: [{name: inputVersion, schema: {openAPIV3Schema: openApi(inputSchema)}, served: true, storage: true}],
    },
  };
  const head = '# Generated from src/lifecycle/input/schema.ts by package/generate.ts. Do not edit.\n';
  return head + stringify(crd, {lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1'});
}

/** The committed CRD. */
export function committedCrd(): string {
  return readFileSync(file, 'utf8');
}

const jsonSchemaFile = new URL('../docs/input.schema.json', import.meta.url);

/** The input as a JSON Schema, for editors and CI: unlike a CRD it refuses the fields that the function refuses. */
export function inputJsonSchema(): string {
  const head = {$schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Input of function-tether'};
  return `${JSON.stringify({...head, ...(closed(openApi(inputSchema)) as object)}, undefined, 2)}\n`;
}

/** The committed JSON Schema. */
export function committedJsonSchema(): string {
  return readFileSync(jsonSchemaFile, 'utf8');
}

type Node = {readonly [word: string]: unknown};

/** An object that says which fields it has takes no others. */
function closed(schema: unknown): unknown {
  const {'x-kubernetes-preserve-unknown-fields': _preserved, properties, items, ...rest} = schema as Node;
  if (items !== undefined) return {...rest, items: closed(items)};
  if (properties === undefined) return rest;
  const parts = Object.entries(properties as Node).map(([name, part]) => [name, closed(part)]);
  return {...rest, additionalProperties: false, properties: Object.fromEntries(parts)};
}

function openApi(schema: Schema): unknown {
  switch (schema.type) {
    case 'object':
      return openApiObject(schema);
    case 'array':
      return {...schema, items: openApi(schema.items)};
    case 'string': {
      // That a string is itself a regular expression is more than OpenAPI v3 in a CRD can say.
      const {holdsRegex: _holdsRegex, ...rest} = schema;
      return rest;
    }
    default:
      return schema;
  }
}

function openApiObject({open, preserved, properties, ...rest}: ObjectSchema): unknown {
  if (preserved) {
    return {description: rest.description, type: 'object', 'x-kubernetes-preserve-unknown-fields': true};
  }
  // Kubernetes knows metadata itself: of a CRD that says more than this, even a description, an API server says
  // that it "must not specify anything other than name and generateName".
  if (open) return {type: 'object'};
  const converted = Object.entries(properties).map(([key, property]) => [key, openApi(property)]);
  return {...rest, properties: Object.fromEntries(converted)};
}

if (import.meta.main) {
  writeFileSync(file, inputCrd());
  writeFileSync(jsonSchemaFile, inputJsonSchema());
  writeFileSync(inputPageFile, inputPage());
}
