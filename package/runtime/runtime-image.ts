// Images that run a program on Node, made without an engine: a root with Node, the libraries it is linked with and nothing
// else, the program, and a user without rights. The Dockerfile makes one of the function that behaves the same; a test
// compares what both say about how it is run.

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {type BaseImage, emptyImage, onTop, packed} from '../oci-image.ts';
import {readTar, type TarFile} from '../tar.ts';
import {readDebianPackage} from './debian-package.ts';
import type {Get} from './download.ts';
import {type Architecture, debianPins, nodePin} from './pins.ts';

/** A program of JavaScript: its files in the image, and how a container of it is run. */
export interface Program {
  readonly files: readonly TarFile[];
  readonly config: NonNullable<BaseImage['config']['config']>;
}

/** How a container of the function is run: what the last stage of the Dockerfile says. */
export const runConfig = {
  User: '65532:65532',
  ExposedPorts: {'8080/tcp': {}, '9443/tcp': {}},
  Env: ['PATH=/nodejs/bin'],
  Entrypoint: ['/nodejs/bin/node', '--max-semi-space-size=8', '--heap-growing-percent=200', '/function/function.mjs'],
  WorkingDir: '/function',
} as const;

interface Libraries {
  /** Where Debian has them, and where the loader looks first. */
  readonly folder: string;
  /** Where a program says its loader is. */
  readonly loader: string;
}

const libraries: {readonly [name in Architecture]: Libraries} = {
  amd64: {folder: 'lib/x86_64-linux-gnu', loader: 'lib64/ld-linux-x86-64.so.2'},
  arm64: {folder: 'lib/aarch64-linux-gnu', loader: 'lib/ld-linux-aarch64.so.1'},
};

/** What `node` is linked with, and what a name is looked up with. */
const libraryNames = [
  'libc.so.6',
  'libdl.so.2',
  'libgcc_s.so.1',
  'libm.so.6',
  'libpthread.so.0',
  'libresolv.so.2',
  'libstdc++.so.6',
];

/** The function, which `package/bundle.ts` wrote into `folder`. */
export function functionProgram(folder: string): Program {
  const names = readdirSync(folder).sort();
  const files = names.map((name) => ({name: `function/${name}`, bytes: readFileSync(join(folder, name))}));
  return {files, config: runConfig};
}

/** The image for an architecture that runs a program. */
export async function runtimeImage(architecture: Architecture, program: Program, get: Get): Promise<BaseImage> {
  const base = emptyImage(architecture);
  const layers = [await systemFiles(architecture, get), await nodeFiles(architecture, get), program.files];
  const added = layers.map((files) => packed({files}));
  return onTop({...base, config: {...base.config, config: program.config}}, added, {});
}

/** The libraries, who may run, and what the licences and scanners ask for. */
async function systemFiles(architecture: Architecture, get: Get): Promise<readonly TarFile[]> {
  const {folder, loader} = libraries[architecture];
  const installed = new Map<string, Buffer>();
  const about: TarFile[] = [];
  for (const pin of debianPins(architecture)) {
    const {control, files} = await readDebianPackage(await get(pin));
    for (const [path, bytes] of files) installed.set(path, bytes);
    // Where scanners look for what is in an image without dpkg.
    about.push({name: `var/lib/dpkg/status.d/${pin.name}`, bytes: Buffer.from(control)});
  }
  const file = (path: string): Buffer => {
    const bytes = installed.get(path);
    if (bytes === undefined)
      throw new Error(`expected file ${path} in the Debian packages for ${architecture}, got none`);
    return bytes;
  };
  const licences = [...installed.keys()].filter((path) =>
    /^usr\/share\/(doc\/[^/]+\/copyright|common-licenses\/)/.test(path),
  );
  return [
    ...['home/nonroot/', 'tmp/'].map((name) => ({name, bytes: Buffer.alloc(0)})),
    {name: 'etc/group', bytes: Buffer.from('root:x:0:\nnonroot:x:65532:\n')},
    {name: 'etc/nsswitch.conf', bytes: Buffer.from('hosts: files dns\n')},
    {name: 'etc/os-release', bytes: file('usr/lib/os-release')},
    {name: 'etc/passwd', bytes: Buffer.from(passwd)},
    {name: loader, bytes: file(`usr/${folder}/${loader.split('/').at(-1)}`), mode: 0o755},
    ...libraryNames.map((name) => ({name: `${folder}/${name}`, bytes: file(`usr/${folder}/${name}`), mode: 0o755})),
    ...licences.sort().map((name) => ({name, bytes: file(name)})),
    ...about,
  ];
}

const passwd = `root:x:0:0:root:/root:/sbin/nologin
nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin
`;

async function nodeFiles(architecture: Architecture, get: Get): Promise<readonly TarFile[]> {
  const files = readTar(gunzipSync(await get(nodePin(architecture))));
  const file = (path: string): Buffer => {
    const bytes = files.get(path);
    if (bytes === undefined)
      throw new Error(`expected file ${path} in the npm package of Node for ${architecture}, got none`);
    return bytes;
  };
  return [
    {name: 'nodejs/LICENSE', bytes: file('package/LICENSE')},
    {name: 'nodejs/bin/node', bytes: file('package/bin/node'), mode: 0o755},
  ];
}
