import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import type {Builtins} from '../functions/builtin.ts';
import {InputError} from '../input/input-error.ts';
import {timelineText} from '../report/console.ts';
import {profileNamed} from '../scenario/profile-names.ts';
import {findStories, type Story} from './find-stories.ts';
import {orderLines, storyHead, stuckLines, tellingText} from './table.ts';
import {type Telling, tellStory} from './tell-story.ts';

const storiesHelp = `tether stories tells every known bug on every Crossplane version, without and with function-tether.

  --examples FOLDER      where the stories are (examples)
  --story TEXT           only stories whose name or path contains TEXT
  --crossplane VERSION   only this version (1.16, 1.19, 1.20, 2.3, main); may be given more than once
  --seeds NUMBER         tell each so often, map order and timing varied (1)
  --grpc                 call function-tether over gRPC, served by the image's entry point
  --timeline             print the timeline of every telling that is not as expected

Exit codes: 0 every bug happened where it should and nowhere else, 1 the tool itself failed, 2 bad input, 3 not as expected.`;

const options = {
  examples: {type: 'string'},
  story: {type: 'string'},
  crossplane: {type: 'string', multiple: true},
  seeds: {type: 'string'},
  grpc: {type: 'boolean'},
  timeline: {type: 'boolean'},
  help: {type: 'boolean', short: 'h'},
} as const;

/** Tells the stories and prints the table; answers the exit code. `builtins` holds function-tether among the others. */
export async function storiesCommand(argv: readonly string[], builtins: Builtins): Promise<number> {
  try {
    return await run(argv, builtins);
  } catch (error) {
    if (error instanceof InputError) console.error(error.message);
    else console.error(`tether stories failed: ${error instanceof Error ? error.stack : String(error)}`);
    return error instanceof InputError ? 2 : 1;
  }
}

async function run(argv: readonly string[], builtins: Builtins): Promise<number> {
  const values = parsed(argv);
  if (values.help === true) {
    console.log(storiesHelp);
    return 0;
  }
  const seeds = seedsNamed(values.seeds ?? '1');
  const versions = values.crossplane?.map(profileNamed);
  const stories = chosen(findStories(values.examples ?? 'examples', builtins), values.story);
  const startedMs = Date.now();
  const tellings: Telling[] = [];
  for (const found of stories) {
    const story = values.grpc === true ? overGrpc(found) : found;
    tellings.push(...(await tellEverywhere(story, {versions, seeds, builtins, timeline: values.timeline === true})));
  }
  const wrong = tellings.filter(({problems}) => problems.length > 0).length;
  if (seeds > 1) console.log(agreementText(tellings, seeds));
  const runs = tellings.reduce((sum, telling) => sum + telling.runs, 0);
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
  console.log(`${tellings.length - wrong} as expected, ${wrong} not; ${runs} runs in ${seconds} s`);
  return wrong === 0 ? 0 : 3;
}

function agreementText(tellings: readonly Telling[], seeds: number): string {
  const differing = tellings.filter(({agrees}) => !agrees);
  if (differing.length === 0) return `all ${seeds} seeds come to the same verdicts`;
  const where = differing.map(({story, crossplane, variant}) => `${story.name} on ${crossplane}, ${variant.name}`);
  return `the seed decides in ${differing.length} of ${tellings.length}: ${where.join('; ')}`;
}

interface Everywhere {
  readonly versions: readonly ReturnType<typeof profileNamed>[] | undefined;
  readonly seeds: number;
  readonly builtins: Builtins;
  readonly timeline: boolean;
}

/** Prints each row as soon as it is known. */
async function tellEverywhere(story: Story, {versions, seeds, builtins, timeline}: Everywhere): Promise<Telling[]> {
  const tellings: Telling[] = [];
  for (const crossplane of story.crossplane.map(profileNamed)) {
    if (versions !== undefined && !versions.includes(crossplane)) continue;
    for (const variant of story.variants) {
      const telling = await tellStory(story, {crossplane, variant, builtins, seeds});
      if (tellings.length === 0) console.log(storyHead(telling));
      tellings.push(telling);
      console.log(tellingText(telling));
      if (timeline && telling.problems.length > 0) console.log(timelineText(telling.shown));
    }
  }
  const tookMs = tellings.reduce((sum, telling) => sum + telling.tookMs, 0);
  for (const line of [...orderLines(tellings), ...stuckLines(tellings)]) console.log(line);
  if (tellings.length > 0) console.log(`  (${(tookMs / 1000).toFixed(1)} s)\n`);
  return tellings;
}

/** The story with function-tether served by the command that the image starts. */
export function overGrpc(story: Story): Story {
  const main = fileURLToPath(new URL('../../main.ts', import.meta.url));
  const address = '127.0.0.1:{port}';
  const command = ['node', main, 'serve', '--insecure', '--address', address];
  const served = {kind: 'command', command, address} as const;
  return {
    ...story,
    functions: Object.fromEntries(
      Object.entries(story.functions).map(([name, source]) => [name, name === 'function-tether' ? served : source]),
    ),
  };
}

function chosen(stories: readonly Story[], text: string | undefined): readonly Story[] {
  const found = stories.filter(({name, path}) => text === undefined || name.includes(text) || path.includes(text));
  if (found.length > 0) return found;
  const known = stories.map(({name}) => name).join(', ');
  throw new InputError('', `no story is named "${text}": known are ${known}`);
}

function seedsNamed(text: string): number {
  const seeds = Number(text);
  if (Number.isSafeInteger(seeds) && seeds > 0) return seeds;
  throw new InputError('', `--seeds must be a whole number above 0, got "${text}"`);
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({args: [...argv], options}).values;
  } catch (error) {
    throw new InputError('', error instanceof Error ? error.message : String(error));
  }
}
