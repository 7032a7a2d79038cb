import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {jsonSchemas} from '../../package/json-schemas.ts';
import {committedSchema} from './json-schemas.ts';

// The published schemas are those that the forms make, are named for good, and explain every field.

interface Schema {
  readonly [word: string]: unknown;
}

describe.each(Object.entries(jsonSchemas()))('%s', (file, text) => {
  test('is the one that the generator makes', () => {
    expect(committedSchema(file)).toBe(text);
  });

  test('says where it is served, and ships with the package', () => {
    const home = 'https://raw.githubusercontent.com/crossplane-contrib/function-tether/main/docs/';
    expect(JSON.parse(text)).toMatchObject({$id: `${home}${file}`});
    const {files} = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(files).toContain(`docs/${file}`);
  });
});

// What metadata is, Kubernetes itself says.
test.each(['scenario.schema.json', 'input.schema.json', 'composition.schema.json'])(
  '%s explains every field that an author writes',
  (file) => {
    const unexplained = fieldsIn(JSON.parse(committedSchema(file)), '').filter(
      ([name, field]) => !name.endsWith('.metadata') && field['description'] === undefined,
    );
    expect(unexplained.map(([name]) => name)).toEqual([]);
  },
);

/** Every field at whatever depth, with its path. */
function fieldsIn(schema: Schema, path: string): readonly (readonly [string, Schema])[] {
  const fields = Object.entries(
    (schema['type'] === 'object' ? (schema['properties'] ?? {}) : {}) as {readonly [name: string]: Schema},
  );
  const parts = Object.entries(schema).filter(([word]) => word !== 'properties');
  const nested = parts.flatMap(([word, part]) =>
    typeof part === 'object' && part !== null ? fieldsIn(part as Schema, `${path}/${word}`) : [],
  );
  return [
    ...fields.flatMap(([name, field]) => [[`${path}.${name}`, field] as const, ...fieldsIn(field, `${path}.${name}`)]),
    ...nested,
  ];
}
