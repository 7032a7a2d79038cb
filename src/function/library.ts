// The package `function-tether/function`: function-tether in the caller's process, bytes in and bytes out.
//
// Everything exported here is public. A report is flat: names, texts and booleans. The plan of src/lifecycle stays inside,
// because it changes with the policy.

import {type ExplainedResource, explanationOf} from './explain.ts';
import {runWithReport} from './run.ts';

/** Options of a call. */
export interface Options {
  /** How long Crossplane may reuse a response, in whole seconds, 0 for no wish. The default is that of `tether serve`. */
  readonly ttlSeconds?: number;
  /** Keys that seal remembered external names. The first seals, every key opens. Without keys nothing is sealed. */
  readonly memoryKeys?: readonly string[];
}

/** The decision for one composed resource. */
export interface ResourceReport {
  /** The key in the pipeline. */
  readonly resourceName: string;
  /** `Kind namespace/name` of the object, as far as the request names it. */
  readonly object: string;
  readonly observed: boolean;
  /** True if an earlier step desires it. */
  readonly desired: boolean;
  /** `keep`, `create`, `wait`, `hold`, `adopt`, `release`, `retain`, `refuse` or `move`. */
  readonly decision: string;
  /** As in docs/reference/operations.md; '' if the decision needs none. */
  readonly reason: string;
  readonly sentence: string;
}

/** The decisions of one call: names and sentences, no values of observed objects. */
export interface Report {
  /** The XR of the request. All fields are '' in an Operation, or if the request has no readable XR. */
  readonly xr: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
  };
  /** The sentence of the FATAL result, if the request is refused. Then nothing else is decided. */
  readonly refused?: string;
  /** The XR condition `Tethered`. */
  readonly condition?: {readonly status: string; readonly reason: string; readonly message: string};
  readonly resources: readonly ResourceReport[];
  /** Names of the resources that Crossplane is asked to fetch before the next call. */
  readonly requirements: readonly string[];
}

/**
 * Runs function-tether on a RunFunctionRequest and returns the RunFunctionResponse, both as protobuf bytes
 * (`apiextensions.fn.proto.v1`, proto/run_function.proto). The same request has the same response. Never throws: a request
 * that cannot be read, or an invalid input, becomes a FATAL result.
 */
export function runFunction(requestBytes: Uint8Array, options: Options = {}): Uint8Array {
  return runWithReport(requestBytes, options).response;
}

/** Runs function-tether as runFunction does, and reports its decisions. */
export function runAndReport(
  requestBytes: Uint8Array,
  options: Options = {},
): {readonly response: Uint8Array; readonly report: Report} {
  const {response, report} = runWithReport(requestBytes, options);
  const {resources, ...rest} = explanationOf(requestBytes, report);
  return {response, report: {...rest, resources: resources.map(resourceReport)}};
}

function resourceReport({leaves: _, ...resource}: ExplainedResource): ResourceReport {
  return resource;
}
