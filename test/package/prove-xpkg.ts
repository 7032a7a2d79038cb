// `npm run xpkg:proof`: does the package run? It is built from its pinned files, pushed to a registry in this process,
// pulled back and unpacked into an empty folder, and its entrypoint is started in there as root of a file system that holds
// nothing else, by the user that Crossplane names. Crossplane's side of mTLS calls it, with certificates as Crossplane makes
// them. Prints sizes and how soon it serves. The other architecture is started by QEMU where that is installed. Needs the
// network for what is not downloaded yet, and the right to change the root: that of root, or user namespaces.

import {type ChildProcess, spawn, spawnSync} from 'node:child_process';
import {cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {type ServiceError, status} from '@grpc/grpc-js';
import {push} from '../../package/push.ts';
import {type Architecture, architectures} from '../../package/runtime/pins.ts';
import {withRuntime} from '../../package/xpkg.ts';
import {parseImageReference} from '../../src/harness/packages/image-reference.ts';
import {imageRoot} from '../../src/harness/packages/image-root.ts';
import {Caller, certPath, requestBytes, tlsCredentials} from '../function/calling.ts';
import {openRegistry} from '../harness/packages/registry.ts';

/** Whom Crossplane's Deployment of a function names, whoever the image names. */
const [user, group] = ['2000', '2000'];
/** What an emulated program may take for a call. */
const patienceMs = 60_000;

/** What starts the programs of an architecture on a machine of another: QEMU's, which needs nothing but itself. */
const emulators: {readonly [name in Architecture]: string} = {
  amd64: 'qemu-x86_64-static',
  arm64: 'qemu-aarch64-static',
};

async function main(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'tether-proof-'));
  const registry = await openRegistry();
  try {
    const {layout} = await withRuntime(architectures);
    const reference = `${registry.host}/proof/function-tether:v1`;
    console.log(`pushed ${await push(layout, reference)} for ${architectures.join(' and ')}`);
    for (const {platform, layers} of layout.images) {
      const sizes = layers.map(({bytes}) => `${(bytes.length / 2 ** 20).toFixed(1)} MiB`);
      console.log(`${platform.architecture}: layers of ${sizes.join(', ')}`);
    }
    for (const architecture of architectures) await prove(reference, architecture, scratch);
  } finally {
    await registry.close();
    rmSync(scratch, {recursive: true, force: true});
  }
}

async function prove(reference: string, architecture: Architecture, scratch: string): Promise<void> {
  const platform = {os: 'linux', architecture};
  const {root, digest, config} = await imageRoot(parseImageReference(reference), platform, scratch);
  const files = filesIn(root);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  console.log(`${architecture}: pulled ${digest} back: ${files.length} files, ${(bytes / 2 ** 20).toFixed(1)} MiB`);
  const command = [...(config.config?.Entrypoint ?? []), '--address', '127.0.0.1:0'];
  if (architecture !== machine) {
    const emulator = programOnPath(emulators[architecture]);
    if (emulator === undefined)
      return console.log(`${architecture}: not started: expected ${emulators[architecture]} on the PATH, got none`);
    cpSync(emulator, join(root, 'emulator'));
    command.unshift('/emulator');
  }
  mountCertificates(root);
  const before = filesIn(root).length;
  await serveFrom(root, command, architecture === machine ? architecture : `${architecture}, emulated`);
  const after = filesIn(root).length;
  if (after !== before) throw new Error(`it wrote ${after - before} files`);
  console.log(`${architecture}: it wrote nothing`);
}

const machine: Architecture = process.arch === 'x64' ? 'amd64' : 'arm64';

function programOnPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(':');
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

function filesIn(root: string): readonly string[] {
  const entries = readdirSync(root, {recursive: true, withFileTypes: true});
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Where a cluster mounts them. */
function mountCertificates(root: string): void {
  const certificates = join(root, 'tls/server');
  mkdirSync(certificates, {recursive: true});
  for (const [from, to] of [
    ['server.crt', 'tls.crt'],
    ['server.key', 'tls.key'],
    ['crossplane-ca.crt', 'ca.crt'],
  ] as const) {
    cpSync(certPath(from), join(certificates, to));
  }
}

async function serveFrom(root: string, command: readonly string[], name: string): Promise<void> {
  const tookMs: number[] = [];
  for (let count = 0; count < 3; count++) {
    const beganMs = performance.now();
    const {child, port} = await started(root, command);
    tookMs.push(Math.round(performance.now() - beganMs));
    try {
      using caller = new Caller(`localhost:${port}`, tlsCredentials('crossplane-client'), patienceMs);
      const {tag} = await caller.run(requestBytes());
      if (tag !== 'tag-1') throw new Error(`expected the tag of the request in the answer, got ${tag}`);
      using stranger = new Caller(`localhost:${port}`, tlsCredentials(undefined), patienceMs);
      const refusal = await stranger.run(requestBytes()).then(
        () => undefined,
        (error: ServiceError) => error.code,
      );
      // A refused handshake, and no call that took too long.
      if (refusal !== status.UNAVAILABLE)
        throw new Error(`expected a client without a certificate refused, got ${refusal ?? 'an answer'}`);
    } finally {
      child.kill('SIGKILL');
    }
  }
  console.log(
    `${name}: from start to serving: ${tookMs.join(', ')} ms; three mTLS calls answered, three without refused`,
  );
}

/** Started where `root` is all there is, by the user of a pod. */
async function started(root: string, command: readonly string[]): Promise<{child: ChildProcess; port: number}> {
  const isRoot = process.getuid?.() === 0;
  const [program, ...args] = isRoot
    ? ['chroot', `--userspec=${user}:${group}`, root, ...command]
    : ['unshare', '--user', '--map-root-user', `--root=${root}`, ...command];
  if (spawnSync(program as string, ['--help']).status !== 0)
    throw new Error(`expected the program ${program} on the PATH`);
  const env = {TLS_SERVER_CERTS_DIR: '/tls/server', PATH: process.env['PATH'] ?? ''};
  const child = spawn(program as string, args, {env, stdio: ['ignore', 'ignore', 'pipe']});
  const said: string[] = [];
  for await (const line of createInterface({input: child.stderr})) {
    said.push(line);
    if (!line.includes('"serving"')) continue;
    const {port, tls} = JSON.parse(line) as {port: number; tls: boolean};
    if (!tls) throw new Error('expected it to serve with TLS');
    return {child, port};
  }
  throw new Error(`the entrypoint ended: ${said.join('\n')}`);
}

await main();
