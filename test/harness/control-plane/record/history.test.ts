import {describe, expect, test} from 'vitest';
import type {TraceEntry} from '../../../../src/cluster/kernel/world.ts';
import {recordHistory} from '../../../../src/harness/control-plane/record/history.ts';
import {driveHere} from '../../../../src/harness/functions/drive.ts';
import {driveScenario} from '../../../../src/harness/scenario/drive-scenario.ts';
import {readScenario} from '../../../../src/harness/scenario/read-scenario.ts';
import type {Scenario, Step} from '../../../../src/harness/scenario/scenario.ts';
import {exampleRun} from '../../report/example-run.ts';

const create = {op: 'create', type: 'Key', owner: 'key', fields: {}};

function cloudAnswer(reply: object): TraceEntry {
  return {kind: 'cloud', actor: 'provider', phase: 'answer', request: create, reply};
}

describe('the history of a run', () => {
  test('puts a create into the step in which the cloud carried it out, not into that of the answer', () => {
    const recorder = recordHistory([]);
    recorder.step(1000);
    recorder.step(2000);
    recorder.observe({atMs: 2500, entry: cloudAnswer({code: 201, committedAtMs: 1500, committedId: 'ext-1'})});
    const {cloud} = recorder.history(1000, [], []);
    expect(cloud).toEqual([{step: 0, atMs: 500, what: 'create', type: 'Key', id: 'ext-1', owner: 'key'}]);
  });

  test('knows of a create that the cloud never answered from what is alive', () => {
    const recorder = recordHistory([]);
    recorder.step(1000);
    const alive = {id: 'ext-1', type: 'Key', owner: 'key', fields: {}, createdAtMs: 1200, visibleAtMs: 1200};
    expect(recorder.history(1000, [], [alive]).cloud).toMatchObject([{step: 0, atMs: 200, what: 'create'}]);
    expect(recorder.history(1000, [], [{...alive, createdAtMs: 10}]).cloud).toMatchObject([{step: -1, atMs: -990}]);
  });

  test('remembers what the cloud made before the first step, until it deletes it', () => {
    const recorder = recordHistory([]);
    recorder.observe({atMs: 500, entry: cloudAnswer({code: 201, committedAtMs: 500, committedId: 'ext-1'})});
    recorder.step(1000);
    const request = {op: 'delete', type: 'Key', id: 'ext-1'};
    recorder.observe({atMs: 1500, entry: {kind: 'cloud', actor: 'p', phase: 'answer', request, reply: {code: 200}}});
    expect(recorder.history(1000, [], []).cloud).toMatchObject([
      {what: 'create', step: -1, atMs: -500},
      {what: 'delete', step: 0, atMs: 500, owner: 'key'},
    ]);
  });

  test('knows whose the external resource was that fixtures brought, when a step deletes it', () => {
    const orphan = readScenario(new URL('../../scenario/orphan/scenario.yaml', import.meta.url).pathname);
    const [variant = expect.fail('expected a variant')] = orphan.variants;
    const shop = {apiVersion: 'example.org/v1', kind: 'App', metadata: {name: 'shop'}, spec: {size: 'small'}};
    const target = {kind: 'App', name: 'shop'};
    const step: Step = {
      name: 'the app is deleted',
      place: 'here:1:1',
      action: {kind: 'delete', target, ignoreNotFound: false},
      wait: {kind: 'time', ms: 60_000},
      expect: [],
    };
    const scenario: Scenario = {...orphan, fixtures: [...orphan.fixtures, shop], steps: [step]};
    const {history} = driveHere(driveScenario(scenario, {crossplane: 'main', variant, record: true}));
    const [one, two] = history?.cloud.filter(({what}) => what === 'create') ?? [];
    const ends = history?.cloud.filter(({what}) => what === 'delete').map(({step, owner}) => ({step, owner}));
    expect([one?.step, two?.step]).toEqual([-1, -1]);
    expect(ends).toHaveLength(2);
    expect(ends).toEqual(expect.arrayContaining([one, two].map((made) => ({step: 0, owner: made?.owner}))));
  });

  test('counts no create that failed', () => {
    const recorder = recordHistory([]);
    recorder.observe({atMs: 5, entry: cloudAnswer({code: 500, error: 'cloud says no'})});
    expect(recorder.history(0, [], []).cloud).toEqual([]);
  });

  test('leaves out the calls of a function that is not in the variant', () => {
    const call: TraceEntry = {
      kind: 'function',
      actor: 'crossplane',
      run: 'composite/app shop',
      target: 'f',
      request: new Uint8Array(),
      reply: {ok: true, response: new Uint8Array()},
    };
    const [all, without] = [recordHistory([]), recordHistory(['f'])];
    for (const recorder of [all, without]) {
      recorder.observe({atMs: 4, entry: call});
      recorder.step(5);
      recorder.observe({atMs: 5, entry: call});
    }
    expect(all.history(0, [], []).calls).toHaveLength(1);
    expect(without.history(0, [], []).calls).toHaveLength(0);
  });

  test('numbers reconciles as the timeline does', () => {
    const {history, timeline} = exampleRun('main');
    const adopted = timeline.find(({change}) => change.kind === 'adopted');
    const call = history.calls.findLast(({atMs}) => atMs <= (adopted?.atMs ?? 0));
    expect(call?.reconcile).toBe(adopted?.reconcile);
  });
});
