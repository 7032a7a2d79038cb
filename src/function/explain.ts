// The decision table: what the function would do with a request, resource by resource, and why. The same decisions and
// sentences as in production, because it is the same run.

import {type Decision, reasonOf, rowOf} from '../lifecycle/words/decision.ts';
import type {Edit} from '../lifecycle/words/edit.ts';
import {at, type Json, text} from '../lifecycle/words/json.ts';
import {decodeRequest, type RequestMessage} from '../wire/request-decode.ts';
import type {ResourceMessage} from '../wire/resource-message.ts';
import {conditionOf} from './answer.ts';
import {type RunOptions, type RunReport, runWithReport} from './run.ts';

export interface ExplainedResource {
  readonly resourceName: string;
  /** `Kind namespace/name` of the object, as far as the request has them. */
  readonly object: string;
  readonly observed: boolean;
  /** By the earlier steps of the pipeline. */
  readonly desired: boolean;
  readonly decision: Decision['kind'];
  /** '' for decisions that need none. */
  readonly reason: string;
  readonly sentence: string;
  /** The object in the response: that of the earlier steps with or without our marks, ours instead, or none. */
  readonly leaves: 'as desired' | 'with marks' | 'our object' | 'nothing';
}

export interface Explanation {
  readonly xr: RunReport['xr'];
  /** Set where the whole request is refused; then nothing is decided. */
  readonly refused?: string;
  /** The XR's condition `Tethered`. */
  readonly condition?: {readonly status: string; readonly reason: string; readonly message: string};
  readonly resources: readonly ExplainedResource[];
  /** Names of what is asked of Crossplane before the next step. */
  readonly requirements: readonly string[];
}

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
