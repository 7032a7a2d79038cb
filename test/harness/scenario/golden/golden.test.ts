import {describe, expect, test} from 'vitest';
import {emptyFolder} from '../../../cli/folder.ts';
import {tether} from '../../../cli/tether.ts';

const folder = emptyFolder();

function scenario(of: string, value: string): string {
  return `
name: config
steps:
  - name: somebody writes a ConfigMap
    apply: {apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: default}, data: {mode: "${value}"}}
    expect:
      - golden: {file: "golden/{crossplane}/${of}.txt", of: ${of}}
`;
}

function run(text: string, ...flags: readonly string[]) {
  return tether(['test', folder.write('scenario.yaml', text), ...flags], folder.path);
}

describe('a golden expectation', () => {
  test('fails where the file is not there, writes it with --update, and holds from then on', () => {
    const missing = run(scenario('objects', 'one'));
    expect(missing).toMatchObject({
      code: 3,
      out: expect.stringContaining('expected golden file "golden/main/objects.txt", got none'),
    });
    const written = run(scenario('objects', 'one'), '--update');
    expect(written).toMatchObject({code: 0, err: 'wrote golden file "golden/main/objects.txt"\n'});
    expect(folder.read('golden/main/objects.txt')).toContain('data:\n  mode: one\nkind: ConfigMap\n');
    expect(run(scenario('objects', 'one')).code).toBe(0);
  });

  test('says which line differs', () => {
    run(scenario('objects', 'one'), '--update');
    const {code, out} = run(scenario('objects', 'two'));
    expect(code).toBe(3);
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(
      /line \d+: expected " mode: one", got " mode: two"; --update accepts what was got/,
    );
  });

  test('holds what only the API server knows back, and leaves out what is only the stage', () => {
    run(scenario('objects', 'one'), '--update');
    expect(folder.read('golden/main/objects.txt')).not.toMatch(
      /uid|resourceVersion|FunctionRevision|CustomResourceDefinition/,
    );
  });

  test('of a timeline tells the steps and what happened in them, from the first on', () => {
    expect(run(scenario('timeline', 'one'), '--update').code).toBe(0);
    expect(folder.read('golden/main/timeline.txt')).toMatch(
      /^1\. somebody writes a ConfigMap .*\n.*created ConfigMap\/settings\n$/,
    );
  });

  test('is refused where it asks for something else', () => {
    expect(run(scenario('events', 'one'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('must be one of timeline, objects, got "events"'),
    });
  });
});
