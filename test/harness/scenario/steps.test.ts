import {describe, expect, test} from 'vitest';
import {entryText} from '../../../src/harness/control-plane/record/words.ts';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {manifestReader} from '../../../src/harness/input/manifests/read-manifests.ts';
import {parseYaml} from '../../../src/harness/input/yaml.ts';
import {verdictText} from '../../../src/harness/report/console.ts';
import {driveScenario} from '../../../src/harness/scenario/drive-scenario.ts';
import {parseScenario} from '../../../src/harness/scenario/parse-scenario.ts';
import type {RunResult} from '../../../src/harness/scenario/run-result.ts';

// What each kind of step does, told with the App of the story beside this file.

const file = new URL('./orphan/scenario.yaml', import.meta.url).pathname;

function tell(steps: string, crossplane: 'main' | '1.19' = 'main'): RunResult {
  const text = `
name: steps
fixtures: [../fixtures/crds.yaml, definition.yaml, composition.yaml]
functions: {function-static: {builtin: function-static}, function-echo: {builtin: passing}}
steps:
- apply: {apiVersion: example.org/v1, kind: App, metadata: {name: shop}, spec: {size: small}}
  wait: {for: {object: {kind: App, name: shop}, condition: {type: Ready}}, timeout: 2m}
${steps}`;
  const [cursor] = parseYaml(text, 'steps.yaml');
  if (cursor === undefined) throw new Error('the test wrote no scenario');
  const scenario = parseScenario(cursor, manifestReader(file));
  const [variant] = scenario.variants;
  if (variant === undefined) throw new Error('a scenario has a variant');
  return driveHere(driveScenario(scenario, {crossplane, variant}));
}

const lines = (result: RunResult): readonly string[] => result.timeline.map(entryText);
const buckets = ({objects}: RunResult) => objects.filter(({kind}) => kind === 'Bucket');

