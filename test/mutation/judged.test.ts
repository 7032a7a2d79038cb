import {existsSync} from 'node:fs';
import {Worker} from 'node:worker_threads';
import {expect, test} from 'vitest';
import {rules} from '../lifecycle/rules.ts';
import type {Judged} from './judged.ts';

// The judge sees that a safety rule of the policy is gone: here some of the rules that have a story, with
// `npm run mutation:rules -- --judge` all.

const some = [
  'during a restore nothing is released, not even what is ours',
  'no old object goes with a value that the new connection Secret lacks',
  'a confirmation with a uid is for that object alone',
  'what came back has a mark until it is Ready again',
  'what Crossplane would delete without a controller is adopted',
  'an object keeps its marks under another resource name',
  'cycles are refused',
  'a new object only observes at first',
  'a Usage repeats no denied deletion when it goes',
  'an external resource that is desired under another name is left',
];

test('each story that a rule names is there', () => {
  const missing = rules.filter(
    ({seenIn = ''}) => seenIn !== '' && !existsSync(new URL(`../../${seenIn}`, import.meta.url)),
  );
  expect(missing).toEqual([]);
});

test('some rules are seen in their stories once they are gone, and nothing is worse with them', async () => {
  const numbers = some.map((words) => rules.findIndex(({rule}) => rule === words));
  const worker = new Worker(new URL('judged.ts', import.meta.url), {workerData: numbers});
  const all: Judged[] = [];
  worker.on('message', (judged: Judged) => all.push(judged));
  await new Promise((resolve, reject) => worker.on('exit', resolve).on('error', reject));
  expect(all.map(({rule}) => rule)).toEqual(some);
  for (const {rule, whole, without} of all) {
    expect(whole, rule).toEqual([]);
    expect(without, rule).not.toEqual([]);
  }
});
