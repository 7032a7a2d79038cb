import {aliveExternals, countersAt} from '../../src/cluster/cloud/cloud-ledger.ts';
import type {ExternalReply, ExternalRequest} from '../../src/cluster/cloud/cloud-protocol.ts';
import type {JsonObject} from '../../src/cluster/json.ts';
import type {Condition, KubeObject} from '../../src/cluster/object.ts';
import {annotationsOf} from '../../src/cluster/provider/annotations.ts';
import {
  annotationCreateFailed,
  annotationCreatePending,
  annotationCreateSucceeded,
  annotationExternalName,
} from '../../src/cluster/vocabulary.ts';
import {type ManagedRun, sizeIn} from './managed-replay.ts';

// What a run of the managed reconciler came to, in the recordings' form, and whether it agrees with a recording: the
// cloud's counters and, of the last state of the object, what the recordings' README compares.

export interface ManagedOutput {
  readonly outcome: {
    readonly creates: number;
    readonly deletes: number;
    readonly updates: number;
    readonly externalAlive: readonly string[];
    readonly present: boolean;
  };
  readonly states: readonly {readonly tMs: number; readonly watch: string; readonly object: JsonObject}[];
  readonly cloud: readonly JsonObject[];
}

/** The part of a recording that is compared. */
export interface RecordedOutput {
  readonly outcome: ManagedOutput['outcome'];
  readonly states: readonly {readonly object: JsonObject}[];
}

export function outputOf(run: ManagedRun): ManagedOutput {
  const {creates, deletes, updates} = countersAt(run.ledger, run.endedAtMs);
  const alive = aliveExternals(run.ledger, run.endedAtMs).map(({id}) => id);
  const numbers = {uids: new Map<string, string>(), versions: new Map<string, string>()};
  return {
    outcome: {creates, deletes, updates, externalAlive: [...alive].sort(), present: run.present},
    states: run.states.map(({atMs, event}) => ({
      tMs: Math.round(atMs - run.startedAtMs),
      watch: event.type,
      object: normalised(event.object, numbers),
    })),
    cloud: cloudLog(run),
  };
}

