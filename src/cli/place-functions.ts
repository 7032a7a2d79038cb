// The command line's additions to a scenario: places of functions (given, or, if asked for, the packages that their manifests name), and
// a loaded control plane.

import {isMainThread} from 'node:worker_threads';
import {on, texts} from '../command-line/option-table.ts';
import {type Builtins, standInNotes} from '../harness/functions/builtin.ts';
import {versionName} from '../harness/functions/function-source.ts';
import {packagedFunctions, pipelineFunctions} from '../harness/functions/pipeline-functions.ts';
import {readPlaces} from '../harness/functions/said-places.ts';
import {packageFunctions} from '../harness/packages/package-functions.ts';
import {functionMoves} from '../harness/scenario/function-moves.ts';
import {appliedBy} from '../harness/scenario/known-names.ts';
import type {Scenario} from '../harness/scenario/scenario.ts';
import {printAside} from './print.ts';

export const placeOptions = {
  function: texts(
    'NAME=PLACE',
    'where a function runs, whatever the files say: HOST:PORT without TLS, a command that is started, with --insecure --address where it does not say itself where it listens, or the name of one that is built in; may be given more than once',
  ),
  'run-functions': on(
    'run functions of the pipeline without a place from their packages (spec.package): pulled by digest, and started on this machine as you, or in a container where they need one',
  ),
};

export const loaded = on('the control plane is loaded: watch events arrive late, and circuit breakers open');

export interface PlaceValues {
  readonly loaded: boolean;
  readonly function: readonly string[];
  readonly 'run-functions': boolean;
}

/** The scenario with those places, and a note for each function that comes from its package. Throws InputError. */
export async function placedScenario(scenario: Scenario, values: PlaceValues, builtins: Builtins): Promise<Scenario> {
  const applied = [...scenario.fixtures, ...scenario.steps.flatMap(appliedBy)];
  const called = [...new Set(applied.flatMap(pipelineFunctions))];
  const known = [...new Set([...Object.keys(scenario.functions), ...called])];
  const said = readPlaces(values.function, {called: known, builtins: Object.keys(builtins)});
  const functions = {...scenario.functions, ...said};
  const asked = values.loaded ? {...scenario, loaded: true} : scenario;
  const placed = {...asked, functions, notes: [...standInNotes(said), ...(scenario.notes ?? [])]};
  if (!values['run-functions']) return placed;
  const unplaced = packagedFunctions(applied).filter(
    ({name}) => called.includes(name) && functions[name] === undefined,
  );
  const versions = functionMoves({...scenario, functions})
    .map((move) => ({...move, name: versionName(move.name, move.package), of: move.name}))
    .filter(({name, of}) => called.includes(of) && functions[of] === undefined && functions[name] === undefined);
  const {sources, notes} = await packageFunctions([...unplaced, ...versions]);
  return {...placed, functions: {...functions, ...sources}, notes: [...placed.notes, ...notes]};
}

/** Prints the notes of a scenario once, even if several threads read it for one command. */
export function sayNotes({notes = []}: Scenario): void {
  if (isMainThread) for (const note of notes) printAside(`note: ${note}`);
}

/** The options as a person would type them; '' for none. */
export function placeFlags(values: PlaceValues): string {
  const said = values.function.map((text) => ` --function '${text}'`);
  const asked = (['loaded', 'run-functions'] as const).filter((name) => values[name]).map((name) => ` --${name}`);
  return [...said, ...asked].join('');
}
