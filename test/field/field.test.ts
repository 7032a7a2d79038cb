import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {commands, readConfigurations} from './configurations.ts';
import {auditSentence, initSentence, lintSentence, rehearseSentence, testSentence} from './sentences.ts';
import {fieldTable} from './table.ts';

const all = readConfigurations();
const ran = (out: object | string, err = '', code = 0) => ({
  code,
  out: typeof out === 'string' ? out : JSON.stringify(out),
  err,
});

describe('the field table', () => {
  test('has 25 public configurations, each at a commit, with a sentence of every command', () => {
    expect(new Set(all.map(({name}) => name)).size).toBeGreaterThanOrEqual(25);
    for (const {name, commit, judged} of all) {
      expect(commit, name).toMatch(/^[0-9a-f]{40}$/);
      expect(Object.keys(judged), name).toEqual(commands);
      for (const {sentence, verdict} of Object.values(judged)) {
        expect(sentence, name).not.toBe('');
        expect(verdict, name).toMatch(/^(true|false: .+|not judged yet$)/);
      }
    }
  });

  test('is the page beside it', () => {
    const page = readFileSync(new URL('./table.md', import.meta.url), 'utf8');
    expect(fieldTable(all)).toBe(page);
  });
});

describe('a sentence', () => {
  test('of init has the edit, the removal, and each problem', () => {
    const out =
      'wrote /checkouts/x/tether/scenario.yaml\nedit: spec.a becomes 2\nremoved: b\nit does not come to rest: no\n';
    expect(initSentence(ran(out), '/checkouts/x')).toBe(
      'written; edit: spec.a becomes 2; removed: b; it does not come to rest: no',
    );
    expect(initSentence(ran('wrote a\nnext: tether test a --function f=PLACE'), '/checkouts/x')).toBe(
      'written, not tried: f cannot run',
    );
    expect(initSentence(ran('', 'note: this\nno Composition in "/checkouts/x"\n  a; b\n', 2), '/checkouts/x')).toBe(
      'refused: no Composition in "."',
    );
  });

  test('of a test has each version, without names that are drawn', () => {
    const externals = {creates: 2, deletes: 1};
    const failures = [{step: 'Crossplane is back', message: 'no object leads to db-x7k2p-0a1b2c3d4e5f'}];
    const runs = [
      {crossplane: '1.20', failures: [], externals},
      {crossplane: 'main', failures, externals},
      {crossplane: '2.3', failures: [], externals, hollow: ['nothing was composed']},
    ];
    expect(testSentence(ran({runs}, '', 3), '/checkouts/x')).toBe(
      '1.20 ok (2 creates, 1 deletes); main FAILED at "Crossplane is back": no object leads to db-*; 2.3 ok (2 creates, 1 deletes), but nothing was composed',
    );
  });

  test('of the others counts by class, and has what was unready before', () => {
    const findings = [{class: 'b'}, {class: 'a'}, {class: 'b'}];
    expect(auditSentence(ran({findings}), '/checkouts/x')).toBe('1 a, 2 b');
    expect(lintSentence(ran({findings: [], called: ['x']}), '/checkouts/x')).toBe('1 called: nothing found');
    const externals = {before: 3, after: 4};
    const stillUnready = [{kind: 'XNet', says: 'Synced=False'}];
    const kinds = findings.map((one) => ({kind: one.class}));
    expect(rehearseSentence(ran({findings: kinds, externals, stillUnready}), '/checkouts/x')).toBe(
      '1 a, 2 b; 3 in the cloud, then 4; 1 unready before, too: XNet Synced=False',
    );
    expect(auditSentence(ran('', 'cannot read', 2), '/checkouts/x')).toBe('refused (2): cannot read');
  });
});
