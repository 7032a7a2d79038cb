// Installs the packages of one folder that has its own package.json: the site, the mutation tool. A clone that needs
// neither never installs them. `node .ci/install.mjs FOLDER`.
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';

const [folder] = process.argv.slice(2);
const stamp = `${folder}/node_modules/.function-tether-ready`;
const wanted = readFileSync(`${folder}/package-lock.json`, 'utf8');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.log(`function-tether: installing the packages of ${folder} ...`);
  // Not `npm ci`, as in .ci/setup.mjs: the lock file may list only some platforms' optional binaries.
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const {status} = spawnSync('npm', ['install', ...quiet], {cwd: folder, stdio: ['ignore', 'inherit', 'inherit']});
  if (status !== 0) {
    console.error(`function-tether: cannot install the packages of ${folder}`);
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}
