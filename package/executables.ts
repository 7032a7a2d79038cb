// Builds the command line as single executables that need no Node: `npm run executables`. Each is the Node of its platform
// with the npm package inside (nodejs.org/api/single-executable-applications.html). Beside them stands krew's manifest.

import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {gunzipSync, gzipSync} from 'node:zlib';
import {bundle} from './bundle.ts';
import {type Archive, krewManifest} from './executable/krew.ts';
import {packageFiles} from './executable/package-files.ts';
import {nodeOf, type Platform, platformHere, platforms} from './executable/platforms.ts';
import {download} from './runtime/download.ts';
import {readTar, type TarFile, writeTar} from './tar.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const help = `npm run executables -- [OPTION ...]

Builds the command line as single executables, one a platform, each in an archive with its licences,
and krew's manifest for them (tether.yaml).

  -o, --output FOLDER   where they go (default dist/executables)
      --platform LIST   of ${platforms.join(', ')},
                        or here for this machine's (default all)

macOS starts signed programs only. Those for macOS are signed without a key, on macOS by codesign,
elsewhere by quill (github.com/anchore/quill), if it is on the PATH.`;

/**
 * Writes the archives of the platforms and the manifest into `output`. `files` are those of the package. `level`: how hard gzip
 * works on them and on the archives.
 */
export async function buildExecutables(
  wanted: readonly Platform[],
  files: readonly TarFile[],
  output: string,
  level = 6,
): Promise<readonly Archive[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'tether-executable-'));
  try {
    const assets = await writeAssets(scratch, files, level);
    const builder = await nodeFor(platformHere(), scratch);
    const archives: Archive[] = [];
    mkdirSync(output, {recursive: true});
    for (const platform of wanted) {
      const node = platform === platformHere() ? builder : await nodeFor(platform, scratch);
      const program = join(scratch, `tether-${platform}`);
      putTogether({builder: builder.program, into: node.program, program, scratch, assets});
      const unsigned = platform.startsWith('darwin') ? signed(program) : undefined;
      if (unsigned !== undefined) console.error(`tether-${platform}: ${unsigned}`);
      const parts = [
        {name: 'LICENSE', bytes: readFileSync(join(root, 'LICENSE'))},
        {name: 'LICENSE-node', bytes: node.licence},
        {name: 'tether', bytes: readFileSync(program), mode: 0o755},
      ];
      const name = `tether-${platform}.tar.gz`;
      const bytes = gzipSync(writeTar(parts), {level});
      writeFileSync(join(output, name), bytes);
      archives.push({platform, name, sha256: sha256(bytes)});
    }
    const {version, repository} = ownPackage();
    writeFileSync(join(output, 'tether.yaml'), krewManifest(version, repository, archives));
    return archives;
  } finally {
    rmSync(scratch, {recursive: true, force: true});
  }
}

interface Assets {
  readonly [name: string]: string;
}

/** What the executable carries: the package, and the name of the folder that it is unpacked into. */
async function writeAssets(scratch: string, files: readonly TarFile[], level: number): Promise<Assets> {
  await bundle('package/executable/launcher.ts', join(scratch, 'launcher.mjs'));
  const assets = {'package.tar.gz': join(scratch, 'package.tar.gz'), name: join(scratch, 'name')};
  const archive = gzipSync(writeTar(files), {level});
  const digest = sha256(archive);
  writeFileSync(assets['package.tar.gz'], archive);
  writeFileSync(assets.name, `tether-${ownPackage().version}-${digest.slice(0, 12)}`);
  return assets;
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function ownPackage(): {readonly version: string; readonly repository: string} {
  const {version, repository} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
    repository: {url: string};
  };
  return {version, repository: repository.url.replace(/^git\+|\.git$/g, '')};
}

interface NodeFiles {
  readonly program: string;
  readonly licence: Buffer;
}

async function nodeFor(platform: Platform, scratch: string): Promise<NodeFiles> {
  const pin = nodeOf(platform);
  const files = readTar(gunzipSync(await download(pin)));
  const [node, licence] = ['package/bin/node', 'package/LICENSE'].map((path) => files.get(path));
  if (node === undefined || licence === undefined) {
    throw new Error(`expected bin/node and LICENSE in ${pin.name} ${pin.version}, got neither or one`);
  }
  const program = join(scratch, `node-${platform}`);
  writeFileSync(program, node);
  chmodSync(program, 0o755);
  return {program, licence};
}

interface Parts {
  /** The Node that does it, which is one of this machine. */
  readonly builder: string;
  /** The Node that becomes the executable. */
  readonly into: string;
  readonly program: string;
  readonly scratch: string;
  readonly assets: Assets;
}

function putTogether({builder, into, program, scratch, assets}: Parts): void {
  const config = join(scratch, 'sea.json');
  const settings = {
    main: join(scratch, 'launcher.mjs'),
    mainFormat: 'module',
    output: program,
    executable: into,
    disableExperimentalSEAWarning: true,
    // Of the loader that the launcher uses. No option of Node's is read from the command line, which is the user's.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    execArgvExtension: 'none',
    assets,
  };
  writeFileSync(config, JSON.stringify(settings));
  run(builder, '--build-sea', config);
}

/** Signs a program for macOS without a key. Answers why not, if nothing here can. */
function signed(program: string): string | undefined {
  if (process.platform === 'darwin') run('codesign', '--sign', '-', program);
  else if (spawnSync('quill', ['--version']).error !== undefined)
    return 'unsigned: expected quill on the PATH, got none. It starts after `codesign --sign - tether` on macOS';
  else run('quill', 'sign', '--ad-hoc', program);
  return undefined;
}

function run(program: string, ...args: readonly string[]): void {
  const {status, stderr, error} = spawnSync(program, args, {encoding: 'utf8'});
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${error?.message ?? stderr}`);
}

function platformsIn(list: string): readonly Platform[] {
  return list.split(',').map((text) => {
    if (text === 'here') return platformHere();
    const known = platforms.find((one) => one === text.trim());
    if (known === undefined)
      throw new Error(`expected platforms out of ${platforms.join(', ')} or here, got "${text}"`);
    return known;
  });
}

async function main(argv: readonly string[]): Promise<void> {
  const {values} = parseArgs({
    args: [...argv],
    options: {
      output: {type: 'string', short: 'o', default: join(root, 'dist', 'executables')},
      platform: {type: 'string', default: platforms.join(',')},
      help: {type: 'boolean', short: 'h', default: false},
    },
  });
  if (values.help) return console.log(help);
  const archives = await buildExecutables(platformsIn(values.platform), packageFiles(), values.output);
  for (const {name, sha256} of archives) {
    console.log(`${sha256}  ${join(values.output, name)}`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    console.error(`executables: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
