/** The role of a path in an archive of its format. */
export type ArchivePath =
  | {readonly kind: 'object'; readonly resource: string; readonly group: string}
  /** Known, and nothing to read. */
  | {readonly kind: 'left'; readonly why: string}
  /** Says more of the whole, or of the kinds of one folder. */
  | {readonly kind: 'about'; readonly resource: string; readonly group: string};

// The paths of `up`'s export of a control plane: export.yaml, and for each kind <resource.group>/metadata.yaml with its
// categories and <resource.group>/{cluster,namespaces/NS}/NAME.yaml. It holds no CustomResourceDefinitions.
// upbound/up afcad215 pkg/migration/exporter/persist.go, pkg/migration/meta/v1alpha1/types.go, pkg/migration/importer/reader.go.

const file = /^([a-z0-9][a-z0-9.-]*)\/(?:(metadata)|(?:cluster|namespaces\/[^/]+)\/[^/]+)\.yaml$/;

/** Undefined where no export has such a file. */
export function upPath(path: string): ArchivePath | undefined {
  if (path === 'export.yaml') return {kind: 'about', resource: '', group: ''};
  const [whole, groupResource = '', about] = file.exec(path) ?? [];
  if (whole === undefined) return undefined;
  return ofKind(about === undefined ? 'object' : 'about', groupResource);
}

// The paths of a Velero backup, format 1.1: each object once as resources/<resource.group>/{cluster,namespaces/NS}/NAME.json
// in its preferred version, and again below a folder of each version that was saved. vmware-tanzu/velero d30d389b
// pkg/backup/item_backupper.go (getFileForArchive), pkg/archive/filesystem.go, pkg/backup/backup.go (BackupFormatVersion).

const item = /^resources\/([^/]+)\/(?:([^/]+)\/)?(?:cluster|namespaces\/[^/]+)\/[^/]+\.json$/;

/** Undefined where no backup of Velero has such a file. */
export function veleroPath(path: string): ArchivePath | undefined {
  if (path === 'metadata/version') return {kind: 'about', resource: '', group: ''};
  const [whole, groupResource = '', version] = item.exec(path) ?? [];
  if (whole === undefined) return undefined;
  if (version !== undefined) return {kind: 'left', why: 'the same object in a folder of its version'};
  return ofKind('object', groupResource);
}

function ofKind(kind: 'object' | 'about', groupResource: string): ArchivePath {
  const [resource = '', ...group] = groupResource.split('.');
  return resource === 'events' ? {kind: 'left', why: 'an event'} : {kind, resource, group: group.join('.')};
}
