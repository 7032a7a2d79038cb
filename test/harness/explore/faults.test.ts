import {describe, expect, it} from 'vitest';
import type {Run} from '../../../src/cluster/kernel/world.ts';
import {explore} from '../../../src/harness/explore/explore.ts';
import type {BudgetKind} from '../../../src/harness/explore/explore-action.ts';
import {replyKey} from '../../../src/harness/explore/faults.ts';
import {reportPath} from '../../../src/harness/explore/path-report.ts';
import {found, opened, pathWith} from './opened.ts';

const moves = ['--moves', 'in-order', '--budget', 'early=1'];

// Each fault, once: that it happens, and that it changes what follows.

function told(story: string, kind: BudgetKind, turns: readonly string[]): string {
  const {exploration} = opened(story, 'main', '--moves', 'in-order', '--budget', `${kind}=1`);
  return reportPath(exploration, pathWith(exploration, turns), undefined).lines.join('\n');
}

describe('a fault', () => {
  it('conflict: the write is refused and made again', () => {
    const lines = told('explore/s1-orphan', 'conflict', ['operator', 'conflict']);
    expect(lines).toMatch(/another writer was first \(conflict\): Crossplane, .*: update/);
    expect(lines).toContain('App/shop lists 2 composed resources');
  });

  it('function-error: the XR says so, and composes when it tries again', () => {
    const lines = told('explore/s1-orphan', 'function-error', ['operator', 'function-error']);
    expect(lines).toMatch(/Synced=False ReconcileError: .*code = Unavailable[\s\S]*lists 2 composed resources/);
  });

  it('function-timeout: two minutes go by for the XR alone', () => {
    const lines = told('explore/s1-orphan', 'function-timeout', ['operator', 'function-timeout']);
    expect(lines).toMatch(/120\.0 s {2}Crossplane: App\/shop Synced=False ReconcileError: .*DeadlineExceeded/);
    expect(lines).toMatch(/12\d\.\d s {2}Crossplane: App\/shop lists 2 composed resources/);
  });

  it('function-stale-response: what was wanted before is wanted once more', () => {
    const lines = told('explore/composition-edit', 'function-stale-response', [
      'operator',
      'operator',
      'function-stale-response',
    ]);
    expect(lines).toMatch(/the function answers what it answered last time/);
    const removal = lines.indexOf('b (Bucket) is being deleted');
    expect(removal).toBeGreaterThan(lines.indexOf('the function answers what'));
  });

  it('function-stale-response: what an XR of another kind and the same name was answered is not meant', () => {
    const run = (name: string): Run => ({kind: 'reconcile', controller: {name} as never, key: 'shop'});
    expect(replyKey(run('composite/apps.example.org'), 'a')).not.toBe(
      replyKey(run('composite/sites.example.org'), 'a'),
    );
  });

  it('webhook-down: the delete of a used object fails, of another it does not', () => {
    const used = told('explore/s0-lost-order', 'webhook-down', ['operator', 'operator', 'webhook-down']);
    expect(used).toMatch(/the Usage webhook does not answer: .*: delete/);
    expect(used).toMatch(/failed calling webhook/);
    expect(told('explore/composition-edit', 'webhook-down', ['operator', 'operator', 'webhook-down'])).not.toMatch(
      /webhook does not answer/,
    );
  });

  it('missed-event: an object that came and went was never there', () => {
    const {exploration} = opened('explore/come-and-gone', 'main', ...moves, '--budget', 'missed-event=1');
    const steps = (turns: readonly string[]) =>
      reportPath(exploration, pathWith(exploration, turns), undefined, true).lines.join('\n');
    const composes = 'Crossplane starts composite/apps.example.org shop';
    expect(steps(['operator', 'early'])).toContain(composes);
    const missed = steps(['operator', 'missed-event', 'early']);
    expect(missed).toContain('a watch breaks and lists again when all else is done: Crossplane');
    expect(missed).not.toContain(composes);
  });

  it('crash: the reconcile is begun anew', () => {
    const lines = told('explore/s1-orphan', 'crash', ['operator', 'crash']);
    expect(lines).toMatch(/Crossplane crashes and starts again[\s\S]*Crossplane started[\s\S]*lists 2 composed/);
  });

  it('provider-restart: a create without an end waits for a person', () => {
    const {failures} = found('explore/s1-orphan', 'main', '--budget', 'provider-restart=1', '--property', 'person');
    expect(failures[0]?.pending).toMatch(/\(Bucket\) waits for a person: its provider died while it created/);
    expect(failures[0]?.spendingSteps).toBe(2);
  });

  it.each([
    ['conflict', 'explore/composition-edit'],
    ['function-error', 'explore/composition-edit'],
    ['function-timeout', 'explore/composition-edit'],
    ['function-stale-response', 'explore/composition-edit'],
    ['webhook-down', 'explore/s0-lost-order'],
    ['missed-event', 'explore/composition-edit'],
    ['stale-cache', 'explore/composition-edit'],
    ['crash', 'explore/composition-edit'],
    ['provider-restart', 'explore/composition-edit'],
    ['reorder', 'explore/composition-edit'],
    ['choice', 'explore/composition-edit'],
    ['early', 'explore/composition-edit'],
  ] as const)('%s leads to states that no run without it sees', (kind, story) => {
    const flags = ['--moves', 'in-order', '--all', '--order', 'breadth', '--states'];
    const count = (...more: readonly string[]) => {
      const {args, exploration} = opened(story, 'main', ...flags, ...more);
      return explore(exploration, args, () => undefined).states;
    };
    const without = count('800');
    expect(without).toBeLessThan(800);
    expect(count(`${without + 1}`, '--budget', `${kind}=1`)).toBe(without + 1);
  });
});
