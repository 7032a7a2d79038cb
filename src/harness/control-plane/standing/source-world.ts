// A simulated control plane in the state of a source: its kinds, its objects as they are (uids, owner references, status,
// finalizers, managed fields), the cloud behind its managed resources, the clock after the newest time in it. Objects without a
// uid were never in a cluster. If they have a status, the uid was removed, and they get another. Else they are manifests and are
// created. Nothing is checked that an API server had checked when it took the object.

import {coreKinds} from '../../../cluster/api/core-kinds.ts';
import {type CloudConfig, defaultConfig} from '../../../cluster/cloud/cloud-config.ts';
import {cloudModel} from '../../../cluster/cloud/cloud-ledger.ts';
import {crossplaneKinds, installedFunction} from '../../../cluster/crossplane/kinds/crossplane-kinds.ts';
import {type ProfileName, profiles} from '../../../cluster/crossplane/profiles.ts';
import {groupKindDefined, kindDefined} from '../../../cluster/defined-kinds.ts';
import {isList, isObject, type Json} from '../../../cluster/json.ts';
import type {Process} from '../../../cluster/kernel/process.ts';
import type {World} from '../../../cluster/kernel/world.ts';
import {groupKindOf, type KubeObject, shortName} from '../../../cluster/object.ts';
import type {ManagedKind} from '../../../cluster/provider/managed-kind.ts';
import {managedProvider} from '../../../cluster/provider/managed-provider.ts';
import {type KnownSecrets, noSecrets} from '../../../cluster/provider/provider-config.ts';
import {listed} from '../../input/listed.ts';
import type {ControlPlaneParts} from '../control-plane.ts';
import {withExisting} from '../existing-externals.ts';
import {type ManagedKindHints, managedKindsOf} from '../managed-kinds.ts';
import {configKindsOf, configsOfRuntime, type ProviderRuntime} from '../provider-configs.ts';
import {inDefaultNamespace} from './default-namespace.ts';
import {externalIdOf, nameGiverOf, newPrefix, withExternals} from './external-resources.ts';
import {filledServer} from './filled-server.ts';
import {foundReferences} from './references.ts';
import {isCrd, kindsOf} from './source-kinds.ts';
import {asSimulated, functionOf, standIns} from './source-objects.ts';

/** The input of a rehearsal about its source. */
export interface RehearsedSource {
  readonly objects: readonly KubeObject[];
  /** The newest moment in it. */
  readonly asOfMs: number;
}

export interface SourceWorld extends Pick<ControlPlaneParts, 'provider' | 'cloud'> {
  readonly from: (fresh: World) => World;
  /** Parts of it that are not modelled, a sentence each. */
  readonly notes: readonly string[];
}

export interface SourceWorldOptions {
  readonly crossplane: ProfileName;
  /** Every function that may be called: those whose package the source does not have are installed. */
  readonly functions: readonly string[];
  /** The crossplane-runtime of providers: see the field of a scenario. */
  readonly runtime?: ProviderRuntime;
  /** How long the cloud takes; part of a second unless set. */
  readonly cloud?: CloudConfig;
  /** Facts about managed kinds that no object shows. */
  readonly hints?: ManagedKindHints;
  /** Objects that come later: the kinds among them that they define are managed, too. */
  readonly further?: readonly KubeObject[];
}

const promptCloud: CloudConfig = {...defaultConfig, createDelayMs: 100, deleteDelayMs: 300};
const noHints: ManagedKindHints = {async: [], references: [], externals: {}};

/** How long after the newest time it is. */
const laterMs = 60_000;

export function sourceWorld(
  {objects: given, asOfMs}: RehearsedSource,
  {
    crossplane,
    functions,
    runtime = '2.3',
    cloud: config = promptCloud,
    hints = noHints,
    further = [],
  }: SourceWorldOptions,
): SourceWorld {
  const profile = profiles[crossplane];
  const modelled = [...coreKinds, ...crossplaneKinds(profile)];
  const names = new Set(modelled.map(({group, kind}) => (group === '' ? kind : `${kind}.${group}`)));
  const placed = inDefaultNamespace(given, given);
  const own = placed.filter((object) => !(isCrd(object) && names.has(groupKindDefined(object))));
  const owners = standIns(own);
  const kinds = kindsOf([...own, ...owners], names, profile);
  const namespaces = namedNamespaces(own);
  const others = [...own, ...owners, ...namespaces].filter((object) => !isCrd(object)).map(asSimulated);
  const objects = [...kinds.crds, ...others, ...missingFunctions(others, functions, crossplane)];
  const managedKinds = managedKindsHere([...kinds.crds, ...kinds.open, ...further], others, hints);
  const nowMs = asOfMs + laterMs;
  const cloud = cloudModel({...config, idPrefix: newPrefix});
  const stored = others.map((object) => inVersionOf(managedKinds, object));
  const filled = withExternals(cloud.initial, managedKinds, stored, nowMs);
  return {
    provider: managedProvider({
      name: 'provider',
      kinds: managedKinds,
      configs: configsOfRuntime(runtime, configKindsOf([...kinds.crds, ...further], others)),
      secrets: secretsIn(others),
    }) as unknown as Process<never>,
    cloud: {...cloud, initial: withExisting(filled.ledger, hints, nowMs)},
    notes: [
      ...kinds.notes,
      ...filled.notes,
      ...ownerNotes(owners),
      ...namespaceNotes(namespaces),
      ...unmanagedNotes(stored, managedKinds),
      ...secretNotes(given),
    ],
    from: (fresh) => {
      // A source without any time is of now.
      const beginMs = Math.max(fresh.nowMs, nowMs);
      return {...fresh, nowMs: beginMs, server: filledServer(fresh.server, kinds.open, objects, beginMs)};
    },
  };
}

