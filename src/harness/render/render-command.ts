import {profiles} from '../../cluster/crossplane/profiles.ts';
import type {JsonObject} from '../../cluster/json.ts';
import {WireError} from '../../wire/wire-error.ts';
import {type Builtins, builtins} from '../functions/builtin.ts';
import {InputError} from '../input/input-error.ts';
import {driveWith} from '../session/session.ts';
import {contextFunction, withContextSteps} from './composition-context.ts';
import {identifiedXr} from './identified-xr.ts';
import type {RenderInput} from './reconcile-once.ts';
import {removedDocuments} from './removed.ts';
import {parseRenderArgs, type RenderArgs, renderHelp} from './render-args.ts';
import {loadComposition, loadContext, loadFunctions, loadObject, loadObjects} from './render-files.ts';
import {openRenderFunctions} from './render-functions.ts';
import {contextDocument, documentsText, fullXr, resultDocument, stateDocuments} from './render-output.ts';
import {type ManyRounds, type Round, reconcileUntilStable} from './until-stable.ts';
import {defineXr} from './xrd-defaults.ts';

/** `tether render`. Answers the exit code. */
export async function renderCommand(argv: readonly string[], registry: Builtins = builtins): Promise<number> {
  try {
    const args = parseRenderArgs(argv);
    if (args !== undefined) return await render(args, registry);
    console.log(renderHelp);
    return 0;
  } catch (error) {
    const isInput = error instanceof InputError || error instanceof WireError;
    console.error(isInput ? error.message : `tether render failed: ${(error as Error).stack}`);
    return isInput ? 2 : 1;
  }
}

async function render(args: RenderArgs, registry: Builtins): Promise<number> {
  for (const flag of args.ignored)
    console.error(`tether render: ${flag} has no meaning here: nothing is downloaded or run in containers`);
  const file = loadObject(args.xr, 'an XR');
  const composition = loadComposition(args.composition, file);
  const profile = profiles[args.crossplane];
  const functions = loadFunctions(args.functions, composition, args.annotations);
  const steps = withContextSteps(composition, loadContext(args.contextFiles, args.contextValues), args.includeContext);
  const legacy = profile.definitionApi === 'v1' ? 'legacy' : 'modern';
  const defined = args.xrd === undefined ? ({xr: file, schema: legacy} as const) : defineXr(file, args.xrd, profile);
  const input: RenderInput = {
    xr: identifiedXr(defined.xr),
    schema: defined.schema,
    composition: steps.composition,
    observed: args.observed === undefined ? [] : loadObjects(args.observed),
    others: [...args.required, ...(args.credentials === undefined ? [] : [args.credentials])].flatMap(loadObjects),
    profile,
  };
  const open = await openRenderFunctions(functions, registry, `${profile.functionService}.FunctionRunnerService`);
  for (const note of open.notes) console.error(`tether render: ${note}`);
  try {
    const drive = driveWith(reconcileUntilStable(input, args.reconcilesMax ?? 1), async (call) =>
      call.target === contextFunction ? steps.call(call.request) : open.call(call),
    );
    const many = await within(drive, args.timeoutMs);
    return report(many, {args, defined: defined.xr, context: steps.captured()});
  } finally {
    await open.close();
  }
}

interface Reporting {
  readonly args: RenderArgs;
  readonly defined: RenderInput['xr'];
  readonly context: JsonObject | undefined;
}

function report({rounds, ended}: ManyRounds, {args, defined, context}: Reporting): number {
  const last = rounds.at(-1) ?? rounds[0];
  const {xr, composed, error} = last.rendered;
  if (error !== undefined) {
    console.error(`tether render: cannot render composite resource: ${error}`);
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
  console.error(`tether render: ${closing(rounds.length, ended)}`);
  return ended.kind === 'stable' ? 0 : 3;
}

/** Of many reconciles every result says of which it is. */
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

async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new InputError('', `cannot render within ${timeoutMs / 1000} s; see --timeout`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
