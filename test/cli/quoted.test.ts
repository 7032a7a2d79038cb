import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {tether} from './tether.ts';

const folder = mkdtempSync(join(tmpdir(), 'quoted-'));
afterAll(() => rmSync(folder, {recursive: true}));

test.each(['audit', 'rehearse'])('%s quotes no line of a dump that it cannot read', (command) => {
  writeFileSync(join(folder, 'dump.yaml'), 'kind: Secret\ndata: {password: hunter2, a: [}\n');
  const {code, err} = tether([command, 'dump.yaml'], folder);
  expect(code).toBe(2);
  expect(err).toMatch(/^dump\.yaml:2:\d+: invalid YAML: [^\n]+\n$/);
  expect(err).not.toContain('hunter2');
});
