// What has to be there before a story begins. It grows while the story's needs are learned.

import {groupKindOf, type KubeObject} from '../../cluster/object.ts';
import {isModelled} from '../manifests/plain-kinds.ts';
import {type ChosenApi, defines} from './chosen-api.ts';
import type {Configuration, Found} from './configuration.ts';
import {type GivenCrds, inferredCrd, type NeededCrd, type NeededKind} from './needed-crds.ts';

export interface Setting {
  readonly definitions: readonly Found[];
  readonly compositions: readonly Found[];
  /** By `Kind.group`. */
  readonly crds: ReadonlyMap<string, NeededCrd>;
  readonly namespaces: readonly string[];
  /** Environments are read by functions, whatever they are; other objects of a folder are examples. */
  readonly environments: readonly Found[];
}

export function settingOf(api: ChosenApi, {others}: Configuration): Setting {
  const {xr, definition, composition} = api;
  const secrets = composition.object.spec?.['writeConnectionSecretsToNamespace'];
  const named = [xr.metadata.namespace, secrets].filter((one): one is string => typeof one === 'string');
  return {
    definitions: [definition],
    compositions: [composition],
    crds: new Map(),
    namespaces: withNames([], named),
    environments: others.filter(({object}) => object.kind === 'EnvironmentConfig'),
  };
}

export function withNames(namespaces: readonly string[], names: readonly string[]): readonly string[] {
  return [...new Set([...namespaces, ...names])].filter((one) => one !== 'default').sort();
}

/** Those that nothing defines yet. */
export function unknownAmong<T extends NeededKind>(kinds: readonly T[], {crds}: Setting, {definitions}: Configuration) {
  return kinds.filter(
    (kind) =>
      !crds.has(groupKindOf(kind)) && !isModelled(kind) && !definitions.some(({object}) => defines(object, kind)),
  );
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
export function foundIn({definitions, compositions, environments}: Setting): readonly Found[] {
  return [...definitions, ...compositions, ...environments];
}

export function objectsIn(setting: Setting): readonly KubeObject[] {
  return [
    ...[...setting.crds.values()].map(({object}) => object),
    ...setting.namespaces.map((name) => ({apiVersion: 'v1', kind: 'Namespace', metadata: {name}})),
    ...foundIn(setting).map(({object}) => object),
  ];
}
