// Builds the Crossplane package without Docker: `npm run xpkg -- [-o FILE] [--embed-runtime-image-tarball FILE]`.
// The same content as `crossplane xpkg build` (crossplane/cli 3d72f93 cmd/crossplane/xpkg/build.go, and
// crossplane/crossplane-runtime 4e7ed23 pkg/xpkg/build.go, layers.go and name.go): one layer with package.yaml, one with
// the examples, each named in a label `io.crossplane.xpkg:DIGEST` of the image's config, which `crossplane xpkg push`
// turns into the layer's annotation. Here the annotation is there already, so that any tool can push the file. Without a
// runtime image the package has nothing to run: it is for looking at, and for a DeploymentRuntimeConfig that names one.

import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {parseAllDocuments, stringify} from 'yaml';
import {emptyImage, imageTarball, type Labels, layerOf, type NewLayer, readImage} from './oci-image.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const annotation = 'io.crossplane.xpkg';

/** Manifests of a story that an example of the package consists of; the rest is for the harness. */
const exampleFiles = ['definition.yaml', 'composition.yaml', 'xr.yaml', 'functions.yaml'];

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {readonly name: string; readonly annotations?: Labels};
}

export interface XpkgOptions {
  /** The tarball of the image that runs the function, of one architecture. */
  readonly runtime?: Buffer;
  /** In Go's words; of no matter where there is a runtime. */
  readonly architecture?: string;
}

/** The bytes of the package file; the same for the same sources. Throws with a sentence where a manifest is not one. */
export function buildXpkg({runtime, architecture = 'amd64'}: XpkgOptions = {}): Buffer {
  const [meta, ...objects] = packageManifests();
  if (meta === undefined) throw new Error('package/crossplane.yaml holds nothing');
  const layers: readonly NewLayer[] = [
    {file: yamlFile('package.yaml', [meta, ...objects]), annotations: {[annotation]: 'base'}},
    // The name and the value are as old as this layer; package tools know no others.
    {file: yamlFile('.up/examples.yaml', exampleManifests()), annotations: {[annotation]: 'upbound'}},
  ];
  const labels = Object.fromEntries(
    layers.map((layer) => [`${annotation}:${layerOf(layer).digest}`, layer.annotations[annotation] ?? '']),
  );
  const base = runtime === undefined ? emptyImage(architecture) : readImage(runtime);
  return imageTarball(base, layers, {labels, annotations: imageAnnotations(meta)});
}

function packageManifests(): readonly Manifest[] {
  const inputs = readdirSync(join(root, 'package/input')).sort();
  return ['package/crossplane.yaml', ...inputs.map((name) => `package/input/${name}`)].flatMap(manifestsIn);
}

function exampleManifests(): readonly Manifest[] {
  const stories = readdirSync(join(root, 'examples')).sort();
  return stories.flatMap((story) => {
    const there = readdirSync(join(root, 'examples', story));
    if (!exampleFiles.every((name) => there.includes(name))) return [];
    return exampleFiles.flatMap((name) => manifestsIn(`examples/${story}/${name}`));
  });
}

function manifestsIn(file: string): readonly Manifest[] {
  const documents = parseAllDocuments(readFileSync(join(root, file), 'utf8'));
  return documents.flatMap((document) => {
    const value = document.toJS() as Partial<Manifest> | null;
    if (value === null) return [];
    if (value.apiVersion !== undefined && value.kind !== undefined && value.metadata?.name !== undefined) {
      return [value as Manifest];
    }
    throw new Error(`cannot package ${file}: expected manifests with apiVersion, kind and metadata.name`);
  });
}

function yamlFile(name: string, manifests: readonly Manifest[]) {
  const stream = manifests.map(
    (one) => `---\n${stringify(one, {lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1'})}`,
  );
  return {name, bytes: Buffer.from(stream.join(''))};
}

function imageAnnotations({metadata}: Manifest): Labels {
  const {version} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {version: string};
  const said = (key: string): string => metadata.annotations?.[`meta.crossplane.io/${key}`] ?? '';
  return {
    'org.opencontainers.image.title': metadata.name,
    'org.opencontainers.image.description': said('description'),
    'org.opencontainers.image.licenses': said('license'),
    'org.opencontainers.image.source': said('source'),
    'org.opencontainers.image.version': version,
  };
}

/** What Crossplane would do with such a package; it says so only once it is installed. */
const noRuntime = `without a runtime: installed as it is, its pod has no image to run. To run it, give the image with
--embed-runtime-image-tarball FILE, or install it with a DeploymentRuntimeConfig that names an image.`;

function main(argv: readonly string[]): void {
  const {values} = parseArgs({
    args: [...argv],
    options: {
      output: {type: 'string', short: 'o', default: 'function-tether.xpkg'},
      architecture: {type: 'string', default: 'amd64'},
      'embed-runtime-image-tarball': {type: 'string'},
    },
  });
  const runtime = values['embed-runtime-image-tarball'];
  const {architecture} = values;
  const bytes = buildXpkg(runtime === undefined ? {architecture} : {runtime: readFileSync(runtime)});
  writeFileSync(values.output, bytes);
  console.log(`${values.output}: ${bytes.length} bytes`);
  if (runtime === undefined) console.error(noRuntime);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
