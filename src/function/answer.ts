// From a plan to what changes on the way from the request to the response. Everything the plan does not name passes.

import {condition as conditionOn} from '../lifecycle/facts/ready.ts';
import type {InvalidInput} from '../lifecycle/input/input.ts';
import type {Plan} from '../lifecycle/plan/plan.ts';
import {leftBehindSentence} from '../lifecycle/restore/left-behind.ts';
import {conditions, gravest} from '../lifecycle/words/conditions.ts';
import {type Decision, type Hold, rowOf} from '../lifecycle/words/decision.ts';
import {eventSentence, events, type Transition, unknownName} from '../lifecycle/words/events.ts';
import {asObject, type JsonObject, text} from '../lifecycle/words/json.ts';
import {composed, expectedText, list, listedMax, quoted, refusedPairSentence} from '../lifecycle/words/phrases.ts';
import {restoreCause} from '../lifecycle/words/reasons.ts';
import {capabilityCapabilities, type RequestMessage} from '../wire/request-decode.ts';
import type {Condition, ResourceMessage, Result} from '../wire/resource-message.ts';
import type {ResponseChanges} from '../wire/response-encode.ts';
import {contextOf} from './snapshot.ts';

const conditionType = 'Tethered';

/** The TTL while a resource waits or is refused, if neither input nor flag sets one: usually a person has to act. */
export const ttlWhileWaitingSeconds = 60;

/**
 * The changes of a plan, for the response. `ttlSeconds` is the TTL if the input sets none. If neither is set and all is quiet, the
 * response has no TTL: the pipeline then has the shortest TTL of its other steps (crossplane 2d040d2da composition_functions.go).
 */
export function responseChanges(request: RequestMessage, plan: Plan, ttlSeconds: number | undefined): ResponseChanges {
  const byDefault = plan.isQuiet ? 0 : ttlWhileWaitingSeconds;
  const {condition, context} = conditionOf(plan, request);
  return {
    ttlSeconds: shorter(plan.ttlSeconds ?? ttlSeconds ?? byDefault, plan.ttlAtMostSeconds),
    compositeStatus: plan.xrStatus,
    compositeReady: plan.xrReady,
    resources: plan.edits,
    results: plan.transitions.map((transition) => resultOf(transition, plan)),
    // Conditions are an XR's, and an Operation has none.
    conditions: request.observed.composite === undefined ? [] : [condition],
    context: request.observed.composite === undefined ? undefined : context,
    requirements: plan.requirements,
    schemas: plan.schemas,
    requirementFields: requirementFieldsFor(request.capabilities),
  };
}

// Zero is the longest TTL (crossplane/crossplane 2d040d2da composition_functions.go: "A TTL of zero means unlimited TTL").
function shorter(ttl: number, atMost: number | undefined): number {
  if (atMost === undefined) return ttl;
  return ttl === 0 ? atMost : Math.min(ttl, atMost);
}

function resultOf(transition: Transition, plan: Plan): Result {
  const message = transitionSentence(transition, plan.decisions.get(transition.resourceName));
  const {reason, severity} = events[transition.kind];
  return {severity, message, reason, target: 'composite'};
}

// In the context: what each step of function-tether in the pipeline reports, by the tag of its request.
const reportsInContext = 'tether.fn.crossplane.io/conditions';

interface Reported {
  readonly condition: Condition;
  readonly context: JsonObject | undefined;
}

// At the end of a message that no step reports alone.
const bySeveral = '; reported by several steps';

/**
 * The XR condition, and what a later step of function-tether has to know of it. Crossplane shows the condition of the last step, so
 * that has the gravest reason and all messages. A step that is called again, with the same tag, finds its own report.
 *
 * Two steps that set it differently make Crossplane write it in every reconcile, and each write is another reconcile. So the first step
 * sets the present one, if that is of several steps, has the report of this one, and is of the same pipeline.
 */
export function conditionOf(plan: Plan, request: Pick<RequestMessage, 'context' | 'tag' | 'observed'>): Reported {
  const {reason, status} = plan.condition;
  const message = conditionSentence(plan);
  const earlier = contextOf(request)([reportsInContext]);
  const condition: Condition = {type: conditionType, status, reason, message, target: 'composite'};
  const {composite} = request.observed;
  const present = composite && conditionOn(composite, conditionType);
  const said = text(present?.['message']);
  const hasNone = message === nothingToReport;
  const lead = `${nothingToReport}; `;
  if (earlier === undefined && hasNone && ['', message].includes(said)) return {condition, context: undefined};
  const {[request.tag]: _, ...others} = asObject(earlier);
  const isFirst = Object.keys(others).length === 0;
  const reports = hasNone && !isFirst ? others : {...others, [request.tag]: {reason, message}};
  const context = {[reportsInContext]: reports};
  const isShared = said.endsWith(bySeveral) && (hasNone || said.includes(message.replace(lead, '')));
  if (isFirst && isShared && isOfThisPipeline(composite))
    return {
      condition: {...condition, status: statusIn(present), reason: text(present?.['reason']), message: said},
      context,
    };
  const all = Object.values(reports).map(asObject);
  const gravestReason = gravest(new Set(all.map((report) => text(report['reason']))));
  const {status: gravestStatus} = conditions[gravestReason];
  const useless = gravestStatus === 'True' ? '' : lead;
  // Sorted, because a context has no order.
  const messages = all.flatMap((report) => {
    const one = text(report['message']);
    return one === nothingToReport ? [] : [one.replace(useless, '')];
  });
  const merged = messages.sort().join('; ') || nothingToReport;
  const end = all.length > 1 ? bySeveral : '';
  return {condition: {...condition, status: gravestStatus, reason: gravestReason, message: `${merged}${end}`}, context};
}

