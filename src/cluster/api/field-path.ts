// Turns a rule's fieldPath, `.spec.names['a.b']`, into the path that errors print; undefined if the schema has no such field.
// kubernetes/apiextensions-apiserver v0.34.4 pkg/apiserver/schema/cel/validation.go ValidFieldPath.

import type {Structural} from '../schema/structural.ts';

export function fieldAt(path: string, structural: Structural): string | undefined {
  let schema: Structural | undefined = structural;
  let field = '';
  const step = /\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/y;
  while (step.lastIndex < path.length) {
    const match = step.exec(path);
    if (match === null || schema === undefined) return undefined;
    const name: string = match[1] ?? (match[2] ?? '').replaceAll(/\\(['\\])/g, '$1');
    const {properties, additionalProperties}: Structural = schema;
    const isKey: boolean = properties.size === 0 && typeof additionalProperties === 'object';
    field = isKey ? `${field}[${name}]` : field === '' ? name : `${field}.${name}`;
    schema = isKey ? (additionalProperties as Structural) : properties.get(name);
    if (schema === undefined) return undefined;
  }
  return field;
}
