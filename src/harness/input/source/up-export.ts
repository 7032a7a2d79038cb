// The paths of `up`'s export of a control plane: export.yaml, and for each kind <resource.group>/metadata.yaml with its
// categories and <resource.group>/{cluster,namespaces/NS}/NAME.yaml. It holds no CustomResourceDefinitions.
// upbound/up afcad215 pkg/migration/exporter/persist.go, pkg/migration/meta/v1alpha1/types.go, pkg/migration/importer/reader.go.

import type {ArchivePath} from './archive-path.ts';

const file = /^([a-z0-9][a-z0-9.-]*)\/(?:(metadata)|(?:cluster|namespaces\/[^/]+)\/[^/]+)\.yaml$/;

/** Undefined where no export has such a file. */
export function upPath(path: string): ArchivePath | undefined {
  if (path === 'export.yaml') return {kind: 'about', resource: '', group: ''};
  const [whole, groupResource = '', about] = file.exec(path) ?? [];
  if (whole === undefined) return undefined;
  const [resource = '', ...group] = groupResource.split('.');
  if (resource === 'events') return {kind: 'left', why: 'an event'};
  return {kind: about === undefined ? 'object' : 'about', resource, group: group.join('.')};
}
