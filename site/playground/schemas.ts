// Which schema holds at a place of a file: the scenario's, that of function-tether's input inside a Composition, and for
// other objects what the story's own definitions say.

import {isList, isObject, type Json, type JsonObject} from '../../src/cluster/json.ts';
import {parseYaml} from '../../src/harness/input/yaml.ts';
import type {Place, Schema} from './completion.ts';
import type {Texts} from './workspace.ts';

export interface KnownSchemas {
  readonly scenario: Schema;
  readonly input: Schema;
}

/** The schema, and the place in it. */
export function schemaAt(
  {file, text, offset}: {readonly file: string; readonly text: string; readonly offset: number},
  place: Place,
  texts: Texts,
  known: KnownSchemas,
): {readonly schema: Schema; readonly place: Place} | undefined {
  if (/^steps:/m.test(text)) return {schema: known.scenario, place};
  const {kind} = documentAround(text, offset);
  if (kind === 'Composition') {
    const input = place.path.indexOf('input');
    const isOurs =
      input >= 0 && place.path.slice(0, input).join('.') === 'spec.pipeline.0' && isTetherStep(text, offset);
    return isOurs ? {schema: known.input, place: {...place, path: place.path.slice(input + 1)}} : undefined;
  }
  const schema = kind === undefined ? undefined : definedSchema(kind, {...texts, [file]: ''});
  return schema === undefined ? undefined : {schema, place};
}

/** The kind of the document that the offset is in. */
function documentAround(text: string, offset: number): {readonly kind: string | undefined} {
  const begin = Math.max(0, text.lastIndexOf('\n---', offset) + 1);
  const end = text.indexOf('\n---', offset);
  return {kind: /^kind: *(\w+)/m.exec(text.slice(begin, end < 0 ? undefined : end))?.[1]};
}

/** The nearest functionRef above belongs to the same step of the pipeline. */
function isTetherStep(text: string, offset: number): boolean {
  const above = text.slice(0, offset);
  const step = above.slice(Math.max(0, above.lastIndexOf('- step:')));
  return step.includes('function-tether') || step.includes('tether.fn.crossplane.io');
}

function definedSchema(kind: string, texts: Texts): Schema | undefined {
  for (const [path, text] of Object.entries(texts)) {
    for (const {value} of documentsOf(text, path)) {
      const spec = isObject(value) && /Definition$/.test(String(value['kind'])) ? value['spec'] : undefined;
      const names = [field(spec, 'names'), field(spec, 'claimNames')].map((one) => field(one, 'kind'));
      const versions = field(spec, 'versions');
      if (!names.includes(kind) || !isList(versions)) continue;
      const open = field(field(versions[0] ?? null, 'schema'), 'openAPIV3Schema');
      if (isObject(open)) return withMetadata(open as JsonObject as Schema);
    }
  }
  return undefined;
}

function documentsOf(text: string, path: string) {
  try {
    return parseYaml(text, path);
  } catch {
    return [];
  }
}

function field(value: Json | undefined, key: string): Json | undefined {
  return isObject(value ?? null) ? (value as JsonObject)[key] : undefined;
}

/** Definitions do not say what every object has. */
function withMetadata(schema: Schema): Schema {
  const text = (description: string): Schema => ({type: 'string', description});
  const metadata: Schema = {
    type: 'object',
    properties: {
      name: text('The name of the object.'),
      namespace: text('The namespace it is in.'),
      labels: {type: 'object', additionalProperties: {type: 'string'}},
      annotations: {type: 'object', additionalProperties: {type: 'string'}},
    },
  };
  const common = {apiVersion: text('The version of its kind.'), kind: text('Its kind.'), metadata};
  return {...schema, properties: {...common, ...schema.properties}};
}
