import {aliveExternals} from '../../src/cluster/cloud/cloud-ledger.ts';
import type {CloudLedger} from '../../src/cluster/cloud/ledger-state.ts';
import type {JsonObject} from '../../src/cluster/json.ts';
import type {World} from '../../src/cluster/kernel/world.ts';
import type {KubeObject, ResourceRef} from '../../src/cluster/object.ts';
import type {Session} from '../../src/harness/control-plane/session.ts';
import type {ManagedScenario} from './managed-recording.ts';

// The world of one recorded scenario of the managed reconciler, with what the recorder kept around it.

export interface Rig {
  readonly scenario: ManagedScenario;
  readonly session: Session;
  readonly observesSinceStart: () => number;
  readonly started: () => void;
  readonly outOfBand: {atMs: number; entry: JsonObject}[];
  backup: KubeObject | undefined;
}

export const providerName = 'thing-provider';
export const apiVersion = 'things.example.org/v1alpha1';

export function objectOf({session, scenario}: Rig): KubeObject | undefined {
  const response = session.submit('recorder', {verb: 'get', ref: refIn(scenario)});
  return response.ok ? response.object : undefined;
}

export function refIn({kind, name}: ManagedScenario): ResourceRef {
  return {apiVersion, kind, name};
}

export function ledgerOf(world: World): CloudLedger {
  return world.cloud as CloudLedger;
}

/** The identifier the cloud gave last; '' where nothing is alive. */
export function newestExternal(session: Session): string {
  return aliveExternals(ledgerOf(session.world), session.nowMs).at(-1)?.id ?? '';
}
