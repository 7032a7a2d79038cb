import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import {exported} from '../../site/playground/export.ts';
import {type Intervention, intervene, type StoryMoment} from '../../site/playground/intervene.ts';
import {actionMs, tell} from '../../site/playground/tell.ts';
import {textsOf, type Workspace, withText} from '../../site/playground/workspace.ts';
import type {RunResult} from '../../src/harness/scenario/run-result.ts';
import {tether} from '../cli/tether.ts';
import {restored, stories, workspaceOf} from './stories.ts';

// What is exported is told by `tether test` as it was told in the playground, to the last count.

const folder = mkdtempSync(join(tmpdir(), 'tether-playground-'));
afterAll(() => rmSync(folder, {recursive: true, force: true}));

function put(workspace: Workspace, moment: StoryMoment, intervention: Intervention): Workspace {
  const path = workspace.story.scenario;
  const text = textsOf(workspace)[path] ?? '';
  return withText(workspace, path, intervene(text, moment, intervention, actionMs(workspace, moment.step)));
}

interface Reported {
  readonly runs: readonly Record<string, unknown>[];
}

function toldByCommand(text: string): {readonly status: number | null; readonly runs: Reported['runs']} {
  const [file, json] = [join(folder, 'exported.yaml'), join(folder, 'report.json')];
  writeFileSync(file, text);
  const {code, err} = tether(['test', file, '--json', json]);
  if (code !== 0 && code !== 3) throw new Error(err);
  return {status: code, runs: (JSON.parse(readFileSync(json, 'utf8')) as Reported).runs};
}

function countsOf(run: Record<string, unknown>): unknown {
  const {variant, orphans, stuck, externals, reconciles, functionCalls, lastedMs} = run as unknown as RunResult;
  const {alive, creates, deletes} = externals;
  const names = orphans.map(({resourceName}) => resourceName);
  return {
    variant,
    names,
    stuck: stuck.length,
    alive,
    creates,
    deletes,
    reconciles,
    functionCalls,
    lastedMs: Math.round(lastedMs),
  };
}

describe('a story that was exported', () => {
  const started = {step: 7, afterMs: 900};
  const cases: readonly (readonly [string, Workspace])[] = [
    ['as it was', workspaceOf(restored)],
    ['with a crash', put(workspaceOf(restored), started, {kind: 'crash'})],
    [
      'with a restart of the provider in the middle of a restore',
      put(workspaceOf(restored), {step: 6, afterMs: 5}, {kind: 'provider-restart'}),
    ],
    [
      'with a stale cache of one kind',
      put(workspaceOf(restored, '1.19'), started, {kind: 'stale-cache', of: 'Instance'}),
    ],
    [
      'with a hand edit',
      put(
        workspaceOf('usage-left-behind/scenario.yaml', '1.16'),
        {step: 2, afterMs: 20_000},
        {
          kind: 'edit',
          target: {kind: 'Cluster', resource: 'cluster'},
          patch: {metadata: {labels: {edited: 'by-hand'}}},
        },
      ),
    ],
    [
      'with an object deleted by hand',
      put(
        workspaceOf('usage-left-behind/scenario.yaml'),
        {step: 1, afterMs: 40_000},
        {
          kind: 'delete',
          target: {kind: 'XKubernetesCluster', name: 'checkout'},
        },
      ),
    ],
  ];

  test.each(cases)('%s comes to the same counts in `tether test`', (_, workspace) => {
    const runs = tell(workspace);
    const {status, runs: told} = toldByCommand(exported(workspace, runs));
    expect(told.map(countsOf)).toEqual(runs.map((run) => countsOf(run as unknown as Record<string, unknown>)));
    const isTrue = runs.every(({failures}) =>
      failures.every(({step}) => step === 'at the end' || step === 'the whole story'),
    );
    if (isTrue) expect(status).toBe(0);
  });

  test('expects what was counted: another count fails', () => {
    const workspace = workspaceOf(restored);
    const text = exported(workspace, tell(workspace)).replace('orphans: 1', 'orphans: 0');
    expect(toldByCommand(text).status).toBe(3);
  });
});

describe('the stories', () => {
  test('are there, and each is told in two ways', () => {
    expect(stories.length).toBeGreaterThan(20);
    for (const id of ['dead-watch/scenario.yaml', 'lost-external-name/scenario.yaml', 'xrd-after-crds/scenario.yaml']) {
      expect(tell(workspaceOf(id)).map(({variant}) => variant)).toEqual([
        expect.stringContaining('without'),
        expect.stringContaining('with'),
      ]);
    }
  });
});
