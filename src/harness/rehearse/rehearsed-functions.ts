// The places of the functions of a source's pipelines: a place on the command line, or this process, which has function-tether
// and, on request, models of a few others. Of programs that a source names, only packages that the caller pulled are executed. A
// function without a place is no function: a rehearsal that needs it is refused, before it begins if an XR or a claim of the
// source shows that, else at the call.

import {groupKindDefined, groupKindsDefined, isDefinition} from '../../cluster/defined-kinds.ts';
import {isObject} from '../../cluster/json.ts';
import {groupKindOf, type KubeObject} from '../../cluster/object.ts';
import {type Builtins, builtinFor, type InProcessFunction, standInNote, standIns} from '../functions/builtin.ts';
import type {FunctionSource} from '../functions/function-source.ts';
import {passThrough} from '../functions/passing.ts';
import {pipelineFunctions} from '../functions/pipeline-functions.ts';
import type {SaidPlaces} from '../functions/said-places.ts';
import {InputError} from '../input/input-error.ts';

export interface RehearsedFunctions {
  /** By the name that Compositions call: in this process, or to be called. */
  readonly parts: {readonly [name: string]: InProcessFunction | 'remote'};
  /** Those of them that Compositions name; the others are further versions of these. */
  readonly called: readonly string[];
  /** Those to be called. */
  readonly sources: {readonly [name: string]: FunctionSource};
  /** Which run as a model of the harness, and which are left out: a sentence each. */
  readonly notes: readonly string[];
}

export interface GivenFunctions {
  /** The places that a person gives, or the request to run functions from their packages. */
  readonly places: SaidPlaces;
  /** Further versions of functions, by the names that moved-functions.ts gives them; each has its place. */
  readonly versions?: readonly string[];
  /** Names of functions that are left out of every pipeline by a step: they need not run. */
  readonly without: readonly string[];
  readonly builtins: Builtins;
  /** Those that another thread calls for this one, as if they ran here. */
  readonly here?: {readonly [name: string]: InProcessFunction};
}

/** `objects` are those of the source and those that the rehearsal applies. Throws InputError. */
export function rehearsedFunctions(
  objects: readonly KubeObject[],
  {places, versions = [], without, builtins, here = {}}: GivenFunctions,
): RehearsedFunctions {
  const used = usedKinds(objects);
  const needed = new Set(objects.filter((one) => used.has(typeOf(one))).flatMap(pipelineFunctions));
  const parts: {[name: string]: InProcessFunction | 'remote'} = {};
  const sources: {[name: string]: FunctionSource} = {};
  const notes: string[] = [];
  const missing: string[] = [];
  const called = calledFunctions(objects);
  for (const name of called) {
    const source = places[name];
    const builtin = source?.kind === 'builtin' ? source.name : modelFor(name, objects, builtins);
    if (here[name] !== undefined) {
      parts[name] = here[name];
    } else if (source !== undefined && source.kind !== 'builtin') {
      parts[name] = 'remote';
      sources[name] = source;
    } else if (builtin !== undefined) {
      parts[name] = builtins[builtin] as InProcessFunction;
      if (standIns.includes(builtin)) notes.push(standInNote(name, builtin));
    } else if (without.includes(name)) {
      parts[name] = passThrough;
      notes.push(
        `not there: function "${name}", which is to be left out; no place of it is given, so it does nothing from the start`,
      );
    } else {
      parts[name] = absent(name);
      if (needed.has(name)) missing.push(name);
    }
  }
  if (missing.length > 0) throw new InputError(missingText(missing));
  for (const name of versions) {
    parts[name] = here[name] ?? 'remote';
    if (places[name] !== undefined) sources[name] = places[name];
  }
  return {parts, called, sources, notes};
}

/** The functions that the Compositions call, in order of names. */
export function calledFunctions(objects: readonly KubeObject[]): readonly string[] {
  return [...new Set(objects.flatMap(pipelineFunctions))].sort();
}

function missingText(missing: readonly string[]): string {
  const [first] = missing;
  const list = missing.map((name) => `"${name}"`).join(', ');
  return `cannot rehearse without ${missing.length === 1 ? 'function' : 'functions'} ${list}, which Compositions in use call: give --function ${first}=HOST:PORT where it listens without TLS, --function ${first}=COMMAND to start it, --run-functions to run it from its package, or --without ${first} to rehearse without it`;
}

function absent(name: string): InProcessFunction {
  return () => {
    throw new InputError(missingText([name]));
  };
}

function modelFor(name: string, objects: readonly KubeObject[], builtins: Builtins): string | undefined {
  const installed = objects.find((object) => object.kind === 'Function' && object.metadata.name === name);
  return builtinFor(name, String(installed?.spec?.['package'] ?? ''), Object.keys(builtins));
}

/** The kinds of objects that exist, and those of the XRs that claims among them get. */
function usedKinds(objects: readonly KubeObject[]): ReadonlySet<string> {
  const kinds = new Set(objects.map(groupKindOf));
  const claimed = objects.filter(isDefinition).filter((one) => groupKindsDefined(one).some((kind) => kinds.has(kind)));
  return new Set([...kinds, ...claimed.map(groupKindDefined)]);
}

/** The kind of XR that a Composition or a revision of one is for; none for another object. */
function typeOf({spec}: KubeObject): string {
  const type = spec?.['compositeTypeRef'];
  return isObject(type) ? groupKindOf({apiVersion: String(type['apiVersion']), kind: String(type['kind'])}) : '';
}