function statusIn(present: JsonObject | undefined): Condition['status'] {
  return present?.['status'] === 'True' ? 'True' : 'False';
}

/**
 * True if a whole reconcile was of the XR's generation, which changes with its revision. Conditions before Crossplane 2.0 have no
 * generation.
 */
function isOfThisPipeline(xr: ResourceMessage | undefined): boolean {
  const synced = xr && conditionOn(xr, 'Synced');
  const seen = synced?.['observedGeneration'];
  return synced?.['status'] === 'True' && seen !== undefined && seen === xr?.field(['metadata', 'generation']);
}

// A Crossplane that advertises capabilities (v2.2 on) reads `resources`. One that does not may be older than v2 and know
// only the old name, so it is asked under both; the answers are the same.
function requirementFieldsFor(capabilities: readonly number[]): ResponseChanges['requirementFields'] {
  return capabilities.includes(capabilityCapabilities) ? ['resources'] : ['resources', 'extra_resources'];
}

// The sentences of a whole plan: the condition, the events. Those of one decision are in the table of reasons
// (src/lifecycle/words/reasons.ts).

/** Why the whole XR stops: the input does not fit. */
export function invalidInputSentence(problem: InvalidInput): string {
  const place = problem.path === '' ? 'input' : `input.${problem.path}`;
  return `cannot use ${place}: ${expectedText(problem)}`;
}

/** The message of the XR condition: what is not as the pipeline wants it, and who waits for whom. */
export function conditionSentence(plan: Plan): string {
  const unknown = plan.unknownNames.slice(0, listedMax).map(unknownName);
  const undecided = plan.undecided
    .slice(0, listedMax)
    .map(({path, ...rest}) => `input.${path} is taken as true: ${expectedText(rest)}`);
  const unmatched = plan.unmatched
    .slice(0, 1)
    .map(({path, ...rest}) => `input.${path} selects nothing: ${expectedText(rest)}`);
  const leaving = plan.transitions
    .filter(({kind}) => kind === 'config-leaves')
    .slice(0, listedMax)
    .map((transition) => transitionSentence(transition, undefined));
  return [stateSentence(plan), ...outgrownSentence(plan), ...unmatched, ...leaving, ...unknown, ...undecided].join(
    '; ',
  );
}

/** The message if every resource is as the pipeline wants it, and all of the input has an effect. */
const nothingToReport = 'every composed resource is as the pipeline wants it';

function outgrownSentence({outgrown}: Plan): readonly string[] {
  if (outgrown === undefined) return [];
  const {questions, words} = outgrown;
  const asked = questions === 1 ? '1 question is' : `${questions} questions are`;
  return [
    `the answers of Crossplane were too large for one message: ${asked} ${words}; see whether others have large objects with the label tether.fn.crossplane.io/composite of this XR`,
  ];
}

function stateSentence({condition, decisions, refusedPairs, leftBehind, awaited}: Plan): string {
  if (condition.status === 'True') {
    const retained = [...decisions].filter(([, {kind}]) => kind === 'retain').map(([name]) => quoted(name));
    const kept = retained.length === 0 ? '' : `; retaining ${list(retained.sort())}, by removal policy`;
    return `${nothingToReport}${kept}`;
  }
  // A move has one sentence, although it has several resource names.
  const sentences = [
    ...new Set([
      ...refusedPairs.map(refusedPairSentence),
      ...condition.resources.flatMap((name) => {
        const decision = decisions.get(name);
        if (decision === undefined) return [];
        return [
          waitsForRestore(decision) ? restoringSentence(decision, decisions) : rowOf(decision).sentence(name, decision),
        ];
      }),
    ]),
  ];
  const more = sentences.length - listedMax;
  if (sentences.length === 0 && awaited.length > 0) sentences.push(restoreCause(awaited));
  // Complete, because the next reconcile reads them here.
  const listed = [
    ...sentences.slice(0, listedMax),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...leftBehind.map(leftBehindSentence),
  ];
  return listed.join('; ');
}

type Restoring = Hold & {readonly reason: 'restore-in-progress'};

function waitsForRestore(decision: Decision): decision is Restoring {
  return decision.kind === 'hold' && decision.reason === 'restore-in-progress';
}

/** All that waits for one restore, in one sentence: it waits for the same. */
function restoringSentence({awaited}: Restoring, decisions: Plan['decisions']): string {
  const names = [...decisions].flatMap(([name, one]) => (waitsForRestore(one) ? [quoted(name)] : []));
  return `holding composed resource${names.length === 1 ? '' : 's'} ${list(names)}: ${restoreCause(awaited)}`;
}

/** One event: something begins or ends in this reconcile. `decision` is that of the same resource. */
export function transitionSentence(transition: Transition, decision: Decision | undefined): string {
  const {kind, resourceName} = transition;
  return eventSentence(transition, () =>
    decision === undefined ? `${kind} ${composed(resourceName)}` : rowOf(decision).sentence(resourceName, decision),
  );
}
