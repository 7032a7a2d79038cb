// Which Crossplane versions a story is told on. `npm test` tells it on one version before 2.0 and on one since, and the next story
// on others. `npm run stories:versions` sets EVERY_VERSION and tells each story on all of its versions, with more seeds.

import type {ProfileName} from '../../src/cluster/crossplane/profiles.ts';
import {profileNamed} from '../../src/harness/control-plane/profile-names.ts';

/** True for `npm run stories:versions`. */
export const isEveryVersion = process.env['EVERY_VERSION'] !== undefined;

export function versionsInTurn(names: readonly string[], story: number, all = isEveryVersion): readonly ProfileName[] {
  const versions = names.map(profileNamed);
  if (all) return versions;
  const halves = [false, true].map((isBefore) => versions.filter((name) => name.startsWith('1.') === isBefore));
  return halves.flatMap((half) => half[story % half.length] ?? []);
}