describe('a step', () => {
  test('patches an object by its resource name, and Crossplane puts it back', () => {
    const result = tell(`
- patch: {kind: Bucket, resource: a, body: {spec: {forProvider: {region: mars}}}}
  expect: [{object: {kind: Bucket, resource: a}, match: {spec: {forProvider: {region: mars}}}}]
- wait: 5s
  expect: [{object: {kind: Bucket, resource: a}, match: {spec: {forProvider: {region: here}}}}]`);
    expect(result.failures).toEqual([]);
  });

  test('deletes with a propagation policy', () => {
    const orphaned = tell('- delete: {kind: App, name: shop, propagationPolicy: Orphan}\n  wait: 10s');
    expect(buckets(orphaned)).toHaveLength(2);
    const gone = tell('- delete: {kind: App, name: shop}\n  wait: 60s');
    expect(buckets(gone)).toHaveLength(0);
  });

  test('that names nothing fails with its place', () => {
    const result = tell('- delete: {kind: App, name: other}');
    expect(result.failures).toMatchObject([{place: 'steps.yaml:8:3', message: 'cannot find App "other"'}]);
    expect(tell('- delete: {kind: App, name: other, ignoreNotFound: true}').failures).toEqual([]);
  });

  test('that fails ends its story, unless it may', () => {
    const failing = '- {name: first, delete: {kind: App, name: other}, wait: 1s, expect: [{orphans: 7}]}';
    const next = '- {name: next, patch: {kind: App, name: other, body: {}}}\nexpect: [{orphans: 7}]';
    const ended = tell(`${failing}\n${next}`);
    expect(ended.failures.map(({step}) => step)).toEqual(['first']);
    expect(ended.notRun).toEqual(['next']);
    expect(tell('- wait: 1s').notRun).toBeUndefined();
  });

  test('that may fail is no failure, and waits, but what it expects must hold', () => {
    const denied = (expected: string) =>
      tell(`- {delete: {kind: App, name: other}, mayFail: true, wait: 7s, expect: [${expected}]}\n- {wait: 1s}`);
    const passed = denied('{orphans: 0}');
    expect(passed.failures).toEqual([]);
    expect(passed.allowed).toMatchObject([{stepNumber: 2, message: 'cannot find App "other"'}]);
    expect(verdictText(passed, 400)).toContain('Step 2 failed, as it may: cannot find App "other"');
    const waitedMs = passed.lastedMs - tell('- wait: 1s').lastedMs;
    expect(waitedMs).toBe(7000);
    const failed = denied('{orphans: 7}');
    expect(failed.failures).toMatchObject([{stepNumber: 2, message: expect.stringContaining('orphans')}]);
    expect(failed.lastedMs).toBe(passed.lastedMs);
    expect(tell('- {wait: 1s, mayFail: true}').allowed).toBeUndefined();
  });

  test('that fails says what the control plane says of why', () => {
    const broken = `
- {name: x, fault: {function: function-echo, error: '${'the database is on fire. '.repeat(20)}END'}}
- {name: changed, patch: {kind: App, name: shop, body: {spec: {size: big}}}}
- {name: waits, wait: {for: {object: {kind: App, name: shop}, condition: {type: Synced, status: Unknown}}, timeout: 5s}}`;
    const [failure] = tell(broken).failures;
    expect(failure?.because).toEqual([
      expect.stringMatching(/^App "shop" is not synced: .*the database is on fire.*END/),
    ]);
  });

  test.each(['[App, Bucket]', '[Bucket, App]'])(
    'loses %s in one instant, so that the cloud keeps what it has',
    (kinds) => {
      const result = tell(`\n- wipe: {kinds: ${kinds}}\n  wait: 2m`);
      expect(result.externals).toMatchObject({creates: 2, alive: 2, deletes: 0});
      const lost = result.timeline.filter(({change}) => change.kind === 'gone');
      expect(lost).toHaveLength(3);
      expect(new Set(lost.map(({atMs, actor}) => `${atMs} ${actor}`)).size).toBe(1);
    },
  );

  test('that wipes what nobody named fails', () => {
    expect(tell('- wipe: {}').failures).toMatchObject([
      {message: 'cannot wipe: name the `kinds`, or take a backup in a step before this one'},
    ]);
  });

  test('restores from Git what a person wrote, and nothing else', () => {
    const result = tell(`
- backup: {tool: gitops, kinds: [App]}
- stop: crossplane
- wipe: {kinds: [App, Bucket]}
- restore: {}
- start: crossplane
  wait: 30s`);
    expect(result.failures).toEqual([]);
    expect(result.externals).toMatchObject({creates: 4, alive: 4});
  });

  test('restores etcd as it was: the same objects', () => {
    const result = tell(`
- {name: snapshot, backup: {tool: etcd}}
- delete: {kind: App, name: shop}
  wait: 1s
- restore: {}
  wait: 20s
  expect: [{untouched: {since: snapshot}}]`);
    expect(result.failures.map(({message}) => message)).toEqual([
      expect.stringContaining('to be untouched since "snapshot", but kube-controller-manager asked to delete it'),
    ]);
    expect(buckets(result)).toHaveLength(2);
  });

  test('a disaster before a step touches nothing since that step, even at the same instant', () => {
    const result = tell(`
- backup: {tool: etcd}
- stop: crossplane
- wipe: {}
- restore: {}
- {name: back, start: crossplane, wait: 20s, expect: [{untouched: {since: back}}]}`);
    expect(result.failures).toEqual([]);
  });

  test.each(['velero', 'gitops', 'kubectl', 'etcd'])('restores the older of two backups of %s by its name', (tool) => {
    const restored = (backup: string) => `
- {backup: {tool: ${tool}, name: monday}}
- {patch: {kind: App, name: shop, body: {spec: {size: big}}}, wait: 5s}
- {backup: {tool: ${tool}, name: tuesday}}
- stop: crossplane
- wipe: {kinds: [App]}
- restore: ${backup}
  expect: [{object: {kind: App, name: shop}, match: {spec: {size: SIZE}}}]`;
    expect(tell(restored('{backup: monday}').replace('SIZE', 'small')).failures).toEqual([]);
    expect(tell(restored('{backup: tuesday}').replace('SIZE', 'big')).failures).toEqual([]);
    expect(tell(restored('{}').replace('SIZE', 'big')).failures).toEqual([]);
    expect(tell(restored('{backup: monday}').replace('SIZE', 'big')).failures).toHaveLength(1);
  });

  test('cannot restore a backup that is taken later', () => {
    expect(tell('- restore: {backup: monday}\n- backup: {name: monday}').failures).toMatchObject([
      {message: 'cannot restore: no step before this one took the backup "monday"'},
    ]);
  });

  test('cannot restore what nobody backed up', () => {
    expect(tell('- restore: {}').failures).toMatchObject([
      {message: 'cannot restore: no step before this one took a backup'},
    ]);
  });

  test('upgrades Crossplane in place', () => {
    const steps = (version: string): string => `
- upgrade: {crossplane: ${version}}
- patch: {kind: Bucket, resource: b, body: {metadata: {ownerReferences: null}}}
- apply: composition-without-b.yaml
  wait: 120s`;
    // The version that runs at the moment of the change decides: main forgets what has no owner, 1.19 deletes it.
    expect(tell(`- stop: crossplane\n${steps('main')}`, '1.19').orphans).toHaveLength(1);
    expect(tell(`- stop: crossplane\n${steps('"1.19"')}`, 'main').orphans).toHaveLength(0);
  });

  test('makes a function fail, for as long as it says', () => {
    const result = tell(`
- fault: {function: function-static, error: out of memory}
- patch: {kind: App, name: shop, body: {spec: {size: large}}}
  wait: 10s
  expect: [{object: {kind: App, name: shop}, condition: {type: Synced, status: "False"}}]
- fault: end
  wait: 90s
  expect: [{object: {kind: App, name: shop}, condition: {type: Synced}}]`);
    expect(result.failures).toEqual([]);
    expect(lines(result).join('\n')).toContain('out of memory');
  });

  test('crashes a process where it says, and that is all it does', () => {
    const result = tell(`
- apply: {apiVersion: example.org/v1, kind: App, metadata: {name: second}, spec: {size: small}}
- fault: {crash: provider, at: post-create}
  wait: 10s
- start: provider
  wait: 90s`);
    expect(lines(result)).toContainEqual(expect.stringMatching(/provider died/));
  });

  test('restarts a process: nothing is lost but its memory', () => {
    const result = tell(`
- {name: before, restart: crossplane, wait: 10s}
- kill: provider
- {start: provider, wait: 10s, expect: [{untouched: {since: before}}]}`);
    expect(result.failures).toEqual([]);
    expect(lines(result).filter((line) => /(stopped|started|died)/.test(line))).toHaveLength(4);
  });

  test('gives up waiting, and says for what', () => {
    const result = tell('- wait: {for: {object: {kind: App, name: shop}, absent: true}, timeout: 5s}');
    expect(result.failures).toMatchObject([{message: 'expected no App "shop", got App/shop within 5.0 s'}]);
  });
});
