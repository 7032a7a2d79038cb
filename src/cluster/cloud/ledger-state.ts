// The content of a cloud at one moment, as plain data: a part of every world (see cloud-ledger.ts).

import type {JsonObject} from '../json.ts';
import type {Table} from '../table.ts';
import type {CloudConfig} from './cloud-config.ts';
import type {ExternalReply, ExternalRequest} from './cloud-protocol.ts';

export interface External {
  readonly id: string;
  readonly type: string;
  /** The managed resource for which it was created; undefined if it was created out of band. */
  readonly owner: string | undefined;
  readonly fields: JsonObject;
  /** The status that its provider shows, for resources older than the simulation. */
  readonly shown?: JsonObject;
  readonly createdAtMs: number;
  readonly visibleAtMs: number;
}

export interface CloudCounters {
  readonly creates: number;
  readonly updates: number;
  readonly deletes: number;
  readonly outOfBandDeletes: number;
}

export interface CloudLedger {
  readonly config: CloudConfig;
  /** By type and identifier: two types may give the same name away. */
  readonly externals: Table<External>;
  readonly counters: CloudCounters;
  /** Identifiers given out, by which the next one is named; and by owner, where they are named by owner. */
  readonly named: number;
  readonly namedFor: Table<number>;
  /** Requests taken in and not answered, by ticket. */
  readonly inFlight: Table<InFlight>;
}

export interface InFlight {
  readonly request: ExternalRequest;
  /** The reply, for requests that were settled on arrival. */
  readonly reply?: ExternalReply;
  /** Only for a create that is still to come into being. */
  readonly commitAtMs?: number;
  /** Answer with an error even though the create was carried out. */
  readonly failsAfterCommit?: true;
}
