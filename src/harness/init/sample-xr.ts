// An XR for a definition without an example: what its schema requires, with the schema's own examples, defaults, enums and
// bounds. Patterns and rules may demand more, which cannot be guessed: the author sees the values in the scenario.

import {writtenScope} from '../../cluster/crossplane/xrd.ts';
import {versionsOf} from '../../cluster/defined-kinds.ts';
import {at, isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';

export function sampleXr(definition: KubeObject): KubeObject {
  const {spec} = definition;
  const versions = versionsOf(definition);
  const version =
    versions.find((one) => one['referenceable'] === true) ?? versions.find((one) => one['served'] === true) ?? {};
  const schema = at(version, ['schema', 'openAPIV3Schema', 'properties', 'spec']);
  const isNamespaced = writtenScope(definition) === 'Namespaced';
  const kind = String(at(spec, ['names', 'kind']));
  const made = isObject(schema) ? sample(schema) : {};
  return {
    apiVersion: `${String(spec?.['group'])}/${String(version['name'])}`,
    kind,
    metadata: isNamespaced ? {name: kind.toLowerCase(), namespace: 'default'} : {name: kind.toLowerCase()},
    spec: isObject(made) ? made : {},
  };
}

function sample(schema: JsonObject): Json {
  const known = schema['example'] ?? schema['default'] ?? (isList(schema['enum']) ? schema['enum'][0] : undefined);
  if (known !== undefined) return known;
  switch (schema['type']) {
    case 'object':
      return object(schema);
    case 'array': {
      const items = schema['items'];
      const count = Number(schema['minItems'] ?? 0);
      return isObject(items) ? Array.from({length: Math.min(count, 20)}, () => sample(items)) : [];
    }
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? 1);
    case 'boolean':
      return false;
    default:
      return 'sample'.padEnd(Number(schema['minLength'] ?? 0), 'x');
  }
}

function object(schema: JsonObject): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = isList(schema['required']) ? schema['required'].map(String) : [];
  // A default below an object that is not there is none: it has to be there.
  const wanted = Object.keys(properties).filter((key) => required.includes(key));
  return Object.fromEntries(
    wanted.map((key) => {
      const property = properties[key];
      return [key, isObject(property) ? sample(property) : null];
    }),
  );
}
