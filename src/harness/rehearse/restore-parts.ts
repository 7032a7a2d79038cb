// The parts of a restore besides Velero's own: each is an action of an operator, has a price, and is rehearsed as the plan
// writes it. The search finds out which of them help (restore-search.ts). A part that needs the name of a resource is offered
// only if the source has that name: a resource modifier with a guessed name matches nothing, and what should have been paused
// would run.

import {resourceOf} from '../../cluster/backup/saved.ts';
import {groupKindOf, type KubeObject} from '../../cluster/object.ts';
import {isPaused} from '../../cluster/paused.ts';
import {xrKinds} from '../control-plane/standing/xrs.ts';
import {pipelineFunctions} from '../functions/pipeline-functions.ts';
import type {Source, SourceKind} from '../input/source/source.ts';
import {aroundRestore, type Change, type RestoreSetup} from './rehearsal-steps.ts';

/** A rehearsed case: steps in their order, and the parts of the restore among them. */
export interface RestoreCase {
  readonly changes: readonly Change[];
  readonly restore: RestoreSetup;
}

/** From the cheapest to the dearest: what it takes to do it and to undo it, and what it is called in a plan. */
export const partTable = {
  'composed-first': {cost: 1, text: 'composed resources are restored before XRs'},
  'xrs-first': {cost: 1, text: 'XRs are restored before what they compose'},
  'status-kept': {cost: 1, text: 'status is restored'},
  'provider-asleep': {cost: 2, text: 'providers sleep until everything is restored'},
  'crossplane-asleep': {cost: 2, text: 'Crossplane sleeps until everything is restored'},
  'edits-later': {cost: 2, text: 'what was edited since the backup is applied after the restore'},
  'managed-paused': {cost: 3, text: 'managed resources are restored paused'},
  'xrs-paused': {cost: 3, text: 'XRs are restored paused'},
  'function-tether': {cost: 4, text: 'function-tether is in every Composition before the restore'},
} as const;

export type PartKind = keyof typeof partTable;

/** Those that exclude each other: an order and its opposite, and an edit that would take the function out again. */
const exclusive: readonly (readonly [PartKind, PartKind])[] = [
  ['composed-first', 'xrs-first'],
  ['edits-later', 'function-tether'],
];

export interface PausedKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** `plural.group`. */
  readonly resource: string;
  readonly namespaced: boolean;
  /** The objects that the restore alone has paused, where others of the kind were paused before; undefined: all are. */
  readonly only: readonly KubeObject[] | undefined;
}

/** The material of the parts: the kinds of the source that a restore brings back. */
export interface RestoreKinds {
  /** XRs and claims. */
  readonly xrs: readonly PausedKind[];
  readonly managed: readonly PausedKind[];
  /** Every resource (plural.group) that is lost, as far as its name is known. */
  readonly resources: readonly string[];
  /** Of ProviderConfigUsages, which no plan restores. */
  readonly usages: readonly string[];
  /** Kinds without a known resource name: parts that need it are not offered. */
  readonly nameless: readonly string[];
}

/** `lost` are the kinds that are lost with a cluster. */
export function restoreKindsOf({kinds, objects, origin}: Source, lost: readonly string[]): RestoreKinds {
  const byKind = Map.groupBy(objects, groupKindOf);
  const isNamed = ({knownBy}: SourceKind): boolean => knownBy !== 'objects' || origin.kind !== 'manifests';
  const present = kinds.flatMap((one) => {
    const some = byKind.get(one.group === '' ? one.kind : `${one.kind}.${one.group}`) ?? [];
    return some.length === 0 ? [] : [{one, some}];
  });
  const xrNames = xrKinds(objects);
  const isXr = ({kind, group}: SourceKind): boolean => xrNames.has(`${kind}.${group}`);
  const isManaged = ({one, some}: (typeof present)[number]): boolean =>
    !isXr(one) && (one.categories.includes('managed') || some.some(({spec}) => spec?.['forProvider'] !== undefined));
  const [xrs, managed] = [present.filter(({one}) => isXr(one)), present.filter(isManaged)];
  return {
    xrs: xrs.filter(({one}) => isNamed(one)).map(pausedKind),
    managed: managed.filter(({one}) => isNamed(one)).map(pausedKind),
    resources: present.filter(({one}) => lost.includes(one.kind) && isNamed(one)).map(({one}) => resourceOf(one)),
    usages: present.filter(({one}) => isConfigUsage(one) && isNamed(one)).map(({one}) => resourceOf(one)),
    nameless: present
      .filter(({one}) => lost.includes(one.kind) && !isNamed(one))
      .map(({one}) => `${one.kind}.${one.group}`),
  };
}

function isConfigUsage({kind}: SourceKind): boolean {
  return kind.endsWith('ProviderConfigUsage');
}

function pausedKind({one, some}: {readonly one: SourceKind; readonly some: readonly KubeObject[]}): PausedKind {
  const {group, kind, versions, namespaced} = one;
  const others = some.filter((object) => !isPaused(object));
  return {
    apiVersion: some[0]?.apiVersion ?? `${group}/${versions[0] ?? 'v1'}`,
    kind,
    resource: resourceOf(one),
    namespaced,
    only: others.length === some.length ? undefined : others,
  };
}

/** The parts that change anything about this restore, the cheapest first. */
export function partsFor(
  {changes, restore}: RestoreCase,
  kinds: RestoreKinds,
  objects: readonly KubeObject[],
): readonly PartKind[] {
  const {xrs, managed, nameless} = kinds;
  const {before} = aroundRestore(changes);
  const isWhole = nameless.length === 0;
  const offered: {readonly [kind in PartKind]: boolean} = {
    'composed-first': isWhole && xrs.length > 0,
    'xrs-first': isWhole && xrs.length > 0,
    'status-kept': isWhole && xrs.length + managed.length > 0,
    'provider-asleep': !restore.stopped.includes('provider'),
    'crossplane-asleep': !restore.stopped.includes('crossplane'),
    'edits-later': before.some(({kind}) => kind === 'apply'),
    'managed-paused': isWhole && managed.length > 0,
    'xrs-paused': isWhole && xrs.length > 0,
    'function-tether': compositionsLacking(before, objects).length > 0,
  };
  return (Object.keys(partTable) as PartKind[]).filter((kind) => offered[kind]);
}

/** True if the parts can be combined. */
export function isPossible(parts: readonly PartKind[]): boolean {
  return !exclusive.some(([one, other]) => parts.includes(one) && parts.includes(other));
}

/** The Compositions as they are when the restore begins, those that do not call function-tether. */
export function compositionsLacking(before: readonly Change[], objects: readonly KubeObject[]): readonly KubeObject[] {
  const edited = before.flatMap((change) => (change.kind === 'apply' ? change.objects : []));
  const byName = new Map(
    [...objects, ...edited].filter(({kind}) => kind === 'Composition').map((one) => [one.metadata.name, one] as const),
  );
  return [...byName.values()].filter((one) => !pipelineFunctions(one).includes('function-tether'));
}
