import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {auditCommand} from '../../src/cli/audit.ts';
import {sourceFolder} from '../harness/input/source/folder.ts';

const folder = sourceFolder();
const backup = new URL('../../examples/audit/backup.tar.gz', import.meta.url).pathname;
let printed = '';
const print = (text: string): void => {
  printed += `${text}\n`;
};
beforeEach(() => {
  printed = '';
  vi.spyOn(console, 'log').mockImplementation(print);
  vi.spyOn(console, 'error').mockImplementation(print);
});
afterEach(() => vi.restoreAllMocks());

test('findings are printed, and fail only what was asked to', async () => {
  expect(await auditCommand([backup])).toBe(0);
  expect(printed).toMatch(/27 objects of 11 kinds[\s\S]*error orphan[\s\S]*\n4 errors, 1 warning\n$/);
  expect(await auditCommand([backup, '--fail-on', 'error'])).toBe(3);
  expect(await auditCommand([backup, '--fail-on', 'paused'])).toBe(0);
  expect(await auditCommand([backup, '--fail-on', 'not-judged'])).toBe(0);
});

test('what could not be judged fails if that is asked for', async () => {
  const resourceRefs = [{apiVersion: 's3.aws.upbound.io/v1beta1', kind: 'Bucket', name: 'gone'}];
  const xr = {apiVersion: 'acme.org/v1', kind: 'Net', metadata: {name: 'n', uid: 'net'}, spec: {resourceRefs}};
  const source = folder.write('xr.json', JSON.stringify(xr));
  expect(await auditCommand([source, '--fail-on', 'note'])).toBe(0);
  expect(await auditCommand([source, '--fail-on', 'not-judged'])).toBe(3);
});

test('a report is the baseline of the next audit', async () => {
  const report = folder.write('today.json', '');
  expect(await auditCommand([backup, '--json', report])).toBe(0);
  expect(await auditCommand([backup, '--baseline', report, '--fail-on', 'note'])).toBe(0);
  expect(printed).toContain('0 errors, 0 warnings, 5 known from the baseline');
});

test('every report is written', async () => {
  const files = ['json', 'junit', 'sarif', 'markdown'].map((kind) => [kind, folder.write(kind, '')] as const);
  await auditCommand([backup, ...files.flatMap(([kind, file]) => [`--${kind}`, file])]);
  for (const [, file] of files) expect(readFileSync(file, 'utf8')).toContain('orphan');
});

test('a source may come from standard input', () => {
  const input = readFileSync('examples/explore/definition.yaml');
  const {stdout} = spawnSync(process.execPath, ['src/main.ts', 'audit', '-'], {input, encoding: 'utf8'});
  expect(stdout).toMatch(/1 object of 1 kind/);
});
