// The decisions of functions, read off the contract alone, so that any function has them: resources that a step put into the
// desired state or took out of it, its results, and resources that the end of the pipeline lets go of. Two words need a rule: a
// step HOLDS a resource that exists where no step before it desired it (and it is not the first step, which desires from
// nothing); the last step RELEASES what is observed and not desired at the end.

import {addressOf, type KubeObject} from '../../../cluster/object.ts';
import {decodeRequest, type RequestMessage} from '../../../wire/request-decode.ts';
import type {Result} from '../../../wire/resource-message.ts';
import {decodeResponse, type ResponseBody} from '../../../wire/response-decode.ts';
import type {FunctionCall, Instant} from '../../control-plane/record/history.ts';
import {concealedSentence} from '../../input/conceal/concealed-text.ts';
import {listed} from '../../input/listed.ts';

export interface Decision extends Instant {
  readonly target: string;
  /** Names the XR. */
  readonly run: string;
  readonly reconcileId: number;
  /** As the timeline counts. */
  readonly reconcile: number;
  /** Resource names, sorted. */
  readonly added: readonly string[];
  readonly dropped: readonly string[];
  readonly held: readonly string[];
  /** Of the last step of its pipeline: everything that this or an earlier step held and none dropped. */
  readonly heldAtEnd?: readonly string[];
  /** Only of the last step of its pipeline. */
  readonly released: readonly string[];
  /** The addresses of the observed objects by resource name. */
  readonly observed: ReadonlyMap<string, string>;
  readonly results: readonly Result[];
  /** `Type=Status Reason: message`. */
  readonly conditions: readonly string[];
  /** Why there is no response. */
  readonly error?: string;
}

/** One decision per function call, in order. */
export function decisionsOf(calls: readonly FunctionCall[]): readonly Decision[] {
  const reconciles = Map.groupBy(calls, ({reconcileId}) => reconcileId);
  const held = new Map<number, readonly string[]>();
  return calls.map((call) => {
    const own = reconciles.get(call.reconcileId) ?? [call];
    const isLast = own.at(-1) === call;
    const decision = decide(call, {isFirst: own[0]?.target === call.target, isLast});
    const before = (held.get(call.reconcileId) ?? []).filter((name) => !decision.dropped.includes(name));
    const heldAtEnd = [...before, ...decision.held];
    held.set(call.reconcileId, heldAtEnd);
    return isLast ? {...decision, heldAtEnd} : decision;
  });
}

function decide(
  {step, atMs, target, run, reconcileId, reconcile, request, reply}: FunctionCall,
  place: {readonly isFirst: boolean; readonly isLast: boolean},
): Decision {
  const asked = decodeRequest(request);
  const observed = new Map(
    [...asked.observed.resources].map(([name, resource]) => [name, addressOf(resource.json() as KubeObject)]),
  );
  const base = {step, atMs, target, run, reconcileId, reconcile, observed};
  if (!reply.ok) {
    const nothing = {added: [], dropped: [], held: [], released: [], results: [], conditions: []};
    return {...base, ...nothing, error: reply.message};
  }
  const answer = decodeResponse(reply.response);
  return {
    ...base,
    ...changes(asked, answer, place),
    results: answer.results,
    conditions: answer.conditions.map(
      ({type, status, reason, message}) =>
        `${type}=${status} ${reason}${message === undefined || message === '' ? '' : `: ${message}`}`,
    ),
  };
}

function changes(
  {observed, desired}: RequestMessage,
  answer: ResponseBody,
  {isFirst, isLast}: {readonly isFirst: boolean; readonly isLast: boolean},
): Pick<Decision, 'added' | 'dropped' | 'held' | 'released'> {
  const before = [...desired.resources.keys()];
  const after = answer.desired.resources;
  const added = [...after.keys()].filter((name) => !desired.resources.has(name)).sort();
  const isFatal = answer.results.some(({severity}) => severity === 'fatal');
  return {
    added,
    dropped: before.filter((name) => !after.has(name)).sort(),
    held: isFirst ? [] : added.filter((name) => observed.resources.has(name)),
    // After a fatal result Crossplane changes nothing.
    released: isLast && !isFatal ? [...observed.resources.keys()].filter((name) => !after.has(name)).sort() : [],
  };
}

const listedMax = 8;

/** The decisions of a call, a sentence each; empty if it changed nothing and returned no result. */
export function decisionTexts(decision: Decision): readonly string[] {
  const {added, dropped, held, released, results, conditions, error} = decision;
  const fresh = added.filter((name) => !held.includes(name));
  return [
    ...(error === undefined ? [] : [`failed: ${error}`]),
    ...(fresh.length === 0 ? [] : [`desires ${listed(fresh, listedMax)}`]),
    ...(held.length === 0 ? [] : [`holds ${listed(held, listedMax)}: it exists, and no step before desires it`]),
    ...(dropped.length === 0 ? [] : [`takes ${listed(dropped, listedMax)} out of the desired state`]),
    ...(released.length === 0 ? [] : [`releases ${listed(released, listedMax)}: observed, and no longer desired`]),
    ...results.map(({severity, message}) => (severity === 'normal' ? message : `${severity}: ${message}`)),
    ...conditions,
  ].map(concealedSentence);
}

/** True if a reader looks for this call: it held, dropped, released, failed, or returned a result. */
export function isNotable({dropped, held, released, results, error}: Decision): boolean {
  return error !== undefined || [dropped, held, released, results].some((list) => list.length > 0);
}