/** One line for each difference that counts. */
export function differencesOf(recorded: RecordedOutput, got: ManagedOutput): readonly string[] {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ...(['creates', 'deletes', 'updates', 'present'] as const).map(
      (key) => [key, recorded.outcome[key], got.outcome[key]] as const,
    ),
    ['externals alive', recorded.outcome.externalAlive?.length ?? 0, got.outcome.externalAlive.length],
    ...comparedParts(recorded.states.at(-1)?.object, got.states.at(-1)?.object),
  ];
  return pairs
    .filter(([, expected, actual]) => JSON.stringify(expected) !== JSON.stringify(actual))
    .map(([what, expected, actual]) => `${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}

function comparedParts(expected: JsonObject | undefined, got: JsonObject | undefined) {
  const left = summaryOf(expected);
  const right = summaryOf(got);
  return Object.entries(left).map(([what, value]) => [what, value, right[what]] as const);
}

function summaryOf(state: JsonObject | undefined): {readonly [what: string]: unknown} {
  const object = (state ?? {metadata: {}}) as KubeObject;
  const annotations = annotationsOf(object);
  const conditions = (object.status?.['conditions'] ?? []) as readonly Condition[];
  return {
    'external-name': annotations[annotationExternalName] ?? '',
    'external-create-pending': Object.hasOwn(annotations, annotationCreatePending),
    'external-create-succeeded': Object.hasOwn(annotations, annotationCreateSucceeded),
    'external-create-failed': Object.hasOwn(annotations, annotationCreateFailed),
    finalizers: [...(object.metadata.finalizers ?? [])].sort(),
    conditions: conditions.map(({type, status, reason}) => `${type}=${status}/${reason}`).sort(),
  };
}

interface Numbers {
  readonly uids: Map<string, string>;
  readonly versions: Map<string, string>;
}

const timedAnnotations = [annotationCreatePending, annotationCreateSucceeded, annotationCreateFailed];

function normalised(object: KubeObject, {uids, versions}: Numbers): JsonObject {
  const {metadata} = object;
  const annotations = Object.entries(metadata.annotations ?? {}).map(
    ([key, value]) => [key, timedAnnotations.includes(key) ? '<time>' : value] as const,
  );
  const conditions = object.status?.['conditions'] as readonly Condition[] | undefined;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(annotations.length === 0 ? {} : {annotations: Object.fromEntries(annotations)}),
      ...(metadata.creationTimestamp === undefined ? {} : {creationTimestamp: '<time>'}),
      ...(metadata.deletionTimestamp === undefined ? {} : {deletionTimestamp: '<time>'}),
      ...(metadata.managedFields === undefined ? {} : {managedFields: managersOf(metadata)}),
      ...(metadata.resourceVersion === undefined
        ? {}
        : {resourceVersion: number(metadata.resourceVersion, 'rv', versions)}),
      ...(metadata.uid === undefined ? {} : {uid: number(metadata.uid, 'uid', uids)}),
    },
    ...(conditions === undefined
      ? {}
      : {
          status: {
            ...object.status,
            conditions: conditions.map((condition) => ({...condition, lastTransitionTime: '<time>'})),
          },
        }),
  };
}

function managersOf({managedFields = []}: KubeObject['metadata']): readonly string[] {
  return managedFields
    .map(({manager, operation, subresource}) => [manager, operation, subresource].filter(Boolean).join(' '))
    .sort();
}

function number(raw: string, word: string, known: Map<string, string>): string {
  const before = known.get(raw);
  if (before !== undefined) return before;
  const given = `<${word}-${known.size + 1}>`;
  known.set(raw, given);
  return given;
}

interface LogEntry {
  readonly atMs: number;
  readonly entry: JsonObject;
}

/** What the cloud did, in the order of time: commits when they happened, all else when it was answered. */
function cloudLog(run: ManagedRun): readonly JsonObject[] {
  const entries: LogEntry[] = [...run.outOfBand];
  for (const {atMs, entry} of run.happenings) {
    if (entry.kind !== 'cloud' || entry.phase !== 'answer') continue;
    entries.push(...logged(entry.request as ExternalRequest, entry.reply as ExternalReply, atMs));
  }
  const answered = new Set(entries.map(({entry}) => entry['id']));
  for (const {id, owner, fields, createdAtMs} of aliveExternals(run.ledger, run.endedAtMs)) {
    // Carried out, and not answered by the time the run ended.
    if (!answered.has(id))
      entries.push({
        atMs: createdAtMs,
        entry: {id, op: 'create', note: 'committed', owner: owner ?? '', ...sizeIn(fields)},
      });
  }
  return entries
    .sort((left, right) => left.atMs - right.atMs)
    .map(({atMs, entry}) => ({...entry, tMs: Math.round(atMs - run.startedAtMs)}));
}

function logged(request: ExternalRequest, reply: ExternalReply, atMs: number): readonly LogEntry[] {
  const {code, external} = reply;
  switch (request.op) {
    case 'create': {
      const what = {op: 'create', owner: request.owner, ...sizeIn(request.fields)};
      const {committedAtMs, committedId: id = ''} = reply;
      if (committedAtMs === undefined) return [{atMs, entry: {...what, code, note: 'refused, nothing created'}}];
      return [
        {atMs: committedAtMs, entry: {...what, id, note: 'committed'}},
        {atMs, entry: {op: 'create-answer', code, id, note: 'answered'}},
      ];
    }
    case 'delete':
      return [{atMs, entry: {op: 'delete', code, id: request.id}}];
    default:
      return [
        {
          atMs,
          entry: {
            op: request.op,
            code,
            ...idIn(request.id),
            ...(external === undefined ? {} : sizeIn(external.fields)),
          },
        },
      ];
  }
}

function idIn(id: string): JsonObject {
  return id === '' ? {} : {id};
}
