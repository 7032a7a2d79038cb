import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parse, parseAllDocuments} from 'yaml';
import {inputExamples} from '../../package/input-examples.ts';
import {parseInput} from '../../src/lifecycle/input/parse.ts';
import type {Json} from '../../src/lifecycle/words/json.ts';
import {misfitsOf} from './json-schemas.ts';

// docs/input.schema.json is made of the schema that the function itself validates with; both are asked the same here.

const misfits = misfitsOf('input.schema.json');
const header = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input'};
const examples = new URL('../../examples/', import.meta.url).pathname;

/** Every input of function-tether in the YAML files of examples, at whatever depth. */
function inputsIn(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('apiVersion' in value && value.apiVersion === header.apiVersion) return [value];
  return Object.values(value).flatMap(inputsIn);
}

describe('the JSON Schema of the input', () => {
  test('fits every example of the page', () => {
    expect(misfits(parse(inputExamples.whole))).toEqual([]);
    for (const [name, text] of Object.entries(inputExamples.parts)) {
      expect([name, ...misfits({...header, ...parse(text)})]).toEqual([name]);
    }
  });

  test('fits every input in examples', () => {
    const files = readdirSync(examples, {recursive: true, encoding: 'utf8'}).filter((name) => name.endsWith('.yaml'));
    const inputs = files.flatMap((name) =>
      parseAllDocuments(readFileSync(join(examples, name), 'utf8')).flatMap((document) =>
        inputsIn(document.toJS()).map((input) => ({name, input})),
      ),
    );
    expect(inputs.length).toBeGreaterThan(10);
    for (const {name, input} of inputs) expect([name, ...misfits(input)]).toEqual([name]);
  });

  test.each<[string, object]>([
    ['a field nobody knows', {ordr: []}],
    ['a field nobody knows deep in it', {removal: {budget: {percents: 5}}}],
    ['a word nobody knows', {removal: {policies: [{policy: 'Perhaps'}]}}],
    ['a value of another type', {restore: {lookup: 'yes'}}],
    ['an empty list', {order: [{sequence: [{resources: []}]}]}],
    ['a version that is none', {crossplane: 'newest'}],
    ['another version of the input', {apiVersion: 'tether.fn.crossplane.io/v2'}],
  ])('refuses what the function refuses: %s', (_, part) => {
    const input = {...header, ...part};
    expect(misfits(input)).not.toEqual([]);
    expect(parseInput(input as Json).kind).not.toBe('input');
  });
});
