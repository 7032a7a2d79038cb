// The workspace of the playground: a story, a Crossplane version, and the changed texts of its files. A run follows from it
// alone, so a link, an export and an undo keep nothing else.

import type {ProfileName} from '../../src/cluster/crossplane/profiles.ts';
import {runFunction} from '../../src/function/run.ts';
import {type Builtins, builtins} from '../../src/harness/functions/builtin.ts';
import {harnessMemoryKey} from '../../src/harness/functions/memory-key.ts';
import {InputError} from '../../src/harness/input/input-error.ts';
import {objectsIn} from '../../src/harness/input/manifests/kube-object.ts';
import {type KnownManifests, manifestsFrom} from '../../src/harness/input/manifests/manifest-reader.ts';
import {parseYaml} from '../../src/harness/input/yaml.ts';
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
    if (text === undefined) throw new InputError(`cannot read file "${name}": known are ${names(texts)}`);
    return {objects: parseYaml(text, name).flatMap(objectsIn), notes: []};
  });
}

/** Throws InputError with one sentence. */
export function scenarioOf(workspace: Workspace): Scenario {
  const texts = textsOf(workspace);
  const {scenario: path} = workspace.story;
  return bothWays(scenarioIn(parseYaml(texts[path] ?? '', path), path, manifestsIn(texts), functions));
}

/** A sentence about the step that applies another text over the objects of an edited file; undefined if no step does. */
export function overwrittenSentence(workspace: Workspace, path: string): string | undefined {
  const texts = textsOf(workspace);
  if (path === workspace.story.scenario) return undefined;
  const edited = idsIn(texts[path] ?? '', path);
  const [cursor] = parseYaml(texts[workspace.story.scenario] ?? '', workspace.story.scenario);
  const {steps} = (cursor?.value ?? {}) as {
    readonly steps?: readonly {readonly name?: string; readonly apply?: unknown}[];
  };
  for (const {name, apply} of steps ?? []) {
    const files = [apply].flat().filter((one) => typeof one === 'string' && one !== path) as readonly string[];
    const over = files.find((file) => idsIn(texts[file] ?? '', file).some((id) => edited.includes(id)));
    if (over !== undefined) return `The step "${name ?? over}" applies ${over} over ${path}: change that file, too.`;
  }
  return undefined;
}

/** Kind and name of the objects in a file; none if it cannot be read. */
function idsIn(text: string, path: string): readonly string[] {
  try {
    return parseYaml(text, path)
      .flatMap(objectsIn)
      .map(({apiVersion, kind, metadata}) => `${apiVersion} ${kind} ${metadata?.name}`);
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
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
