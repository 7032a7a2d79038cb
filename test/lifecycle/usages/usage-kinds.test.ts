import {describe, expect, it} from 'vitest';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import {parseInput} from '../../../src/lifecycle/input/parse.ts';
import type {Plan} from '../../../src/lifecycle/plan/plan.ts';
import {plan} from '../../../src/lifecycle/plan/plan.ts';
import type {ResourceView} from '../../../src/lifecycle/words/snapshot.ts';
import {desired, emitted, type Given, observed, snapshot, view, xrUid} from '../given.ts';

// Another API of Usages under the same pair: Crossplane is upgraded, or an end gets another scope. Under one resource name
// Crossplane would forget the old Usage, and nobody would ever delete it.

type Told = Given & {readonly parsed?: object};

function told(given: Told): Plan {
  const parsed = parseInput((given.parsed ?? {}) as never);
  if (parsed.kind !== 'input') throw new Error(`${parsed.path}: expected ${parsed.expected}, got ${parsed.got}`);
  const made = plan(snapshot(given), parsed.input, parsed.naming);
  if (made.kind !== 'plan') throw new Error(`${made.path}: expected ${made.expected}, got ${made.got}`);
  return made;
}

/** The Usages that a plan emits, as Crossplane observes them in the next reconcile. */
function applied(made: Plan): readonly [string, ResourceView][] {
  return [...made.edits].flatMap(([name, edit]): [string, ResourceView][] => {
    if (edit.kind !== 'put' || !`${edit.object['kind']}`.endsWith('Usage')) return [];
    const controller = {apiVersion: 'platform.example.org/v1', kind: 'XNetwork', name: 'net', uid: xrUid};
    const metadata = {...(edit.object['metadata'] as object), ownerReferences: [{...controller, controller: true}]};
    return [[name, view({...edit.object, metadata})]];
  });
}

/** What becomes of every Usage, reconcile by reconcile, until nothing changes. */
function story(given: Told, before: readonly [string, ResourceView][]): readonly string[] {
  const lines: string[] = [];
  let usages = before;
  for (let round = 0; round < 6; round += 1) {
    const made = told({...given, observed: [...(given.observed ?? []), ...usages]});
    const line = [...made.decisions]
      .filter(([name]) => given.observed?.every(([other]) => other !== name))
      .map(([name, {kind}]) => {
        const edit = made.edits.get(name);
        const body = edit?.kind === 'put' ? edit.object : usages.find(([other]) => other === name)?.[1].json();
        return `${kind} ${body?.['kind']} of ${`${body?.['apiVersion']}`.split('.')[0]}`;
      })
      .sort()
      .join(', ');
    if (line === lines.at(-1)) return lines;
    lines.push(line);
    const old = new Map(usages);
    // What is held says no more than what Crossplane owns of it, so the rest of it stays.
    usages = applied(made).map(([name, usage]) => [
      name,
      view({...usage.json(), ...old.get(name)?.json(), spec: usage.json()['spec'] ?? {}}),
    ]);
  }
  throw new Error(`no rest: ${lines.join('; ')}`);
}

const ends = [observed('db'), observed('app')];
const bothStay = [desired('db'), desired('app')];
const head = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input'};
const sequencer = {
  apiVersion: 'sequencer.fn.crossplane.io/v1beta1',
  kind: 'Input',
  enableDeletionSequencing: true,
  rules: [{sequence: ['db', 'app']}],
};
const protection = {apiVersion: 'protection.fn.crossplane.io/v1beta1', kind: 'Input'};
const blocked = {'protection.fn.crossplane.io/block-deletion': 'true'};

