import {describe, expect, it} from 'vitest';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import {parseInput} from '../../../src/lifecycle/input/parse.ts';
import {plan} from '../../../src/lifecycle/plan/plan.ts';
import type {JsonObject} from '../../../src/lifecycle/words/json.ts';
import {desired, emitted, type Given, observed, planOf, snapshot, table, usage, view, xrUid} from '../given.ts';

const sequencerHead = {apiVersion: 'sequencer.fn.crossplane.io/v1beta1', kind: 'Input'};
const protectionHead = {apiVersion: 'protection.fn.crossplane.io/v1beta1', kind: 'Input'};
const ready = {conditions: [{type: 'Ready', status: 'True'}]};

function parsed(json: JsonObject): Input {
  const result = parseInput(json);
  if (result.kind !== 'input') throw new Error(`${result.path}: expected ${result.expected}, got ${result.got}`);
  return result.input;
}

/** The Usages that a plan adds: `app uses db`, or `db`. */
function usages(given: Given): readonly string[] {
  const end = (value: unknown) => (value as {resourceRef: {name: string}} | undefined)?.resourceRef.name;
  return [...planOf(given).edits.values()].flatMap((edit) => {
    if (edit.kind !== 'put' || !`${edit.object['kind']}`.endsWith('Usage')) return [];
    const {of, by} = edit.object['spec'] as {of: unknown; by?: unknown};
    return [by === undefined ? `${end(of)}` : `${end(by)} uses ${end(of)}`];
  });
}

