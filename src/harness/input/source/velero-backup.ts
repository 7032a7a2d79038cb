// The paths of a Velero backup, format 1.1: each object once as resources/<resource.group>/{cluster,namespaces/NS}/NAME.json
// in its preferred version, and again below a folder of each version that was saved. vmware-tanzu/velero d30d389b
// pkg/backup/item_backupper.go (getFileForArchive), pkg/archive/filesystem.go, pkg/backup/backup.go (BackupFormatVersion).

import type {ArchivePath} from './archive-path.ts';

const item = /^resources\/([^/]+)\/(?:([^/]+)\/)?(?:cluster|namespaces\/[^/]+)\/[^/]+\.json$/;

/** Undefined where no backup of Velero has such a file. */
export function veleroPath(path: string): ArchivePath | undefined {
  if (path === 'metadata/version') return {kind: 'about', resource: '', group: ''};
  const [whole, groupResource = '', version] = item.exec(path) ?? [];
  if (whole === undefined) return undefined;
  if (version !== undefined) return {kind: 'left', why: 'the same object in a folder of its version'};
  const [resource = '', ...group] = groupResource.split('.');
  if (resource === 'events') return {kind: 'left', why: 'an event'};
  return {kind: 'object', resource, group: group.join('.')};
}
