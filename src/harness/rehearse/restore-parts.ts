// The parts of a restore besides Velero's own: each is an action of an operator, has a price, and is rehearsed as the plan
// writes it. The search finds out which of them help (restore-search.ts). A part that needs the name of a resource is offered
// only if the source has that name: a resource modifier with a guessed name matches nothing, and what should have been paused
// would run.

import {resourceOf} from '../../cluster/backup/saved.ts';
import {groupKindOf, type KubeObject} from '../../cluster/object.ts';
import {annotationPaused, isPaused} from '../../cluster/vocabulary.ts';
import type {RestoreSetting, StepAction} from '../control-plane/operator/action.ts';
import {xrKinds} from '../control-plane/standing/xrs.ts';
import {pipelineFunctions} from '../functions/pipeline-functions.ts';
import type {Source, SourceKind} from '../input/source/source.ts';
import {withFunction} from './pipeline-edits.ts';
import {aroundRestore, type Change, type RestoreSetup} from './rehearsal-steps.ts';

/** A rehearsed case: steps in their order, and the parts of the restore among them. */
export interface RestoreCase {
  readonly changes: readonly Change[];
  readonly restore: RestoreSetup;
}

interface PausedKind {
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

/** The source, as far as the parts need it. */
interface Material {
  readonly kinds: RestoreKinds;
  readonly objects: readonly KubeObject[];
}

interface Part {
  /** The effort to do it and to undo it. */
  readonly cost: number;
  /** Its words in a plan. */
  readonly text: string;
  /** True if it changes anything about this restore. */
  readonly isOffered: (one: RestoreCase, material: Material) => boolean;
  readonly with: (one: RestoreCase, material: Material) => RestoreCase;
}

const isWhole = ({nameless}: RestoreKinds) => nameless.length === 0;
const hasXrs = (_: RestoreCase, {kinds}: Material) => isWhole(kinds) && kinds.xrs.length > 0;
const restoring = (one: RestoreCase, restore: Partial<RestoreSetup>): RestoreCase => {
  return {...one, restore: {...one.restore, ...restore}};
};

/** From the cheapest to the dearest. */
export const partTable = {
  'composed-first': {
    cost: 1,
    text: 'composed resources are restored before XRs',
    isOffered: hasXrs,
    with: (one, {kinds: {xrs}}) => restoring(one, {rounds: roundsOf(one, xrs)}),
  },
  'xrs-first': {
    cost: 1,
    text: 'XRs are restored before what they compose',
    isOffered: hasXrs,
    with: (one, {kinds: {xrs}}) => restoring(one, {rounds: roundsOf(one, xrs).toReversed()}),
  },
  'status-kept': {
    cost: 1,
    text: 'status is restored',
    isOffered: (_, {kinds}) => isWhole(kinds) && kinds.xrs.length + kinds.managed.length > 0,
    with: (one, {kinds: {xrs, managed}}) => {
      const names = namesOf([...xrs, ...managed]);
      const withStatus = (round: RestoreSetting) => {
        return {...round, statusOf: [...new Set([...(round.statusOf ?? []), ...names])]};
      };
      return restoring(one, inEveryRound(one.restore, withStatus));
    },
  },
  'provider-asleep': {
    cost: 2,
    text: 'providers sleep until everything is restored',
    isOffered: ({restore}) => !restore.stopped.includes('provider'),
    with: (one) => restoring(one, {stopped: [...one.restore.stopped, 'provider']}),
  },
  'crossplane-asleep': {
    cost: 2,
    text: 'Crossplane sleeps until everything is restored',
    isOffered: ({restore}) => !restore.stopped.includes('crossplane'),
    with: (one) => restoring(one, {stopped: ['crossplane', ...one.restore.stopped]}),
  },
  'edits-later': {
    cost: 2,
    text: 'what was edited since the backup is applied after the restore',
    isOffered: ({changes}) => aroundRestore(changes).before.some(({kind}) => kind === 'apply'),
    with: (one) => ({...one, changes: editsLater(one.changes)}),
  },
  'managed-paused': {
    cost: 3,
    text: 'managed resources are restored paused',
    isOffered: (_, {kinds}) => isWhole(kinds) && kinds.managed.length > 0,
    with: (one, {kinds}) =>
      restoring(
        one,
        paused(one.restore, kinds.managed, (others, own) => [...others, ...own]),
      ),
  },
  'xrs-paused': {
    cost: 3,
    text: 'XRs are restored paused',
    isOffered: hasXrs,
    // XRs go on before what they compose, so that it is theirs again when its provider looks at it.
    with: (one, {kinds}) =>
      restoring(
        one,
        paused(one.restore, kinds.xrs, (others, own) => [...own, ...others]),
      ),
  },
  'function-tether': {
    cost: 4,
    text: 'function-tether is in every Composition before the restore',
    isOffered: ({changes}, {objects}) => compositionsLacking(aroundRestore(changes).before, objects).length > 0,
    with: (one, {objects}) => ({...one, changes: tethered(one.changes, objects)}),
  },
} satisfies {readonly [kind: string]: Part};

export type PartKind = keyof typeof partTable;

/** Those that exclude each other: an order and its opposite, and an edit that would take the function out again. */
const exclusive: readonly (readonly [PartKind, PartKind])[] = [
  ['composed-first', 'xrs-first'],
  ['edits-later', 'function-tether'],
];

/** The parts that change anything about this restore, the cheapest first. */
export function partsFor(one: RestoreCase, material: Material): readonly PartKind[] {
  const rows: {readonly [kind in PartKind]: Part} = partTable;
  return (Object.keys(rows) as PartKind[]).filter((kind) => rows[kind].isOffered(one, material));
}

/** True if the parts can be combined. */
export function isPossible(parts: readonly PartKind[]): boolean {
  return !exclusive.some(([one, other]) => parts.includes(one) && parts.includes(other));
}

/**
 * The same restore without ProviderConfigUsages. A managed resource that connects makes one anew; one that is restored has no controller,
 * and Crossplane's RBAC lets no provider delete it (crossplane#6665): its config would never go.
 */
export function withoutConfigUsages({changes, restore}: RestoreCase, {usages}: RestoreKinds): RestoreCase {
  const {options} = restore;
  if (usages.length === 0) return {changes, restore};
  return {changes, restore: {...restore, options: {...options, exclude: [...(options.exclude ?? []), ...usages]}}};
}

/** The same restore with these parts. */
export function withParts(base: RestoreCase, parts: readonly PartKind[], material: Material): RestoreCase {
  const current = parts.reduce((one, part) => (partTable[part] as Part).with(one, material), base);
  const {stopped} = current.restore;
  if (stopped === base.restore.stopped) return current;
  return restoring(current, {
    stopped: (['crossplane', 'provider', 'owner-gc'] as const).filter((one) => stopped.includes(one)),
  });
}

function roundsOf({restore: {options}}: RestoreCase, xrs: readonly PausedKind[]): readonly RestoreSetting[] {
  return [without(options, xrs), alone(options, xrs)];
}

function inEveryRound(restore: RestoreSetup, edit: (round: RestoreSetting) => RestoreSetting): RestoreSetup {
  const {options, rounds} = restore;
  return {...restore, options: edit(options), ...(rounds === undefined ? {} : {rounds: rounds.map(edit)})};
}

function paused(
  restore: RestoreSetup,
  kinds: readonly PausedKind[],
  inOrder: (others: readonly StepAction[], own: readonly StepAction[]) => readonly StepAction[],
): RestoreSetup {
  const added = kinds.map(({resource}) => ({groupResource: resource, mergePatch: pausePatch}));
  const modifying = inEveryRound(restore, (round) => ({...round, modifiers: [...(round.modifiers ?? []), ...added]}));
  return {...modifying, unpausing: inOrder(restore.unpausing ?? [], kinds.flatMap(unpausingOf))};
}

function editsLater(changes: readonly Change[]): readonly Change[] {
  const {before, after} = aroundRestore(changes);
  const [edits, others] = [before.filter(({kind}) => kind === 'apply'), before.filter(({kind}) => kind !== 'apply')];
  return [...others, {kind: 'restore'}, ...edits, ...after];
}

function tethered(changes: readonly Change[], objects: readonly KubeObject[]): readonly Change[] {
  const {before, after} = aroundRestore(changes);
  const edited = withFunction(compositionsLacking(before, objects), 'function-tether');
  const actions: StepAction[] = edited.map(({kind, metadata, spec = {}}) => {
    return {kind: 'patch', target: {kind, name: metadata.name}, type: 'merge', status: false, body: {spec}};
  });
  return [...before, {kind: 'apply', actions, objects: edited}, {kind: 'restore'}, ...after];
}

/** The merge patch of the modifier, as Velero is given it. */
const pausePatch = {metadata: {annotations: {[annotationPaused]: 'true'}}};

function unpausingOf({apiVersion, kind, only}: PausedKind): readonly StepAction[] {
  const body = {metadata: {annotations: {[annotationPaused]: null}}};
  const targets = only?.map(({metadata: {namespace, name}}) => ({
    name,
    ...(namespace === undefined ? {} : {namespace}),
  }));
  return (targets ?? [{}]).map((target) => {
    return {kind: 'patch', target: {apiVersion, kind, ...target}, type: 'merge', status: false, body};
  });
}

function without(options: RestoreSetting, kinds: readonly PausedKind[]): RestoreSetting {
  return {...options, exclude: [...(options.exclude ?? []), ...namesOf(kinds)]};
}

function alone(options: RestoreSetting, kinds: readonly PausedKind[]): RestoreSetting {
  return {...options, resources: namesOf(kinds).filter((name) => options.resources?.includes(name) ?? true)};
}

function namesOf(kinds: readonly PausedKind[]): readonly string[] {
  return kinds.map(({resource}) => resource);
}

/** The Compositions as they are when the restore begins, those that do not call function-tether. */
function compositionsLacking(before: readonly Change[], objects: readonly KubeObject[]): readonly KubeObject[] {
  const edited = before.flatMap((change) => (change.kind === 'apply' ? change.objects : []));
  const byName = new Map(
    [...objects, ...edited].filter(({kind}) => kind === 'Composition').map((one) => [one.metadata.name, one] as const),
  );
  return [...byName.values()].filter((one) => !pipelineFunctions(one).includes('function-tether'));
}
