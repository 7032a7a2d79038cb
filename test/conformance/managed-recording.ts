import type {ConfigChange} from '../../src/cluster/cloud/cloud-config.ts';
import type {Json, JsonObject} from '../../src/cluster/json.ts';
import {durationMs} from '../../src/cluster/provider/annotations.ts';
import {crashPointNames} from '../../src/cluster/provider/external-client.ts';
import type {NameGiver} from '../../src/cluster/provider/managed-kind.ts';
import type {runtimeVersions} from '../../src/cluster/provider/runtime-version.ts';
import {
  asAmount,
  asBoolean,
  asCount,
  asObject,
  asOneOf,
  asString,
  type Cursor,
  entries,
  fail,
  items,
  onlyFields,
  optional,
  pathText,
  required,
  strings,
} from '../../src/harness/input/cursor.ts';

// A recorded scenario of the managed reconciler, as the recordings' README describes it: one object, one provider, one
// cloud, and steps.

export interface ManagedScenario {
  readonly name: string;
  readonly kind: 'SyncThing' | 'AsyncThing';
  readonly object: JsonObject;
  readonly provider: ProviderFlags;
  readonly cloud: ConfigChange;
  readonly steps: readonly ManagedStep[];
}

interface ProviderFlags {
  readonly pollMs: number;
  readonly graceMs: number;
  readonly namedBy: NameGiver;
  readonly deterministicExternalName: boolean;
  readonly managementPolicies: boolean;
  readonly runtime: keyof typeof runtimeVersions;
}

export type ManagedStep =
  | {readonly op: 'start'; readonly crash?: string}
  | {readonly op: 'kill' | 'create' | 'delete' | 'backup' | 'forget'}
  | {readonly op: 'patch'; readonly patch: JsonObject}
  | {readonly op: 'sleep'; readonly ms: number}
  | {readonly op: 'wait'; readonly for: ManagedWait; readonly timeoutMs: number}
  | {readonly op: 'restore'; readonly drop: readonly string[]; readonly status: boolean}
  | {readonly op: 'oobPut'; readonly id: string; readonly owner: string | undefined; readonly fields: JsonObject}
  | {readonly op: 'oobDelete'; readonly id: string | undefined}
  | {readonly op: 'cloud'; readonly set: ConfigChange};

/** What a wait asks for; all of it at once. */
export interface ManagedWait {
  readonly ready?: string;
  readonly synced?: string;
  readonly syncedReason?: string;
  readonly lastAsync?: string;
  /** A part of the message of any condition. */
  readonly msg?: string;
  /** Annotations by their short name; `*` for any value. */
  readonly ann?: {readonly [name: string]: string};
  readonly atSize?: string;
  readonly gone?: boolean;
  readonly providerDead?: boolean;
  /** At least so many; observations count from the last start. */
  readonly creates?: number;
  readonly deletes?: number;
  readonly updates?: number;
  readonly observes?: number;
  readonly inflight?: number;
}

const timeoutDefaultSeconds = 80;

export function parseManagedScenario(cursor: Cursor): ManagedScenario {
  const name = asString(required(cursor, 'name'));
  const provider = optional(cursor, 'provider');
  return {
    name,
    kind: asOneOf(required(cursor, 'kind'), ['SyncThing', 'AsyncThing']),
    object: asObject(required(cursor, 'object')),
    provider: providerFlags(provider, name),
    cloud: given(cursor, 'cloud', configChange) ?? {},
    steps: items(required(cursor, 'steps')).map(stepOf),
  };
}

function providerFlags(cursor: Cursor | undefined, name: string): ProviderFlags {
  const flags = cursor === undefined ? [] : (given(cursor, 'args', (args) => items(args).map(flagOf)) ?? []);
  return {
    pollMs: (cursor && given(cursor, 'poll', asDuration)) ?? 60_000,
    graceMs: (cursor && given(cursor, 'grace', asDuration)) ?? 30_000,
    namedBy: flags.includes('name-as-external-name') ? 'object' : 'cloud',
    deterministicExternalName: flags.includes('deterministic'),
    managementPolicies: !flags.includes('no-management-policies'),
    runtime: runtimeOf(name),
  };
}

/** The recordings' names say which of them were made with the open pull request crossplane-runtime#850. */
function runtimeOf(name: string): ProviderFlags['runtime'] {
  if (name.startsWith('v850-')) return 'v2.4+850';
  return name.startsWith('w850-') ? 'v2.4+850-mended' : 'v2.4';
}