describe('inputs of function-sequencer', () => {
  const rules = [{sequence: ['db', 'app']}];
  const both = {observed: [observed('db', {status: ready}), observed('app')], desired: [desired('db'), desired('app')]};

  it('order creation', () => {
    const input = parsed({...sequencerHead, rules});
    expect(table({desired: both.desired, input})).toEqual({app: 'wait (creation-order)', db: 'create'});
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['nothing without enableDeletionSequencing', {rules}, []],
    ['deletion with it', {rules, enableDeletionSequencing: true}, ['net-app uses net-db']],
    [
      'not where createOnly',
      {rules: [{sequence: ['db', 'app'], createOnly: true}], enableDeletionSequencing: true},
      [],
    ],
    [
      'where deleteOnly',
      {rules: [{sequence: ['db', 'app'], deleteOnly: true}], enableDeletionSequencing: true},
      ['net-app uses net-db'],
    ],
    ['nothing where deleteOnly without it', {rules: [{sequence: ['db', 'app'], deleteOnly: true}]}, []],
    ['nothing for a sequence of one', {rules: [{sequence: ['db']}], enableDeletionSequencing: true}, []],
  ])('order %s', (_what, fields, want) => {
    expect(usages({...both, input: parsed({...sequencerHead, ...fields})})).toEqual(want);
  });

  it.each([
    ['db', ['net-app uses net-db']],
    ['^db', ['net-app uses net-db', 'net-app uses net-db-2']],
    ['b$', ['net-app uses net-db']],
    ['^db$', ['net-app uses net-db']],
    ['db.*', ['net-app uses net-db', 'net-app uses net-db-2']],
  ])('mean by the pattern %s what function-sequencer means', (pattern, want) => {
    const names = ['db', 'db-2', 'app'];
    const input = parsed({...sequencerHead, rules: [{sequence: [pattern, 'app']}], enableDeletionSequencing: true});
    const given = {observed: names.map((name) => observed(name)), desired: names.map((name) => desired(name)), input};
    expect([...usages(given)].sort()).toEqual(want);
  });

  // What function-sequencer c283338 itself answers to each: it was run on these, on its own 40 public requests and on
  // 3,000 generated ones.
  it.each<readonly [string, readonly string[]]>([
    ['^a$|^b$', ['a', 'b']],
    ['a|b', ['a', 'app', 'b', 'db', 'my-db']],
    ['(?i)db', ['DB', 'db']],
    ['(?i:db)', ['DB', 'db']],
    ['\\bdb\\b', ['db']],
    ['^\\bdb\\b', ['db', 'db-2', 'db$x']],
    ['[[:alnum:]]+', ['DB', 'a', 'app', 'b', 'db']],
    ['db.*?', ['db', 'db-2', 'db$x']],
    ['db\\$', ['db$x']],
    ['\\Qdb\\E', ['db']],
    ['$', ['DB', 'a', 'app', 'b', 'db', 'db-2', 'db$x', 'my-db']],
  ])('select by %s what its own code selects', (pattern, want) => {
    const names = ['db', 'db-2', 'DB', 'app', 'my-db', 'a', 'b', 'db$x'];
    const input = parsed({...sequencerHead, rules: [{sequence: ['nothing', pattern]}]});
    const waiting = Object.entries(table({desired: names.map((name) => desired(name)), input}));
    expect(waiting.filter(([, what]) => what === 'wait (nothing-selected)').map(([name]) => name)).toEqual(
      [...want].sort(),
    );
  });

  it.each(['(', 'a**', '[z-a]', '(?=a)', '\\1', 'a{1001}', 'a{2,1}', 'a)(b'])(
    'refuse %s, as its own code does',
    (pattern) => {
      const result = parseInput({...sequencerHead, rules: [{sequence: ['a', pattern]}]});
      expect(result).toMatchObject({kind: 'invalid-input', path: 'rules[0].sequence[1]'});
    },
  );

  it('delay what comes after a step that selects nothing desired', () => {
    const input = parsed({...sequencerHead, rules: [{sequence: ['db', 'app', 'web']}]});
    const given = {desired: [desired('app'), desired('web')], input};
    expect(table(given)).toEqual({app: 'wait (nothing-selected)', web: 'wait (creation-order)'});
    const leaving = {...given, observed: [observed('db')]};
    expect(table(leaving)).toMatchObject({app: 'wait (nothing-selected)'});
    const there = {...given, observed: [observed('app')]};
    expect(table(there)).toMatchObject({app: 'keep', web: 'wait (creation-order)'});
  });

  it('take what an earlier function calls ready for ready, observed or not', () => {
    const input = parsed({...sequencerHead, rules: [{sequence: ['db', 'app']}]});
    expect(table({desired: [desired('db', {ready: 'true'}), desired('app')], input})).toEqual({
      app: 'create',
      db: 'create',
    });
  });

  it.each([
    ['desired.resources["db"].ready == 1', 'wait (creation-order)'],
    ['desired.resources["db"].ready == 2', 'create'],
    ['desired.resources.db.ready == apiextensions.fn.proto.v1.Ready.READY_TRUE', 'wait (creation-order)'],
    ['desired.resources["net"].ready == 0', 'wait (creation-order)'],
    ['has(desired.composite.resource.spec)', 'create'],
    ['"env" in context', 'create'],
  ])('may ask %s', (condition, app) => {
    const input = parsed({...sequencerHead, rules: [{sequence: ['net', 'app'], condition}]});
    const states = [desired('db', {ready: 'true'}), desired('net'), desired('app')];
    expect(table({desired: states, input})['app']).toBe(app);
  });

  it('replay deletions only where they say so, whatever the README of function-sequencer says', () => {
    for (const replayDeletion of [undefined, true, false]) {
      const fields = replayDeletion === undefined ? {} : {replayDeletion};
      const result = planOf({
        ...both,
        input: parsed({...sequencerHead, rules, enableDeletionSequencing: true, ...fields}),
      });
      const [name = ''] = [...result.decisions.keys()].filter((key) => key.includes('uses'));
      expect(emitted(result, name)).toMatchObject({spec: {replayDeletion: replayDeletion ?? false}});
    }
  });

  it.each([
    ['v1', 'apiextensions.crossplane.io/v1alpha1'],
    ['v2', 'protection.crossplane.io/v1beta1'],
  ])('choose Usages of %s', (usageVersion, apiVersion) => {
    const result = planOf({
      ...both,
      input: parsed({...sequencerHead, rules, enableDeletionSequencing: true, usageVersion}),
    });
    const [name = ''] = [...result.decisions.keys()].filter((key) => key.includes('uses'));
    expect(emitted(result, name)).toMatchObject({apiVersion});
  });

  it('do not order creation where deleteOnly', () => {
    const input = parsed({
      ...sequencerHead,
      rules: [{sequence: ['db', 'app'], deleteOnly: true}],
      enableDeletionSequencing: true,
    });
    expect(table({desired: both.desired, input})).toEqual({app: 'create', db: 'create'});
  });

  it('may have metadata, as may those of function-deletion-protection', () => {
    expect(parseInput({...sequencerHead, metadata: {name: 'x'}})).toMatchObject({kind: 'input'});
    expect(parseInput({...protectionHead, metadata: {name: 'x'}})).toMatchObject({kind: 'input'});
  });

  it('say how long an answer holds', () => {
    expect(planOf({input: parsed({...sequencerHead, cacheTTL: '1m30s'})}).ttlSeconds).toBe(90);
  });

  it('never leave an XR ready while its resources wait, whether resetCompositeReadiness is set or not', () => {
    for (const resetCompositeReadiness of [true, false]) {
      const input = parsed({...sequencerHead, rules, resetCompositeReadiness});
      expect(planOf({desired: both.desired, input}).xrReady).toBe('false');
    }
  });

  it.each<[string, JsonObject, string]>([
    ['an unknown usageVersion, which function-sequencer takes for v2', {usageVersion: 'v3'}, 'usageVersion'],
    ['an unknown field', {rule: []}, 'rule'],
    ['a pattern that is none', {rules: [{sequence: ['(', 'b']}]}, 'rules[0].sequence[0]'],
    ['both only', {rules: [{sequence: ['a', 'b'], createOnly: true, deleteOnly: true}]}, 'rules[0]'],
  ])('are refused with %s', (_what, fields, path) => {
    expect(parseInput({...sequencerHead, ...fields})).toMatchObject({kind: 'invalid-input', path});
  });
});

