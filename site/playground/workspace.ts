// What a person of the playground has before them: a story, a Crossplane version, and the texts of its files with what
// was changed in them. A run follows from it alone, so it is all that a link, an export and an undo keep.

import type {ProfileName} from '../../src/cluster/crossplane/profiles.ts';
import {runFunction} from '../../src/function/run.ts';
import {type Builtins, builtins} from '../../src/harness/functions/builtin.ts';
import {harnessMemoryKey} from '../../src/harness/functions/memory-key.ts';
import {InputError} from '../../src/harness/input/input-error.ts';
import {parseYaml} from '../../src/harness/input/yaml.ts';
import {objectsIn} from '../../src/harness/manifests/kube-object.ts';
import {type KnownManifests, manifestsFrom} from '../../src/harness/manifests/manifest-reader.ts';
import {scenarioIn} from '../../src/harness/scenario/parse-scenario.ts';
import type {Scenario, Variant} from '../../src/harness/scenario/scenario.ts';

/** A story as it was written: the texts of its files by their paths, which begin at the folder of the scenario. */
export interface StoryTexts {
  /** The path of its scenario below `examples`, which names it. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly crossplane: readonly ProfileName[];
  /** The path of the scenario among the files. */
  readonly scenario: string;
  readonly files: Texts;
}

export interface Texts {
  readonly [path: string]: string;
}

export interface Workspace {
  readonly story: StoryTexts;
  readonly crossplane: ProfileName;
  /** The files whose text is another than the story's. */
  readonly changed: Texts;
}

const options = {memoryKeys: [harnessMemoryKey]};

/** As the command has them: the harness's own functions, and the one that all of this is about. */
export const functions: Builtins = {
  ...builtins,
  'function-tether': (request) => ({ok: true, response: runFunction(request, options)}),
};

export function textsOf({story, changed}: Pick<Workspace, 'story' | 'changed'>): Texts {
  return {...story.files, ...changed};
}

/** The workspace with another text of a file; what is as the story has it is no change. */
export function withText(workspace: Workspace, path: string, text: string): Workspace {
  const {[path]: _, ...others} = workspace.changed;
  return {...workspace, changed: text === workspace.story.files[path] ? others : {...others, [path]: text}};
}

/** Reads the objects that a scenario names from texts. */
export function manifestsIn(texts: Texts): KnownManifests {
  return manifestsFrom('', (name) => {
    const text = texts[name];
    if (text === undefined) throw new InputError('', `cannot read file "${name}": known are ${names(texts)}`);
    return {objects: parseYaml(text, name).flatMap(objectsIn), notes: []};
  });
}

/** Throws InputError with one sentence. */
export function scenarioOf(workspace: Workspace): Scenario {
  const texts = textsOf(workspace);
  const {scenario: path} = workspace.story;
  return bothWays(scenarioIn(parseYaml(texts[path] ?? '', path), path, manifestsIn(texts), functions));
}

/** A scenario that is told in one way is told without function-tether and with it, where it has it. */
function bothWays(scenario: Scenario): Scenario {
  const [only, second] = scenario.variants;
  const tethers = Object.entries(scenario.functions).flatMap(([name, source]) =>
    source.kind === 'builtin' && source.name === 'function-tether' ? [name] : [],
  );
  if (only === undefined || second !== undefined || tethers.length === 0) return scenario;
  const without: Variant = {...only, name: 'without function-tether', without: [...only.without, ...tethers]};
  return {...scenario, variants: [without, {...only, name: 'with function-tether'}]};
}

function names(texts: Texts): string {
  return Object.keys(texts).sort().join(', ');
}
