// The package `function-tether/function`: function-tether in the caller's process, bytes in and bytes out.
//
// Everything exported here is public. A report is flat: names, texts and booleans. The plan of src/lifecycle stays inside,
// because it changes with the policy.

import {type ExplainedResource, explanationOf, type Report, type ResourceReport} from './explain.ts';
import {runWithReport} from './run.ts';

export type {Report, ResourceReport} from './explain.ts';

/** Options of a call. */
export interface Options {
  /** How long Crossplane may reuse a response, in whole seconds, 0 for no wish. The default is that of `tether serve`. */
  readonly ttlSeconds?: number;
  /** Keys that seal remembered external names. The first seals, every key opens. Without keys nothing is sealed. */
  readonly memoryKeys?: readonly string[];
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
