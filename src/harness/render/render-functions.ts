// Where the functions of a render run. crossplane/cli 3d72f9316 cmd/crossplane/render/{runtime,runtime_development}.go,
// without Docker: at an address, from a command, or in process.

import type {FunctionReply, RemoteCall} from '../../cluster/kernel/call.ts';
import {type Builtins, builtinFor, standInAdvice, standInNote, standIns} from '../functions/builtin.ts';
import {type FunctionPool, type OpenFunctions, openFunctions} from '../functions/function-pool.ts';
import {
  annotationRuntime,
  defaultTarget,
  developmentTarget,
  type FunctionSource,
} from '../functions/function-source.ts';
import {connectFunction} from '../functions/grpc-function.ts';
import type {PackagedFunction} from '../functions/pipeline-functions.ts';
import {InputError} from '../input/input-error.ts';

const annotationCommand = 'tether.fn.crossplane.io/render-command';
const probeTimeoutMs = 500;

interface Opening {
  readonly known: Builtins;
  readonly places: Places;
  readonly waitsFor: ((what: string | undefined) => void) | undefined;
  readonly open?: OpenFunctions;
}

export interface RenderFunctions {
  call(call: RemoteCall): Promise<FunctionReply>;
  close(): Promise<void>;
  /** Functions that run in process though their manifest names an address, a sentence each. */
  readonly notes: readonly string[];
}

/** Places of functions that win over their manifests, by name. */
export interface Places {
  readonly [name: string]: FunctionSource;
}

/** Throws InputError where a function has no place to run. */
export async function openRenderFunctions(
  functions: readonly PackagedFunction[],
  {known, places, waitsFor, open = openFunctions}: Opening,
): Promise<RenderFunctions> {
  const notes: string[] = [];
  const sources: {[name: string]: FunctionSource} = {};
  for (const one of functions) {
    const place = places[one.name];
    if (place?.kind === 'builtin' && standIns.includes(place.name)) notes.push(standInNote(one.name, place.name));
    sources[one.name] = place ?? (await reachable(one, sourceOf(one, known), {known, notes}));
  }
  const pool = await open({functions: sources, folder: '.'}, waitsFor === undefined ? {} : {waitsFor});
  return {notes, close: () => pool.close(), call: (call) => answer(call, sources[call.target], {known, pool})};
}

/** True if its own annotations give its place. */
export function namesPlace({annotations}: PackagedFunction): boolean {
  return annotations[annotationCommand] !== undefined || annotations[annotationRuntime] === 'Development';
}

async function answer(
  call: RemoteCall,
  source: FunctionSource | undefined,
  {known, pool}: {readonly known: Builtins; readonly pool: FunctionPool},
): Promise<FunctionReply> {
  if (source?.kind === 'builtin')
    return known[source.name]?.(call.request, call.service) ?? {ok: false, message: 'is not in process'};
  return pool.call(call);
}

function sourceOf(one: PackagedFunction, known: Builtins): FunctionSource {
  const {name, annotations} = one;
  const command = annotations[annotationCommand];
  const target = developmentTarget(annotations);
  if (command !== undefined) {
    const address = target ?? (command.includes('{port}') ? 'localhost:{port}' : defaultTarget);
    return {kind: 'command', command: command.trim().split(/\s+/), address};
  }
  const runtime = annotations[annotationRuntime] ?? 'Docker';
  if (runtime === 'Development') return {kind: 'address', address: target ?? defaultTarget};
  const builtin = builtinFor(one.name, one.package, Object.keys(known));
  if (builtin !== undefined) return {kind: 'builtin', name: builtin};
  const packaged = one.package === '' ? '' : ', or run it from its package with --run-functions';
  const advice = `annotate it with ${annotationRuntime}: Development or ${annotationCommand}${packaged}`;
  const list = Object.keys(known)
    .filter((known) => !standIns.includes(known))
    .join(', ');
  throw new InputError(
    `cannot run Function "${name}": no place is given for it, and it is none of ${list}; ${advice}${standInAdvice(name, one.package)}`,
  );
}

async function reachable(
  one: PackagedFunction,
  source: FunctionSource,
  {known, notes}: {readonly known: Builtins; readonly notes: string[]},
): Promise<FunctionSource> {
  const builtin = builtinFor(one.name, one.package, Object.keys(known));
  if (source.kind !== 'address' || builtin === undefined || (await answers(source.address))) return source;
  notes.push(`no server answers at ${source.address} for Function "${one.name}": the one in process runs instead`);
  return {kind: 'builtin', name: builtin};
}

async function answers(address: string): Promise<boolean> {
  try {
    (await connectFunction(address, probeTimeoutMs)).close();
    return true;
  } catch {
    return false;
  }
}
