import type {EtcdSnapshot} from '../../cluster/backup/etcd.ts';
import type {Backup} from '../../cluster/backup/saved.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {Laboratory} from '../control-plane/control-plane.ts';
import type {Evidence} from './check.ts';
import type {Step} from './scenario.ts';

/** Where a scenario is told: the control plane, what can be asked of it, and what the teller may do to it. */
export interface Stage {
  readonly laboratory: Laboratory;
  readonly evidence: Evidence;
  readonly crossplane: string;
  /** When watchers were last told anything. */
  readonly lastEventMs: () => number;
  readonly beginStep: (step: Step) => void;
  /** Makes a function fail, or lets it work again. */
  readonly breakFunction: (name: string, error: string | undefined) => void;
  readonly upgrade: (crossplane: string) => void;
}

/** A backup, by the tool that took it. */
export type Saved =
  | {readonly tool: 'velero'; readonly backup: Backup}
  | {readonly tool: 'gitops'; readonly manifests: readonly KubeObject[]}
  | {readonly tool: 'etcd'; readonly snapshot: EtcdSnapshot};

/** What earlier steps leave to later ones. */
export interface Told {
  readonly stage: Stage;
  /** Who acts in the present step. */
  actor: string;
  saved: Saved | undefined;
  kinds: readonly string[];
  broken: string[];
}
