// The effects of a restore's parts: see restore-parts.ts. The rehearsal here and the text of restore-plan-text.ts are the same.

import type {KubeObject} from '../../cluster/object.ts';
import {annotationPaused} from '../../cluster/vocabulary.ts';
import type {RestoreSetting, StepAction} from '../control-plane/operator/action.ts';
import {withFunction} from './pipeline-edits.ts';
import {aroundRestore, type Change, type RestoreSetup} from './rehearsal-steps.ts';
import {
  compositionsLacking,
  type PartKind,
  type PausedKind,
  type RestoreCase,
  type RestoreKinds,
} from './restore-parts.ts';

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
export function withParts(
  base: RestoreCase,
  parts: readonly PartKind[],
  {kinds, objects}: {readonly kinds: RestoreKinds; readonly objects: readonly KubeObject[]},
): RestoreCase {
  let current = base;
  for (const part of parts) current = withPart(current, part, kinds, objects);
  const {restore} = current;
  const stopped = (['crossplane', 'provider', 'owner-gc'] as const).filter((one) => restore.stopped.includes(one));
  const isAsked = restore.stopped === base.restore.stopped;
  return {...current, restore: {...restore, stopped: isAsked ? restore.stopped : stopped}};
}

function withPart(
  one: RestoreCase,
  part: PartKind,
  {xrs, managed}: RestoreKinds,
  objects: readonly KubeObject[],
): RestoreCase {
  const {changes, restore} = one;
  switch (part) {
    case 'composed-first':
    case 'xrs-first': {
      const {options} = restore;
      const rounds = [without(options, xrs), alone(options, xrs)];
      return {changes, restore: {...restore, rounds: part === 'xrs-first' ? rounds.toReversed() : rounds}};
    }
    case 'status-kept': {
      const names = namesOf([...xrs, ...managed]);
      const withStatus = (round: RestoreSetting) => ({
        ...round,
        statusOf: [...new Set([...(round.statusOf ?? []), ...names])],
      });
      return {changes, restore: inEveryRound(restore, withStatus)};
    }
    case 'provider-asleep':
      return {changes, restore: {...restore, stopped: [...restore.stopped, 'provider']}};
    case 'crossplane-asleep':
      return {changes, restore: {...restore, stopped: ['crossplane', ...restore.stopped]}};
    case 'managed-paused':
      return {changes, restore: paused(restore, managed, (others, own) => [...others, ...own])};
    // XRs go on before what they compose, so that it is theirs again when its provider looks at it.
    case 'xrs-paused':
      return {changes, restore: paused(restore, xrs, (others, own) => [...own, ...others])};
    case 'edits-later':
      return {changes: editsLater(changes), restore};
    case 'function-tether':
      return {changes: tethered(changes, objects), restore};
  }
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
