// The JSON Schema of `tether explain --output json`. Its pairs of decision and reason are the table of reasons.

import type {ExplainedResource, Explanation} from '../src/function/explain.ts';
import type {JsonSchema} from '../src/harness/input/form.ts';
import {conditions} from '../src/lifecycle/words/conditions.ts';
import {kinds, type Reason, reasons} from '../src/lifecycle/words/reasons.ts';

/** A field that the type does not have, or lacks, does not compile. */
type Fields<T> = {readonly [name in keyof T]-?: JsonSchema};

const text = {type: 'string'};

const xr: Fields<Explanation['xr']> = {apiVersion: text, kind: text, namespace: text, name: text};

const resource: Fields<ExplainedResource> = {
  resourceName: text,
  object: {...text, description: '`Kind namespace/name`, as far as the request has them.'},
  observed: {type: 'boolean'},
  desired: {type: 'boolean', description: 'By the earlier steps of the pipeline.'},
  decision: {enum: Object.keys(kinds)},
  reason: {...text, description: 'Empty for a decision that needs none.'},
  sentence: text,
  leaves: {
    enum: ['as desired', 'with marks', 'our object', 'nothing'] satisfies readonly ExplainedResource['leaves'][],
    description: 'The object in the response.',
  },
};

const condition: Fields<NonNullable<Explanation['condition']>> = {
  status: {enum: ['True', 'False']},
  reason: {enum: Object.keys(conditions)},
  message: text,
};

const explanation: Fields<Explanation> = {
  xr: {...object(xr), description: 'The XR of the request.'},
  refused: {...text, description: 'The sentence of a refused request, about which nothing is decided.'},
  condition: {
    ...object(condition),
    description: 'The condition `Tethered` of the XR. Absent if the request is refused.',
  },
  resources: {type: 'array', items: {$ref: '#/$defs/resource'}},
  requirements: {type: 'array', items: text, description: 'Names of the questions to Crossplane in this answer.'},
};

const optional = ['refused', 'condition'];

/** Of a request it is one explanation, of a scenario the last one about each XR. */
export function explanationSchema(): JsonSchema {
  const last = {...explanation, calls: {type: 'integer', minimum: 1, description: 'How often this XR was reconciled.'}};
  const scenario = {
    scenario: text,
    crossplane: text,
    variant: text,
    failures: {type: 'array', items: text, description: 'Expectations that did not come true.'},
    last: {type: 'array', items: object(last, optional)},
  };
  return {
    anyOf: [object(explanation, optional), object(scenario)],
    $defs: {resource: {...object(resource), oneOf: Object.keys(kinds).map(ofDecision)}},
  };
}

function ofDecision(kind: string): JsonSchema {
  const own = Object.entries<Reason>(reasons).flatMap(([name, {of}]) => (of.some((one) => one === kind) ? [name] : []));
  return {properties: {decision: {const: kind}, reason: {enum: own.length === 0 ? [''] : own}}};
}

function object(properties: {readonly [name: string]: JsonSchema}, notRequired: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !notRequired.includes(name));
  return {type: 'object', properties, required, additionalProperties: false};
}