describe('inputs of function-deletion-protection', () => {
  const label = 'protection.fn.crossplane.io/block-deletion';
  const blocked = (value: string) => observed('db', {labels: {[label]: value}});

  it.each([
    ['true', ['net', 'net-db']],
    ['TRUE', ['net', 'net-db']],
    ['True', ['net', 'net-db']],
    ['false', []],
    ['truely', []],
  ])('protect what carries the label with "%s", and the XR with it', (value, want) => {
    const given = {observed: [blocked(value)], desired: [desired('db')], input: parsed(protectionHead)};
    expect([...usages(given)].sort()).toEqual(want);
  });

  it('protect the XR where it carries the label itself', () => {
    const metadata = {name: 'net', uid: xrUid, labels: {[label]: 'true'}};
    const xr = view({apiVersion: 'platform.example.org/v1', kind: 'XNetwork', metadata});
    expect(usages({xr, input: parsed(protectionHead)})).toEqual(['net']);
  });

  it('keep protecting what the earlier steps drop', () => {
    expect(table({observed: [blocked('true')], input: parsed(protectionHead)})).toMatchObject({db: 'hold (protected)'});
  });

  it('use the Usages of Crossplane 1 in v1 mode, and refuse only what those cannot name', () => {
    const namespaced = observed('app', {labels: {[label]: 'true'}, namespace: 'team'});
    const given = {
      observed: [blocked('true'), namespaced],
      desired: [desired('db'), desired('app')],
      input: parsed({...protectionHead, enableV1Mode: true}),
    };
    expect(usages(given)).toContain('net-db');
    expect(planOf(given).refusedPairs).toMatchObject([{reason: 'legacy-namespaced', of: {name: 'net-app'}}]);
  });

  it('say how long an answer holds', () => {
    expect(planOf({input: parsed({...protectionHead, cacheTTL: '2m'})}).ttlSeconds).toBe(120);
  });
});

