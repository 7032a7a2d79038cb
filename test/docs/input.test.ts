import {describe, expect, test} from 'vitest';
import {parse} from 'yaml';
import {inputExamples} from '../../package/input-examples.ts';
import {committedInputPage, inputPage} from '../../package/input-page.ts';
import {parseInput} from '../../src/lifecycle/input/parse.ts';
import {inputSchema} from '../../src/lifecycle/input/schema.ts';
import type {Schema} from '../../src/lifecycle/input/validate.ts';
import type {Json} from '../../src/lifecycle/words/json.ts';

// The page on the input says what the schema says, and its examples are inputs.

const header = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input'};

test('docs/reference/input.md is what the schema says: run `node package/generate.ts` after a change', () => {
  expect(committedInputPage()).toBe(inputPage());
});

test('the first example is a whole input', () => {
  expect(parseInput(parse(inputExamples.whole) as Json)).toMatchObject({kind: 'input', input: header});
});

describe('every part of the input has an example, which is an input', () => {
  const parts = Object.keys(inputSchema.properties).filter(
    (name) => !['apiVersion', 'kind', 'metadata'].includes(name),
  );
  test.each(parts)('%s', (name) => {
    const example = parse(inputExamples.parts[name] ?? '') as {[key: string]: Json};
    expect(Object.keys(example ?? {})).toEqual([name]);
    expect(parseInput({...header, ...example})).toMatchObject({kind: 'input'});
  });
});

test('every field stands in the page with its description', () => {
  const page = inputPage();
  const visit = (schema: Schema): void => {
    expect(page).toContain(schema.description.replaceAll('|', '\\|'));
    if (schema.type === 'array' && schema.items.type === 'object') visitFields(schema.items.properties);
    if (schema.type === 'object') visitFields(schema.properties);
  };
  const visitFields = (properties: {readonly [key: string]: Schema}): void => {
    for (const [key, property] of Object.entries(properties)) {
      expect(page).toMatch(new RegExp(`^## ${key}$|\`([^\`]*\\.)?${key}\``, 'm'));
      if (!['apiVersion', 'kind', 'metadata'].includes(key)) visit(property);
    }
  };
  visitFields(inputSchema.properties);
});
