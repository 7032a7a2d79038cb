// What the root of the image is made of, by version and digest: the binary of the npm package `node` for each
// architecture, and the shared libraries it needs, from Debian. Nothing else is in it. A new version is a change of
// pins.json; CONTRIBUTING.md says where its digests come from.

import pins from './pins.json' with {type: 'json'};

/** In Go's words, as images say it. */
export type Architecture = keyof typeof pins.node.packages;

export const architectures = Object.keys(pins.node.packages) as readonly Architecture[];

/** A file that is somewhere on the network, known by its digest. */
export interface Pin {
  /** As people call it, with its version. */
  readonly name: string;
  readonly version: string;
  readonly digest: string;
  readonly from: NpmPackage | Urls;
}

interface NpmPackage {
  readonly kind: 'npm';
  readonly package: string;
}

interface Urls {
  readonly kind: 'urls';
  /** The first that has it counts. */
  readonly urls: readonly string[];
}

export const {version: nodeVersion} = pins.node;
export const debianSuite = pins.debian.suite;

export function nodePin(architecture: Architecture): Pin {
  const {name, digest} = pins.node.packages[architecture];
  return {name, version: nodeVersion, digest, from: {kind: 'npm', package: `${name}@${nodeVersion}`}};
}

/** Packages in the order of their names. */
export function debianPins(architecture: Architecture): readonly Pin[] {
  return pins.debian.packages.map(({name, version, folder, digests}) => {
    const path = `${folder}/${name}_${version}_${architecture}.deb`;
    // A mirror has the newest only; the archive of snapshots has all.
    const urls = [
      `https://deb.debian.org/debian/${path}`,
      `https://snapshot.debian.org/archive/debian/${pins.debian.snapshot}/${path}`,
    ];
    return {name, version, digest: digests[architecture], from: {kind: 'urls', urls}};
  });
}
