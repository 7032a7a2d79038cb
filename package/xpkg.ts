// Builds the Crossplane package without Docker: `npm run xpkg`. By default it holds what runs the function, for both
// architectures, made from pinned files (package/runtime); an image that Docker built can take its place. Beside the file
// stand the list of its contents and where they come from.

import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {type BundledPackage, bundleImage} from './bundle.ts';
import {type Made, provenance, spdx} from './contents.ts';
import {type BaseImage, emptyImage, finished, indexOf, onTop, readImage} from './oci-image.ts';
import {type Layout, layoutTarball} from './oci-layout.ts';
import {packageParts} from './package-layers.ts';
import {push} from './push.ts';
import {download} from './runtime/download.ts';
import {type Architecture, architectures} from './runtime/pins.ts';
import {functionProgram, runtimeImage} from './runtime/runtime-image.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The package on top of the images that run the function, one an architecture. The same sources have the same bytes. */
export function xpkgOf(bases: readonly BaseImage[]): Layout {
  const {layers, labels, annotations} = packageParts();
  const images = bases.map((base) => finished(onTop(base, layers, labels), annotations));
  return {images, index: images.length === 1 ? undefined : indexOf(images, annotations)};
}

const help = `npm run xpkg -- [OPTION ...]

Builds the Crossplane package with all that runs the function, without Docker.

  -o, --output FILE                     where it goes (default function-tether.xpkg)
      --architecture LIST               amd64, arm64 or both with a comma (default both)
      --push REGISTRY/NAME:TAG          push it, too; may be given more than once
      --embed-runtime-image-tarball FILE
                                        with the image that Docker built, instead; once for each architecture
      --without-runtime                 with nothing that runs: for a DeploymentRuntimeConfig that names an image

A file of one architecture is one that \`crossplane xpkg push\` takes; one of both is an OCI image layout.
Credentials of registries are those of docker login. A registry on this machine is asked without TLS.`;

/** What Crossplane would do with such a package; it says so only once it is installed. */
const noRuntime = `without a runtime: installed as it is, its pod has no image to run. Install it with a DeploymentRuntimeConfig
that names an image.`;

interface Built {
  readonly layout: Layout;
  /** Where all of it is known. */
  readonly made?: Made;
}

async function main(argv: readonly string[]): Promise<void> {
  const {values} = parseArgs({
    args: [...argv],
    options: {
      output: {type: 'string', short: 'o', default: 'function-tether.xpkg'},
      architecture: {type: 'string', default: architectures.join(',')},
      'embed-runtime-image-tarball': {type: 'string', multiple: true, default: []},
      'without-runtime': {type: 'boolean', default: false},
      push: {type: 'string', multiple: true, default: []},
      help: {type: 'boolean', short: 'h', default: false},
    },
  });
  if (values.help) return console.log(help);
  const {output, 'without-runtime': isBare, 'embed-runtime-image-tarball': tarballs} = values;
  const wanted = values.architecture.split(',').map(architectureOf);
  const built = isBare
    ? {layout: xpkgOf(wanted.map(emptyImage))}
    : tarballs.length > 0
      ? {layout: xpkgOf(tarballs.map((file) => readImage(readFileSync(file))))}
      : await withRuntime(wanted);
  write(built, output);
  if (isBare) console.error(noRuntime);
  for (const reference of values.push) console.log(`${reference}: pushed ${await push(built.layout, reference)}`);
}

function architectureOf(text: string): Architecture {
  const known = architectures.find((one) => one === text.trim());
  if (known === undefined)
    throw new Error(`expected one of ${architectures.join(', ')} in --architecture, got "${text}"`);
  return known;
}

/** The package for these architectures, with what runs it. */
export async function withRuntime(wanted: readonly Architecture[]): Promise<Built> {
  const folder = mkdtempSync(join(tmpdir(), 'tether-bundle-'));
  try {
    const {packages} = await bundleImage(folder);
    const bases: BaseImage[] = [];
    const program = functionProgram(folder);
    for (const architecture of wanted) bases.push(await runtimeImage(architecture, program, download));
    return {layout: xpkgOf(bases), made: madeFrom(wanted, packages)};
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

function madeFrom(wanted: readonly Architecture[], bundled: readonly BundledPackage[]): Made {
  const {annotations} = packageParts();
  const git = (...args: string[]): string => spawnSync('git', args, {cwd: root, encoding: 'utf8'}).stdout?.trim() ?? '';
  const isClean = git('status', '--porcelain') === '';
  const commit = git('rev-parse', 'HEAD');
  const seconds = process.env['SOURCE_DATE_EPOCH'] ?? git('log', '-1', '--format=%ct');
  const {GITHUB_SERVER_URL: server, GITHUB_WORKFLOW_REF: workflow} = process.env;
  const source = annotations['org.opencontainers.image.source'] ?? '';
  return {
    name: annotations['org.opencontainers.image.title'] ?? '',
    version: annotations['org.opencontainers.image.version'] ?? '',
    source,
    commit: isClean && commit !== '' ? commit : undefined,
    createdAt: new Date(Number(seconds || 0) * 1000),
    lockDigest: sha256(readFileSync(join(root, 'package-lock.json'))),
    architectures: wanted,
    bundled,
    builder: workflow === undefined ? `${source}/blob/main/package/xpkg.ts` : `${server}/${workflow}`,
  };
}

function write({layout, made}: Built, output: string): void {
  const bytes = layoutTarball(layout);
  writeFileSync(output, bytes);
  console.log(`${output}: ${bytes.length} bytes`);
  for (const {platform, layers, manifest} of layout.images) {
    const size = layers.reduce((sum, layer) => sum + layer.bytes.length, 0);
    console.log(`${platform.os}/${platform.architecture}: ${mebibytes(size)} to pull, ${manifest.digest}`);
  }
  if (made === undefined) return;
  const beside = output.replace(/\.xpkg$/, '');
  const file = {name: basename(output), digest: sha256(bytes)};
  writeFileSync(`${beside}.spdx.json`, json(spdx(made, layout)));
  writeFileSync(`${beside}.provenance.json`, json(provenance(made, layout, file)));
  console.log(`${beside}.spdx.json, ${beside}.provenance.json: what is in it, and where that comes from`);
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    console.error(`cannot build the package: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