describe('Usages under an input of another function', () => {
  const ends = [observed('db'), observed('app')];
  const bothStay = [desired('db'), desired('app')];
  const sequenced = {...sequencerHead, enableDeletionSequencing: true, rules: [{sequence: ['db', 'app']}]};

  function namesOf(json: JsonObject, given: Given): readonly string[] {
    const result = parseInput(json);
    if (result.kind !== 'input') throw new Error('the input is bad');
    const made = plan(snapshot(given), result.input, result.naming);
    if (made.kind !== 'plan') throw new Error('the input does not fit');
    return [...made.edits].flatMap(([resourceName, edit]) => {
      const metadata = edit.kind === 'put' ? (edit.object['metadata'] as JsonObject) : {};
      return `${edit.kind === 'put' ? edit.object['kind'] : ''}`.endsWith('Usage')
        ? [`${resourceName}: ${metadata['name']}`]
        : [];
    });
  }

  it('have the names that function-sequencer gives them', () => {
    // printf thing-net-app-thing-net-db | sha256sum
    const name = 'thing-net-app-thing-net-db-5eaae9-dependency';
    expect(namesOf(sequenced, {observed: ends, desired: bothStay})).toEqual([`app-db-usage: ${name}`]);
  });

  it('have a name cut short as there, where theirs would be too long', () => {
    const long = [observed('db', {name: 'd'.repeat(60)}), observed('app', {name: 'a'.repeat(60)})];
    const [name = ''] = namesOf(sequenced, {observed: long, desired: bothStay});
    expect(name).toMatch(/^app-db-usage: thing-a{39}-[0-9a-f]{6}-dependency$/);
    expect(name.split(': ')[1]).toHaveLength(63);
  });

  it('have the names that function-deletion-protection gives them, and so has that of the XR', () => {
    const labels = {'protection.fn.crossplane.io/block-deletion': 'true'};
    const given = {observed: [observed('db', {labels})], desired: [desired('db')]};
    expect(namesOf(protectionHead, given)).toEqual([
      'db-usage: thing-net-db-63f075-fn-protection',
      'xr-net-usage: xnetwork-net-25b7ca-fn-protection',
    ]);
  });

  it('have ours where two of them would share theirs (function-sequencer#146)', () => {
    const rules = [{sequence: ['b-c', 'a']}, {sequence: ['c', 'a-b']}];
    const all = ['a', 'a-b', 'b-c', 'c'];
    const names = namesOf(
      {...sequenced, rules},
      {observed: all.map((name) => observed(name)), desired: all.map((name) => desired(name))},
    );
    expect(names).toHaveLength(2);
    expect(names.filter((name) => name.startsWith('a-b-c-usage: '))).toHaveLength(1);
    expect(names.filter((name) => name.includes('-uses-'))).toHaveLength(1);
  });

  it('have ours beside theirs while the other function is still in the pipeline', () => {
    const theirs = desired('app-db-usage');
    const names = namesOf(sequenced, {observed: ends, desired: [...bothStay, theirs]});
    expect(names).toEqual([expect.stringContaining('-uses-')]);
  });

  it.each([
    ['a colon', 'team:admin'],
    ['a dot where it is cut off', `${'a'.repeat(38)}.${'b'.repeat(20)}`],
  ])('have ours where theirs would be no name: an end has %s', (_, name) => {
    const named = [observed('db'), observed('app', {name})];
    const names = namesOf(sequenced, {observed: named, desired: bothStay});
    expect(names).toEqual([expect.stringContaining('-uses-')]);
  });

  it('have ours where something else has the resource name', () => {
    const names = namesOf(sequenced, {observed: [...ends, observed('app-db-usage')], desired: bothStay});
    expect(names).toEqual([expect.stringContaining('-uses-')]);
  });
});

describe('switching to function-tether leaves no moment without the Usage', () => {
  const ends = [observed('db'), observed('app')];
  const bothStay = [desired('db'), desired('app')];
  const input: Input = {usages: [{of: 'db', by: 'app'}]};
  const old = usage('app-db-usage', {of: 'db', by: 'app'});

  it('the old Usage stays until the new one is there, because composed GC comes before the apply', () => {
    const [name = ''] = [...planOf({observed: ends, desired: bothStay, input}).decisions.keys()].filter((key) =>
      key.includes('uses'),
    );
    const before = {observed: [...ends, old], desired: bothStay, input};
    expect(table(before)).toEqual({
      app: 'keep',
      'app-db-usage': 'hold (usage-arrives-first)',
      db: 'keep',
      [name]: 'create',
    });
    const after = {observed: [...ends, old, usage(name, {of: 'db', by: 'app'})], desired: bothStay, input};
    expect(table(after)).toEqual({app: 'keep', 'app-db-usage': 'release', db: 'keep', [name]: 'keep'});
  });

  it('so does a Usage that protects for a reason', () => {
    const protect: Input = {protect: {resources: [{match: {resources: ['db']}}], xr: 'Never'}};
    const given = {
      observed: [observed('db'), usage('db-usage', {of: 'db', reason: 'r'})],
      desired: [desired('db')],
      input: protect,
    };
    expect(table(given)).toMatchObject({'db-usage': 'hold (usage-arrives-first)'});
  });
});

describe('ttl', () => {
  it.each([
    ['30s', 30],
    ['1m30s', 90],
    ['1.5m', 90],
    ['1h', 3600],
    ['250ms', 1],
  ])('%s is %s seconds', (ttl, seconds) => {
    expect(planOf({input: {ttl}}).ttlSeconds).toBe(seconds);
  });

  it('is shorter while something is going on, and never longer than said', () => {
    const busy = {observed: [observed('db', {controller: 'nobody'})], desired: [desired('db')]};
    expect(planOf({...busy, input: {ttl: '1h'}})).toMatchObject({ttlSeconds: 3600, ttlAtMostSeconds: 10});
    expect(planOf({input: {ttl: '5s'}}).ttlAtMostSeconds).toBeUndefined();
  });
});
