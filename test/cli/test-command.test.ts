import {join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {testCommand} from '../../src/cli/test.ts';
import {contextWith} from './context.ts';
import {emptyFolder} from './folder.ts';
import {tether} from './tether.ts';

// What `tether test` chooses, where it ends, and that several files at once come to the same as one after the other.

const {path: folder, write, read} = emptyFolder();
const file = (name: string, text: string): string => join(folder, write(`${name}.yaml`, `name: ${name}\n${text}`));
const good = file('good', 'steps:\n- wait: 1s\nexpect: [{orphans: 0}]\n');
const bad = file('bad', 'crossplane: [main, "1.19"]\nsteps:\n- wait: 1s\n  expect: [{orphans: 1}]\n');
const twice = file(
  'twice',
  'steps:\n- {name: one, wait: 1s, expect: [{orphans: 1}]}\n- {name: two, wait: 1s, expect: [{stuck: 1}]}\n- {name: three, wait: 1s}\n',
);
const unreachable = file('unreachable', 'functions: {f: {address: "127.0.0.1:1"}}\nsteps:\n- wait: 1s\n');

interface Told {
  readonly code: number;
  readonly runs: readonly {
    readonly scenario: string;
    readonly crossplane: string;
    readonly failures: readonly {readonly step: string}[];
    readonly notRun?: readonly string[];
  }[];
}

/** The exit code, and the runs of the JSON report. */
async function tell(...argv: readonly string[]): Promise<Told> {
  const report = join(folder, 'report.json');
  const quiet = (['log', 'error'] as const).map((name) => vi.spyOn(console, name).mockImplementation(() => undefined));
  try {
    const code = await testCommand([...argv, '--json', report], contextWith());
    return {code, runs: JSON.parse(read('report.json')).runs};
  } finally {
    for (const spy of quiet) spy.mockRestore();
  }
}

const named = ({runs}: Told) => runs.map(({scenario, crossplane}) => `${scenario} ${crossplane}`);

describe('--fail-fast', () => {
  test('ends after the first run that fails: other versions and files are not told', async () => {
    const told = await tell(good, bad, twice, '--fail-fast');
    expect(named(told)).toEqual(['good main', 'bad main']);
    expect(told.code).toBe(3);
  });

  test('without it everything is told', async () => {
    expect(named(await tell(good, bad, twice))).toEqual(['good main', 'bad main', 'bad 1.19', 'twice main']);
  });

  test('ends nothing where nothing fails', async () => {
    expect(await tell(good, '--fail-fast')).toMatchObject({code: 0, runs: [{scenario: 'good'}]});
  });
});

test('--only takes the files whose scenario is named so', async () => {
  expect(await tell(good, bad, twice, '--only', 'goo')).toMatchObject({code: 0, runs: [{scenario: 'good'}]});
  expect(named(await tell(good, bad, twice, '--only', 'wic'))).toEqual(['twice main']);
});

test('--keep-going goes on after a step that failed', async () => {
  const steps = ({runs}: Told) => runs[0]?.failures.map(({step}) => step);
  const ended = await tell(twice);
  expect(steps(ended)).toEqual(['one']);
  expect(ended.runs[0]?.notRun).toEqual(['two', 'three']);
  const whole = await tell(twice, '--keep-going');
  expect(steps(whole)).toEqual(['one', 'two']);
  expect(whole.runs[0]?.notRun).toBeUndefined();
  expect([ended.code, whole.code]).toEqual([3, 3]);
});

describe('--workers', () => {
  /** What the command prints, writes and answers. */
  const ran = (...argv: readonly string[]) => {
    const report = join(folder, write('report.xml', ''));
    return {...tether(['test', ...argv, '--junit', report], folder), report: read('report.xml')};
  };

  test.each([
    ['passes', [good, good, good]],
    ['fails', [twice, good, bad, good]],
    ['ends early', [good, twice, bad, good, '--fail-fast']],
    ['is bad input', [good, twice, unreachable, good]],
  ])('prints, writes and answers the same as one file after the other: %s', (_, argv) => {
    expect(ran(...argv, '--workers', '3')).toEqual(ran(...argv));
  });

  test('is a number above 0', () => {
    expect(ran(good, '--workers', 'many')).toMatchObject({
      code: 2,
      err: '--workers must be a whole number above 0, got "many"\n',
    });
  });
});

test('a run that shows nothing passes, and fails with --strict', async () => {
  const hollow = file(
    'hollow',
    'steps:\n- wait: 1s\nexpect: [{object: {kind: ConfigMap, name: none}, absent: true}]\n',
  );
  expect(await tell(hollow)).toMatchObject({code: 0, runs: [{failures: []}]});
  expect(await tell(hollow, '--strict')).toMatchObject({code: 3, runs: [{failures: [{step: 'at the end'}]}]});
  expect(await tell(good, '--strict')).toMatchObject({code: 0});
});
