import {afterEach, expect, test, vi} from 'vitest';
import {storiesCommand} from '../../src/cli/stories.ts';
import {profiles} from '../../src/cluster/crossplane/profiles.ts';
import {builtins} from '../../src/harness/functions/builtin.ts';
import {passThrough} from '../../src/harness/functions/passing.ts';
import {runRender} from '../../src/harness/render/render-job.ts';
import {contextWith} from './context.ts';

// Who waits is told how far it is: on a terminal in one line of stderr that is written over and over.

afterEach(() => void vi.restoreAllMocks());

test('stories say on a terminal which row is told', async () => {
  const written: string[] = [];
  // Long enough from look to look that each is shown, however fast the machine is.
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1000));
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const before = {isTTY: process.stderr.isTTY, columns: process.stderr.columns};
  Object.assign(process.stderr, {isTTY: true, columns: 100});
  try {
    const context = contextWith({...builtins, 'function-tether': passThrough});
    await storiesCommand(['--story', 'usage-left', '--crossplane', 'main'], context);
  } finally {
    Object.assign(process.stderr, before);
  }
  expect(written.some((text) => /^\rrow \d of \d: usage-left-behind on Crossplane main/.test(text))).toBe(true);
  // The line is taken away again.
  expect(written.at(-1)).toBe('\r\x1b[K');
});

test('a render tells for which function it waits, and when it waits no more', async () => {
  const told: (string | undefined)[] = [];
  const input = {apiVersion: 'x/v1', kind: 'Input', resources: []};
  const step = {step: 'a', functionRef: {name: 'function-static'}, input};
  await runRender({
    xr: {apiVersion: 'example.org/v1', kind: 'App', metadata: {name: 'shop'}},
    composition: {
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'Composition',
      metadata: {name: 'apps'},
      spec: {mode: 'Pipeline', compositeTypeRef: {apiVersion: 'example.org/v1', kind: 'App'}, pipeline: [step]},
    },
    functions: [{name: 'function-static', annotations: {}}],
    observed: [],
    others: [],
    definition: undefined,
    context: undefined,
    captureContext: false,
    profile: profiles.main,
    reconcilesMax: 1,
    timeoutMs: 10_000,
    builtins,
    waitsFor: (what: string | undefined) => told.push(what),
  } as unknown as Parameters<typeof runRender>[0]);
  expect(told).toContain('function "function-static"');
  expect(told.at(-1)).toBeUndefined();
});
