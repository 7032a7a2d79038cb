// What one step does to the control plane: an operator's requests, a backup tool, a disaster, a process that dies.

import type {PropagationPolicy} from '../../cluster/api/request.ts';
import type {VeleroRestoreOptions} from '../../cluster/backup/velero-restore.ts';
import type {Json} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {Selector} from '../control-plane/catalogue.ts';

export type ProcessName = 'crossplane' | 'owner-gc' | 'provider';

export type StepAction =
  | {readonly kind: 'apply' | 'create'; readonly objects: readonly KubeObject[]}
  | {
      readonly kind: 'patch';
      readonly target: Selector;
      readonly type: 'merge' | 'json';
      readonly status: boolean;
      readonly body: Json;
    }
  | {
      readonly kind: 'delete';
      readonly target: Selector;
      readonly propagationPolicy?: PropagationPolicy;
      /** Finding nothing is fine, as with kubectl's flag of this name. */
      readonly ignoreNotFound: boolean;
    }
  | {readonly kind: 'backup'; readonly tool: BackupTool; readonly kinds: readonly string[]}
  /** Everything the last backup holds is lost, finalizers and all. */
  | {readonly kind: 'wipe'; readonly kinds: readonly string[]}
  | {readonly kind: 'restore'; readonly options: RestoreSetting}
  | {readonly kind: 'process'; readonly change: 'start' | 'stop' | 'restart' | 'kill'; readonly process: ProcessName}
  | {readonly kind: 'upgrade'; readonly crossplane: string}
  | {readonly kind: 'fault'; readonly fault: Fault};

/** As Velero's own options; names are `plural.group`. */
export type RestoreSetting = Omit<VeleroRestoreOptions, 'name'>;

export type BackupTool = 'velero' | 'etcd' | 'gitops';

export type Fault =
  /** The function answers with this error until the fault ends. */
  | {readonly kind: 'function'; readonly name: string; readonly error: string}
  | {readonly kind: 'crash'; readonly process: ProcessName; readonly point: string}
  | {readonly kind: 'end'};
