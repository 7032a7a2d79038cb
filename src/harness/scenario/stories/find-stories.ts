// The stories: scenarios that show a known bug, and the rows of the table that they make.

import {readFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import type {ProfileName} from '../../../cluster/crossplane/profiles.ts';
import {profileNamed} from '../../control-plane/profile-names.ts';
import type {Builtins} from '../../functions/builtin.ts';
import {namesIn} from '../../input/file-problem.ts';
import {InputError} from '../../input/input-error.ts';
import {readScenario} from '../read-scenario.ts';
import type {Bug, Scenario, Variant} from '../scenario.ts';

/** A scenario that shows a known bug. */
export interface Story extends Scenario {
  readonly bug: Bug;
  /** Of its file, from the folder that was searched. */
  readonly path: string;
}

/** Every scenario below `folder` that shows a bug, by path. Throws InputError where the folder holds none. */
export function findStories(folder: string, builtins: Builtins): readonly Story[] {
  const stories = scenarioFiles(folder).flatMap((file): readonly Story[] => {
    const scenario = readScenario(file, builtins);
    const {bug} = scenario;
    return bug === undefined ? [] : [{...scenario, bug, path: relative(folder, file)}];
  });
  if (stories.length > 0) return stories;
  throw new InputError(`folder "${folder}" must hold scenarios with a bug, got none`);
}

function scenarioFiles(folder: string): readonly string[] {
  const names = namesIn(folder, {recursive: true}).filter((name) => name.endsWith('.yaml'));
  const files = names.map((name) => join(folder, name)).sort();
  // Manifests lie beside the scenarios; only a scenario has steps that show a bug.
  return files.filter((file) => {
    const text = readFileSync(file, 'utf8');
    return /^steps:/m.test(text) && /^bug:/m.test(text);
  });
}

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
