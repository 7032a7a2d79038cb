import {readFileSync} from 'node:fs';
import {stringify} from 'yaml';
import {inputGroup, inputKind, inputSchema, inputVersion} from '../src/lifecycle/input/schema.ts';
import type {ObjectSchema, Schema} from '../src/lifecycle/input/validate.ts';

// The input is no resource of a cluster: the CRD only describes it, to package tools, editors and people.

export const crdFile = new URL('./input/tether.fn.crossplane.io_inputs.yaml', import.meta.url);

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
  return readFileSync(crdFile, 'utf8');
}

/** The schema as OpenAPI v3 says it, without what this cannot say. */
export function openApi(schema: Schema): unknown {
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
