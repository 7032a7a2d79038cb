// Builds the image of the command line without Docker: `npm run cli-image`. It is the image of the function with the npm
// package in the place of the function, for both architectures.

import {writeFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {packageFiles} from './executable/package-files.ts';
import {finished, type Image, indexOf} from './oci-image.ts';
import {type Layout, layoutTarball} from './oci-layout.ts';
import {push} from './push.ts';
import {download, type Get} from './runtime/download.ts';
import {architectures} from './runtime/pins.ts';
import {type Program, runtimeImage} from './runtime/runtime-image.ts';
import type {TarFile} from './tar.ts';

const help = `npm run cli-image -- [OPTION ...]

Builds the image of the command line for both architectures, without Docker.

  -o, --output FILE                where the OCI image layout goes (default tether-image.tar)
      --push REGISTRY/NAME:TAG     push it, too; may be given more than once

Credentials of registries are those of docker login. The image holds no kubectl: what reads a cluster
needs one in /usr/local/bin (examples/audit-cluster/Dockerfile).`;

/** How a container of it is run. The files that it reads and writes are in /work. */
export const cliConfig = {
  User: '65532:65532',
  Env: ['PATH=/nodejs/bin:/usr/local/bin'],
  Entrypoint: ['/nodejs/bin/node', '/tether/dist/main.js'],
  WorkingDir: '/work',
} as const;

/** The image for both architectures. `files` are those of the package. */
export async function cliImage(files: readonly TarFile[], get: Get): Promise<Layout> {
  const placed = files.map(({name, bytes}) => ({name: `tether/${name}`, bytes}));
  const program: Program = {files: [{name: 'work/', bytes: Buffer.alloc(0)}, ...placed], config: cliConfig};
  const images: Image[] = [];
  for (const architecture of architectures) images.push(finished(await runtimeImage(architecture, program, get), {}));
  return {images, index: indexOf(images, {})};
}

async function main(argv: readonly string[]): Promise<void> {
  const {values} = parseArgs({
    args: [...argv],
    options: {
      output: {type: 'string', short: 'o', default: 'tether-image.tar'},
      push: {type: 'string', multiple: true, default: []},
      help: {type: 'boolean', short: 'h', default: false},
    },
  });
  if (values.help) return console.log(help);
  const layout = await cliImage(packageFiles(), download);
  const bytes = layoutTarball(layout);
  writeFileSync(values.output, bytes);
  console.log(`${values.output}: ${bytes.length} bytes`);
  for (const reference of values.push) console.log(`${reference}: pushed ${await push(layout, reference)}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    console.error(`cannot build the image: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
