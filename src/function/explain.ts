// The decision table: what the function would do with a request, resource by resource, and why. The same decisions and
// sentences as in production, because it is the same run.

import {type Decision, reasonOf, rowOf} from '../lifecycle/words/decision.ts';
import type {Edit} from '../lifecycle/words/edit.ts';
import {at, type Json, text} from '../lifecycle/words/json.ts';
import {decodeRequest, type RequestMessage} from '../wire/request-decode.ts';
import type {ResourceMessage} from '../wire/resource-message.ts';
import {conditionOf} from './answer.ts';
import {type RunOptions, type RunReport, runWithReport} from './run.ts';

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
export interface Report<Resource = ResourceReport> {
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
  readonly resources: readonly Resource[];
  /** Names of the resources that Crossplane is asked to fetch before the next call. */
  readonly requirements: readonly string[];
}

export interface ExplainedResource extends ResourceReport {
  /** The object in the response: that of the earlier steps with or without our marks, ours instead, or none. */
  readonly leaves: 'as desired' | 'with marks' | 'our object' | 'nothing';
}

export type Explanation = Report<ExplainedResource>;

/** Explains the RunFunctionRequest in `requestBytes`, as run with these options. Never throws. */
export function explain(requestBytes: Uint8Array, options?: RunOptions): Explanation {
  return explanationOf(requestBytes, runWithReport(requestBytes, options).report);
}

/** The explanation of a call that was made: its request and its report. */
export function explanationOf(requestBytes: Uint8Array, {xr, outcome}: RunReport): Explanation {
  if (outcome.kind === 'refused') return {xr, refused: outcome.sentence, resources: [], requirements: []};
  const {plan} = outcome;
  const request = decodeRequest(requestBytes);
  const {status, reason, message = ''} = conditionOf(plan, request).condition;
  return {
    xr,
    condition: {status, reason, message},
    resources: [...plan.decisions].map(([resourceName, decision]) =>
      explainResource(request, resourceName, decision, plan.edits.get(resourceName)),
    ),
    requirements: [...plan.requirements.keys()],
  };
}

function explainResource(
  request: RequestMessage,
  resourceName: string,
  decision: Decision,
  edit: Edit | undefined,
): ExplainedResource {
  const observed = request.observed.resources.get(resourceName);
  const desired = request.desired.resources.get(resourceName);
  const emitted = edit?.kind === 'put' ? edit.object : undefined;
  return {
    resourceName,
    object: objectOf(observed) || objectOf(desired) || nameObject((path) => at(emitted, path)),
    observed: observed !== undefined,
    desired: desired !== undefined,
    decision: decision.kind,
    reason: reasonOf(decision),
    sentence: rowOf(decision).sentence(resourceName, decision),
    leaves: leaves(edit, desired !== undefined),
  };
}

function leaves(edit: Edit | undefined, desired: boolean): ExplainedResource['leaves'] {
  switch (edit?.kind) {
    case 'put':
      return 'our object';
    case 'amend':
      return 'with marks';
    case 'drop':
      return 'nothing';
    default:
      return desired ? 'as desired' : 'nothing';
  }
}

function objectOf(resource: ResourceMessage | undefined): string {
  return resource === undefined ? '' : nameObject((path) => resource.field(path));
}

function nameObject(field: (path: readonly string[]) => Json | undefined): string {
  const [kind, namespace, name] = [['kind'], ['metadata', 'namespace'], ['metadata', 'name']].map((path) =>
    text(field(path)),
  );
  return `${kind} ${namespace ? `${namespace}/` : ''}${name}`.trim();
}
