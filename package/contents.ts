// What is in the package and what it was made from, in the forms that tools read: a list of contents in SPDX 2.3
// (spdx.github.io/spdx-spec/v2.3) and a statement of where they come from (in-toto Statement v1, slsa.dev/spec/v1.0).
// The statement is not signed: whoever publishes the package signs it (`cosign attest`).

import type {BundledPackage} from './bundle.ts';
import type {Layout} from './oci-layout.ts';
import {type Architecture, debianPins, debianSuite, nodePin, nodeVersion, type Pin} from './runtime/pins.ts';

export interface Made {
  readonly name: string;
  readonly version: string;
  readonly source: string;
  /** Of the sources; undefined where they are in no repository, or are not as committed. */
  readonly commit: string | undefined;
  /** When the sources were committed, so that the same sources have the same contents. */
  readonly createdAt: Date;
  /** Of the lock file. */
  readonly lockDigest: string;
  readonly architectures: readonly Architecture[];
  readonly bundled: readonly BundledPackage[];
  /** Who built it, where that can be said. */
  readonly builder: string;
}

interface Part {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly from: string;
  readonly purl: string;
  readonly digest?: string;
}

/** The list of contents. */
export function spdx(made: Made, layout: Layout): object {
  const parts = [...bundledParts(made), ...made.architectures.flatMap(runtimeParts)];
  const {algorithm, hex} = splitDigest(topDigest(layout));
  const self = {
    SPDXID: 'SPDXRef-Package',
    name: made.name,
    versionInfo: made.version,
    downloadLocation: made.source,
    licenseConcluded: 'Apache-2.0',
    licenseDeclared: 'Apache-2.0',
    copyrightText: 'NOASSERTION',
    filesAnalyzed: false,
    primaryPackagePurpose: 'CONTAINER',
    checksums: [{algorithm: algorithm.toUpperCase(), checksumValue: hex}],
  };
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `${made.name} ${made.version}`,
    documentNamespace: `${made.source}/spdx/${hex}`,
    creationInfo: {created: `${made.createdAt.toISOString().slice(0, 19)}Z`, creators: [`Tool: ${made.name}-xpkg`]},
    packages: [self, ...parts.map(spdxPackage)],
    relationships: [
      {spdxElementId: 'SPDXRef-DOCUMENT', relationshipType: 'DESCRIBES', relatedSpdxElement: self.SPDXID},
      ...parts.map(({id}) => ({spdxElementId: self.SPDXID, relationshipType: 'CONTAINS', relatedSpdxElement: id})),
    ],
  };
}

function spdxPackage({id, name, version, licence, from, purl, digest}: Part): object {
  const checksum = digest === undefined ? undefined : splitDigest(digest);
  return {
    SPDXID: id,
    name,
    versionInfo: version,
    downloadLocation: from,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: licence,
    copyrightText: 'NOASSERTION',
    filesAnalyzed: false,
    externalRefs: [{referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl}],
    ...(checksum === undefined
      ? {}
      : {checksums: [{algorithm: checksum.algorithm.toUpperCase(), checksumValue: checksum.hex}]}),
  };
}

function bundledParts({bundled}: Made): readonly Part[] {
  return bundled.map(({name, version, license}) => ({
    id: spdxId(`npm-${name}-${version}`),
    name,
    version,
    licence: license,
    from: 'NOASSERTION',
    purl: npmPurl(name, version),
  }));
}

function runtimeParts(architecture: Architecture): readonly Part[] {
  const node = nodePin(architecture);
  return [
    {
      id: spdxId(`node-${architecture}`),
      name: 'node',
      version: nodeVersion,
      licence: 'MIT',
      from: 'NOASSERTION',
      purl: npmPurl(node.name, node.version),
      digest: node.digest,
    },
    ...debianPins(architecture).map((pin) => ({
      id: spdxId(`deb-${pin.name}-${architecture}`),
      name: pin.name,
      version: pin.version,
      licence: 'NOASSERTION',
      from: uriOf(pin),
      purl: `pkg:deb/debian/${encodeURIComponent(pin.name)}@${encodeURIComponent(pin.version)}?arch=${architecture}&distro=${debianSuite}`,
      digest: pin.digest,
    })),
  ];
}

/** The statement of where the package comes from. `file` is its file, with the digest of that. */
export function provenance(made: Made, layout: Layout, file: {readonly name: string; readonly digest: string}): object {
  const pins = made.architectures.flatMap((architecture) => [nodePin(architecture), ...debianPins(architecture)]);
  const source =
    made.commit === undefined ? [] : [{uri: `git+${made.source}@${made.commit}`, digest: {gitCommit: made.commit}}];
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      {name: made.name, digest: digestMap(topDigest(layout))},
      {name: file.name, digest: digestMap(file.digest)},
    ],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${made.source}/blob/main/docs/contributing/packages.md#how-the-package-is-made`,
        externalParameters: {architectures: made.architectures},
        resolvedDependencies: [
          ...source,
          {uri: 'file:package-lock.json', digest: digestMap(made.lockDigest)},
          ...pins.map((pin) => ({uri: uriOf(pin), digest: digestMap(pin.digest)})),
        ],
      },
      runDetails: {builder: {id: made.builder}},
    },
  };
}

function topDigest({images, index}: Layout): string {
  return index?.digest ?? images[0]?.manifest.digest ?? '';
}

function uriOf({name, version, from}: Pin): string {
  return from.kind === 'npm' ? npmPurl(name, version) : (from.urls[0] ?? '');
}

function npmPurl(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function spdxId(text: string): string {
  return `SPDXRef-${text.replaceAll(/[^a-zA-Z0-9.-]+/g, '-')}`;
}

function splitDigest(digest: string): {readonly algorithm: string; readonly hex: string} {
  const [algorithm = '', hex = ''] = digest.split(':');
  return {algorithm, hex};
}

function digestMap(digest: string): {readonly [algorithm: string]: string} {
  const {algorithm, hex} = splitDigest(digest);
  return {[algorithm]: hex};
}
