// Where the functions of a source's pipelines run: where the command line says, or in this process, where function-tether
// and models of a few others are. Nothing that a source names is executed but what the caller has had pulled from its
// package (`packaged`). A function that nobody gave is no function: a
// rehearsal that would need it is refused, and one that calls it all the same is answered with an error.

import {isList, isObject} from '../../cluster/json.ts';
import {groupKindOf, type KubeObject} from '../../cluster/object.ts';
import type {Builtins, InProcessFunction} from '../functions/builtin.ts';
import type {FunctionSource} from '../functions/function-source.ts';
import {targetOf} from '../functions/function-source.ts';
import {passing} from '../functions/passing.ts';
import {InputError} from '../input/input-error.ts';

export interface RehearsedFunctions {
  /** By the name that Compositions call: in this process, or to be called. */
  readonly parts: {readonly [name: string]: InProcessFunction | 'remote'};
  /** Those to be called. */
  readonly sources: {readonly [name: string]: FunctionSource};
  /** Which run as a model of the harness, and which are left out: a sentence each. */
  readonly notes: readonly string[];
}

export interface GivenFunctions {
  /** `NAME=ADDRESS`, `NAME=COMMAND` or `NAME=BUILTIN`. */
  readonly given: readonly string[];
  /** Those that run from the packages that the source names, because a person asked for that. */
  readonly packaged?: {readonly [name: string]: FunctionSource};
  /** Names of functions that are left out of every pipeline by a step: they need not run. */
  readonly without: readonly string[];
  readonly builtins: Builtins;
}

/** `objects` are those of the source and those that the rehearsal applies. Throws InputError. */
export function rehearsedFunctions(
  objects: readonly KubeObject[],
  {given, packaged = {}, without, builtins}: GivenFunctions,
): RehearsedFunctions {
  const said = new Map(given.map((text) => functionGiven(text, builtins)));
  const compositions = compositionsIn(objects);
  const called = new Set(compositions.flatMap(pipelineOf));
  for (const name of said.keys()) requireCalled(name, called);
  const needed = new Set(compositions.filter((one) => isUsed(one, objects)).flatMap(pipelineOf));
  const parts: {[name: string]: InProcessFunction | 'remote'} = {};
  const sources: {[name: string]: FunctionSource} = {};
  const notes: string[] = [];
  const missing: string[] = [];
  for (const name of [...called].sort()) {
    const source = said.get(name) ?? packaged[name];
    const builtin = source?.kind === 'builtin' ? source.name : builtinFor(name, objects, builtins);
    if (source !== undefined && source.kind !== 'builtin') {
      parts[name] = 'remote';
      sources[name] = source;
    } else if (builtin !== undefined) {
      parts[name] = builtins[builtin] as InProcessFunction;
      if (!originals.includes(builtin))
        notes.push(`not the original: function "${name}" is the harness's model of ${builtin}`);
    } else if (without.includes(name)) {
      parts[name] = passing;
      notes.push(
        `not there: function "${name}", which is to be left out and nobody gave; from the start it does nothing`,
      );
    } else {
      parts[name] = absent(name);
      if (needed.has(name)) missing.push(name);
    }
  }
  if (missing.length > 0) throw new InputError('', missingText(missing));
  return {parts, sources, notes};
}

/** Those that are no model of another program. */
const originals: readonly string[] = ['function-tether', 'function-static', 'passing'];

function missingText(missing: readonly string[]): string {
  const [first] = missing;
  const list = missing.map((name) => `"${name}"`).join(', ');
  return `cannot rehearse without ${missing.length === 1 ? 'function' : 'functions'} ${list}, which Compositions in use call: give --function ${first}=HOST:PORT where it listens without TLS, --function ${first}="COMMAND {port}" to start it, --run-functions to run it from its package, or --without ${first} to rehearse without it`;
}

function absent(name: string): InProcessFunction {
  return () => ({ok: false, message: `the rehearsal has no function "${name}": no XR of the source used it`});
}

function requireCalled(name: string, called: ReadonlySet<string>): void {
  if (called.has(name)) return;
  const known = [...called].sort().join(', ') || 'none';
  throw new InputError('', `no Composition calls a function "${name}": called are ${known}`);
}

/** Names of functions that Compositions call and `given` names no place for. Throws InputError. */
export function unplacedNames(
  objects: readonly KubeObject[],
  {given, without, builtins}: GivenFunctions,
): readonly string[] {
  const placed = new Set([...given.map((text) => functionGiven(text, builtins)[0]), ...without]);
  return [...new Set(compositionsIn(objects).flatMap(pipelineOf))].filter((name) => !placed.has(name));
}

/** Throws InputError. */
function functionGiven(text: string, builtins: Builtins): readonly [string, FunctionSource] {
  const [, name = '', place = ''] = /^([^=\s]+)=(.+)$/s.exec(text.trim()) ?? [];
  if (name === '') {
    throw new InputError('', `--function must look like NAME=HOST:PORT or NAME="COMMAND {port}", got "${text}"`);
  }
  if (Object.hasOwn(builtins, place)) return [name, {kind: 'builtin', name: place}];
  const words = place.trim().split(/\s+/);
  if (words.length === 1 && /:\d+$/.test(place)) return [name, {kind: 'address', address: targetOf(place)}];
  if (!place.includes('{port}')) {
    throw new InputError(
      '',
      `--function ${name} must be an address HOST:PORT, a command with {port} in it or one of ${Object.keys(builtins).join(', ')}, got "${place}"`,
    );
  }
  return [name, {kind: 'command', command: words, address: '127.0.0.1:{port}'}];
}

/** By its name, or by the last part of its package's. */
function builtinFor(name: string, objects: readonly KubeObject[], builtins: Builtins): string | undefined {
  const installed = objects.find((object) => object.kind === 'Function' && object.metadata.name === name);
  const repository = /([^/:@]+)(?:[:@][^/]*)?$/.exec(String(installed?.spec?.['package'] ?? ''))?.[1];
  return [name, repository].find((one) => one !== undefined && Object.hasOwn(builtins, one));
}

function compositionsIn(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.filter(({kind}) => kind === 'Composition' || kind === 'CompositionRevision');
}

export function pipelineOf({spec}: KubeObject): readonly string[] {
  const pipeline = spec?.['pipeline'];
  if (!isList(pipeline)) return [];
  return pipeline.flatMap((step) => {
    const ref = isObject(step) ? step['functionRef'] : undefined;
    return isObject(ref) && typeof ref['name'] === 'string' ? [ref['name']] : [];
  });
}

/** Whether an XR of the Composition's kind is there. */
function isUsed({spec}: KubeObject, objects: readonly KubeObject[]): boolean {
  const type = spec?.['compositeTypeRef'];
  if (!isObject(type)) return false;
  const wanted = groupKindOf({apiVersion: String(type['apiVersion']), kind: String(type['kind'])});
  return objects.some((object) => groupKindOf(object) === wanted);
}
