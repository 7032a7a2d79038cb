// A run in which nothing happened, for tests that tell what is different about theirs.

import type {Ending} from '../../../src/harness/twin/ending.ts';
import type {Ledger} from '../../../src/harness/twin/ledger.ts';

const answers = {
  died: [],
  readyTooSoon: new Set(),
  said: new Set<string>(),
  externals: new Map(),
  letGo: () => 0,
  isDenied: () => false,
  isCutOff: () => false,
  hasWaited: () => false,
  syncedUntilMs: () => Number.POSITIVE_INFINITY,
  endedStill: () => false,
  isOfLost: () => false,
  wentWithKind: () => false,
  resourceNamesAt: () => [],
  wasBroughtBack: () => false,
  lastUidAt: () => undefined,
  wasCollected: () => false,
  cameBackLate: () => false,
  wasRestored: () => false,
  wasRemade: () => false,
  madeFirstMs: () => 0,
  wasAskedTooSoon: () => false,
  idOf: () => '',
  of: () => undefined,
  deletedByHand: () => [],
  ofUid: () => undefined,
  deletesWith: () => false,
};

/** Every kind is served. */
const world = {nowMs: 0, server: {kinds: {has: () => true}}};

/** The books of it, with what is different about them. */
export function ledgerOf(said: object = {}): Ledger {
  return {...answers, ...said} as unknown as Ledger;
}

/** The run, with what is different about it. */
export function runOf(said: object = {}): Ending['run'] {
  const run = {ledger: ledgerOf(), restless: undefined, happened: [], story: {moves: []}, writtenMs: 0, world};
  return {...run, ...said} as unknown as Ending['run'];
}
