// The stories of the playground: scenarios of examples/ whose functions all run in process, with the text of every file
// that they name.

import {readdirSync, readFileSync} from 'node:fs';
import {basename, dirname, join, normalize} from 'node:path';
import type {ProfileName} from '../../src/cluster/crossplane/profiles.ts';
import {manifestsFrom} from '../../src/harness/input/manifests/manifest-reader.ts';
import {readManifests} from '../../src/harness/input/manifests/read-manifests.ts';
import {readYamlFile} from '../../src/harness/input/yaml-file.ts';
import {scenarioIn} from '../../src/harness/scenario/parse-scenario.ts';
import {functions, type StoryTexts} from '../playground/workspace.ts';

/** What a newcomer should see first. */
const first = ['restore-orphan/every-version/scenario.yaml', 'usage-left-behind/scenario.yaml'];

/** Folders whose stories tell no known bug: hazards that nobody has reported, and resources that are handed over. */
const told = /^(hazards|handover|rename|split-xr|v1-to-v2)\//;

/** Those that tell a known bug, and those of these folders. */
export function collectStories(examples: string): readonly StoryTexts[] {
  const files = readdirSync(examples, {recursive: true, encoding: 'utf8'})
    .filter((path) => path.endsWith('.yaml'))
    .sort();
  const stories = files.flatMap((path) => {
    const text = readFileSync(join(examples, path), 'utf8');
    const isStory = /^steps:/m.test(text) && (/^bug:/m.test(text) || told.test(path));
    return isStory ? storyOf(examples, path) : [];
  });
  const rank = ({id}: StoryTexts): number => (first.includes(id) ? first.indexOf(id) : first.length);
  return stories.toSorted((one, other) => rank(one) - rank(other));
}

/** None where a function of it runs elsewhere, or it is for twins alone. */
function storyOf(examples: string, path: string): readonly StoryTexts[] {
  const file = join(examples, path);
  const texts: {[path: string]: string} = {[basename(path)]: readFileSync(file, 'utf8')};
  const manifests = manifestsFrom(dirname(file), (name, folder) => {
    texts[name] = readFileSync(normalize(join(folder, name)), 'utf8');
    return readManifests(name, folder);
  });
  const scenario = scenarioIn(readYamlFile(file), file, manifests, functions);
  const {name, description, crossplane, steps} = scenario;
  const isHere = Object.values(scenario.functions).every(({kind}) => kind === 'builtin');
  const isForTwins = steps.some(({faults, early}) => faults !== undefined || early !== undefined);
  if (!isHere || isForTwins) return [];
  return [
    {
      id: path,
      name,
      description,
      crossplane: crossplane as readonly ProfileName[],
      scenario: basename(path),
      files: texts,
    },
  ];
}
