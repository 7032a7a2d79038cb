// `tether render`: one reconcile, or many, printed as `crossplane composition render` prints it. Reads the files, runs
// src/harness/render on them, and returns the exit code. Options are in render-options.ts.

import {profiles} from '../cluster/crossplane/profiles.ts';
import type {JsonObject} from '../cluster/json.ts';
import {type Builtins, builtins} from '../harness/functions/builtin.ts';
import type {PackagedFunction} from '../harness/functions/pipeline-functions.ts';
import {readPlaces} from '../harness/functions/said-places.ts';
import {packageFunctions} from '../harness/packages/package-functions.ts';
import {removedDocuments} from '../harness/render/removed.ts';
import {
  loadComposition,
  loadContext,
  loadFunctions,
  loadObject,
  loadObjects,
  loadObserved,
} from '../harness/render/render-files.ts';
import {namesPlace} from '../harness/render/render-functions.ts';
import {type RenderDone, runRender} from '../harness/render/render-job.ts';
import {
  contextDocument,
  documentsText,
  fullXr,
  resultDocument,
  stateDocuments,
} from '../harness/render/render-output.ts';
import type {ManyRounds, Round} from '../harness/render/until-stable.ts';
import {loadDefinition} from '../harness/render/xrd-defaults.ts';
import {type CommandContext, command} from './command.ts';
import {printAside} from './print.ts';
import {progressHere} from './progress-here.ts';
import {type RenderArgs, renderArgs, renderLine} from './render-options.ts';

export const renderCommand = command(renderLine, async ({values, files}, {functions: registry}: CommandContext) => {
  const args = renderArgs(values, files);
  for (const flag of args.ignored) {
    printAside(`tether render: ${flag} has no meaning here: the reconcile runs in this process`);
  }
  const xr = loadObject(args.xr, 'an XR');
  const composition = loadComposition(args.composition, xr);
  const functions = loadFunctions(args.functions, composition, args.annotations);
  const {places, notes} = await placesFor(functions, args, registry);
  for (const note of notes) printAside(`tether render: ${note}`);
  const observed = args.observed === undefined ? {objects: [], leftOut: []} : loadObserved(args.observed, xr);
  for (const sentence of observed.leftOut) printAside(`tether render: ${sentence}`);
  const progress = progressHere();
  progress.story('render');
  const done = await runRender({
    xr,
    composition,
    functions,
    places,
    observed: observed.objects,
    others: [...args.required, ...(args.credentials === undefined ? [] : [args.credentials])].flatMap(loadObjects),
    definition: args.xrd === undefined ? undefined : loadDefinition(args.xrd),
    context: loadContext(args.contextFiles, args.contextValues),
    captureContext: args.includeContext,
    profile: profiles[args.crossplane],
    reconcilesMax: args.reconcilesMax ?? 1,
    timeoutMs: args.timeoutMs,
    builtins: registry,
    waitsFor: progress.waitsFor,
  }).finally(progress.end);
  for (const note of done.notes) printAside(`tether render: ${note}`);
  return report(done, args);
});

/** Places that no manifest gives. A function of this program never comes from a package. */
async function placesFor(functions: readonly PackagedFunction[], {places: values}: RenderArgs, registry: Builtins) {
  const called = functions.map(({name}) => name);
  const said = readPlaces(values.function, {called, builtins: Object.keys(registry)});
  if (!values['run-functions']) return {places: said, notes: []};
  const isOwn = (name: string): boolean => registry[name] !== undefined && builtins[name] === undefined;
  const packaged = functions.filter(
    (one) => said[one.name] === undefined && one.package !== '' && !namesPlace(one) && !isOwn(one.name),
  );
  const {sources, notes} = await packageFunctions(packaged);
  return {places: {...sources, ...said}, notes};
}

function report({rounds, ended, defined, context}: RenderDone, args: RenderArgs): number {
  const last = rounds.at(-1) ?? rounds[0];
  const {xr, composed, error} = last.rendered;
  if (error !== undefined) {
    printAside(`tether render: cannot render composite resource: ${error}`);
    return error.includes('returned a fatal result: ') ? 3 : 1;
  }
  const isOne = args.reconcilesMax === undefined;
  const documents = [
    ...stateDocuments(args.includeFullXr ? fullXr(defined, xr) : xr, composed),
    ...(args.includeResults ? resultsOf(rounds, isOne) : []),
    ...(args.includeRemoved ? rounds.flatMap(({observed, rendered}) => removedDocuments(observed, rendered)) : []),
    ...(args.includeContext && context !== undefined ? [contextDocument(context)] : []),
  ];
  process.stdout.write(documentsText(documents));
  if (isOne) return 0;
  printAside(`tether render: ${closing(rounds.length, ended)}`);
  return ended.kind === 'stable' ? 0 : 3;
}

/** Of several reconciles, every result carries the number of its own. */
function resultsOf(rounds: readonly Round[], isOne: boolean): readonly JsonObject[] {
  return rounds.flatMap(({rendered}, index) =>
    rendered.events.map((event) => ({...resultDocument(event), ...(isOne ? {} : {reconcile: index + 1})})),
  );
}

function closing(count: number, ended: ManyRounds['ended']): string {
  switch (ended.kind) {
    case 'stable':
      return `stable after ${count} reconciles: the last one changed nothing`;
    case 'cycle':
      return `never stable: after ${count} reconciles the state of ${ended.period} reconciles before is back`;
    case 'failed':
    case 'out-of-rounds':
      return `not stable after ${count} reconciles, which is all --max-reconciles allows`;
  }
}
