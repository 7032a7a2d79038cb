// Bundles the image's program into one file: `node package/bundle.ts [FOLDER]`. Needs nothing but the packages that are
// installed already, so that the image is built the same on every machine.

import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {isBuiltin} from 'node:module';
import {join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {rolldown} from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where the bundle goes unless a folder is named: all that the Dockerfile copies. */
const imageFolder = join(root, 'dist', 'image');

interface Bundle {
  readonly bytes: number;
  /** The packages whose code is in it, by name. */
  readonly packages: readonly BundledPackage[];
}

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** Writes `function.mjs` and the licences of what is in it. Throws where the bundle would need a package at run time. */
export async function bundleImage(folder: string): Promise<Bundle> {
  const output = await bundle('src/function/image.ts', join(folder, 'function.mjs'));
  const [chunk, ...others] = output;
  if (others.length > 0) throw new Error(`expected one file, got ${others.length + 1}`);
  const missing = chunk.imports.filter((specifier) => !isBuiltin(specifier));
  if (missing.length > 0) throw new Error(`the bundle would need ${missing.join(', ')} at run time`);
  const folders = [...new Set(chunk.moduleIds.flatMap(packageFolder))].sort();
  const packages = folders.map(readPackage);
  const own = `The licence of function-tether, and of the packages above that ship no text of theirs:\n\n`;
  const texts = [...packages.map(licenceText), own + readFileSync(join(root, 'LICENSE'), 'utf8')];
  writeFileSync(join(folder, 'LICENSES.txt'), texts.join('\n'));
  return {
    bytes: Buffer.byteLength(chunk.code),
    packages: packages.map(({name, version, license}) => ({name, version, license})),
  };
}

/** Bundles a module of this repository and all that it needs into one file. */
export async function bundle(module: string, file: string) {
  const build = await rolldown({input: join(root, module), platform: 'node', cwd: root});
  const {output} = await build.write({file, format: 'esm', minify: true, codeSplitting: false});
  await build.close();
  return output;
}

/** The folder of the package that a module belongs to; none for our own modules. */
function packageFolder(module: string): readonly string[] {
  const match = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module.replaceAll('\\', '/'));
  return match?.[1] === undefined ? [] : [match[1]];
}

function readPackage(folder: string): BundledPackage & {readonly text: string} {
  const {name, version, license} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as BundledPackage;
  const [file] = readdirSync(folder).filter((entry) => /^licen[cs]e/i.test(entry));
  // Ours is the Apache License too, so its text is there in any case.
  if (file === undefined && !license.includes('Apache-2.0')) {
    throw new Error(`cannot bundle ${name} ${version}: expected the text of its licence ${license}, got none`);
  }
  const text =
    file === undefined ? 'Apache License 2.0: its text is at the end.' : readFileSync(join(folder, file), 'utf8');
  return {name, version, license, text};
}

function licenceText({name, version, license, text}: ReturnType<typeof readPackage>): string {
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n${'='.repeat(80)}\n\n${text.trimEnd()}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = process.argv[2] ?? imageFolder;
  const {bytes, packages} = await bundleImage(folder);
  const names = packages.map(({name, version}) => `${name} ${version}`).join(', ');
  console.log(`${join(folder, 'function.mjs')}: ${Math.round(bytes / 1024)} KiB with ${names}`);
}
