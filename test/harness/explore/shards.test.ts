import {expect, test} from 'vitest';
import {always} from '../../../src/explore/property.ts';
import {passed, type Shard} from '../../../src/explore/result.ts';
import {search} from '../../../src/explore/search.ts';
import {mergeShards} from '../../../src/explore/shard.ts';
import {tether} from '../../cli/tether.ts';
import {opened} from './opened.ts';

// A story in parts: together they see what one search sees, no more and no less.

const flags = ['--moves', 'in-order', '--budget', 'choice=1', '--budget', 'conflict=1'];

test('the shards of a story cover its states exactly', () => {
  const {model, budgets} = opened('explore/composition-edit', 'main', ...flags).exploration;
  const statesOf = (shard?: Shard) => {
    const seen = new Set<string>();
    const collect = always<ReturnType<typeof model.initial>>(
      'collect',
      (state) => seen.add(model.fingerprint(state)).size > 0,
    );
    const result = search(model, [collect], {order: 'cheapest', budgets, ...(shard === undefined ? {} : {shard})});
    return {seen, result};
  };
  const whole = statesOf();
  expect(whole.seen.size).toBeGreaterThan(3000);
  const cut = {kind: 'spending', kinds: ['choice', 'conflict'], units: 1} as const;
  const parts = [0, 1, 2].map((index) => statesOf({index, count: 3, cut}));
  expect(new Set(parts.flatMap(({seen}) => [...seen]))).toEqual(whole.seen);
  for (const {seen} of parts) expect(seen.size).toBeLessThan(whole.seen.size * 0.9);
  expect(passed(mergeShards(parts.map(({result}) => result)))).toBe(true);
});

test('threads come to the same verdicts as one', () => {
  const file = new URL('../../../examples/explore/composition-edit.yaml', import.meta.url).pathname;
  const told = (...more: readonly string[]) => {
    const args = ['explore', file, '--crossplane', 'main', ...flags, '--all', '--json', '-', ...more];
    const {code, out, err} = tether(args);
    // On a terminal alone the command tells how far it is.
    expect({code, err}).toEqual({code: 0, err: ''});
    const [{outcome, properties}] = JSON.parse(out);
    return {
      outcome,
      verdicts: properties.map(({name, verdict}: {name: string; verdict: string}) => `${name}: ${verdict}`),
    };
  };
  expect(told('--workers', '2')).toEqual(told());
});
