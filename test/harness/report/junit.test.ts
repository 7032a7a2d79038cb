import {describe, expect, test} from 'vitest';
import {junitReport} from '../../../src/harness/report/junit.ts';
import type {RunResult} from '../../../src/harness/scenario/run-result.ts';
import {exampleRun} from './example-run.ts';
import {elements, type MarkupNode, parseMarkup} from './html/markup.ts';

const story = exampleRun('main');
const broken: RunResult = {
  ...story,
  variant: 'broken',
  failures: [
    {place: 'a.yaml:1:2', step: 'wait', stepNumber: 2, message: 'expected <"x"> & got \u0000'},
    {place: 'a.yaml:3:4', step: 'wait', stepNumber: 2, message: 'expected more'},
    {place: 'a.yaml:5:6', step: 'at the end', message: 'expected 0 orphans, got 1'},
  ],
};
const root = parseMarkup(junitReport([story, broken]));
const suites = elements(root, ({tag}) => tag === 'testsuite');
const ofTag = (node: MarkupNode | undefined, wanted: string) =>
  node === undefined ? [] : elements(node, ({tag}) => tag === wanted);

/**
 * What both schemas in use allow, junit-10.xsd of Jenkins' xUnit plugin and JUnit.xsd of Windy Road: attributes that must
 * be there, and children in this order.
 */
const schema: {readonly [tag: string]: {readonly needs: readonly string[]; readonly holds: RegExp}} = {
  testsuites: {needs: [], holds: /^(testsuite )*$/},
  testsuite: {
    needs: ['id', 'name', 'package', 'timestamp', 'hostname', 'tests', 'failures', 'errors', 'time'],
    holds: /^properties (testcase )*system-out system-err $/,
  },
  properties: {needs: [], holds: /^(property )*$/},
  property: {needs: ['name', 'value'], holds: /^$/},
  testcase: {needs: ['classname', 'name', 'time'], holds: /^((skipped|error|failure) )?$/},
  failure: {needs: ['message', 'type'], holds: /^$/},
  'system-out': {needs: [], holds: /^$/},
  'system-err': {needs: [], holds: /^$/},
};

describe('JUnit XML', () => {
  test('has the elements and attributes of the schemas in use, and no others', () => {
    for (const {tag, attributes, children} of elements(root, ({tag}) => tag !== '')) {
      const rule = schema[tag];
      expect(rule, tag).toBeDefined();
      expect(Object.keys(attributes).sort()).toEqual([...(rule?.needs ?? [])].sort());
      expect(children.map((child) => `${child.tag} `).join('')).toMatch(rule?.holds ?? /never/);
    }
    for (const {attributes} of suites) {
      expect(attributes['timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
      for (const count of ['id', 'tests', 'failures', 'errors']) expect(attributes[count]).toMatch(/^\d+$/);
      expect(attributes['time']).toMatch(/^\d+\.\d{3}$/);
    }
  });

  test('has a suite per run, and a test case per step and one for the end', () => {
    expect(suites.map(({attributes}) => attributes['name'])).toEqual([
      'orphan on Crossplane main',
      'orphan on Crossplane main, broken',
    ]);
    const names = ofTag(suites[0], 'testcase').map(({attributes}) => attributes['name']);
    expect(names[0]).toBe('1. the app is ready');
    expect(names.at(-1)).toBe('at the end');
    expect(suites[0]?.attributes['tests']).toBe(String(names.length));
  });

  test('says what time it counts, and counts all of it', () => {
    const times = ofTag(suites[0], 'testcase').map(({attributes}) => Number(attributes['time']));
    expect(times.reduce((sum, time) => sum + time, 0)).toBeCloseTo(story.lastedMs / 1000);
    expect(ofTag(suites[0], 'property').map(({attributes}) => attributes['value'])).toContain(
      'seconds of virtual time',
    );
  });

  test('puts failures where they happened, one element each, with the sentence', () => {
    const [, wait] = ofTag(suites[1], 'testcase');
    expect(suites[1]?.attributes['failures']).toBe('2');
    const [failure] = ofTag(wait, 'failure');
    expect(failure?.attributes['message']).toBe('expected <"x"> & got \\u0000 (and 1 more)');
    expect(failure?.text).toBe('a.yaml:1:2: wait: expected <"x"> & got \\u0000\na.yaml:3:4: wait: expected more');
    expect(ofTag(suites[1], 'testcase').at(-1)?.text).toContain('expected 0 orphans, got 1');
    expect(ofTag(suites[0], 'failure')).toEqual([]);
  });
});
