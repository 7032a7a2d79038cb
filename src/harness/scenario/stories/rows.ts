import type {ProfileName} from '../../../cluster/crossplane/profiles.ts';
import {profileNamed} from '../../control-plane/profile-names.ts';
import type {Variant} from '../scenario.ts';
import type {Story} from './find-stories.ts';

/** One line of the table: a story on one Crossplane version in one variant. */
export interface Row {
  readonly story: Story;
  readonly crossplane: ProfileName;
  readonly variant: Variant;
}

/** Every row, in the order of the table; only of these versions, where some are named. */
export function rowsOf(stories: readonly Story[], versions: readonly ProfileName[] | undefined): readonly Row[] {
  return stories.flatMap((story) =>
    story.crossplane
      .map(profileNamed)
      .filter((crossplane) => versions === undefined || versions.includes(crossplane))
      .flatMap((crossplane) => story.variants.map((variant) => ({story, crossplane, variant}))),
  );
}
