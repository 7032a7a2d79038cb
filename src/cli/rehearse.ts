// `tether rehearse SOURCE`: reads the source and the options, has it rehearsed, and prints what came of it.

import type {KubeObject} from '../cluster/object.ts';
import type {GivenOption} from '../command-line/option-table.ts';
import {inDefaultNamespace} from '../harness/control-plane/standing/default-namespace.ts';
import {isXr} from '../harness/control-plane/standing/xrs.ts';
import {calledFunctions as calledFromHere, mustBeCalled, runCalling} from '../harness/explore/called-functions.ts';
import {packagedFunctions} from '../harness/functions/pipeline-functions.ts';
import {readPlaces, type SaidPlaces} from '../harness/functions/said-places.ts';
import {withoutValuesOf} from '../harness/input/conceal/secret-values.ts';
import {writeText} from '../harness/input/file-problem.ts';
import {InputError} from '../harness/input/input-error.ts';
import {readSource} from '../harness/input/source/read-source.ts';
import type {Source} from '../harness/input/source/source.ts';
import {packageFunctions} from '../harness/packages/package-functions.ts';
import {lostKinds} from '../harness/rehearse/composed.ts';
import type {FaultSearches} from '../harness/rehearse/fault-search.ts';
import {type Finding, findingKinds, findingsOf} from '../harness/rehearse/findings.ts';
import {type MovedFunction, movedFunctions, movedText, versionsOf} from '../harness/rehearse/moved-functions.ts';
import {planJson} from '../harness/rehearse/plan-json.ts';
import {planText} from '../harness/rehearse/plan-text.ts';
import type {Change, RestoreSetup} from '../harness/rehearse/rehearsal-steps.ts';
import {rehearsalStory} from '../harness/rehearse/rehearsal-story.ts';
import {type Rehearsal, type RehearseOptions, rehearse} from '../harness/rehearse/rehearse.ts';
import {calledFunctions, rehearsedFunctions} from '../harness/rehearse/rehearsed-functions.ts';
import {restoreKindsOf} from '../harness/rehearse/restore-parts.ts';
import {outcomeText, restorePlanText, triedText} from '../harness/rehearse/restore-plan-text.ts';
import {searchRestore} from '../harness/rehearse/restore-search.ts';
import {concealedResult} from '../harness/report/concealed-result.ts';
import {timelineText} from '../harness/report/console.ts';
import {visible} from '../harness/report/visible.ts';
import {checkReportFiles, writeReport, writeReports} from '../harness/report/write-reports.ts';
import {type CommandContext, command} from './command.ts';
import {checkNeeds} from './options.ts';
import {paintHere, print, printAside} from './print.ts';
import {progressHere} from './progress-here.ts';
import {changesIn} from './rehearse-changes.ts';
import {checkExplored, inOneRun, printFaults, replayPath, searchedFaults, wasCutOff} from './rehearse-explore.ts';
import {type RehearseValues, rehearseLine} from './rehearse-options.ts';
import {searchShared, shardOptions, type Work} from './shards.ts';

const ofVelero = [
  'existing-resource-policy',
  'status-include-resources',
  'include-resources',
  'exclude-resources',
  'restore-resource-priorities',
];
const ofRestore = ['onto', 'stopped', ...ofVelero];

