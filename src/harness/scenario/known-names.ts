// A misspelled name must never pass in silence. Which kinds a story can know is written in its files: the platform's
// own, those of its CustomResourceDefinitions, and what its CompositeResourceDefinitions define.

import {nativeKinds} from '../../cluster/api/native/native-kinds.ts';
import {crossplaneKinds} from '../../cluster/crossplane/kinds/crossplane-kinds.ts';
import {profiles} from '../../cluster/crossplane/profiles.ts';
import {
  groupKindDefined,
  groupKindsDefined,
  isDefinition,
  kindDefined,
  kindsDefined,
} from '../../cluster/defined-kinds.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {Selector} from '../control-plane/catalogue.ts';
import {isManagedCrd, referringFields} from '../control-plane/managed-kinds.ts';
import {kindsIn} from '../control-plane/operator/action.ts';
import {packagedFunctions} from '../functions/pipeline-functions.ts';
import {kindsAskedFor} from '../input/cel-text.ts';
import {nearest} from '../input/cursor.ts';
import {InputError} from '../input/input-error.ts';
import type {Expectation, Expected, Scenario, Step} from './scenario.ts';

const platformKinds = [
  'Namespace',
  'Secret',
  'ConfigMap',
  'CustomResourceDefinition',
  'CompositeResourceDefinition',
  'Composition',
  'CompositionRevision',
  'ManagedResourceDefinition',
  'ManagedResourceActivationPolicy',
  'Operation',
  'CronOperation',
  'WatchOperation',
  'Function',
  'FunctionRevision',
  'Usage',
  'ClusterUsage',
];

/** Those of Kubernetes and of Crossplane that few compose are taken, and not listed. */
const unlisted: ReadonlySet<string> = new Set(
  [...nativeKinds, ...Object.values(profiles).flatMap(crossplaneKinds)].map(({kind}) => kind),
);

/** Throws InputError at the first unknown kind, step or function. */
export function checkNames(scenario: Scenario, file: string): void {
  checkKinds(scenario, file);
  const steps = scenario.steps.map(({name}) => name);
  for (const {what, place} of allExpectations(scenario)) {
    if (what.kind === 'untouched') requireName('step', what.since, steps, place);
  }
  const functions = [...Object.keys(scenario.functions), ...packagedFunctions(scenario.fixtures).map(({name}) => name)];
  const backups = scenario.steps.flatMap(({action}) => (action?.kind === 'backup' ? (action.name ?? []) : []));
  for (const {action, place} of scenario.steps) {
    const backup = action?.kind === 'restore' ? action.options.backup : undefined;
    if (backup !== undefined) requireName('backup', backup, backups, place);
    const fault = action?.kind === 'fault' ? action.fault : undefined;
    if (fault?.kind === 'function') requireName('function', fault.name, functions, place);
  }
}

function requireName(what: string, name: string, known: readonly string[], place: string): void {
  if (known.includes(name)) return;
  const near = nearest(name, known);
  const list = known.join(', ') || 'none';
  const cure = what.endsWith('kind') ? '; what defines it belongs in `fixtures`' : '';
  const advice = near === undefined ? `known are ${list}${cure}` : `did you mean "${near}"?`;
  throw new InputError(`unknown ${what} "${name}": ${advice}`, {place});
}

function allExpectations({steps, variants}: Scenario): readonly Expectation[] {
  return [...steps.flatMap(expectationsOf), ...variants.flatMap(({expect}) => expect)];
}

function checkKinds(scenario: Scenario, file: string): void {
  const packaged = Object.values(scenario.packages ?? {}).flatMap(({objects}) => objects);
  const applied = [...(scenario.from ?? []), ...scenario.fixtures, ...packaged, ...scenario.steps.flatMap(appliedBy)];
  const packageKinds = scenario.packages === undefined ? [] : ['Provider', 'ProviderRevision'];
  const definitions = applied.filter(isDefinition);
  const known = new Set([...platformKinds, ...packageKinds, ...definitions.flatMap(kindsDefined)]);
  const withGroup = new Set(definitions.flatMap(groupKindsDefined));
  const check = (kind: string, place: string): void => {
    if (!unlisted.has(kind)) requireName('kind', kind, [...(kind.includes('.') ? withGroup : known)].sort(), place);
  };
  for (const {kind, metadata} of scenario.fixtures) check(kind, `${file}: fixture ${kind} "${metadata.name}"`);
  const begun = [...(scenario.from ?? []), ...scenario.fixtures, ...packaged];
  checkProvider(scenario.provider, begun, `${file}: provider`);
  for (const {action, place} of scenario.steps) {
    for (const kind of action === undefined ? [] : kindsIn(action)) check(kind, place);
  }
  for (const {holds, place} of scenario.explore.properties) for (const kind of kindsAskedFor(holds)) check(kind, place);
  for (const {what, place} of allExpectations(scenario)) {
    const target = targetOf(what);
    if (target !== undefined) check(target.kind, place);
    if (what.kind === 'holds') for (const kind of kindsAskedFor(what.cel)) check(kind, place);
  }
}

/**
 * Throws InputError at the first kind, or `Kind.group`, that is no managed one of these objects, and at the first field of
 * `references` that refers to nothing in them: the hint would do nothing.
 */
export function checkProvider(
  {async, references, externals, kinds}: Pick<Scenario['provider'], 'async' | 'references' | 'externals' | 'kinds'>,
  objects: readonly KubeObject[],
  place: string,
): void {
  const managed = objects.filter(isManagedCrd);
  const named = {
    async,
    references: references.map(({kind}) => kind),
    externals: Object.keys(externals),
    kinds: Object.keys(kinds),
  };
  for (const [field, words] of Object.entries(named)) {
    for (const word of words) {
      const known = managed.map(word.includes('.') ? groupKindDefined : kindDefined);
      requireName('managed kind', word, known, `${place}.${field}`);
    }
  }
  const referring = new Set(managed.flatMap(referringFields).map(({field}) => field));
  for (const {field} of references) requireName('reference field', field, [...referring].sort(), `${place}.references`);
}

export function appliedBy({action}: Step): readonly KubeObject[] {
  return action?.kind === 'apply' || action?.kind === 'create' ? action.objects : [];
}

export function expectationsOf({wait, expect}: Step): readonly Expectation[] {
  return wait?.kind === 'until' ? [wait.expect, ...expect] : expect;
}

/** The objects an expectation is about. */
export function targetOf(what: Expected): Selector | undefined {
  switch (what.kind) {
    case 'match':
    case 'exists':
    case 'absent':
    case 'deleting':
    case 'condition':
    case 'count':
    case 'holds':
      return what.target;
    default:
      return undefined;
  }
}
