// Backup tools, as an operator uses them: Velero, a Git repository, a snapshot of etcd, an export by hand.

import {nativeKinds} from '../../../cluster/api/native/native-kinds.ts';
import {type EtcdSnapshot, etcdSnapshot} from '../../../cluster/backup/etcd.ts';
import {exportOf, gitOpsSync, manifestOf} from '../../../cluster/backup/git-ops.ts';
import {type Backup, resourceOf, type SavedKind} from '../../../cluster/backup/saved.ts';
import {veleroBackup} from '../../../cluster/backup/velero-backup.ts';
import {everything, namedResources} from '../../../cluster/backup/velero-order.ts';
import {veleroRestore} from '../../../cluster/backup/velero-restore.ts';
import type {Step} from '../../../cluster/kernel/call.ts';
import {controllerOf, groupOf, type KubeObject} from '../../../cluster/object.ts';
import {labelClaimName} from '../../../cluster/vocabulary.ts';
import type {Drive} from '../../functions/drive.ts';
import {nearest} from '../../input/cursor.ts';
import {InputError} from '../../input/input-error.ts';
import {listed} from '../../input/listed.ts';
import type {ControlPlane} from '../control-plane.ts';
import type {RestoreSetting, StepAction} from './action.ts';
import {driveAtOnce, driveStep} from './drive-step.ts';

/** A backup of objects of `kinds`, by the tool that took it. */
export type Saved = {readonly kinds: readonly string[]} & (
  | {readonly tool: 'velero'; readonly backup: Backup}
  | {readonly tool: 'gitops' | 'kubectl'; readonly manifests: readonly KubeObject[]}
  | {readonly tool: 'etcd'; readonly snapshot: EtcdSnapshot}
);

export function objectsOf(saved: Saved): readonly KubeObject[] {
  if (saved.tool === 'velero') return saved.backup.items.map(({object}) => object);
  if (saved.tool !== 'etcd') return saved.manifests;
  return [...saved.snapshot.objects.values()].flatMap((table) => [...table.values()]);
}

/** Takes the backup, one request every `callMs` while the control plane goes on; in one instant where that is undefined. */
export function* takeBackup(
  {tool, kinds: named}: StepAction & {readonly kind: 'backup'},
  controlPlane: ControlPlane,
  callMs: number | undefined,
): Drive<Saved> {
  const {session, catalogue} = controlPlane;
  const kinds = named.length > 0 ? named : customKinds(controlPlane);
  const live = () => kinds.flatMap((kind) => catalogue.find({kind}));
  switch (tool) {
    case 'etcd':
      return {tool, snapshot: etcdSnapshot(session.world), kinds};
    case 'gitops':
      return {tool, manifests: live().filter(isWritten).map(manifestOf), kinds};
    case 'kubectl':
      return {tool, manifests: live().map(exportOf), kinds};
    case 'velero': {
      const steps = veleroBackup({name: 'backup', kinds: savedKinds(kinds, controlPlane)});
      if (callMs === undefined) return {tool, backup: driveAtOnce(session, tool, steps), kinds};
      return {tool, backup: yield* driveStep(session, tool, steps, callMs), kinds};
    }
  }
}

/** True if a repository has it: it has no object that a controller made. */
function isWritten({metadata, spec, ...object}: KubeObject): boolean {
  // Crossplane makes the XR of a claim, without an owner reference.
  const isOfClaim = metadata.labels?.[labelClaimName] !== undefined && spec?.['claimRef'] !== undefined;
  return controllerOf({...object, metadata}) === undefined && !isOfClaim;
}

/** Velero finds the group of a short name by itself; here a name is whole. Throws InputError for one that selects nothing. */
export function checkResources({items}: Backup, setting: RestoreSetting, {session}: ControlPlane): void {
  const {resources = [], exclude = [], priorities = [], statusOf = [], modifiers = []} = setting;
  const modified = modifiers.map(({groupResource}) => groupResource);
  const saved = [...new Set(items.map(({resource}) => resource))].sort();
  const served = [...session.world.server.kinds.values()].map(({definition}) => resourceOf(definition));
  const known = new Set([...namedResources, ...saved, ...served]);
  const selected = [...resources, ...exclude, ...statusOf].filter((one) => one !== everything);
  const absent = [...selected, ...priorities, ...modified].find((one) => !known.has(one));
  if (absent === undefined) return;
  const near = [...saved, ...served].find((one) => one.startsWith(`${absent}.`)) ?? nearest(absent, saved);
  const advice = near === undefined ? `the backup has ${listed(saved, 8)}` : `did you mean "${near}"?`;
  throw new InputError(`cannot restore: unknown resource "${absent}": ${advice}`);
}

/** The requests of the tool that puts the backup back. etcd is no tool that makes requests: its state is replaced. */
export function restoreSteps(
  saved: Exclude<Saved, {readonly tool: 'etcd'}>,
  options: RestoreSetting,
): Step<{readonly errors: readonly string[]}> {
  if (saved.tool !== 'velero') return gitOpsSync(saved.manifests, {manager: saved.tool});
  return veleroRestore(saved.backup, {name: 'restore', ...options});
}

/** Groups that are there before and after any disaster: what a platform reinstalls instead of restoring. */
const platformGroups = ['', 'apiextensions.k8s.io', 'apiextensions.crossplane.io', 'pkg.crossplane.io'];

function customKinds({session}: ControlPlane): readonly string[] {
  const definitions = [...session.world.server.kinds.values()].map(({definition}) => definition);
  const custom = definitions.filter(
    (definition) =>
      !platformGroups.includes(definition.group) || definition.kind === 'Usage' || nativeKinds.includes(definition),
  );
  return [...new Set(custom.map(({kind}) => kind))];
}

function savedKinds(kinds: readonly string[], {session, catalogue}: ControlPlane): readonly SavedKind[] {
  const definitions = [...session.world.server.kinds.values()].map(({definition}) => definition);
  return kinds.flatMap((kind) =>
    catalogue.kinds(kind).map((served) => {
      const group = groupOf(served.apiVersion);
      const definition = definitions.find((one) => one.kind === kind && one.group === group);
      return {...served, plural: definition?.plural ?? kind.toLowerCase()};
    }),
  );
}