describe('when Crossplane is upgraded, the old Usage leaves once the new one is there', () => {
  const pair: Partial<Input> = {usages: [{of: 'db', by: 'app'}]};
  const guarded: Partial<Input> = {protect: {resources: [{match: {resources: ['db']}}], xr: 'Never'}};
  const inputs: readonly [string, object, object][] = [
    ['1.20 to 2.3', {...head, ...pair, crossplane: '1.20'}, {...head, ...pair, crossplane: '2.3'}],
    ['1.20 to current', {...head, ...pair, crossplane: '1.20'}, {...head, ...pair}],
    ['under the names of function-sequencer', {...sequencer, usageVersion: 'v1'}, sequencer],
    ['a protection', {...head, ...guarded, crossplane: '1.20'}, {...head, ...guarded}],
  ];

  it.each(inputs)('%s', (_what, from, to) => {
    const before = applied(told({observed: ends, desired: bothStay, parsed: from}));
    expect(before).toHaveLength(1);
    const lines = story({observed: ends, desired: bothStay, parsed: to}, before);
    expect(lines[0]).toBe('create ClusterUsage of protection, hold Usage of apiextensions');
    expect(lines).toContain('keep ClusterUsage of protection, release Usage of apiextensions');
    expect(lines.at(-1)).toBe('keep ClusterUsage of protection');
  });

  it('under the names of function-deletion-protection, those of the XR, too', () => {
    const given = {observed: [observed('db', {labels: blocked})], desired: [desired('db')]};
    const before = applied(told({...given, parsed: {...protection, enableV1Mode: true}}));
    expect(before).toHaveLength(2);
    const lines = story({...given, parsed: protection}, before);
    expect(lines.at(-1)).toBe('keep ClusterUsage of protection, keep ClusterUsage of protection');
    expect(lines.join()).not.toContain('refuse');
  });

  it('from 1.16 to 1.20 it is one and the same', () => {
    const from = told({observed: ends, desired: bothStay, parsed: {...head, ...pair, crossplane: '1.16'}});
    const lines = story(
      {observed: ends, desired: bothStay, parsed: {...head, ...pair, crossplane: '1.20'}},
      applied(from),
    );
    expect(lines).toEqual(['keep Usage of apiextensions']);
  });

  it('and back', () => {
    const from = told({observed: ends, desired: bothStay, parsed: {...head, ...pair}});
    const lines = story(
      {observed: ends, desired: bothStay, parsed: {...head, ...pair, crossplane: '1.20'}},
      applied(from),
    );
    expect(lines.at(-1)).toBe('keep Usage of apiextensions');
  });
});

describe('when an end gets another scope', () => {
  const namespaced = [observed('db', {namespace: 'team'}), observed('app', {namespace: 'team'})];

  it.each([
    ['ours', {...head, usages: [{of: 'db', by: 'app'}]}],
    ['those of function-sequencer', sequencer],
  ])('the old Usage leaves, and the new one is made, under names of %s', (_what, parsed) => {
    const before = applied(told({observed: ends, desired: bothStay, parsed}));
    // The objects of the old scope are gone.
    const required = Object.fromEntries(before.map(([name]) => [`by-of-${name}`, []]));
    const lines = story({observed: namespaced, desired: bothStay, parsed, required}, before);
    expect(lines.join()).not.toContain('refuse');
    expect(lines[0]).toMatch(/create Usage of protection/);
    expect(lines.at(-1)).toBe('keep Usage of protection');
  });
});

describe('switching an input, and back', () => {
  it('ends with one Usage each time, although the pair is the same', () => {
    const ours = {...head, usages: [{of: 'db', by: 'app'}]};
    const theirs = applied(told({observed: ends, desired: bothStay, parsed: sequencer}));
    const after = story({observed: ends, desired: bothStay, parsed: ours}, theirs);
    expect(after.at(-1)).toBe('keep ClusterUsage of protection');
    const back = story(
      {observed: ends, desired: bothStay, parsed: sequencer},
      applied(told({observed: ends, desired: bothStay, parsed: ours})),
    );
    expect(back.at(-1)).toBe('keep ClusterUsage of protection');
  });

  it('emits the Usage with both ends', () => {
    const made = told({observed: ends, desired: bothStay, parsed: sequencer});
    expect(emitted(made, 'app-db-usage')).toMatchObject({kind: 'ClusterUsage'});
  });
});
