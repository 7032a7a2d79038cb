// Everything the decisions of one plan are made of, worked out once from the snapshot and the input.

import type {Decision} from './decision.ts';
import {oldObjectRequirements, remembered} from './external-names/lost-names.ts';
import {memoryConfigMap, memoryRequirements, type NameMemory, recall} from './external-names/name-memory.ts';
import type {Remembered} from './external-names/remembered.ts';
import type {Seals} from './external-names/seal.ts';
import type {Naming} from './input/dialect.ts';
import type {Input} from './input/input.ts';
import {type JsonObject, text} from './json.ts';
import {renamed} from './objects/identity.ts';
import {type Ownership, ownerships, unadopted} from './objects/ownership.ts';
import {type Claim, claimOf} from './objects/proof.ts';
import {memoryName} from './objects/requirement-names.ts';
import type {Orders} from './order/order.ts';
import {inUseRequirements} from './removal/in-use.ts';
import {overBudget} from './removal/policies.ts';
import {type Questions, questionsOf} from './removal/questions.ts';
import {needsRelaxing} from './removal/relax.ts';
import {byRequirements, type Removal} from './removal/removal.ts';
import {type Answers, answersIn} from './restore/answers.ts';
import {type Found, foundOrphans, lookupRequirements} from './restore/lookup.ts';
import type {Snapshot} from './snapshot.ts';
import type {Templates} from './templates/templates.ts';
import {edgesOf} from './usages/edges.ts';
import {type NameUsage, usageNames} from './usages/names.ts';
import {protections} from './usages/protect.ts';
import {dialectOf} from './usages/usage-api.ts';
import {type DeclaredUsages, declaredUsages, isDeclared, type Pair} from './usages/usages.ts';

export interface Situation {
  readonly snapshot: Snapshot;
  readonly input: Input;
  readonly xrUid: string;
  readonly claim: Claim;
  /** The field manager with which Crossplane applies this XR's composed resources. */
  readonly manager: string;
  readonly orders: Orders;
  readonly templates: Templates;
  readonly refused: DeclaredUsages['refused'];
  /** Resource names of everything observed, desired or generated. */
  readonly names: readonly string[];
  readonly ownership: ReadonlyMap<string, Ownership>;
  /** Resource names of what is proven to be this XR's and lacks its controller reference, sorted. */
  readonly unadopted: readonly string[];
  /** Objects that this function adds to desired by itself, by resource name: Usages, and the memory of names. */
  readonly generated: ReadonlyMap<string, JsonObject>;
  /** Old resource name to new, of objects that are desired under another one. */
  readonly renamed: ReadonlyMap<string, string>;
  /** The same from new to old. */
  readonly renamedFrom: ReadonlyMap<string, string>;
  readonly removal: Removal;
  /** The decision for everything that leaves, if more leaves than the budget allows. */
  readonly overBudget: Decision | undefined;
  readonly answers: Answers;
  readonly orphans: readonly Found[];
  /** What is remembered of external names, before (`recalled`) and after this reconcile. */
  readonly recalled: NameMemory;
  readonly memory: ReadonlyMap<string, Remembered>;
  /** Whether what is remembered is sealed. */
  readonly hasKey: boolean;
  readonly questions: Questions;
}

