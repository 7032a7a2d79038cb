// Judges a control plane as it is now, from its objects alone: nothing runs, and nothing is guessed that the source does not
// show.

import type {Source} from '../input/source/source.ts';
import {checkClaims} from './check-claims.ts';
import {checkDefinitions} from './check-definitions.ts';
import {checkDeletions} from './check-deletions.ts';
import {checkDoubled} from './check-doubled.ts';
import {checkExternalNames} from './check-external-names.ts';
import {checkLists} from './check-lists.ts';
import {checkOwners} from './check-owners.ts';
import {checkPauses} from './check-pauses.ts';
import {checkUsages} from './check-usages.ts';
import {checkConfigUsages} from './config-usages.ts';
import {classNames, type Finding} from './finding.ts';
import {type Inventory, inventoryOf} from './inventory.ts';
import type {Judged, NotJudged} from './judged.ts';

export interface Audit {
  readonly source: Source;
  /** The worst classes first, in the order of finding.ts; within a class by id. */
  readonly findings: readonly Finding[];
  readonly notJudged: readonly NotJudged[];
}

const checks: readonly ((inventory: Inventory) => Judged)[] = [
  checkOwners,
  checkLists,
  checkDoubled,
  checkUsages,
  checkDeletions,
  checkConfigUsages,
  checkExternalNames,
  checkPauses,
  checkDefinitions,
  checkClaims,
];

export function audit(source: Source): Audit {
  const inventory = inventoryOf(source);
  const judged = checks.map((check) => check(inventory));
  const findings = judged.flatMap((one) => one.findings).toSorted(byClass);
  return {source, findings, notJudged: judged.flatMap((one) => one.notJudged)};
}

function byClass(left: Finding, right: Finding): number {
  const rank = ({fault}: Finding): number => classNames.indexOf(fault.class);
  return rank(left) - rank(right) || (left.id < right.id ? -1 : 1);
}