export const rehearseCommand = command(rehearseLine, async (given, context: CommandContext) => {
  const {values, files, named, order, argv} = given;
  const {functions: builtins, explain: decide, entry} = context;
  const [file = ''] = files;
  checkValues(values, named);
  const read = await readSource(file);
  const source = {...read, objects: inDefaultNamespace(read.objects, read.objects)};
  checkOrder(order);
  const edits = changesIn(order, source.objects);
  if (edits.filter(({kind}) => kind === 'restore').length > 1) {
    throw new InputError('--restore may be given once: a source is one backup');
  }
  if (values.plan !== undefined) checkLived(source);
  const objects = [...source.objects, ...edits.flatMap((change) => (change.kind === 'apply' ? change.objects : []))];
  const {places, moved, pulled} = await placesOf({source, edits, objects}, values, Object.keys(builtins));
  const versions = versionsOf(moved.filter(({name}) => pulled.includes(name))).map(({name}) => name);
  const options: RehearseOptions = {
    crossplane: values.crossplane ?? 'main',
    ...(values.seed === undefined ? {} : {seed: values.seed}),
    loaded: values.loaded,
    ...(values['provider-runtime'] === undefined ? {} : {runtime: values['provider-runtime']}),
    changes: edits,
    restore: restoreOf(values, source.objects),
    functions: {places, versions, without: values.without, builtins, here: calledFromHere()},
    decide,
    record: values.html !== undefined,
    progress: progressHere(),
    title: file,
    notes: [...sourceNotes(source), ...moved.map((move) => movedText(move, pulled)), ...changeNotes(edits)],
  };
  if (!values.explore) {
    const found = report(await rehearse(source, options), values);
    return values.plan === undefined ? found : await writePlan(source, options, values.plan);
  }
  const functions = rehearsedFunctions(objects, options.functions);
  const placed = {functions: functions.sources, folder: '.'};
  if (mustBeCalled(placed, {})) return runCalling(entry, ['rehearse', ...argv], placed, {});
  const story = rehearsalStory(source, functions, options);
  if (values.path !== undefined) return replayPath(story, values.path, values);
  const rehearsal = await rehearse(source, options);
  const faults = await searchShared<FaultSearches, FaultSearches>(values, workOf(source, edits, given, context), {
    search: async (share) => searchedFaults(story, values, findingsOf(rehearsal), share),
    written: (found) => found,
    together: inOneRun,
  });
  if (faults === undefined) return 0;
  const found = report(rehearsal, values, faults);
  if (values.json !== '-') printFaults(faults, file, order, values);
  return found === 0 && wasCutOff(faults) ? 1 : found;
});

/** Options without a part in the search. */
const ofReport = ['json', 'html', 'timeline', 'fail-on', ...Object.keys(shardOptions)];

function workOf(
  source: Source,
  edits: readonly Change[],
  {values}: {readonly values: RehearseValues},
  {entry}: CommandContext,
): Work {
  const options = Object.entries(values).filter(([name]) => !ofReport.includes(name));
  return {command: 'rehearse', of: [source.objects, edits, options], entry};
}

/** Throws InputError for options that do not go together. */
function checkValues(values: RehearseValues, named: readonly string[]): void {
  for (const option of [...ofRestore, 'plan']) checkNeeds(named, option, 'restore');
  if (values.plan !== undefined) checkPlanned(values);
  checkExplored(values, named);
  checkReportFiles(values);
  if (values.timeline && values.json === '-') {
    throw new InputError('--timeline and --json - would both be printed: give one');
  }
  const foreign = values.restore === 'velero' ? undefined : ofVelero.find((option) => named.includes(option));
  if (foreign !== undefined) throw new InputError(`--${foreign} is Velero's, got --restore ${values.restore}`);
  const both = values.without.find((name) => name === values.with);
  if (both !== undefined) throw new InputError(`--with ${both} and --without ${both} contradict each other: give one`);
}

/** Throws InputError for a comparison that would be none: what comes after the restore has no part in it. */
function checkOrder(order: readonly GivenOption[]): void {
  const restored = order.findIndex(({name}) => name === 'restore');
  const late = order.find(
    ({name}, index) => restored >= 0 && index > restored && (name === 'with' || name === 'without'),
  );
  if (late === undefined) return;
  const how = late.name === 'without' ? 'with that function' : 'without that function';
  throw new InputError(
    `--${late.name} ${late.value} stands after --restore, so the restore would run ${how}: give it before --restore`,
  );
}

function checkPlanned({restore, onto = 'empty'}: RehearseValues): void {
  if (restore === 'velero' && onto === 'empty') return;
  throw new InputError('--plan is for a restore by Velero onto a new cluster: give --restore velero --onto empty');
}

/** Checks that the source has all objects of the restore: the plan names them. Throws InputError. */
function checkLived({objects}: Source): void {
  const young = objects.find((object) => isXr(object, objects) && object.metadata.uid === undefined);
  if (young === undefined) return;
  throw new InputError(
    `--plan needs a backup or dump of a control plane: ${young.kind} "${young.metadata.name}" has no uid, so what it composes is not in the source`,
  );
}

