// Gets what only the site and the playground are built with. A clone that wants neither never installs it.
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const stamp = `${folder}node_modules/.function-tether-ready`;
const wanted = readFileSync(`${folder}package-lock.json`, 'utf8');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.log('function-tether: installing what the site is built with ...');
  // Not `npm ci`, as in .ci/setup.mjs: the lock file may list only some platforms' optional binaries.
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const {status} = spawnSync('npm', ['install', ...quiet], {cwd: folder, stdio: ['ignore', 'inherit', 'inherit']});
  if (status !== 0) {
    console.error('function-tether: cannot install what the site is built with');
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}