/** Flags by their meaning: the recorder spelled some with a suffix (`--deterministic-external-name`). */
function flagOf(cursor: Cursor): 'name-as-external-name' | 'deterministic' | 'no-management-policies' | 'upjet' {
  const flag = asString(cursor);
  if (flag.startsWith('--deterministic')) return 'deterministic';
  if (flag.startsWith('--name-as-external-name')) return 'name-as-external-name';
  if (flag.startsWith('--no-management-policies')) return 'no-management-policies';
  // The asynchronous client of the recordings and upjet's own behave the same.
  if (flag.includes('upjet')) return 'upjet';
  return fail(cursor, `${pathText(cursor)} must be a known flag of the recorded provider, got "${flag}"`);
}

function asDuration(cursor: Cursor): number {
  return durationMs(asString(cursor)) ?? fail(cursor, `${pathText(cursor)} must be a duration such as 30s`);
}

const cloudFields = [
  'createDelayMs',
  'deleteDelayMs',
  'updateDelayMs',
  'commitAt',
  'failCreates',
  'failAfterCommit',
  'visibleDelayMs',
  // The recorder's cloud took names of clients; which clients gave one is the flag name-as-external-name.
  'clientNames',
  'tier',
] as const;

function configChange(cursor: Cursor): ConfigChange {
  onlyFields(cursor, cloudFields);
  const amount = (key: 'createDelayMs' | 'deleteDelayMs' | 'updateDelayMs' | 'visibleDelayMs') => {
    const value = given(cursor, key, asAmount);
    return value === undefined ? {} : {[key]: value};
  };
  const commitAt = given(cursor, 'commitAt', commitTime);
  const failCreates = given(cursor, 'failCreates', asCount);
  const failAfterCommit = given(cursor, 'failAfterCommit', asCount);
  const tier = given(cursor, 'tier', asString);
  return {
    ...amount('createDelayMs'),
    ...amount('deleteDelayMs'),
    ...amount('updateDelayMs'),
    ...amount('visibleDelayMs'),
    ...(commitAt === undefined ? {} : {commitAt}),
    ...(failCreates === undefined ? {} : {failCreates}),
    ...(failAfterCommit === undefined ? {} : {failAfterCommit}),
    ...(tier === undefined ? {} : {defaults: {tier}}),
  };
}

function commitTime(cursor: Cursor): number | 'end' {
  if (typeof cursor.value === 'number') return asAmount(cursor);
  return asOneOf(cursor, ['start', 'end']) === 'start' ? 0 : 'end';
}

function stepOf(cursor: Cursor): ManagedStep {
  const op = asString(required(cursor, 'op'));
  switch (op) {
    case 'start': {
      const crash = given(cursor, 'crash', (point) => asOneOf(point, crashPointNames));
      return crash === undefined ? {op} : {op, crash};
    }
    case 'kill':
    case 'create':
    case 'delete':
    case 'backup':
    case 'forget':
      return {op};
    case 'patch':
      return {op, patch: asObject(required(cursor, 'patch'))};
    case 'sleep':
      return {op, ms: asAmount(required(cursor, 's')) * 1000};
    case 'wait': {
      const timeout = given(cursor, 'timeout', asAmount) ?? timeoutDefaultSeconds;
      return {op, for: waitOf(required(cursor, 'for')), timeoutMs: timeout * 1000};
    }
    case 'restore':
      return {op, drop: given(cursor, 'drop', strings) ?? [], status: given(cursor, 'status', asBoolean) ?? false};
    case 'oobPut': {
      const {owner, ...fields} = asObject(required(cursor, 'thing'));
      return {op, id: asString(required(cursor, 'id')), owner: textOf(owner), fields};
    }
    case 'oobDelete':
      return {op, id: given(cursor, 'id', asString)};
    case 'cloud':
      return {op, set: configChange(required(cursor, 'set'))};
    default:
      return fail(cursor, `${pathText(cursor)} has an unknown op "${op}"`);
  }
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const waitReaders = {
  ready: asString,
  synced: asString,
  syncedReason: asString,
  lastAsync: asString,
  msg: asString,
  ann: (cursor: Cursor) => Object.fromEntries(entries(cursor).map(([name, value]) => [name, asString(value)])),
  atSize: asString,
  gone: asBoolean,
  providerDead: asBoolean,
  creates: asCount,
  deletes: asCount,
  updates: asCount,
  observes: asCount,
  inflight: asCount,
} as const;

function waitOf(cursor: Cursor): ManagedWait {
  onlyFields(cursor, Object.keys(waitReaders));
  const fields = Object.entries(waitReaders).flatMap(([key, read]) => {
    const value = given<unknown>(cursor, key, read);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(fields) as ManagedWait;
}

/** `read` of the field, or undefined where it is absent or null: the recorder was a Go program. */
function given<T>(cursor: Cursor, key: string, read: (cursor: Cursor) => T): T | undefined {
  const field = optional(cursor, key);
  return field === undefined || field.value === null ? undefined : read(field);
}
