import {readFileSync} from 'node:fs';
import {Ajv2020} from 'ajv/dist/2020.js';
import {jsonSchemaFile} from '../../package/json-schemas.ts';

// The committed JSON Schemas, asked as an editor asks them.

// A rule such as `required` stands beside the fields it is about, and not with each of them.
const ajv = new Ajv2020({allErrors: true, strict: true, strictTypes: false, strictRequired: false});

export function committedSchema(file: string): string {
  return readFileSync(jsonSchemaFile(file), 'utf8');
}

/** Where a value does not fit, a sentence each. */
export function misfitsOf(file: string): (value: unknown) => readonly string[] {
  const validate = ajv.compile(JSON.parse(committedSchema(file)));
  return (value) => {
    validate(value);
    return (validate.errors ?? []).map(({instancePath, message, params}) => {
      const name = params['additionalProperty'] ?? '';
      return `${instancePath} ${message} ${name}`.trim();
    });
  };
}
