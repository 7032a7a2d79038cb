// `tether init`: from a configuration's folder to a scenario that runs, or to one for each of its APIs. It runs the story that
// it wrote, and writes into it what does not come true.

import {existsSync} from 'node:fs';
import {basename, dirname, join, relative, resolve, sep} from 'node:path';
import {type CommandLine, many, on, text, texts} from '../command-line/option-table.ts';
import {apiName, apisOf, compositionsOf} from '../harness/init/chosen-api.ts';
import {type Configuration, readConfiguration} from '../harness/init/configuration.ts';
import {type InitOptions, notComposed, planStory, type StoryPlan} from '../harness/init/plan-story.ts';
import {withRecorded} from '../harness/init/recorded-answers.ts';
import {runStory} from '../harness/init/run-story.ts';
import {filesOf, idleKinds} from '../harness/init/scenario-text.ts';
import {uncomposedForms} from '../harness/init/setting.ts';
import {makeFolder, writeText} from '../harness/input/file-problem.ts';
import {InputError} from '../harness/input/input-error.ts';
import {type CommandContext, command} from './command.ts';
import {checkBeside, crossplane, type GivenOptions} from './options.ts';
import {placeOptions} from './place-functions.ts';
import {print, printAside} from './print.ts';
import {progressHere} from './progress-here.ts';

export const initLine = {
  name: 'init',
  takes: '[FOLDER]',
  does: `reads a Crossplane configuration (the folder it is called in, where none is named) and writes a scenario
about its API: an XR is created, edited, loses a resource, is backed up, lost, restored and deleted. It reads definitions,
Compositions, examples, functions.yaml and crossplane.yaml wherever they lie in the folder.`,
  options: {
    api: text('KIND', 'the API to write the story of, if the folder has several: Kind or Kind.group'),
    all: on('write a scenario for each API of the folder: tether/KIND/scenario.yaml'),
    function: placeOptions.function,
    'run-functions': placeOptions['run-functions'],
    recorded: texts(
      'FILE',
      'what `crossplane render` printed for an XR: it stands in for the functions of the Composition; may be given more than once',
    ),
    crds: texts(
      'PATH',
      "CustomResourceDefinitions of what is composed: a folder, a glob, a file, the package.yaml of a provider's package, or the package (.xpkg); may be given more than once",
    ),
    shows: many(
      'KIND.FIELD=FORM',
      'a field of status.atProvider as a real provider shows it, for a function that parses it: ServiceAccount.id=projects/p/serviceAccounts/{id}; {id} stands for the identifier; may be given more than once',
      formOfField,
    ),
    xr: text('FILE', 'the example to write the story of, where the folder has several'),
    composition: text('NAME', 'the Composition, where an XR has several'),
    crossplane,
    output: text('FILE', 'the scenario (tether/scenario.yaml in FOLDER); other files are written beside it', {
      short: 'o',
    }),
    force: on('write over files that are there'),
  },
  more: `With every function at hand it tries out what they compose, finds an edit and a resource to remove, and runs the
whole story that it wrote. Without, it leaves both to you. Kinds without a CustomResourceDefinition get an open schema, and a
comment.`,
  example: 'tether init . --function function-auto-ready=localhost:9443 --crds ../provider-aws/package/crds',
  exitCodes: '0 written, 1 the tool itself failed, 2 bad input.',
} satisfies CommandLine;

interface FormOfField {
  readonly kind: string;
  readonly field: string;
  readonly form: string;
}

function formOfField(given: string): FormOfField {
  const [, kind, field, form] = /^([^=]+)\.(\w+)=(.+)$/.exec(given) ?? [];
  if (kind === undefined || field === undefined || form === undefined) {
    throw new InputError(`--shows must be KIND.FIELD=FORM, such as Account.id=accounts/{id}, got "${given}"`);
  }
  return {kind, field, form};
}

function shownBy(forms: readonly FormOfField[]): InitOptions['shows'] {
  const kinds = Map.groupBy(forms, ({kind}) => kind);
  return Object.fromEntries(
    [...kinds].map(([kind, fields]) => [kind, Object.fromEntries(fields.map(({field, form}) => [field, form]))]),
  );
}

type InitValues = GivenOptions<(typeof initLine)['options']>['values'];

export const initCommand = command(initLine, async ({values, files: folders, named}, context: CommandContext) => {
  const [folder = '.'] = folders;
  if (values.all)
    checkBeside(named, 'all', ['function', 'run-functions', 'recorded', 'crds', 'shows', 'crossplane', 'force']);
  const home = join(folder, 'tether');
  const file = values.output ?? join(home, 'scenario.yaml');
  if (!values.all && !values.force) refuseToOverwrite([file]);
  const configuration = withRecorded(readConfiguration(folder), values.recorded);
  for (const note of configuration.notes) printAside(`note: ${note}`);
  if (values.all) return writeAll(configuration, home, values, context);
  await writeStory(configuration, {file, mayOverwrite: values.force}, optionsFor(values, context), context);
  return 0;
});

