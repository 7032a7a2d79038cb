// `tether init`: from a configuration's folder to a scenario that runs.

import {existsSync, mkdirSync} from 'node:fs';
import {basename, dirname, join, relative, resolve, sep} from 'node:path';
import {type CommandLine, on, text, texts} from '../command-line/option-table.ts';
import {planStory, type StoryPlan} from '../harness/init/plan-story.ts';
import {filesOf} from '../harness/init/scenario-text.ts';
import {fileProblem, writeText} from '../harness/input/file-problem.ts';
import {InputError} from '../harness/input/input-error.ts';
import {readScenario} from '../harness/scenario/read-scenario.ts';
import {type CommandContext, command} from './command.ts';
import {crossplane} from './options.ts';
import {placeOptions} from './place-functions.ts';

export const initLine = {
  name: 'init',
  takes: '[FOLDER]',
  does: `reads a Crossplane configuration (the folder it is called in, where none is named) and writes a scenario
about its API: an XR is created, edited, loses a resource, is backed up, lost, restored and deleted. It reads definitions,
Compositions, examples, functions.yaml and crossplane.yaml wherever they lie in the folder.`,
  options: {
    function: placeOptions.function,
    crds: texts(
      'PATH',
      "CustomResourceDefinitions of what is composed: a folder, a glob, a file, the package.yaml of a provider's package, or the package (.xpkg); may be given more than once",
    ),
    xr: text('FILE', 'the example to write the story of, where the folder has several'),
    composition: text('NAME', 'the Composition, where an XR has several'),
    crossplane,
    output: text('FILE', 'the scenario (tether/scenario.yaml in FOLDER); other files are written beside it', {
      short: 'o',
    }),
    force: on('write over files that are there'),
  },
  more: `With every function at hand it tries out what they compose, and finds an edit and a resource to remove. Without, it writes
how to start them, and leaves both to you. Kinds without a CustomResourceDefinition get an open schema, and a comment.`,
  example: 'tether init . --function function-auto-ready=localhost:9443 --crds ../provider-aws/package/crds',
  exitCodes: '0 written, 1 the tool itself failed, 2 bad input.',
} satisfies CommandLine;

export const initCommand = command(initLine, async ({values, files: folders}, context: CommandContext) => {
  const {functions: builtins, packageFolder} = context;
  const [folder = '.', ...more] = folders;
  if (more.length > 0) {
    throw new InputError('', `tether init takes one folder, got ${folders.length}; see tether init --help`);
  }
  const file = values.output ?? join(folder, 'tether', 'scenario.yaml');
  const target = dirname(file);
  if (!values.force) refuseToOverwrite([file]);
  const plan = await planStory({
    folder,
    crds: values.crds,
    functions: values.function,
    xr: values.xr,
    composition: values.composition,
    crossplane: values.crossplane,
    builtins,
    progress: progressOn(process.stderr),
  });
  for (const note of plan.notes) console.error(`note: ${note}`);
  const [scenario, ...others] = filesOf(plan, file, schemaFor(target, packageFolder));
  const files = [...others.map(({name, text}) => ({file: join(target, name), text})), {file, text: scenario}];
  if (!values.force) refuseToOverwrite(files.map((one) => one.file));
  makeFolder(target);
  for (const one of files) writeText(one.file, one.text);
  // What it cannot read itself it must not hand over.
  readScenario(file, builtins);
  report(
    plan,
    files.map((one) => one.file),
    file,
  );
  return 0;
});

function refuseToOverwrite(files: readonly string[]): void {
  const there = files.filter((file) => existsSync(file));
  if (there.length === 0) return;
  throw new InputError('', `cannot write ${there.join(', ')}: there already; --force writes over`);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, {recursive: true});
  } catch (error) {
    throw new InputError('', `cannot make folder "${folder}": ${fileProblem(error)}`);
  }
}

const schemaFile = 'docs/scenario.schema.json';
const published = 'https://raw.githubusercontent.com/crossplane-contrib/function-tether/main/';

/** Of the package that is installed above the scenario, for editors without a network; else the published one. */
function schemaFor(target: string, packageFolder: string): string {
  const modules = dirname(packageFolder);
  const home = basename(modules) === 'node_modules' ? dirname(modules) : packageFolder;
  const isAbove = !relative(home, resolve(target)).startsWith('..');
  if (!isAbove) return `${published}${schemaFile}`;
  return relative(resolve(target), join(packageFolder, schemaFile)).split(sep).join('/');
}

function report({tried, places, setting}: StoryPlan, files: readonly string[], scenario: string): void {
  console.log(`wrote ${files.join(', ')}`);
  const crds = [...setting.crds.values()];
  const inferred = crds.filter(({from}) => from === undefined).length;
  if (inferred > 0)
    console.log(`${inferred} of ${crds.length} kinds have an open schema, made up: --crds gives their own`);
  if (tried === undefined) {
    const missing = places.filter(({source}) => source === undefined).map(({name}) => name);
    console.log(
      `start ${missing.join(' and ')} as the scenario says, or say where they run with --function, and then:`,
    );
  } else {
    if (tried.edit !== undefined) console.log(`edit: ${tried.edit.edit.what}`);
    if (tried.removal !== undefined)
      console.log(`removed: ${tried.removal.left.map(({resource}) => resource).join(', ')}`);
    for (const problem of tried.problems) console.log(`it does not come to rest: ${problem}`);
  }
  console.log(`next: tether test ${scenario}`);
}

/** One line that is written over, on a terminal alone: all of it takes seconds. */
function progressOn(stream: NodeJS.WriteStream): (what: string | undefined) => void {
  return (what) => {
    if (stream.isTTY) stream.write(`\r\u001b[K${what === undefined ? '' : `... ${what}`}`);
  };
}
