// A stated reason excuses a harm only if the request holds what the reason claims. A function that states a reason which the
// input and the desired state do not bear out is not believed: its decision explains nothing.

import {at, type Json, type JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {groupKindOf} from '../../cluster/object.ts';
import {decodeRequest, type StateMessage} from '../../wire/request-decode.ts';
import {asksForUsages} from './asks-for-usages.ts';
import type {Ending} from './ending.ts';
import {type Explain, inputIn, type Named, nameOf} from './lives.ts';

interface Claim {
  readonly request: Uint8Array;
  readonly input: JsonObject;
  readonly name: string;
  readonly observed: KubeObject | undefined;
  readonly desired: KubeObject | undefined;
  /** Every request of the XR: a rule counts after it was taken away, too. */
  readonly all: readonly Uint8Array[];
}

type Holds = (claim: Claim) => boolean;

const hasRule =
  (...parts: readonly string[]): Holds =>
  ({all}) =>
    all.some((request) => parts.some((part) => inputIn(request)[part] !== undefined));
const hasPolicy =
  (policy: string): Holds =>
  (claim) =>
    listAt(claim.input, 'removal', 'policies').some(
      (one) => at(one, ['policy']) === policy && selects(at(one, ['match']), claim),
    );
const usages: Holds = ({request, observed, desired}) =>
  asksForUsages(request) ||
  [...kindsIn(request), observed?.kind, desired?.kind].some((kind) => /Usage$/.test(kind ?? ''));

/** By the name of a decision. A reason that is not listed is believed. */
const claims: {readonly [name: string]: Holds} = {
  retain: hasPolicy('Retain'),
  'hold awaiting-approval': hasPolicy('Confirm'),
  'hold orphan-first': hasPolicy('Orphan'),
  'refuse cannot-orphan': hasPolicy('Orphan'),
  'hold over-budget': isOverBudget,
  'hold protected': usages,
  'hold still-used-by': usages,
  'wait creation-order': isOrdered,
  'wait nothing-selected': isOrdered,
  'wait unresolved': isTemplate,
  'hold unresolved': isTemplate,
  'hold kind-changed': isOfAnotherKind,
  'refuse kind-changed': isOfAnotherKind,
  'wait not-given': hasRule('take'),
  'wait given-away': hasRule('give', 'take'),
  'exchange offering': hasRule('give', 'take'),
  'exchange letting-go': hasRule('give', 'take'),
  'exchange observing': hasRule('give', 'take'),
  'refuse cannot-hand-over': hasRule('handover', 'give', 'take'),
  'wait handed-over-later': hasRule('handover', 'give', 'take'),
  'hold hand-over-in-progress': hasRule('handover', 'give', 'take'),
  'hand-over renaming': hasRule('handover'),
  'hand-over setting-aside': hasRule('handover'),
  'hand-over observing': hasRule('handover'),
};

/** As `explain`, but a decision whose claim does not hold in the request has a name that explains nothing. */
export function believing(explain: Explain | undefined, {asked}: Pick<Ending, 'asked'>): Explain | undefined {
  if (explain === undefined) return undefined;
  const all = [...asked.values()].map(({requests}) => requests);
  return (request) => provenOf(explain(request), request, all.find((one) => one.includes(request)) ?? [request]);
}

function provenOf(decisions: readonly Named[], request: Uint8Array, all: readonly Uint8Array[]): readonly Named[] {
  if (decisions.every((one) => claims[nameOf(one)] === undefined)) return decisions;
  const {observed, desired} = decodeRequest(request);
  const input = inputIn(request);
  return decisions.map((one) => {
    const name = one.resourceName;
    const objectIn = ({resources}: StateMessage) => resources.get(name)?.json() as KubeObject | undefined;
    const claim = {request, input, name, all, observed: objectIn(observed), desired: objectIn(desired)};
    return claims[nameOf(one)]?.(claim) === false ? {...one, decision: `unproven ${one.decision}`} : one;
  });
}

function listAt(value: JsonObject, ...path: readonly string[]): readonly JsonObject[] {
  return (at(value, path) ?? []) as readonly JsonObject[];
}

/** Whether a selector of the input fits the resource, as it is observed or desired. */
function selects(selector: Json | undefined, {name, observed, desired}: Claim): boolean {
  const {resources, pattern, kinds, labels} = (selector ?? {}) as {[key: string]: readonly JsonObject[]};
  const objects = [observed, desired].filter((one) => one !== undefined);
  const fold = (value: Json | undefined, isFolded: unknown) => (isFolded ? String(value).toLowerCase() : String(value));
  return (
    (resources === undefined || (resources as readonly Json[]).includes(name)) &&
    (pattern === undefined || new RegExp(`^(?:${String(pattern)})$`).test(name)) &&
    (kinds === undefined ||
      objects.some((object) => kinds.some((one) => groupKindOf(one as KubeObject) === groupKindOf(object)))) &&
    (labels === undefined ||
      objects.some(({metadata}) =>
        labels.every(
          ({key, value, ignoreCase}) => fold(metadata?.labels?.[String(key)], ignoreCase) === fold(value, ignoreCase),
        ),
      ))
  );
}

function isOverBudget({request, input}: Claim): boolean {
  const {resources, percent} = (at(input, ['removal', 'budget']) ?? {}) as {[key: string]: number};
  const {observed, desired} = decodeRequest(request);
  const leaving = [...observed.resources].filter(
    ([name, one]) => !desired.resources.has(name) || one.field(['metadata', 'deletionTimestamp']) !== undefined,
  ).length;
  return leaving > Math.min(resources ?? 1e9, ((percent ?? 1e9) * observed.resources.size) / 100);
}

/** Whether an order that holds creation back selects it, not as its first step only. */
function isOrdered(claim: Claim): boolean {
  const {input, name} = claim;
  if (isTemplate(claim)) return true;
  const isLater = ({sequence, by}: JsonObject) =>
    [by, ...((sequence ?? []) as readonly Json[]).slice(1)].some((step) => step !== undefined && selects(step, claim));
  const ofDialect = listAt(input, 'rules').some(({sequence}) =>
    (sequence as readonly string[]).slice(1).some((step) => new RegExp(`^(?:${step})$`).test(name)),
  );
  return ofDialect || listAt(input, 'order').some((one) => one['deleteOnly'] !== true && isLater(one));
}

function isTemplate({input, name}: Claim): boolean {
  return listAt(input, 'resources').some((one) => one['name'] === name);
}

function isOfAnotherKind({observed, desired}: Claim): boolean {
  return observed !== undefined && desired !== undefined && groupKindOf(observed) !== groupKindOf(desired);
}

function kindsIn(request: Uint8Array): readonly string[] {
  const {observed, desired} = decodeRequest(request);
  return [...observed.resources.values(), ...desired.resources.values()].map(({kind}) => kind);
}
