import {countersAt} from '../../src/cluster/cloud/cloud-ledger.ts';
import {at} from '../../src/cluster/json.ts';
import {conditionOf, type KubeObject} from '../../src/cluster/object.ts';
import {annotationsOf} from '../../src/cluster/provider/annotations.ts';
import type {Drive} from '../../src/harness/functions/drive.ts';
import type {ManagedWait} from './managed-recording.ts';
import {ledgerOf, objectOf, providerName, type Rig} from './managed-rig.ts';

// Waits as the recorder waited: it looked at once, and then every 50 ms until all held or the time was over.

const lookEveryMs = 50;

/** Lets the world run until what is wanted holds. A timeout is no failure here: the recorder went on as well. */
export function* wait(wanted: ManagedWait, timeoutMs: number, rig: Rig): Drive<void> {
  const {session} = rig;
  const deadlineMs = session.nowMs + timeoutMs;
  while (!holds(wanted, rig) && session.nowMs < deadlineMs)
    yield* session.run(Math.min(session.nowMs + lookEveryMs, deadlineMs));
}

function holds(wanted: ManagedWait, rig: Rig): boolean {
  const {session} = rig;
  const object = objectOf(rig);
  const counters = countersAt(ledgerOf(session.world), session.nowMs);
  const synced = conditionOf(object, 'Synced');
  const checks = [
    wanted.gone === undefined || wanted.gone === (object === undefined),
    wanted.providerDead === undefined || wanted.providerDead === !session.world.processes.has(providerName),
    wanted.ready === undefined || conditionOf(object, 'Ready')?.status === wanted.ready,
    wanted.synced === undefined || synced?.status === wanted.synced,
    wanted.syncedReason === undefined || synced?.reason === wanted.syncedReason,
    wanted.lastAsync === undefined || conditionOf(object, 'LastAsyncOperation')?.status === wanted.lastAsync,
    wanted.msg === undefined || messagesOf(object).some((message) => message.includes(wanted.msg ?? '')),
    wanted.atSize === undefined || at(object, ['status', 'atProvider', 'size']) === wanted.atSize,
    counters.creates >= (wanted.creates ?? 0),
    counters.deletes >= (wanted.deletes ?? 0),
    counters.updates >= (wanted.updates ?? 0),
    rig.observesSinceStart() >= (wanted.observes ?? 0),
    // Reads do not count: they were over before the recorder could see them.
    [...session.world.cloudRequests.values()].filter(({request}) => request.op !== 'get').length >=
      (wanted.inflight ?? 0),
    Object.entries(wanted.ann ?? {}).every(([name, value]) => hasAnnotation(object, name, value)),
  ];
  return checks.every((check) => check);
}

function hasAnnotation(object: KubeObject | undefined, name: string, value: string): boolean {
  const got = object === undefined ? undefined : annotationsOf(object)[`crossplane.io/${name}`];
  return value === '*' ? got !== undefined : got === value;
}

function messagesOf(object: KubeObject | undefined): readonly string[] {
  const conditions = object?.status?.['conditions'];
  return Array.isArray(conditions) ? conditions.map((condition) => String(condition.message ?? '')) : [];
}
