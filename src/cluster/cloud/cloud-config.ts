// How the cloud behaves, as data: a scenario may change it while the world runs.

import type {JsonObject} from '../json.ts';

/** The settings of one type of external resource. */
export interface TypeConfig {
  /** The beginning of identifiers, and their rest: a count, 17 hex digits, or the name of the managed resource. */
  readonly idPrefix: string;
  readonly idStyle: 'number' | 'hex' | 'owner';
  /** Fields the cloud fills in where the create left them out: what late initialization brings back. */
  readonly defaults: JsonObject;
  /** Computed attributes; `{id}` stands for the identifier. */
  readonly attributes: {readonly [name: string]: string};
  /** So long after it came into being a resource is shown as `creating`, then as `available`. */
  readonly readyDelayMs: number;
  readonly createDelayMs: number;
  readonly updateDelayMs: number;
  readonly deleteDelayMs: number;
}

export interface CloudConfig extends TypeConfig {
  /** Overrides by type. */
  readonly types: {readonly [type: string]: Partial<TypeConfig>};
  /** How long any request takes besides the delays. */
  readonly latencyMs: number;
  /** When a create comes into being: so long after it was taken in, or when it is answered. */
  readonly commitAt: number | 'end';
  /** So many creates to come are refused and make nothing. */
  readonly failCreates: number;
  /** So many creates to come are carried out, yet answered with an error. */
  readonly failAfterCommit: number;
  /** So long a new resource is not yet shown to reads. */
  readonly visibleDelayMs: number;
}

export type ConfigChange = Partial<CloudConfig>;

export const defaultConfig: CloudConfig = {
  idPrefix: 'ext-',
  idStyle: 'number',
  defaults: {},
  attributes: {},
  readyDelayMs: 0,
  createDelayMs: 0,
  updateDelayMs: 0,
  deleteDelayMs: 0,
  types: {},
  latencyMs: 2,
  commitAt: 0,
  failCreates: 0,
  failAfterCommit: 0,
  visibleDelayMs: 0,
};

/**
 * The identifier of the nth resource this cloud made: `ext-1`, or as AWS gives them, spread but the same in every run. By
 * owner it is the nth made for `owner`, so that who came first shows in no identifier: `ext-Bucket-logs`, `ext-Bucket-logs-2`.
 */
export function identifier({idPrefix, idStyle}: TypeConfig, n: number, owner: string): string {
  if (idStyle === 'owner') return n === 1 ? `${idPrefix}${owner}` : `${idPrefix}${owner}-${n}`;
  if (idStyle === 'number') return `${idPrefix}${n}`;
  return `${idPrefix}${hex(Math.imul(n, 0x9e3779b1))}${hex(Math.imul(n, 0x85ebca6b) + 1)}${hex(n).slice(-1)}`;
}

/** True if the cloud itself could have made the identifier. */
export function isOwnIdentifier({idPrefix, idStyle}: TypeConfig, type: string, id: string): boolean {
  if (!id.startsWith(idPrefix)) return false;
  const rest = id.slice(idPrefix.length);
  if (idStyle === 'owner') return rest.startsWith(`${type}-`);
  return (idStyle === 'number' ? /^\d+$/ : /^[0-9a-f]{17}$/).test(rest);
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}
