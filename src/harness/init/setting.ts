// The objects that have to exist before a story begins. More are added while the needs of the story are found.

import {at, isList} from '../../cluster/json.ts';
import {groupKindOf, type KubeObject} from '../../cluster/object.ts';
import {isModelled} from '../input/manifests/plain-kinds.ts';
import {type ChosenApi, defines} from './chosen-api.ts';
import type {Configuration, Found} from './configuration.ts';
import type {Naming} from './naming.ts';
import {type GivenCrds, inferredCrd, type NeededCrd, type NeededKind, servesAll} from './needed-crds.ts';
import {writtenEnvironments} from './required-objects.ts';
import type {Externals, Shown, Stage} from './trial.ts';

export interface Setting {
  readonly definitions: readonly Found[];
  readonly compositions: readonly Found[];
  /** By `Kind.group`. */
  readonly crds: ReadonlyMap<string, NeededCrd>;
  readonly namespaces: readonly string[];
  /** Objects that the pipelines read; all other objects of a folder are examples. */
  readonly required: readonly Found[];
  readonly naming: Naming;
  /** Given by the author, by kind or kind and group. */
  readonly shows: {readonly [kind: string]: Shown};
}

export function settingOf(api: ChosenApi, configuration: Configuration, shows: Setting['shows'] = {}): Setting {
  const {xr, definition, composition, siblings, near} = api;
  const secrets = composition.object.spec?.['writeConnectionSecretsToNamespace'];
  const named = [xr.metadata.namespace, secrets].filter((one): one is string => typeof one === 'string');
  return {
    definitions: [definition],
    compositions: [composition, ...siblings],
    crds: new Map(),
    namespaces: withNames([], named),
    required: writtenEnvironments(configuration, composition.object, near),
    naming: {},
    shows,
  };
}

export function withNames(namespaces: readonly string[], names: readonly string[]): readonly string[] {
  return [...new Set([...namespaces, ...names])].filter((one) => one !== 'default').sort();
}

/** Those that nothing defines yet, or that a made-up definition does not serve in all their versions. */
export function unknownAmong<T extends NeededKind>(kinds: readonly T[], {crds}: Setting, {definitions}: Configuration) {
  return kinds.filter((kind) => {
    const known = crds.get(groupKindOf(kind));
    if (known !== undefined) return known.from === undefined && !servesAll(known, kind);
    return !isModelled(kind) && !definitions.some(({object}) => defines(object, kind));
  });
}

/** `inNamespace`: what the XR composes is in its namespace. */
export function withKinds(
  setting: Setting,
  kinds: readonly NeededKind[],
  given: GivenCrds,
  inNamespace: boolean,
): Setting {
  const more = kinds.map((kind) => [groupKindOf(kind), given.find(kind) ?? inferredCrd(kind, inNamespace)] as const);
  return {...setting, crds: new Map([...setting.crds, ...more])};
}

/** Files in the order they are applied. */
export function foundIn({definitions, compositions, required}: Setting): readonly Found[] {
  return [...definitions, ...compositions, ...required];
}

/** True if the definition is of a kind that a provider manages. */
export function isManaged(crd: KubeObject | undefined): boolean {
  const categories = at(crd, ['spec', 'names', 'categories']);
  return isList(categories) && categories.includes('managed');
}

export function stageOf(setting: Setting): Stage {
  return {fixtures: objectsIn(setting), externals: externalsOf(setting)};
}

/** The forms stand with the kind that has a name giver: the entry of a kind and group hides that of the kind. */
export function externalsOf(setting: Setting): Externals {
  const {naming, shows} = setting;
  const named = Object.entries(naming).map(([groupKind, {namedBy}]) => {
    const form = shows[groupKind] ?? shows[groupKind.split('.', 1).join()];
    return [groupKind, {namedBy, ...(form === undefined ? {} : {shows: form})}] as const;
  });
  const idle = uncomposedForms(setting);
  const forms = Object.entries(shows).flatMap(([kind, form]) => {
    const isNamed = Object.keys(naming).some((one) => isOfKind(kind, one));
    return isNamed || idle.includes(kind) ? [] : [[kind, {shows: form}] as const];
  });
  return Object.fromEntries([...forms, ...named]);
}

/** The kinds with a form that nothing composes. */
export function uncomposedForms({shows, crds}: Setting): readonly string[] {
  return Object.keys(shows).filter((kind) => ![...crds.keys()].some((one) => isOfKind(kind, one)));
}

/** `kind` may leave out the group. */
function isOfKind(kind: string, groupKind: string): boolean {
  return groupKind === kind || groupKind.startsWith(`${kind}.`);
}

export function objectsIn(setting: Setting): readonly KubeObject[] {
  return [
    ...[...setting.crds.values()].map(({object}) => object),
    ...setting.namespaces.map((name) => ({apiVersion: 'v1', kind: 'Namespace', metadata: {name}})),
    ...foundIn(setting).map(({object}) => object),
  ];
}
