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
import {classNames} from './class-words.ts';
import {checkConfigUsages} from './config-usages.ts';
import type {Finding, Judged, NotJudged} from './finding.ts';
import {type Inventory, inventoryOf} from './inventory.ts';

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
  return {
    source,
    findings,
    notJudged: [...(findings.length === 0 ? withoutXrs(inventory) : []), ...judged.flatMap((one) => one.notJudged)],
  };
}

/** All of a dump of the wrong kinds: that nothing is found in it says nothing of its control plane. */
function withoutXrs({objects, xrs, claims, managed, usages}: Inventory): readonly NotJudged[] {
  if (objects.length === 0 || [xrs, claims, managed, usages].some(({length}) => length > 0)) return [];
  return [{count: objects.length, what: 'objects: none is an XR, a claim, a managed resource or a Usage'}];
}

function byClass(left: Finding, right: Finding): number {
  const rank = ({fault}: Finding): number => classNames.indexOf(fault.class);
  return rank(left) - rank(right) || (left.id < right.id ? -1 : 1);
}
