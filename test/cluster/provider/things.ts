import type {JsonObject} from '../../../src/cluster/json.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {asyncClient} from '../../../src/cluster/provider/async-client.ts';
import {reconcileManaged} from '../../../src/cluster/provider/managed.ts';
import {type ManagedKind, managedKind, type ProviderSettings} from '../../../src/cluster/provider/managed-kind.ts';
import {noSecrets} from '../../../src/cluster/provider/provider-config.ts';
import {runtimeVersions} from '../../../src/cluster/provider/runtime-version.ts';
import {syncClient} from '../../../src/cluster/provider/sync-client.ts';
import {timestamp} from '../../../src/cluster/timestamp.ts';
import {type Driven, drive, type Script, startMs} from './driver.ts';

// A managed resource as most tests want it: ready, named, finalized. A test sets only what matters to it.

export const bucketKind = managedKind({apiVersion: 's3.aws.upbound.io/v1beta1', kind: 'Bucket'});
export const finalizer = 'finalizer.managedresource.crossplane.io';

export interface BucketOptions {
  readonly annotations?: {readonly [name: string]: string};
  readonly finalizers?: readonly string[];
  readonly policies?: readonly string[];
  readonly deletionPolicy?: string;
  readonly deleting?: boolean;
  readonly size?: string;
  readonly status?: JsonObject;
}

/** Annotations by their short names: `external-name`, `external-create-pending` ... */
export function bucket(options: BucketOptions = {}): KubeObject {
  const {annotations = {}, finalizers = [finalizer], policies = ['*'], size = 'small', status} = options;
  return {
    apiVersion: bucketKind.apiVersion,
    kind: 'Bucket',
    metadata: {
      name: 'logs',
      uid: 'uid-logs',
      generation: 1,
      resourceVersion: '1',
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([name, value]) => [`crossplane.io/${name}`, value]),
      ),
      finalizers,
      ...(options.deleting === true ? {deletionTimestamp: timestamp(startMs)} : {}),
    },
    spec: {
      deletionPolicy: options.deletionPolicy ?? 'Delete',
      managementPolicies: policies,
      forProvider: {size},
    },
    ...(status === undefined ? {} : {status}),
  };
}

export const settings: ProviderSettings = {
  manager: 'provider-aws',
  pollMs: 600_000,
  minPollMs: 1000,
  creationGraceMs: 30_000,
  managementPolicies: true,
  runtime: runtimeVersions['v2.4'],
  criticalPauseMs: 0,
  configs: [],
  secrets: noSecrets,
};

export interface ReconcileOptions extends Script {
  readonly kind?: Partial<ManagedKind>;
  readonly settings?: Partial<ProviderSettings>;
}

/** One reconcile of what the script's cache holds. */
export function reconcile(
  options: ReconcileOptions,
): Driven<ReturnType<typeof reconcileManaged> extends Generator<unknown, infer T> ? T : never> {
  const kind: ManagedKind = {...bucketKind, ...options.kind};
  const allSettings: ProviderSettings = {...settings, ...options.settings};
  const client = kind.client === 'sync' ? syncClient(kind) : asyncClient(kind, allSettings);
  return drive(reconcileManaged(kind, allSettings, client, 'logs'), options);
}

/** The RFC 3339 time so many seconds before the driver's clock. */
export function secondsAgo(seconds: number): string {
  return timestamp(startMs - seconds * 1000);
}
