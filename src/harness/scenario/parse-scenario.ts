// A scenario from the documents of its file: its form reads it (scenario-form.ts), and this file checks names of steps and
// functions, which no form can check because they stand in two places. Throws InputError with the place.

import type {KubeObject} from '../../cluster/object.ts';
import {profileNamed} from '../control-plane/profile-names.ts';
import {connectionNotes} from '../control-plane/provider-configs.ts';
import {type Builtins, builtins, standInNotes} from '../functions/builtin.ts';
import {
  annotationRuntime,
  annotationTarget,
  defaultTarget,
  type FunctionSource,
  targetOf,
} from '../functions/function-source.ts';
import {packagedFunctions} from '../functions/pipeline-functions.ts';
import {asOneOf, type Cursor, fail, items, maybe, pathText} from '../input/cursor.ts';
import type {Read} from '../input/form.ts';
import {InputError} from '../input/input-error.ts';
import type {KnownManifests, ManifestReader} from '../input/manifests/manifest-reader.ts';
import {type PackagedKinds, withPlainKinds} from '../input/manifests/plain-kinds.ts';
import {beginningNotes} from './beginning.ts';
import {appliedBy, checkNames} from './known-names.ts';
import type {Scenario, Variant} from './scenario.ts';
import {scenarioForm} from './scenario-form.ts';

/** The scenario that a file's documents are, with every file it names. Throws InputError with one sentence. */
export function scenarioIn(
  documents: readonly Cursor[],
  file: string,
  manifests: KnownManifests,
  known: Builtins = builtins,
): Scenario {
  const [cursor, second] = documents;
  if (cursor === undefined) throw new InputError('must be a scenario, got an empty file', {place: file});
  if (second !== undefined) fail(second, 'a scenario file must hold one document, got another one');
  const scenario = parseScenario(cursor, manifests, known);
  const applied = scenario.steps.flatMap(appliedBy);
  const there = [...applied, ...(scenario.from ?? [])];
  const {objects, notes} = withPlainKinds(scenario.fixtures, there, packagedIn(scenario));
  const packaged = packagedIn(scenario)?.definitions ?? [];
  const connecting = connectionNotes([...scenario.fixtures, ...packaged], there);
  const lived = beginningNotes(scenario, profileNamed(scenario.crossplane[0] ?? 'main'));
  const given = {
    ...scenario,
    fixtures: objects,
    notes: [...standInNotes(scenario.functions), ...manifests.notes, ...notes, ...connecting, ...lived],
  };
  checkNames(given, file);
  return given;
}

/** The definitions that packages bring, with those of Providers themselves. */
function packagedIn({packages}: Scenario): PackagedKinds | undefined {
  if (packages === undefined) return undefined;
  return {definitions: Object.values(packages).flatMap(({objects}) => objects)};
}

export function parseScenario(cursor: Cursor, manifests: ManifestReader, known: Builtins = builtins): Scenario {
  const {expect, variants, ...read} = scenarioForm(manifests, Object.keys(known)).read(cursor);
  const functions = {...addressed(read.fixtures), ...read.functions};
  checkReferences(
    cursor,
    read.steps.map(({name}) => name),
    [...Object.keys(functions), ...packagedFunctions(read.fixtures).map(({name}) => name)],
  );
  return {...read, folder: manifests.folder, functions, variants: variantsOf(variants, expect)};
}

type Whole = Read<ReturnType<typeof scenarioForm>>;

/** A scenario without variants has one, with no name; what must hold in every variant stands with each. */
function variantsOf(variants: Whole['variants'], always: Whole['expect']): readonly Variant[] {
  const named = variants ?? [{name: '', without: [], expect: []}];
  return named.map((one) => ({...one, expect: [...always, ...one.expect]}));
}

/** Checks that names of steps and functions exist in the same file. */
function checkReferences(cursor: Cursor, steps: readonly string[], functions: readonly string[]): void {
  maybe(cursor, 'bug', (bug) => maybe(bug, 'after', (one) => asOneOf(one, steps)));
  for (const one of maybe(cursor, 'anyOrder', items) ?? []) asOneOf(one, steps);
  for (const one of maybe(cursor, 'operations', items) ?? []) knownFunction(one, functions);
  for (const variant of maybe(cursor, 'variants', items) ?? []) {
    for (const one of maybe(variant, 'without', items) ?? []) knownFunction(one, functions);
  }
}

function knownFunction(cursor: Cursor, known: readonly string[]): void {
  if (known.some((name) => name === cursor.value)) return;
  const all = known.length === 0 ? 'it has none' : known.join(', ');
  fail(cursor, `${pathText(cursor)} must name a function of this scenario (${all}), got "${cursor.value}"`);
}

/** Functions with their address in their own manifests, as for `crossplane render`. */
function addressed(objects: readonly KubeObject[]): {readonly [name: string]: FunctionSource} {
  const found = objects.flatMap(({kind, metadata}) => {
    const {[annotationRuntime]: runtime, [annotationTarget]: said} = metadata.annotations ?? {};
    const target = said ?? (runtime === 'Development' ? defaultTarget : undefined);
    return kind !== 'Function' || target === undefined
      ? []
      : [[metadata.name, {kind: 'address', address: targetOf(target)} as const] as const];
  });
  return Object.fromEntries(found);
}
