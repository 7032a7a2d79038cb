// Runs the beginning of a story again and again, with the kinds, nested APIs and namespaces that the run before
// missed, until it misses none. Then looks for an edit and a removal.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import {equal} from '../../cluster/json.ts';
import {groupKindOf, isTrue, type KubeObject} from '../../cluster/object.ts';
import {deletesExternal} from '../../cluster/provider/policies.ts';
import {leadsTo} from '../control-plane/oracle/externals.ts';
import type {Builtins} from '../functions/builtin.ts';
import type {OpenFunctions} from '../functions/function-pool.ts';
import type {FunctionSource} from '../functions/function-source.ts';
import {InputError} from '../input/input-error.ts';
import {type ChosenApi, compositionsOf, defines, distinct} from './chosen-api.ts';
import type {Configuration, Found} from './configuration.ts';
import {type FoundEdit, type FoundRemoval, findEdit, findRemoval} from './find-changes.ts';
import type {Place} from './function-places.ts';
import {namingIn} from './naming.ts';
import type {GivenCrds, NeededKind} from './needed-crds.ts';
import {absentIn, requiredIn} from './required-objects.ts';
import {isManaged, type Setting, stageOf, unknownAmong, withKinds, withNames} from './setting.ts';
import {openTrials, resourceNameOf, type Trial, type Trials} from './trial.ts';

export interface Trying {
  readonly configuration: Configuration;
  readonly api: ChosenApi;
  readonly given: GivenCrds;
  readonly crossplane: ProfileName;
  readonly builtins: Builtins;
  readonly progress: (what: string | undefined) => void;
  /** Where the functions run that these Compositions call. */
  readonly placesFor: (compositions: readonly Found[]) => Promise<readonly Place[]>;
  /** By what they are opened, if they are kept open. */
  readonly openFunctions?: OpenFunctions;
}

export interface Tried {
  readonly edit: FoundEdit | undefined;
  readonly removal: FoundRemoval | undefined;
  readonly isReady: boolean;
  /** External resources that were created. */
  readonly creates: number;
  /** Composed resources. */
  readonly composes: number;
  /** Composed resources whose policies keep the external resource when the XR is deleted. */
  readonly keeps: readonly string[];
  /** External resources that are there once the XR is deleted. */
  readonly kept: number;
  /** Objects that functions ask for and no file has. */
  readonly absent: readonly string[];
  /** Why the XR does not come to rest: a sentence each. */
  readonly problems: readonly string[];
}

/** Throws InputError where a function is not there or the API server refuses the XR. */
export async function tryOut(
  begun: Setting,
  trying: Trying,
): Promise<{readonly setting: Setting; readonly tried: Tried}> {
  const {api, progress} = trying;
  try {
    const {trials, setting, last, absent} = await learn(begun, trying);
    try {
      const attempt = (...changes: readonly KubeObject[]): Promise<Trial> =>
        trials.run(stageOf(setting), api.xr, changes);
      const {isReady, problems} = last;
      const creates = last.creates.at(-1) ?? 0;
      const composes = last.composed.at(-1)?.size ?? 0;
      const seen = {isReady, creates, composes, absent, problems};
      if (problems.length > 0) return {setting, tried: {...nothingFound, ...seen, keeps: [], kept: 0}};
      progress('looking for an edit');
      const edit = await findEdit(api.xr, api.definition.object, attempt);
      progress('looking for a resource to remove');
      const compositions = setting.compositions.map(({object}) => object);
      const edited = edit?.edit.xr;
      const removal = await findRemoval(edited ?? api.xr, compositions, (change) =>
        edited === undefined ? attempt(change) : attempt(edited, change),
      );
      return {setting, tried: {edit, removal, ...seen, ...keptOutside(last)}};
    } finally {
      await trials.close();
    }
  } finally {
    progress(undefined);
  }
}

/** The setting with every kind, nested API and namespace that the XR needs. Throws InputError as tryOut does. */
export async function learnSetting(begun: Setting, trying: Trying): Promise<Pick<Learned, 'setting' | 'absent'>> {
  try {
    const {trials, setting, absent} = await learn(begun, trying);
    await trials.close();
    return {setting, absent};
  } finally {
    trying.progress(undefined);
  }
}

const nothingFound = {edit: undefined, removal: undefined};
const roundsMax = 10;

interface Learned {
  readonly trials: Trials;
  readonly setting: Setting;
  readonly last: Trial;
  /** Objects that functions ask for and no file has. */
  readonly absent: readonly string[];
}

