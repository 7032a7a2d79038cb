// What a rehearsal costs by the size of its source: the database of examples/rehearse as often as it takes to have so many
// objects, restored after an edit. npm run bench:rehearse [-- OBJECTS ...]. Each size runs in a process of its own.

import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {readSource} from '../../src/harness/input/source/read-source.ts';

const root = new URL('../../', import.meta.url).pathname;
const example = join(root, 'examples/rehearse');
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1000, 3000, 10_000];

const {objects} = await readSource(join(example, 'backup.tar.gz'));
const isOfDatabase = (object: object): boolean => /"name":"orders/.test(JSON.stringify(object));
const database = JSON.stringify(objects.filter(isOfDatabase));
const platform = objects.filter((object) => !isOfDatabase(object));
const uids = new Set([...database.matchAll(/"uid":"([^"]+)"/g)].map(([, uid = '']) => uid));

for (const size of sizes) {
  const count = Math.round((size - platform.length) / JSON.parse(database).length);
  const items = [...platform, ...Array.from({length: count}, (_, index) => copy(index)).flat()];
  const folder = mkdtempSync(join(tmpdir(), 'tether-rehearse-'));
  writeFileSync(join(folder, 'state.json'), JSON.stringify({apiVersion: 'v1', kind: 'List', items}));
  const edit = join(example, 'composition-without-replica.yaml');
  const args = ['rehearse', folder, '--apply', edit, '--restore', 'velero', '--stopped', 'crossplane'];
  const report = `process.on('exit', () => { const {user, system} = process.cpuUsage(); console.error('cost ' + (user + system) / 1e6 + ' ' + process.resourceUsage().maxRSS / 1024) })`;
  const hook = `data:text/javascript,${encodeURIComponent(report)}`;
  const {stderr} = spawnSync(process.execPath, ['--import', hook, join(root, 'src/main.ts'), ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  const [, seconds = '', mebibytes = ''] = /cost (\S+) (\S+)/.exec(stderr) ?? [];
  console.log(
    `${String(items.length).padStart(6)} objects: ${Number(seconds).toFixed(0)} s of processor time, ${Number(mebibytes).toFixed(0)} MiB`,
  );
  rmSync(folder, {recursive: true});
}

/** The database under another name, with uids and external names of its own. What the Composition desires stays, so it is at rest. */
function copy(index: number): readonly object[] {
  let text = database.replaceAll(/(?<!"(team|replicateSourceDb)":)"orders/g, `"orders-${index}`);
  for (const uid of uids) text = text.replaceAll(uid, `${uid.slice(0, -6)}${String(index).padStart(6, '0')}`);
  return JSON.parse(text.replace(/ext-(\d+)/g, (_, number: string) => `ext-${Number(number) + index * 10}`));
}
