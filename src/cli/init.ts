import {existsSync, mkdirSync} from 'node:fs';
import {basename, dirname, join, relative, resolve, sep} from 'node:path';
import {profileNamed} from '../harness/control-plane/profile-names.ts';
import type {Builtins} from '../harness/functions/builtin.ts';
import {planStory, type StoryPlan} from '../harness/init/plan-story.ts';
import {filesOf} from '../harness/init/scenario-text.ts';
import {fileProblem, writeText} from '../harness/input/file-problem.ts';
import {InputError} from '../harness/input/input-error.ts';
import {readScenario} from '../harness/scenario/parse-scenario.ts';
import {complain} from './complain.ts';
import {readFlags} from './flags.ts';

// `tether init`: from a configuration's folder to a scenario that runs.

export const initHelp = `tether init [FOLDER] reads a Crossplane configuration (the folder it is called in, where none is named) and writes a
scenario about its API: an XR is created, edited, loses a resource, is backed up, lost, restored and deleted. It reads
definitions, Compositions, examples, functions.yaml and crossplane.yaml wherever they lie in the folder.

  --function NAME=WHERE  where a function of the pipeline runs: HOST:PORT, or a command that tether starts; one that does not
                         say where it listens gets --insecure --address; may be given more than once
  --crds PATH            CustomResourceDefinitions of what is composed: a folder, a glob, a file, the package.yaml of a
                         provider's package, or the package (.xpkg); may be given more than once
  --xr FILE              the example to tell the story of, where the folder has several
  --composition NAME     the Composition, where an XR has several
  --crossplane VERSION   for these versions (1.16, 1.19, 1.20, 2.3, main); may be given more than once
  -o, --output FILE      the scenario (tether/scenario.yaml in FOLDER); other files are written beside it
  --force                write over files that are there

With every function at hand it tries out what they compose, and finds an edit and a resource to remove. Without, it writes
how to start them, and leaves both to you. Kinds without a CustomResourceDefinition get an open schema, and a comment.

Example: tether init . --function function-auto-ready=localhost:9443 --crds ../provider-aws/package/crds

Exit codes: 0 written, 1 the tool itself failed, 2 bad input.`;

const options = {
  function: {type: 'string', multiple: true},
  crds: {type: 'string', multiple: true},
  xr: {type: 'string'},
  composition: {type: 'string'},
  crossplane: {type: 'string', multiple: true},
  output: {type: 'string', short: 'o'},
  force: {type: 'boolean'},
  help: {type: 'boolean', short: 'h'},
} as const;

/** Answers the exit code. `packageFolder` is where this package is installed. */
export async function initCommand(argv: readonly string[], builtins: Builtins, packageFolder: string): Promise<number> {
  try {
    return await run(argv, builtins, packageFolder);
  } catch (error) {
    return complain('init', error);
  }
}

async function run(argv: readonly string[], builtins: Builtins, packageFolder: string): Promise<number> {
  const {values, positionals} = readFlags('init', {args: [...argv], options, allowPositionals: true});
  if (values.help === true) {
    console.log(initHelp);
    return 0;
  }
  const [folder = '.', ...more] = positionals;
  if (more.length > 0) {
    throw new InputError('', `tether init takes one folder, got ${positionals.length}; see tether init --help`);
  }
  const file = values.output ?? join(folder, 'tether', 'scenario.yaml');
  const target = dirname(file);
  if (values.force !== true) refuseToOverwrite([file]);
  const plan = await planStory({
    folder,
    target,
    crds: values.crds ?? [],
    functions: values.function ?? [],
    xr: values.xr,
    composition: values.composition,
    crossplane: (values.crossplane ?? []).map(profileNamed),
    builtins,
    progress: progressOn(process.stderr),
  });
  for (const note of plan.notes) console.error(`note: ${note}`);
  const [scenario, ...others] = filesOf(plan, file, schemaFor(target, packageFolder));
  const files = [...others.map(({name, text}) => ({file: join(target, name), text})), {file, text: scenario}];
  if (values.force !== true) refuseToOverwrite(files.map((one) => one.file));
  makeFolder(target);
  for (const one of files) writeText(one.file, one.text);
  // What it cannot read itself it must not hand over.
  readScenario(file, builtins);
  tell(
    plan,
    files.map((one) => one.file),
    file,
  );
  return 0;
}

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

function tell({tried, places, setting}: StoryPlan, files: readonly string[], scenario: string): void {
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
