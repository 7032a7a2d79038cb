import {describe, expect, it} from 'vitest';
import type {ProfileName} from '../../../src/cluster/crossplane/profiles.ts';
import {passed} from '../../../src/explore/result.ts';
import {found as foundIn} from './opened.ts';

// The explorer is told a fixture and a property and finds the known bugs on the versions that have them, and not on the
// others, where it sees everything within the same bounds.

function found(story: string, crossplane: ProfileName, ...flags: readonly string[]) {
  const {explored, failures} = foundIn(`explore/${story}`, crossplane, ...flags);
  const [failure] = failures;
  return {explored, failure, spendingSteps: failure?.spendingSteps, why: failure?.pending};
}

describe('S0: a Usage dropped by a Composition edit', () => {
  it('stays for ever on 1.16', () => {
    const {spendingSteps, why} = found('s0-usage-stays', '1.16', '--property', 'deletion');
    expect(spendingSteps).toBe(2);
    expect(why).toBe('a-by-b (Usage) is being deleted for ever');
  });

  it.each(['1.19', 'main'] as const)('goes on %s', (crossplane) => {
    const {explored} = found('s0-usage-stays', crossplane, '--property', 'deletion');
    expect(passed(explored)).toBe(true);
  });
});

describe('S1: a restore without owner references', () => {
  it.each(['1.16', 'main'] as const)('leaves an orphan on %s', (crossplane) => {
    const {spendingSteps, why} = found('s1-orphan', crossplane, '--property', 'orphan', '--moves', 'in-order');
    expect(spendingSteps).toBeLessThanOrEqual(8);
    expect(why).toBe('b (Bucket) is an orphan: no object owns it, no XR lists it');
  });

  it.each(['1.19', '1.20', '2.3'] as const)('leaves none on %s', (crossplane) => {
    const {explored} = found('s1-orphan', crossplane, '--property', 'orphan', '--moves', 'in-order');
    expect(passed(explored)).toBe(true);
  });
});

describe('S2: an XR that comes a minute after its definition', () => {
  it('is never seen on 1.19', () => {
    const {spendingSteps, why} = found('s2-late-app', '1.19', '--property', 'syncs');
    expect(spendingSteps).toBe(2);
    expect(why).toBe('App "shop" was never reconciled');
  });

  it.each(['1.16', '1.20', 'main'] as const)('is composed on %s', (crossplane) => {
    const {explored} = found('s2-late-app', crossplane, '--property', 'syncs');
    expect(passed(explored)).toBe(true);
  });
});

describe('S3: an asynchronous provider that may not late-initialize', () => {
  it.each(['1.16', 'main'] as const)('creates a second external resource after a restart on %s', (crossplane) => {
    const {failure, spendingSteps} = found('s3-twice', crossplane, '--property', 'two');
    expect(failure?.report.name).toBe('never two external resources for one');
    expect(spendingSteps).toBe(2);
  });
});

describe('S4: a definition that is deleted', () => {
  it('kills Crossplane 1.19 where the composed kind went first', () => {
    const {failure} = found('s4-definition-stays', '1.19', '--property', 'process', '--moves', 'in-order');
    expect(failure?.report.name).toBe('no process dies by itself');
    expect(failure?.spendingSteps).toBe(3);
  });

  it('is never gone on main where XRs are namespaced', () => {
    const {spendingSteps, why} = found('s4-namespaced', 'main', '--property', 'deletion');
    expect(spendingSteps).toBe(2);
    expect(why).toBe('CompositeResourceDefinition/apps.example.org is being deleted for ever');
  });
});