/** Looks for a restore that passes, and writes what was found: exit code 3 where none does. */
async function writePlan(source: Source, options: RehearseOptions, file: string): Promise<number> {
  const kinds = restoreKindsOf(source, options.restore.lost);
  const {record: _, progress: __, ...quiet} = options;
  const search = await searchRestore({
    base: options,
    kinds,
    objects: source.objects,
    seed: options.seed ?? 1,
    rehearse: (one, {seed, toolCallMs}) =>
      rehearse(source, {...quiet, ...one, seed, ...(toolCallMs === undefined ? {} : {toolCallMs})}),
    onTried: (tried) => printAside(triedText(tried)),
  });
  writeText(file, visible(restorePlanText(search, {source, kinds, crossplane: options.crossplane})), 'restore plan');
  print(`\n${outcomeText(search, file)}`);
  return search.passed === undefined ? 3 : 0;
}

interface Edited {
  readonly source: Source;
  readonly edits: readonly Change[];
  /** Those of the source and those that are applied. */
  readonly objects: readonly KubeObject[];
}

interface Places {
  readonly places: SaidPlaces;
  readonly moved: readonly MovedFunction[];
  /** Functions that run from their packages, here or in the thread that calls them for this one. */
  readonly pulled: readonly string[];
}

/** The places of given and of pulled functions. Throws InputError. */
async function placesOf(
  {source, edits, objects}: Edited,
  values: RehearseValues,
  builtins: readonly string[],
): Promise<Places> {
  const called = calledFunctions(objects);
  const said = readPlaces(values.function, {called, builtins});
  const moved = movedFunctions(source.objects, edits, called);
  const unplaced = called.filter((name) => said[name] === undefined && !values.without.includes(name));
  if (!values['run-functions']) return {places: said, moved, pulled: []};
  // A step may name the package that a function moves to: the first one is that of the source.
  const first = new Map(
    packagedFunctions(objects)
      .map((one) => [one.name, one] as const)
      .reverse(),
  );
  const versions = versionsOf(moved.filter(({name}) => unplaced.includes(name)));
  const here = calledFromHere();
  const wanted = [...unplaced.flatMap((name) => first.get(name) ?? []), ...versions];
  const {sources, notes} = await packageFunctions(wanted.filter(({name}) => here[name] === undefined));
  for (const note of notes) printAside(`note: ${note}`);
  return {places: {...sources, ...said}, moved, pulled: unplaced};
}

/** The gaps in what is known of the steps. */
function changeNotes(changes: readonly Change[]): readonly string[] {
  return changes.flatMap((change) => (change.kind === 'apply' ? (change.notes ?? []) : []));
}

/** The objects that reading the source left aside. */
function sourceNotes({notes}: Source): readonly string[] {
  return notes.notUnderstood.map(({why, count, first}) => `not read: ${count} (${why}), the first at ${first}`);
}

function report(rehearsal: Rehearsal, values: RehearseValues, faults?: FaultSearches): number {
  const findings = [...findingsOf(rehearsal), ...findingsOfFaults(faults)];
  const wanted = values['fail-on'].length === 0 ? findingKinds : values['fail-on'].flat();
  const grave = findings.filter(({kind}) => wanted.includes(kind));
  const {result} = rehearsal;
  if (values.json !== '-') {
    const withoutValues = withoutValuesOf([...rehearsal.before.objects, ...result.objects]);
    if (values.timeline) print(withoutValues(`${timelineText(result)}\n`));
    print(withoutValues(planText(rehearsal, undefined, paintHere())));
  }
  writeReport(values.json, () => planJson(rehearsal, faults));
  const failures = grave.map(({kind, text}) => ({place: 'the rehearsal', step: kind, message: text}));
  if (values.html !== undefined) writeReports([concealedResult({...result, failures})], {html: values.html});
  return grave.length > 0 ? 3 : 0;
}

function findingsOfFaults(faults: FaultSearches | undefined): readonly Finding[] {
  const found = faults?.searches.flatMap((search) => search.found.flatMap(({findings}) => findings)) ?? [];
  return [...(faults?.faultless ?? []), ...found];
}

function restoreOf(values: RehearseValues, objects: readonly KubeObject[]): RestoreSetup {
  const {restore: tool = 'velero', onto = 'empty', stopped = []} = values;
  const options = {
    existingResourcePolicy: values['existing-resource-policy'],
    statusOf: values['status-include-resources'],
    resources: values['include-resources'],
    exclude: values['exclude-resources'],
    priorities: values['restore-resource-priorities'],
  };
  const said = Object.entries(options).filter(([, value]) => value !== undefined);
  return {tool, onto, stopped, options: Object.fromEntries(said), ...lostKinds(objects)};
}