function optionsFor(values: InitValues, {functions: builtins}: CommandContext): InitOptions {
  const progress = progressHere();
  return {
    crds: values.crds,
    functions: values.function,
    shows: shownBy(values.shows),
    api: values.api,
    xr: values.xr,
    composition: values.composition,
    crossplane: values.crossplane,
    runsPackages: values['run-functions'],
    builtins,
    progress: (what) => (what === undefined ? progress.end() : progress.story(what)),
  };
}

/** A scenario for each API that has a Composition; for each other one a line gives the reason. */
async function writeAll(
  configuration: Configuration,
  home: string,
  values: InitValues,
  context: CommandContext,
): Promise<number> {
  const options = optionsFor(values, context);
  const apis = apisOf(configuration).filter((one) => compositionsOf(configuration, one).length > 0);
  let written = 0;
  let idle = Object.keys(options.shows);
  for (const definition of apis) {
    const api = apiName(configuration, definition);
    const file = join(home, api.toLowerCase(), 'scenario.yaml');
    try {
      if (!values.force) refuseToOverwrite([file]);
      const one = {...options, api, takesFirst: true};
      const {setting, tried} = await writeStory(configuration, {file, mayOverwrite: values.force}, one, context);
      // It is not known what an API composes whose functions did not run.
      const uncomposed = tried === undefined ? [] : uncomposedForms(setting);
      idle = idle.filter((kind) => uncomposed.includes(kind));
      written++;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      printAside(`no scenario of ${api}: ${error.message}`);
    }
  }
  print(`${written} of ${apisOf(configuration).length} APIs have a scenario`);
  if (written > 0 && idle[0] !== undefined) throw notComposed(idle[0]);
  return written === 0 ? 2 : 0;
}

interface Target {
  readonly file: string;
  readonly mayOverwrite: boolean;
}

async function writeStory(
  configuration: Configuration,
  {file, mayOverwrite}: Target,
  options: InitOptions,
  {functions: builtins, packageFolder}: CommandContext,
): Promise<StoryPlan> {
  const plan = await planStory(configuration, options);
  for (const note of plan.notes) printAside(`note: ${note}`);
  const target = dirname(file);
  const schema = schemaFor(target, packageFolder);
  const [scenario, ...others] = filesOf(plan, file, schema);
  const files = [...others.map(({name, text}) => ({file: join(target, name), text})), {file, text: scenario}];
  if (!mayOverwrite) refuseToOverwrite(files.map((one) => one.file));
  makeFolder(target);
  for (const one of files) writeText(one.file, one.text);
  const outcomes = plan.tried === undefined ? [] : await runStory(file, plan, builtins, options.progress);
  if (outcomes.some(({failed}) => failed !== undefined)) writeText(file, filesOf({...plan, outcomes}, file, schema)[0]);
  report(
    {...plan, outcomes},
    files.map((one) => one.file),
    file,
  );
  return plan;
}

function refuseToOverwrite(files: readonly string[]): void {
  const there = files.filter((file) => existsSync(file));
  if (there.length === 0) return;
  throw new InputError(`cannot write ${there.join(', ')}: there already; --force writes over`);
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

function report(plan: StoryPlan, files: readonly string[], scenario: string): void {
  const {tried, places, setting} = plan;
  print(`wrote ${files.join(', ')}`);
  const crds = [...setting.crds.values()];
  const inferred = crds.filter(({from}) => from === undefined).length;
  if (inferred > 0) print(`${inferred} of ${crds.length} kinds have an open schema, made up: --crds gives their own`);
  const idle = idleKinds(setting);
  if (idle.length > 0)
    print(`no controller acts on ${idle.join(', ')}: copy the configuration of an XR among them into the folder`);
  if (tried !== undefined) {
    if (tried.edit !== undefined) print(`edit: ${tried.edit.edit.what}`);
    if (tried.removal !== undefined) print(`removed: ${tried.removal.left.map(({resource}) => resource).join(', ')}`);
    for (const line of outcomeLines(plan)) print(line);
  }
  const open = places.filter(({source}) => source === undefined).map(({name}) => ` --function ${name}=PLACE`);
  const packaged = places.some(({isPackaged}) => isPackaged === true) ? ' --run-functions' : '';
  print(`next: tether test ${scenario}${packaged}${open.join('')}`);
}

function outcomeLines({tried, outcomes = []}: StoryPlan): readonly string[] {
  const hollow = new Set(outcomes.flatMap((one) => one.hollow));
  return [
    ...(tried?.problems ?? []).map((problem) => `it does not come to rest: ${problem}`),
    ...outcomes.flatMap(({crossplane, failed}) =>
      failed === undefined
        ? []
        : [`on Crossplane ${crossplane} "${failed.step}" does not come true: ${failed.why.join('; ')}`],
    ),
    ...[...hollow].map((one) => `the story shows less than it seems to: ${one}`),
    ...(hollow.size === 0 ? [] : (tried?.absent ?? [])).map((one) => `a function asks for ${one}, which no file has`),
  ];
}
