// From a plan to what changes on the way from the request to the response. Everything the plan does not name passes.

import type {Plan} from '../lifecycle/plan/plan.ts';
import {conditions, gravest} from '../lifecycle/words/conditions.ts';
import type {Requirement} from '../lifecycle/words/edit.ts';
import {events, type Transition} from '../lifecycle/words/events.ts';
import {asObject, type JsonObject, text} from '../lifecycle/words/json.ts';
import {capabilityCapabilities, type RequestMessage} from '../wire/request-decode.ts';
import type {ResponseChanges} from '../wire/response-encode.ts';
import type {Condition, ResourceSelector, Result} from '../wire/response-message.ts';
import {conditionSentence, nothingToReport, transitionSentence} from './messages.ts';
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
    requirements: mapValues(plan.requirements, selectorOf),
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

/**
 * The XR condition, and what a later step of function-tether has to know of it. Crossplane shows the condition of the last step, so
 * that has the gravest reason and all messages. A step that is called again, with the same tag, finds its own report.
 */
export function conditionOf(plan: Plan, request: Pick<RequestMessage, 'context' | 'tag'>): Reported {
  const {reason, status} = plan.condition;
  const message = conditionSentence(plan);
  const earlier = contextOf(request)([reportsInContext]);
  const condition: Condition = {type: conditionType, status, reason, message, target: 'composite'};
  if (earlier === undefined && message === nothingToReport) return {condition, context: undefined};
  const {[request.tag]: _, ...others} = asObject(earlier);
  const reports = message === nothingToReport ? others : {...others, [request.tag]: {reason, message}};
  const all = Object.values(reports).map(asObject);
  const gravestReason = gravest(new Set(all.map((report) => text(report['reason']))));
  const {status: gravestStatus} = conditions[gravestReason];
  const useless = gravestStatus === 'True' ? '' : `${nothingToReport}; `;
  // Sorted, because a context has no order.
  const messages = all.map((report) => text(report['message']).replace(useless, '')).sort();
  return {
    condition: {
      ...condition,
      status: gravestStatus,
      reason: gravestReason,
      message: messages.join('; ') || nothingToReport,
    },
    context: {[reportsInContext]: reports},
  };
}

function selectorOf({apiVersion, kind, namespace, match}: Requirement): ResourceSelector {
  return namespace === '' ? {apiVersion, kind, match} : {apiVersion, kind, match, namespace};
}

// A Crossplane that advertises capabilities (v2.2 on) reads `resources`. One that does not may be older than v2 and know
// only the old name, so it is asked under both; the answers are the same.
function requirementFieldsFor(capabilities: readonly number[]): ResponseChanges['requirementFields'] {
  return capabilities.includes(capabilityCapabilities) ? ['resources'] : ['resources', 'extra_resources'];
}

function mapValues<T, U>(map: ReadonlyMap<string, T>, change: (value: T) => U): ReadonlyMap<string, U> {
  const changed = new Map<string, U>();
  for (const [key, value] of map) changed.set(key, change(value));
  return changed;
}
