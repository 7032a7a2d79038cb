import type {KubeObject} from '../../cluster/object.ts';
import {listed} from '../input/listed.ts';
import {legacyFields} from '../input/source/legacy-definitions.ts';
import type {Change, RestoreSetup} from './rehearsal-steps.ts';

// Definitions whose copy in a backup a new cluster would refuse. A rehearsal installs them before the restore, as a platform
// does. A person who counts on the restore for them has to know that it cannot bring them.

const namesMax = 6;

/** A sentence where a restore onto a new cluster has such definitions; none where it has none. */
export function refusedDefinitions(
  objects: readonly KubeObject[],
  changes: readonly Change[],
  {tool, onto}: RestoreSetup,
): readonly string[] {
  if (tool === 'etcd' || onto === 'living' || !changes.some(({kind}) => kind === 'restore')) return [];
  const names = objects.filter((one) => legacyFields(one).length > 0).map(({metadata}) => metadata.name);
  if (names.length === 0) return [];
  return [
    `not restored: CompositeResourceDefinition ${listed(names, namesMax)}, which the backup has as v2 with what only v1 may have; a new cluster refuses to create them, and without them no XR or claim of their kinds comes back. Here they are installed before the restore`,
  ];
}