export function situate(
  snapshot: Snapshot,
  input: Input,
  orders: Orders,
  templates: Templates,
  naming: Naming,
  seals: Seals,
): Situation {
  const {xr, observed, desired} = snapshot;
  const claim = claimOf(xr);
  const {id, manager} = claim;
  const xrUid = text(xr.field(['metadata', 'uid']));
  const remember = input.externalNames?.remember;
  const recalled = recall(snapshot, remember, seals);
  const isKept = remember !== undefined && recalled.kind === 'read';
  const memory = isKept ? remembered(recalled, snapshot, seals) : new Map<string, Remembered>();
  const nameUsage = usageNames(naming, snapshot, dialectOf(input.crossplane));
  const additions = additionsTo(snapshot, input, orders, templates, nameUsage);
  const configMap = isKept ? memoryConfigMap(memory, xr, remember) : undefined;
  const generated = new Map(additions.generated);
  if (configMap !== undefined) generated.set(memoryName, configMap);
  const ownership = ownerships(observed, xrUid);
  const waitingToBeAdopted = unadopted(observed, ownership, claim);
  const isOwn = (name: string) => ownership.get(name)?.kind === 'ours' || waitingToBeAdopted.includes(name);
  const renames = renamed(snapshot, isOwn);
  const leaving = removalOf(snapshot, input, additions, generated, claim.id, nameUsage, renames);
  const lookups = lookupRequirements(snapshot, input, id);
  const questions = questionsOf(snapshot, byRequirements(leaving), lookups, [
    ...memoryRequirements(snapshot, remember),
    ...oldObjectRequirements(recalled, snapshot),
    ...inUseRequirements(snapshot, leaving.leaving),
  ]);
  const answered = {...snapshot, required: questions.required};
  const removal: Removal = {...leaving, snapshot: answered, unserved: questions.unserved};
  const answers = answersIn(answered);
  return {
    snapshot,
    input,
    xrUid,
    claim,
    manager,
    orders,
    templates,
    refused: additions.refused,
    names: [...new Set([...observed.keys(), ...desired.keys(), ...generated.keys(), ...takenMemory(recalled)])],
    ownership,
    unadopted: waitingToBeAdopted,
    generated,
    renamed: renames,
    renamedFrom: new Map([...renames].map(([from, to]) => [to, from])),
    removal,
    overBudget: overBudget(removal.leaving, snapshot, input),
    answers,
    orphans: foundOrphans(snapshot, lookups.keys(), xrUid, answers).filter(
      ({resourceName}) => !generated.has(resourceName),
    ),
    recalled,
    memory,
    hasKey: seals.hasKey,
    questions,
  };
}

/** The ConfigMap gets a decision although it is neither observed nor generated. */
function takenMemory(recalled: NameMemory): readonly string[] {
  return recalled.kind === 'taken' && recalled.wait !== undefined ? [memoryName] : [];
}

/** The Usages that the input asks for, and the pairs and protections they stand for. */
interface Additions {
  readonly pairs: readonly Pair[];
  readonly declared: DeclaredUsages;
  readonly protecting: ReadonlyMap<string, string>;
  readonly generated: ReadonlyMap<string, JsonObject>;
  readonly refused: DeclaredUsages['refused'];
}

function additionsTo(
  snapshot: Snapshot,
  input: Input,
  orders: Orders,
  templates: Templates,
  nameUsage: NameUsage,
): Additions {
  const dialect = dialectOf(input.crossplane);
  const explicit = (input.usages ?? []).map((pair, index) => ({...pair, path: `usages[${index}]`}));
  const pairs = [...explicit, ...orders.deletion];
  const waits = waiting(snapshot, orders, templates);
  const declared = declaredUsages(
    snapshot,
    pairs.filter(({of, by}) => !waits(of) && !waits(by)),
    dialect,
    nameUsage,
  );
  const protection = protections(snapshot, input, dialect, nameUsage, waits);
  const usages = declared.usages.map(({name, body}): [string, JsonObject] => [name, body]);
  return {
    pairs,
    declared,
    protecting: protection.protecting,
    generated: new Map([...usages, ...protection.usages]),
    refused: [...declared.refused, ...protection.refused],
  };
}

function removalOf(
  snapshot: Snapshot,
  input: Input,
  {pairs, declared, protecting}: Additions,
  generated: ReadonlyMap<string, JsonObject>,
  id: string,
  nameUsage: NameUsage,
  renames: ReadonlyMap<string, string>,
): Omit<Removal, 'unserved'> {
  const {observed, desired} = snapshot;
  const dialect = dialectOf(input.crossplane);
  const isLeaving = (name: string) => !desired.has(name) && !generated.has(name) && !renames.has(name);
  return {
    snapshot,
    id,
    leaving: new Set([...observed.keys()].filter(isLeaving)),
    declared,
    edges: edgesOf(snapshot),
    protecting,
    isDeclared: (usage) => isDeclared(observed.get(usage), pairs),
    successors: ({usage, of, by}) => {
      const added = nameUsage(of, by).resourceName;
      return added !== usage && generated.has(added) ? [added] : [];
    },
    replays: ({usage}) => observed.get(usage)?.field(['spec', 'replayDeletion']) === true,
    needsRelaxing: (edge) => {
      const view = observed.get(edge.usage);
      return view !== undefined && needsRelaxing(edge, view, dialect);
    },
  };
}

/** Who waits to be created. A Usage that names one of those would only keep its controller busy. */
function waiting({observed}: Snapshot, orders: Orders, {unresolved}: Templates): (resourceName: string) => boolean {
  return (name) => !observed.has(name) && (orders.awaited.has(name) || orders.gaps.has(name) || unresolved.has(name));
}
