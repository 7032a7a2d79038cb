import {expect, test} from 'vitest';
import {tether} from './tether.ts';

const restored = (...steps: string[]) =>
  tether(
    ['rehearse', 'backup.tar.gz', ...steps, '--restore', 'velero', '--stopped', 'crossplane'],
    'examples/rehearse',
  );

test('a rehearsal ends the same whether a function is added before the Composition is applied or after it', () => {
  const apply = ['--apply', 'composition-without-replica.yaml'];
  const [before, after] = [
    restored('--with', 'function-tether', ...apply),
    restored(...apply, '--with', 'function-tether'),
  ];
  expect(before.out).toMatch(/! adopted, deleted: replica \(Instance\)/);
  expect([before.out, before.code]).toEqual([after.out, after.code]);
}, 120_000);

test('a function that is both added and left out is refused', () => {
  expect(restored('--without', 'function-tether', '--with', 'function-tether')).toMatchObject({
    code: 2,
    err: '--with function-tether and --without function-tether contradict each other: give one\n',
  });
});
