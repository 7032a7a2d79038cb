import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {schemaRuleErrors} from '../../../src/cluster/api/schema-rules.ts';

// Schemas of a field (schemas.json), with the answer of k8s.io/apiextensions-apiserver v0.35.3 and etcd to a definition that has them.

interface Case {
  readonly schema: {readonly [keyword: string]: never};
  /** Each error without the place of the field. */
  readonly says: readonly string[];
}

const cases = JSON.parse(readFileSync(new URL('schemas.json', import.meta.url), 'utf8')) as {[name: string]: Case};
const field = 'spec.validation.openAPIV3Schema.properties[spec].properties[a]';

function errorsOf(schema: Case['schema']): readonly string[] {
  const open = {type: 'object', properties: {spec: {type: 'object', properties: {a: schema}}}};
  const errors = schemaRuleErrors([{name: 'v1', schema: {openAPIV3Schema: open}}]);
  return errors.map((error) => `${error.field}: ${error.message}`.replace(field, ''));
}

describe('a schema is refused as by the API server', () => {
  const isDecoded = ({says}: Case) => !says.some((one) => one.includes('cannot be handled as'));
  const [decoded, others] = [
    Object.entries(cases).filter(([, one]) => isDecoded(one)),
    Object.entries(cases).filter(([, one]) => !isDecoded(one)),
  ];

  test.each(decoded)('%s', (_, {schema, says}) => expect(errorsOf(schema)).toEqual(says));

  // There the whole definition does not decode; here the field is named.
  test.each(others)('%s', (_, {schema}) => {
    expect(errorsOf(schema)).toEqual([expect.stringMatching(/must be of type (string|array|number|boolean|object)$/)]);
  });

  // v0.35 shows the value, v0.34 its type, as the rules here do.
  test('a default against a rule', () => {
    const rule = {rule: "self != 'x'", message: 'no x'};
    const schema = {type: 'string', default: 'x', 'x-kubernetes-validations': [rule]} as unknown as Case['schema'];
    expect(errorsOf(schema)).toEqual(['.default: Invalid value: "string": no x']);
  });

  test('there are some of each', () =>
    expect([decoded.length, others.length].map((count) => count > 5)).toEqual([true, true]));
});
