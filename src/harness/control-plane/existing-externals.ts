// The external resources that a story finds in the cloud: what a managed resource only observes, or takes over by its name.

import {putOutOfBand} from '../../cluster/cloud/cloud-ledger.ts';
import type {CloudLedger} from '../../cluster/cloud/ledger-state.ts';
import {cloudTypeOf, type ManagedKindHints} from './managed-kinds.ts';

/** The cloud with them, from this moment on. */
export function withExisting(
  before: CloudLedger,
  {externals}: Pick<ManagedKindHints, 'externals'>,
  nowMs: number,
): CloudLedger {
  const found = Object.entries(externals).flatMap(([word, {exist = []}]) =>
    exist.map((id) => ({type: cloudTypeOf(word, externals), id, fields: {}})),
  );
  return found.reduce((ledger, external) => putOutOfBand(ledger, external, nowMs), before);
}
