// The manifest of the plugin `kubectl tether` for krew (github.com/kubernetes-sigs/krew, pkg/index/types.go).

import {stringify} from 'yaml';
import type {Platform} from './platforms.ts';

export interface Archive {
  readonly platform: Platform;
  /** Of its name and its bytes. */
  readonly name: string;
  readonly sha256: string;
}

/** The manifest in YAML, for archives that the release `v<version>` of `repository` holds. */
export function krewManifest(version: string, repository: string, archives: readonly Archive[]): string {
  const platforms = archives.map(({platform, name, sha256}) => {
    const [os, arch] = platform.split('-');
    return {
      selector: {matchLabels: {os, arch}},
      uri: `${repository}/releases/download/v${version}/${name}`,
      sha256,
      bin: 'tether',
    };
  });
  return stringify(
    {
      apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
      kind: 'Plugin',
      metadata: {name: 'tether'},
      spec: {
        version: `v${version}`,
        homepage: repository,
        shortDescription: 'Rehearse and audit Crossplane control planes',
        description:
          'Rehearses a restore, an edit, an upgrade or a deletion on a copy of a Crossplane\ncontrol plane, audits it, and tests Compositions on a simulated one.\n',
        platforms,
      },
    },
    {lineWidth: 0},
  );
}