/** A source may lack Secrets on purpose: only one that it has can be missed later. */
function secretsIn(objects: readonly KubeObject[]): KnownSecrets {
  const there = objects.filter((object) => groupKindOf(object) === 'Secret');
  return {...noSecrets, made: new Set(there.map(({metadata}) => metadata.name))};
}

function managedKindsHere(
  crds: readonly KubeObject[],
  objects: readonly KubeObject[],
  hints: ManagedKindHints,
): readonly ManagedKind[] {
  // upjet generates `initProvider`, and its clients work in the background by default (crossplane/upjet 0709592
  // pkg/config/common.go DefaultResource).
  const generated = crds.filter((crd) => JSON.stringify(crd.spec?.['versions'] ?? []).includes('"initProvider"'));
  const async = generated.map((crd) => kindDefined(crd));
  const references = foundReferences(objects.filter(({spec}) => spec?.['forProvider'] !== undefined));
  const known = {
    async: [...hints.async, ...async],
    references: [...hints.references, ...references],
    externals: hints.externals,
  };
  return managedKindsOf(crds, known).map((kind) => {
    const stored = objects.map((object) => inVersionOf([kind], object));
    const hinted = hints.externals[groupKindOf(kind)] ?? hints.externals[kind.kind];
    return {...kind, namedBy: hinted?.namedBy ?? nameGiverOf(kind, stored)};
  });
}

/** The object as the provider of its kind reads it: conversion changes no shape here. */
function inVersionOf(kinds: readonly ManagedKind[], object: KubeObject): KubeObject {
  const kind = kinds.find((one) => one.kind === object.kind && groupKindOf(one) === groupKindOf(object));
  return kind === undefined || kind.apiVersion === object.apiVersion
    ? object
    : {...object, apiVersion: kind.apiVersion};
}

function missingFunctions(objects: readonly KubeObject[], functions: readonly string[], crossplane: ProfileName) {
  const there = new Set(objects.filter(({kind}) => kind === 'FunctionRevision').map(functionOf));
  const missing = functions.filter((name) => !there.has(name));
  const installed = missing.flatMap((name) => installedFunction(name, name, profiles[crossplane]));
  const names = new Set(objects.filter(({kind}) => kind === 'Function').map(({metadata}) => metadata.name));
  return installed.filter(({kind, metadata}) => kind !== 'Function' || !names.has(metadata.name));
}

function ownerNotes(owners: readonly KubeObject[]): readonly string[] {
  if (owners.length === 0) return [];
  const names = owners.map(shortName);
  return [
    `not in the source: ${listed(names, 4)}, which own objects that are; they are taken to be there, and no controller acts on them`,
  ];
}

function secretNotes(objects: readonly KubeObject[]): readonly string[] {
  const count = objects.filter((object) => groupKindOf(object) === 'Secret').length;
  if (count === 0) return [];
  const [what, they] = count === 1 ? ['1 Secret holds', 'it'] : [`${count} Secrets hold`, 'them'];
  return [`not known: what ${what}, which is not read; what a step changes in ${they} is not shown`];
}

function unmanagedNotes(objects: readonly KubeObject[], kinds: readonly ManagedKind[]): readonly string[] {
  const names = new Set(kinds.map(groupKindOf));
  const nameless = objects.filter((object) => names.has(groupKindOf(object)) && externalIdOf(object) === undefined);
  if (nameless.length === 0) return [];
  return [
    `not known: whether ${nameless.length} managed resource${nameless.length === 1 ? ' has' : 's have'} something in the cloud already (no external name, never seen); taken for not created yet: ${nameless
      .slice(0, 4)
      .map(shortName)
      .join(', ')}${nameless.length > 4 ? ' ...' : ''}`,
  ];
}

// Namespaces that a source names and does not hold. The manifests of a configuration name the namespace of a connection
// Secret and leave the namespace itself to the platform; a backup of a cluster has its namespaces. So a source without any
// Namespace is completed, and the plan has a note of it.

/** The namespaces that the objects name, if no Namespace is among them. */
function namedNamespaces(objects: readonly KubeObject[]): readonly KubeObject[] {
  if (objects.some((object) => groupKindOf(object) === 'Namespace')) return [];
  const names = new Set(objects.flatMap(namesIn));
  return [...names]
    .filter((name) => !standing.has(name))
    .sort()
    .map((name) => ({apiVersion: 'v1', kind: 'Namespace', metadata: {name}}));
}

const standing: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);
const fields: ReadonlySet<string> = new Set(['namespace', 'writeConnectionSecretsToNamespace']);
const isLabel = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

function namesIn(value: Json): readonly string[] {
  if (isList(value)) return value.flatMap(namesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    if (typeof one !== 'string') return namesIn(one);
    return fields.has(key) && isLabel.test(one) ? [one] : [];
  });
}

/** A sentence for the plan. */
function namespaceNotes(namespaces: readonly KubeObject[]): readonly string[] {
  if (namespaces.length === 0) return [];
  const names = namespaces.map(({metadata}) => metadata.name).join(', ');
  return [`taken to be there: Namespace ${names}, which objects name and the source does not hold`];
}