async function learn(begun: Setting, trying: Trying): Promise<Learned> {
  const {api, configuration} = trying;
  let setting = begun;
  let trials = await open(setting, trying);
  try {
    for (let round = 1; ; round++) {
      trying.progress(`running what ${api.xr.kind} composes`);
      const last = await trials.run(stageOf(setting), api.xr);
      const next = grown(setting, last, trying);
      const absent = absentIn(configuration, last.required);
      if (next === setting || round === roundsMax) return {trials, setting, last, absent};
      const isNested = next.compositions.length > setting.compositions.length;
      setting = next;
      if (!isNested) continue;
      await trials.close();
      trials = await open(setting, trying);
    }
  } catch (error) {
    await trials.close();
    throw errorOf(error, api, configuration.folder);
  }
}

/** The API server's refusal of the XR is a mistake in the configuration, in the example that was chosen, or in values that are made up. */
function errorOf(error: unknown, {isMadeUp, xr, notes}: ChosenApi, folder: string): unknown {
  if (!(error instanceof Error) || !error.message.startsWith('cannot apply ')) return error;
  const advice = `its values are made up, and no tool can guess a pattern: put an example of ${xr.kind} into the folder`;
  const place = isMadeUp || error instanceof InputError ? '' : `in "${folder}": `;
  return new InputError(`${place}${[error.message, ...(isMadeUp ? [advice] : notes)].join('; ')}`);
}

/** The same setting where the trial missed nothing. */
function grown(setting: Setting, trial: Trial, {configuration, api, given}: Trying): Setting {
  const kinds = kindsOf(trial);
  const known = new Set(setting.definitions.map(({object}) => object.metadata.name));
  const isNew = ({object}: Found): boolean =>
    !known.has(object.metadata.name) && kinds.some((kind) => defines(object, kind));
  const definitions = distinct(configuration.definitions.filter(isNew), api.near);
  const unknown = unknownAmong(kinds, setting, configuration);
  const namespaces = withNames(setting.namespaces, missedNamespaces(trial));
  const required = requiredIn(configuration, trial.required, api.near);
  const more = {
    ...setting,
    namespaces,
    definitions: [...setting.definitions, ...definitions],
    compositions: [...setting.compositions, ...definitions.flatMap((one) => compositionsOf(configuration, one))],
    required,
  };
  const next = withKinds(more, unknown, given, api.isNamespaced);
  const naming = namingIn(trial.desired, (kind) => isManaged(next.crds.get(kind)?.object));
  const isSame =
    definitions.length + unknown.length === 0 &&
    namespaces.length === setting.namespaces.length &&
    equal(namesOf(required), namesOf(setting.required)) &&
    equal(naming, setting.naming);
  return isSame ? setting : {...next, naming};
}

function namesOf(found: readonly Found[]): readonly string[] {
  return found.map(({file, object}) => `${file} ${object.kind} ${object.metadata.name}`).sort();
}

/** By the policies of the composed resources themselves. One that is not synced has no external resource: nothing else fails here. */
function keptOutside({composed}: Trial): Pick<Tried, 'keeps' | 'kept'> {
  const synced = [...(composed.at(-1)?.values() ?? [])].filter((object) => isTrue(object, 'Synced'));
  const keeping = synced.filter((object) => !deletesExternal(object));
  // Two resources may be about one external resource: one of them makes it, the other only observes.
  const deleted = new Set(synced.filter(deletesExternal).map(externalOf));
  const kept = new Set(keeping.map(externalOf).filter((external) => !deleted.has(external)));
  return {keeps: keeping.map(resourceNameOf).sort(), kept: kept.size};
}

function externalOf(object: KubeObject): string {
  return `${object.kind} ${leadsTo(object) ?? object.metadata.name}`;
}

/** Also what functions require is of a kind that has to be served. */
function kindsOf({desired, required}: Trial): readonly NeededKind[] {
  const composed = [...desired.values()].map((objects) => {
    const [first] = objects;
    return {apiVersion: String(first?.['apiVersion']), kind: String(first?.['kind']), composed: objects};
  });
  const read = required.map(({apiVersion, kind}) => ({apiVersion, kind, composed: []}));
  return [...composed, ...read.filter((one) => !desired.has(groupKindOf(one)))];
}

function missedNamespaces({problems}: Trial): readonly string[] {
  const found = problems.flatMap((problem) => [...problem.matchAll(/namespaces "([^"]+)" not found/g)]);
  return found.map(([, name = '']) => name);
}

async function open(
  {compositions}: Setting,
  {placesFor, builtins, crossplane, progress, openFunctions}: Trying,
): Promise<Trials> {
  const functions = (await placesFor(compositions)).map(({name, source, image}): [string, FunctionSource] => {
    if (source !== undefined) return [name, source];
    const what = image === undefined ? '' : ` (${image})`;
    throw new InputError(
      `a composed API calls function "${name}"${what}: say where it runs, --function ${name}=HOST:PORT`,
    );
  });
  const called = {functions: Object.fromEntries(functions), folder: '.', builtins, crossplane};
  return openTrials({...called, waitsFor: progress, open: openFunctions});
}
