import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {placeAt, type Schema, suggestions} from '../../site/playground/completion.ts';
import {schemaAt} from '../../site/playground/schemas.ts';
import {restored, workspaceOf} from './stories.ts';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../docs/${name}.schema.json`, import.meta.url), 'utf8')) as Schema;
const known = {scenario: read('scenario'), input: read('input')};
const {files} = workspaceOf(restored).story;

/** What is suggested at the `|` of a text. */
function at(marked: string): readonly string[] {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const place = placeAt(text, offset);
  const found = place === undefined ? undefined : schemaAt({file: 'here.yaml', text, offset}, place, files, known);
  return found === undefined ? [] : suggestions(found.schema, found.place).map(({label}) => label);
}

const composition = `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
spec:
  pipeline:
    - step: templates
      functionRef:
        name: function-templates
      input:
        resources: []
    - step: tether
      functionRef:
        name: function-tether
      input:
        kind: Input
`;

describe('completion', () => {
  test('knows the fields of a scenario, of a step, and the words of a value', () => {
    expect(at('name: x\nsteps: []\n|')).toEqual(expect.arrayContaining(['fixtures', 'variants', 'explore']));
    expect(at('steps:\n  - name: one\n    |')).toEqual(expect.arrayContaining(['apply', 'wait', 'fault']));
    expect(at('steps:\n  - |')).toEqual(expect.arrayContaining(['apply', 'wait', 'fault']));
    expect(at('steps:\n  - name: one\n    by: |')).toEqual(expect.arrayContaining(['person', 'tenant']));
    expect(at('steps:\n- name: one\n  restart: |')).toEqual(['crossplane', 'owner-gc', 'provider']);
    expect(at('crossplane: |\nsteps:\n')).toContain('"1.20"');
  });

  test('knows the input of function-tether inside a Composition, and not that of another function', () => {
    expect(at(`${composition}        |`)).toEqual(expect.arrayContaining(['order', 'removal', 'externalNames']));
    expect(at(`${composition}        removal:\n          |`)).toEqual(expect.arrayContaining(['policies', 'budget']));
    expect(at(composition.replace('resources: []', '|'))).toEqual([]);
  });

  test("knows an XR by the story's own definition", () => {
    expect(at('apiVersion: platform.example.org/v1alpha1\nkind: XDatabase\n|')).toEqual(
      expect.arrayContaining(['metadata', 'spec']),
    );
  });

  test('says nothing in a comment and in braces', () => {
    expect(at('steps:\n  # |')).toEqual([]);
    expect(at('steps:\n  - {a|}')).toEqual([]);
  });
});
