import {describe, expect, test} from 'vitest';
import type {ProfileName} from '../../../src/cluster/crossplane/profiles.ts';
import {entryText} from '../../../src/harness/control-plane/record/words.ts';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {closing, timelineText, verdictText} from '../../../src/harness/report/console.ts';
import {sideBySide} from '../../../src/harness/report/side-by-side.ts';
import {driveScenario} from '../../../src/harness/scenario/drive-scenario.ts';
import {readScenario} from '../../../src/harness/scenario/read-scenario.ts';
import type {RunResult} from '../../../src/harness/scenario/run-result.ts';

// A restored XR whose Composition dropped a resource meanwhile: an orphan on main, deleted on 1.19.

const scenario = readScenario(new URL('./orphan/scenario.yaml', import.meta.url).pathname);

function told(crossplane: ProfileName, seed = 1): RunResult {
  const [variant] = scenario.variants;
  if (variant === undefined) throw new Error('the scenario has no variant');
  return driveHere(driveScenario(scenario, {crossplane, variant, seed}));
}

describe('a story told on two versions', () => {
  const main = told('main');
  const old = told('1.19');

  test('comes true on both', () => {
    expect(main.failures).toEqual([]);
    expect(old.failures).toEqual([]);
  });

  test('leaves the orphan where Crossplane does', () => {
    expect(main.orphans.map(({resourceName}) => resourceName)).toEqual(['b']);
    expect(old.orphans).toEqual([]);
    expect(main.externals).toMatchObject({alive: 2, creates: 2, deletes: 0});
    expect(old.externals).toMatchObject({alive: 1, creates: 2, deletes: 1});
  });

  test('is the same story for the same seed', () => {
    expect(told('main').timeline.map(entryText)).toEqual(main.timeline.map(entryText));
  });

  test('comes to the same end whatever the order of a Go map', () => {
    for (let seed = 2; seed <= 10; seed++) expect(told('main', seed).failures).toEqual([]);
  });

  test('names in its timeline who did what, and in which reconcile', () => {
    const lines = timelineText(main).split('\n');
    expect(lines).toContainEqual(expect.stringMatching(/user: created App\/shop$/));
    expect(lines).toContainEqual(expect.stringMatching(/b \(Bucket\) is an orphan.*\(reconcile 1\)/));
    expect(lines).toContainEqual(expect.stringMatching(/a \(Bucket\) adopted by App\/shop \(reconcile 1\)/));
    expect(lines).toContainEqual(expect.stringMatching(/^7\. Crossplane comes back/));
  });

  test('stands beside the other one, step by step', () => {
    const text = sideBySide(main, old, 120);
    expect(text.split('\n').every((line) => line.length <= 120)).toBe(true);
    expect(text).toMatch(/is an orphan[^|]*\|/);
    expect(text).toMatch(/^1\. the app is ready \(\+0\.0 s\)$/m);
  });

  test('closes in plain words', () => {
    expect(closing(main)).toContain('1 orphan: b (Bucket)');
    expect(closing(main)).toContain('1 other composed resource stayed as it was');
    expect(closing(old)).toContain('b (Bucket) was released in reconcile 1, and is gone');
    expect(verdictText(main)).toContain('orphan: b (Bucket) Bucket/shop-');
  });
});

describe('what did not come true', () => {
  const wrong = (what: object): readonly string[] => {
    const expectation = {place: 'here', crossplane: [], what} as never;
    const variant = {name: '', without: [], expect: [expectation]};
    return driveHere(driveScenario(scenario, {crossplane: 'main', variant})).failures.map(({message}) => message);
  };
  const a = {kind: 'Bucket', resource: 'a'};
  const cases: readonly (readonly [string, object, string])[] = [
    ['a count', {kind: 'count', target: {kind: 'Bucket'}, range: {min: 5, max: 5}}, 'expected 5 Bucket objects, got 2'],
    ['orphans', {kind: 'orphans', range: {min: 0, max: 0}}, 'expected 0 orphans, got 1: b (Bucket)'],
    [
      'a field',
      {kind: 'match', target: a, match: {spec: {forProvider: {region: 'there'}}}},
      'composed resource "a" (Bucket): spec.forProvider.region expected "there", got "here"',
    ],
    ['an absence', {kind: 'absent', target: a}, 'expected no composed resource "a" (Bucket), got a (Bucket)'],
    [
      'a deletion',
      {kind: 'deleting', target: a},
      'expected composed resource "a" (Bucket) to be deleting, got it alive',
    ],
    [
      'a condition',
      {kind: 'condition', target: a, type: 'Ready', status: 'False'},
      'composed resource "a" (Bucket): expected Ready=False, got True Available',
    ],
    [
      'creates',
      {kind: 'externals', counter: 'creates', range: {min: 3, max: 9}},
      'expected 3 to 9 external resources (creates), got 2',
    ],
    ['a line of the timeline', {kind: 'timeline', texts: ['a flood']}, 'expected "a flood" in the timeline, got none'],
    [
      'the order of the timeline',
      {kind: 'timeline', texts: ['Crossplane started', 'Crossplane stopped']},
      'expected "Crossplane stopped" in the timeline after what came before it, got none',
    ],
    [
      'what never happens',
      {kind: 'never', text: 'is an orphan'},
      'expected never "is an orphan", got "Crossplane: b (Bucket)',
    ],
    [
      'what stays untouched',
      {kind: 'untouched', since: 'the cluster is lost', except: []},
      'to be untouched since "the cluster is lost", but disaster asked to delete it (and 1 more)',
    ],
    [
      'an untouched nothing',
      {kind: 'untouched', since: 'the backup is restored', except: []},
      'expected composed resources when "the backup is restored" began, got none',
    ],
  ];
  test.each(cases)('%s', (_name, what, sentence) => {
    expect(wrong(what).join('\n')).toContain(sentence);
  });
});
