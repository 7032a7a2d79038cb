// `npm run xpkg:proof`: does the package run? It is built from its pinned files, pushed to a registry in this process,
// pulled back and unpacked into an empty folder, and its entrypoint is started in there as root of a file system that holds
// nothing else, by the user it names. Crossplane's side of mTLS calls it. Prints sizes and how soon it serves. Needs the
// network for what is not downloaded yet, and the right to change the root: that of root, or user namespaces.

import {type ChildProcess, spawn, spawnSync} from 'node:child_process';
import {cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {push} from '../../package/push.ts';
import {architectures} from '../../package/runtime/pins.ts';
import {withRuntime} from '../../package/xpkg.ts';
import {parseImageReference} from '../../src/harness/packages/image-reference.ts';
import {imageRoot} from '../../src/harness/packages/image-root.ts';
import {Caller, certPath, requestBytes, tlsCredentials} from '../function/calling.ts';
import {openRegistry} from '../harness/packages/registry.ts';

const [user, group] = ['65532', '65532'];

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
    const architecture = process.arch === 'x64' ? 'amd64' : 'arm64';
    const {root, digest, config} = await imageRoot(
      parseImageReference(reference),
      {os: 'linux', architecture},
      scratch,
    );
    const files = readdirSync(root, {recursive: true, withFileTypes: true}).filter((entry) => entry.isFile());
    const bytes = files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
    console.log(`pulled ${digest} back: ${files.length} files, ${(bytes / 2 ** 20).toFixed(1)} MiB`);
    await serveFrom(root, config.config?.Entrypoint ?? []);
    const after = readdirSync(root, {recursive: true, withFileTypes: true}).filter((entry) => entry.isFile());
    // The certificates are what a cluster mounts.
    if (after.length !== files.length + 3) throw new Error(`it wrote ${after.length - files.length - 3} files`);
    console.log('it wrote nothing');
  } finally {
    await registry.close();
    rmSync(scratch, {recursive: true, force: true});
  }
}

async function serveFrom(root: string, entrypoint: readonly string[]): Promise<void> {
  const certificates = join(root, 'tls/server');
  mkdirSync(certificates, {recursive: true});
  for (const [from, to] of [
    ['server.crt', 'tls.crt'],
    ['server.key', 'tls.key'],
    ['test-ca.crt', 'ca.crt'],
  ] as const) {
    cpSync(certPath(from), join(certificates, to));
  }
  const tookMs: number[] = [];
  for (let count = 0; count < 3; count++) {
    const beganMs = performance.now();
    const {child, port} = await started(root, [...entrypoint, '--address', '127.0.0.1:0']);
    tookMs.push(Math.round(performance.now() - beganMs));
    try {
      using caller = new Caller(`localhost:${port}`, tlsCredentials('client'));
      const {tag} = await caller.run(requestBytes());
      if (tag !== 'tag-1') throw new Error(`expected the tag of the request in the answer, got ${tag}`);
      using stranger = new Caller(`localhost:${port}`, tlsCredentials(undefined), 2000);
      const isServed = await stranger.run(requestBytes()).then(
        () => true,
        () => false,
      );
      if (isServed) throw new Error('it answered a client without a certificate');
    } finally {
      child.kill('SIGKILL');
    }
  }
  console.log(`from start to serving: ${tookMs.join(', ')} ms; mTLS calls answered, one without a certificate refused`);
}

/** Started where `root` is all there is, by the user of the image. */
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
