// A simulated control plane to write tests against, one call after the other: what a scenario's steps do, as methods.

import type {External} from '../../cluster/cloud/ledger-state.ts';
import type {Json} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {Selector} from '../control-plane/catalogue.ts';
import type {BackupTool, ProcessName, RestoreSetting} from '../control-plane/operator/action.ts';
import type {Duplicate} from '../control-plane/oracle/duplicate.ts';
import type {ExternalCounts} from '../control-plane/oracle/externals.ts';
import type {Orphan} from '../control-plane/oracle/orphan.ts';
import type {TimelineEntry} from '../control-plane/record/timeline.ts';
import type {CrossplaneVersion, Manifest, Patience} from './options.ts';

export interface World {
  readonly crossplane: CrossplaneVersion;
  /** Virtual time since the world was opened. */
  readonly nowMs: number;

  /** Applies manifests as kubectl would, server-side, by a user. Rejects with the API server's sentence. */
  apply(...manifests: readonly Manifest[]): Promise<void>;
  /** A merge patch by a user. */
  patch(target: Selector, body: Json, options?: {readonly status?: boolean}): Promise<void>;
  /** Asks for deletion; what a webhook denies is part of the story and stands in the timeline. */
  delete(target: Selector): Promise<void>;
  /** Everything of custom kinds, or of these. `velero` where no tool is named. */
  backup(tool?: BackupTool, kinds?: readonly string[], name?: string): Promise<void>;
  /** Everything the backup holds is lost, finalizers and all. The cloud keeps what it has. */
  wipe(): Promise<void>;
  /** Restores the backup of this name, or the last that was taken or restored. */
  restore(options?: RestoreSetting): Promise<void>;
  stop(process: ProcessName): Promise<void>;
  start(process: ProcessName): Promise<void>;
  restart(process: ProcessName): Promise<void>;
  /** Restarts Crossplane as another version. */
  upgrade(crossplane: CrossplaneVersion): Promise<void>;
  /** The function answers with this error until it is mended. */
  breakFunction(name: string, error: string): void;
  mendFunction(name: string): void;

  /** Lets virtual time pass. */
  run(ms: number): Promise<void>;
  /** Lets the world run until nothing happens any more. Returns undefined, or a sentence if it did not settle. */
  settle(patience?: Patience): Promise<string | undefined>;
  /** Lets the world run until `holds` does; answers whether it did. */
  until(holds: (world: World) => boolean, withinMs?: number): Promise<boolean>;

  /** Matching objects. A composed resource can be named by its name in the pipeline: `{kind: 'VPC', resource: 'vpc'}`. */
  find(target: Selector): readonly KubeObject[];
  /** Every object of every kind. */
  objects(): readonly KubeObject[];
  /** Composed resources that live, with no XR that lists and no object that controls them. */
  orphans(): readonly Orphan[];
  /** Two live objects for one composed resource. */
  duplicates(): readonly Duplicate[];
  /** The living external resources; none if the provider is `nop`. */
  externals(): readonly External[];
  /** The cloud's count of creates and deletes so far. */
  externalCounts(): ExternalCounts;
  /** A sentence for each object that will never move again. */
  stuck(): readonly string[];
  /** A sentence for each XR that does not sync. */
  unsynced(): readonly string[];
  /** Notes on the fixtures: objects passed over, and kinds that are not modelled. A sentence each. */
  readonly notes: readonly string[];
  /** The events, in the words of an operator. */
  timeline(): readonly TimelineEntry[];
  /** The same as lines: `00:12 Crossplane: created bucket (Bucket)`. */
  timelineText(): string;

  /** Stops what was started. `await using world = await openWorld(...)` does it by itself. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
