// Gets a fresh clone ready: the dependencies, and with them the Node 24 runtime that every npm script here runs on.
// Plain JavaScript without dependencies, because it runs before there are any, on whatever Node (>= 20) is installed.
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';

const stamp = 'node_modules/.function-tether-ready';
const wanted = readFileSync('package-lock.json', 'utf8');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  // Not `npm ci`: it refuses a lock file that lists only some platforms' optional binaries, which is all that a registry
  // mirror without the others can produce. `--no-save` installs what the lock says and leaves the lock as it is.
  step('installing dependencies', 'npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']);
  // npm may be set not to run install scripts; the runtime package needs its own to put the binary in place.
  if (!hasRuntime()) step('installing the Node 24 runtime', 'npm', ['rebuild', 'node', '--foreground-scripts']);
  if (!hasRuntime()) fail('cannot install the Node 24 runtime: node_modules/.bin/node does not run version 24');
  writeFileSync(stamp, wanted);
}

function step(what, command, args) {
  console.log(`function-tether: ${what} ...`);
  const started = Date.now();
  const {status, error} = spawnSync(command, args, {stdio: ['ignore', 'inherit', 'inherit']});
  if (status !== 0)
    fail(`cannot finish ${what}: ${command} ${args.join(' ')} ${error ? error.message : `exited with ${status}`}`);
  console.log(`function-tether: ${what} done in ${Math.round((Date.now() - started) / 1000)} s`);
}

function hasRuntime() {
  const binary = 'node_modules/.bin/node';
  if (!existsSync(binary) || statSync(binary).size === 0) return false;
  const {stdout} = spawnSync(binary, ['--version'], {encoding: 'utf8'});
  return (stdout ?? '').startsWith('v24.');
}

function fail(message) {
  console.error(`function-tether: ${message}`);
  process.exit(1);
}
