// What makes an image a Crossplane package: the same content as `crossplane xpkg build` (crossplane/cli 3d72f93
// cmd/crossplane/xpkg/build.go, and crossplane/crossplane-runtime 4e7ed23 pkg/xpkg/build.go, layers.go and name.go): one
// layer with package.yaml, one with the examples, each named in a label `io.crossplane.xpkg:DIGEST` of the image's config,
// which `crossplane xpkg push` turns into the layer's annotation. Here the annotation is there already, so that any tool
// can push the file.

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseAllDocuments, stringify} from 'yaml';
import {type Labels, type PackedLayer, packed} from './oci-image.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const annotation = 'io.crossplane.xpkg';

/** Manifests of a story that an example of the package consists of; the rest is for the harness. */
const exampleFiles = ['definition.yaml', 'composition.yaml', 'xr.yaml', 'functions.yaml'];

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {readonly name: string; readonly annotations?: Labels};
}

export interface PackageParts {
  readonly layers: readonly PackedLayer[];
  /** For the image's config. */
  readonly labels: Labels;
  /** For the image's manifest. */
  readonly annotations: Labels;
}

/** The same for the same sources. Throws with a sentence where a manifest is not one. */
export function packageParts(): PackageParts {
  const [meta, ...objects] = packageManifests();
  if (meta === undefined) throw new Error('package/crossplane.yaml holds nothing');
  const layers = [
    packed({files: [yamlFile('package.yaml', [meta, ...objects])], annotations: {[annotation]: 'base'}}),
    // The name and the value are as old as this layer; package tools know no others.
    packed({files: [yamlFile('.up/examples.yaml', exampleManifests())], annotations: {[annotation]: 'upbound'}}),
  ];
  const named = layers.map(({digest, annotations}) => [`${annotation}:${digest}`, annotations?.[annotation] ?? '']);
  const annotations = imageAnnotations(meta);
  return {layers, labels: Object.fromEntries(named), annotations};
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
